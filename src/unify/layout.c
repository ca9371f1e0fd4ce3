#include "unify/layout.h"

#include "source/source.h"

#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 16 }; /* structs inside structs */

static enum CXVisitorResult add_field(CXCursor cursor, CXClientData data)
{
    struct fields *fields = data;
    fields->list = array_reserve(fields->list, &fields->capacity, fields->count + 1, sizeof *fields->list);
    fields->list[fields->count++] = cursor;
    return CXVisit_Continue;
}

struct fields fields_of(CXType type)
{
    struct fields fields = {0};
    clang_Type_visitFields(clang_getCanonicalType(type), add_field, &fields);
    return fields;
}

static CXType without_arrays(CXType type)
{
    type = clang_getCanonicalType(type);
    while (type.kind == CXType_ConstantArray || type.kind == CXType_IncompleteArray ||
           type.kind == CXType_VariableArray)
        type = clang_getCanonicalType(clang_getArrayElementType(type));
    return type;
}

/* ---- the same places ---- */

static bool is_nameless(CXType type)
{
    return type.kind == CXType_Record && clang_Cursor_isAnonymous(clang_getTypeDeclaration(type));
}

static bool same_member(struct arena *arena, CXCursor one, CXCursor other)
{
    CXType left = clang_getCanonicalType(clang_getCursorType(one));
    CXType right = clang_getCanonicalType(clang_getCursorType(other));
    if (strcmp(source_name(arena, one), source_name(arena, other)) ||
        clang_Cursor_getOffsetOfField(one) != clang_Cursor_getOffsetOfField(other) ||
        clang_getFieldDeclBitWidth(one) != clang_getFieldDeclBitWidth(other) || left.kind != right.kind)
        return false;
    CXType inner = without_arrays(left), other_inner = without_arrays(right);
    if (is_nameless(inner) && is_nameless(other_inner))
        return clang_Type_getSizeOf(left) == clang_Type_getSizeOf(right) && layout_is_same(arena, inner, other_inner);
    return !strcmp(source_type(arena, left), source_type(arena, right));
}

bool layout_is_same(struct arena *arena, CXType one, CXType other)
{
    struct fields left = fields_of(one), right = fields_of(other);
    bool same =
        left.count == right.count && clang_Type_getSizeOf(one) == clang_Type_getSizeOf(other) &&
        clang_Type_getAlignOf(one) == clang_Type_getAlignOf(other) &&
        clang_getCursorKind(clang_getTypeDeclaration(one)) == clang_getCursorKind(clang_getTypeDeclaration(other));
    for (size_t i = 0; i < left.count && same; i++)
        same = same_member(arena, left.list[i], right.list[i]);
    free(left.list), free(right.list);
    return same;
}

/* ---- who could tell ---- */

struct search {
    struct arena *arena;
    CXCursor type; /* canonical */
    bool found;
};

/* Where in a tree the search is. */
struct place {
    struct search *search;
    CXCursor parent;
    bool in_allocation; /* an argument of malloc() or the like */
};

/* Whether it is the struct, or holds it by value. */
static bool involves(const struct search *search, CXType type, size_t depth)
{
    type = without_arrays(type);
    if (type.kind != CXType_Record)
        return false;
    if (clang_equalCursors(clang_getCanonicalCursor(clang_getTypeDeclaration(type)), search->type) || depth > DEEPEST)
        return true;
    struct fields fields = fields_of(type);
    bool found = false;
    for (size_t i = 0; i < fields.count && !found; i++)
        found = involves(search, clang_getCursorType(fields.list[i]), depth + 1);
    free(fields.list);
    return found;
}

/* What a pointer or an array leads to; of kind CXType_Invalid when it is neither. */
static CXType target_of(CXType type)
{
    type = clang_getCanonicalType(type);
    if (type.kind == CXType_Pointer)
        return without_arrays(clang_getPointeeType(type));
    if (type.kind == CXType_ConstantArray || type.kind == CXType_IncompleteArray || type.kind == CXType_VariableArray)
        return without_arrays(type);
    return (CXType){.kind = CXType_Invalid};
}

static bool leads_to_it(const struct search *search, CXType type)
{
    CXType target = target_of(type);
    return target.kind != CXType_Invalid && involves(search, target, 0);
}

static enum CXChildVisitResult take_expression(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    if (!clang_isExpression(clang_getCursorKind(cursor)))
        return CXChildVisit_Continue;
    *(CXCursor *)data = cursor;
    return CXChildVisit_Break;
}

static CXCursor first_expression(CXCursor cursor)
{
    CXCursor first = clang_getNullCursor();
    clang_visitChildren(cursor, take_expression, &first);
    return first;
}

static bool is_allocation(struct arena *arena, CXCursor cursor)
{
    static const char *const names[] = {"malloc", "calloc", "realloc", "reallocarray", "free"};
    const char *name = clang_getCursorKind(cursor) == CXCursor_CallExpr ? source_name(arena, cursor) : "";
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(name, names[i]))
            return true;
    return false;
}

/* What is inside parentheses and conversions. */
static CXCursor innermost(CXCursor cursor)
{
    for (;;) {
        enum CXCursorKind kind = clang_getCursorKind(cursor);
        CXCursor inner = kind == CXCursor_ParenExpr || kind == CXCursor_UnexposedExpr || kind == CXCursor_CStyleCastExpr
                             ? first_expression(cursor)
                             : clang_getNullCursor();
        if (clang_Cursor_isNull(inner))
            return cursor;
        cursor = inner;
    }
}

