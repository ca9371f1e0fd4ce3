#include "unify/compare.h"

#include "source/source.h"
#include "unify/header_macros.h"
#include "unify/merge.h"
#include "unify/treat.h"

#include <stdlib.h>
#include <string.h>

#define REMEDY                                                                                                         \
    "make it the same in both files, or annotate one file by hand with change() and execute() and use 'penumbra run'"

/* ---- what differs by its name ---- */

bool treat_mentions(const struct words *names, const struct version *version, size_t first, size_t end)
{
    for (size_t i = first; i < end && names->count; i++)
        if (token_is_name(version, i))
            for (size_t k = 0; k < names->count; k++)
                if (token_is(version, &version->tokens[i], names->list[k]))
                    return true;
    return false;
}

void treat_add_name(struct words *names, const char *name)
{
    if (!words_have(names, name))
        words_add(names, name);
}

static void add_macro(struct comparison *comparison, const char *name)
{
    treat_add_name(&comparison->differing, name);
    treat_add_name(&comparison->macros, name);
}

static void compare_macros(struct comparison *comparison, struct version *version, const struct version *other)
{
    for (size_t i = 0; i < version->macro_count; i++) {
        struct macro *macro = &version->macros[i];
        const struct macro *same = version_macro(other, macro->name);
        macro->differs = !same || strcmp(same->tokens, macro->tokens);
        if (macro->differs)
            add_macro(comparison, macro->name);
    }
}

/* Macros of the same text that mention what differs. */
void treat_spread_to_macros(struct comparison *comparison)
{
    struct version *versions[] = {comparison->old, comparison->new};
    for (size_t known = SIZE_MAX; known != comparison->differing.count;) {
        known = comparison->differing.count;
        for (size_t v = 0; v < 2; v++)
            for (size_t i = 0; i < versions[v]->macro_count; i++) {
                const struct macro *macro = &versions[v]->macros[i];
                if (treat_mentions(&comparison->differing, versions[v], macro->first_token + 1, macro->end_token))
                    add_macro(comparison, macro->name);
            }
    }
}

/* ---- matching ---- */

static enum CXChildVisitResult take_first(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    *(CXCursor *)data = cursor;
    return CXChildVisit_Break;
}

static const char *first_constant(const struct version *version, const struct piece *piece)
{
    CXCursor type = piece_defined_type(piece), first = clang_getNullCursor();
    if (!clang_Cursor_isNull(type) && clang_getCursorKind(type) == CXCursor_EnumDecl)
        clang_visitChildren(type, take_first, &first);
    return clang_Cursor_isNull(first) ? "" : source_name(version->arena, first);
}

/* An enumeration without a name is known by its first constant. */
static struct piece *find_enumeration(const struct piece *piece, const struct version *other)
{
    const char *name = first_constant(other, piece);
    for (size_t i = 0; *name && i < other->piece_count; i++)
        if (other->pieces[i].kind == PIECE_TYPE && !*other->pieces[i].name &&
            !strcmp(first_constant(other, &other->pieces[i]), name))
            return &other->pieces[i];
    return NULL;
}

static struct piece *find_other(const struct version *version, const struct piece *piece, const struct version *other)
{
    size_t earlier = 0;
    if (piece->kind == PIECE_OTHER || !*piece->name) {
        for (size_t i = 0; i < other->piece_count; i++)
            if (other->pieces[i].kind == piece->kind && !strcmp(other->pieces[i].tokens, piece->tokens))
                return &other->pieces[i];
        return piece->kind == PIECE_TYPE ? find_enumeration(piece, other) : NULL;
    }
    for (const struct piece *at = version->pieces; at < piece; at++)
        earlier += at->kind == piece->kind && !strcmp(at->name, piece->name);
    return version_piece(other, piece->kind, piece->name, earlier);
}

static void match_pieces(struct version *version, const struct version *other)
{
    for (size_t i = 0; i < version->piece_count; i++) {
        struct piece *piece = &version->pieces[i];
        piece->other = find_other(version, piece, other);
        piece->treatment = piece->other ? SHARED : ONE_VERSION;
    }
}

