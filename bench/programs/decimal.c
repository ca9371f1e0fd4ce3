/* A calculator for decimal numbers of any length.
 *
 * A number is a sign and a row of decimal digits, one per byte, the lowest first; the lowest `scale` of them stand
 * behind the decimal point. Every number owns its digits. Results go into a number that may be one of the operands.
 * At the end a small language over these numbers is read and evaluated. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct decimal {
    int negative;
    size_t length;   /* digits in use; at least scale + 1, so that there is a digit before the point */
    size_t scale;    /* of them, behind the point */
    size_t capacity; /* digits there is room for */
    unsigned char *digits;
};

static uint64_t checksum = 14695981039346656037u;

static void fail(const char *sentence)
{
    fprintf(stderr, "%s\n", sentence);
    exit(1);
}

/* ---- memory ---- */

static struct decimal decimal_new(size_t length)
{
    struct decimal number = {.length = length ? length : 1, .capacity = length ? length : 1};
    number.digits = calloc(number.capacity, 1);
    if (!number.digits)
        fail("out of memory");
    return number;
}

static void decimal_free(struct decimal *number)
{
    free(number->digits);
    number->digits = NULL;
    number->length = number->capacity = 0;
}

/* Takes over what `from` owns; what `to` had is gone. */
static void decimal_move(struct decimal *to, struct decimal *from)
{
    free(to->digits);
    *to = *from;
    from->digits = NULL;
}

static void decimal_copy(struct decimal *to, const struct decimal *from)
{
    if (to == from)
        return;
    struct decimal copy = decimal_new(from->length);
    memcpy(copy.digits, from->digits, from->length);
    copy.negative = from->negative;
    copy.scale = from->scale;
    decimal_move(to, &copy);
}

/* Drops zeros in front, and the sign of zero. */
static void decimal_trim(struct decimal *number)
{
    while (number->length > number->scale + 1 && number->digits[number->length - 1] == 0)
        number->length--;
    for (size_t i = 0; i < number->length; i++)
        if (number->digits[i])
            return;
    number->negative = 0;
}

static struct decimal decimal_from_int(int64_t value)
{
    struct decimal number = decimal_new(20);
    uint64_t rest = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    number.negative = value < 0;
    for (size_t i = 0; i < 20; i++) {
        number.digits[i] = (unsigned char)(rest % 10);
        rest /= 10;
    }
    decimal_trim(&number);
    return number;
}

/* The same value with so many digits behind the point; digits that do not fit are cut off. */
static void decimal_rescale(struct decimal *number, size_t scale)
{
    if (scale == number->scale)
        return;
    size_t length = number->length - number->scale + scale;
    struct decimal moved = decimal_new(length);
    for (size_t i = 0; i < length; i++) {
        size_t from = i + number->scale;
        moved.digits[i] = from >= scale ? number->digits[from - scale] : 0;
    }
    moved.negative = number->negative;
    moved.scale = scale;
    decimal_trim(&moved);
    decimal_move(number, &moved);
}

static int decimal_is_zero(const struct decimal *number)
{
    for (size_t i = 0; i < number->length; i++)
        if (number->digits[i])
            return 0;
    return 1;
}

/* The digit that stands for 10^-place, zero where the number has none. */
static unsigned digit_at(const struct decimal *number, size_t index, size_t scale)
{
    if (index + number->scale < scale)
        return 0;
    index = index + number->scale - scale;
    return index < number->length ? number->digits[index] : 0;
}

/* ---- text ---- */

static struct decimal decimal_parse(const char *text)
{
    int negative = *text == '-';
    text += negative;
    const char *point = NULL, *end = text;
    for (; (*end >= '0' && *end <= '9') || (*end == '.' && !point); end++)
        if (*end == '.')
            point = end;
    size_t scale = point ? (size_t)(end - point - 1) : 0;
    size_t whole = (size_t)((point ? point : end) - text);
    struct decimal number = decimal_new(whole + scale + (whole == 0));
    number.scale = scale;
    number.negative = negative;
    size_t at = whole + scale;
    for (const char *c = text; c < end; c++)
        if (*c != '.')
            number.digits[--at] = (unsigned char)(*c - '0');
    decimal_trim(&number);
    return number;
}

