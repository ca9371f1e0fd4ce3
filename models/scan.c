/* sscanf(): the conversions of integers, characters, strings and sets. Floating-point numbers are bound to their text
 * and read by the C library, and so is all of the text where a conversion is none of these. */
#include "digits.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>

enum { LONGEST_FLOAT = 256, LONGEST_REST = 4096 };

/* Not from <stdio.h>, which may give sscanf() another name. */
enum { END_OF_TEXT = -1 };

int __pn_real_sscanf(const char *, const char *, ...);
int __pn_real_vsscanf(const char *, const char *, va_list);

enum length { LENGTH_CHAR, LENGTH_SHORT, LENGTH_INT, LENGTH_LONG, LENGTH_LONG_DOUBLE };

/* How the function is called where the C library follows C23: `0b101` is a number, too, for `%i` and for `%b`. */
enum dialect { C99, C23 };

struct conversion {
    int is_stored; /* no `*` */
    size_t width;  /* SIZE_MAX: none */
    enum length length;
    char kind;
};

/* Behind the `%`; returns how much of the format it is. */
static size_t read_conversion(const char *format, struct conversion *conversion)
{
    size_t at = 0;
    *conversion = (struct conversion){.is_stored = 1, .width = SIZE_MAX, .length = LENGTH_INT};
    if (format[at] == '*') {
        conversion->is_stored = 0;
        at++;
    }
    for (; (unsigned)format[at] - '0' < 10; at++)
        conversion->width = (conversion->width == SIZE_MAX ? 0 : conversion->width * 10) + (size_t)(format[at] - '0');
    if (conversion->width == 0)
        conversion->width = SIZE_MAX;
    switch (format[at]) {
    case 'h':
        conversion->length = format[at + 1] == 'h' ? LENGTH_CHAR : LENGTH_SHORT;
        at += format[at + 1] == 'h' ? 2 : 1;
        break;
    case 'l':
        conversion->length = LENGTH_LONG;
        at += format[at + 1] == 'l' ? 2 : 1;
        break;
    case 'L':
        conversion->length = LENGTH_LONG_DOUBLE;
        at++;
        break;
    case 'q':
    case 'j':
    case 'z':
    case 't':
        conversion->length = LENGTH_LONG;
        at++;
        break;
    default: break;
    }
    conversion->kind = format[at];
    return at + 1;
}

static void store_integer(void *to, enum length length, uint64_t value)
{
    switch (length) {
    case LENGTH_CHAR: *(uint8_t *)to = (uint8_t)value; break;
    case LENGTH_SHORT: *(uint16_t *)to = (uint16_t)value; break;
    case LENGTH_INT: *(uint32_t *)to = (uint32_t)value; break;
    default: *(uint64_t *)to = value; break;
    }
}

/* What strtol() or strtoul() makes of it. */
static uint64_t limited(const struct digits *digits, int is_negative, int is_signed)
{
    if (!is_signed && digits->is_too_large) {
        errno = ERANGE;
        return UINT64_MAX;
    }
    uint64_t limit = (uint64_t)INT64_MAX + (uint64_t)is_negative;
    if (is_signed && digits->may_be_large && (digits->is_too_large || digits->value > limit)) {
        errno = ERANGE;
        return limit;
    }
    return is_negative ? 0 - digits->value : digits->value;
}

/* Returns how many characters the number has; 0: there is none. */
static size_t scan_integer(const char *text, const struct conversion *conversion, int base, enum dialect dialect,
                           uint64_t *value)
{
    size_t at = 0, left = conversion->width, zeros = 0;
    int is_negative = 0, is_signed = conversion->kind == 'd' || conversion->kind == 'i';
    struct digits digits;
    if (text[at] == '-' || text[at] == '+') {
        is_negative = text[at++] == '-';
        left -= left != SIZE_MAX;
    }
    if (base != 8 && base != 10 && left && text[at] == '0') {
        zeros = 1;
        at++;
        left -= left != SIZE_MAX;
        if (left && base != 2 && (text[at] | 32) == 'x') {
            base = 16;
            at++;
            left -= left != SIZE_MAX;
        } else if (left && base != 16 && dialect == C23 && (text[at] | 32) == 'b') {
            base = 2;
            at++;
            left -= left != SIZE_MAX;
        } else if (base == 0) {
            base = 8;
        }
    }
    read_digits(text + at, base ? (unsigned)base : 10, left, &digits);
    if (!digits.count && !zeros)
        return 0;
    *value = limited(&digits, is_negative, is_signed);
    return at + digits.count;
}

