#include "solve/circuits.h"

#include <stdint.h>
#include <string.h>

/* Sums */

literal circuit_add(struct gates *gates, unsigned width, const literal *a, const literal *b, literal carry,
                    literal *sum)
{
    for (unsigned i = 0; i < width; i++) {
        sum[i] = gate_parity(gates, a[i], b[i], carry);
        carry = gate_majority(gates, a[i], b[i], carry);
    }
    return carry;
}

static void invert(unsigned width, const literal *a, literal *inverted)
{
    for (unsigned i = 0; i < width; i++)
        inverted[i] = -a[i];
}

void circuit_subtract(struct gates *gates, unsigned width, const literal *a, const literal *b, literal *difference)
{
    literal inverted[MOST_BITS + 1];
    invert(width, b, inverted);
    circuit_add(gates, width, a, inverted, LITERAL_TRUE, difference);
}

void circuit_negate_if(struct gates *gates, unsigned width, literal condition, const literal *a, literal *result)
{
    literal carry = condition;
    for (unsigned i = 0; i < width; i++) {
        literal bit = gate_xor(gates, a[i], condition);
        result[i] = gate_xor(gates, bit, carry);
        carry = gate_and(gates, bit, carry);
    }
}

void circuit_choose(struct gates *gates, unsigned width, literal condition, const literal *on_true,
                    const literal *on_false, literal *result)
{
    for (unsigned i = 0; i < width; i++)
        result[i] = gate_choose(gates, condition, on_true[i], on_false[i]);
}

/* Products: a value whose upper bits are all copies of one is a narrow signed number, and only its lower bits are
 * multiplied. */

/* How many bits say everything: the rest are copies of the last of these. */
static unsigned signed_width(unsigned width, const literal *a)
{
    while (width > 1 && a[width - 2] == a[width - 1])
        width--;
    return width;
}

static unsigned variable_bits(unsigned width, const literal *a)
{
    unsigned count = 0;
    for (unsigned i = 0; i < width; i++)
        count += a[i] != LITERAL_TRUE && a[i] != LITERAL_FALSE;
    return count;
}

/* The last row, that of the sign, counts negative. Adding row by row was up to four times as fast to solve as adding up
 * columns, on products that must not overflow. */
void circuit_multiply(struct gates *gates, unsigned width, const literal *a, const literal *b, literal *product)
{
    if (variable_bits(width, a) < variable_bits(width, b)) {
        const literal *other = a;
        a = b;
        b = other;
    }
    unsigned rows = signed_width(width, b), sum_width = signed_width(width, a) + rows;
    if (sum_width > width)
        sum_width = width;
    for (unsigned i = 0; i < width; i++)
        product[i] = LITERAL_FALSE;
    for (unsigned row = 0; row < rows; row++) {
        literal is_last = row + 1 == rows ? LITERAL_TRUE : LITERAL_FALSE;
        literal addend[MOST_BITS], sum[MOST_BITS];
        if (b[row] == LITERAL_FALSE)
            continue;
        for (unsigned i = 0; row + i < sum_width; i++)
            addend[i] = gate_xor(gates, is_last, gate_and(gates, a[i], b[row]));
        circuit_add(gates, sum_width - row, product + row, addend, is_last, sum);
        memcpy(product + row, sum, (sum_width - row) * sizeof *sum);
    }
    for (unsigned i = sum_width; i < width; i++)
        product[i] = product[sum_width - 1];
}

/* Quotients */

/* Digit by digit, as on paper. After k digits the rest has k bits. */
static void divide_by_digits(struct gates *gates, unsigned width, const literal *a, const literal *b, literal *quotient,
                             literal *remainder)
{
    literal rest[MOST_BITS + 1], divisor[MOST_BITS + 1], difference[MOST_BITS + 1], inverted[MOST_BITS + 1];
    for (unsigned i = 0; i <= width; i++)
        rest[i] = LITERAL_FALSE;
    memcpy(divisor, b, width * sizeof *b);
    divisor[width] = LITERAL_FALSE;
    invert(width + 1, divisor, inverted);
    for (unsigned digit = width; digit-- > 0;) {
        unsigned used = width - digit;
        memmove(rest + 1, rest, used * sizeof *rest);
        rest[0] = a[digit];
        quotient[digit] = circuit_add(gates, width + 1, rest, inverted, LITERAL_TRUE, difference);
        circuit_choose(gates, used, quotient[digit], difference, rest, rest);
    }
    memcpy(remainder, rest, width * sizeof *rest);
}

static bool read_constant(unsigned width, const literal *a, uint64_t *value)
{
    *value = 0;
    if (variable_bits(width, a) > 0)
        return false;
    for (unsigned i = 0; i < width; i++)
        *value |= (uint64_t)(a[i] == LITERAL_TRUE) << i;
    return true;
}

