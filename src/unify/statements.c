/* Statements: lists are aligned, statements of one kind are merged part by part. Whatever cannot be merged in parts is
 * kept twice, one level further out each time that this is impossible, too. */
#include "unify/statements.h"

#include <stdlib.h>
#include <string.h>

static const CXType UNKNOWN = {.kind = CXType_Invalid};

/* Of what a condition guards, this much must be in common with what stood there without it. */
static const double GUARDED_LIKENESS = 0.6;

static bool merge_item(struct merger *merger, struct node *old, struct node *new);

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
        if (statement_is_declaration(new->items[i]) || statement_has_label(new->items[i]))
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
        merge_edit(
            merger, first->begin, last->end,
            run_guarded(merger, head, run_new_text(merger, new, indentation), indentation, run_needs_braces(new)));
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
        tail = !removed.count
                   ? "}"
                   : arena_format(merger->arena, "} else {%s%s%s}", merger->in_lines ? " " : "\n",
                                  run_old_text(merger, &removed, indentation), merger->in_lines ? " " : "\n");
    }
    merge_edit(merger, last->end, last->end,
               merger->in_lines ? arena_format(merger->arena, " %s", tail)
                                : arena_format(merger->arena, "\n%s%s", indentation, tail));
    return true;
}

/* ---- lists ---- */

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
    if (old->count && new->count && run_replace(merger, old, new))
        return true;
    merge_return_to(merger, &mark);
    struct gap here = *gap;
    if (new->count)
        here.after = new->items[0];
    return (!old->count || run_keep_old(merger, old, &here)) && (!new->count || run_keep_new(merger, new));
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
        if (run_has_case(&merger->old, &before) || run_has_case(&merger->new, &after))
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
    if (then->kind != CXCursor_CompoundStmt && then->kind != NODE_EXPRESSION_STATEMENT && !statement_is_jump(then))
        return false;
    if (!run_old_statements(merger, &run, deeper, &text))
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
    if (!run_keep_new(merger, &run))
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

static bool merge_parts(struct merger *merger, struct node *old, struct node *new)
{
    if (!old->count || !merge_same_words(merger, old, new))
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

static bool merge_loops(struct merger *merger, struct node *old, struct node *new)
{
    struct mark mark = merge_mark(merger);
    if (merge_for(merger, old, new))
        return true;
    merge_return_to(merger, &mark);
    return merge_parts(merger, old, new);
}

static bool merge_same_kind(struct merger *merger, struct node *old, struct node *new)
{
    switch (new->kind) {
    case CXCursor_CompoundStmt: return merge_blocks(merger, old, new);
    case CXCursor_IfStmt: return merge_if(merger, old, new);
    case CXCursor_ForStmt: return merge_loops(merger, old, new);
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
    return run_replace(merger, &before, &after);
}
