/* Numbers in text, as strtol() and its relatives read them. */
#include "digits.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

/* Digits that fit into 63 bits whatever they are, by base: up to there nobody has to ask. */
static const byte safe_digits[37] = {0,  0,  63, 39, 31, 27, 24, 22, 21, 19, 18, 18, 17, 17, 16, 16, 15, 15, 15,
                                     14, 14, 14, 14, 13, 13, 13, 13, 13, 13, 12, 12, 12, 12, 12, 12, 12, 12};

void read_digits(const char *text, unsigned base, size_t limit, struct digits *digits)
{
    size_t count = 0;
    uint64_t value = 0;
    int is_too_large = 0;
    for (; count < limit && is_digit((byte)text[count], base); count++) {
        byte character = (byte)text[count];
        uint64_t digit = base <= 10 ? (uint64_t)character - '0' : digit_of(character);
        if (count >= safe_digits[base] && !is_too_large)
            is_too_large = value > (UINT64_MAX - digit) / base;
        value = value * base + digit;
    }
    *digits = (struct digits){count, value, count > safe_digits[base], is_too_large};
}

long __pn_real_strtol(const char *, char **, int);
unsigned long __pn_real_strtoul(const char *, char **, int);

struct reading {
    const char *end; /* behind the last digit; NULL where there is none */
    int is_negative;
    struct digits digits;
};

/* `0x` where that is allowed and a digit follows. */
static int has_prefix(const char *text, int letter, unsigned base)
{
    return text[0] == '0' && (text[1] | 32) == letter && is_digit((byte)text[2], base);
}

static void read_number(const char *text, int base, int binary_too, struct reading *reading)
{
    reading->end = NULL;
    reading->is_negative = 0;
    size_t at = 0;
    while (is_space((byte)text[at]))
        at++;
    if (text[at] == '-' || text[at] == '+')
        reading->is_negative = text[at++] == '-';
    text += at;
    if ((base == 0 || base == 16) && has_prefix(text, 'x', 16)) {
        base = 16;
        text += 2;
    } else if (binary_too && (base == 0 || base == 2) && has_prefix(text, 'b', 2)) {
        base = 2;
        text += 2;
    } else if (base == 0) {
        base = *text == '0' ? 8 : 10;
    }
    read_digits(text, (unsigned)base, SIZE_MAX, &reading->digits);
    if (reading->digits.count)
        reading->end = text + reading->digits.count;
}

static int is_base(int base)
{
    if (base == 0 || (base >= 2 && base <= 36))
        return 1;
    errno = EINVAL;
    return 0;
}

static void give_end(char **end, const char *text, const struct reading *reading)
{
    if (end)
        *end = (char *)(reading->end ? reading->end : text);
}

static int64_t read_signed(const char *text, char **end, int base, int binary_too)
{
    if (!binary_too && pn_no_labels())
        return __pn_real_strtol(text, end, base);
    if (!is_base(base))
        return 0;
    struct reading reading;
    read_number(text, base, binary_too, &reading);
    give_end(end, text, &reading);
    uint64_t limit = (uint64_t)INT64_MAX + (uint64_t)reading.is_negative;
    if (reading.digits.may_be_large && (reading.digits.is_too_large || reading.digits.value > limit)) {
        errno = ERANGE;
        return (int64_t)limit;
    }
    return (int64_t)(reading.is_negative ? 0 - reading.digits.value : reading.digits.value);
}

static uint64_t read_unsigned(const char *text, char **end, int base, int binary_too)
{
    if (!binary_too && pn_no_labels())
        return __pn_real_strtoul(text, end, base);
    if (!is_base(base))
        return 0;
    struct reading reading;
    read_number(text, base, binary_too, &reading);
    give_end(end, text, &reading);
    if (reading.digits.is_too_large) {
        errno = ERANGE;
        return UINT64_MAX;
    }
    return reading.is_negative ? 0 - reading.digits.value : reading.digits.value;
}

/* By symbol: headers of a C library that follows C23 make strtol() a name for `__isoc23_strtol`. */
#define SIGNED(type, name, binary_too)                                                                                 \
    type number_##name(const char *text, char **end, int base) __asm__(#name);                                         \
    type number_##name(const char *text, char **end, int base)                                                         \
    {                                                                                                                  \
        return read_signed(text, end, base, binary_too);                                                               \
    }

#define UNSIGNED(type, name, binary_too)                                                                               \
    type number_##name(const char *text, char **end, int base) __asm__(#name);                                         \
    type number_##name(const char *text, char **end, int base)                                                         \
    {                                                                                                                  \
        return read_unsigned(text, end, base, binary_too);                                                             \
    }

SIGNED(long, strtol, 0)
SIGNED(long long, strtoll, 0)
SIGNED(intmax_t, strtoimax, 0)
SIGNED(long long, strtoq, 0)
UNSIGNED(unsigned long, strtoul, 0)
UNSIGNED(unsigned long long, strtoull, 0)
UNSIGNED(uintmax_t, strtoumax, 0)
UNSIGNED(unsigned long long, strtouq, 0)

/* What these are called where the C library follows C23: `0b101` is a number, too. */
SIGNED(long, __isoc23_strtol, 1)
SIGNED(long long, __isoc23_strtoll, 1)
SIGNED(intmax_t, __isoc23_strtoimax, 1)
UNSIGNED(unsigned long, __isoc23_strtoul, 1)
UNSIGNED(unsigned long long, __isoc23_strtoull, 1)
UNSIGNED(uintmax_t, __isoc23_strtoumax, 1)

long atol(const char *text)
{
    return read_signed(text, NULL, 10, 0);
}

long long atoll(const char *text)
{
    return read_signed(text, NULL, 10, 0);
}

int atoi(const char *text)
{
    return (int)read_signed(text, NULL, 10, 0);
}
