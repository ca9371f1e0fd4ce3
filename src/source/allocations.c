#include "source/allocations.h"

#include <stdlib.h>
#include <string.h>

/* ---- functions that allocate ---- */

#define SIZE "unsigned long"

/* What the harness has in their place: it fails, or calls the function itself. */
static const struct allocator {
    const char *name;
    const char *parameters, *arguments;
    const char *result;
} allocators[] = {
    {"malloc", SIZE " size", "size", "void *"},
    {"calloc", SIZE " count, " SIZE " size", "count, size", "void *"},
    {"realloc", "void *block, " SIZE " size", "block, size", "void *"},
    {"strdup", "const char *text", "text", "char *"},
    {"strndup", "const char *text, " SIZE " size", "text, size", "char *"},
};

enum { ALLOCATORS = sizeof allocators / sizeof *allocators };

static int allocator_of(struct arena *arena, CXCursor function)
{
    if (clang_getCursorKind(function) != CXCursor_FunctionDecl || !source_is_in_system_header(function))
        return -1;
    const char *name = source_name(arena, function);
    for (int i = 0; i < ALLOCATORS; i++)
        if (!strcmp(allocators[i].name, name))
            return i;
    return -1;
}

/* ---- what uses what ---- */

enum side { BOTH, OLD, NEW };

struct use {
    const char *key; /* of a function or a variable; NULL: an allocator */
    enum side side;
};

/* A function, or a variable with what its initial value uses. */
struct node {
    const char *key;
    struct use *uses;
    size_t count, capacity;
    bool is_changed;  /* has code that only one version has */
    bool is_entered;  /* its weight is being found out: it calls itself */
    bool is_reached;  /* from the entry */
    unsigned *weight; /* calls of allocators in its text and in that of what it uses; NULL: not known yet */
};

struct graph {
    struct program *program;
    struct node *nodes;
    size_t count, capacity;
};

/* Where in a function a visit is. */
struct visit {
    struct graph *graph;
    enum side side;
    bool is_branch;    /* the parts of an if are visited: */
    unsigned child;    /* how many of them were */
    enum side arms[2]; /* whose its arms are; BOTH for both: it is an ordinary one */
};

static const char *key_of(struct arena *arena, CXCursor cursor)
{
    return source_string(arena, clang_getCursorUSR(cursor));
}

static struct node *find(const struct graph *graph, const char *key)
{
    for (size_t i = 0; i < graph->count; i++)
        if (!strcmp(graph->nodes[i].key, key))
            return &graph->nodes[i];
    return NULL;
}

static void add_use(struct graph *graph, CXCursor used, enum side side)
{
    struct node *node = &graph->nodes[graph->count - 1];
    enum CXCursorKind kind = clang_getCursorKind(used);
    if (kind != CXCursor_FunctionDecl && kind != CXCursor_VarDecl)
        return;
    int allocator = allocator_of(graph->program->arena, used);
    if (allocator >= 0)
        graph->program->used_allocators |= 1u << allocator;
    node->uses = array_reserve(node->uses, &node->capacity, node->count + 1, sizeof *node->uses);
    node->uses[node->count++] =
        (struct use){.key = allocator >= 0 ? NULL : key_of(graph->program->arena, used), .side = side};
}

/* Whose code an execute() guards; BOTH where the cursor has none in it. */
struct guard {
    struct arena *arena;
    enum side side;
};

static enum CXChildVisitResult find_guard(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    struct guard *guard = data;
    if (clang_getCursorKind(cursor) != CXCursor_CallExpr ||
        strcmp(source_name(guard->arena, clang_getCursorReferenced(cursor)), "__pn_execute") != 0)
        return CXChildVisit_Recurse;
    CXEvalResult version = clang_Cursor_Evaluate(clang_Cursor_getArgument(cursor, 0));
    guard->side = version && clang_EvalResult_getAsInt(version) == 1 ? OLD : NEW;
    clang_EvalResult_dispose(version);
    return CXChildVisit_Break;
}

static enum side guarded_side(struct arena *arena, CXCursor condition)
{
    struct guard guard = {arena, BOTH};
    find_guard(condition, condition, &guard);
    if (guard.side == BOTH)
        clang_visitChildren(condition, find_guard, &guard);
    return guard.side;
}

static enum side other(enum side side)
{
    return side == BOTH ? BOTH : side == OLD ? NEW : OLD;
}

static enum CXChildVisitResult visit(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    struct visit *at = data, inner = {.graph = at->graph, .side = at->side};
    struct node *node = &at->graph->nodes[at->graph->count - 1];
    if (at->is_branch) {
        unsigned child = at->child++;
        enum side guard = child ? BOTH : guarded_side(at->graph->program->arena, cursor);
        if (guard != BOTH)
            node->is_changed = true, at->arms[0] = guard, at->arms[1] = other(guard);
        if (child == 1 || child == 2)
            inner.side = at->side != BOTH ? at->side : at->arms[child - 1];
    }
    if (clang_getCursorKind(cursor) == CXCursor_DeclRefExpr)
        add_use(at->graph, clang_getCursorReferenced(cursor), inner.side);
    inner.is_branch = clang_getCursorKind(cursor) == CXCursor_IfStmt;
    clang_visitChildren(cursor, visit, &inner);
    return CXChildVisit_Continue;
}

