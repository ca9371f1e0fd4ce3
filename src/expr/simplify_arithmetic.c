/* Rules of addition, multiplication, division and shifts. A constant that is subtracted becomes a negative one that is
 * added, so that chains of both collapse. */
#include "expr/simplify.h"

static uint64_t negated(uint64_t value, unsigned width)
{
    return (0 - value) & pn_mask(width);
}

bool simplify_merge_constants(struct expr_table *table, struct draft *draft, uint64_t constant)
{
    uint64_t inner;
    if (!has_constant_right(table, draft->a, draft->operation, &inner))
        return false;
    uint64_t merged = pn_operation_value(draft->operation, draft->width, draft->width, inner, constant, 0);
    return become_binary(draft, draft->operation, node_of(table, draft->a)->a,
                         expr_constant(table, draft->width, merged));
}

/* x - y or y - x with y constant: whether `id` is the latter. */
static bool is_constant_minus(const struct expr_table *table, expr_id id, uint64_t *constant)
{
    const struct expr *expr = node_of(table, id);
    return expr->operation == PN_SUB && expr_is_constant(table, expr->a, constant);
}

bool simplify_add(struct expr_table *table, struct draft *draft)
{
    uint64_t constant, inner;
    if (draft->width == 1)
        return become_binary(draft, PN_XOR, draft->a, draft->b);
    if (!expr_is_constant(table, draft->b, &constant))
        return false;
    if (constant == 0)
        return become(draft, draft->a);
    if (is_constant_minus(table, draft->a, &inner))
        return become_binary(draft, PN_SUB, expr_constant(table, draft->width, inner + constant),
                             node_of(table, draft->a)->b);
    return simplify_merge_constants(table, draft, constant);
}

/* c - y */
static bool subtract_from_constant(struct expr_table *table, struct draft *draft, uint64_t constant)
{
    uint64_t inner;
    const struct expr *b = node_of(table, draft->b);
    if (has_constant_right(table, draft->b, PN_ADD, &inner))
        return become_binary(draft, PN_SUB, expr_constant(table, draft->width, constant - inner), b->a);
    if (is_constant_minus(table, draft->b, &inner))
        return become_binary(draft, PN_ADD, b->b, expr_constant(table, draft->width, constant - inner));
    return false;
}

/* What an expression is when a constant that is added to it is left out. */
static expr_id without_offset(const struct expr_table *table, expr_id id, uint64_t *offset)
{
    *offset = 0;
    return has_constant_right(table, id, PN_ADD, offset) ? node_of(table, id)->a : id;
}

bool simplify_sub(struct expr_table *table, struct draft *draft)
{
    uint64_t constant, offset_a, offset_b;
    if (draft->width == 1)
        return become_binary(draft, PN_XOR, draft->a, draft->b);
    if (expr_is_constant(table, draft->b, &constant))
        return become_binary(draft, PN_ADD, draft->a,
                             expr_constant(table, draft->width, negated(constant, draft->width)));
    if (expr_is_constant(table, draft->a, &constant))
        return subtract_from_constant(table, draft, constant);
    if (without_offset(table, draft->a, &offset_a) == without_offset(table, draft->b, &offset_b))
        return become_constant(table, draft, offset_a - offset_b);
    const struct expr *a = node_of(table, draft->a);
    if (a->operation == PN_ADD && (a->a == draft->b || a->b == draft->b))
        return become(draft, a->a == draft->b ? a->b : a->a);
    return false;
}

static bool become_opposite(struct expr_table *table, struct draft *draft)
{
    return become_binary(draft, PN_SUB, expr_constant(table, draft->width, 0), draft->a);
}

bool simplify_mul(struct expr_table *table, struct draft *draft)
{
    uint64_t constant;
    if (draft->width == 1)
        return become_binary(draft, PN_AND, draft->a, draft->b);
    if (!expr_is_constant(table, draft->b, &constant))
        return false;
    if (constant == 0)
        return become(draft, draft->b);
    if (constant == 1)
        return become(draft, draft->a);
    if (constant == pn_mask(draft->width))
        return become_opposite(table, draft);
    return simplify_merge_constants(table, draft, constant);
}

