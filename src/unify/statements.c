/* Statements: lists are aligned, statements of one kind are merged part by part, and what only one version has is put
 * under pn_change() or pn_execute(). Whatever cannot be merged in parts is kept twice, one level further out each time
 * that this is impossible, too. */
#include "unify/merge.h"

#include <stdlib.h>
#include <string.h>

static const CXType UNKNOWN = {.kind = CXType_Invalid};

/* Of what a condition guards, this much must be in common with what stood there without it. */
static const double GUARDED_LIKENESS = 0.6;

/* A part of a list. */
struct run {
    struct node **items;
    size_t count;
};

static bool merge_item(struct merger *merger, struct node *old, struct node *new);

/* ---- what a statement is ---- */

static bool is_declaration(const struct node *node)
{
    return node->kind == CXCursor_DeclStmt;
}

static bool is_jump(const struct node *node)
{
    return node->kind == CXCursor_ReturnStmt || node->kind == CXCursor_BreakStmt ||
           node->kind == CXCursor_ContinueStmt || node->kind == CXCursor_GotoStmt;
}

static bool is_case(const struct tree *tree, const struct node *node)
{
    return node->kind == NODE_LABEL &&
           (tree_word_is(tree, node->first, "case") || tree_word_is(tree, node->first, "default"));
}

static bool has_label(const struct node *node)
{
    if (node->kind == NODE_LABEL || node->kind == CXCursor_LabelStmt)
        return true;
    for (size_t i = 0; i < node->count; i++)
        if (has_label(node->children[i]))
            return true;
    return false;
}

/* `x = E;` with a plain variable: then `x = x` says the same as nothing. */
static bool is_plain_assignment(const struct node *node)
{
    if (node->kind != NODE_EXPRESSION_STATEMENT)
        return false;
    const struct node *assignment = node->children[0];
    if (assignment->kind != CXCursor_BinaryOperator || assignment->count != 2 ||
        clang_getCursorBinaryOperatorKind(assignment->cursor) != CXBinaryOperator_Assign)
        return false;
    const struct node *left = assignment->children[0];
    CXType type = clang_getCursorType(left->cursor), canonical = clang_getCanonicalType(type);
    bool is_scalar = (canonical.kind >= CXType_Bool && canonical.kind <= CXType_LongDouble) ||
                     canonical.kind == CXType_Pointer || canonical.kind == CXType_Enum;
    return left->kind == CXCursor_DeclRefExpr && !left->is_macro && is_scalar && !clang_isVolatileQualifiedType(type) &&
           expression_is_harmless(assignment->children[1]);
}

static bool is_lone_condition(const struct tree *tree, const struct node *node)
{
    return node->kind == CXCursor_IfStmt && !node->is_macro && node->count == 2 &&
           !tree_has_directive(tree, node->children[0]);
}

/* ---- code of one version ---- */

static const char *opening(enum pattern pattern)
{
    return pattern == PATTERN_REMOVED_CODE ? "if (pn_execute(PN_OLD))" : "if (pn_execute(PN_NEW))";
}

/* One statement can stand for itself; more, or one that an `else` could be taken for, need braces. */
static bool needs_braces(const struct run *run)
{
    int kind = run->items[0]->kind;
    return run->count > 1 || kind == CXCursor_IfStmt || kind == CXCursor_ForStmt || kind == CXCursor_WhileStmt ||
           kind == NODE_OPAQUE || kind == CXCursor_DoStmt || kind == CXCursor_SwitchStmt;
}

/* `if (pn_execute(...)) body`, with the body's text from its first column on. */
static const char *guarded(const struct merger *merger, const char *head, const char *body, const char *indentation,
                           bool braces)
{
    const char *deeper = merge_deeper(merger, indentation);
    if (merger->in_lines)
        return arena_format(merger->arena, braces ? "%s { %s }" : "%s %s", head, body);
    if (braces)
        return arena_format(merger->arena, "%s {\n%s%s\n%s}", head, deeper, body, indentation);
    return arena_format(merger->arena, "%s\n%s%s", head, deeper, body);
}

static bool old_has_directive(const struct merger *merger, const struct run *run)
{
    struct node whole = {.first = run->items[0]->first, .last = run->items[run->count - 1]->last};
    return tree_has_directive(&merger->old, &whole);
}

