#include "input/floating.h"
#include "input/input.h"
#include "input/invocation.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum {
    SHOWN_ZEROS = 8,      /* more of them at the end of an array are written `...` */
    SHOWN_PARAMETERS = 12 /* of more than that, those that are zero are written `...` */
};

void input_print_number(struct text *text, __int128 number)
{
    char digits[48];
    size_t at = sizeof digits;
    unsigned __int128 magnitude = number < 0 ? -(unsigned __int128)number : (unsigned __int128)number;
    do
        digits[--at] = (char)('0' + (int)(magnitude % 10));
    while (magnitude /= 10);
    if (number < 0)
        digits[--at] = '-';
    text_append(text, digits + at, sizeof digits - at);
}

static const char *constant_name(const struct input_parameter *parameter, __int128 value)
{
    for (size_t i = 0; i < parameter->constant_count; i++)
        if (parameter->constants[i].value == value)
            return parameter->constants[i].name;
    return NULL;
}

void input_print_name(const struct input_parameter *parameter, size_t element, struct text *text)
{
    bool needs_brackets = parameter->kind == INPUT_NULL || (parameter->is_array && parameter->name[0] == '*');
    text_format(text, needs_brackets ? "(%s)" : "%s", parameter->name);
    if (parameter->is_array)
        text_format(text, "[%zu]", element);
}

void input_print_element(const struct input_parameter *parameter, const uint8_t *bytes, size_t element,
                         struct text *text)
{
    __int128 value = input_element(parameter, bytes, element);
    bool is_yes_or_no = parameter->kind == INPUT_BOOL || parameter->kind == INPUT_NULL;
    const char *name = constant_name(parameter, value);
    if (parameter->kind == INPUT_FLOATING) {
        floating_print((uint64_t)value, parameter->element_size, text);
        return;
    }
    if (is_yes_or_no && (value == 0 || value == 1)) {
        text_add(text, value ? "true" : "false");
        return;
    }
    if (name)
        text_format(text, "%s(", name);
    input_print_number(text, value);
    if (name)
        text_add(text, ")");
}

static void print_character(const struct input_parameter *parameter, const uint8_t *bytes, struct text *text)
{
    int value = bytes[parameter->offset];
    if (value < 128 && isprint(value) && value != '\'' && value != '\\')
        text_format(text, "'%c'", value);
    else
        input_print_element(parameter, bytes, 0, text);
}

/* The number of elements without the zeros at the end. */
static size_t significant(const struct input_parameter *parameter, const uint8_t *bytes)
{
    size_t count = parameter->element_count;
    while (count > 0 && input_element(parameter, bytes, count - 1) == 0)
        count--;
    return count;
}

static bool reads_as_string(const struct input_parameter *parameter, const uint8_t *bytes)
{
    size_t count = significant(parameter, bytes);
    for (size_t i = 0; i < count; i++) {
        int value = bytes[parameter->offset + i];
        if (value >= 128 || (value != 0 && !isprint(value) && !strchr("\n\r\t", value)))
            return false;
    }
    return true;
}

static void print_string(const struct input_parameter *parameter, const uint8_t *bytes, struct text *text)
{
    size_t count = significant(parameter, bytes);
    text_add(text, "\"");
    for (size_t i = 0; i < count; i++) {
        char value = (char)bytes[parameter->offset + i];
        const char *escape = memchr("\0\n\r\t\"\\", value, 6);
        if (value == '\0')
            text_add(text, "\\000"); /* \0 before a digit would read as another character */
        else if (escape)
            text_format(text, "\\%c", value == '\n' ? 'n' : value == '\r' ? 'r' : value == '\t' ? 't' : value);
        else
            text_append(text, &value, 1);
    }
    text_add(text, count < parameter->element_count && !parameter->is_string ? "\\0\"" : "\"");
}

