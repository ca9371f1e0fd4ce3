#include "unify/names.h"

#include "base/set.h"
#include "source/source.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- collecting ---- */

struct collector {
    struct arena *arena;
    struct locals *locals;
};

const struct local *locals_find(const struct locals *locals, const char *name)
{
    for (size_t i = 0; i < locals->count; i++)
        if (!strcmp(locals->list[i].name, name))
            return &locals->list[i];
    return NULL;
}

static enum CXChildVisitResult add_local(CXCursor cursor, CXCursor parent, CXClientData data)
{
    struct collector *collector = data;
    struct locals *locals = collector->locals;
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    bool is_parameter = kind == CXCursor_ParmDecl && clang_getCursorKind(parent) == CXCursor_FunctionDecl;
    if (kind != CXCursor_VarDecl && !is_parameter)
        return CXChildVisit_Recurse;
    const char *name = source_name(collector->arena, cursor);
    const char *type = type_without_const(collector->arena, clang_getCursorType(cursor));
    struct local *same = (struct local *)locals_find(locals, name);
    if (same) {
        same->declarations++;
        same->type = arena_format(collector->arena, "%s; %s", same->type, type);
        return CXChildVisit_Recurse;
    }
    locals->list = array_reserve(locals->list, &locals->capacity, locals->count + 1, sizeof *locals->list);
    locals->list[locals->count++] =
        (struct local){.name = name,
                       .type = type,
                       .written = source_type(collector->arena, clang_getCursorType(cursor)),
                       .alias = name,
                       .cursor = cursor,
                       .declarations = 1,
                       .is_parameter = is_parameter};
    return CXChildVisit_Recurse;
}

/* ---- which is which ---- */

static const char *text_of(const struct tree *tree, size_t word)
{
    return word < tree->word_count ? token_text(tree->version, &tree->version->tokens[tree->words[word].token]) : "";
}

static bool is_name(const struct tree *tree, size_t word, const char *name)
{
    size_t token = tree->words[word].token;
    return token_is_name(tree->version, token) && token_is(tree->version, &tree->version->tokens[token], name);
}

static bool uses(const struct tree *tree, const char *name)
{
    for (size_t i = 0; i < tree->word_count; i++)
        if (is_name(tree, i, name))
            return true;
    return false;
}

/* How often the name stands between the same two words; `uses` is how often it stands anywhere. */
static double likeness(const struct tree *old, const char *one, const struct tree *new, const char *other)
{
    size_t alike = 0, old_uses = 0, new_uses = 0;
    char *taken = calloc(new->word_count + 1, 1);
    for (size_t k = 0; k < new->word_count; k++)
        new_uses += is_name(new, k, other);
    for (size_t i = 1; i < old->word_count; i++) {
        if (!is_name(old, i, one))
            continue;
        old_uses++;
        for (size_t k = 1; k < new->word_count; k++) {
            if (taken[k] || !is_name(new, k, other) || strcmp(text_of(old, i - 1), text_of(new, k - 1)) ||
                strcmp(text_of(old, i + 1), text_of(new, k + 1)))
                continue;
            taken[k] = 1;
            alike++;
            break;
        }
    }
    free(taken);
    size_t most = old_uses > new_uses ? old_uses : new_uses;
    return most ? (double)alike / (double)most : 0;
}

/* Whether a macro that is the same in both versions says the name: the macro cannot be told that it changed. */
static bool is_in_macro(const struct comparison *comparison, const struct tree *old, const char *name)
{
    for (size_t i = 0; i < old->word_count; i++) {
        const struct macro *macro = version_macro(old->version, text_of(old, i));
        if (!macro || words_have(&comparison->macros, macro->name))
            continue;
        for (size_t k = macro->first_token + 1; k < macro->end_token; k++)
            if (token_is(old->version, &old->version->tokens[k], name))
                return true;
    }
    return false;
}

static struct local *find_renamed(const struct names *names, const struct local *local, const struct tree *old,
                                  const struct tree *new)
{
    struct local *best = NULL;
    double best_likeness = 0.49;
    for (size_t i = 0; i < names->new.count; i++) {
        struct local *other = &names->new.list[i];
        if (locals_find(&names->old, other->name) || strcmp(other->type, local->type) || other->is_parameter ||
            uses(old, other->name) || other->is_retyped /* taken */)
            continue;
        double here = likeness(old, local->name, new, other->name);
        if (here > best_likeness) {
            best_likeness = here;
            best = other;
        }
    }
    return best;
}

