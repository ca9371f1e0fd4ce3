#include "unify/tree.h"

#include <stdlib.h>
#include <string.h>

/* ---- words ---- */

static void read_words(struct tree *tree)
{
    const struct version *version = tree->version;
    const struct piece *piece = tree->piece;
    tree->words = arena_allocate(tree->arena, (piece->end_token - piece->first_token + 1) * sizeof *tree->words);
    for (size_t i = piece->first_token; i < piece->end_token; i++)
        if (token_counts(&version->tokens[i]))
            tree->words[tree->word_count++] = (struct word){.token = i};
}

/* The first word that begins at the offset or behind it. */
static size_t word_at(const struct tree *tree, size_t offset)
{
    size_t low = 0, high = tree->word_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (tree->version->tokens[tree->words[middle].token].begin < offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool tree_word_is(const struct tree *tree, size_t word, const char *text)
{
    return word < tree->word_count && token_is(tree->version, &tree->version->tokens[tree->words[word].token], text);
}

static void set_range(const struct tree *tree, struct node *node, size_t begin, size_t end)
{
    node->begin = begin;
    node->end = end;
    node->first = word_at(tree, begin);
    node->last = word_at(tree, end);
}

bool tree_has_directive(const struct tree *tree, const struct node *node)
{
    if (node->first >= node->last)
        return false;
    for (size_t i = tree->words[node->first].token; i < tree->words[node->last - 1].token; i++)
        if (tree->version->tokens[i].is_directive)
            return true;
    return false;
}

/* ---- nodes ---- */

struct cursors {
    CXCursor *list;
    size_t count, capacity;
};

static bool is_of_type(enum CXCursorKind kind)
{
    return kind == CXCursor_TypeRef || kind == CXCursor_LabelRef || kind == CXCursor_ParmDecl ||
           clang_isAttribute(kind);
}

static enum CXChildVisitResult add_cursor(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    struct cursors *cursors = data;
    if (is_of_type(clang_getCursorKind(cursor)))
        return CXChildVisit_Continue;
    cursors->list = array_reserve(cursors->list, &cursors->capacity, cursors->count + 1, sizeof *cursors->list);
    cursors->list[cursors->count++] = cursor;
    return CXChildVisit_Continue;
}

static void collect_children(CXCursor cursor, struct cursors *cursors)
{
    if (clang_getCursorKind(cursor) == CXCursor_VarDecl) { /* the others belong to the type */
        CXCursor initialiser = clang_Cursor_getVarDeclInitializer(cursor);
        if (!clang_Cursor_isNull(initialiser))
            add_cursor(initialiser, cursor, cursors);
        return;
    }
    clang_visitChildren(cursor, add_cursor, cursors);
}

/* The use of a macro that an offset lies in. */
static const struct span *expansion_at(const struct version *version, size_t offset)
{
    size_t low = 0, high = version->expansion_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (version->expansions[middle].end <= offset)
            low = middle + 1;
        else
            high = middle;
    }
    bool inside = low < version->expansion_count && version->expansions[low].begin <= offset;
    return inside ? &version->expansions[low] : NULL;
}

/* Ends that lie in the use of a macro are those of the use. */
static void find_range(const struct tree *tree, struct node *node)
{
    size_t begin, end;
    cursor_range(node->cursor, &begin, &end);
    const struct span *first = expansion_at(tree->version, begin);
    const struct span *last = end > begin ? expansion_at(tree->version, end - 1) : first;
    if (first)
        begin = first->begin;
    if (last)
        end = last->end;
    node->is_macro = first && last == first && begin == first->begin && end == first->end;
    set_range(tree, node, begin, end);
}

/* Which child of a statement is one itself, by its place; children of a block all are. */
static bool child_is_statement(int kind, size_t index, size_t count)
{
    switch (kind) {
    case CXCursor_CompoundStmt: return true;
    case CXCursor_IfStmt: return index >= 1;
    case CXCursor_ForStmt:
    case CXCursor_WhileStmt:
    case CXCursor_SwitchStmt:
    case CXCursor_CaseStmt:
    case CXCursor_DefaultStmt:
    case CXCursor_LabelStmt: return index + 1 == count;
    case CXCursor_DoStmt: return index == 0;
    default: return false;
    }
}

static bool ends_with_semicolon(int kind)
{
    return kind == NODE_EXPRESSION_STATEMENT || kind == NODE_OPAQUE || kind == CXCursor_ReturnStmt ||
           kind == CXCursor_BreakStmt || kind == CXCursor_ContinueStmt || kind == CXCursor_GotoStmt ||
           kind == CXCursor_IndirectGotoStmt || kind == CXCursor_DoStmt || kind == CXCursor_GCCAsmStmt;
}

static void include_semicolon(const struct tree *tree, struct node *node)
{
    if (ends_with_semicolon(node->kind) && tree_word_is(tree, node->last, ";"))
        set_range(tree, node, node->begin, tree->version->tokens[tree->words[node->last].token].end);
    const struct node *last = node->count ? node->children[node->count - 1] : NULL;
    if (last && last->end > node->end)
        set_range(tree, node, node->begin, last->end);
}

static struct node *read_node(const struct tree *tree, CXCursor cursor);

static struct node *as_statement(const struct tree *tree, struct node *node)
{
    if (node->is_macro)
        node->kind = NODE_OPAQUE;
    if (clang_isExpression((enum CXCursorKind)node->kind)) {
        struct node *statement = arena_allocate(tree->arena, sizeof *statement);
        *statement = *node;
        statement->kind = NODE_EXPRESSION_STATEMENT;
        statement->children = arena_allocate(tree->arena, sizeof *statement->children);
        statement->children[0] = node;
        statement->count = 1;
        node = statement;
    }
    node->is_statement = true;
    include_semicolon(tree, node);
    return node;
}

/* What a macro makes of several things at once, such as the head of a loop, is no child; false when the children
 * cannot be told apart. */
static bool keep_child(struct node *parent, struct node *child)
{
    struct node *before = parent->count ? parent->children[parent->count - 1] : NULL;
    if (child->first == child->last || child->begin < parent->begin)
        return false;
    if (before && child->begin < before->end) {
        if (before->is_macro && !before->is_statement && parent->kind != CXCursor_CallExpr)
            parent->count--; /* neither of the two */
        return clang_isStatement((enum CXCursorKind)parent->kind);
    }
    parent->children[parent->count++] = child;
    return true;
}

static void read_children(const struct tree *tree, struct node *node)
{
    struct cursors cursors = {0};
    collect_children(node->cursor, &cursors);
    node->children = arena_allocate(tree->arena, (cursors.count + 1) * sizeof *node->children);
    bool good = true;
    for (size_t i = 0; i < cursors.count && good; i++) {
        struct node *child = read_node(tree, cursors.list[i]);
        if (child_is_statement(node->kind, i, cursors.count))
            child = as_statement(tree, child);
        good = keep_child(node, child);
    }
    if (!good)
        node->count = 0;
    free(cursors.list);
}

/* Conversions that are not written have their operand's place: the operand stands for them. */
static struct node *read_node(const struct tree *tree, CXCursor cursor)
{
    struct node *node = arena_allocate(tree->arena, sizeof *node);
    node->kind = clang_getCursorKind(cursor);
    node->cursor = cursor;
    find_range(tree, node);
    if (!node->is_macro && node->kind != CXCursor_StmtExpr)
        read_children(tree, node);
    bool is_written = node->count != 1 || node->kind != CXCursor_UnexposedExpr ||
                      node->children[0]->begin != node->begin || node->children[0]->end != node->end;
    return is_written ? node : node->children[0];
}

static enum CXChildVisitResult find_body(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    if (clang_getCursorKind(cursor) == CXCursor_CompoundStmt)
        *(CXCursor *)data = cursor;
    return CXChildVisit_Continue;
}

bool tree_read(struct tree *tree, struct arena *arena, const struct version *version, const struct piece *piece)
{
    *tree = (struct tree){.arena = arena, .version = version, .piece = piece};
    CXCursor body = clang_getNullCursor();
    clang_visitChildren(piece->cursor, find_body, &body);
    if (clang_Cursor_isNull(body))
        return false;
    read_words(tree);
    tree->body = as_statement(tree, read_node(tree, body));
    return tree->body->kind == CXCursor_CompoundStmt && tree_word_is(tree, tree->body->first, "{") &&
           tree->body->last == tree->word_count;
}

/* ---- lists ---- */

static bool is_labelled(const struct node *node)
{
    return node->kind == CXCursor_CaseStmt || node->kind == CXCursor_DefaultStmt || node->kind == CXCursor_LabelStmt;
}

static struct node *label_of(const struct tree *tree, const struct node *labelled)
{
    struct node *label = arena_allocate(tree->arena, sizeof *label);
    size_t last = labelled->children[labelled->count - 1]->first;
    *label = (struct node){.kind = NODE_LABEL, .cursor = labelled->cursor, .is_statement = true};
    set_range(tree, label, labelled->begin, tree->version->tokens[tree->words[last - 1].token].end);
    return label;
}

static void add_item(const struct tree *tree, struct list *list, struct node *item, size_t *capacity)
{
    while (is_labelled(item) && item->count) {
        list->items = array_reserve(list->items, capacity, list->count + 1, sizeof *list->items);
        list->items[list->count++] = label_of(tree, item);
        item = item->children[item->count - 1];
    }
    list->items = array_reserve(list->items, capacity, list->count + 1, sizeof *list->items);
    list->items[list->count++] = item;
}

struct list tree_list(const struct tree *tree, struct node *slot)
{
    struct list list = {0};
    size_t capacity = 0;
    if (slot && slot->kind == CXCursor_CompoundStmt) {
        list.open = slot->begin + 1;
        for (size_t i = 0; i < slot->count; i++)
            add_item(tree, &list, slot->children[i], &capacity);
    } else if (slot) {
        add_item(tree, &list, slot, &capacity);
    }
    struct node **items = arena_allocate(tree->arena, (list.count + 1) * sizeof *items);
    if (list.count)
        memcpy(items, list.items, list.count * sizeof *items);
    free(list.items);
    list.items = items;
    return list;
}
