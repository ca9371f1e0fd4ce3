/* Declarations inside functions. What one version declares stays for both, as long as the other loses nothing by it;
 * its initialiser is computed for its own version only, unless it cannot do any harm. */
#include "unify/merge.h"

#include "source/source.h"

#include <string.h>

static bool is_variable(const struct node *node)
{
    return node->kind == CXCursor_VarDecl;
}

static bool are_variables(const struct node *declaration)
{
    for (size_t i = 0; i < declaration->count; i++)
        if (!is_variable(declaration->children[i]))
            return false;
    return declaration->count > 0;
}

static bool is_automatic(const struct node *variable)
{
    enum CX_StorageClass storage = clang_Cursor_getStorageClass(variable->cursor);
    return storage == CX_SC_None || storage == CX_SC_Auto || storage == CX_SC_Register;
}

static bool is_of_variable_size(const struct node *variable)
{
    return clang_getCanonicalType(clang_getCursorType(variable->cursor)).kind == CXType_VariableArray;
}

/* ---- one version's own ---- */

static bool keeps_as_it_is(const struct node *variable)
{
    return !variable->count || !is_automatic(variable) || expression_is_harmless(variable->children[0]);
}

bool declaration_keep_new(struct merger *merger, struct node *declaration)
{
    for (size_t i = 0; i < declaration->count && are_variables(declaration); i++) {
        const struct node *variable = declaration->children[i];
        if (is_of_variable_size(variable))
            return false;
        if (keeps_as_it_is(variable))
            continue;
        const struct node *value = variable->children[0];
        if (!source_is_scalar(clang_getCursorType(variable->cursor)) || tree_has_directive(&merger->new, value))
            return false;
        const char *text = merge_new_text(merger, value->begin, value->end);
        merge_edit(merger, value->begin, value->end, arena_format(merger->arena, "pn_change(0, %s)", text));
        merger->patterns[PATTERN_VALUE]++;
    }
    merger->patterns[PATTERN_DECLARATION]++;
    return true;
}

/* Whether the new function declares the same thing: then that is used, from where it stands. */
static bool is_declared_elsewhere(const struct merger *merger, const struct node *variable)
{
    const char *name = source_name(merger->arena, variable->cursor);
    const struct local *old = locals_find(&merger->names.old, name);
    const struct local *new = old ? locals_find(&merger->names.new, old->alias) : NULL;
    return new && new->declarations == 1 && old->declarations == 1;
}

bool declaration_keep_old(struct merger *merger, struct node *declaration, const char **result)
{
    struct text text = {0};
    size_t at = declaration->first;
    bool good = true, all_elsewhere = are_variables(declaration);
    for (size_t i = 0; i < declaration->count && are_variables(declaration) && good; i++) {
        const struct node *variable = declaration->children[i];
        bool elsewhere = is_declared_elsewhere(merger, variable);
        all_elsewhere &= elsewhere && !variable->count;
        good = !is_of_variable_size(variable) && (!elsewhere || !variable->count);
        if (!good || keeps_as_it_is(variable))
            continue;
        const struct node *value = variable->children[0];
        good = source_is_scalar(clang_getCursorType(variable->cursor));
        text_format(&text, "%s pn_change(%s, 0)", merge_old_text(merger, at, value->first),
                    merge_old_text(merger, value->first, value->last));
        merger->patterns[PATTERN_VALUE]++;
        at = value->last;
    }
    text_add(&text, merge_old_text(merger, at, declaration->last));
    *result = all_elsewhere ? "" : arena_copy_string(merger->arena, text_string(&text));
    text_free(&text);
    merger->patterns[PATTERN_DECLARATION] += !all_elsewhere;
    return good;
}

/* ---- declarations of both ---- */

static struct node *find_variable(const struct merger *merger, const struct node *declaration, const char *name)
{
    for (size_t i = 0; i < declaration->count; i++) {
        const struct local *local =
            locals_find(&merger->names.old, source_name(merger->arena, declaration->children[i]->cursor));
        if (local && !strcmp(local->alias, name))
            return declaration->children[i];
    }
    return NULL;
}