static bool measures(const struct tree *tree, const char *name)
{
    for (size_t i = 1; i + 1 < tree->word_count; i++)
        if (is_name(tree, i, name) &&
            (tree_word_is(tree, i - 1, "sizeof") || (i > 1 && tree_word_is(tree, i - 2, "sizeof"))))
            return true;
    return false;
}

/* `char b[5]` and `char b[2]`: one array with a size for each version will do, unless somebody asks for its size. */
static bool is_resized(struct arena *arena, const struct local *old, const struct local *new)
{
    CXType one = clang_getCursorType(old->cursor), other = clang_getCursorType(new->cursor);
    return old->declarations == 1 && new->declarations == 1 &&
           !old->is_parameter &&one.kind == CXType_ConstantArray &&other.kind == CXType_ConstantArray &&
           !strcmp(source_type(arena, clang_getCanonicalType(clang_getArrayElementType(one))),
                   source_type(arena, clang_getCanonicalType(clang_getArrayElementType(other))));
}

/* Whether one of the types' names is among the words of a type. */
bool type_is_split(const struct comparison *comparison, const char *type)
{
    for (size_t i = 0; i < comparison->types.count; i++) {
        const char *name = comparison->types.list[i], *at = strstr(type, name);
        for (; at; at = strstr(at + 1, name)) {
            char before = at > type ? at[-1] : ' ', after = at[strlen(name)];
            if (!isalnum((unsigned char)before) && before != '_' && !isalnum((unsigned char)after) && after != '_')
                return true;
        }
    }
    return false;
}

/* A parameter that has another type in the new version is converted to a variable of its own type. */
static void convert_parameter(struct arena *arena, const struct comparison *comparison, struct local *old,
                              const struct local *new)
{
    if (!strcmp(old->type, new->type) && !type_is_split(comparison, old->type) &&
        !type_is_split(comparison, old->written))
        return;
    old->is_converted = true;
    old->alias = arena_format(arena, "%s__old", new->name);
}

static const char *match_parameters(struct names *names, const struct comparison *comparison, const struct tree *old,
                                    const struct tree *new)
{
    struct arena *arena = comparison->arena;
    int count = clang_Cursor_getNumArguments(old->piece->cursor);
    for (int i = 0; i < count; i++) {
        const char *one = source_name(arena, clang_Cursor_getArgument(old->piece->cursor, (unsigned)i));
        const char *other = source_name(arena, clang_Cursor_getArgument(new->piece->cursor, (unsigned)i));
        struct local *local = (struct local *)locals_find(&names->old, one);
        if (!strcmp(one, other) && *one)
            convert_parameter(arena, comparison, local, locals_find(&names->new, other));
        if (!strcmp(one, other) || !*one)
            continue;
        if (!*other)
            return uses(old, one) ? "a parameter that has no name in the new version" : NULL;
        if (locals_find(&names->old, other) || uses(old, other))
            return "parameters that exchange their names";
        local->alias = other;
        names->renamed++;
        convert_parameter(arena, comparison, local, locals_find(&names->new, other));
    }
    return NULL;
}

static const char *match_locals(struct names *names, const struct comparison *comparison, const struct tree *old,
                                const struct tree *new)
{
    struct arena *arena = comparison->arena;
    for (size_t i = 0; i < names->old.count; i++) {
        struct local *local = &names->old.list[i];
        struct local *same = (struct local *)locals_find(&names->new, local->name);
        if (!*local->name || strcmp(local->alias, local->name) || (local->is_parameter && same && same->is_parameter))
            continue;
        bool is_split = type_is_split(comparison, local->type) || type_is_split(comparison, local->written);
        if (same && !is_split && !strcmp(same->type, local->type) && same->is_parameter == local->is_parameter)
            continue;
        if (same && is_resized(arena, local, same) && !measures(old, local->name) && !measures(new, local->name)) {
            local->is_resized = same->is_resized = true;
            continue;
        }
        bool is_fixed = same || is_split || is_in_macro(comparison, old, local->name);
        struct local *renamed = is_fixed ? NULL : find_renamed(names, local, old, new);
        if (renamed) {
            local->alias = renamed->name;
            renamed->is_retyped = true;
            names->renamed++;
        } else if (same || uses(new, local->name)) {
            local->alias = arena_format(arena, "%s__old", local->name);
            local->is_retyped = same != NULL;
        }
    }
    for (size_t i = 0; i < names->new.count; i++) {
        struct local *local = &names->new.list[i];
        local->is_retyped = false;
        if (*local->name && !locals_find(&names->old, local->name) && uses(old, local->name))
            return arena_format(arena, "'%s', which is a local variable only in the new version", local->name);
    }
    return NULL;
}

