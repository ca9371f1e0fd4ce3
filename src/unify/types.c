/* Types that differ. An enumeration keeps the new version's constants, and the old values of those that changed get
 * names of their own. A struct whose members are only more or fewer holds the members of both versions, when nobody
 * could tell where its members are. Any other type is two types, and whatever mentions it is kept twice. */
#include "unify/treat.h"

#include "source/source.h"
#include "unify/layout.h"

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

struct constants {
    const CXCursor *list;
    size_t count;
};

static const CXCursor *find_constant(const struct constants *constants, const char *name)
{
    for (size_t i = 0; i < constants->count; i++) {
        CXString spelling = clang_getCursorSpelling(constants->list[i]);
        bool is_it = !strcmp(clang_getCString(spelling), name);
        clang_disposeString(spelling);
        if (is_it)
            return &constants->list[i];
    }
    return NULL;
}

/* The old constants that the new enumeration does not have with their values, as an enumeration of their own. */
static void renumber(struct comparison *comparison, struct piece *old, struct piece *new, CXCursor one, CXCursor other)
{
    struct arena *arena = comparison->arena;
    struct constants before, after;
    struct text text = {0};
    before.list = source_constants(arena, one, &before.count);
    after.list = source_constants(arena, other, &after.count);
    for (size_t i = 0; i < before.count; i++) {
        const char *name = source_name(arena, before.list[i]);
        const CXCursor *same = find_constant(&after, name);
        long long value = clang_getEnumConstantDeclValue(before.list[i]);
        if (same && clang_getEnumConstantDeclValue(*same) == value)
            continue;
        text_format(&text, "%s%s%s = %lld", text.length ? ", " : "", name, same ? "__old" : "", value);
        if (same) {
            treat_add_name(&comparison->split, name);
            treat_add_name(&comparison->differing, name);
        }
    }
    if (text.length) {
        old->treatment = new->treatment = RENUMBERED;
        new->merged = arena_format(comparison->arena, "enum { %s };", text_string(&text));
    }
    text_free(&text);
}

/* ---- structs ---- */

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

/* Members that both have must be the same, in the same order. Bit-fields share their places with others, and behind an
 * array without a size there is none. */
static bool can_be_widened(struct arena *arena, const struct fields *before, const struct fields *after)
{
    long last = -1;
    for (size_t i = 0; i < before->count; i++) {
        CXCursor field = before->list[i];
        long place = find_field(arena, after, source_name(arena, field));
        if (!*source_name(arena, field) || (place < 0 ? !field_text(arena, field) : place < last) ||
            (place >= 0 && !same_field(arena, field, after->list[place])))
            return false;
        last = place >= 0 ? place : last;
    }
    const struct fields *both[] = {before, after};
    for (size_t v = 0; v < 2; v++)
        for (size_t i = 0; i < both[v]->count; i++)
            if (clang_Cursor_isBitField(both[v]->list[i]) ||
                clang_getCursorType(both[v]->list[i]).kind == CXType_IncompleteArray)
                return false;
    return true;
}

static const char *widened_text(const struct comparison *comparison, const struct piece *new, CXCursor other,
                                const char *added)
{
    size_t begin, end;
    const char *data = comparison->new->text.data;
    cursor_range(other, &begin, &end);
    size_t brace = end - 1; /* the closing one, or the beginning of the line that it is alone on */
    while (brace > begin && (data[brace - 1] == ' ' || data[brace - 1] == '\t'))
        brace--;
    bool is_alone = data[brace - 1] == '\n';
    return arena_format(comparison->arena, "%.*s%s%s%.*s", (int)(brace - new->begin), data + new->begin,
                        is_alone || !*added ? "" : "\n", added, (int)(new->end - brace), data + brace);
}

/* The new definition with the old version's own members at its end; false when one struct cannot be both. */
static bool widen(struct comparison *comparison, struct piece *old, struct piece *new, CXCursor one, CXCursor other)
{
    struct arena *arena = comparison->arena;
    struct fields before = fields_of(clang_getCursorType(one)), after = fields_of(clang_getCursorType(other));
    bool good = can_be_widened(arena, &before, &after);
    if (good) {
        struct text added = {0};
        for (size_t i = 0; i < before.count; i++)
            if (find_field(arena, &after, source_name(arena, before.list[i])) < 0)
                text_format(&added, "    %s;\n", field_text(arena, before.list[i]));
        new->merged = widened_text(comparison, new, other, text_string(&added));
        old->treatment = new->treatment = WIDENED;
        treat_add_name(&comparison->widened, source_name(arena, other));
        text_free(&added);
    }
    free(before.list), free(after.list);
    return good;
}

/* Other files that include the definition must come to the same decision: they do not know of each other. */
static bool is_of_this_file(const struct version *version, const struct piece *piece)
{
    unsigned line = piece->line;
    return !strcmp(version_origin(version, &line), version->shown);
}

static bool can_hold_both(const struct comparison *comparison, const struct piece *old, const struct piece *new,
                          CXCursor one, CXCursor other)
{
    return clang_getCursorKind(one) == CXCursor_StructDecl && is_of_this_file(comparison->old, old) &&
           is_of_this_file(comparison->new, new) && !layout_matters(comparison->old, one) &&
           !layout_matters(comparison->new, other);
}

static size_t end_of_head(const struct version *version, const struct piece *piece)
{
    size_t end = piece->first_token;
    while (end < piece->end_token && !token_is(version, &version->tokens[end], "{"))
        end++;
    return piece->kind == PIECE_FUNCTION ? end : piece->end_token;
}

void treat_widened_names(const struct comparison *comparison, struct words *names)
{
    const struct version *versions[] = {comparison->old, comparison->new};
    for (size_t i = 0; i < comparison->widened.count; i++)
        treat_add_name(names, comparison->widened.list[i]);
    for (size_t known = SIZE_MAX; known != names->count;) {
        known = names->count;
        for (size_t v = 0; v < 2; v++)
            for (size_t i = 0; i < versions[v]->piece_count; i++) {
                const struct piece *piece = &versions[v]->pieces[i];
                if (piece->treatment != WIDENED &&
                    !treat_mentions(names, versions[v], piece->first_token, end_of_head(versions[v], piece)))
                    continue;
                for (size_t k = 0; k < piece->name_count; k++)
                    if (*source_name(comparison->arena, piece->cursors[k]))
                        treat_add_name(names, source_name(comparison->arena, piece->cursors[k]));
            }
    }
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
    bool are_structs = both && clang_getCursorKind(one) != CXCursor_EnumDecl && !of_split_type;
    if (are_structs && layout_is_same(comparison->arena, clang_getCursorType(one), clang_getCursorType(other)))
        return true;
    if (are_structs && can_hold_both(comparison, old, new, one, other) && widen(comparison, old, new, one, other))
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