static const char *old_body(const struct merger *merger, const struct run *run, const char *indentation)
{
    return merge_old_lines(merger, run->items[0]->first, run->items[run->count - 1]->last, indentation);
}

/* The new statements, one step deeper. */
static const char *new_body(const struct merger *merger, const struct run *run, const char *indentation)
{
    const char *deeper = merge_deeper(merger, indentation);
    const char *text = merge_new_text(merger, run->items[0]->begin, run->items[run->count - 1]->end);
    return merge_shift(merger, text, deeper + strlen(indentation));
}

static bool is_block(const struct run *run)
{
    return run->count == 1 && run->items[0]->kind == CXCursor_CompoundStmt;
}

static const char *one_version(const struct merger *merger, const struct run *run, bool is_old, const char *indentation)
{
    const char *head = opening(is_old ? PATTERN_REMOVED_CODE : PATTERN_ADDED_CODE);
    bool block = is_block(run);
    const char *body = is_old  ? old_body(merger, run, block ? indentation : merge_deeper(merger, indentation))
                        : block ? merge_new_text(merger, run->items[0]->begin, run->items[0]->end)
                               : new_body(merger, run, indentation);
    if (block)
        return arena_format(merger->arena, "%s %s", head, body);
    return guarded(merger, head, body, indentation, needs_braces(run));
}

/* How many of the items from here on are of the same kind of code, for one pn_execute(). */
static size_t plain_length(const struct tree *tree, const struct run *run, size_t from)
{
    size_t count = 0;
    for (; from + count < run->count; count++) {
        const struct node *item = run->items[from + count];
        if (is_declaration(item) || item->kind == NODE_LABEL || is_plain_assignment(item) ||
            is_lone_condition(tree, item))
            break;
    }
    return count;
}

/* A run of several statements with something in it that must be under pn_execute(): all of it goes there together. */
static size_t joined_length(const struct tree *tree, const struct run *run, size_t from)
{
    size_t count = 0;
    bool has_plain = false;
    for (; from + count < run->count; count++) {
        const struct node *item = run->items[from + count];
        if (is_declaration(item) || item->kind == NODE_LABEL)
            break;
        struct run one = {run->items + from + count, 1};
        has_plain |= plain_length(tree, &one, 0) == 1 && !is_jump(item);
    }
    return has_plain && count > 2 ? count : plain_length(tree, run, from);
}

static void keep_new_assignment(struct merger *merger, const struct node *item)
{
    const struct node *left = item->children[0]->children[0], *right = item->children[0]->children[1];
    merge_edit(merger, right->begin, right->end,
               arena_format(merger->arena, "pn_change(%s, %s)", merge_new_text(merger, left->begin, left->end),
                            merge_new_text(merger, right->begin, right->end)));
    merger->patterns[PATTERN_ADDED_ASSIGNMENT]++;
}

static bool keep_new_label(struct merger *merger, const struct node *item)
{
    return !is_case(&merger->new, item);
}

/* One item that is no plain code. */
static bool keep_new_item(struct merger *merger, struct node *item)
{
    if (is_declaration(item))
        return declaration_keep_new(merger, item);
    if (item->kind == NODE_LABEL)
        return keep_new_label(merger, item);
    if (is_plain_assignment(item)) {
        keep_new_assignment(merger, item);
        return true;
    }
    const struct node *condition = item->children[0];
    merge_edit(
        merger, condition->begin, condition->end,
        arena_format(merger->arena, "pn_change(0, %s)", merge_new_text(merger, condition->begin, condition->end)));
    merger->patterns[PATTERN_ADDED_CONDITION]++;
    return true;
}

static bool keep_new(struct merger *merger, const struct run *run)
{
    merger->adds_statements |= run->count > 1;
    for (size_t i = 0; i < run->count;) {
        struct run plain = {run->items + i, joined_length(&merger->new, run, i)};
        if (run->items[i]->kind == CXCursor_NullStmt) {
            i++;
            continue;
        }
        if (!plain.count) {
            merger->adds_statements |= is_declaration(run->items[i]);
            if (!keep_new_item(merger, run->items[i++]))
                return false;
            continue;
        }
        const struct node *first = plain.items[0], *last = plain.items[plain.count - 1];
        const char *indentation = merge_indentation(merger, first->begin);
        merge_edit(merger, first->begin, last->end, one_version(merger, &plain, false, indentation));
        merger->patterns[PATTERN_ADDED_CODE]++;
        merger->adds_statements = true;
        i += plain.count;
    }
    return true;
}

