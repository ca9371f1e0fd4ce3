/* Types that differ. An enumeration keeps the new version's constants, and the old values of those that changed get
 * names of their own. A struct whose members are only more or fewer holds the members of both versions. Any other type
 * is two types, and whatever mentions it is kept twice. */
#include "unify/treat.h"

#include "source/source.h"

#include <stdlib.h>
#include <string.h>

/* ---- what is defined ---- */

static bool defines_type(enum CXCursorKind kind)
{
    return kind == CXCursor_StructDecl || kind == CXCursor_UnionDecl || kind == CXCursor_EnumDecl;
}

CXCursor piece_defined_type(const struct piece *piece)
{
    for (size_t i = 0; i < piece->name_count; i++)
        if (defines_type(clang_getCursorKind(piece->cursors[i])) && clang_isCursorDefinition(piece->cursors[i]))
            return piece->cursors[i];
    return clang_getNullCursor();
}

const char *declaration_text(struct arena *arena, CXType type, const char *name)
{
    const char *spelling = source_type(arena, type), *bracket = strchr(spelling, '['), *star = strstr(spelling, "(*");
    if (strchr(spelling, '{') || strstr(spelling, "unnamed") || strstr(spelling, "anonymous"))
        return NULL;
    if (star)
        return arena_format(arena, "%.*s%s%s", (int)(star + 2 - spelling), spelling, name, star + 2);
    if (strchr(spelling, '('))
        return NULL;
    size_t length = bracket ? (size_t)(bracket - spelling) : strlen(spelling);
    return arena_format(arena, "%.*s %s%s", (int)length, spelling, name, bracket ? bracket : "");
}

/* ---- enumerations ---- */

struct constant {
    const char *name;
    long long value;
};

struct constants {
    struct arena *arena;
    struct constant *list;
    size_t count, capacity;
};

static enum CXChildVisitResult add_constant(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    struct constants *constants = data;
    if (clang_getCursorKind(cursor) != CXCursor_EnumConstantDecl)
        return CXChildVisit_Continue;
    constants->list =
        array_reserve(constants->list, &constants->capacity, constants->count + 1, sizeof *constants->list);
    constants->list[constants->count++] =
        (struct constant){source_name(constants->arena, cursor), clang_getEnumConstantDeclValue(cursor)};
    return CXChildVisit_Continue;
}

static const struct constant *find_constant(const struct constants *constants, const char *name)
{
    for (size_t i = 0; i < constants->count; i++)
        if (!strcmp(constants->list[i].name, name))
            return &constants->list[i];
    return NULL;
}

/* The old constants that the new enumeration does not have with their values, as an enumeration of their own. */
static void renumber(struct comparison *comparison, struct piece *old, struct piece *new, CXCursor one, CXCursor other)
{
    struct constants before = {.arena = comparison->arena}, after = {.arena = comparison->arena};
    struct text text = {0};
    clang_visitChildren(one, add_constant, &before);
    clang_visitChildren(other, add_constant, &after);
    for (size_t i = 0; i < before.count; i++) {
        const struct constant *constant = &before.list[i], *same = find_constant(&after, constant->name);
        if (same && same->value == constant->value)
            continue;
        text_format(&text, "%s%s%s = %lld", text.length ? ", " : "", constant->name, same ? "__old" : "",
                    constant->value);
        if (same) {
            treat_add_name(&comparison->split, constant->name);
            treat_add_name(&comparison->differing, constant->name);
        }
    }
    if (text.length) {
        old->treatment = new->treatment = RENUMBERED;
        new->merged = arena_format(comparison->arena, "enum { %s };", text_string(&text));
    }
    text_free(&text);
    free(before.list), free(after.list);
}

/* ---- structs ---- */

struct fields {
    CXCursor *list;
    size_t count, capacity;
};

static enum CXVisitorResult add_field(CXCursor cursor, CXClientData data)
{
    struct fields *fields = data;
    fields->list = array_reserve(fields->list, &fields->capacity, fields->count + 1, sizeof *fields->list);
    fields->list[fields->count++] = cursor;
    return CXVisit_Continue;
}

static struct fields fields_of(CXCursor type)
{
    struct fields fields = {0};
    clang_Type_visitFields(clang_getCursorType(type), add_field, &fields);
    return fields;
}

