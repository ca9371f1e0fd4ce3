#include "source/uses.h"

#include <stdlib.h>
#include <string.h>

/* Where in a function a visit is. */
struct visit {
    struct uses *uses;
    enum use_side side;
    bool is_changing;      /* inside of what is assigned to */
    bool is_assignment;    /* the parts of one are visited: the first is assigned to */
    bool is_indexed;       /* of what is visited, an element is meant */
    bool is_branch;        /* the parts of an if are visited: */
    unsigned child;        /* how many of them were */
    enum use_side arms[2]; /* whose its arms are; USE_BOTH for both: it is an ordinary one */
};

static const char *key_of(struct arena *arena, CXCursor cursor)
{
    return source_string(arena, clang_getCursorUSR(cursor));
}

struct definition *uses_find(const struct uses *uses, const char *key)
{
    for (size_t i = 0; i < uses->count; i++)
        if (!strcmp(uses->list[i].key, key))
            return &uses->list[i];
    return NULL;
}

/* ---- one mention ---- */

static bool is_kept(CXCursor variable)
{
    CXType type = clang_getCanonicalType(clang_getCursorType(variable));
    while (type.kind == CXType_ConstantArray || type.kind == CXType_IncompleteArray)
        type = clang_getCanonicalType(clang_getArrayElementType(type));
    bool is_local = clang_getCursorLinkage(variable) == CXLinkage_NoLinkage &&
                    clang_Cursor_getStorageClass(variable) != CX_SC_Static;
    return !is_local && !clang_isConstQualifiedType(type);
}

static void add_use(struct visit *at, CXCursor used)
{
    struct uses *uses = at->uses;
    struct definition *definition = &uses->list[uses->count - 1];
    enum CXCursorKind kind = clang_getCursorKind(used);
    if (kind != CXCursor_FunctionDecl && kind != CXCursor_VarDecl)
        return;
    bool is_array = clang_getCanonicalType(clang_getCursorType(used)).kind == CXType_ConstantArray;
    definition->uses =
        array_reserve(definition->uses, &definition->capacity, definition->count + 1, sizeof *definition->uses);
    definition->uses[definition->count++] = (struct use){
        .key = key_of(uses->arena, used),
        .name = source_name(uses->arena, used),
        .side = at->side,
        .is_system = source_is_in_system_header(used),
        .is_kept = kind == CXCursor_VarDecl && is_kept(used),
        .is_shared = clang_getCursorLinkage(used) == CXLinkage_External,
        .is_changed = at->is_changing || (is_array && !at->is_indexed), /* handed to what may write into it */
    };
}

/* ---- whose code it is ---- */

/* Whose code an execute() guards; USE_BOTH where the cursor has none in it. */
struct guard {
    struct arena *arena;
    enum use_side side;
};

static enum CXChildVisitResult find_guard(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    struct guard *guard = data;
    if (clang_getCursorKind(cursor) != CXCursor_CallExpr ||
        strcmp(source_name(guard->arena, clang_getCursorReferenced(cursor)), "__pn_execute") != 0)
        return CXChildVisit_Recurse;
    CXEvalResult version = clang_Cursor_Evaluate(clang_Cursor_getArgument(cursor, 0));
    guard->side = version && clang_EvalResult_getAsInt(version) == 1 ? USE_OLD : USE_NEW;
    clang_EvalResult_dispose(version);
    return CXChildVisit_Break;
}

static enum use_side guarded_side(struct arena *arena, CXCursor condition)
{
    struct guard guard = {arena, USE_BOTH};
    find_guard(condition, condition, &guard);
    if (guard.side == USE_BOTH)
        clang_visitChildren(condition, find_guard, &guard);
    return guard.side;
}

/* The parts of an if, in order: the condition and the arms. */
static enum use_side side_of_part(struct visit *at, CXCursor part)
{
    unsigned child = at->child++;
    enum use_side guard = child ? USE_BOTH : guarded_side(at->uses->arena, part);
    if (guard != USE_BOTH) {
        at->uses->list[at->uses->count - 1].is_changed = true;
        at->arms[0] = guard;
        at->arms[1] = guard == USE_OLD ? USE_NEW : USE_OLD;
    }
    return at->side == USE_BOTH && (child == 1 || child == 2) ? at->arms[child - 1] : at->side;
}

/* ---- all of them ---- */

static bool is_assignment(CXCursor cursor)
{
    return clang_getCursorKind(cursor) == CXCursor_CompoundAssignOperator ||
           (clang_getCursorKind(cursor) == CXCursor_BinaryOperator &&
            clang_getCursorBinaryOperatorKind(cursor) == CXBinaryOperator_Assign);
}

