/* Statements that one version has: under pn_change() where it is an assignment or a condition, else under pn_execute().
 */
#include "source/source.h"
#include "unify/statements.h"

#include <stdlib.h>
#include <string.h>

/* ---- what a statement is ---- */

bool statement_is_declaration(const struct node *node)
{
    return node->kind == CXCursor_DeclStmt;
}

bool statement_is_jump(const struct node *node)
{
    return node->kind == CXCursor_ReturnStmt || node->kind == CXCursor_BreakStmt ||
           node->kind == CXCursor_ContinueStmt || node->kind == CXCursor_GotoStmt;
}

bool statement_is_case(const struct tree *tree, const struct node *node)
{
    return node->kind == NODE_LABEL &&
           (tree_word_is(tree, node->first, "case") || tree_word_is(tree, node->first, "default"));
}

bool statement_has_label(const struct node *node)
{
    if (node->kind == NODE_LABEL || node->kind == CXCursor_LabelStmt)
        return true;
    for (size_t i = 0; i < node->count; i++)
        if (statement_has_label(node->children[i]))
            return true;
    return false;
}

static enum CXChildVisitResult find_case(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    if (kind == CXCursor_CaseStmt || kind == CXCursor_DefaultStmt)
        *(bool *)data = true;
    return *(bool *)data                 ? CXChildVisit_Break
           : kind == CXCursor_SwitchStmt ? CXChildVisit_Continue
                                         : CXChildVisit_Recurse;
}

/* A case of the switch around it inside a statement, such as what a macro makes: under pn_execute() it would be a case
 * of both versions. */
static bool has_inner_case(const struct run *run)
{
    bool found = false;
    for (size_t i = 0; i < run->count && !found; i++) {
        enum CXCursorKind kind = clang_getCursorKind(run->items[i]->cursor);
        if (run->items[i]->kind == NODE_LABEL || kind == CXCursor_SwitchStmt)
            continue;
        found = kind == CXCursor_CaseStmt || kind == CXCursor_DefaultStmt;
        clang_visitChildren(run->items[i]->cursor, find_case, &found);
    }
    return found;
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
    CXType type = clang_getCursorType(left->cursor);
    return left->kind == CXCursor_DeclRefExpr && !left->is_macro && source_is_scalar(type) &&
           !clang_isVolatileQualifiedType(type) && expression_is_harmless(assignment->children[1]);
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
bool run_needs_braces(const struct run *run)
{
    int kind = run->items[0]->kind;
    return run->count > 1 || kind == CXCursor_IfStmt || kind == CXCursor_ForStmt || kind == CXCursor_WhileStmt ||
           kind == NODE_OPAQUE || kind == CXCursor_DoStmt || kind == CXCursor_SwitchStmt;
}

/* `if (pn_execute(...)) body`, with the body's text from its first column on. */
const char *run_guarded(const struct merger *merger, const char *head, const char *body, const char *indentation,
                        bool braces)
{
    const char *deeper = merge_deeper(merger, indentation);
    if (merger->in_lines)
        return arena_format(merger->arena, braces ? "%s { %s }" : "%s %s", head, body);
    if (braces)
        return arena_format(merger->arena, "%s {\n%s%s\n%s}", head, deeper, body, indentation);
    return arena_format(merger->arena, "%s\n%s%s", head, deeper, body);
}

bool run_has_directive(const struct merger *merger, const struct run *run)
{
    struct node whole = {.first = run->items[0]->first, .last = run->items[run->count - 1]->last};
    return tree_has_directive(&merger->old, &whole);
}

const char *run_old_text(const struct merger *merger, const struct run *run, const char *indentation)
{
    return merge_old_lines(merger, run->items[0]->first, run->items[run->count - 1]->last, indentation);
}

/* The new statements, one step deeper. */
const char *run_new_text(const struct merger *merger, const struct run *run, const char *indentation)
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
    const char *body = is_old  ? run_old_text(merger, run, block ? indentation : merge_deeper(merger, indentation))
                        : block ? merge_new_text(merger, run->items[0]->begin, run->items[0]->end)
                               : run_new_text(merger, run, indentation);
    if (block)
        return arena_format(merger->arena, "%s %s", head, body);
    return run_guarded(merger, head, body, indentation, run_needs_braces(run));
}