static const char *old_value(const struct merger *merger, const struct node *variable)
{
    return merge_old_text(merger, variable->children[0]->first, variable->children[0]->last);
}

static const char *new_value(const struct merger *merger, const struct node *variable)
{
    return merge_new_text(merger, variable->children[0]->begin, variable->children[0]->end);
}

/* Whether the name stands where the variable's declaration says, with nothing but its initialiser behind it. */
static bool is_last(const struct node *declaration, const struct node *variable)
{
    return declaration->children[declaration->count - 1] == variable;
}

/* `T x = E;` for one version only: `T x; if (pn_execute(...)) x = E;` */
static bool initialise_one(struct merger *merger, const struct node *declaration, const struct node *old,
                           const struct node *new, const char *name)
{
    CXType type = clang_getCursorType(new->cursor);
    bool is_array = clang_getCanonicalType(type).kind == CXType_ConstantArray;
    if (is_array || clang_isConstQualifiedType(type) || !is_last(declaration, new))
        return false;
    size_t end =
        merger->new.version->tokens[merger->new.words[new->count ? new->children[0]->first - 2 : new->last - 1].token]
            .end;
    const char *space =
        merger->in_lines ? " " : arena_format(merger->arena, "\n%s", merge_indentation(merger, declaration->begin));
    struct text text = {0};
    if (old->count && new->count)
        text_format(&text, ";%sif (pn_execute(PN_OLD)) %s = %s; else %s = %s;", space, name, old_value(merger, old),
                    name, new_value(merger, new));
    else
        text_format(&text, ";%sif (pn_execute(%s)) %s = %s;", space, old->count ? "PN_OLD" : "PN_NEW", name,
                    old->count ? old_value(merger, old) : new_value(merger, new));
    const struct node *value = new->count ? new->children[0] : NULL;
    bool good = !value || (value->kind != CXCursor_InitListExpr && !tree_has_directive(&merger->new, value));
    good = good && (!old->count || (old->children[0]->kind != CXCursor_InitListExpr &&
                                    !tree_has_directive(&merger->old, old->children[0])));
    if (good)
        merge_edit(merger, end, declaration->end, arena_copy_string(merger->arena, text_string(&text)));
    text_free(&text);
    merger->adds_statements = true;
    merger->patterns[PATTERN_REMOVED_CODE] += old->count;
    merger->patterns[PATTERN_ADDED_CODE] += new->count;
    return good;
}

static bool merge_values(struct merger *merger, const struct node *declaration, const struct node *old,
                         const struct node *new, const char *name)
{
    if (!old->count && !new->count)
        return true;
    if (old->count && new->count && merge_same(merger, old->children[0], new->children[0]))
        return true;
    if (!is_automatic(old) || !is_automatic(new))
        return false;
    CXType type = clang_getCursorType(new->cursor);
    bool is_text = clang_getCanonicalType(type).kind == CXType_ConstantArray &&
                   new->count &&new->children[0]->kind != CXCursor_InitListExpr;
    if (old->count && new->count && !is_text) {
        struct mark mark = merge_mark(merger);
        if (merge_expression(merger, old->children[0], new->children[0], (struct place){AROUND_VALUE, type}))
            return true;
        merge_return_to(merger, &mark);
    }
    return initialise_one(merger, declaration, old, new, name);
}

