/* Expressions over the input bytes: the explorer's own, long-lived, hash-consed copy of what traces say, one version at
 * a time (no PN_SHADOW, PN_OLD, PN_NEW or PN_POINTER here). Equal expressions have equal ids, so conditions can be
 * compared and cached across runs. Children have smaller ids than their parents; nothing here recurses, because
 * expressions can be chains of 100,000 nodes. */
#ifndef PENUMBRA_EXPR_EXPR_H
#define PENUMBRA_EXPR_EXPR_H

#include "base/text.h"
#include "input/input.h"
#include "trace/operation.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint32_t expr_id; /* 0: none */

struct expr {
    uint8_t operation; /* enum pn_operation */
    uint8_t width;
    uint32_t a; /* a, b, c: children, or what the operation's row in trace/operation.h says */
    union {
        struct {
            uint32_t b, c;
        };
        uint64_t value; /* of a constant, which has no children */
    };
};

/* How many of a, b, c are children. */
extern const uint8_t expr_arity[PN_OPERATION_COUNT];

static inline expr_id expr_child(const struct expr *expr, unsigned index)
{
    return index == 0 ? expr->a : index == 1 ? expr->b : expr->c;
}

struct expr_table;

struct expr_table *expr_table_create(void);
void expr_table_destroy(struct expr_table *table);
/* Ids are below this number. */
size_t expr_count(const struct expr_table *table);
/* The pointer stays valid as long as the table. */
const struct expr *expr_get(const struct expr_table *table, expr_id id);

expr_id expr_constant(struct expr_table *table, unsigned width, uint64_t value);
expr_id expr_input(struct expr_table *table, uint32_t byte);
/* Any operation on existing children, simplified while it is built. */
expr_id expr_make(struct expr_table *table, enum pn_operation operation, unsigned width, uint32_t a, uint32_t b,
                  uint32_t c);
/* Negation of a condition (width 1). */
expr_id expr_not(struct expr_table *table, expr_id condition);
expr_id expr_and(struct expr_table *table, expr_id a, expr_id b);
expr_id expr_or(struct expr_table *table, expr_id a, expr_id b);
/* "This signed addition, subtraction or multiplication does not overflow", for operands of equal width. */
expr_id expr_no_signed_overflow(struct expr_table *table, enum pn_operation operation, expr_id a, expr_id b);

/* A table of constants, for PN_LOOKUP: equal ones have equal numbers. */
struct expr_constants {
    const uint64_t *values;
    uint32_t count;
    uint32_t hash;
};
uint32_t expr_add_constants(struct expr_table *table, const uint64_t *values, uint32_t count);
const struct expr_constants *expr_constants(const struct expr_table *table, uint32_t number);
static inline uint64_t expr_look_up(const struct expr_constants *constants, uint64_t index)
{
    return index < constants->count ? constants->values[index] : 0;
}

bool expr_is_constant(const struct expr_table *table, expr_id id, uint64_t *value);

/* The value under an input; bytes past `size` are zero. */
uint64_t expr_evaluate(struct expr_table *table, expr_id id, const uint8_t *input, size_t size);

/* The values of several expressions; what they share is computed once. */
void expr_evaluate_all(struct expr_table *table, const expr_id *ids, size_t count, const uint8_t *input, size_t size,
                       uint64_t *values);
/* Whether all conditions hold; evaluates them in order, up to the first that does not. */
bool expr_all_hold(struct expr_table *table, const expr_id *conditions, size_t count, const uint8_t *input,
                   size_t size);
/* The value in the latest evaluation, whose input must still be there as it was. */
uint64_t expr_evaluate_too(struct expr_table *table, expr_id id);
/* How many expressions were looked at in all evaluations so far: a measure of work that no clock disturbs. */
uint64_t expr_evaluation_work(const struct expr_table *table);

/* Ascending: children before their parents. */
void expr_sort(expr_id *ids, size_t count);

/* Whether the expression is a variable: exactly some input bytes from `first` on, little-endian. */
bool expr_is_variable(const struct expr_table *table, expr_id id, uint32_t *first);

/* Whether an operation on floating-point numbers is in the expression. */
bool expr_has_floating(const struct expr_table *table, expr_id id);

/* The input bytes an expression depends on, ascending; computed once per expression. The array belongs to the table and
 * stays valid; equal sets are the same array. */
const uint32_t *expr_support(struct expr_table *table, expr_id id, size_t *count);

/* The same as a set of bits, one for each byte; false when it depends on bytes past the first 64. */
bool expr_support_mask(struct expr_table *table, expr_id id, uint64_t *mask);

/* Appends the expression as a person would write it, in C-like infix with the inputs' names (`x - 8 < 4`,
 * `s[2] == 'a'`). Long expressions are cut with `...`. */
void expr_print(struct expr_table *table, expr_id id, const struct input_layout *layout, struct text *text);

/* Writes conditions as C. It remembers what it wrote of every expression: conditions share most of theirs. The layout
 * may get more parameters meanwhile. */
struct expr_writer;
struct expr_writer *expr_writer_create(struct expr_table *table, const struct input_layout *layout);
void expr_writer_destroy(struct expr_writer *writer);
/* Appends "all of these conditions hold" as one GNU C expression over the inputs' names, exact to the bit. */
void expr_write_c(struct expr_writer *writer, const expr_id *conditions, size_t count, struct text *text);
/* Appends a value in the same way, as a uint64_t of which the upper bits are zero. */
void expr_write_c_value(struct expr_writer *writer, expr_id value, struct text *text);

#endif
