/* Bytes of the input of which a path's conditions leave one value, put into its other conditions: beside `length == 2`,
 * `s[length - 1] == 'x'` is `s[1] == 'x'`. */
#ifndef PENUMBRA_EXPLORE_KNOWN_H
#define PENUMBRA_EXPLORE_KNOWN_H

#include "base/arena.h"
#include "expr/values.h"

struct known {
    uint8_t *values; /* by byte of the input */
    bool *is_known;
    size_t capacity, count; /* count: of those that are known */
    uint64_t work;          /* expressions that were looked at, in all */
};

void known_free(struct known *known);
void known_clear(struct known *known);
/* The element has the set's only value, if there is but one. */
void known_add(struct known *known, const struct element *element, const struct value_set *set);
/* The condition itself where nothing in it is known, or where it is too large. */
expr_id known_put(struct known *known, struct expr_table *table, expr_id condition);

#endif