/* `char b[pn_size(5, 2)]; pn_bounds(b, 5, 2);` */
static bool merge_sizes(struct merger *merger, const struct node *declaration, const struct node *old,
                        const struct node *new, const char *name)
{
    size_t name_at;
    long long before = clang_getArraySize(clang_getCursorType(old->cursor));
    long long after = clang_getArraySize(clang_getCursorType(new->cursor));
    unsigned offset;
    clang_getFileLocation(clang_getCursorLocation(new->cursor), NULL, NULL, NULL, &offset);
    for (name_at = new->first; name_at < new->last; name_at++)
        if (merger->new.version->tokens[merger->new.words[name_at].token].begin == offset)
            break;
    size_t close = name_at + 2;
    while (close < new->last && !tree_word_is(&merger->new, close, "]"))
        close++;
    if (!tree_word_is(&merger->new, name_at + 1, "[") || close >= new->last || close == name_at + 2 ||
        !is_automatic(new) || !is_automatic(old) || old->count || new->count)
        return false;
    const struct token *first = &merger->new.version->tokens[merger->new.words[name_at + 2].token];
    const struct token *last = &merger->new.version->tokens[merger->new.words[close - 1].token];
    merge_edit(merger, first->begin, last->end, arena_format(merger->arena, "pn_size(%lld, %lld)", before, after));
    const char *space =
        merger->in_lines ? " " : arena_format(merger->arena, "\n%s", merge_indentation(merger, declaration->begin));
    merge_edit(merger, declaration->end, declaration->end,
               arena_format(merger->arena, "%spn_bounds(%s, %lld, %lld);", space, name, before, after));
    merger->adds_statements = true;
    merger->patterns[PATTERN_TYPE]++;
    return true;
}

struct attributes {
    const struct version *version;
    struct text text;
};

static enum CXChildVisitResult add_attribute(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    struct attributes *attributes = data;
    size_t begin, end;
    if (!clang_isAttribute(clang_getCursorKind(cursor)))
        return CXChildVisit_Continue;
    cursor_range(cursor, &begin, &end);
    text_format(&attributes->text, "%d ", (int)clang_getCursorKind(cursor));
    if (begin < end)
        text_append(&attributes->text, attributes->version->text.data + begin, end - begin);
    return CXChildVisit_Continue;
}

/* `_Alignas(8)`, `__attribute__((cleanup(f)))`, `volatile`: what is no part of the type that was compared. */
static bool same_attributes(const struct merger *merger, const struct node *old, const struct node *new)
{
    struct attributes before = {.version = merger->old.version}, after = {.version = merger->new.version};
    clang_visitChildren(old->cursor, add_attribute, &before);
    clang_visitChildren(new->cursor, add_attribute, &after);
    bool same = !strcmp(text_string(&before.text), text_string(&after.text)) &&
                clang_isVolatileQualifiedType(clang_getCursorType(old->cursor)) ==
                    clang_isVolatileQualifiedType(clang_getCursorType(new->cursor));
    text_free(&before.text), text_free(&after.text);
    return same;
}

static bool merge_variable(struct merger *merger, const struct node *declaration, const struct node *old,
                           const struct node *new, const char *name)
{
    const struct local *local = locals_find(&merger->names.new, name);
    if (clang_Cursor_getStorageClass(old->cursor) != clang_Cursor_getStorageClass(new->cursor) &&
        (!is_automatic(old) || !is_automatic(new)))
        return false;
    if (!same_attributes(merger, old, new))
        return false;
    if (local && local->is_resized)
        return merge_sizes(merger, declaration, old, new, name);
    return merge_values(merger, declaration, old, new, name);
}

