/* Cases of a switch that one version has: the other version leaves them as soon as it comes there, for where it would
 * have gone. */
#include "unify/statements.h"

/* Where a version goes that has no such case. */
static const char *way_out(struct merger *merger, const struct list *new, size_t *label_at)
{
    *label_at = 0;
    for (size_t i = 0; i < new->count; i++)
        if (new->items[i]->kind == NODE_LABEL && tree_word_is(&merger->new, new->items[i]->first, "default")) {
            *label_at = new->items[i]->begin;
            return arena_format(merger->arena, "goto pn_default_%zu", ++merger->labels);
        }
    return "break";
}

static bool old_has_default(const struct merger *merger, const struct list *old)
{
    for (size_t i = 0; i < old->count; i++)
        if (old->items[i]->kind == NODE_LABEL && tree_word_is(&merger->old, old->items[i]->first, "default"))
            return true;
    return false;
}

static bool new_has_default(const struct merger *merger, const struct list *new)
{
    for (size_t i = 0; i < new->count; i++)
        if (new->items[i]->kind == NODE_LABEL && tree_word_is(&merger->new, new->items[i]->first, "default"))
            return true;
    return false;
}

/* Cases, none of them `default`, that nothing falls into and that fall into nothing. */
static bool are_whole_cases(const struct tree *tree, const struct run *run, const struct node *before)
{
    if (!run->count || !statement_is_case(tree, run->items[0]) || !statement_is_jump(run->items[run->count - 1]) ||
        (before && !statement_is_jump(before)))
        return false;
    for (size_t i = 0; i < run->count; i++) {
        if (statement_is_declaration(run->items[i]) ||
            (run->items[i]->kind == NODE_LABEL && !statement_is_case(tree, run->items[i])) ||
            tree_word_is(tree, run->items[i]->first, "default"))
            return false;
        if (i && statement_is_case(tree, run->items[i]) && !statement_is_case(tree, run->items[i - 1]) &&
            !statement_is_jump(run->items[i - 1]))
            return false;
    }
    return true;
}

static void put_default_label(struct merger *merger, size_t label_at)
{
    if (label_at)
        merge_edit(merger, label_at, label_at, arena_format(merger->arena, "pn_default_%zu: ", merger->labels));
}

static bool add_new_cases(struct merger *merger, const struct run *run, const struct list *old, const struct list *new)
{
    size_t label_at;
    if (old_has_default(merger, old) != new_has_default(merger, new))
        return false;
    const char *way = way_out(merger, new, &label_at);
    for (size_t i = 0; i < run->count; i++)
        if (statement_is_case(&merger->new, run->items[i]) &&
            (i + 1 == run->count || !statement_is_case(&merger->new, run->items[i + 1]))) {
            merge_edit(merger, run->items[i]->end, run->items[i]->end,
                       arena_format(merger->arena, " if (pn_execute(PN_OLD)) %s;", way));
            merger->patterns[PATTERN_ADDED_CODE]++;
        }
    put_default_label(merger, label_at);
    return true;
}

/* Labels of a switch stand where its others stand. */
static const char *label_indentation(const struct merger *merger, const struct list *new, const struct gap *gap)
{
    for (size_t i = 0; i < new->count; i++)
        if (statement_is_case(&merger->new, new->items[i]))
            return merge_indentation(merger, new->items[i]->begin);
    return gap_indentation(merger, gap);
}

static bool add_old_cases(struct merger *merger, const struct run *run, const struct list *old, const struct list *new,
                          const struct gap *gap)
{
    size_t label_at;
    if (old_has_default(merger, old) != new_has_default(merger, new) || run_has_directive(merger, run))
        return false;
    const char *way = way_out(merger, new, &label_at), *indentation = label_indentation(merger, new, gap);
    struct text text = {0};
    for (size_t i = 0; i < run->count; i++) {
        bool is_last_label = statement_is_case(&merger->old, run->items[i]) &&
                             (i + 1 == run->count || !statement_is_case(&merger->old, run->items[i + 1]));
        const char *deeper =
            statement_is_case(&merger->old, run->items[i]) ? indentation : merge_deeper(merger, indentation);
        if (i)
            text_format(&text, merger->in_lines ? " " : "\n%s", deeper);
        text_add(&text, merge_old_lines(merger, run->items[i]->first, run->items[i]->last, deeper));
        if (is_last_label) {
            text_format(&text, " if (pn_execute(PN_NEW)) %s;", way);
            merger->patterns[PATTERN_REMOVED_CODE]++;
        }
    }
    gap_put(merger, gap, arena_copy_string(merger->arena, text_string(&text)), indentation);
    text_free(&text);
    put_default_label(merger, label_at);
    return true;
}

bool run_has_case(const struct tree *tree, const struct run *run)
{
    for (size_t i = 0; i < run->count; i++)
        if (statement_is_case(tree, run->items[i]))
            return true;
    return false;
}

bool merge_cases(struct merger *merger, const struct run *old, const struct run *new, const struct gap *gap,
                 const struct list *all_old, const struct list *all_new, const struct node *old_before)
{
    if (old->count &&
        (!are_whole_cases(&merger->old, old, old_before) || (gap->before && !statement_is_jump(gap->before)) ||
         !add_old_cases(merger, old, all_old, all_new, gap)))
        return false;
    return !new->count ||
           (are_whole_cases(&merger->new, new, gap->before) && add_new_cases(merger, new, all_old, all_new));
}