/* The caller frees the text. */
static char *decimal_text(const struct decimal *number)
{
    char *text = malloc(number->length + 3), *at = text;
    if (!text)
        fail("out of memory");
    if (number->negative)
        *at++ = '-';
    for (size_t i = number->length; i-- > 0;) {
        *at++ = (char)('0' + number->digits[i]);
        if (i == number->scale && i)
            *at++ = '.';
    }
    *at = '\0';
    return text;
}

/* Prints the beginning and the end of a long number, and adds all of it to the checksum. */
static void show(const char *what, const struct decimal *number)
{
    char *text = decimal_text(number);
    size_t length = strlen(text);
    for (size_t i = 0; i < length; i++)
        checksum = (checksum ^ (unsigned char)text[i]) * 1099511628211u;
    if (length <= 40)
        printf("%s = %s\n", what, text);
    else
        printf("%s = %.18s...%s (%zu characters)\n", what, text, text + length - 18, length);
    free(text);
}

/* ---- comparing, adding, subtracting ---- */

static int compare_magnitudes(const struct decimal *a, const struct decimal *b)
{
    size_t scale = a->scale > b->scale ? a->scale : b->scale;
    size_t top_a = a->length + scale - a->scale, top_b = b->length + scale - b->scale;
    for (size_t i = top_a > top_b ? top_a : top_b; i-- > 0;) {
        unsigned from_a = digit_at(a, i, scale), from_b = digit_at(b, i, scale);
        if (from_a != from_b)
            return from_a < from_b ? -1 : 1;
    }
    return 0;
}

static int decimal_compare(const struct decimal *a, const struct decimal *b)
{
    if (a->negative != b->negative)
        return a->negative ? -1 : 1;
    int order = compare_magnitudes(a, b);
    return a->negative ? -order : order;
}

static void add_magnitudes(struct decimal *result, const struct decimal *a, const struct decimal *b, int negative)
{
    size_t scale = a->scale > b->scale ? a->scale : b->scale;
    size_t whole_a = a->length - a->scale, whole_b = b->length - b->scale;
    struct decimal sum = decimal_new(scale + (whole_a > whole_b ? whole_a : whole_b) + 1);
    unsigned carry = 0;
    for (size_t i = 0; i < sum.length; i++) {
        unsigned digit = digit_at(a, i, scale) + digit_at(b, i, scale) + carry;
        carry = digit >= 10;
        sum.digits[i] = (unsigned char)(carry ? digit - 10 : digit);
    }
    sum.scale = scale;
    sum.negative = negative;
    decimal_trim(&sum);
    decimal_move(result, &sum);
}

/* |a| must not be less than |b|. */
static void subtract_magnitudes(struct decimal *result, const struct decimal *a, const struct decimal *b, int negative)
{
    size_t scale = a->scale > b->scale ? a->scale : b->scale;
    struct decimal difference = decimal_new(scale + a->length - a->scale);
    int borrow = 0;
    for (size_t i = 0; i < difference.length; i++) {
        int digit = (int)digit_at(a, i, scale) - (int)digit_at(b, i, scale) - borrow;
        borrow = digit < 0;
        difference.digits[i] = (unsigned char)(borrow ? digit + 10 : digit);
    }
    difference.scale = scale;
    difference.negative = negative;
    decimal_trim(&difference);
    decimal_move(result, &difference);
}

static void add_signed(struct decimal *result, const struct decimal *a, const struct decimal *b, int b_negative)
{
    if (a->negative == b_negative)
        add_magnitudes(result, a, b, b_negative);
    else if (compare_magnitudes(a, b) >= 0)
        subtract_magnitudes(result, a, b, a->negative);
    else
        subtract_magnitudes(result, b, a, b_negative);
}

static void decimal_add(struct decimal *result, const struct decimal *a, const struct decimal *b)
{
    add_signed(result, a, b, b->negative);
}

static void decimal_subtract(struct decimal *result, const struct decimal *a, const struct decimal *b)
{
    add_signed(result, a, b, !b->negative);
}

static void decimal_add_int(struct decimal *number, int64_t value)
{
    struct decimal other = decimal_from_int(value);
    decimal_add(number, number, &other);
    decimal_free(&other);
}

/* ---- multiplying: by rows, and for long numbers by Karatsuba's three products of halves ---- */

enum { KARATSUBA = 80 };