static const char *old_assignment(struct merger *merger, const struct node *item)
{
    const struct node *left = item->children[0]->children[0], *right = item->children[0]->children[1];
    const char *name = merge_old_text(merger, left->first, left->last);
    merger->patterns[PATTERN_REMOVED_ASSIGNMENT]++;
    return arena_format(merger->arena, "%s = pn_change(%s, %s);", name,
                        merge_old_text(merger, right->first, right->last), name);
}

static const char *old_condition(struct merger *merger, const struct node *item, const char *indentation)
{
    const struct node *condition = item->children[0];
    merger->patterns[PATTERN_REMOVED_CONDITION]++;
    return arena_format(merger->arena, "%spn_change(%s, 0)%s", merge_old_text(merger, item->first, condition->first),
                        merge_old_text(merger, condition->first, condition->last),
                        merge_old_lines(merger, condition->last, item->last, indentation));
}

static bool old_item(struct merger *merger, struct node *item, const char *indentation, const char **text)
{
    *text = "";
    if (is_declaration(item))
        return declaration_keep_old(merger, item, text);
    if (is_plain_assignment(item))
        *text = old_assignment(merger, item);
    else if (item->kind == NODE_LABEL)
        *text = arena_format(merger->arena, "%s;", merge_old_text(merger, item->first, item->last));
    else
        *text = old_condition(merger, item, indentation);
    return item->kind != NODE_LABEL || !is_case(&merger->old, item);
}

/* The text of old statements, each on lines of its own. False when they cannot be put into the new function. */
static bool old_statements(struct merger *merger, const struct run *run, const char *indentation, const char **result)
{
    struct text text = {0};
    bool good = !run->count || !old_has_directive(merger, run);
    for (size_t i = 0; i < run->count && good;) {
        struct run plain = {run->items + i, joined_length(&merger->old, run, i)};
        const char *here = "";
        if (run->items[i]->kind == CXCursor_NullStmt) {
            i++;
            continue;
        }
        if (plain.count) {
            here = one_version(merger, &plain, true, indentation);
            merger->patterns[PATTERN_REMOVED_CODE]++;
        } else {
            good = old_item(merger, run->items[i], indentation, &here);
        }
        if (*here && text.length)
            text_format(&text, merger->in_lines ? " " : "\n%s", indentation);
        text_add(&text, here);
        i += plain.count ? plain.count : 1;
    }
    *result = arena_copy_string(merger->arena, text_string(&text));
    text_free(&text);
    return good;
}

/* Where old statements go: before this new item, or behind the one before. */
struct gap {
    const struct node *before, *after; /* new items; NULL at the ends */
    size_t anchor;                     /* when there is neither */
};

static void put(struct merger *merger, const struct gap *gap, const char *text, const char *indentation)
{
    if (!*text)
        return;
    merger->adds_statements = true;
    const char *separator = merger->in_lines ? " " : arena_format(merger->arena, "\n%s", indentation);
    if (gap->after)
        merge_edit(merger, gap->after->begin, gap->after->begin, arena_format(merger->arena, "%s%s", text, separator));
    else
        merge_edit(merger, gap->before ? gap->before->end : gap->anchor, gap->before ? gap->before->end : gap->anchor,
                   arena_format(merger->arena, "%s%s", separator, text));
}

static const char *gap_indentation(const struct merger *merger, const struct gap *gap)
{
    const struct node *beside = gap->after ? gap->after : gap->before;
    if (beside)
        return merge_indentation(merger, beside->begin);
    return merge_deeper(merger, merge_indentation(merger, gap->anchor));
}

static bool keep_old(struct merger *merger, const struct run *run, const struct gap *gap)
{
    const char *indentation = gap_indentation(merger, gap), *text;
    if (!old_statements(merger, run, indentation, &text))
        return false;
    put(merger, gap, text, indentation);
    return true;
}

/* ---- code that another takes the place of ---- */