static long find_field(struct arena *arena, const struct fields *fields, const char *name)
{
    for (size_t i = 0; i < fields->count; i++)
        if (!strcmp(source_name(arena, fields->list[i]), name))
            return (long)i;
    return -1;
}

static bool same_field(struct arena *arena, CXCursor one, CXCursor other)
{
    return !strcmp(source_type(arena, clang_getCanonicalType(clang_getCursorType(one))),
                   source_type(arena, clang_getCanonicalType(clang_getCursorType(other)))) &&
           clang_getFieldDeclBitWidth(one) == clang_getFieldDeclBitWidth(other);
}

static const char *field_text(struct arena *arena, CXCursor field)
{
    const char *text = declaration_text(arena, clang_getCursorType(field), source_name(arena, field));
    if (text && clang_Cursor_isBitField(field))
        return arena_format(arena, "%s : %d", text, clang_getFieldDeclBitWidth(field));
    return text;
}

/* The new definition with the old version's own members at its end; false when one struct cannot be both. */
static bool widen(struct comparison *comparison, struct piece *old, struct piece *new, CXCursor one, CXCursor other)
{
    struct arena *arena = comparison->arena;
    struct fields before = fields_of(one), after = fields_of(other);
    struct text added = {0};
    bool good = true, same_layout = before.count == after.count;
    for (size_t i = 0; i < before.count && good; i++) {
        const char *name = source_name(arena, before.list[i]);
        long place = find_field(arena, &after, name);
        same_layout &= place == (long)i;
        if (place >= 0) {
            good = *name && same_field(arena, before.list[i], after.list[place]);
            continue;
        }
        const char *text = field_text(arena, before.list[i]);
        good = *name && text != NULL;
        if (good)
            text_format(&added, "    %s;\n", text);
    }
    if (good && !same_layout) {
        size_t begin, end;
        const char *data = comparison->new->text.data;
        cursor_range(other, &begin, &end);
        size_t brace = end - 1; /* the closing one, or the beginning of the line that it is alone on */
        while (brace > begin && (data[brace - 1] == ' ' || data[brace - 1] == '\t'))
            brace--;
        bool is_alone = data[brace - 1] == '\n';
        new->merged = arena_format(arena, "%.*s%s%s%.*s", (int)(brace - new->begin), data + new->begin,
                                   is_alone || !added.length ? "" : "\n", text_string(&added), (int)(new->end - brace),
                                   data + brace);
        old->treatment = new->treatment = WIDENED;
        treat_add_name(&comparison->widened, source_name(arena, other));
    }
    text_free(&added);
    free(before.list), free(after.list);
    return good;
}

/* ---- all types ---- */

static void split_type(struct comparison *comparison, struct piece *old, struct piece *new)
{
    treat_split(comparison, old, new);
    for (size_t i = 0; i < old->name_count; i++) {
        const char *name =
            clang_Cursor_isAnonymous(old->cursors[i]) ? "" : source_name(comparison->arena, old->cursors[i]);
        if (!*name)
            continue;
        treat_add_name(&comparison->split, name);
        treat_add_name(&comparison->differing, name);
        treat_add_name(&comparison->types, name);
    }
}

bool treat_type(struct comparison *comparison, struct piece *old, struct piece *new)
{
    CXCursor one = piece_defined_type(old), other = piece_defined_type(new);
    bool both = !clang_Cursor_isNull(one) && !clang_Cursor_isNull(other) &&
                clang_getCursorKind(one) == clang_getCursorKind(other);
    if (both && clang_getCursorKind(one) == CXCursor_EnumDecl &&
        clang_getEnumDeclIntegerType(one).kind == clang_getEnumDeclIntegerType(other).kind) {
        renumber(comparison, old, new, one, other);
        return true;
    }
    bool of_split_type = treat_mentions(&comparison->types, comparison->old, old->first_token, old->end_token);
    if (both && clang_getCursorKind(one) != CXCursor_EnumDecl && !of_split_type &&
        widen(comparison, old, new, one, other))
        return true;
    if (!*old->name)
        return treat_refuse(comparison, old, new, "type");
    if (!both && !of_split_type &&
        !strcmp(source_type(comparison->arena, clang_getCanonicalType(clang_getCursorType(old->cursor))),
                source_type(comparison->arena, clang_getCanonicalType(clang_getCursorType(new->cursor)))))
        return true; /* another way to write the same typedef */
    split_type(comparison, old, new);
    return true;
}