/* A pointer to the struct that becomes something else, or something else that becomes one. */
static bool converts(const struct place *place, CXCursor cursor)
{
    const struct search *search = place->search;
    CXCursor operand = first_expression(cursor), source = innermost(cursor);
    if (clang_Cursor_isNull(operand))
        return false;
    CXType from = clang_getCursorType(operand), to = clang_getCursorType(cursor);
    bool before = leads_to_it(search, from), after = leads_to_it(search, to);
    if (!before && !after)
        return false;
    if (before && after)
        return strcmp(type_without_const(search->arena, target_of(from)),
                      type_without_const(search->arena, target_of(to))) != 0;
    bool is_null = clang_getCursorKind(source) == CXCursor_IntegerLiteral;
    return !is_null && !place->in_allocation && !is_allocation(search->arena, source);
}

static enum CXChildVisitResult take_first(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    *(CXCursor *)data = cursor;
    return CXChildVisit_Break;
}

static bool is_designated(CXCursor element)
{
    CXCursor first = clang_getNullCursor();
    clang_visitChildren(element, take_first, &first);
    return clang_getCursorKind(first) == CXCursor_MemberRef;
}

struct elements {
    const struct search *search;
    bool is_array; /* of it */
    size_t count, positional;
    bool is_zero; /* the last one */
};

static enum CXChildVisitResult add_element(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    struct elements *elements = data;
    if (!clang_isExpression(clang_getCursorKind(cursor)))
        return CXChildVisit_Continue;
    bool is_whole = elements->is_array && involves(elements->search, clang_getCursorType(cursor), 0);
    elements->count++;
    elements->positional += !is_whole && !is_designated(cursor);
    elements->is_zero = clang_getCursorKind(innermost(cursor)) == CXCursor_IntegerLiteral;
    return CXChildVisit_Continue;
}

/* `{1, 2}`; but `{0}` says nothing of places. */
static bool is_positional(const struct search *search, CXCursor list)
{
    CXType type = clang_getCanonicalType(clang_getCursorType(list));
    struct elements elements = {.search = search, .is_array = type.kind != CXType_Record};
    if (!involves(search, type, 0))
        return false;
    clang_visitChildren(list, add_element, &elements);
    return elements.positional && !(elements.count == 1 && elements.is_zero);
}

static bool is_of_type_itself(const struct search *search, CXCursor cursor)
{
    CXType type = clang_getCursorType(cursor);
    return involves(search, type, 0) || leads_to_it(search, type);
}

static bool tells(const struct place *place, CXCursor cursor)
{
    const struct search *search = place->search;
    enum CXCursorKind kind = clang_getCursorKind(cursor), parent = clang_getCursorKind(place->parent);
    bool is_measure = parent == CXCursor_UnaryExpr || parent == CXCursor_UnexposedExpr ||
                      parent == CXCursor_GenericSelectionExpr; /* sizeof; offsetof, va_arg */
    if (kind == CXCursor_TypeRef)
        return is_measure && !place->in_allocation && is_of_type_itself(search, cursor);
    if (parent == CXCursor_UnaryExpr && clang_isExpression(kind) && !place->in_allocation &&
        involves(search, clang_getCursorType(cursor), 0))
        return true;
    if (kind == CXCursor_UnexposedExpr || kind == CXCursor_CStyleCastExpr)
        return converts(place, cursor);
    if (kind == CXCursor_InitListExpr)
        return is_positional(search, cursor);
    if (kind == CXCursor_GCCAsmStmt || kind == CXCursor_MSAsmStmt)
        return true;
    return kind == CXCursor_FieldDecl && parent == CXCursor_UnionDecl &&
           involves(search, clang_getCursorType(cursor), 0);
}

static enum CXChildVisitResult look_at(CXCursor cursor, CXCursor parent, CXClientData data)
{
    struct place *above = data;
    struct search *search = above->search;
    struct place here = {.search = search, .parent = parent, .in_allocation = above->in_allocation};
    if (clang_getCursorKind(parent) == CXCursor_CallExpr)
        here.in_allocation = is_allocation(search->arena, parent);
    search->found |= tells(&here, cursor);
    if (!search->found)
        clang_visitChildren(cursor, look_at, &here);
    return search->found ? CXChildVisit_Break : CXChildVisit_Continue;
}

static enum CXChildVisitResult look_at_declaration(CXCursor cursor, CXCursor parent, CXClientData data)
{
    return source_is_in_system_header(cursor) ? CXChildVisit_Continue : look_at(cursor, parent, data);
}

static enum CXChildVisitResult find_attribute(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    if (clang_isAttribute(clang_getCursorKind(cursor)))
        *(bool *)data = true;
    return *(bool *)data ? CXChildVisit_Break : CXChildVisit_Recurse;
}

bool layout_matters(const struct version *version, CXCursor type)
{
    bool has_attribute = false;
    clang_visitChildren(type, find_attribute, &has_attribute);
    struct search search = {.arena = version->arena, .type = clang_getCanonicalCursor(type)};
    struct place top = {.search = &search};
    if (!has_attribute)
        clang_visitChildren(clang_getTranslationUnitCursor(version->unit), look_at_declaration, &top);
    return has_attribute || search.found;
}
