/* Rules of extension, extraction and concatenation.
 *
 * The canonical form of a value that is put together from parts is nested to the right, highest part outside:
 * concat(b3, concat(b2, concat(b1, b0))). The first operand of a concat is never a concat, neighbouring parts of one
 * value are one part, neighbouring constants one constant, and zeros at the top are a zero extension. */
#include "expr/simplify.h"

/* An extension of a choice between constants is a choice between extended constants; likewise an extraction. */
static bool apply_to_choice(struct expr_table *table, struct draft *draft)
{
    uint64_t on_true, on_false;
    if (!is_constant_choice(table, draft->a, &on_true, &on_false))
        return false;
    const struct expr *choice = node_of(table, draft->a);
    on_true = pn_operation_value(draft->operation, draft->width, choice->width, on_true, draft->b, 0);
    on_false = pn_operation_value(draft->operation, draft->width, choice->width, on_false, draft->b, 0);
    return become_ite(draft, choice->a, expr_constant(table, draft->width, on_true),
                      expr_constant(table, draft->width, on_false));
}

bool simplify_zext(struct expr_table *table, struct draft *draft)
{
    const struct expr *a = node_of(table, draft->a);
    if (a->operation == PN_ZEXT)
        return become_unary(draft, PN_ZEXT, a->a);
    return apply_to_choice(table, draft);
}

bool simplify_sext(struct expr_table *table, struct draft *draft)
{
    const struct expr *a = node_of(table, draft->a);
    if (a->operation == PN_ZEXT || a->operation == PN_SEXT)
        return become_unary(draft, a->operation, a->a);
    return apply_to_choice(table, draft);
}

/* Extraction: draft->a is the whole, draft->b the lowest bit */

typedef bool extract_rule(struct expr_table *table, struct draft *draft, const struct expr *whole);

static bool extract_of_extract(struct expr_table *table, struct draft *draft, const struct expr *whole)
{
    (void)table;
    return become_extract(draft, whole->a, draft->b + whole->b);
}

static bool extract_of_extension(struct expr_table *table, struct draft *draft, const struct expr *whole)
{
    unsigned narrow = width_of(table, whole->a), lowest = draft->b;
    if (lowest + draft->width <= narrow)
        return become_extract(draft, whole->a, lowest);
    if (lowest >= narrow && whole->operation == PN_ZEXT)
        return become_constant(table, draft, 0);
    if (lowest >= narrow)
        lowest = narrow - 1; /* copies of the sign */
    return become_unary(draft, whole->operation, expr_make(table, PN_EXTRACT, narrow - lowest, whole->a, lowest, 0));
}

static bool extract_of_concat(struct expr_table *table, struct draft *draft, const struct expr *whole)
{
    unsigned low_width = width_of(table, whole->b), lowest = draft->b;
    if (lowest >= low_width)
        return become_extract(draft, whole->a, lowest - low_width);
    if (lowest + draft->width <= low_width)
        return become_extract(draft, whole->b, lowest);
    expr_id low = expr_make(table, PN_EXTRACT, low_width - lowest, whole->b, lowest, 0);
    expr_id high = expr_make(table, PN_EXTRACT, lowest + draft->width - low_width, whole->a, 0, 0);
    return become_binary(draft, PN_CONCAT, high, low);
}

/* A part of a value shifted by a constant is another part of the value, as far as it goes. */
static bool extract_of_right_shift(struct expr_table *table, struct draft *draft, const struct expr *whole)
{
    uint64_t distance;
    if (!expr_is_constant(table, whole->b, &distance) || distance + draft->b + draft->width > whole->width ||
        distance > whole->width)
        return false;
    return become_extract(draft, whole->a, draft->b + (unsigned)distance);
}

static bool extract_of_left_shift(struct expr_table *table, struct draft *draft, const struct expr *whole)
{
    uint64_t distance;
    if (!expr_is_constant(table, whole->b, &distance) || distance > whole->width)
        return false;
    if (distance <= draft->b)
        return become_extract(draft, whole->a, draft->b - (unsigned)distance);
    return draft->b + draft->width <= distance && become_constant(table, draft, 0);
}

static bool is_constant_or_extension(const struct expr_table *table, expr_id id, unsigned at_most)
{
    const struct expr *expr = node_of(table, id);
    if (expr->operation == PN_CONSTANT)
        return true;
    return (expr->operation == PN_ZEXT || expr->operation == PN_SEXT) && width_of(table, expr->a) <= at_most;
}

/* Bits of a bitwise operation, and low bits of a sum or a product, need only these bits of the operands: C's arithmetic
 * on small types is done in int and cut again. */
