#include "source/padding.h"

#include <string.h>

/* ---- whether it matters ---- */

struct search {
    struct arena *arena;
    bool found;
};

static CXType pointee_of(CXCursor expression)
{
    return clang_getCanonicalType(clang_getPointeeType(clang_getCanonicalType(clang_getCursorType(expression))));
}

static bool is_bytes(CXType type)
{
    return type.kind == CXType_Void || type.kind == CXType_UChar || type.kind == CXType_Char_U ||
           type.kind == CXType_Char_S || type.kind == CXType_SChar;
}

/* These look at none of the bytes. */
static bool is_blind(struct arena *arena, CXCursor call)
{
    static const char *const names[] = {"free", "realloc", "memset", "bzero"};
    const char *name = source_name(arena, clang_getCursorReferenced(call));
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(name, names[i]))
            return true;
    return false;
}

static enum CXChildVisitResult keep_last(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    *(CXCursor *)data = cursor;
    return CXChildVisit_Continue;
}

static enum CXChildVisitResult visit(CXCursor cursor, CXCursor parent, CXClientData data)
{
    struct search *search = data;
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    if ((kind == CXCursor_UnexposedExpr || kind == CXCursor_CStyleCastExpr) && is_bytes(pointee_of(cursor))) {
        CXCursor converted = clang_getNullCursor(); /* before it, a cast may mention its type */
        clang_visitChildren(cursor, keep_last, &converted);
        bool is_record = !clang_Cursor_isNull(converted) && pointee_of(converted).kind == CXType_Record;
        bool is_harmless = clang_getCursorKind(parent) == CXCursor_CallExpr && is_blind(search->arena, parent);
        search->found |= is_record && !is_harmless;
    }
    return search->found ? CXChildVisit_Break : CXChildVisit_Recurse;
}

static enum CXChildVisitResult visit_function(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    if (clang_getCursorKind(cursor) == CXCursor_FunctionDecl && clang_isCursorDefinition(cursor) &&
        !source_is_in_system_header(cursor))
        clang_visitChildren(cursor, visit, data);
    return CXChildVisit_Continue;
}

bool padding_is_seen(struct arena *arena, const struct sources *sources)
{
    struct search search = {.arena = arena};
    for (size_t i = 0; i < sources->count && !search.found; i++)
        clang_visitChildren(clang_getTranslationUnitCursor(sources->units[i]), visit_function, &search);
    return search.found;
}

/* ---- where it lies ---- */

struct gaps {
    struct maker *maker;
    const struct spot *spot;
    long long size;   /* of the structure */
    long long end;    /* of the members so far, in bits */
    const char *last; /* of them, by name */
    bool good;
};

/* Of two versions, the second has what the first has. */
static bool is_wanted(const struct program *program, const char *name)
{
    const struct program_request *request = program->request;
    if (request->named_like && !request->has_own_choices)
        return input_layout_find(request->named_like->layout, name);
    return program->sees_padding || (request->also && input_layout_find(request->also, name));
}

/* A structure that is passed by value goes without its padding: what is there then is nobody's choice. */
static bool make_gap(const struct gaps *gaps, long long first, long long end)
{
    struct maker *maker = gaps->maker;
    struct arena *arena = maker->program->arena;
    const struct spot *spot = gaps->spot;
    struct input_parameter piece = {
        .name =
            arena_format(arena, spot->through_pointer ? "padding(%s->%s)" : "padding(%s.%s)", spot->name, gaps->last),
        .type = arena_format(arena, "unsigned char [%lld]", end - first),
        .kind = INPUT_UNSIGNED,
        .element_size = 1,
        .element_count = (size_t)(end - first),
        .is_array = true,
    };
    if (!is_wanted(maker->program, piece.name) || make_stays_zero(maker, piece.name))
        return true;
    if (!spot->depth) {
        text_format(&maker->program->notes, "%s: what is passed by value has no padding that is kept\n", piece.name);
        return true;
    }
    if (!make_piece(maker, spot, &piece))
        return false;
    make_symbolic(maker, &piece, arena_format(arena, "((unsigned char *)&%s + %lld)", spot->expression, first));
    return true;
}

static bool fill_up_to(struct gaps *gaps, long long bit)
{
    long long first = (gaps->end + 7) / 8, end = bit / 8;
    return first >= end || !gaps->last || make_gap(gaps, first, end);
}

static enum CXVisitorResult visit_field(CXCursor field, CXClientData data)
{
    struct gaps *gaps = data;
    long long offset = clang_Cursor_getOffsetOfField(field);
    long long size = clang_Cursor_isBitField(field) ? clang_getFieldDeclBitWidth(field)
                                                    : clang_Type_getSizeOf(clang_getCursorType(field)) * 8;
    struct arena *arena = gaps->maker->program->arena;
    const char *name = source_name(arena, field);
    bool is_width_only = clang_Cursor_isBitField(field) && !*name;
    gaps->good = fill_up_to(gaps, offset);
    if (is_width_only)
        return CXVisit_Continue;
    gaps->end = size > 0 ? offset + size : gaps->size * 8; /* a flexible array takes the rest */
    gaps->last = *name && !strchr(name, ' ') ? name : arena_format(arena, "[%lld]", offset / 8);
    return gaps->good ? CXVisit_Continue : CXVisit_Break;
}

bool make_padding(struct maker *maker, const struct spot *spot, CXType record)
{
    struct gaps gaps = {.maker = maker, .spot = spot, .size = clang_Type_getSizeOf(record), .good = true};
    bool is_variable = maker->root->is_global && !spot->depth; /* which begins with zeros */
    if (spot->is_anonymous || is_variable || maker->program->request->sorts_members)
        return true;
    clang_Type_visitFields(record, visit_field, &gaps);
    return gaps.good && fill_up_to(&gaps, gaps.size * 8);
}