static bool is_same(const struct comparison *comparison, const struct piece *old, const struct piece *new)
{
    /* in a type, the name of a function or variable can only be that of a member */
    const struct words *names = old->kind == PIECE_TYPE ? &comparison->macros : &comparison->differing;
    return !old->is_hoisted && !strcmp(old->tokens, new->tokens) &&
           !treat_mentions(names, comparison->old, old->first_token, old->end_token) &&
           !treat_mentions(&comparison->types, comparison->old, old->first_token, old->end_token);
}

bool treat_refuse(struct comparison *comparison, const struct piece *old, const struct piece *new, const char *what)
{
    bool is_text = strcmp(old->tokens, new->tokens) != 0;
    return error_set(comparison->obstacle, "%s: %s '%s' %s %s %s: " REMEDY, piece_place(comparison->new, new), what,
                     new->name,
                     is_text ? "is not what it is at" : "depends on something that differs from the version at",
                     piece_place(comparison->old, old), "and the two cannot be merged");
}

/* ---- functions ---- */

static const char *signature(const struct comparison *comparison, const struct piece *piece)
{
    return source_type(comparison->arena, clang_getCanonicalType(clang_getCursorType(piece->cursor)));
}

static bool has_named_parameters(CXCursor function)
{
    for (int i = 0; i < clang_Cursor_getNumArguments(function); i++) {
        CXString name = clang_getCursorSpelling(clang_Cursor_getArgument(function, (unsigned)i));
        bool is_named = *clang_getCString(name);
        clang_disposeString(name);
        if (!is_named)
            return false;
    }
    return true;
}

/* Whether the function's name stands in the text where the function is declared. */
bool treat_is_written_out(const struct version *version, const struct piece *piece)
{
    unsigned offset;
    clang_getFileLocation(clang_getCursorLocation(piece->cursor), NULL, NULL, NULL, &offset);
    for (size_t i = piece->first_token; i < piece->end_token; i++)
        if (version->tokens[i].begin == offset)
            return token_is(version, &version->tokens[i], piece->name);
    return false;
}

/* Whether its parameters or its result are of a type that is two types now. */
static bool has_split_type(const struct comparison *comparison, const struct piece *old)
{
    size_t end = old->first_token;
    while (end < old->end_token && !token_is(comparison->old, &comparison->old->tokens[end], "{"))
        end++;
    return treat_mentions(&comparison->types, comparison->old, old->first_token, end);
}

static bool can_be_wrapped(const struct comparison *comparison, const struct piece *old, const struct piece *new)
{
    CXType type = clang_getCursorType(new->cursor);
    return !has_split_type(comparison, old) && !strcmp(signature(comparison, old), signature(comparison, new)) &&
           type.kind == CXType_FunctionProto && !clang_isFunctionTypeVariadic(type) &&
           has_named_parameters(new->cursor) && old->name_count == 1 && new->name_count == 1 &&
           treat_is_written_out(comparison->old, old) && treat_is_written_out(comparison->new, new);
}

void treat_split(struct comparison *comparison, struct piece *old, struct piece *new)
{
    old->treatment = new->treatment = SPLIT;
    treat_add_name(&comparison->split, old->name);
    treat_add_name(&comparison->differing, old->name);
}

static bool is_integer(CXType type)
{
    return type.kind == CXType_Enum || (type.kind >= CXType_Bool && type.kind <= CXType_Int128);
}

/* Whether a parameter of one type can hold the other's value: pointers, and numbers that calls pass in the same way. */
static bool can_be_converted(CXType one, CXType other)
{
    one = clang_getCanonicalType(one), other = clang_getCanonicalType(other);
    if (one.kind == CXType_Pointer && other.kind == CXType_Pointer)
        return true;
    return is_integer(one) && is_integer(other) && clang_Type_getSizeOf(one) == clang_Type_getSizeOf(other) &&
           clang_Type_getSizeOf(one) >= 4;
}

