#include "explore/condense.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_TOGETHER = 64 };

/* Conditions on one element, in their order. */
struct together {
    struct condensed *members[MOST_TOGETHER];
    size_t count;
    struct value_set values; /* that fulfil all of them */
};

static int compare_elements(const void *one, const void *other)
{
    const struct condensed *a = *(struct condensed *const *)one, *b = *(struct condensed *const *)other;
    if (a->element.first != b->element.first)
        return a->element.first < b->element.first ? -1 : 1;
    return a < b ? -1 : a > b;
}

/* Whether the others say as much. */
static bool is_implied(const struct together *together, size_t which)
{
    struct value_set rest = {.width = together->values.width, .count = 1};
    rest.intervals[0].high = pn_mask(rest.width);
    for (size_t i = 0; i < together->count; i++)
        if (i != which && together->members[i]->text && !values_intersect(&rest, together->members[i]->values, &rest))
            return false;
    return values_are_same(&rest, &together->values);
}

/* The longest first. */
static void leave_out_implied(struct together *together)
{
    bool is_kept[MOST_TOGETHER] = {0};
    for (size_t round = 0; round < together->count; round++) {
        size_t longest = MOST_TOGETHER;
        for (size_t i = 0; i < together->count; i++)
            if (together->members[i]->text && !is_kept[i] &&
                (longest == MOST_TOGETHER ||
                 strlen(together->members[i]->text) > strlen(together->members[longest]->text)))
                longest = i;
        if (longest == MOST_TOGETHER)
            return;
        is_kept[longest] = true;
        if (is_implied(together, longest))
            together->members[longest]->text = NULL;
    }
}

/* One for all that are left, if that is shorter; where the last of them stands. */
static void replace(struct together *together, struct arena *arena)
{
    struct text said = {0}, shorter = {0};
    struct condensed *last = NULL;
    for (size_t i = 0; i < together->count; i++)
        if (together->members[i]->text) {
            text_format(&said, "%s%s", last ? " && " : "", together->members[i]->text);
            last = together->members[i];
        }
    if (last && values_print(&together->values, &last->element, text_string(&said), &shorter) &&
        shorter.length < said.length) {
        for (size_t i = 0; i < together->count; i++)
            together->members[i]->text = NULL;
        last->text = arena_copy_string(arena, text_string(&shorter));
    }
    text_free(&said), text_free(&shorter);
}

static void condense_together(struct together *together, struct arena *arena)
{
    together->values = *together->members[0]->values;
    for (size_t i = 1; i < together->count; i++)
        if (!values_intersect(&together->values, together->members[i]->values, &together->values))
            return;
    leave_out_implied(together);
    replace(together, arena);
}

void condense(struct condensed *list, size_t count, struct arena *arena)
{
    struct condensed **sorted = malloc((count + 1) * sizeof *sorted);
    size_t known = 0;
    for (size_t i = 0; i < count; i++)
        if (list[i].values)
            sorted[known++] = &list[i];
    qsort(sorted, known, sizeof *sorted, compare_elements);
    for (size_t i = 0; i < known;) {
        struct together together = {0};
        uint32_t first = sorted[i]->element.first;
        for (; i < known && sorted[i]->element.first == first && together.count < MOST_TOGETHER; i++)
            together.members[together.count++] = sorted[i];
        condense_together(&together, arena);
    }
    free(sorted);
}
