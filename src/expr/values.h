/* Which values of one element of the input fulfil a condition that depends on nothing else, and how a person says that.
 * A set is a list of intervals of the element's bits, read as an unsigned number: exact, or there is none. */
#ifndef PENUMBRA_EXPR_VALUES_H
#define PENUMBRA_EXPR_VALUES_H

#include "expr/expr.h"

enum { VALUES_MOST = 32 };

struct value_set {
    unsigned width; /* bits of the element */
    size_t count;
    struct {
        uint64_t low, high;
    } intervals[VALUES_MOST]; /* ascending, with something between them */
};

/* An element of the input; `first` is its first byte. */
struct element {
    const struct input_parameter *parameter;
    size_t index;
    uint32_t first;
};

/* False where the condition depends on more than one element, or in a way that is not followed. */
bool values_of(struct expr_table *table, expr_id condition, const struct input_layout *layout, struct element *element,
               struct value_set *set);

bool values_are_all(const struct value_set *set);
bool values_are_same(const struct value_set *one, const struct value_set *other);
bool values_have(const struct value_set *set, uint64_t value);
/* False where that takes too many intervals. */
bool values_intersect(const struct value_set *one, const struct value_set *other, struct value_set *both);

/* Appends the shortest condition on the element that only these values fulfil: `x >= 3`, `s[0] == 'a'`,
 * `!isdigit(s[0])`. False where none is short. Numbers as `said` has them, the text that it would stand for. */
bool values_print(const struct value_set *set, const struct element *element, const char *said, struct text *text);

/* The name of an enumeration's constant; NULL: none has that value. */
const char *values_name(const struct input_parameter *parameter, unsigned width, uint64_t value);

/* The function of <ctype.h> that a value is, of an element that is a character; NULL: none. */
const char *values_function(struct expr_table *table, expr_id value, const struct input_layout *layout,
                            struct element *element);

#endif