static void multiply_rows(unsigned char *to, const unsigned char *a, size_t length_a, const unsigned char *b,
                          size_t length_b)
{
    memset(to, 0, length_a + length_b);
    for (size_t i = 0; i < length_a; i++) {
        unsigned carry = 0, factor = a[i];
        if (!factor)
            continue;
        for (size_t j = 0; j < length_b; j++) {
            unsigned digit = to[i + j] + factor * b[j] + carry;
            carry = digit / 10;
            to[i + j] = (unsigned char)(digit % 10);
        }
        to[i + length_b] = (unsigned char)(to[i + length_b] + carry);
    }
}

static void add_into(unsigned char *to, const unsigned char *from, size_t length)
{
    unsigned carry = 0;
    for (size_t i = 0; i < length || carry; i++) {
        unsigned digit = to[i] + (i < length ? from[i] : 0u) + carry;
        carry = digit >= 10;
        to[i] = (unsigned char)(carry ? digit - 10 : digit);
    }
}

static void subtract_from(unsigned char *to, const unsigned char *from, size_t length)
{
    int borrow = 0;
    for (size_t i = 0; i < length || borrow; i++) {
        int digit = to[i] - (i < length ? from[i] : 0) - borrow;
        borrow = digit < 0;
        to[i] = (unsigned char)(borrow ? digit + 10 : digit);
    }
}

/* Both operands have `length` digits; `room` holds at least 8 * length + 64 bytes. */
static void multiply_equal(unsigned char *to, const unsigned char *a, const unsigned char *b, size_t length,
                           unsigned char *room)
{
    if (length < KARATSUBA) {
        multiply_rows(to, a, length, b, length);
        return;
    }
    size_t low = length / 2, high = length - low, sums = high + 1;
    unsigned char *sum_a = room, *sum_b = sum_a + sums, *middle = sum_b + sums, *rest = middle + 2 * sums;
    multiply_equal(to, a, b, low, rest);
    multiply_equal(to + 2 * low, a + low, b + low, high, rest);
    memset(sum_a, 0, 2 * sums);
    memcpy(sum_a, a + low, high);
    memcpy(sum_b, b + low, high);
    add_into(sum_a, a, low);
    add_into(sum_b, b, low);
    multiply_equal(middle, sum_a, sum_b, sums, rest);
    subtract_from(middle, to, 2 * low);
    subtract_from(middle, to + 2 * low, 2 * high);
    size_t used = 2 * sums;
    while (used && !middle[used - 1])
        used--;
    add_into(to + low, middle, used);
}

/* Cuts the longer operand into pieces of the shorter one's length. */
static void multiply_pieces(unsigned char *to, const unsigned char *longer, size_t length, const unsigned char *shorter,
                            size_t piece)
{
    unsigned char *room = malloc(10 * piece + 64), *product = room + 8 * piece + 64;
    if (!room)
        fail("out of memory");
    memset(to, 0, length + piece);
    size_t at = 0;
    for (; at + piece <= length; at += piece) {
        multiply_equal(product, longer + at, shorter, piece, room);
        add_into(to + at, product, 2 * piece);
    }
    if (at < length) {
        multiply_rows(product, longer + at, length - at, shorter, piece);
        add_into(to + at, product, length - at + piece);
    }
    free(room);
}

static void decimal_multiply(struct decimal *result, const struct decimal *a, const struct decimal *b)
{
    const struct decimal *longer = a->length >= b->length ? a : b, *shorter = longer == a ? b : a;
    struct decimal product = decimal_new(a->length + b->length);
    if (shorter->length < KARATSUBA)
        multiply_rows(product.digits, shorter->digits, shorter->length, longer->digits, longer->length);
    else
        multiply_pieces(product.digits, longer->digits, longer->length, shorter->digits, shorter->length);
    product.scale = a->scale + b->scale;
    product.negative = a->negative != b->negative;
    decimal_trim(&product);
    decimal_move(result, &product);
}

static void decimal_multiply_small(struct decimal *number, uint32_t factor)
{
    struct decimal product = decimal_new(number->length + 10);
    uint64_t carry = 0;
    for (size_t i = 0; i < product.length; i++) {
        carry += i < number->length ? (uint64_t)number->digits[i] * factor : 0;
        product.digits[i] = (unsigned char)(carry % 10);
        carry /= 10;
    }
    product.negative = number->negative;
    product.scale = number->scale;
    decimal_trim(&product);
    decimal_move(number, &product);
}

