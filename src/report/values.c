#include "report/values.h"

#include "trace/input_line.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

enum { ELEMENTS_SHOWN = 8, BYTES_SHOWN = 16 };

/* ---- text and lines ---- */

static bool is_utf8(const struct text *bytes)
{
    json_t *string = json_stringn(text_string(bytes), bytes->length); /* it takes nothing else */
    json_decref(string);
    return string != NULL;
}

static bool is_text(unsigned char byte, bool utf8)
{
    return (byte >= ' ' && byte < 0x7f) || byte == '\n' || byte == '\t' || (byte >= 0x80 && utf8);
}

void report_add_readable(const struct text *bytes, struct text *text)
{
    bool utf8 = is_utf8(bytes);
    for (const char *at = text_string(bytes), *end = at + bytes->length; at < end; at++)
        if (is_text((unsigned char)*at, utf8))
            text_append(text, at, 1);
        else
            text_format(text, "\\x%02x", (unsigned char)*at);
}

bool report_has_line(const char *text, const char *line, size_t length)
{
    while (*text) {
        size_t this_length = strcspn(text, "\n");
        if (this_length == length && !memcmp(text, line, length))
            return true;
        text += this_length + (text[this_length] == '\n');
    }
    return false;
}

/* ---- values ---- */

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

/* A string is shown up to its zero, unless it is what lies behind that which differs. */
static void cut_string(struct input_parameter *type, const struct value *value, const struct value *other)
{
    const char *here = (const char *)value->line.bytes, *there = (const char *)other->line.bytes;
    size_t length = strnlen(here, value->line.size);
    size_t other_length = there ? strnlen(there, other->line.size) : 0;
    type->is_string = !there || length != other_length || memcmp(here, there, length) != 0;
    if (type->is_string)
        type->element_count = length;
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
    type.is_array |= type.element_count > 1;
    find_value(other, value->line.name, &in_other);
    if (type.is_string)
        cut_string(&type, value, &in_other);
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

/* ---- what all divergences have in common ---- */

/* The line that begins with the same name. */
static const char *find_line(const char *text, const char *line, size_t *length)
{
    const char *equals = strstr(line, " = ");
    size_t name = equals && equals < line + *length ? (size_t)(equals - line) + 3 : 0;
    while (name && *text && strncmp(text, line, name) != 0) {
        text += strcspn(text, "\n");
        text += *text == '\n';
    }
    *length = strcspn(text, "\n");
    return name && *text ? text : NULL;
}

static bool both_ended(const struct report_divergence *divergence)
{
    const struct check_verdict *verdict = &divergence->verdict;
    return verdict->class == CHECK_OUTPUT && !verdict->old_run.failed && !verdict->new_run.failed;
}

static bool is_common(const struct report *report, const char *in_old, size_t old_length, const char *in_new,
                      size_t new_length)
{
    size_t count = 0;
    for (size_t i = 0; i < report->count; i++) {
        const struct report_divergence *divergence = &report->divergences[i];
        if (!both_ended(divergence))
            continue;
        count++;
        if (!report_has_line(text_string(&divergence->verdict.old_run.output), in_old, old_length) ||
            !report_has_line(text_string(&divergence->verdict.new_run.output), in_new, new_length))
            return false;
    }
    return count > 1;
}

void report_add_common(const struct report *report, struct text *text)
{
    size_t first = 0;
    while (first < report->count && !both_ended(&report->divergences[first]))
        first++;
    if (first == report->count)
        return;
    const struct check_verdict *verdict = &report->divergences[first].verdict;
    const char *all_old = text_string(&verdict->old_run.output), *all_new = text_string(&verdict->new_run.output);
    for (const char *line = all_old; *line;) {
        size_t length = strcspn(line, "\n"), new_length = length;
        const char *in_new = find_line(all_new, line, &new_length);
        /* also by another line of the name: a pointer is called like what it leads to */
        bool differs = in_new && !report_has_line(all_new, line, length);
        if (differs && is_common(report, line, length, in_new, new_length)) {
            text_add(text, "in each of these outputs: ");
            report_add_line(report, line, length, all_new, text);
            text_add(text, " in the old version, ");
            report_add_line(report, in_new, new_length, all_old, text);
            text_add(text, " in the new one\n");
        }
        line += length + (line[length] == '\n');
    }
}