static bool is_split(const struct comparison *comparison, CXType type)
{
    return type_is_split(comparison, source_type(comparison->arena, type)) ||
           type_is_split(comparison, source_type(comparison->arena, clang_getCanonicalType(type)));
}

static bool is_same_type(const struct comparison *comparison, CXType one, CXType other)
{
    return !strcmp(type_without_const(comparison->arena, one), type_without_const(comparison->arena, other)) &&
           !is_split(comparison, one);
}

enum signatures { SIGNATURES_DIFFER, SIGNATURES_CONVERT, SIGNATURES_AGREE };

/* Whether one function can stand for both, as its parameters and its result are; whether there is a prototype makes no
 * difference. */
static enum signatures compare_signatures(const struct comparison *comparison, const struct piece *old,
                                          const struct piece *new)
{
    CXType one = clang_getCanonicalType(clang_getCursorType(old->cursor));
    CXType other = clang_getCanonicalType(clang_getCursorType(new->cursor));
    int count = clang_Cursor_getNumArguments(old->cursor);
    enum signatures result = SIGNATURES_AGREE;
    if (count != clang_Cursor_getNumArguments(new->cursor) ||
        clang_isFunctionTypeVariadic(one) != clang_isFunctionTypeVariadic(other) ||
        !is_same_type(comparison, clang_getCursorResultType(old->cursor), clang_getCursorResultType(new->cursor)))
        return SIGNATURES_DIFFER;
    for (int i = 0; i < count; i++) {
        CXType left = clang_getCursorType(clang_Cursor_getArgument(old->cursor, (unsigned)i));
        CXType right = clang_getCursorType(clang_Cursor_getArgument(new->cursor, (unsigned)i));
        if (is_same_type(comparison, left, right))
            continue;
        if (one.kind != CXType_FunctionProto || other.kind != CXType_FunctionProto || !can_be_converted(left, right))
            return SIGNATURES_DIFFER;
        result = SIGNATURES_CONVERT;
    }
    return result;
}

static bool can_be_merged(const struct comparison *comparison, const struct piece *old, struct piece *new)
{
    enum signatures signatures = compare_signatures(comparison, old, new);
    new->is_converted = signatures == SIGNATURES_CONVERT;
    return !new->obstacle && old->name_count == 1 && new->name_count == 1 && signatures != SIGNATURES_DIFFER;
}

static bool treat_function(struct comparison *comparison, struct piece *old, struct piece *new)
{
    if (comparison->in_lines && !new->obstacle && strcmp(old->lines, new->lines))
        new->obstacle = "it asks for its lines, which differ";
    if (can_be_merged(comparison, old, new))
        old->treatment = new->treatment = MERGED;
    else if (can_be_wrapped(comparison, old, new))
        old->treatment = new->treatment = WRAPPED;
    else
        treat_split(comparison, old, new);
    return true;
}

/* ---- declarations ---- */

/* Of something that is defined in no version: when the two do not agree on its type, there are two of it. */
static bool treat_declaration(struct comparison *comparison, struct piece *old, struct piece *new)
{
    bool is_defined = version_definition(comparison->old, old->name) || version_definition(comparison->new, old->name);
    bool is_same = !strcmp(signature(comparison, old), signature(comparison, new)) &&
                   !treat_mentions(&comparison->types, comparison->old, old->first_token, old->end_token);
    if (is_defined || is_same)
        return true;
    if (clang_getCursorKind(old->cursor) == CXCursor_FunctionDecl &&
        clang_getCursorKind(new->cursor) == CXCursor_FunctionDecl && old->name_count == 1 && new->name_count == 1 &&
        compare_signatures(comparison, old, new) != SIGNATURES_DIFFER)
        return true;
    if (old->name_count > 1 || !*old->name || !treat_is_written_out(comparison->old, old))
        return treat_refuse(comparison, old, new, "declaration");
    treat_split(comparison, old, new);
    return true;
}

/* ---- all pieces ---- */