bool simplify_udiv(struct expr_table *table, struct draft *draft)
{
    if (has_value(table, draft->b, 0))
        return become_constant(table, draft, UINT64_MAX);
    return has_value(table, draft->b, 1) && become(draft, draft->a);
}

bool simplify_sdiv(struct expr_table *table, struct draft *draft)
{
    if (draft->width == 1)
        return false; /* there, 1 is the negative one */
    if (has_value(table, draft->b, pn_mask(draft->width)))
        return become_opposite(table, draft);
    return has_value(table, draft->b, 1) && become(draft, draft->a);
}

bool simplify_urem(struct expr_table *table, struct draft *draft)
{
    if (has_value(table, draft->b, 0))
        return become(draft, draft->a);
    return has_value(table, draft->b, 1) && become_constant(table, draft, 0);
}

bool simplify_srem(struct expr_table *table, struct draft *draft)
{
    if (has_value(table, draft->b, pn_mask(draft->width)))
        return become_constant(table, draft, 0);
    return simplify_urem(table, draft);
}

/* Shifts */

static bool is_zero(const struct expr_table *table, expr_id id)
{
    return has_value(table, id, 0);
}

/* (x shift c1) shift c2; the sum stays below 128, `limit` is what any larger distance amounts to. */
static bool merge_distances(struct expr_table *table, struct draft *draft, uint64_t distance, unsigned limit)
{
    uint64_t inner;
    if (!has_constant_right(table, draft->a, draft->operation, &inner) || inner >= draft->width)
        return false;
    uint64_t sum = inner + distance < limit ? inner + distance : limit;
    if (sum > pn_mask(draft->width))
        return false;
    return become_binary(draft, draft->operation, node_of(table, draft->a)->a, expr_constant(table, draft->width, sum));
}

/* What logical shifts have in common; `distance` is set when it is constant and below the width. */
static bool simplify_logical_shift(struct expr_table *table, struct draft *draft, uint64_t *distance)
{
    *distance = 0;
    if (is_zero(table, draft->a) || is_zero(table, draft->b))
        return become(draft, draft->a);
    if (!expr_is_constant(table, draft->b, distance))
        return false;
    if (*distance >= draft->width)
        return become_constant(table, draft, 0);
    return merge_distances(table, draft, *distance, draft->width);
}

bool simplify_shl(struct expr_table *table, struct draft *draft)
{
    uint64_t distance;
    return simplify_logical_shift(table, draft, &distance);
}

bool simplify_lshr(struct expr_table *table, struct draft *draft)
{
    uint64_t distance;
    if (simplify_logical_shift(table, draft, &distance))
        return true;
    const struct expr *a = node_of(table, draft->a);
    if (distance == 0)
        return false;
    if (a->operation != PN_ZEXT)
        return simplify_shifted_part(table, draft, distance);
    unsigned narrow = width_of(table, a->a);
    if (distance >= narrow)
        return become_constant(table, draft, 0);
    return become_unary(draft, PN_ZEXT,
                        expr_make(table, PN_LSHR, narrow, a->a, expr_constant(table, narrow, distance), 0));
}

bool simplify_ashr(struct expr_table *table, struct draft *draft)
{
    uint64_t distance;
    if (is_zero(table, draft->a) || is_zero(table, draft->b))
        return become(draft, draft->a);
    if (is_operation(table, draft->a, PN_ZEXT)) /* the sign is 0 */
        return become_binary(draft, PN_LSHR, draft->a, draft->b);
    if (!expr_is_constant(table, draft->b, &distance))
        return false;
    if (distance >= draft->width)
        return become_binary(draft, PN_ASHR, draft->a, expr_constant(table, draft->width, draft->width - 1));
    return merge_distances(table, draft, distance, draft->width - 1) || simplify_shifted_part(table, draft, distance);
}
