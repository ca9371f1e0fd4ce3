/* snprintf() and its relatives. Floating-point numbers are bound to their values and written by the C library, and so
 * is all of a text in which a conversion is none of the common ones. */
#include "model.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_NUMBER = 64, LONGEST_FLOAT = 512 };

int __pn_real_snprintf(char *, size_t, const char *, ...);
int __pn_real_vsnprintf(char *, size_t, const char *, va_list);

struct output {
    char *to;
    size_t size; /* room, with the end */
    size_t length;
};

enum length { LENGTH_CHAR, LENGTH_SHORT, LENGTH_INT, LENGTH_LONG, LENGTH_LONG_DOUBLE };

struct conversion {
    int left, plus, space, alternate, zero;
    int width, precision; /* precision -1: none */
    enum length length;
    char kind;
};

static void put(struct output *output, char character)
{
    if (output->length + 1 < output->size)
        output->to[output->length] = character;
    output->length++;
}

static void put_text(struct output *output, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        put(output, text[i]);
}

static void fill(struct output *output, char character, int count)
{
    for (int i = 0; i < count; i++)
        put(output, character);
}

/* ---- the format ---- */

static int read_number(const char *format, size_t *at, va_list *arguments)
{
    int number = 0;
    if (format[*at] == '*') {
        (*at)++;
        return (int)pn_bound(va_arg(*arguments, int), "snprintf");
    }
    for (; (unsigned)format[*at] - '0' < 10; (*at)++)
        number = number * 10 + (format[*at] - '0');
    return number;
}

static enum length read_length(const char *format, size_t *at)
{
    int is_double = format[*at] && format[*at + 1] == format[*at];
    switch (format[*at]) {
    case 'h': *at += 1 + (size_t)is_double; return is_double ? LENGTH_CHAR : LENGTH_SHORT;
    case 'l': *at += 1 + (size_t)is_double; return LENGTH_LONG;
    case 'L': (*at)++; return LENGTH_LONG_DOUBLE;
    case 'q':
    case 'j':
    case 'z':
    case 't': (*at)++; return LENGTH_LONG;
    default: return LENGTH_INT;
    }
}

/* Behind the `%`; returns how much of the format it is. */
static size_t read_conversion(const char *format, struct conversion *conversion, va_list *arguments)
{
    size_t at = 0;
    *conversion = (struct conversion){.precision = -1};
    for (;; at++) {
        if (format[at] == '-')
            conversion->left = 1;
        else if (format[at] == '+')
            conversion->plus = 1;
        else if (format[at] == ' ')
            conversion->space = 1;
        else if (format[at] == '#')
            conversion->alternate = 1;
        else if (format[at] == '0')
            conversion->zero = 1;
        else if (format[at] != '\'') /* groups digits, in other locales */
            break;
    }
    conversion->width = read_number(format, &at, arguments);
    if (conversion->width < 0) {
        conversion->left = 1;
        conversion->width = -conversion->width;
    }
    if (format[at] == '.') {
        at++;
        conversion->precision = read_number(format, &at, arguments);
    }
    conversion->length = read_length(format, &at);
    conversion->kind = format[at];
    return at + (format[at] != '\0');
}

/* ---- integers ---- */

static uint64_t take_unsigned(enum length length, va_list *arguments)
{
    if (length == LENGTH_LONG || length == LENGTH_LONG_DOUBLE)
        return va_arg(*arguments, uint64_t);
    unsigned value = va_arg(*arguments, unsigned);
    return length == LENGTH_CHAR ? (uint8_t)value : length == LENGTH_SHORT ? (uint16_t)value : value;
}

static int64_t take_signed(enum length length, va_list *arguments)
{
    if (length == LENGTH_LONG || length == LENGTH_LONG_DOUBLE)
        return va_arg(*arguments, int64_t);
    int value = va_arg(*arguments, int);
    return length == LENGTH_CHAR ? (int8_t)value : length == LENGTH_SHORT ? (int16_t)value : value;
}

/* The last digit first; returns how many. Nothing for zero. Which character a digit is takes no branch on the value. */
static int write_digits(uint64_t value, unsigned base, char letter, char digits[LONGEST_NUMBER])
{
    int count = 0;
    for (; value; value /= base) {
        unsigned digit = (unsigned)(value % base);
        digits[count++] = (char)(base <= 10 ? '0' + digit : '0' + digit + (digit > 9) * (unsigned)(letter - '0' - 10));
    }
    return count;
}

