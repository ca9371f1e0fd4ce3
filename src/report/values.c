#include "report/values.h"

#include "trace/input_line.h"

#include <stdlib.h>
#include <string.h>

enum { ELEMENTS_SHOWN = 8, BYTES_SHOWN = 16 };

/* A line that says what some bytes are. */
struct value {
    char *text; /* owns the rest */
    struct pn_input_line line;
    const char *comment; /* the number that the bytes could be; NULL when there is none */
};

static bool read_value(const char *line, size_t length, struct value *value)
{
    const char *mark = memmem(line, length, "  # ", 4);
    value->comment = mark ? strndup(mark + 4, length - (size_t)(mark + 4 - line)) : NULL;
    value->text = strndup(line, length);
    return value->text && pn_input_line_read(value->text, &value->line) && value->line.size > 0;
}

static void free_value(struct value *value)
{
    free(value->text);
    free((char *)value->comment);
}

/* The line of that name in the other version's output. */
static bool find_value(const char *output, const char *name, struct value *value)
{
    size_t name_length = strlen(name);
    while (*output) {
        size_t length = strcspn(output, "\n");
        if (strncmp(output, name, name_length) == 0 && strncmp(output + name_length, " = ", 3) == 0)
            return read_value(output, length, value);
        output += length + (output[length] == '\n');
    }
    *value = (struct value){0};
    return false;
}

static void add_bytes(const struct value *value, struct text *text)
{
    text_format(text, "%s =", value->line.name);
    for (size_t i = 0; i < value->line.size && i < BYTES_SHOWN; i++)
        text_format(text, " %02x", value->line.bytes[i]);
    if (value->line.size > BYTES_SHOWN)
        text_format(text, " ... (%lu bytes)", value->line.size);
}

/* `v[3] = 1, v[5] = 2`; false when nothing is gained. */
static bool add_differing(const struct input_parameter *type, const struct value *value, const struct value *other,
                          struct text *text)
{
    size_t shown = 0;
    if (!type->is_array || type->is_string || type->element_count <= ELEMENTS_SHOWN ||
        other->line.size != value->line.size)
        return false;
    for (size_t i = 0; i < type->element_count; i++) {
        if (input_element(type, value->line.bytes, i) == input_element(type, other->line.bytes, i))
            continue;
        if (shown++ == ELEMENTS_SHOWN) {
            text_add(text, ", ...");
            return true;
        }
        if (shown > 1)
            text_add(text, ", ");
        input_print_name(type, i, text);
        text_add(text, " = ");
        input_print_element(type, value->line.bytes, i, text);
    }
    return shown > 0;
}

static void add_typed(const struct report *report, const struct value *value, const char *other, struct text *text)
{
    const struct input_parameter *known = report->outputs ? input_layout_find(report->outputs, value->line.name) : NULL;
    if (!known || value->line.size % known->element_size != 0) {
        if (value->comment)
            text_format(text, "%s = %s", value->line.name, value->comment);
        else
            add_bytes(value, text);
        return;
    }
    struct input_parameter type = *known;
    struct value in_other;
    type.offset = 0;
    type.element_count = value->line.size / type.element_size;
    find_value(other, value->line.name, &in_other);
    if (!add_differing(&type, value, &in_other, text)) {
        text_format(text, "%s = ", value->line.name);
        input_print_value(&type, value->line.bytes, text);
    }
    free_value(&in_other);
}

void report_add_line(const struct report *report, const char *line, size_t length, const char *other, struct text *text)
{
    struct value value = {0};
    if (read_value(line, length, &value))
        add_typed(report, &value, other, text);
    else
        text_append(text, line, length);
    free_value(&value);
}
