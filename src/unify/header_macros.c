#include "unify/header_macros.h"

#include <stdlib.h>
#include <string.h>

/* All definitions of one macro, in a version's order. */
struct definitions {
    const struct header_macro **list;
    size_t count, capacity;
};

static struct definitions definitions_of(const struct version *version, const char *name)
{
    struct definitions found = {0};
    for (size_t i = 0; i < version->header_macro_count; i++) {
        if (strcmp(version->header_macros[i].name, name))
            continue;
        found.list = array_reserve(found.list, &found.capacity, found.count + 1, sizeof *found.list);
        found.list[found.count++] = &version->header_macros[i];
    }
    return found;
}

static bool are_same(const struct definitions *old, const struct definitions *new)
{
    bool same = old->count == new->count;
    for (size_t i = 0; i < old->count && same; i++)
        same = !strcmp(old->list[i]->tokens, new->list[i]->tokens);
    return same;
}

static size_t count_before(const struct definitions *definitions, const struct piece *piece)
{
    size_t count = 0;
    while (count < definitions->count && definitions->list[count]->line < piece->line)
        count++;
    return count;
}

/* A piece of the old version alone comes to stand between those beside it, wherever that is. */
static bool is_defined_beside(const struct definitions *definitions, const struct version *old, size_t piece)
{
    size_t count = count_before(definitions, &old->pieces[piece]);
    return (piece > 0 && count_before(definitions, &old->pieces[piece - 1]) != count) ||
           (piece + 1 < old->piece_count && count_before(definitions, &old->pieces[piece + 1]) != count);
}

static bool are_at_corresponding_places(const struct version *old, const struct definitions *before,
                                        const struct definitions *after)
{
    for (size_t i = 0; i < old->piece_count; i++) {
        const struct piece *piece = &old->pieces[i];
        if (piece->other ? count_before(before, piece) != count_before(after, piece->other)
                         : is_defined_beside(before, old, i))
            return false;
    }
    return true;
}

bool header_macros_differ(const struct version *old, const struct version *new, const struct header_macro *one,
                          const struct header_macro *other)
{
    if (strcmp(one->name, other->name) || !strcmp(one->tokens, other->tokens))
        return false;
    struct definitions before = definitions_of(old, one->name), after = definitions_of(new, one->name);
    bool differ = !are_same(&before, &after) || !are_at_corresponding_places(old, &before, &after);
    free(before.list), free(after.list);
    return differ;
}