static void put_number(struct output *output, const struct conversion *conversion, const char *prefix,
                       const char *digits, int count)
{
    int zeros = conversion->precision > count ? conversion->precision - count : 0;
    int all = (int)strlen(prefix) + zeros + count, room = conversion->width > all ? conversion->width - all : 0;
    if (conversion->zero && !conversion->left && conversion->precision < 0) {
        zeros += room;
        room = 0;
    }
    if (!conversion->left)
        fill(output, ' ', room);
    put_text(output, prefix, strlen(prefix));
    fill(output, '0', zeros);
    while (count > 0)
        put(output, digits[--count]);
    if (conversion->left)
        fill(output, ' ', room);
}

static void put_signed(struct output *output, const struct conversion *conversion, va_list *arguments)
{
    char digits[LONGEST_NUMBER];
    int64_t value = take_signed(conversion->length, arguments);
    int is_negative = value < 0;
    uint64_t amount = is_negative ? 0 - (uint64_t)value : (uint64_t)value;
    int count = write_digits(amount, 10, 'a', digits);
    if (!count && conversion->precision != 0)
        digits[count++] = '0';
    put_number(output, conversion,
               is_negative         ? "-"
               : conversion->plus  ? "+"
               : conversion->space ? " "
                                   : "",
               digits, count);
}

static void put_unsigned(struct output *output, const struct conversion *conversion, va_list *arguments)
{
    char digits[LONGEST_NUMBER], letter = conversion->kind == 'X' ? 'A' : 'a';
    unsigned base = conversion->kind == 'u' ? 10 : conversion->kind == 'o' ? 8 : 16;
    uint64_t value = take_unsigned(conversion->length, arguments);
    int count = write_digits(value, base, letter, digits);
    const char *prefix = "";
    if (conversion->alternate && base == 16 && count)
        prefix = letter == 'A' ? "0X" : "0x";
    if (!count && conversion->precision != 0)
        digits[count++] = '0';
    if (conversion->alternate && base == 8 && conversion->precision <= count && (!count || digits[count - 1] != '0'))
        digits[count++] = '0';
    put_number(output, conversion, prefix, digits, count);
}

static void put_pointer(struct output *output, const struct conversion *conversion, va_list *arguments)
{
    char digits[LONGEST_NUMBER];
    uint64_t value = (uint64_t)va_arg(*arguments, void *);
    int count = write_digits(value, 16, 'a', digits);
    const char *prefix = conversion->plus ? "+0x" : conversion->space ? " 0x" : "0x";
    struct conversion plain = *conversion;
    if (count) {
        put_number(output, conversion, prefix, digits, count);
        return;
    }
    plain.zero = 0;
    plain.precision = -1;
    put_number(output, &plain, "(nil)", digits, 0);
}

/* ---- texts, floating point, everything else ---- */

static void put_padded(struct output *output, const struct conversion *conversion, const char *text, size_t length)
{
    int room = (size_t)conversion->width > length ? conversion->width - (int)length : 0;
    if (!conversion->left)
        fill(output, ' ', room);
    put_text(output, text, length);
    if (conversion->left)
        fill(output, ' ', room);
}

static void put_string(struct output *output, const struct conversion *conversion, va_list *arguments)
{
    const char *text = va_arg(*arguments, const char *);
    if (!text) /* as glibc has it */
        text = conversion->precision < 0 || conversion->precision >= 6 ? "(null)" : "";
    size_t limit = conversion->precision < 0 ? SIZE_MAX : (size_t)conversion->precision;
    put_padded(output, conversion, text, strnlen(text, limit));
}

static double bound_double(double value)
{
    union {
        double number;
        long bits;
    } both = {value};
    both.bits = pn_bound(both.bits, "snprintf");
    return both.number;
}