static bool is_step_or_address(CXCursor cursor)
{
    if (clang_getCursorKind(cursor) != CXCursor_UnaryOperator)
        return false;
    enum CXUnaryOperatorKind kind = clang_getCursorUnaryOperatorKind(cursor);
    return kind == CXUnaryOperator_PostInc || kind == CXUnaryOperator_PostDec || kind == CXUnaryOperator_PreInc ||
           kind == CXUnaryOperator_PreDec || kind == CXUnaryOperator_AddrOf;
}

static enum CXChildVisitResult visit(CXCursor cursor, CXCursor parent, CXClientData data)
{
    struct visit *at = data;
    struct visit inner = {.uses = at->uses, .side = at->side, .is_changing = at->is_changing};
    if (at->is_branch)
        inner.side = side_of_part(at, cursor);
    if (at->is_assignment)
        inner.is_changing |= !at->child++;
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    bool is_part = at->is_indexed || clang_getCursorKind(parent) == CXCursor_ArraySubscriptExpr;
    inner.is_indexed = is_part && (kind == CXCursor_DeclRefExpr || kind == CXCursor_UnexposedExpr);
    if (kind == CXCursor_DeclRefExpr)
        add_use(&inner, clang_getCursorReferenced(cursor));
    inner.is_branch = clang_getCursorKind(cursor) == CXCursor_IfStmt;
    inner.is_assignment = is_assignment(cursor);
    inner.is_changing |= is_step_or_address(cursor);
    clang_visitChildren(cursor, visit, &inner);
    return CXChildVisit_Continue;
}

static enum CXChildVisitResult visit_definition(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    struct uses *uses = data;
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    if ((kind != CXCursor_FunctionDecl && kind != CXCursor_VarDecl) || !clang_isCursorDefinition(cursor) ||
        source_is_in_system_header(cursor))
        return CXChildVisit_Continue;
    uses->list = array_reserve(uses->list, &uses->capacity, uses->count + 1, sizeof *uses->list);
    uses->list[uses->count++] =
        (struct definition){.key = key_of(uses->arena, cursor), .is_variable = kind == CXCursor_VarDecl};
    clang_visitChildren(cursor, visit, &(struct visit){.uses = uses});
    return CXChildVisit_Continue;
}

static void reach(struct uses *uses, struct definition *definition)
{
    if (!definition || definition->is_reached)
        return;
    definition->is_reached = true;
    for (size_t i = 0; i < definition->count; i++)
        reach(uses, uses_find(uses, definition->uses[i].key));
}

void uses_read(struct uses *uses, struct arena *arena, const struct sources *sources, const char *entry_key)
{
    *uses = (struct uses){.arena = arena};
    for (size_t i = 0; i < sources->count; i++)
        clang_visitChildren(clang_getTranslationUnitCursor(sources->units[i]), visit_definition, uses);
    reach(uses, uses_find(uses, entry_key));
}

void uses_free(struct uses *uses)
{
    for (size_t i = 0; i < uses->count; i++)
        free(uses->list[i].uses);
    free(uses->list);
    *uses = (struct uses){0};
}

static bool is_changed_somewhere(const struct uses *uses, const char *key)
{
    for (size_t i = 0; i < uses->count; i++)
        for (size_t k = 0; k < uses->list[i].count; k++)
            if (uses->list[i].uses[k].is_changed && !strcmp(uses->list[i].uses[k].key, key))
                return true;
    return false;
}

void uses_list_state(const struct uses *uses, struct words *keys)
{
    for (size_t i = 0; i < uses->count; i++)
        for (size_t k = 0; uses->list[i].is_reached && k < uses->list[i].count; k++) {
            const struct use *use = &uses->list[i].uses[k];
            if (use->is_kept && !use->is_system && !words_have(keys, use->key) &&
                (use->is_shared || is_changed_somewhere(uses, use->key)))
                words_add(keys, use->key);
        }
}

bool uses_function(const struct uses *uses, const char *name)
{
    for (size_t i = 0; i < uses->count; i++)
        for (size_t k = 0; uses->list[i].is_reached && k < uses->list[i].count; k++)
            if (!strcmp(uses->list[i].uses[k].name, name))
                return true;
    return false;
}

bool uses_keep_state(const struct uses *uses)
{
    for (size_t i = 0; i < uses->count; i++)
        for (size_t k = 0; uses->list[i].is_reached && k < uses->list[i].count; k++) {
            const struct use *use = &uses->list[i].uses[k];
            if (use->is_kept && use->is_changed && !use->is_system)
                return true;
        }
    return false;
}
