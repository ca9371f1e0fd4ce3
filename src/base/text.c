#include "base/text.h"

#include "base/arena.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Room for `length` more bytes and the NUL. */
static void reserve(struct text *text, size_t length)
{
    text->data = array_reserve(text->data, &text->capacity, text->length + length + 1, 1);
}

void text_append(struct text *text, const char *bytes, size_t length)
{
    reserve(text, length);
    if (length > 0)
        memcpy(text->data + text->length, bytes, length);
    text->length += length;
    text->data[text->length] = '\0';
}

void text_add(struct text *text, const char *string)
{
    text_append(text, string, strlen(string));
}

void text_format(struct text *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (length < 0)
        abort();
    reserve(text, (size_t)length);
    va_start(arguments, format);
    vsnprintf(text->data + text->length, (size_t)length + 1, format, arguments);
    va_end(arguments);
    text->length += (size_t)length;
}

const char *text_string(const struct text *text)
{
    return text->data ? text->data : "";
}

void text_truncate(struct text *text, size_t length)
{
    if (length >= text->length)
        return;
    text->data[length] = '\0';
    text->length = length;
}

void text_free(struct text *text)
{
    free(text->data);
    *text = (struct text){0};
}

bool name_matches(const char *pattern, const char *name)
{
    size_t length = strlen(pattern);
    bool is_prefix = length && pattern[length - 1] == '*';
    return is_prefix ? !strncmp(name, pattern, length - 1) : !strcmp(name, pattern);
}

bool text_begins_with(const char *string, const char *beginning)
{
    return !strncmp(string, beginning, strlen(beginning));
}