static bool treat(struct comparison *comparison, struct piece *old, struct piece *new)
{
    switch (old->kind) {
    case PIECE_FUNCTION: return treat_function(comparison, old, new);
    case PIECE_VARIABLE: return treat_variable(comparison, old, new);
    case PIECE_TYPE: return treat_type(comparison, old, new);
    case PIECE_DECLARATION: return treat_declaration(comparison, old, new);
    default: return true;
    }
}

/* Where nothing that is known to differ is mentioned, and the compiler makes something else of the same text all the
 * same: a function's two copies may still be what the versions have, by their lines or their layout; whether they are
 * is seen when the text is compared with the versions. */
static bool treat_hidden_piece(struct comparison *comparison, struct piece *old, struct piece *new)
{
    if (old->kind == PIECE_FUNCTION) {
        if (!new->obstacle)
            new->obstacle = "its text means something else in each version";
        return treat_function(comparison, old, new);
    }
    return strcmp(old->tokens, new->tokens) ||
           error_set(comparison->obstacle,
                     "%s: '%s' is compiled to something else than at %s, though its text is the same, and the two "
                     "cannot be merged: " REMEDY,
                     piece_place(comparison->new, new), new->name, piece_place(comparison->old, old));
}

static bool treat_hidden(struct comparison *comparison)
{
    struct words widened = {0};
    bool good = true;
    treat_widened_names(comparison, &widened);
    for (size_t i = 0; i < comparison->old->piece_count && good; i++) {
        struct piece *old = &comparison->old->pieces[i], *new = old->other;
        if (new && old->treatment == SHARED && old->compiles_differently &&new->compiles_differently &&
            !treat_mentions(&widened, comparison->old, old->first_token, old->end_token))
            good = treat_hidden_piece(comparison, old, new);
    }
    words_free(&widened);
    return good;
}

/* What is split makes others differ: repeated until nothing is added. */
static bool treat_all(struct comparison *comparison)
{
    for (size_t known = SIZE_MAX; known != comparison->differing.count;) {
        known = comparison->differing.count;
        treat_spread_to_macros(comparison);
        for (size_t i = 0; i < comparison->old->piece_count; i++) {
            struct piece *old = &comparison->old->pieces[i];
            if (old->other && old->treatment == SHARED && !is_same(comparison, old, old->other) &&
                !treat(comparison, old, old->other))
                return false;
        }
        if (known == comparison->differing.count && !treat_hidden(comparison))
            return false;
    }
    return true;
}

/* A name that stands for different kinds of things. */
static bool check_kinds(struct comparison *comparison)
{
    static const char *const kinds[] = {"function", "variable", "type", "declaration", "declaration"};
    for (size_t i = 0; i < comparison->old->piece_count; i++) {
        const struct piece *old = &comparison->old->pieces[i];
        const struct piece *new = *old->name ? version_definition(comparison->new, old->name) : NULL;
        if (old->kind < PIECE_TYPE && !old->other && new && new->kind < PIECE_TYPE)
            return error_set(comparison->obstacle, "%s: '%s' is a %s, and at %s a %s: " REMEDY,
                             piece_place(comparison->new, new), new->name, kinds[new->kind],
                             piece_place(comparison->old, old), kinds[old->kind]);
    }
    return true;
}

static bool check_macros(struct comparison *comparison)
{
    const struct version *versions[] = {comparison->old, comparison->new};
    for (size_t v = 0; v < 2; v++)
        for (size_t i = 0; i < versions[v]->macro_count; i++) {
            const struct macro *macro = &versions[v]->macros[i];
            if (macro->differs && macro->definition_count > 1)
                return error_set(
                    comparison->obstacle,
                    "%s:%u: macro '%s' differs between the versions and is defined more than once: " REMEDY,
                    versions[v]->shown, macro->line, macro->name);
        }
    return true;
}

