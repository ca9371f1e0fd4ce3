/* A string that grows. Zero-initialised is empty and valid; `data` is always NUL-terminated once something was added.
 */
#ifndef PENUMBRA_BASE_TEXT_H
#define PENUMBRA_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

struct text {
    char *data;
    size_t length;
    size_t capacity;
};

void text_append(struct text *text, const char *bytes, size_t length);
void text_add(struct text *text, const char *string);
void text_format(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The content as a C string, "" when empty. Valid until the next change. */
const char *text_string(const struct text *text);
/* Only the first `length` bytes stay. */
void text_truncate(struct text *text, size_t length);
void text_free(struct text *text);

/* Whether a string begins with another. */
bool text_begins_with(const char *string, const char *beginning);

/* Whether a name is meant by a pattern: the same, or, where that ends in `*`, one that begins so. */
bool name_matches(const char *pattern, const char *name);

#endif