static bool can_be_doubled(const struct run *run)
{
    for (size_t i = 0; i < run->count; i++)
        if (is_declaration(run->items[i]) || has_label(run->items[i]))
            return false;
    return run->count > 0;
}

static bool replace(struct merger *merger, const struct run *old, const struct run *new)
{
    const struct node *first = new->items[0], *last = new->items[new->count - 1];
    if (!can_be_doubled(old) || !can_be_doubled(new) || old_has_directive(merger, old))
        return false;
    const char *indentation = merge_indentation(merger, first->begin), *deeper = merge_deeper(merger, indentation);
    bool braces = needs_braces(old) || needs_braces(new) || is_block(old) || is_block(new);
    const char *before =
        guarded(merger, opening(PATTERN_REMOVED_CODE), old_body(merger, old, deeper), indentation, braces);
    const char *after = new_body(merger, new, indentation), *text;
    const char *between = braces || merger->in_lines ? " " : arena_format(merger->arena, "\n%s", indentation);
    text = arena_format(merger->arena, "%s%s%s", before, between, guarded(merger, "else", after, indentation, braces));
    merge_edit(merger, first->begin, last->end, text);
    merger->adds_statements = true;
    merger->patterns[PATTERN_REMOVED_CODE]++;
    merger->patterns[PATTERN_ADDED_CODE]++;
    return true;
}

/* ---- a condition around what stood there without one ---- */

static double run_likeness(const struct merger *merger, const struct run *old, const struct run *new)
{
    if (!old->count || !new->count)
        return 0;
    return words_likeness(&merger->old, old->items[0]->first, old->items[old->count - 1]->last, &merger->new,
                          new->items[0]->first, new->items[new->count - 1]->last);
}

/* S becomes `if (C) S`: the condition is pn_change(1, C). */
static bool merge_new_guard(struct merger *merger, const struct run *old, struct node *guard)
{
    if (guard->kind != CXCursor_IfStmt || guard->is_macro || guard->count < 2 ||
        tree_has_directive(&merger->new, guard->children[0]))
        return false;
    for (size_t branch = 1; branch < guard->count; branch++) {
        struct list inner = tree_list(&merger->new, guard->children[branch]);
        struct run body = {inner.items, inner.count};
        if (run_likeness(merger, old, &body) < GUARDED_LIKENESS)
            continue;
        const struct node *condition = guard->children[0];
        const char *text = merge_new_text(merger, condition->begin, condition->end);
        merge_edit(merger, condition->begin, condition->end,
                   arena_format(merger->arena, "pn_change(%d, %s)", branch == 1, text));
        merger->patterns[PATTERN_ADDED_CONDITION]++;
        struct list before = {old->items, old->count, 0};
        bool outer = merger->adds_statements;
        merger->adds_statements = false;
        if (!merge_lists(merger, &before, &inner, inner.open ? inner.open : guard->children[branch]->begin))
            return false;
        bool added = merger->adds_statements;
        merger->adds_statements = outer;
        return !added || inner.open;
    }
    return false;
}

/* `if (C) S` becomes S: the new statements get the condition pn_change(C, 1). */
static bool merge_old_guard(struct merger *merger, struct node *guard, const struct run *new)
{
    if (guard->kind != CXCursor_IfStmt || guard->is_macro || guard->count < 2 ||
        tree_has_directive(&merger->old, guard))
        return false;
    for (size_t i = 0; i < new->count; i++)
        if (is_declaration(new->items[i]) || has_label(new->items[i]))
            return false;
    struct list inner = tree_list(&merger->old, guard->children[1]);
    struct run body = {inner.items, inner.count};
    if (run_likeness(merger, &body, new) < GUARDED_LIKENESS)
        return false;
    const struct node *condition = guard->children[0], *first = new->items[0], *last = new->items[new->count - 1];
    const char *indentation = merge_indentation(merger, first->begin);
    const char *head =
        arena_format(merger->arena, "if (pn_change(%s, 1))", merge_old_text(merger, condition->first, condition->last));
    size_t before = merger->edit_count;
    merger->patterns[PATTERN_REMOVED_CONDITION]++;
    struct list after = {new->items, new->count, 0};
    if (!merge_lists(merger, &inner, &after, first->begin))
        return false;
    merger->adds_statements = true;
    if (merger->edit_count == before && guard->count == 2) { /* nothing else differs */
        merge_edit(merger, first->begin, last->end,
                   guarded(merger, head, new_body(merger, new, indentation), indentation, needs_braces(new)));
        return true;
    }
    merge_edit(merger, first->begin, first->begin,
               arena_format(merger->arena, "%s {%s", head,
                            merger->in_lines ? " " : arena_format(merger->arena, "\n%s", indentation)));
    merger->edits[merger->edit_count - 1].order = 0; /* before what was put there */
    const char *tail = "}";
    if (guard->count == 3) {
        struct list other = tree_list(&merger->old, guard->children[2]);
        struct run removed = {other.items, other.count};
        tail = !removed.count ? "}"
                              : arena_format(merger->arena, "} else {%s%s%s}", merger->in_lines ? " " : "\n",
                                             old_body(merger, &removed, indentation), merger->in_lines ? " " : "\n");
    }
    merge_edit(merger, last->end, last->end,
               merger->in_lines ? arena_format(merger->arena, " %s", tail)
                                : arena_format(merger->arena, "\n%s%s", indentation, tail));
    return true;
}

