#include "explore/tolerance.h"

#include <string.h>

bool output_bytes_differ(const struct path_output *output)
{
    for (size_t i = 0; output->element && i < output->size; i += output->element) {
        uint64_t in_new = 0, in_old = 0;
        memcpy(&in_new, output->new_bytes + i, output->element);
        memcpy(&in_old, output->old_bytes + i, output->element);
        if (!pn_same_number(in_old, in_new, output->element * 8, output->tolerance))
            return true;
    }
    return !output->element && memcmp(output->new_bytes, output->old_bytes, output->size);
}

static expr_id is_nan(struct expr_table *table, expr_id id)
{
    return expr_not(table, expr_make(table, PN_FEQ, 1, id, id, 0));
}

static expr_id magnitude(struct expr_table *table, expr_id number)
{
    return expr_make(table, PN_AND, 64, number, expr_constant(table, 64, INT64_MAX), 0);
}

static expr_id constant(struct expr_table *table, double number)
{
    return expr_constant(table, 64, pn_double_bits(number));
}

static expr_id greater_of(struct expr_table *table, expr_id a, expr_id b)
{
    return expr_make(table, PN_ITE, 64, expr_make(table, PN_FLT, 1, a, b, 0), b, a);
}

/* What pn_same_number() computes, operation by operation. */
static expr_id is_within(struct expr_table *table, expr_id a, expr_id b, double tolerance)
{
    if (expr_get(table, a)->width == 32) {
        a = expr_make(table, PN_FCAST, 64, a, 0, 0);
        b = expr_make(table, PN_FCAST, 64, b, 0, 0);
    }
    expr_id apart = magnitude(table, expr_make(table, PN_FSUB, 64, a, b, 0));
    expr_id scale = greater_of(table, greater_of(table, magnitude(table, a), magnitude(table, b)), constant(table, 1));
    expr_id allowed = expr_make(table, PN_FMUL, 64, constant(table, tolerance), scale, 0);
    return expr_and(table, expr_make(table, PN_FLT, 1, apart, constant(table, __builtin_inf()), 0),
                    expr_make(table, PN_FLE, 1, apart, allowed, 0));
}

expr_id numbers_differ(struct expr_table *table, expr_id a, expr_id b, double tolerance)
{
    expr_id same = expr_make(table, PN_EQ, 1, a, b, 0);
    uint64_t known;
    if (expr_is_constant(table, same, &known) && known)
        return expr_not(table, same);
    same = expr_or(table, same, expr_and(table, is_nan(table, a), is_nan(table, b)));
    if (tolerance > 0) {
        same = expr_or(table, same, expr_make(table, PN_FEQ, 1, a, b, 0));
        same = expr_or(table, same, is_within(table, a, b, tolerance));
    }
    return expr_not(table, same);
}