/* quotient * constant + remainder == a, and remainder < constant: the product with a constant is small. The quotient is
 * bounded so that nothing wraps. */
static void divide_by_constant(struct gates *gates, unsigned width, const literal *a, const literal *b,
                               uint64_t constant, literal *quotient, literal *remainder)
{
    unsigned low = 64 - (unsigned)__builtin_clzll(constant), high = width + 1 - low;
    uint64_t largest = width == 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1;
    literal product[MOST_BITS], sum[MOST_BITS], greatest[MOST_BITS];
    for (unsigned i = 0; i < width; i++) {
        quotient[i] = i < high ? new_variable(gates) : LITERAL_FALSE;
        remainder[i] = i < low ? new_variable(gates) : LITERAL_FALSE;
        greatest[i] = largest / constant >> i & 1 ? LITERAL_TRUE : LITERAL_FALSE;
    }
    require(gates, -circuit_less(gates, width, greatest, quotient));
    circuit_multiply(gates, width, quotient, b, product);
    require(gates, -circuit_add(gates, width, product, remainder, LITERAL_FALSE, sum));
    require(gates, circuit_equal(gates, width, sum, a));
    require(gates, circuit_less(gates, width, remainder, b));
}

void circuit_divide(struct gates *gates, unsigned width, const literal *a, const literal *b, literal *quotient,
                    literal *remainder)
{
    uint64_t constant;
    if (!read_constant(width, b, &constant) || constant == 0) {
        divide_by_digits(gates, width, a, b, quotient, remainder);
        return;
    }
    if ((constant & (constant - 1)) != 0) {
        divide_by_constant(gates, width, a, b, constant, quotient, remainder);
        return;
    }
    unsigned shift = (unsigned)__builtin_ctzll(constant);
    for (unsigned i = 0; i < width; i++) {
        quotient[i] = i + shift < width ? a[i + shift] : LITERAL_FALSE;
        remainder[i] = i < shift ? a[i] : LITERAL_FALSE;
    }
}

/* Shifts: one layer for each bit of the distance that alone does not shift everything out */

static unsigned layer_count(unsigned width)
{
    unsigned layers = 0;
    while (layers < width && UINT64_C(1) << layers < width)
        layers++;
    return layers;
}

/* The upper bits of the distance; those in the layers may together reach the width too, and then shift it all out. */
static literal is_far(struct gates *gates, unsigned width, const literal *distance)
{
    literal none[MOST_BITS];
    unsigned layers = layer_count(width);
    invert(width - layers, distance + layers, none);
    return -gate_all(gates, none, width - layers);
}

void circuit_shift_left(struct gates *gates, unsigned width, const literal *a, const literal *distance, literal *result)
{
    literal far = is_far(gates, width, distance);
    memcpy(result, a, width * sizeof *a);
    for (unsigned layer = 0; layer < layer_count(width); layer++)
        for (unsigned i = width; i-- > 0;) /* from above: the lower bits are still those before this layer */
            result[i] =
                gate_choose(gates, distance[layer], i >> layer ? result[i - (1u << layer)] : LITERAL_FALSE, result[i]);
    for (unsigned i = 0; i < width; i++)
        result[i] = gate_and(gates, -far, result[i]);
}

void circuit_shift_right(struct gates *gates, unsigned width, const literal *a, const literal *distance, literal fill,
                         literal *result)
{
    literal far = is_far(gates, width, distance);
    memcpy(result, a, width * sizeof *a);
    for (unsigned layer = 0; layer < layer_count(width); layer++)
        for (unsigned i = 0; i < width; i++)
            result[i] = gate_choose(gates, distance[layer],
                                    i + (1u << layer) < width ? result[i + (1u << layer)] : fill, result[i]);
    for (unsigned i = 0; i < width; i++)
        result[i] = gate_choose(gates, far, fill, result[i]);
}

/* Comparisons */

literal circuit_equal(struct gates *gates, unsigned width, const literal *a, const literal *b)
{
    literal same[MOST_BITS];
    for (unsigned i = 0; i < width; i++)
        same[i] = -gate_xor(gates, a[i], b[i]);
    return gate_all(gates, same, width);
}

literal circuit_less(struct gates *gates, unsigned width, const literal *a, const literal *b)
{
    literal less = LITERAL_FALSE;
    for (unsigned i = 0; i < width; i++)
        less = gate_majority(gates, -a[i], b[i], less);
    return less;
}

literal circuit_signed_less(struct gates *gates, unsigned width, const literal *a, const literal *b)
{
    literal below = circuit_less(gates, width - 1, a, b);
    return gate_majority(gates, a[width - 1], -b[width - 1], below);
}