/* In place, cutting the rest off; the rest is returned. */
static uint32_t decimal_divide_small(struct decimal *number, uint32_t divisor)
{
    uint64_t rest = 0;
    for (size_t i = number->length; i-- > 0;) {
        rest = rest * 10 + number->digits[i];
        number->digits[i] = (unsigned char)(rest / divisor);
        rest %= divisor;
    }
    decimal_trim(number);
    return (uint32_t)rest;
}

/* ---- dividing: Knuth's algorithm D in base ten ---- */

static size_t significant_digits(const struct decimal *number)
{
    size_t length = number->length;
    while (length && !number->digits[length - 1])
        length--;
    return length;
}

static void scale_digits(unsigned char *to, const unsigned char *from, size_t length, unsigned factor)
{
    unsigned carry = 0;
    for (size_t i = 0; i < length; i++) {
        unsigned digit = from[i] * factor + carry;
        to[i] = (unsigned char)(digit % 10);
        carry = digit / 10;
    }
    to[length] = (unsigned char)carry;
}

/* How often the divisor goes into the top of the rest: right, or one too many. */
static unsigned guess_digit(const unsigned char *rest, const unsigned char *divisor, size_t length)
{
    unsigned top = rest[length] * 10u + rest[length - 1];
    unsigned guess = top / divisor[length - 1], over = top % divisor[length - 1];
    if (length < 2)
        return guess;
    while (guess > 9 || (over < 10 && guess * divisor[length - 2] > over * 10 + rest[length - 2])) {
        guess--;
        over += divisor[length - 1];
    }
    return guess;
}

static int subtract_multiple(unsigned char *rest, const unsigned char *divisor, size_t length, unsigned factor)
{
    int borrow = 0;
    for (size_t i = 0; i < length; i++) {
        int digit = rest[i] - (int)(divisor[i] * factor) - borrow;
        borrow = 0;
        if (digit < 0) {
            borrow = (9 - digit) / 10;
            digit += borrow * 10;
        }
        rest[i] = (unsigned char)digit;
    }
    int top = rest[length] - borrow;
    rest[length] = (unsigned char)(top < 0 ? top + 10 : top);
    return top < 0;
}

/* Whole-number division of rows of digits: quotient has count - length + 1 digits, the rest stays in `rest`
 * (count + 1 digits), multiplied by the factor that is returned. */
static unsigned divide_rows(unsigned char *quotient, unsigned char *rest, const unsigned char *a, size_t count,
                            const unsigned char *b, size_t length)
{
    unsigned factor = 10 / (b[length - 1] + 1u);
    unsigned char *divisor = malloc(length + 1);
    if (!divisor)
        fail("out of memory");
    scale_digits(rest, a, count, factor);
    scale_digits(divisor, b, length, factor);
    for (size_t at = count - length + 1; at-- > 0;) {
        unsigned digit = guess_digit(rest + at, divisor, length);
        if (digit && subtract_multiple(rest + at, divisor, length, digit)) {
            digit--;
            unsigned carry = 0;
            for (size_t i = 0; i <= length; i++) {
                unsigned sum = rest[at + i] + (i < length ? divisor[i] : 0u) + carry;
                carry = sum >= 10;
                rest[at + i] = (unsigned char)(carry ? sum - 10 : sum);
            }
        }
        quotient[at] = (unsigned char)digit;
    }
    free(divisor);
    return factor;
}

/* a / b with `scale` digits behind the point, cut off. */
static void decimal_divide(struct decimal *result, const struct decimal *a, const struct decimal *b, size_t scale)
{
    size_t length = significant_digits(b);
    if (!length)
        fail("division by zero");
    struct decimal dividend = {0};
    decimal_copy(&dividend, a);
    decimal_rescale(&dividend, scale + b->scale);
    size_t count = significant_digits(&dividend);
    struct decimal quotient = decimal_new(count >= length ? count - length + 1 : 1);
    if (count >= length) {
        unsigned char *rest = malloc(count + 2);
        if (!rest)
            fail("out of memory");
        divide_rows(quotient.digits, rest, dividend.digits, count, b->digits, length);
        free(rest);
    }
    quotient.negative = a->negative != b->negative;
    if (quotient.length <= scale) { /* leading zeros behind the point */
        struct decimal padded = decimal_new(scale + 1);
        memcpy(padded.digits, quotient.digits, quotient.length);
        padded.negative = quotient.negative;
        decimal_move(&quotient, &padded);
    }
    quotient.scale = scale;
    decimal_trim(&quotient);
    decimal_free(&dividend);
    decimal_move(result, &quotient);
}