static void put_float(struct output *output, const struct conversion *conversion, va_list *arguments)
{
    char text[LONGEST_FLOAT], format[16];
    int at = 0, length;
    format[at++] = '%';
    if (conversion->left)
        format[at++] = '-';
    if (conversion->plus)
        format[at++] = '+';
    if (conversion->space)
        format[at++] = ' ';
    if (conversion->alternate)
        format[at++] = '#';
    if (conversion->zero)
        format[at++] = '0';
    format[at++] = '*';
    format[at++] = '.';
    format[at++] = '*';
    if (conversion->length == LENGTH_LONG_DOUBLE)
        format[at++] = 'L';
    format[at++] = conversion->kind;
    format[at] = '\0';
    if (conversion->length == LENGTH_LONG_DOUBLE)
        length = __pn_real_snprintf(text, sizeof text, format, conversion->width, conversion->precision,
                                    va_arg(*arguments, long double));
    else
        length = __pn_real_snprintf(text, sizeof text, format, conversion->width, conversion->precision,
                                    bound_double(va_arg(*arguments, double)));
    put_text(output, text, length < LONGEST_FLOAT ? (size_t)length : LONGEST_FLOAT - 1);
}

static void put_one(struct output *output, const struct conversion *conversion, va_list *arguments)
{
    char character;
    switch (conversion->kind) {
    case 'd':
    case 'i': put_signed(output, conversion, arguments); return;
    case 'u':
    case 'o':
    case 'x':
    case 'X': put_unsigned(output, conversion, arguments); return;
    case 'p': put_pointer(output, conversion, arguments); return;
    case 's': put_string(output, conversion, arguments); return;
    case 'c':
        character = (char)va_arg(*arguments, int);
        put_padded(output, conversion, &character, 1);
        return;
    case '%': put(output, '%'); return;
    case 'n':
        if (conversion->length == LENGTH_LONG)
            *va_arg(*arguments, long *) = (long)output->length;
        else
            *va_arg(*arguments, int *) = (int)output->length;
        return;
    default: put_float(output, conversion, arguments); return;
    }
}

static int is_modelled(const struct conversion *conversion)
{
    if (conversion->length == LENGTH_LONG && (conversion->kind == 'c' || conversion->kind == 's'))
        return 0; /* wide characters */
    if (conversion->kind == 'n' && conversion->length < LENGTH_INT)
        return 0;
    return conversion->kind && strchr("diuoxXpsc%nfFeEgGaA", conversion->kind);
}

/* Not common: the C library writes all of it, into a block of its own. */
static void write_by_library(struct output *output, const char *format, va_list *arguments)
{
    va_list again;
    va_copy(again, *arguments);
    pn_lost("snprintf");
    int length = __pn_real_vsnprintf(NULL, 0, format, again);
    va_end(again);
    char *text = length < 0 ? NULL : malloc((size_t)length + 1);
    output->length = 0;
    if (text) {
        __pn_real_vsnprintf(text, (size_t)length + 1, format, *arguments);
        put_text(output, text, (size_t)length);
        free(text);
    }
}

/* Whether all conversions are common. */
static int write_all(struct output *output, const char *format, va_list *arguments)
{
    for (size_t at = 0; format[at];) {
        struct conversion conversion;
        size_t begin = at++;
        if (format[begin] != '%') {
            put(output, format[begin]);
            continue;
        }
        at += read_conversion(format + at, &conversion, arguments);
        if (!is_modelled(&conversion))
            return 0;
        put_one(output, &conversion, arguments);
    }
    return 1;
}

int vsnprintf(char *to, size_t size, const char *format, va_list arguments)
{
    if (pn_no_labels())
        return __pn_real_vsnprintf(to, size, format, arguments);
    struct output output = {to, size, 0};
    va_list own, all;
    va_copy(own, arguments);
    va_copy(all, arguments);
    if (!write_all(&output, format, &own))
        write_by_library(&output, format, &all);
    va_end(own);
    va_end(all);
    if (size)
        to[output.length < size ? output.length : size - 1] = '\0';
    return (int)output.length;
}

int vsprintf(char *to, const char *format, va_list arguments)
{
    return vsnprintf(to, INT_MAX, format, arguments);
}

int snprintf(char *to, size_t size, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(to, size, format, arguments);
    va_end(arguments);
    return length;
}

int sprintf(char *to, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(to, INT_MAX, format, arguments);
    va_end(arguments);
    return length;
}

int vasprintf(char **to, const char *format, va_list arguments)
{
    int length = vsnprintf(NULL, 0, format, arguments);
    *to = length < 0 ? NULL : malloc((size_t)length + 1);
    return *to ? vsnprintf(*to, (size_t)length + 1, format, arguments) : -1;
}

int asprintf(char **to, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vasprintf(to, format, arguments);
    va_end(arguments);
    return length;
}