static enum CXChildVisitResult visit_definition(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    struct graph *graph = data;
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    if ((kind != CXCursor_FunctionDecl && kind != CXCursor_VarDecl) || !clang_isCursorDefinition(cursor) ||
        source_is_in_system_header(cursor))
        return CXChildVisit_Continue;
    graph->nodes = array_reserve(graph->nodes, &graph->capacity, graph->count + 1, sizeof *graph->nodes);
    graph->nodes[graph->count++] = (struct node){.key = key_of(graph->program->arena, cursor)};
    clang_visitChildren(cursor, visit, &(struct visit){.graph = graph});
    return CXChildVisit_Continue;
}

static void free_graph(struct graph *graph)
{
    for (size_t i = 0; i < graph->count; i++)
        free(graph->nodes[i].uses);
    free(graph->nodes);
}

/* ---- whether a change can tell ---- */

enum { MOST = 1000 };

static unsigned weigh_use(struct graph *graph, const struct use *use);

/* How often the text allocates; a function that calls itself counts once. */
static unsigned weigh(struct graph *graph, struct node *node)
{
    unsigned weight = 0;
    if (node->is_entered)
        return 0;
    if (node->weight)
        return *node->weight;
    node->is_entered = true;
    for (size_t i = 0; i < node->count && weight < MOST; i++)
        weight += weigh_use(graph, &node->uses[i]);
    node->is_entered = false;
    node->weight = arena_allocate(graph->program->arena, sizeof *node->weight);
    return *node->weight = weight < MOST ? weight : MOST;
}

static unsigned weigh_use(struct graph *graph, const struct use *use)
{
    if (!use->key)
        return 1;
    struct node *node = find(graph, use->key);
    return node ? weigh(graph, node) : 0;
}

static void reach(struct graph *graph, struct node *node)
{
    if (!node || node->is_reached)
        return;
    node->is_reached = true;
    for (size_t i = 0; i < node->count; i++)
        if (node->uses[i].key)
            reach(graph, find(graph, node->uses[i].key));
}

/* A changed function allocates, and both versions do so equally often. */
static bool can_tell(struct graph *graph)
{
    bool allocates = false;
    for (size_t i = 0; i < graph->count; i++) {
        struct node *node = &graph->nodes[i];
        unsigned weights[] = {0, 0, 0};
        if (!node->is_reached || !node->is_changed)
            continue;
        for (size_t k = 0; k < node->count; k++)
            weights[node->uses[k].side] += weigh_use(graph, &node->uses[k]);
        if (weights[OLD] != weights[NEW])
            return false;
        allocates |= weights[BOTH] || weights[OLD];
    }
    return allocates;
}

/* ---- the input ---- */

static bool is_wanted(struct program *program, struct graph *graph)
{
    const struct program_request *request = program->request;
    if (request->named_like && !request->has_own_choices)
        return input_layout_fails_allocations(request->named_like->layout);
    if (request->also && input_layout_fails_allocations(request->also))
        return true;
    if (request->allocations == ALLOCATIONS_SUCCEED || !program->used_allocators)
        return false;
    if (request->allocations == ALLOCATIONS_FAIL)
        return true;
    for (size_t i = 0; i < graph->count; i++)
        if (!strcmp(graph->nodes[i].key, program->entry_key))
            reach(graph, &graph->nodes[i]);
    return can_tell(graph);
}

bool allocations_read(struct program *program, const struct sources *sources, struct error *error)
{
    struct graph graph = {.program = program};
    for (size_t i = 0; i < sources->count; i++)
        clang_visitChildren(clang_getTranslationUnitCursor(sources->units[i]), visit_definition, &graph);
    program->fails_allocations = is_wanted(program, &graph);
    free_graph(&graph);
    if (!program->fails_allocations)
        return true;
    struct input_parameter piece = {.name = "failing_allocation",
                                    .type = "unsigned char",
                                    .kind = INPUT_UNSIGNED,
                                    .element_size = 1,
                                    .element_count = 1,
                                    .is_allocation = true};
    if (input_layout_find(program->layout, piece.name))
        return error_set(error,
                         "'%s' is the input that says which allocation fails: a parameter of that name needs "
                         "--no-alloc-fail",
                         piece.name);
    input_layout_add(program->layout, &piece);
    return true;
}

/* ---- the harness ---- */

void allocations_declare(const struct program *program, struct text *code)
{
    for (size_t i = 0; i < ALLOCATORS && program->fails_allocations; i++)
        if (program->used_allocators & 1u << i)
            text_format(code, "%s%s(%s) __asm__(\"pn_failing_%s\");\n", allocators[i].result, allocators[i].name,
                        allocators[i].parameters, allocators[i].name);
}

void allocations_define(const struct program *program, struct text *code)
{
    if (!program->fails_allocations)
        return;
    text_add(code, "static unsigned char __pn_failing_allocation, __pn_allocations;\n"
                   "int *__errno_location(void);\n"
                   "static int pn_allocation_fails(void)\n"
                   "{\n"
                   "    if (__pn_allocations == 255 || ++__pn_allocations != __pn_failing_allocation)\n"
                   "        return 0;\n"
                   "    *__errno_location() = 12;\n"
                   "    return 1;\n"
                   "}\n");
    for (size_t i = 0; i < ALLOCATORS; i++)
        if (program->used_allocators & 1u << i)
            text_format(code,
                        "%spn_failing_%s(%s)\n{\n    return pn_allocation_fails() ? (%s)0 : __builtin_%s(%s);\n}\n",
                        allocators[i].result, allocators[i].name, allocators[i].parameters, allocators[i].result,
                        allocators[i].name, allocators[i].arguments);
}