/* a - b * trunc(a / b) */
static void decimal_remainder(struct decimal *result, const struct decimal *a, const struct decimal *b)
{
    struct decimal multiple = {0};
    decimal_divide(&multiple, a, b, 0);
    decimal_multiply(&multiple, &multiple, b);
    decimal_subtract(result, a, &multiple);
    decimal_free(&multiple);
}

/* ---- powers, roots, number theory ---- */

static void decimal_power(struct decimal *result, const struct decimal *base, uint32_t exponent, size_t scale)
{
    struct decimal power = decimal_from_int(1), square = {0};
    decimal_copy(&square, base);
    for (; exponent; exponent >>= 1) {
        if (exponent & 1)
            decimal_multiply(&power, &power, &square);
        if (exponent > 1)
            decimal_multiply(&square, &square, &square);
        if (power.scale > scale)
            decimal_rescale(&power, scale);
        if (square.scale > scale)
            decimal_rescale(&square, scale);
    }
    decimal_free(&square);
    decimal_move(result, &power);
}

static void modular_power(struct decimal *result, const struct decimal *base, const struct decimal *exponent,
                          const struct decimal *modulus)
{
    struct decimal power = decimal_from_int(1), square = {0}, left = {0};
    decimal_remainder(&square, base, modulus);
    decimal_copy(&left, exponent);
    while (!decimal_is_zero(&left)) {
        if (decimal_divide_small(&left, 2)) {
            decimal_multiply(&power, &power, &square);
            decimal_remainder(&power, &power, modulus);
        }
        decimal_multiply(&square, &square, &square);
        decimal_remainder(&square, &square, modulus);
    }
    decimal_free(&square);
    decimal_free(&left);
    decimal_move(result, &power);
}

/* Newton's iteration, each step with twice the digits of the one before. */
static void decimal_square_root(struct decimal *result, const struct decimal *number, size_t scale)
{
    if (number->negative)
        fail("square root of a negative number");
    if (decimal_is_zero(number)) {
        decimal_copy(result, number);
        return;
    }
    size_t whole = number->length - number->scale;
    struct decimal root = decimal_new((whole + 1) / 2 + 1), step = {0}, half = decimal_parse("0.5");
    root.digits[(whole + 1) / 2] = 1; /* a power of ten above the root */
    for (size_t precision = 6; precision < 2 * (scale + 4); precision *= 2) {
        size_t places = precision < scale + 2 ? precision : scale + 2;
        for (int again = precision == 6 ? 40 : 2; again > 0; again--) {
            decimal_divide(&step, number, &root, places);
            decimal_add(&step, &step, &root);
            decimal_multiply(&step, &step, &half);
            decimal_rescale(&step, places);
            int settled = decimal_compare(&step, &root) == 0;
            decimal_move(&root, &step);
            step = (struct decimal){0};
            if (settled)
                break;
        }
    }
    decimal_rescale(&root, scale);
    decimal_free(&half);
    decimal_move(result, &root);
}

static void greatest_common_divisor(struct decimal *result, const struct decimal *a, const struct decimal *b)
{
    struct decimal x = {0}, y = {0}, rest = {0};
    decimal_copy(&x, a);
    decimal_copy(&y, b);
    while (!decimal_is_zero(&y)) {
        decimal_remainder(&rest, &x, &y);
        decimal_move(&x, &y);
        decimal_move(&y, &rest);
    }
    x.negative = 0;
    decimal_free(&y);
    decimal_move(result, &x);
}

static void factorial(struct decimal *result, uint32_t n)
{
    struct decimal product = decimal_from_int(1);
    for (uint32_t i = 2; i <= n; i++)
        decimal_multiply_small(&product, i);
    decimal_move(result, &product);
}

static void fibonacci(struct decimal *result, uint32_t n)
{
    struct decimal a = decimal_from_int(0), b = decimal_from_int(1), next = {0};
    while (n--) {
        decimal_add(&next, &a, &b);
        decimal_move(&a, &b);
        decimal_move(&b, &next);
        next = (struct decimal){0};
    }
    decimal_free(&b);
    decimal_move(result, &a);
}