/* ---- cases of a switch ---- */

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
    if (!run->count || !is_case(tree, run->items[0]) || !is_jump(run->items[run->count - 1]) ||
        (before && !is_jump(before)))
        return false;
    for (size_t i = 0; i < run->count; i++) {
        if (is_declaration(run->items[i]) || (run->items[i]->kind == NODE_LABEL && !is_case(tree, run->items[i])) ||
            tree_word_is(tree, run->items[i]->first, "default"))
            return false;
        if (i && is_case(tree, run->items[i]) && !is_case(tree, run->items[i - 1]) && !is_jump(run->items[i - 1]))
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
        if (is_case(&merger->new, run->items[i]) &&
            (i + 1 == run->count || !is_case(&merger->new, run->items[i + 1]))) {
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
        if (is_case(&merger->new, new->items[i]))
            return merge_indentation(merger, new->items[i]->begin);
    return gap_indentation(merger, gap);
}

static bool add_old_cases(struct merger *merger, const struct run *run, const struct list *old, const struct list *new,
                          const struct gap *gap)
{
    size_t label_at;
    if (old_has_default(merger, old) != new_has_default(merger, new) || old_has_directive(merger, run))
        return false;
    const char *way = way_out(merger, new, &label_at), *indentation = label_indentation(merger, new, gap);
    struct text text = {0};
    for (size_t i = 0; i < run->count; i++) {
        bool is_last_label =
            is_case(&merger->old, run->items[i]) && (i + 1 == run->count || !is_case(&merger->old, run->items[i + 1]));
        const char *deeper = is_case(&merger->old, run->items[i]) ? indentation : merge_deeper(merger, indentation);
        if (i)
            text_format(&text, merger->in_lines ? " " : "\n%s", deeper);
        text_add(&text, merge_old_lines(merger, run->items[i]->first, run->items[i]->last, deeper));
        if (is_last_label) {
            text_format(&text, " if (pn_execute(PN_NEW)) %s;", way);
            merger->patterns[PATTERN_REMOVED_CODE]++;
        }
    }
    put(merger, gap, arena_copy_string(merger->arena, text_string(&text)), indentation);
    text_free(&text);
    put_default_label(merger, label_at);
    return true;
}

/* ---- lists ---- */

static bool has_case(const struct tree *tree, const struct run *run)
{
    for (size_t i = 0; i < run->count; i++)
        if (is_case(tree, run->items[i]))
            return true;
    return false;
}

static bool merge_cases(struct merger *merger, const struct run *old, const struct run *new, const struct gap *gap,
                        const struct list *all_old, const struct list *all_new, const struct node *old_before)
{
    if (old->count && (!are_whole_cases(&merger->old, old, old_before) || (gap->before && !is_jump(gap->before)) ||
                       !add_old_cases(merger, old, all_old, all_new, gap)))
        return false;
    return !new->count ||
           (are_whole_cases(&merger->new, new, gap->before) && add_new_cases(merger, new, all_old, all_new));
}

/* What lies between two statements that both versions have. */
static bool merge_gap(struct merger *merger, const struct run *old, const struct run *new, const struct gap *gap)
{
    struct mark mark = merge_mark(merger);
    if (old->count && new->count == 1 && merge_new_guard(merger, old, new->items[0]))
        return true;
    merge_return_to(merger, &mark);
    if (old->count == 1 && new->count && merge_old_guard(merger, old->items[0], new))
        return true;
    merge_return_to(merger, &mark);
    if (old->count && new->count && replace(merger, old, new))
        return true;
    merge_return_to(merger, &mark);
    struct gap here = *gap;
    if (new->count)
        here.after = new->items[0];
    return (!old->count || keep_old(merger, old, &here)) && (!new->count || keep_new(merger, new));
}

bool merge_lists(struct merger *merger, const struct list *old, const struct list *new, size_t anchor)
{
    size_t *matches = lists_align(&merger->old, old, &merger->new, new);
    bool good = true;
    for (size_t i = 0, k = 0; good && (i < old->count || k < new->count);) {
        size_t next = i, until;
        while (next < old->count && matches[next] == UNMATCHED)
            next++;
        until = next < old->count ? matches[next] : new->count;
        struct run before = {old->items + i, next - i}, after = {new->items + k, until - k};
        struct gap gap = {k ? new->items[k - 1] : NULL, until < new->count ? new->items[until] : NULL, anchor};
        if (has_case(&merger->old, &before) || has_case(&merger->new, &after))
            good = merge_cases(merger, &before, &after, &gap, old, new, i ? old->items[i - 1] : NULL);
        else if (before.count || after.count)
            good = merge_gap(merger, &before, &after, &gap);
        if (good && next < old->count)
            good = merge_item(merger, old->items[next], new->items[until]);
        i = next < old->count ? next + 1 : next;
        k = next < old->count ? until + 1 : until;
    }
    free(matches);
    return good;
}

/* A branch or a loop's body. One that has no braces gets them when something is put beside its statement. */
static bool merge_slots(struct merger *merger, struct node *old, struct node *new)
{
    struct list before = tree_list(&merger->old, old), after = tree_list(&merger->new, new);
    bool outer = merger->adds_statements;
    merger->adds_statements = false;
    bool is_empty = !after.open && new->kind == CXCursor_NullStmt;
    if (is_empty)
        after.count = 0;
    bool good = merge_lists(merger, &before, &after, after.open ? after.open : new->begin);
    bool added = merger->adds_statements;
    merger->adds_statements = outer;
    if (good && added && !after.open) {
        merge_edit(merger, new->begin, new->begin, "{ ");
        merger->edits[merger->edit_count - 1].order = 0; /* before what was put there */
        merge_edit(merger, new->end, new->end, " }");
    }
    return good;
}

/* ---- statements of one kind ---- */

static struct place condition_place(void)
{
    return (struct place){AROUND_CONDITION, UNKNOWN};
}

static bool add_old_branch(struct merger *merger, struct node *branch, const struct node *new)
{
    struct list list = tree_list(&merger->old, branch);
    struct run run = {list.items, list.count};
    const char *indentation = merge_indentation(merger, new->begin), *text;
    const char *deeper = merge_deeper(merger, indentation);
    const struct node *then = new->children[1];
    if (!list.count)
        return true;
    if (then->kind != CXCursor_CompoundStmt && then->kind != NODE_EXPRESSION_STATEMENT && !is_jump(then))
        return false;
    if (!old_statements(merger, &run, deeper, &text))
        return false;
    merge_edit(merger, new->end, new->end,
               merger->in_lines ? arena_format(merger->arena, " else { %s }", text)
                                : arena_format(merger->arena, " else {\n%s%s\n%s}", deeper, text, indentation));
    return true;
}

static bool merge_branches(struct merger *merger, struct node *old, struct node *new)
{
    if (old->count == 3 && new->count == 3)
        return merge_slots(merger, old->children[2], new->children[2]);
    if (old->count == 3)
        return add_old_branch(merger, old->children[2], new);
    if (new->count != 3)
        return true;
    struct list added = tree_list(&merger->new, new->children[2]);
    struct run run = {added.items, added.count};
    merger->adds_statements = false;
    size_t before = merger->edit_count;
    if (!keep_new(merger, &run))
        return false;
    bool is_one = merger->edit_count == before + 1 && merger->edits[before].begin == new->children[2]->begin &&
                  merger->edits[before].end == new->children[2]->end; /* `else if (pn_execute(PN_NEW)) ...` */
    if (!added.open && merger->adds_statements && !is_one) {
        merge_edit(merger, new->children[2]->begin, new->children[2]->begin, "{ ");
        merger->edits[merger->edit_count - 1].order = 0;
        merge_edit(merger, new->children[2]->end, new->children[2]->end, " }");
    }
    return true;
}

/* Whether one of them is what the other has inside a condition. */
static bool merge_nested_guard(struct merger *merger, struct node *old, struct node *new)
{
    struct mark mark = merge_mark(merger);
    for (size_t i = 1; i < new->count; i++) {
        struct list inner = tree_list(&merger->new, new->children[i]);
        struct run run = {&old, 1};
        if (inner.count == 1 && inner.items[0]->kind == CXCursor_IfStmt &&
            merge_same(merger, old->children[0], inner.items[0]->children[0]) && merge_new_guard(merger, &run, new))
            return true;
        merge_return_to(merger, &mark);
    }
    struct list inner = tree_list(&merger->old, old->children[1]);
    struct run run = {&new, 1};
    if (inner.count == 1 && inner.items[0]->kind == CXCursor_IfStmt &&
        merge_same(merger, inner.items[0]->children[0], new->children[0]) && merge_old_guard(merger, old, &run))
        return true;
    merge_return_to(merger, &mark);
    return false;
}

static bool merge_if(struct merger *merger, struct node *old, struct node *new)
{
    if (old->count < 2 || new->count < 2)
        return false;
    bool outer = merger->adds_statements;
    if (!merge_same(merger, old->children[0], new->children[0]) && merge_nested_guard(merger, old, new))
        return true;
    if (!merge_expression(merger, old->children[0], new->children[0], condition_place()) ||
        !merge_slots(merger, old->children[1], new->children[1]))
        return false;
    bool good = merge_branches(merger, old, new);
    merger->adds_statements = outer;
    return good;
}

struct loop {
    struct node *start, *condition, *step, *body;
    size_t semicolons[2]; /* words */
};

static bool read_loop(const struct tree *tree, struct node *node, struct loop *loop)
{
    size_t found = 0, depth = 0, child = 0;
    *loop = (struct loop){.body = node->count ? node->children[node->count - 1] : NULL};
    if (!loop->body || !loop->body->is_statement)
        return false;
    for (size_t i = node->first; i < loop->body->first && found < 2; i++) {
        depth += tree_word_is(tree, i, "(") || tree_word_is(tree, i, "{");
        depth -= tree_word_is(tree, i, ")") || tree_word_is(tree, i, "}");
        if (depth == 1 && tree_word_is(tree, i, ";"))
            loop->semicolons[found++] = i;
    }
    if (found < 2)
        return false;
    for (; child + 1 < node->count; child++) {
        struct node *part = node->children[child];
        if (part->first <= loop->semicolons[0])
            loop->start = part;
        else if (part->first < loop->semicolons[1])
            loop->condition = part;
        else
            loop->step = part;
    }
    return true;
}

static bool merge_loop_condition(struct merger *merger, const struct loop *old, const struct loop *new)
{
    if (old->condition && new->condition)
        return merge_expression(merger, old->condition, new->condition, condition_place());
    if (!old->condition && !new->condition)
        return true;
    const struct token *at = &merger->new.version->tokens[merger->new.words[new->semicolons[1]].token];
    const char *before = old->condition ? merge_old_text(merger, old->condition->first, old->condition->last) : "1";
    const char *after = new->condition ? merge_new_text(merger, new->condition->begin, new->condition->end) : "1";
    merge_edit(merger, new->condition ? new->condition->begin : at->begin,
               new->condition ? new->condition->end : at->begin,
               arena_format(merger->arena, "%spn_change(%s, %s)", new->condition ? "" : " ", before, after));
    merger->patterns[PATTERN_CONDITION]++;
    return true;
}

static bool merge_loop_part(struct merger *merger, struct node *old, struct node *new)
{
    if (!old || !new)
        return old == new;
    if (merge_same(merger, old, new))
        return true;
    if (old->kind == CXCursor_DeclStmt || new->kind == CXCursor_DeclStmt)
        return old->kind == new->kind &&merge_declarations(merger, old, new);
    struct mark mark = merge_mark(merger);
    if (merge_expression(merger, old, new, (struct place){AROUND_NOTHING, UNKNOWN}))
        return true;
    merge_return_to(merger, &mark);
    return merge_expression(merger, old, new, (struct place){AROUND_VALUE, UNKNOWN});
}

static bool merge_for(struct merger *merger, struct node *old, struct node *new)
{
    struct loop before, after;
    bool is_written = tree_word_is(&merger->old, old->first, "for") && tree_word_is(&merger->new, new->first, "for");
    if (!is_written || !read_loop(&merger->old, old, &before) || !read_loop(&merger->new, new, &after))
        return false;
    bool outer = merger->adds_statements;
    bool good = merge_loop_part(merger, before.start, after.start) && merge_loop_condition(merger, &before, &after) &&
                merge_loop_part(merger, before.step, after.step) && merger->adds_statements == outer &&
                merge_slots(merger, before.body, after.body);
    return good;
}

/* Whether the words outside the children are the same. */
static bool have_same_words(const struct merger *merger, const struct node *old, const struct node *new)
{
    if (old->count != new->count || !old->count)
        return false;
    size_t i = old->first, k = new->first;
    for (size_t child = 0;; child++) {
        size_t old_end = child < old->count ? old->children[child]->first : old->last;
        size_t new_end = child < new->count ? new->children[child]->first : new->last;
        if (old_end - i != new_end - k)
            return false;
        for (; i < old_end; i++, k++)
            if (merger->old.words[i].id != merger->new.words[k].id)
                return false;
        if (child == old->count)
            return true;
        i = old->children[child]->last;
        k = new->children[child]->last;
    }
}

static bool merge_parts(struct merger *merger, struct node *old, struct node *new)
{
    if (!have_same_words(merger, old, new))
        return false;
    for (size_t i = 0; i < new->count; i++) {
        struct node *one = old->children[i], *other = new->children[i];
        bool is_switch = new->kind == CXCursor_SwitchStmt;
        struct place place = is_switch ? (struct place){AROUND_VALUE, UNKNOWN} : condition_place();
        bool good = other->is_statement ? merge_slots(merger, one, other) : merge_expression(merger, one, other, place);
        if (!good)
            return false;
    }
    return true;
}

static bool merge_return(struct merger *merger, struct node *old, struct node *new)
{
    CXType result = clang_getCursorResultType(merger->new.piece->cursor);
    return old->count == 1 && new->count == 1 &&
           merge_expression(merger, old->children[0], new->children[0], (struct place){AROUND_VALUE, result});
}

static bool merge_blocks(struct merger *merger, struct node *old, struct node *new)
{
    struct list before = tree_list(&merger->old, old), after = tree_list(&merger->new, new);
    return merge_lists(merger, &before, &after, after.open);
}

static bool merge_same_kind(struct merger *merger, struct node *old, struct node *new)
{
    switch (new->kind) {
    case CXCursor_CompoundStmt: return merge_blocks(merger, old, new);
    case CXCursor_IfStmt: return merge_if(merger, old, new);
    case CXCursor_ForStmt: return merge_for(merger, old, new) || merge_parts(merger, old, new);
    case CXCursor_WhileStmt:
    case CXCursor_DoStmt:
    case CXCursor_SwitchStmt: return merge_parts(merger, old, new);
    case CXCursor_ReturnStmt: return merge_return(merger, old, new);
    case CXCursor_DeclStmt: return merge_declarations(merger, old, new);
    case NODE_EXPRESSION_STATEMENT:
        return merge_expression(merger, old->children[0], new->children[0], (struct place){AROUND_NOTHING, UNKNOWN});
    default: return false;
    }
}

static bool merge_item(struct merger *merger, struct node *old, struct node *new)
{
    if (merge_same(merger, old, new))
        return true;
    struct mark mark = merge_mark(merger);
    if (merge_same_kind(merger, old, new))
        return true;
    merge_return_to(merger, &mark);
    struct run before = {&old, 1}, after = {&new, 1};
    return replace(merger, &before, &after);
}