/* The type as the old version's part of the text has it: types that are two types now have another name there. */
static const char *old_type(const struct merger *merger, CXType type)
{
    struct text text = {0};
    for (const char *at = source_type(merger->arena, type); *at;) {
        size_t length = strspn(at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
        const char *word = arena_format(merger->arena, "%.*s", (int)(length ? length : 1), at);
        text_format(&text, "%s%s", word, words_have(&merger->comparison->types, word) ? "__old" : "");
        at += length ? length : 1;
    }
    const char *result = arena_copy_string(merger->arena, text_string(&text));
    text_free(&text);
    return result;
}

/* `struct s__old *p__old = (struct s__old *)p;` */
void declare_converted(struct merger *merger, size_t anchor)
{
    struct text text = {0};
    for (size_t i = 0; i < merger->names.old.count; i++) {
        const struct local *local = &merger->names.old.list[i];
        if (!local->is_converted)
            continue;
        CXType type = clang_getUnqualifiedType(clang_getCursorType(local->cursor));
        const char *written = old_type(merger, type), *star = strstr(written, "(*");
        int name = (int)(strlen(local->alias) - strlen("__old"));
        if (star)
            text_format(&text, " %.*s%s%s", (int)(star + 2 - written), written, local->alias, star + 2);
        else
            text_format(&text, " %s %s", written, local->alias);
        text_format(&text, " = (%s)%.*s;", written, name, local->alias);
        merger->patterns[PATTERN_TYPE]++;
    }
    if (text.length)
        merge_edit(merger, anchor, anchor, arena_copy_string(merger->arena, text_string(&text)));
    text_free(&text);
}

/* `int x` of the old version alone, taken out of a declaration of several variables. */
static bool keep_old_variable(struct merger *merger, const struct node *variable, struct text *text)
{
    CXType type = clang_getCursorType(variable->cursor);
    const char *name = source_name(merger->arena, variable->cursor), *spelling = old_type(merger, type);
    const struct local *local = locals_find(&merger->names.old, name);
    const char *bracket = strchr(spelling, '[');
    if (!local || strchr(spelling, '(') || is_of_variable_size(variable) || !is_automatic(variable))
        return false;
    merger->patterns[PATTERN_DECLARATION]++;
    merger->patterns[PATTERN_TYPE] += local->is_retyped;
    text_format(text, "%.*s %s%s", bracket ? (int)(bracket - spelling) : (int)strlen(spelling), spelling, local->alias,
                bracket ? bracket : "");
    if (!variable->count) {
        text_add(text, ";");
        return true;
    }
    if (tree_has_directive(&merger->old, variable))
        return false;
    if (keeps_as_it_is(variable))
        text_format(text, " = %s;", old_value(merger, variable));
    else
        text_format(text, " = pn_change(%s, 0);", old_value(merger, variable));
    return keeps_as_it_is(variable) || source_is_scalar(type);
}

static bool keep_old_variables(struct merger *merger, struct node *old, const struct node *new)
{
    struct text text = {0};
    bool good = true;
    const char *indentation = merge_indentation(merger, new->begin);
    for (size_t i = 0; i < old->count && good; i++) {
        const struct node *variable = old->children[i];
        const char *name = source_name(merger->arena, variable->cursor);
        const struct local *local = locals_find(&merger->names.old, name);
        bool found = false;
        for (size_t k = 0; k < new->count &&local; k++)
            found |= !strcmp(source_name(merger->arena, new->children[k]->cursor), local->alias);
        if (found || (!variable->count && is_declared_elsewhere(merger, variable)))
            continue;
        good = keep_old_variable(merger, variable, &text);
        text_format(&text, merger->in_lines ? " " : "\n%s", indentation);
    }
    if (good && text.length) {
        merge_edit(merger, new->begin, new->begin, arena_copy_string(merger->arena, text_string(&text)));
        merger->adds_statements = true;
    }
    text_free(&text);
    return good;
}

static bool keep_new_variable(struct merger *merger, const struct node *variable)
{
    if (is_of_variable_size(variable))
        return false;
    merger->patterns[PATTERN_DECLARATION]++;
    if (keeps_as_it_is(variable))
        return true;
    const struct node *value = variable->children[0];
    if (!source_is_scalar(clang_getCursorType(variable->cursor)) || tree_has_directive(&merger->new, value))
        return false;
    merge_edit(merger, value->begin, value->end,
               arena_format(merger->arena, "pn_change(0, %s)", new_value(merger, variable)));
    merger->patterns[PATTERN_VALUE]++;
    return true;
}

bool merge_declarations(struct merger *merger, struct node *old, struct node *new)
{
    if (!are_variables(old) || !are_variables(new) || !keep_old_variables(merger, old, new))
        return false;
    for (size_t i = 0; i < new->count; i++) {
        const struct node *variable = new->children[i];
        const char *name = source_name(merger->arena, variable->cursor);
        const struct node *before = find_variable(merger, old, name);
        if (before ? !merge_variable(merger, new, before, variable, name) : !keep_new_variable(merger, variable))
            return false;
    }
    return true;
}