/* How many of the items from here on are of the same kind of code, for one pn_execute(). */
static size_t plain_length(const struct tree *tree, const struct run *run, size_t from)
{
    size_t count = 0;
    for (; from + count < run->count; count++) {
        const struct node *item = run->items[from + count];
        if (statement_is_declaration(item) || item->kind == NODE_LABEL || is_plain_assignment(item) ||
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
        if (statement_is_declaration(item) || item->kind == NODE_LABEL)
            break;
        struct run one = {run->items + from + count, 1};
        has_plain |= plain_length(tree, &one, 0) == 1 && !statement_is_jump(item);
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
    return !statement_is_case(&merger->new, item);
}

/* One item that is no plain code. */
static bool keep_new_item(struct merger *merger, struct node *item)
{
    if (statement_is_declaration(item))
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

bool run_keep_new(struct merger *merger, const struct run *run)
{
    merger->adds_statements |= run->count > 1;
    if (has_inner_case(run))
        return false;
    for (size_t i = 0; i < run->count;) {
        struct run plain = {run->items + i, joined_length(&merger->new, run, i)};
        if (run->items[i]->kind == CXCursor_NullStmt) {
            i++;
            continue;
        }
        if (!plain.count) {
            merger->adds_statements |= statement_is_declaration(run->items[i]);
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
    if (statement_is_declaration(item))
        return declaration_keep_old(merger, item, text);
    if (is_plain_assignment(item))
        *text = old_assignment(merger, item);
    else if (item->kind == NODE_LABEL)
        *text = arena_format(merger->arena, "%s;", merge_old_text(merger, item->first, item->last));
    else
        *text = old_condition(merger, item, indentation);
    return item->kind != NODE_LABEL || !statement_is_case(&merger->old, item);
}

/* The text of old statements, each on lines of its own. False when they cannot be put into the new function. */
bool run_old_statements(struct merger *merger, const struct run *run, const char *indentation, const char **result)
{
    struct text text = {0};
    bool good = !run->count || (!run_has_directive(merger, run) && !has_inner_case(run));
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

void gap_put(struct merger *merger, const struct gap *gap, const char *text, const char *indentation)
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

const char *gap_indentation(const struct merger *merger, const struct gap *gap)
{
    const struct node *beside = gap->after ? gap->after : gap->before;
    if (beside)
        return merge_indentation(merger, beside->begin);
    return merge_deeper(merger, merge_indentation(merger, gap->anchor));
}

bool run_keep_old(struct merger *merger, const struct run *run, const struct gap *gap)
{
    const char *indentation = gap_indentation(merger, gap), *text;
    if (!run_old_statements(merger, run, indentation, &text))
        return false;
    gap_put(merger, gap, text, indentation);
    return true;
}

/* ---- code that another takes the place of ---- */

static bool can_be_doubled(const struct run *run)
{
    for (size_t i = 0; i < run->count; i++)
        if (statement_is_declaration(run->items[i]) || statement_has_label(run->items[i]))
            return false;
    return run->count > 0;
}

bool run_replace(struct merger *merger, const struct run *old, const struct run *new)
{
    const struct node *first = new->items[0], *last = new->items[new->count - 1];
    if (!can_be_doubled(old) || !can_be_doubled(new) || run_has_directive(merger, old) || has_inner_case(old) ||
        has_inner_case(new))
        return false;
    const char *indentation = merge_indentation(merger, first->begin), *deeper = merge_deeper(merger, indentation);
    bool braces = run_needs_braces(old) || run_needs_braces(new) || is_block(old) || is_block(new);
    const char *before =
        run_guarded(merger, opening(PATTERN_REMOVED_CODE), run_old_text(merger, old, deeper), indentation, braces);
    const char *after = run_new_text(merger, new, indentation), *text;
    const char *between = braces || merger->in_lines ? " " : arena_format(merger->arena, "\n%s", indentation);
    text =
        arena_format(merger->arena, "%s%s%s", before, between, run_guarded(merger, "else", after, indentation, braces));
    merge_edit(merger, first->begin, last->end, text);
    merger->adds_statements = true;
    merger->patterns[PATTERN_REMOVED_CODE]++;
    merger->patterns[PATTERN_ADDED_CODE]++;
    return true;
}
