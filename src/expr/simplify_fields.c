/* Values that shifts, masks and "or" put together of parts, as bit-fields and numbers read byte by byte are: they
 * become concatenations, from which a part is taken out again without a trace of the others. */
#include "expr/simplify.h"

enum { DEEPEST = 8 }; /* further down every bit may be set */

/* The bits that can be 1. */
static uint64_t possible_bits(const struct expr_table *table, expr_id id, unsigned depth)
{
    const struct expr *expr = node_of(table, id);
    uint64_t all = pn_mask(expr->width), distance;
    if (expr->operation == PN_CONSTANT)
        return expr->value;
    if (depth == DEEPEST)
        return all;
    uint64_t a = expr_arity[expr->operation] > 0 ? possible_bits(table, expr->a, depth + 1) : all;
    switch (expr->operation) {
    case PN_ZEXT: return a;
    case PN_EXTRACT: return a >> expr->b & all;
    case PN_CONCAT: return a << width_of(table, expr->b) | possible_bits(table, expr->b, depth + 1);
    case PN_AND: return a & possible_bits(table, expr->b, depth + 1);
    case PN_OR: return a | possible_bits(table, expr->b, depth + 1);
    case PN_SHL:
        return expr_is_constant(table, expr->b, &distance) && distance < expr->width ? a << distance & all : all;
    case PN_LSHR: return expr_is_constant(table, expr->b, &distance) && distance < expr->width ? a >> distance : all;
    default: return all;
    }
}

static expr_id part(struct expr_table *table, expr_id whole, unsigned lowest, unsigned width)
{
    return expr_make(table, PN_EXTRACT, width, whole, lowest, 0);
}

/* A concatenation; not an input of several bytes, which reads better whole. */
static bool is_put_together(const struct expr_table *table, expr_id id)
{
    uint32_t first;
    return is_operation(table, id, PN_CONCAT) && !expr_is_variable(table, id, &first);
}

/* The operation on a concatenation's parts, one by one. */
static bool split(struct expr_table *table, struct draft *draft, expr_id concat, expr_id other)
{
    const struct expr *whole = node_of(table, concat);
    unsigned low_width = width_of(table, whole->b), high_width = draft->width - low_width;
    expr_id high = whole->a, low = whole->b;
    high = expr_make(table, draft->operation, high_width, high, part(table, other, low_width, high_width), 0);
    low = expr_make(table, draft->operation, low_width, low, part(table, other, 0, low_width), 0);
    return become_binary(draft, PN_CONCAT, high, low);
}

static bool narrow(struct expr_table *table, struct draft *draft, expr_id extended, expr_id other)
{
    expr_id inner = node_of(table, extended)->a;
    unsigned width = width_of(table, inner);
    return become_unary(draft, PN_ZEXT,
                        expr_make(table, draft->operation, width, inner, part(table, other, 0, width), 0));
}

/* Operands that have no bit in common stand side by side. */
bool simplify_disjoint_or(struct expr_table *table, struct draft *draft)
{
    if (draft->width == 1)
        return false;
    expr_id low = draft->a, high = draft->b;
    uint64_t low_bits = possible_bits(table, low, 0), high_bits = possible_bits(table, high, 0);
    if (low_bits & high_bits || !low_bits || !high_bits)
        return false;
    if (low_bits > high_bits) {
        uint64_t bits = low_bits;
        low_bits = high_bits, high_bits = bits;
        low = draft->b, high = draft->a;
    }
    unsigned border = (unsigned)__builtin_ctzll(high_bits);
    if (low_bits < UINT64_C(1) << border)
        return become_binary(draft, PN_CONCAT, part(table, high, border, draft->width - border),
                             part(table, low, 0, border));
    if (is_put_together(table, high))
        return split(table, draft, high, low);
    if (is_put_together(table, low))
        return split(table, draft, low, high);
    expr_id zext = is_operation(table, high, PN_ZEXT) ? high : low;
    return is_operation(table, zext, PN_ZEXT) && high_bits <= pn_mask(width_of(table, node_of(table, zext)->a)) &&
           narrow(table, draft, zext, zext == high ? low : high);
}

/* A mask that leaves all there is to leave, or that leaves some parts and not others. */
bool simplify_mask(struct expr_table *table, struct draft *draft)
{
    uint64_t mask;
    if (draft->width == 1 || !expr_is_constant(table, draft->b, &mask))
        return false;
    if (!(possible_bits(table, draft->a, 0) & ~mask))
        return become(draft, draft->a);
    return is_put_together(table, draft->a) && split(table, draft, draft->a, draft->b);
}

/* x << 24 >> 28 is a part of x, and so is what is shifted out of a concatenation. */
bool simplify_shifted_part(struct expr_table *table, struct draft *draft, uint64_t distance)
{
    uint64_t left = 0;
    expr_id whole = draft->a;
    if (has_constant_right(table, draft->a, PN_SHL, &left))
        whole = node_of(table, draft->a)->a;
    else if (!is_put_together(table, draft->a))
        return false;
    if (left > distance || distance == 0 || distance >= draft->width)
        return false;
    expr_id bits = part(table, whole, (unsigned)(distance - left), draft->width - (unsigned)distance);
    return become_unary(draft, draft->operation == PN_ASHR ? PN_SEXT : PN_ZEXT, bits);
}