/* A number is read by the C library; 0 where there is none. */
static size_t scan_float(const char *text, const struct conversion *conversion, void *to)
{
    char copy[LONGEST_FLOAT], format[16];
    size_t length = 0, limit = conversion->width < LONGEST_FLOAT ? conversion->width : LONGEST_FLOAT - 1;
    while (length < limit && text[length] && !is_space((byte)text[length])) {
        copy[length] = (char)pn_bound(text[length], "sscanf");
        length++;
    }
    copy[length] = '\0';
    double wide = 0;
    float narrow = 0;
    long double widest = 0;
    int end = -1;
    const char *size = conversion->length == LENGTH_LONG ? "l" : conversion->length == LENGTH_LONG_DOUBLE ? "L" : "";
    void *value = *size == 'l' ? (void *)&wide : *size == 'L' ? (void *)&widest : (void *)&narrow;
    format[0] = '%';
    format[1] = *size ? *size : 'f';
    format[2] = *size ? 'f' : '%';
    format[3] = *size ? '%' : 'n';
    format[4] = *size ? 'n' : '\0';
    format[5] = '\0';
    if (__pn_real_sscanf(copy, format, value, &end) != 1 || end < 0)
        return 0;
    if (to && *size == 'l')
        *(double *)to = wide;
    else if (to && *size == 'L')
        *(long double *)to = widest;
    else if (to)
        *(float *)to = narrow;
    return (size_t)end;
}

/* The set between brackets; returns how much of the format it is. */
struct set {
    byte members[256];
};

static size_t read_set(const char *format, struct set *set)
{
    size_t at = 0;
    byte is_member = format[at] != '^';
    at += !is_member;
    memset(set->members, !is_member, sizeof set->members);
    do {
        byte low = (byte)format[at], high = low;
        if (!low)
            return at;
        if (format[at + 1] == '-' && format[at + 2] && format[at + 2] != ']' && (byte)format[at + 2] >= low) {
            high = (byte)format[at + 2];
            at += 2;
        }
        for (unsigned character = low; character <= high; character++)
            set->members[character] = is_member;
        at++;
    } while (format[at] != ']');
    set->members[0] = 0;
    return at + 1;
}

/* Whether a character is in the set, by comparisons with the ranges that the set consists of. */
static int is_in_set(const struct set *set, byte character)
{
    unsigned found = 0;
    for (unsigned low = 0; low < 256; low++) {
        unsigned high = low;
        if (!set->members[low])
            continue;
        while (high < 255 && set->members[high + 1])
            high++;
        found |= (unsigned)character - low <= high - low;
        low = high;
    }
    return (int)found;
}

static size_t scan_text(const char *text, const struct conversion *conversion, const struct set *set, char *to)
{
    size_t length = 0;
    while (length < conversion->width) {
        byte character = (byte)text[length];
        if (set ? !is_in_set(set, character) : (character == 0) | is_space(character))
            break;
        if (to)
            to[length] = text[length];
        length++;
    }
    if (to && length)
        to[length] = '\0';
    return length;
}

static size_t scan_characters(const char *text, const struct conversion *conversion, char *to)
{
    size_t length = 0, wanted = conversion->width == SIZE_MAX ? 1 : conversion->width;
    while (length < wanted && text[length]) {
        if (to)
            to[length] = text[length];
        length++;
    }
    return length;
}

/* What is not modelled: all of the text as it is in this run. */
static int scan_by_library(const char *text, const char *format, va_list arguments)
{
    pn_lost("sscanf");
    char copy[LONGEST_REST];
    size_t length = 0;
    while (length < LONGEST_REST - 1 && text[length]) {
        copy[length] = (char)pn_bound(text[length], "sscanf");
        length++;
    }
    copy[length] = '\0';
    return __pn_real_vsscanf(copy, format, arguments);
}

static int base_of(char kind)
{
    return kind == 'd' || kind == 'u' ? 10 : kind == 'i' ? 0 : kind == 'o' ? 8 : kind == 'b' ? 2 : 16;
}