static void print_list(const struct input_parameter *parameter, const uint8_t *bytes, struct text *text)
{
    size_t count = parameter->element_count, needed = significant(parameter, bytes);
    bool shortened = count - needed > SHOWN_ZEROS;
    if (shortened)
        count = needed;
    text_add(text, "{");
    for (size_t i = 0; i < count; i++) {
        if (i > 0)
            text_add(text, ",");
        input_print_element(parameter, bytes, i, text);
    }
    if (shortened)
        text_add(text, count > 0 ? ",..." : "...");
    text_add(text, "}");
}

void input_print_value(const struct input_parameter *parameter, const uint8_t *bytes, struct text *text)
{
    bool character = parameter->kind == INPUT_CHARACTER;
    if (!parameter->is_array && character && parameter->is_signed) /* a single unsigned char is a small number */
        print_character(parameter, bytes, text);
    else if (!parameter->is_array)
        input_print_element(parameter, bytes, 0, text);
    else if (character && reads_as_string(parameter, bytes))
        print_string(parameter, bytes, text);
    else
        print_list(parameter, bytes, text);
}

static bool is_zero(const struct input_parameter *parameter, const uint8_t *bytes)
{
    size_t size = parameter->element_size * parameter->element_count;
    for (size_t i = 0; i < size; i++)
        if (bytes[parameter->offset + i])
            return false;
    return true;
}

static bool is_member(const struct input_parameter *parameter)
{
    return strstr(parameter->name, "->") || strchr(parameter->name, '.');
}

enum zero_members { ZERO_MEMBERS_NAMED, ZERO_MEMBERS_LEFT_OUT };

static void print_all(const struct input_layout *layout, const uint8_t *bytes, enum zero_members zero_members,
                      struct text *text)
{
    size_t count = 0;
    bool shortened = layout->count > SHOWN_PARAMETERS, has_others = false;
    if (layout->invocation) {
        invocation_print(layout->invocation, layout, bytes, text);
        return;
    }
    for (size_t i = 0; i < layout->count; i++) {
        const struct input_parameter *parameter = &layout->parameters[i];
        bool is_choice = parameter->kind == INPUT_NULL;
        bool is_other =
            zero_members == ZERO_MEMBERS_LEFT_OUT && is_member(parameter) && !is_choice && is_zero(parameter, bytes);
        bool is_left_out = ((shortened || is_other) && is_zero(parameter, bytes)) || input_is_usual(parameter, bytes);
        if (!input_is_there(layout, parameter, bytes) || (is_choice && !bytes[parameter->offset]))
            continue;
        has_others |= is_other && !input_is_usual(parameter, bytes);
        if (is_left_out)
            continue;
        if (count++ > 0)
            text_add(text, ", ");
        if (is_choice) {
            const char *sign = strstr(parameter->name, " == ");
            text_format(text, "%.*s=%s", (int)(sign - parameter->name), parameter->name, sign + strlen(" == "));
            continue;
        }
        text_format(text, "%s=", parameter->name);
        input_print_value(parameter, bytes, text);
    }
    if (shortened && !has_others)
        text_add(text, count ? ", ..." : "...");
    if (has_others)
        text_add(text, count ? ", other members 0" : "all members 0");
}

void input_print(const struct input_layout *layout, const uint8_t *bytes, struct text *text)
{
    print_all(layout, bytes, ZERO_MEMBERS_NAMED, text);
}

void input_print_briefly(const struct input_layout *layout, const uint8_t *bytes, struct text *text)
{
    print_all(layout, bytes, ZERO_MEMBERS_LEFT_OUT, text);
}

void input_print_file(const struct input_layout *layout, const uint8_t *bytes, struct text *text)
{
    for (size_t i = 0; i < layout->count; i++) {
        const struct input_parameter *parameter = &layout->parameters[i];
        text_format(text, "%s =", parameter->name);
        size_t size = parameter->element_size * parameter->element_count;
        for (size_t k = 0; k < size; k++)
            text_format(text, " %02x", bytes[parameter->offset + k]);
        text_add(text, "  # ");
        input_print_value(parameter, bytes, text);
        text_add(text, "\n");
    }
}
