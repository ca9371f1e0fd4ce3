/* Variables at file scope that differ. */
#include "unify/treat.h"

#include "source/globals.h"
#include "source/source.h"

#include <string.h>

static const char *initialiser(const struct version *version, CXCursor variable)
{
    CXCursor cursor = clang_Cursor_getVarDeclInitializer(variable);
    size_t begin, end;
    if (clang_Cursor_isNull(cursor))
        return "";
    cursor_range(cursor, &begin, &end);
    return arena_format(version->arena, "%.*s", (int)(end - begin), version->text.data + begin);
}

/* Whether the program asks for the size of the variable. */
static bool is_measured(const struct version *version, const char *name)
{
    for (size_t i = 2; i < version->token_count; i++)
        if (token_is_name(version, i) && token_is(version, &version->tokens[i], name) &&
            (token_is(version, &version->tokens[i - 1], "sizeof") ||
             token_is(version, &version->tokens[i - 2], "sizeof")))
            return true;
    return false;
}

/* Arrays that only have another number of elements, and no initial values. */
static bool can_be_resized(const struct comparison *comparison, const struct piece *old, const struct piece *new)
{
    CXType one = clang_getCursorType(old->cursor), other = clang_getCursorType(new->cursor);
    return one.kind == CXType_ConstantArray && other.kind == CXType_ConstantArray &&
           !strcmp(source_type(comparison->arena, clang_getCanonicalType(clang_getArrayElementType(one))),
                   source_type(comparison->arena, clang_getCanonicalType(clang_getArrayElementType(other)))) &&
           !*initialiser(comparison->old, old->cursor) && !*initialiser(comparison->new, new->cursor) &&
           !is_measured(comparison->old, old->name) && !is_measured(comparison->new, new->name) &&
           !strchr(source_type(comparison->arena, clang_getArrayElementType(one)), '[');
}

static CXCursor variable_named(const struct piece *piece, const struct comparison *comparison, const char *name)
{
    for (size_t i = 0; i < piece->name_count; i++)
        if (!strcmp(source_name(comparison->arena, piece->cursors[i]), name))
            return piece->cursors[i];
    return clang_getNullCursor();
}

/* `int a = 1, b;` and `int a = 2, c;`: each variable for itself. */
static bool treat_together(struct comparison *comparison, struct piece *old, struct piece *new)
{
    for (size_t i = 0; i < old->name_count; i++) {
        CXCursor one = old->cursors[i];
        const char *name = source_name(comparison->arena, one);
        CXCursor other = variable_named(new, comparison, name);
        if (clang_getCursorKind(one) != CXCursor_VarDecl)
            return treat_refuse(comparison, old, new, "one of several things that are declared together,");
        CXType type = clang_getCursorType(one);
        if (clang_Cursor_isNull(other)) {
            if (!declaration_text(comparison->arena, type, name))
                return treat_refuse(comparison, old, new, "variable");
            continue;
        }
        const char *one_type = source_type(comparison->arena, clang_getCanonicalType(type));
        bool same_value = !strcmp(initialiser(comparison->old, one), initialiser(comparison->new, other)) &&
                          !treat_mentions(&comparison->differing, comparison->old, old->first_token, old->end_token);
        if (strcmp(one_type, source_type(comparison->arena, clang_getCanonicalType(clang_getCursorType(other)))) ||
            (!same_value && (!source_is_scalar(type) || globals_is_constant(type))))
            return treat_refuse(comparison, old, new, "one of several things that are declared together,");
    }
    old->treatment = new->treatment = TOGETHER;
    return true;
}

bool treat_variable(struct comparison *comparison, struct piece *old, struct piece *new)
{
    CXType old_type = clang_getCursorType(old->cursor), new_type = clang_getCursorType(new->cursor);
    const char *old_name = source_type(comparison->arena, clang_getCanonicalType(old_type));
    const char *new_name = source_type(comparison->arena, clang_getCanonicalType(new_type));
    bool of_split_type = treat_mentions(&comparison->types, comparison->old, old->first_token, old->end_token);
    bool same_type = !strcmp(old_name, new_name) && !of_split_type;
    bool same_value = !strcmp(initialiser(comparison->old, old->cursor), initialiser(comparison->new, new->cursor)) &&
                      !treat_mentions(&comparison->differing, comparison->old, old->first_token, old->end_token);
    if (old->name_count > 1 || new->name_count > 1)
        return treat_together(comparison, old, new);
    if (same_type && same_value)
        return true; /* `static` was added or taken away */
    bool is_constant = globals_is_constant(old_type) && globals_is_constant(new_type);
    bool is_written_out = treat_is_written_out(comparison->old, old);
    if (!is_constant && !same_type && !of_split_type && can_be_resized(comparison, old, new)) {
        old->treatment = new->treatment = RESIZED;
        return true;
    }
    if (is_constant || (!same_type && is_written_out)) {
        treat_split(comparison, old, new);
        if (!is_constant)
            treat_add_name(&comparison->uncompared, old->name);
        return true;
    }
    if (!is_written_out || treat_mentions(&comparison->split, comparison->old, old->first_token, old->end_token))
        return treat_refuse(comparison, old, new, "variable");
    old->treatment = new->treatment = source_is_scalar(new_type) ? INITIALISED : COPIED;
    return true;
}