/* Stores what a conversion reads; returns its length, 0 where the text does not fit. */
static size_t scan_one(const char *text, const struct conversion *conversion, const struct set *set,
                       enum dialect dialect, void *to)
{
    uint64_t value = 0;
    switch (conversion->kind) {
    case 'c': return scan_characters(text, conversion, to);
    case 's': return scan_text(text, conversion, NULL, to);
    case '[': return scan_text(text, conversion, set, to);
    case 'd':
    case 'i':
    case 'u':
    case 'o':
    case 'b':
    case 'x':
    case 'X': break;
    default: return scan_float(text, conversion, to);
    }
    size_t length = scan_integer(text, conversion, base_of(conversion->kind), dialect, &value);
    if (length && to)
        store_integer(to, conversion->length, value);
    return length;
}

static int is_modelled(const struct conversion *conversion, enum dialect dialect)
{
    if (conversion->kind == 'b')
        return dialect == C23;
    if (conversion->length == LENGTH_LONG && strchr("cs[", conversion->kind))
        return 0; /* wide characters */
    return conversion->kind && strchr("%diuoxXcsn[feEgGaA", conversion->kind);
}

/* `used`, if it is not NULL, is how much of the text was read. */
static int scan_all(const char *text, const char *format, enum dialect dialect, va_list arguments, size_t *used)
{
    size_t at = 0; /* in the text */
    int done = 0, skips = 0;
    va_list all;
    va_copy(all, arguments);
    for (size_t in = 0; format[in];) {
        struct conversion conversion = {.kind = '%'}; /* or a character that stands for itself */
        struct set set;
        size_t begin = in++;
        if (is_space((byte)format[begin])) {
            skips = 1;
            continue;
        }
        int is_literal = format[begin] != '%';
        if (!is_literal)
            in += read_conversion(format + in, &conversion);
        if (!is_modelled(&conversion, dialect)) {
            done = scan_by_library(text, format, all);
            if (used)
                *used = strlen(text);
            break;
        }
        if (conversion.kind == '[')
            in += read_set(format + in, &set);
        if (skips || (!is_literal && !strchr("[cn", conversion.kind)))
            while (is_space((byte)text[at]))
                at++;
        skips = 0;
        if (used)
            *used = at;
        void *to = conversion.is_stored && conversion.kind != '%' ? va_arg(arguments, void *) : NULL;
        if (conversion.kind == 'n') {
            if (to)
                store_integer(to, conversion.length, at);
            continue;
        }
        if (!text[at])
            return done ? done : END_OF_TEXT;
        size_t length =
            conversion.kind == '%' ? text[at] == format[begin] : scan_one(text + at, &conversion, &set, dialect, to);
        if (!length)
            return done;
        at += length;
        if (used)
            *used = at;
        done += to != NULL;
    }
    while (used && skips && is_space((byte)text[at]))
        *used = ++at;
    return done;
}

static int scan(const char *text, const char *format, enum dialect dialect, va_list arguments)
{
    if (dialect == C99 && pn_no_labels())
        return __pn_real_vsscanf(text, format, arguments);
    return scan_all(text, format, dialect, arguments, NULL);
}

/* For scanning in files. */
int scan_prefix(const char *text, const char *format, int is_new, va_list arguments, size_t *used);

int scan_prefix(const char *text, const char *format, int is_new, va_list arguments, size_t *used)
{
    return scan_all(text, format, is_new ? C23 : C99, arguments, used);
}

#define WITH_LIST(name, dialect)                                                                                       \
    int name(const char *text, const char *format, va_list arguments)                                                  \
    {                                                                                                                  \
        return scan(text, format, dialect, arguments);                                                                 \
    }

#define WITH_ARGUMENTS(name, dialect)                                                                                  \
    int name(const char *text, const char *format, ...)                                                                \
    {                                                                                                                  \
        va_list arguments;                                                                                             \
        va_start(arguments, format);                                                                                   \
        int done = scan(text, format, dialect, arguments);                                                             \
        va_end(arguments);                                                                                             \
        return done;                                                                                                   \
    }

WITH_LIST(vsscanf, C99)
WITH_LIST(__isoc99_vsscanf, C99)
WITH_LIST(__isoc23_vsscanf, C23)
WITH_ARGUMENTS(sscanf, C99)
WITH_ARGUMENTS(__isoc99_sscanf, C99)
WITH_ARGUMENTS(__isoc23_sscanf, C23)
