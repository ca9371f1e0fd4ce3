#include "source/casts.h"

#include <string.h>

struct search {
    struct arena *arena;
    CXCursor parameter;
    CXType found;
    bool is_ambiguous;
    const char *wanted; /* the spelling of a type */
};

/* A cast has the type that it names before its operand. */
static enum CXChildVisitResult take_last(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    *(CXCursor *)data = cursor;
    return CXChildVisit_Continue;
}

static bool is_cast_of(CXCursor cursor, CXCursor parameter)
{
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    CXCursor inner = clang_getNullCursor();
    if (kind == CXCursor_CStyleCastExpr)
        clang_visitChildren(cursor, take_last, &inner);
    else if (kind == CXCursor_UnexposedExpr)
        inner = cursor;
    if (clang_Cursor_isNull(inner))
        return false;
    inner = source_bare(inner);
    return clang_getCursorKind(inner) == CXCursor_DeclRefExpr &&
           clang_equalCursors(clang_getCursorReferenced(inner), parameter);
}

/* Characters say no more than bytes do. */
static bool says_something(CXType pointee)
{
    CXType type = clang_getCanonicalType(pointee);
    bool is_character = type.kind == CXType_Char_S || type.kind == CXType_Char_U || type.kind == CXType_SChar ||
                        type.kind == CXType_UChar;
    return type.kind != CXType_Invalid && type.kind != CXType_Void && !is_character && clang_Type_getSizeOf(type) > 0;
}

static enum CXChildVisitResult visit_cast(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    struct search *search = data;
    CXType pointee = clang_getPointeeType(clang_getCanonicalType(clang_getCursorType(cursor)));
    if (!is_cast_of(cursor, search->parameter) || !says_something(pointee))
        return CXChildVisit_Recurse;
    pointee = clang_getUnqualifiedType(pointee);
    search->is_ambiguous |= search->found.kind != CXType_Invalid && !clang_equalTypes(search->found, pointee);
    search->found = pointee;
    return CXChildVisit_Recurse;
}

static enum CXChildVisitResult visit_type(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    struct search *search = data;
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    if (kind != CXCursor_StructDecl && kind != CXCursor_UnionDecl && kind != CXCursor_TypedefDecl)
        return CXChildVisit_Continue;
    CXType type = clang_getCanonicalType(clang_getCursorType(cursor));
    if (strcmp(source_type(search->arena, type), search->wanted) != 0 || clang_Type_getSizeOf(type) <= 0)
        return CXChildVisit_Continue;
    search->found = type;
    return CXChildVisit_Break;
}

/* A number of C itself has no declaration: whatever is of that type, or leads to it, shows it. */
static enum CXChildVisitResult visit_number(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    struct search *search = data;
    CXType type = clang_getCanonicalType(clang_getCursorType(cursor));
    if (type.kind == CXType_Invalid)
        return CXChildVisit_Recurse;
    const CXType types[] = {type, clang_getPointeeType(type), clang_getResultType(type),
                            clang_getArrayElementType(type)};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (types[i].kind == CXType_Invalid)
            continue;
        CXType one = clang_getUnqualifiedType(clang_getCanonicalType(types[i]));
        if (strcmp(source_type(search->arena, one), search->wanted) != 0)
            continue;
        search->found = one;
        return CXChildVisit_Break;
    }
    return CXChildVisit_Recurse;
}

/* What the other version takes it for; NULL: nothing but bytes. */
static const char *known_cast(const struct program *like, const char *name)
{
    for (size_t i = 0; i < like->parameter_count; i++)
        if (!strcmp(like->parameters[i].name, name))
            return like->parameters[i].cast;
    return NULL;
}

static CXType find(struct maker *maker)
{
    const struct program_request *request = maker->program->request;
    struct search search = {.arena = maker->program->arena, .parameter = maker->root->declaration};
    CXCursor function = clang_getCursorSemanticParent(search.parameter);
    const char *known = NULL;
    if (request->named_like && !request->has_own_choices &&
        !(known = known_cast(request->named_like, maker->root->name)))
        return search.found;
    clang_visitChildren(function, visit_cast, &search);
    if (search.is_ambiguous)
        search.found.kind = CXType_Invalid;
    search.wanted = known;
    if (known && (search.found.kind == CXType_Invalid || strcmp(source_type(search.arena, search.found), known))) {
        search.found.kind = CXType_Invalid;
        CXCursor unit = clang_getTranslationUnitCursor(clang_Cursor_getTranslationUnit(function));
        clang_visitChildren(unit, visit_type, &search);
        if (search.found.kind == CXType_Invalid)
            clang_visitChildren(unit, visit_number, &search);
    }
    return search.found;
}

CXType cast_pointee(struct maker *maker, const struct spot *spot, CXType pointee)
{
    bool is_parameter = !maker->root->is_global && !spot->depth && spot->name == maker->root->name;
    if (!is_parameter || clang_getCanonicalType(pointee).kind != CXType_Void)
        return pointee;
    CXType found = find(maker);
    if (found.kind == CXType_Invalid)
        return pointee;
    const char *spelling = source_type(maker->program->arena, found);
    for (size_t i = 0; i < maker->program->parameter_count; i++)
        if (!strcmp(maker->program->parameters[i].name, maker->root->name))
            maker->program->parameters[i].cast = spelling;
    text_format(&maker->program->notes, "%s: taken for a pointer to '%s', which the code makes of it\n", spot->name,
                spelling);
    return found;
}