/* Rounds of Lucas and Lehmer: is 2^p - 1 prime? */
static int is_mersenne_prime(uint32_t p)
{
    struct decimal two = decimal_from_int(2), mersenne = {0}, s = decimal_from_int(4);
    decimal_power(&mersenne, &two, p, 0);
    decimal_add_int(&mersenne, -1);
    for (uint32_t i = 2; i < p; i++) {
        decimal_multiply(&s, &s, &s);
        decimal_add_int(&s, -2);
        decimal_remainder(&s, &s, &mersenne);
    }
    int prime = decimal_is_zero(&s);
    decimal_free(&two);
    decimal_free(&mersenne);
    decimal_free(&s);
    return prime;
}

/* ---- constants ---- */

/* arctan(1 / n) by its series. */
static void inverse_tangent(struct decimal *result, uint32_t n, size_t scale)
{
    struct decimal sum = decimal_from_int(0), power = decimal_from_int(1), term = {0};
    decimal_rescale(&power, scale);
    decimal_divide_small(&power, n);
    for (uint32_t k = 0; !decimal_is_zero(&power); k++) {
        decimal_copy(&term, &power);
        decimal_divide_small(&term, 2 * k + 1);
        if (k % 2)
            decimal_subtract(&sum, &sum, &term);
        else
            decimal_add(&sum, &sum, &term);
        decimal_divide_small(&power, n * n);
    }
    decimal_free(&power);
    decimal_free(&term);
    decimal_move(result, &sum);
}

/* Machin: pi = 16 arctan(1/5) - 4 arctan(1/239) */
static void compute_pi(struct decimal *result, size_t scale)
{
    struct decimal first = {0}, second = {0};
    inverse_tangent(&first, 5, scale + 5);
    inverse_tangent(&second, 239, scale + 5);
    decimal_multiply_small(&first, 16);
    decimal_multiply_small(&second, 4);
    decimal_subtract(result, &first, &second);
    decimal_rescale(result, scale);
    decimal_free(&first);
    decimal_free(&second);
}

static void compute_e(struct decimal *result, size_t scale)
{
    struct decimal sum = decimal_from_int(0), term = decimal_from_int(1);
    decimal_rescale(&term, scale + 5);
    for (uint32_t n = 1; !decimal_is_zero(&term); n++) {
        decimal_add(&sum, &sum, &term);
        decimal_divide_small(&term, n);
    }
    decimal_rescale(&sum, scale);
    decimal_free(&term);
    decimal_move(result, &sum);
}

/* ---- the language: + - * / % ^ ! ( ) sqrt, and 26 variables ---- */

struct calculator {
    const char *at;
    size_t scale;
    struct decimal variables[26];
};

static struct decimal read_sum(struct calculator *calculator);

static char peek(struct calculator *calculator)
{
    while (*calculator->at == ' ')
        calculator->at++;
    return *calculator->at;
}

static int accept(struct calculator *calculator, char wanted)
{
    if (peek(calculator) != wanted)
        return 0;
    calculator->at++;
    return 1;
}

static uint32_t small_value(const struct decimal *number)
{
    uint32_t value = 0;
    for (size_t i = number->length; i-- > number->scale;)
        value = value * 10 + number->digits[i];
    return value;
}

static struct decimal read_atom(struct calculator *calculator)
{
    struct decimal value = {0};
    char c = peek(calculator);
    if (accept(calculator, '-')) {
        value = read_atom(calculator);
        value.negative = !value.negative && !decimal_is_zero(&value);
    } else if (accept(calculator, '(')) {
        value = read_sum(calculator);
        if (!accept(calculator, ')'))
            fail("missing )");
    } else if (strncmp(calculator->at, "sqrt", 4) == 0) {
        calculator->at += 4;
        value = read_atom(calculator);
        decimal_square_root(&value, &value, calculator->scale);
    } else if (c >= 'a' && c <= 'z') {
        calculator->at++;
        if (!calculator->variables[c - 'a'].digits)
            fail("unknown variable");
        decimal_copy(&value, &calculator->variables[c - 'a']);
    } else {
        value = decimal_parse(calculator->at);
        while ((*calculator->at >= '0' && *calculator->at <= '9') || *calculator->at == '.')
            calculator->at++;
    }
    return value;
}

