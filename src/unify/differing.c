/* Of versions that cannot be merged: which functions are not the same, by their text or by what they mention. Nothing
 * is merged here, so that more may count as differing than would have to. */
#include "source/source.h"
#include "unify/header_macros.h"
#include "unify/treat.h"

#include <string.h>

static enum CXChildVisitResult add_constant(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    struct comparison *comparison = data;
    if (clang_getCursorKind(cursor) == CXCursor_EnumConstantDecl)
        treat_add_name(&comparison->differing, source_name(comparison->arena, cursor));
    return CXChildVisit_Continue;
}

static void add_names(struct comparison *comparison, const struct piece *piece)
{
    CXCursor type = piece->has_type ? piece_defined_type(piece) : clang_getNullCursor();
    if (!clang_Cursor_isNull(type))
        clang_visitChildren(type, add_constant, comparison);
    for (size_t i = 0; i < piece->name_count; i++) {
        const char *name = source_name(comparison->arena, piece->cursors[i]);
        if (*name)
            treat_add_name(&comparison->differing, name);
    }
}

/* Of a function, what others see of it: all but its body. */
static size_t end_of_head(const struct version *version, const struct piece *piece)
{
    size_t end = piece->first_token;
    if (piece->kind != PIECE_FUNCTION)
        return piece->end_token;
    while (end < piece->end_token && !token_is(version, &version->tokens[end], "{"))
        end++;
    return end;
}

static void spread_to_pieces(struct comparison *comparison, const struct version *version)
{
    for (size_t i = 0; i < version->piece_count; i++) {
        const struct piece *piece = &version->pieces[i];
        bool is_text = piece->kind != PIECE_FUNCTION &&
                       (!piece->other || piece->compiles_differently || strcmp(piece->tokens, piece->other->tokens));
        if (is_text || treat_mentions(&comparison->differing, version, piece->first_token, end_of_head(version, piece)))
            add_names(comparison, piece);
    }
}

static void add_header_macros(struct comparison *comparison)
{
    const struct version *old = comparison->old, *new = comparison->new;
    for (size_t i = 0; i < old->header_macro_count; i++)
        for (size_t k = 0; k < new->header_macro_count; k++)
            if (header_macros_differ(old, new, &old->header_macros[i], &new->header_macros[k]))
                treat_add_name(&comparison->differing, old->header_macros[i].name);
}

void compare_find_differing(struct comparison *comparison)
{
    add_header_macros(comparison);
    for (size_t i = 0; i < comparison->hidden.count; i++)
        treat_add_name(&comparison->differing, comparison->hidden.list[i]);
    for (size_t known = SIZE_MAX; known != comparison->differing.count;) {
        known = comparison->differing.count;
        treat_spread_to_macros(comparison);
        spread_to_pieces(comparison, comparison->old);
        spread_to_pieces(comparison, comparison->new);
    }
}

/* Assembler and #pragma directives have no name by which a function could mention them. */
static bool differs_namelessly(const struct comparison *comparison)
{
    const struct version *versions[] = {comparison->old, comparison->new};
    for (size_t v = 0; v < 2; v++)
        for (size_t i = 0; i < versions[v]->piece_count; i++) {
            const struct piece *piece = &versions[v]->pieces[i];
            if (piece->kind == PIECE_OTHER && !piece->other &&
                clang_getCursorKind(piece->cursor) != CXCursor_StaticAssert)
                return true;
        }
    return strcmp(version_pragmas(comparison->old), version_pragmas(comparison->new)) != 0;
}

bool compare_function_differs(const struct comparison *comparison, const struct piece *new)
{
    return strcmp(new->tokens, new->other->tokens) != 0 || new->compiles_differently ||
           comparison->surroundings_differ ||
           treat_mentions(&comparison->differing, comparison->new, new->first_token, new->end_token) ||
           differs_namelessly(comparison);
}
