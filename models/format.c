/* snprintf() and its relatives. Floating-point numbers are bound to their values and written by the C library, and so
 * is all of a text in which a conversion is none of the common ones. */
#include "model.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_NUMBER = 64, LONGEST_FLOAT = 512, SHORT_TEXT = 128 };

int __pn_real_snprintf(char *, size_t, const char *, ...);
int __pn_real_vsnprintf(char *, size_t, const char *, va_list);
char *__pn_real_strchr(const char *, int);

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

/* How many of `count` further bytes there is room for. */
static inline MODEL_INLINE size_t fitting(const struct output *output, size_t count)
{
    size_t room = output->length + 1 < output->size ? output->size - output->length - 1 : 0;
    return count < room ? count : room;
}

static inline MODEL_INLINE void put(struct output *output, char character)
{
    if (output->length + 1 < output->size)
        output->to[output->length] = character;
    output->length++;
}

static void put_text(struct output *output, const char *text, size_t length)
{
    size_t copied = fitting(output, length);
    if (copied)
        memcpy(output->to + output->length, text, copied);
    output->length += length;
}

static void fill(struct output *output, char character, int count)
{
    size_t written = count > 0 ? fitting(output, (size_t)count) : 0;
    if (written)
        memset(output->to + output->length, character, written);
    output->length += count > 0 ? (size_t)count : 0;
}

/* ---- the format ---- */

/* These return how much of the format they have read. */
static inline MODEL_INLINE size_t read_number(const char *format, int *number, va_list *arguments)
{
    if (format[0] == '*') {
        *number = (int)pn_bound(va_arg(*arguments, int), "snprintf");
        return 1;
    }
    size_t at = 0;
    int value = 0;
    for (; (unsigned)format[at] - '0' < 10; at++)
        value = value * 10 + (format[at] - '0');
    *number = value;
    return at;
}

static inline MODEL_INLINE size_t read_length(const char *format, enum length *length)
{
    size_t letters = format[0] && format[1] == format[0] ? 2 : 1;
    switch (format[0]) {
    case 'h': *length = letters == 2 ? LENGTH_CHAR : LENGTH_SHORT; return letters;
    case 'l': *length = LENGTH_LONG; return letters;
    case 'L': *length = LENGTH_LONG_DOUBLE; return 1;
    case 'q':
    case 'j':
    case 'z':
    case 't': *length = LENGTH_LONG; return 1;
    default: *length = LENGTH_INT; return 0;
    }
}

/* Behind the `%`; returns how much of the format it is. */
static size_t read_conversion(const char *format, struct conversion *conversion, va_list *arguments)
{
    size_t at = 0;
    struct conversion read = {.precision = -1};
    for (;; at++) {
        char flag = format[at];
        if (flag == '-')
            read.left = 1;
        else if (flag == '+')
            read.plus = 1;
        else if (flag == ' ')
            read.space = 1;
        else if (flag == '#')
            read.alternate = 1;
        else if (flag == '0')
            read.zero = 1;
        else if (flag != '\'') /* groups digits, in other locales */
            break;
    }
    at += read_number(format + at, &read.width, arguments);
    if (read.width < 0) {
        read.left = 1;
        read.width = -read.width;
    }
    if (format[at] == '.') {
        at++;
        at += read_number(format + at, &read.precision, arguments);
    }
    at += read_length(format + at, &read.length);
    read.kind = format[at];
    *conversion = read;
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
    pn_look_at(&value, sizeof value);
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
    memset(text, 0, sizeof text); /* the place may have labels of a function that has returned */
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
    /* Before the number, of which there are more. */
    int width = (int)pn_bound(conversion->width, "snprintf"),
        precision = (int)pn_bound(conversion->precision, "snprintf");
    if (conversion->length == LENGTH_LONG_DOUBLE)
        length = __pn_real_snprintf(text, sizeof text, format, width, precision, va_arg(*arguments, long double));
    else
        length =
            __pn_real_snprintf(text, sizeof text, format, width, precision, bound_double(va_arg(*arguments, double)));
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

static int is_of_wide_characters(const struct conversion *conversion)
{
    return conversion->length == LENGTH_LONG && (conversion->kind == 'c' || conversion->kind == 's');
}

static int is_modelled(const struct conversion *conversion)
{
    if (is_of_wide_characters(conversion))
        return 0;
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

/* ---- nothing that depends on the input or differs between the versions ---- */

static int is_plain_argument(const struct conversion *conversion, va_list *arguments)
{
    if (is_of_wide_characters(conversion))
        return 0;
    switch (conversion->kind) {
    case '%': return 1;
    case 's': {
        const char *text = va_arg(*arguments, const char *);
        size_t limit = conversion->precision < 0 ? SIZE_MAX : (size_t)conversion->precision;
        return pn_plain_bytes(&text, sizeof text) && text && pn_plain_text(text, limit);
    }
    case 'd':
    case 'i':
    case 'u':
    case 'o':
    case 'x':
    case 'X':
    case 'c': {
        uint64_t value = take_unsigned(conversion->length, arguments);
        return pn_plain_bytes(&value, sizeof value);
    }
    default: return 0;
    }
}

/* Whether only numbers, characters and strings are written, all of them plain. */
static int is_all_plain(const char *format, va_list *arguments)
{
    if (!pn_plain_string(format) || __pn_real_strchr(format, '*'))
        return 0;
    for (const char *at = __pn_real_strchr(format, '%'); at; at = __pn_real_strchr(at, '%')) {
        struct conversion conversion;
        at += 1 + read_conversion(at + 1, &conversion, arguments);
        if (!is_plain_argument(&conversion, arguments))
            return 0;
    }
    return 1;
}

/* The C library writes into memory of the model's own; from there the text goes the way of all others. Whether it is a
 * short one. */
static int write_plainly(struct output *output, const char *format, va_list *arguments)
{
    char text[SHORT_TEXT];
    memset(text, 0, sizeof text); /* as in put_float() */
    int length = __pn_real_vsnprintf(text, sizeof text, format, *arguments);
    if (length < 0 || length >= SHORT_TEXT)
        return 0;
    put_text(output, text, (size_t)length);
    return 1;
}

static void write_somehow(struct output *output, const char *format, va_list arguments)
{
    va_list scanned, plain, own, all;
    va_copy(scanned, arguments);
    va_copy(plain, arguments);
    va_copy(own, arguments);
    va_copy(all, arguments);
    if ((!is_all_plain(format, &scanned) || !write_plainly(output, format, &plain)) && !write_all(output, format, &own))
        write_by_library(output, format, &all);
    va_end(scanned);
    va_end(plain);
    va_end(own);
    va_end(all);
}

int vsnprintf(char *to, size_t size, const char *format, va_list arguments)
{
    if (pn_no_labels())
        return __pn_real_vsnprintf(to, size, format, arguments);
    struct output output = {to, size, 0};
    write_somehow(&output, format, arguments);
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