static bool extract_of_bitwise(struct expr_table *table, struct draft *draft, const struct expr *whole)
{
    if (!is_constant_or_extension(table, whole->a, whole->width) ||
        !is_constant_or_extension(table, whole->b, whole->width))
        return false;
    expr_id a = expr_make(table, PN_EXTRACT, draft->width, whole->a, draft->b, 0);
    expr_id b = expr_make(table, PN_EXTRACT, draft->width, whole->b, draft->b, 0);
    return become_binary(draft, whole->operation, a, b);
}

static bool extract_of_arithmetic(struct expr_table *table, struct draft *draft, const struct expr *whole)
{
    if (draft->b != 0 || !is_constant_or_extension(table, whole->a, draft->width) ||
        !is_constant_or_extension(table, whole->b, draft->width))
        return false;
    return extract_of_bitwise(table, draft, whole);
}

static extract_rule *const extract_rules[PN_OPERATION_COUNT] = {
    [PN_EXTRACT] = extract_of_extract, [PN_ZEXT] = extract_of_extension,   [PN_SEXT] = extract_of_extension,
    [PN_CONCAT] = extract_of_concat,   [PN_LSHR] = extract_of_right_shift, [PN_ASHR] = extract_of_right_shift,
    [PN_SHL] = extract_of_left_shift,  [PN_AND] = extract_of_bitwise,      [PN_OR] = extract_of_bitwise,
    [PN_XOR] = extract_of_bitwise,     [PN_ADD] = extract_of_arithmetic,   [PN_SUB] = extract_of_arithmetic,
    [PN_MUL] = extract_of_arithmetic,
};

bool simplify_extract(struct expr_table *table, struct draft *draft)
{
    const struct expr *whole = node_of(table, draft->a);
    extract_rule *rule = extract_rules[whole->operation];
    return rule ? rule(table, draft, whole) : apply_to_choice(table, draft);
}

/* Concatenation: draft->a is the high part, draft->b the low part */

/* One part that is equal to both, or 0: neighbouring parts of one value, or constants. */
static expr_id joined(struct expr_table *table, expr_id high, expr_id low)
{
    const struct expr *a = node_of(table, high), *b = node_of(table, low);
    unsigned width = a->width + b->width;
    if (a->operation == PN_CONSTANT && b->operation == PN_CONSTANT)
        return expr_constant(table, width, a->value << b->width | b->value);
    if (a->operation == PN_EXTRACT && b->operation == PN_EXTRACT && a->a == b->a && a->b == b->b + b->width)
        return expr_make(table, PN_EXTRACT, width, a->a, b->b, 0);
    return 0;
}

static bool join_with_low(struct expr_table *table, struct draft *draft)
{
    const struct expr *low = node_of(table, draft->b);
    expr_id whole = joined(table, draft->a, draft->b);
    if (whole)
        return become(draft, whole);
    if (low->operation == PN_CONCAT) {
        expr_id part = joined(table, draft->a, low->a);
        return part && become_binary(draft, PN_CONCAT, part, low->b);
    }
    if (low->operation == PN_ZEXT && is_operation(table, draft->a, PN_CONSTANT)) {
        unsigned narrow = width_of(table, low->a);
        uint64_t high = node_of(table, draft->a)->value << (low->width - narrow);
        return become_binary(draft, PN_CONCAT, expr_constant(table, draft->width - narrow, high), low->a);
    }
    return false;
}

/* Copies of the low part's sign above it extend it. */
static bool join_sign(struct expr_table *table, struct draft *draft)
{
    const struct expr *high = node_of(table, draft->a), *low = node_of(table, draft->b);
    const struct expr *sign = high->operation == PN_SEXT ? node_of(table, high->a) : high;
    if (sign->width != 1 || sign->operation != PN_EXTRACT || sign->b != width_of(table, sign->a) - 1)
        return false;
    expr_id extended = low->operation == PN_SEXT ? low->a : draft->b;
    return extended == sign->a && become_unary(draft, PN_SEXT, extended);
}

bool simplify_concat(struct expr_table *table, struct draft *draft)
{
    const struct expr *high = node_of(table, draft->a);
    unsigned low_width = width_of(table, draft->b);
    if (high->operation == PN_CONCAT) {
        expr_id low = expr_make(table, PN_CONCAT, width_of(table, high->b) + low_width, high->b, draft->b, 0);
        return become_binary(draft, PN_CONCAT, high->a, low);
    }
    if (high->operation == PN_ZEXT) {
        expr_id low = expr_make(table, PN_CONCAT, width_of(table, high->a) + low_width, high->a, draft->b, 0);
        return become_unary(draft, PN_ZEXT, low);
    }
    if (has_value(table, draft->a, 0))
        return become_unary(draft, PN_ZEXT, draft->b);
    return join_with_low(table, draft) || join_sign(table, draft);
}

/* An index is a number, however wide. */
bool simplify_lookup(struct expr_table *table, struct draft *draft)
{
    const struct expr *index = node_of(table, draft->a);
    if (index->operation != PN_ZEXT)
        return false;
    draft->a = index->a;
    return true;
}
