/* Independence: conditions that share no input byte, neither directly nor through others, can be solved apart. */
#ifndef PENUMBRA_SOLVE_SLICE_H
#define PENUMBRA_SOLVE_SLICE_H

#include "expr/expr.h"

/* Conditions that hang together. The arrays belong to the slicer and are valid until the next slice. */
struct component {
    expr_id *conditions; /* those that the hint violates first: they fail soonest */
    expr_id *key;        /* the same, ascending */
    size_t count;
    bool has_mask; /* it reads only bytes below 64, and `mask` has a bit for each */
    uint64_t mask;
};

struct slicer;

struct slicer *slicer_create(struct expr_table *table);
void slicer_destroy(struct slicer *slicer);

/* Groups distinct conditions, none of them constant, and returns the groups that contain a violated one. */
const struct component *slice(struct slicer *slicer, const expr_id *conditions, const uint64_t *holds, size_t count,
                              size_t *component_count);
/* The group of one goal among conditions that hold: only its key, count and mask. NULL where a condition reads bytes
 * past the first 64. */
const struct component *slice_around(struct slicer *slicer, const expr_id *conditions, size_t count, expr_id goal);

/* Input bytes; zero-initialised is empty. The owner frees `bytes`. */
struct byte_list {
    uint32_t *bytes;
    size_t count, capacity;
};

/* Makes it the bytes that the component reads, ascending. */
void list_component_bytes(struct byte_list *list, struct expr_table *table, const struct component *component);
/* Makes it the bytes that the conditions read, ascending. */
void list_bytes(struct byte_list *list, struct expr_table *table, const expr_id *conditions, size_t count);

#endif
