#include "input/floating.h"
#include "trace/floating.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { LONGEST_NUMBER = 400 }; /* characters: more than any number needs that is written out in decimal */

static unsigned fraction_bits(unsigned size)
{
    return size == 4 ? 23 : 52;
}

static uint64_t fraction_of(uint64_t bits, unsigned size)
{
    return bits & ((UINT64_C(1) << fraction_bits(size)) - 1);
}

static uint64_t quiet_bit(unsigned size)
{
    return UINT64_C(1) << (fraction_bits(size) - 1);
}

double floating_value(uint64_t bits, unsigned size)
{
    return pn_float_number(bits, size * 8);
}

bool floating_is_between(uint64_t bits, uint64_t low, uint64_t high, unsigned size)
{
    double value = floating_value(bits, size);
    return value >= floating_value(low, size) && value <= floating_value(high, size);
}

/* One rounding, from the text to the type. */
static uint64_t bits_of_text(const char *text, char **end, unsigned size)
{
    return size == 4 ? pn_single_bits(strtof(text, end)) : pn_double_bits(strtod(text, end));
}

static void print_nan(uint64_t bits, unsigned size, struct text *text)
{
    uint64_t fraction = fraction_of(bits, size);
    text_add(text, bits & pn_float_sign(size * 8) ? "-nan" : "nan");
    if (fraction != quiet_bit(size))
        text_format(text, "(%#llx)", (unsigned long long)fraction);
}

void floating_print(uint64_t bits, unsigned size, struct text *text)
{
    char digits[64];
    if (pn_float_is_nan(bits, size * 8)) {
        print_nan(bits, size, text);
        return;
    }
    if ((bits & ~pn_float_sign(size * 8)) == pn_float_infinity(size * 8)) {
        text_add(text, bits & pn_float_sign(size * 8) ? "-inf" : "inf");
        return;
    }
    int precision = 0, exponent = 0;
    do
        snprintf(digits, sizeof digits, "%.*e", precision, floating_value(bits, size));
    while (bits_of_text(digits, NULL, size) != bits && ++precision < 17);
    sscanf(strchr(digits, 'e') + 1, "%d", &exponent);
    if (exponent >= -5 && exponent < 17) /* written out: the same digits, and zeros */
        snprintf(digits, sizeof digits, "%.*f", precision > exponent ? precision - exponent : 0,
                 floating_value(bits, size));
    text_add(text, digits);
    if (!strpbrk(digits, ".e"))
        text_add(text, ".0");
}

/* What follows `nan`: the fraction in brackets, or nothing. */
static enum floating_problem read_nan(const char **at, unsigned size, bool negative, uint64_t *bits)
{
    uint64_t fraction = quiet_bit(size);
    if (**at == '(') {
        char *end;
        fraction = strtoull(*at + 1, &end, 16);
        if (end == *at + 1 || *end != ')' || fraction == 0 || fraction != fraction_of(fraction, size))
            return FLOATING_NO_NUMBER;
        *at = end + 1;
    }
    *bits = (negative ? pn_float_sign(size * 8) : 0) | pn_float_infinity(size * 8) | fraction;
    return FLOATING_READ;
}

static size_t length_of_number(const char *text)
{
    size_t length = 0;
    while (isalnum((unsigned char)text[length]) || (text[length] && strchr("+-.", text[length]))) {
        if (text[length] == '.' && text[length + 1] == '.')
            break;
        length++;
    }
    return length;
}

enum floating_problem floating_read(const char **at, unsigned size, uint64_t *bits)
{
    char copy[LONGEST_NUMBER + 1], *end;
    const char *start = *at + (**at == '-' || **at == '+');
    if (strncasecmp(start, "nan", 3) == 0) {
        const char *rest = start + 3;
        enum floating_problem problem = read_nan(&rest, size, **at == '-', bits);
        if (problem == FLOATING_READ)
            *at = rest;
        return problem;
    }
    size_t length = length_of_number(*at);
    if (length == 0 || length > LONGEST_NUMBER)
        return FLOATING_NO_NUMBER;
    memcpy(copy, *at, length);
    copy[length] = '\0';
    *bits = bits_of_text(copy, &end, size);
    if (end == copy)
        return FLOATING_NO_NUMBER;
    *at += end - copy;
    bool is_infinite = (*bits & ~pn_float_sign(size * 8)) == pn_float_infinity(size * 8);
    return is_infinite && strncasecmp(start, "inf", 3) != 0 ? FLOATING_TOO_BIG : FLOATING_READ;
}