static struct decimal read_power(struct calculator *calculator)
{
    struct decimal value = read_atom(calculator);
    while (accept(calculator, '!'))
        factorial(&value, small_value(&value));
    if (accept(calculator, '^')) {
        struct decimal exponent = read_power(calculator);
        decimal_power(&value, &value, small_value(&exponent), calculator->scale);
        decimal_free(&exponent);
    }
    return value;
}

static struct decimal read_product(struct calculator *calculator)
{
    struct decimal value = read_power(calculator);
    for (;;) {
        char mark = peek(calculator);
        if (mark != '*' && mark != '/' && mark != '%')
            return value;
        calculator->at++;
        struct decimal other = read_power(calculator);
        if (mark == '*')
            decimal_multiply(&value, &value, &other);
        else if (mark == '/')
            decimal_divide(&value, &value, &other, calculator->scale);
        else
            decimal_remainder(&value, &value, &other);
        decimal_free(&other);
    }
}

static struct decimal read_sum(struct calculator *calculator)
{
    struct decimal value = read_product(calculator);
    for (;;) {
        char mark = peek(calculator);
        if (mark != '+' && mark != '-')
            return value;
        calculator->at++;
        struct decimal other = read_product(calculator);
        if (mark == '+')
            decimal_add(&value, &value, &other);
        else
            decimal_subtract(&value, &value, &other);
        decimal_free(&other);
    }
}

/* `x = expression` or an expression; its value is shown. */
static void calculate(struct calculator *calculator, const char *line)
{
    calculator->at = line;
    int target = -1;
    if (line[0] >= 'a' && line[0] <= 'z' && line[1] == ' ' && line[2] == '=') {
        target = line[0] - 'a';
        calculator->at = line + 3;
    }
    struct decimal value = read_sum(calculator);
    if (peek(calculator))
        fail("something is left behind the expression");
    show(line, &value);
    if (target >= 0)
        decimal_move(&calculator->variables[target], &value);
    else
        decimal_free(&value);
}

static const char *const session[] = {
    "1 + 2 * 3 - 4 / 8",
    "a = 2 ^ 521 - 1",
    "b = 3 ^ 200 + 7",
    "a * b % 1000000007",
    "(a + b) * (a - b) - a ^ 2 + b ^ 2",
    "50! / (25! * 25!)",
    "sqrt(2) * sqrt(8)",
    "g = (1 + sqrt(5)) / 2",
    "g * g - g - 1",
    "-0.125 * -8 + 1.5 ^ 20",
    "d = a / b",
    "d * b - a",
    "(1 + 1 / 1000) ^ 1000",
};

int main(void)
{
    struct decimal number = {0}, other = {0};
    fibonacci(&number, 4000);
    show("fibonacci(4000)", &number);
    factorial(&other, 900);
    show("900!", &other);
    greatest_common_divisor(&number, &number, &other);
    show("their greatest common divisor", &number);
    compute_pi(&number, 1500);
    show("pi", &number);
    compute_e(&other, 2000);
    show("e", &other);
    decimal_multiply(&number, &number, &other);
    show("pi * e", &number);
    decimal_free(&other);
    other = decimal_from_int(2);
    decimal_square_root(&number, &other, 1500);
    show("square root of 2", &number);
    decimal_power(&number, &other, 20000, 0);
    show("2^20000", &number);

    struct decimal base = decimal_from_int(3), modulus = {0}, exponent = {0};
    decimal_power(&modulus, &other, 607, 0);
    decimal_add_int(&modulus, -1);
    decimal_copy(&exponent, &modulus);
    decimal_add_int(&exponent, -1);
    modular_power(&number, &base, &exponent, &modulus);
    show("3^(2^607-2) modulo 2^607-1", &number);

    printf("exponents of Mersenne primes:");
    for (uint32_t p = 3; p < 200; p += 2)
        if (is_mersenne_prime(p)) {
            printf(" %u", p);
            checksum = checksum * 31 + p;
        }
    printf("\n");

    struct calculator calculator = {.scale = 60};
    for (int round = 0; round < 20; round++, calculator.scale += 10)
        for (size_t i = 0; i < sizeof session / sizeof *session; i++)
            calculate(&calculator, session[i]);
    for (int i = 0; i < 26; i++)
        decimal_free(&calculator.variables[i]);
    decimal_free(&number);
    decimal_free(&other);
    decimal_free(&base);
    decimal_free(&modulus);
    decimal_free(&exponent);
    printf("checksum: %016llx\n", (unsigned long long)checksum);
    return 0;
}