/* ---- macros ---- */

static bool is_called_otherwise(const struct names *names, const char *name)
{
    const struct local *local = locals_find(&names->old, name);
    return local && strcmp(local->alias, name);
}

/* Whether it says a variable that is called something else, itself or by other macros; those that do are kept. */
static bool collect_macro(struct names *names, const struct version *old, const struct macro *macro, struct words *seen)
{
    if (words_have(seen, macro->name))
        return words_have(&names->macros, macro->name);
    words_add(seen, macro->name);
    bool says = false;
    for (size_t i = macro->first_token + 1; i < macro->end_token; i++) {
        const char *text = token_is_name(old, i) ? token_text(old, &old->tokens[i]) : "";
        const struct macro *inner = version_macro(old, text);
        if (is_called_otherwise(names, text) || (inner && collect_macro(names, old, inner, seen)))
            says = true;
    }
    if (says && macro->definition_count == 1)
        words_add(&names->macros, macro->name);
    return says;
}

static void collect_macros(struct names *names, const struct tree *old)
{
    struct words seen = {0};
    for (size_t i = 0; i < old->word_count; i++) {
        const struct macro *macro = version_macro(old->version, text_of(old, i));
        if (macro)
            collect_macro(names, old->version, macro, &seen);
    }
    words_free(&seen);
}

/* ---- spellings ---- */

static const char *old_spelling(const struct names *names, const struct comparison *comparison, const struct tree *old,
                                size_t word)
{
    size_t token = old->words[word].token;
    const char *text = text_of(old, word);
    if (!token_is_name(old->version, token))
        return text;
    const struct local *local = locals_find(&names->old, text);
    if (local)
        return local->alias;
    bool is_another = words_have(&comparison->differing, text) || words_have(&names->macros, text);
    return is_another ? arena_format(comparison->arena, "%s__old", text) : text;
}

/* Names that a definition of the new version would take over. */
static const char *find_captured(const struct names *names, const struct comparison *comparison, const struct tree *old)
{
    for (size_t i = 0; i < old->word_count; i++) {
        const char *text = text_of(old, i);
        if (!token_is_name(old->version, old->words[i].token) || !words_have(&comparison->macros, text))
            continue;
        if (!version_macro(comparison->old, text) || locals_find(&names->old, text))
            return arena_format(comparison->arena, "'%s', which is a macro only in the new version", text);
    }
    return NULL;
}

static size_t number_of(struct set *numbers, const char *spelling)
{
    size_t length = strlen(spelling), number = set_find(numbers, spelling, length);
    set_add(numbers, spelling, length);
    return number;
}

const char *names_settle(struct names *names, const struct comparison *comparison, struct tree *old, struct tree *new)
{
    struct collector before = {comparison->arena, &names->old}, after = {comparison->arena, &names->new};
    clang_visitChildren(old->piece->cursor, add_local, &before);
    clang_visitChildren(new->piece->cursor, add_local, &after);
    const char *obstacle = match_parameters(names, comparison, old, new);
    if (!obstacle)
        obstacle = match_locals(names, comparison, old, new);
    if (!obstacle)
        obstacle = find_captured(names, comparison, old);
    if (obstacle)
        return obstacle;
    collect_macros(names, old);
    struct set *numbers = set_create();
    for (size_t i = 0; i < old->word_count; i++) {
        old->words[i].spelling = old_spelling(names, comparison, old, i);
        old->words[i].id = number_of(numbers, old->words[i].spelling);
    }
    for (size_t i = 0; i < new->word_count; i++) {
        new->words[i].spelling = text_of(new, i);
        new->words[i].id = number_of(numbers, new->words[i].spelling);
    }
    set_destroy(numbers);
    return NULL;
}

const char **names_renamed(const struct names *names, struct arena *arena)
{
    const char **renamed = arena_allocate(arena, (2 * (names->old.count + names->macros.count) + 1) * sizeof *renamed);
    size_t count = 0;
    for (size_t i = 0; i < names->old.count; i++) {
        const struct local *local = &names->old.list[i];
        if (!strcmp(local->name, local->alias))
            continue;
        renamed[count++] = local->name;
        renamed[count++] = local->alias;
    }
    for (size_t i = 0; i < names->macros.count; i++) {
        renamed[count++] = names->macros.list[i];
        renamed[count++] = arena_format(arena, "%s__old", names->macros.list[i]);
    }
    renamed[count] = NULL;
    return renamed;
}

void names_free(struct names *names)
{
    free(names->old.list), free(names->new.list);
    words_free(&names->macros);
}
