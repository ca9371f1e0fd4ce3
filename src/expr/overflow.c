/* "This signed operation does not overflow" as a condition. With a constant operand it is a range of the other one,
 * which people can read and every solver likes; otherwise it is asked in a wider type where there is one. */
#include "expr/table.h"

#include <assert.h>

struct operands {
    struct expr_table *table;
    unsigned width;
    expr_id a, b;
};

static int64_t least(unsigned width)
{
    return pn_signed(UINT64_C(1) << (width - 1), width);
}

static int64_t greatest(unsigned width)
{
    return (int64_t)(pn_mask(width) >> 1);
}

/* low <= id <= high, signed */
static expr_id in_range(struct expr_table *table, expr_id id, int64_t low, int64_t high)
{
    unsigned width = expr_get(table, id)->width;
    expr_id above = expr_make(table, PN_SLE, 1, expr_constant(table, width, (uint64_t)low), id, 0);
    expr_id below = expr_make(table, PN_SLE, 1, id, expr_constant(table, width, (uint64_t)high), 0);
    return expr_and(table, above, below);
}

/* id + constant */
static expr_id sum_in_range(struct expr_table *table, expr_id id, int64_t constant)
{
    unsigned width = expr_get(table, id)->width;
    int64_t low = constant < 0 ? least(width) - constant : least(width);
    int64_t high = constant > 0 ? greatest(width) - constant : greatest(width);
    return in_range(table, id, low, high);
}

/* id - constant */
static expr_id difference_in_range(struct expr_table *table, expr_id id, int64_t constant)
{
    unsigned width = expr_get(table, id)->width;
    int64_t low = constant > 0 ? least(width) + constant : least(width);
    int64_t high = constant < 0 ? greatest(width) + constant : greatest(width);
    return in_range(table, id, low, high);
}

/* constant - id */
static expr_id constant_minus_in_range(struct expr_table *table, expr_id id, int64_t constant)
{
    unsigned width = expr_get(table, id)->width;
    int64_t low = constant >= 0 ? constant - greatest(width) : least(width);
    int64_t high = constant < 0 ? constant - least(width) : greatest(width);
    return in_range(table, id, low, high);
}

/* id * constant; quotients are cut towards zero, which is inwards on both sides. */
static expr_id product_in_range(struct expr_table *table, expr_id id, int64_t constant)
{
    unsigned width = expr_get(table, id)->width;
    if (constant == 0)
        return expr_constant(table, 1, 1);
    if (constant == -1)
        return in_range(table, id, -greatest(width), greatest(width));
    int64_t low = constant > 0 ? least(width) / constant : greatest(width) / constant;
    int64_t high = constant > 0 ? greatest(width) / constant : least(width) / constant;
    return in_range(table, id, low, high);
}

/* id * id: the numbers up to the root of the greatest one. */
static expr_id square_in_range(struct expr_table *table, expr_id id)
{
    unsigned width = expr_get(table, id)->width;
    int64_t root = 0;
    for (int bit = (int)width / 2; bit >= 0; bit--) {
        int64_t larger = root | INT64_C(1) << bit;
        if (larger <= greatest(width) / larger)
            root = larger;
    }
    return in_range(table, id, -root, root);
}

/* The operation in a type where it cannot overflow gives what it gives in this one. */
static expr_id same_when_wider(const struct operands *operands, enum pn_operation operation, unsigned wide)
{
    struct expr_table *table = operands->table;
    expr_id wide_a = expr_make(table, PN_SEXT, wide, operands->a, 0, 0);
    expr_id wide_b = expr_make(table, PN_SEXT, wide, operands->b, 0, 0);
    expr_id exact = expr_make(table, operation, wide, wide_a, wide_b, 0);
    expr_id wrapped = expr_make(table, operation, operands->width, operands->a, operands->b, 0);
    return expr_make(table, PN_EQ, 1, exact, expr_make(table, PN_SEXT, wide, wrapped, 0, 0), 0);
}

/* 64-bit a + b: the result has the sign of one of the operands. a - b: of a, or a and b have the same sign. */
static expr_id sign_is_right(const struct operands *operands, enum pn_operation operation)
{
    struct expr_table *table = operands->table;
    unsigned width = operands->width;
    expr_id a = operands->a, b = operands->b;
    expr_id result = expr_make(table, operation, width, a, b, 0);
    expr_id a_differs = expr_make(table, PN_XOR, width, a, result, 0);
    expr_id b_differs = expr_make(table, PN_XOR, width, b, operation == PN_ADD ? result : a, 0);
    expr_id both = expr_make(table, PN_AND, width, a_differs, b_differs, 0);
    return expr_make(table, PN_SLE, 1, expr_constant(table, width, 0), both, 0);
}

/* a == 0 || (a * b / a == b && !(a == -1 && b == least)): a wrapped product is off by at least 2^width, more than |a|,
 * so the quotient cannot come out right; except that least / -1 wraps itself. */
static expr_id division_gives_back(const struct operands *operands)
{
    struct expr_table *table = operands->table;
    unsigned width = operands->width;
    expr_id a = operands->a, b = operands->b;
    expr_id product = expr_make(table, PN_MUL, width, a, b, 0);
    expr_id quotient = expr_make(table, PN_SDIV, width, product, a, 0);
    expr_id gives_back = expr_make(table, PN_EQ, 1, quotient, b, 0);
    expr_id is_minus_one = expr_make(table, PN_EQ, 1, a, expr_constant(table, width, UINT64_MAX), 0);
    expr_id is_least = expr_make(table, PN_EQ, 1, b, expr_constant(table, width, (uint64_t)least(width)), 0);
    expr_id wraps = expr_and(table, is_minus_one, is_least);
    expr_id is_zero = expr_make(table, PN_EQ, 1, a, expr_constant(table, width, 0), 0);
    return expr_or(table, is_zero, expr_and(table, gives_back, expr_not(table, wraps)));
}

static expr_id no_sum_overflow(const struct operands *operands, enum pn_operation operation)
{
    return operands->width < 64 ? same_when_wider(operands, operation, operands->width + 1)
                                : sign_is_right(operands, operation);
}

expr_id expr_no_signed_overflow(struct expr_table *table, enum pn_operation operation, expr_id a, expr_id b)
{
    struct operands operands = {.table = table, .width = expr_get(table, a)->width, .a = a, .b = b};
    uint64_t value;
    bool b_constant = expr_is_constant(table, b, &value);
    bool a_constant = !b_constant && expr_is_constant(table, a, &value);
    int64_t constant = a_constant || b_constant ? pn_signed(value, operands.width) : 0;
    if (operation == PN_ADD) {
        if (a_constant || b_constant)
            return sum_in_range(table, a_constant ? b : a, constant);
        return no_sum_overflow(&operands, operation);
    }
    if (operation == PN_SUB) {
        if (b_constant)
            return difference_in_range(table, a, constant);
        return a_constant ? constant_minus_in_range(table, b, constant) : no_sum_overflow(&operands, operation);
    }
    assert(operation == PN_MUL);
    if (a_constant || b_constant)
        return product_in_range(table, a_constant ? b : a, constant);
    if (a == b)
        return square_in_range(table, a);
    return operands.width <= 32 ? same_when_wider(&operands, operation, 2 * operands.width)
                                : division_gives_back(&operands);
}
