/* Seeds and ranges as people write them. A reader walks over the text; every error quotes the whole text first. */
#include "input/floating.h"
#include "input/input.h"
#include "trace/floating.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct reader {
    const struct input_layout *layout;
    const char *what; /* "seed" or "range" */
    const char *text; /* all of it */
    const char *at;
    struct error *error;
    bool failed;
};

enum { LONGEST_NAME = 127 };

static void skip_space(struct reader *reader)
{
    while (isspace((unsigned char)*reader->at))
        reader->at++;
}

static bool accept(struct reader *reader, const char *token)
{
    skip_space(reader);
    size_t length = strlen(token);
    if (strncmp(reader->at, token, length) != 0)
        return false;
    reader->at += length;
    return true;
}

static bool fail(struct reader *reader, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool fail(struct reader *reader, const char *format, ...)
{
    char problem[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(problem, sizeof problem, format, arguments);
    va_end(arguments);
    reader->failed = true;
    return error_set(reader->error, "%s '%.200s': %s", reader->what, reader->text, problem);
}

static bool fail_unknown(struct reader *reader, const char *name)
{
    const struct input_layout *layout = reader->layout;
    struct text known = {0};
    const char **names = calloc(layout->count + 1, sizeof *names);
    for (size_t i = 0; names && i < layout->count; i++) {
        names[i] = layout->parameters[i].name;
        text_format(&known, "%s%s", i > 0 ? ", " : "", names[i]);
    }
    const char *nearest = names ? nearest_name(name, names, layout->count) : NULL;
    if (layout->count == 0)
        fail(reader, "there is no input called '%s': the entry has no parameters (--global NAME adds one)", name);
    else if (nearest)
        fail(reader, "there is no input called '%s'; did you mean '%s'?", name, nearest);
    else
        fail(reader, "there is no input called '%s'; there are: %.500s", name, text_string(&known));
    free(names);
    text_free(&known);
    return false;
}

/* `name =` */
static bool read_name(struct reader *reader, char name[LONGEST_NAME + 1])
{
    skip_space(reader);
    size_t length = strcspn(reader->at, "=,{}\"'");
    const char *end = reader->at + length;
    while (length > 0 && isspace((unsigned char)reader->at[length - 1]))
        length--;
    if (*end != '=' || length == 0 || length > LONGEST_NAME)
        return fail(reader, "expected NAME=VALUE at '%.40s'", reader->at);
    memcpy(name, reader->at, length);
    name[length] = '\0';
    reader->at = end + 1;
    return true;
}

static int digit_value(char character)
{
    if (isdigit((unsigned char)character))
        return character - '0';
    return isxdigit((unsigned char)character) ? tolower((unsigned char)character) - 'a' + 10 : 99;
}

/* Digits with a sign. What no 64 bits can hold ends as something just as unfit. */
static bool read_integer(struct reader *reader, __int128 *value)
{
    bool negative = accept(reader, "-");
    if (!negative)
        accept(reader, "+");
    int base = accept(reader, "0x") || accept(reader, "0X") ? 16 : 10;
    if (digit_value(*reader->at) >= base)
        return false;
    *value = 0;
    for (; digit_value(*reader->at) < base; reader->at++)
        if (*value < (__int128)1 << 100)
            *value = *value * base + digit_value(*reader->at);
    if (negative)
        *value = -*value;
    return true;
}

static int read_octal_or_hexadecimal(struct reader *reader)
{
    int base = 8, digits = 3, value = 0;
    if (*reader->at == 'x') {
        base = 16, digits = 2;
        reader->at++;
    }
    if (digit_value(*reader->at) >= base)
        return -1;
    for (; digits > 0 && digit_value(*reader->at) < base; digits--, reader->at++)
        value = value * base + digit_value(*reader->at);
    return value > 255 ? -1 : value;
}

/* One character of a string or character constant, escapes resolved; -1 where there is none. */
static int read_character(struct reader *reader)
{
    if (*reader->at == '\0')
        return -1;
    if (*reader->at != '\\')
        return (unsigned char)*reader->at++;
    reader->at++;
    static const char letters[] = "abfnrtv\\'\"", values[] = "\a\b\f\n\r\t\v\\'\"";
    const char *letter = *reader->at ? strchr(letters, *reader->at) : NULL;
    if (!letter)
        return read_octal_or_hexadecimal(reader);
    reader->at++;
    return (unsigned char)values[letter - letters];
}

/* A character code is one byte, whatever the sign of char. */
static __int128 as_element(const struct input_parameter *parameter, int character)
{
    return parameter->is_signed && parameter->element_size == 1 ? (__int128)(signed char)character : character;
}

/* An enumerator, perhaps with its number as it is printed: `RED`, `RED(1)`. */
static bool read_constant(struct reader *reader, const struct input_parameter *parameter, __int128 *value)
{
    size_t length = 0;
    while (isalnum((unsigned char)reader->at[length]) || reader->at[length] == '_')
        length++;
    for (size_t i = 0; i < parameter->constant_count; i++) {
        const struct input_constant *constant = &parameter->constants[i];
        if (strlen(constant->name) != length || strncmp(constant->name, reader->at, length) != 0)
            continue;
        __int128 again = *value = constant->value;
        reader->at += length;
        if (*reader->at != '(')
            return true;
        reader->at++;
        return (read_integer(reader, &again) && accept(reader, ")") && again == *value) ||
               fail(reader, "the number behind '%s' is not its own", constant->name);
    }
    return false;
}

static bool fail_without_number(struct reader *reader, const struct input_parameter *parameter)
{
    const char **names = calloc(parameter->constant_count + 1, sizeof *names);
    char word[LONGEST_NAME + 1];
    snprintf(word, sizeof word, "%.*s", (int)strcspn(reader->at, " ,}"), reader->at);
    for (size_t i = 0; names && i < parameter->constant_count; i++)
        names[i] = parameter->constants[i].name;
    const char *nearest = names ? nearest_name(word, names, parameter->constant_count) : NULL;
    fail(reader, "expected a number%s for '%s' (%s) at '%.40s'%s%s%s",
         parameter->constant_count ? " or an enumerator" : "", parameter->name, parameter->type, reader->at,
         nearest ? "; did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "");
    free(names);
    return false;
}

static bool read_number(struct reader *reader, const struct input_parameter *parameter, __int128 *value)
{
    skip_space(reader);
    const char *start = reader->at;
    if (accept(reader, "true") || accept(reader, "false")) {
        *value = *start == 't';
        return true;
    }
    if (accept(reader, "'")) {
        int character = read_character(reader);
        *value = as_element(parameter, character);
        return (character >= 0 && accept(reader, "'")) ||
               fail(reader, "expected a character like 'c' at '%.40s'", start);
    }
    if (read_constant(reader, parameter, value))
        return true;
    if (reader->failed)
        return false;
    return read_integer(reader, value) || fail_without_number(reader, parameter);
}

static void print_limits(const struct input_parameter *parameter, struct text *limits)
{
    if (parameter->kind == INPUT_FLOATING) {
        bool single = parameter->element_size == 4;
        text_add(limits, "-");
        floating_print(single ? 0x7f7fffff : 0x7fefffffffffffff, parameter->element_size, limits);
        text_add(limits, "..");
        floating_print(single ? 0x7f7fffff : 0x7fefffffffffffff, parameter->element_size, limits);
        return;
    }
    input_print_number(limits, input_lowest(parameter));
    text_add(limits, "..");
    input_print_number(limits, input_highest(parameter));
}

static bool fail_out_of_range(struct reader *reader, const struct input_parameter *parameter, const char *start)
{
    struct text limits = {0};
    print_limits(parameter, &limits);
    int length = (int)(reader->at - start);
    fail(reader, "%.*s is out of the range of '%s' (%s): %s", length > 60 ? 60 : length, start, parameter->name,
         parameter->type, text_string(&limits));
    text_free(&limits);
    return false;
}

static bool read_floating(struct reader *reader, const struct input_parameter *parameter, __int128 *value)
{
    const char *start = reader->at;
    uint64_t bits = 0;
    enum floating_problem problem = floating_read(&reader->at, parameter->element_size, &bits);
    *value = bits;
    if (problem == FLOATING_TOO_BIG)
        return fail_out_of_range(reader, parameter, start);
    return problem == FLOATING_READ ||
           fail(reader, "expected a number for '%s' (%s) at '%.40s'", parameter->name, parameter->type, start);
}

/* A number that an element of the parameter can hold. */
static bool read_fitting(struct reader *reader, const struct input_parameter *parameter, __int128 *value)
{
    skip_space(reader);
    const char *start = reader->at;
    if (parameter->kind == INPUT_FLOATING)
        return read_floating(reader, parameter, value);
    if (!read_number(reader, parameter, value))
        return false;
    if (*value < input_lowest(parameter) || *value > input_highest(parameter))
        return fail_out_of_range(reader, parameter, start);
    return true;
}

static bool read_element(struct reader *reader, const struct input_parameter *parameter, uint8_t *bytes, size_t element)
{
    __int128 value;
    if (!read_fitting(reader, parameter, &value))
        return false;
    input_set_element(parameter, bytes, element, value);
    return true;
}

static bool fail_too_many(struct reader *reader, const struct input_parameter *parameter)
{
    return fail(reader, "'%s' has %zu elements, here are more%s", parameter->name, parameter->element_count,
                parameter->is_pointer ? "; --size changes that" : "");
}

static bool read_string(struct reader *reader, const struct input_parameter *parameter, uint8_t *bytes)
{
    if (parameter->element_size != 1 || !parameter->is_array)
        return fail(reader, "'%s' (%s) is no string", parameter->name, parameter->type);
    for (size_t i = 0; *reader->at != '"'; i++) {
        int character = read_character(reader);
        if (character < 0)
            return fail(reader, "the string for '%s' does not end, or has an unknown escape", parameter->name);
        /* One zero more than fits is the terminator that C leaves out too. */
        if (i >= parameter->element_count && !(character == 0 && *reader->at == '"'))
            return fail_too_many(reader, parameter);
        if (i < parameter->element_count)
            input_set_element(parameter, bytes, i, character);
    }
    reader->at++;
    return true;
}

/* What follows `{`. */
static bool read_list(struct reader *reader, const struct input_parameter *parameter, uint8_t *bytes)
{
    if (!parameter->is_array)
        return fail(reader, "'%s' (%s) is no array: write %s=NUMBER", parameter->name, parameter->type,
                    parameter->name);
    if (accept(reader, "}"))
        return true;
    for (size_t i = 0;; i++) {
        if (accept(reader, "..."))
            return accept(reader, "}") || fail(reader, "expected '}' at '%.40s'", reader->at);
        if (i >= parameter->element_count)
            return fail_too_many(reader, parameter);
        if (!read_element(reader, parameter, bytes, i))
            return false;
        if (accept(reader, "}"))
            return true;
        if (!accept(reader, ","))
            return fail(reader, "expected ',' or '}' at '%.40s'", reader->at);
    }
}

static bool read_value(struct reader *reader, const struct input_parameter *parameter, uint8_t *bytes)
{
    if (parameter->kind == INPUT_NULL) {
        bytes[parameter->offset] = 1;
        return true;
    }
    if (accept(reader, "\""))
        return read_string(reader, parameter, bytes);
    if (accept(reader, "{"))
        return read_list(reader, parameter, bytes);
    if (parameter->is_array)
        return fail(reader, "'%s' (%s) has %zu elements: write %s={1,2}%s", parameter->name, parameter->type,
                    parameter->element_count, parameter->name,
                    parameter->element_size == 1 ? " or a string in double quotes" : "");
    return read_element(reader, parameter, bytes, 0);
}

/* `NULL` is a value of the pointer, everything else of what it points to. */
static bool accept_null(struct reader *reader)
{
    skip_space(reader);
    if (strncmp(reader->at, "NULL", 4) != 0 || isalnum((unsigned char)reader->at[4]) || reader->at[4] == '_')
        return false;
    reader->at += 4;
    return true;
}

/* `q=p`, `q=p + 1`: the pointer leads into another one's object. The longest that fits is meant. */
static const struct input_parameter *accept_same(struct reader *reader, const char *name)
{
    const struct input_parameter *found = NULL;
    size_t length = strlen(name), longest = 0;
    skip_space(reader);
    for (size_t i = 0; i < reader->layout->count; i++) {
        const struct input_parameter *parameter = &reader->layout->parameters[i];
        bool is_of_pointer = parameter->kind == INPUT_NULL && strncmp(parameter->name, name, length) == 0 &&
                             strncmp(parameter->name + length, " == ", 4) == 0;
        const char *other = is_of_pointer ? parameter->name + length + 4 : "";
        size_t size = strlen(other);
        if (size > longest && strncmp(reader->at, other, size) == 0 && strchr(", ", reader->at[size]))
            longest = size, found = parameter;
    }
    reader->at += longest;
    return found;
}

/* A name that begins like others: a structure, or a pointer to one. */
static bool fail_incomplete(struct reader *reader, const char *name)
{
    const struct input_layout *layout = reader->layout;
    size_t length = strlen(name);
    for (size_t i = 0; i < layout->count; i++) {
        const char *other = layout->parameters[i].name, *rest = other + length;
        if (layout->parameters[i].kind != INPUT_NULL && strncmp(other, name, length) == 0 && strchr(".-[", *rest))
            return fail(reader, "'%s' has members: write %s=VALUE", name, other);
    }
    return fail_unknown(reader, name);
}

static const struct input_parameter *read_parameter(struct reader *reader)
{
    char name[LONGEST_NAME + 1];
    if (!read_name(reader, name))
        return NULL;
    const struct input_parameter *parameter = input_layout_find(reader->layout, name);
    if (accept_null(reader)) {
        bool is_pointer = parameter && parameter->is_pointer;
        parameter = input_layout_find_null(reader->layout, name);
        if (!parameter && is_pointer)
            fail(reader, "'%s' is never NULL: --null=%s lets it be", name, name);
    } else {
        const struct input_parameter *same = accept_same(reader, name);
        parameter = same ? same : parameter;
    }
    if (!parameter && !reader->failed)
        fail_incomplete(reader, name);
    return parameter;
}

static bool read_piece(struct reader *reader, bool *given, uint8_t *bytes)
{
    const struct input_parameter *parameter = read_parameter(reader);
    if (!parameter)
        return false;
    bool *is_given = &given[parameter - reader->layout->parameters];
    if (*is_given)
        return fail(reader, "'%s' is given twice", parameter->name);
    *is_given = true;
    return read_value(reader, parameter, bytes);
}

bool input_parse(const struct input_layout *layout, const char *seed, uint8_t *bytes, struct error *error)
{
    struct reader reader = {layout, "seed", seed, seed, error, false};
    memset(bytes, 0, layout->size);
    skip_space(&reader);
    if (*reader.at == '\0')
        return true;
    bool *given = calloc(layout->count + 1, sizeof *given);
    bool good = given != NULL;
    bool is_last = false; /* the rest is zero anyway */
    do {
        is_last = accept(&reader, "...");
        good = good && (is_last || read_piece(&reader, given, bytes));
    } while (good && !is_last && accept(&reader, ","));
    skip_space(&reader);
    if (good && *reader.at)
        good = fail(&reader, "expected ',' or the end at '%.40s'", reader.at);
    free(given);
    return good;
}

/* What follows `x=`, for one of the parameters that are meant. */
static bool read_range(struct reader *reader, const struct input_parameter *parameter, struct input_range *range)
{
    range->parameter = (size_t)(parameter - reader->layout->parameters);
    if (!read_fitting(reader, parameter, &range->low))
        return false;
    if (!accept(reader, ".."))
        return fail(reader, "expected %s=LOW..HIGH", parameter->name);
    if (!read_fitting(reader, parameter, &range->high))
        return false;
    skip_space(reader);
    if (*reader->at)
        return fail(reader, "expected %s=LOW..HIGH", parameter->name);
    if (parameter->kind == INPUT_FLOATING && (pn_float_is_nan((uint64_t)range->low, parameter->element_size * 8) ||
                                              pn_float_is_nan((uint64_t)range->high, parameter->element_size * 8)))
        return fail(reader, "nan is no end of a range");
    return input_is_in_range(parameter, range, range->low) ||
           fail(reader, "the low end is above the high one, so no value is left");
}

bool input_parse_range(const struct input_layout *layout, const char *text, struct input_range *ranges, size_t *count,
                       struct error *error)
{
    struct reader reader = {layout, "range", text, text, error, false};
    char name[LONGEST_NAME + 1];
    if (!read_name(&reader, name))
        return false;
    const char *values = reader.at;
    bool found = false;
    for (size_t i = 0; i < layout->count; i++) {
        const struct input_parameter *parameter = &layout->parameters[i];
        if (parameter->kind == INPUT_NULL || !input_name_matches(name, parameter->name))
            continue;
        found = true;
        reader.at = values;
        if (!read_range(&reader, parameter, &ranges[(*count)++]))
            return false;
    }
    return found || fail_incomplete(&reader, name);
}