/* Macros of headers that only one version includes would be seen by both. */
static bool check_header_macros(struct comparison *comparison)
{
    const struct version *old = comparison->old, *new = comparison->new;
    for (size_t i = 0; i < old->header_macro_count; i++)
        for (size_t k = 0; k < new->header_macro_count; k++) {
            const struct header_macro *one = &old->header_macros[i], *other = &new->header_macros[k];
            if (header_macros_differ(old, new, one, other))
                return error_set(comparison->obstacle,
                                 "%s: macro '%s' is not what it is at %s, and the two headers cannot be merged: give "
                                 "both versions the same definition, or put it into the C files",
                                 other->place, other->name, one->place);
        }
    return true;
}

static bool check_pragmas(struct comparison *comparison)
{
    return !strcmp(version_pragmas(comparison->old), version_pragmas(comparison->new)) ||
           error_set(comparison->obstacle,
                     "%s and %s have different #pragma directives, and what these change cannot be merged: make them "
                     "the same in both files",
                     comparison->old->shown, comparison->new->shown);
}

static bool check_others(struct comparison *comparison)
{
    for (size_t i = 0; i < comparison->old->piece_count; i++) {
        const struct piece *piece = &comparison->old->pieces[i];
        if (piece->kind == PIECE_OTHER && !piece->other && clang_getCursorKind(piece->cursor) != CXCursor_StaticAssert)
            return error_set(comparison->obstacle,
                             "%s: only the old version has this, and it cannot be merged: " REMEDY,
                             piece_place(comparison->old, piece));
    }
    return true;
}

static bool check_surroundings(struct comparison *comparison)
{
    return !comparison->surroundings_differ ||
           error_set(comparison->obstacle,
                     "%s and %s are compiled for different targets, or have different assembler or aliases, which "
                     "cannot be merged",
                     comparison->old->shown, comparison->new->shown);
}

/* ---- the entry ---- */

static bool check_entry(struct comparison *comparison)
{
    const char *name = comparison->entry;
    if (!name)
        return true;
    const struct piece *old = version_piece(comparison->old, PIECE_FUNCTION, name, 0);
    const struct piece *new = version_piece(comparison->new, PIECE_FUNCTION, name, 0);
    if (!old && !new)
        return error_set(comparison->error, "neither %s nor %s defines a function '%s'", comparison->old->shown,
                         comparison->new->shown, name);
    if (!old || !new)
        return error_set(comparison->error,
                         "%s defines '%s', %s does not: the entry must be a function that both versions have",
                         old ? piece_place(comparison->old, old) : piece_place(comparison->new, new), name,
                         (old ? comparison->new : comparison->old)->shown);
    return true;
}

/* ---- functions that are merged finely ---- */

/* Returns whether all of them could be. */
static bool merge_all(struct comparison *comparison)
{
    bool all = true;
    *comparison->statistics = (struct unify_statistics){0};
    for (size_t i = 0; i < comparison->new->piece_count; i++) {
        struct piece *new = &comparison->new->pieces[i];
        if (new->treatment != MERGED)
            continue;
        merge_functions(comparison, new->other, new, comparison->in_lines, comparison->statistics);
        all &= !new->obstacle;
    }
    return all;
}

static bool decide(struct comparison *comparison)
{
    comparison->differing.count = comparison->macros.count = comparison->split.count = 0;
    comparison->types.count = comparison->uncompared.count = comparison->widened.count = 0;
    compare_macros(comparison, comparison->old, comparison->new);
    compare_macros(comparison, comparison->new, comparison->old);
    match_pieces(comparison->old, comparison->new);
    match_pieces(comparison->new, comparison->old);
    return check_entry(comparison) && check_header_macros(comparison) && check_pragmas(comparison) &&
           check_macros(comparison) && check_kinds(comparison) && check_others(comparison) &&
           check_surroundings(comparison) && treat_all(comparison);
}

bool compare_versions(struct comparison *comparison)
{
    do
        if (!decide(comparison))
            return false;
    while (!merge_all(comparison));
    return true;
}

void comparison_free(struct comparison *comparison)
{
    words_free(&comparison->differing), words_free(&comparison->macros), words_free(&comparison->split);
    words_free(&comparison->types), words_free(&comparison->uncompared), words_free(&comparison->widened);
    words_free(&comparison->hidden);
}
