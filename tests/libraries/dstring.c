/* Strings that know their length: the header lies in front of the characters, so a dstring is a char * like any other. */
#include <ctype.h>
#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef char *dstring;

struct header {
    size_t length;
    size_t capacity;
    char text[];
};

enum { MOST_PREALLOCATED = 1024 };

static struct header *header_of(const char *string)
{
    return (struct header *)(string - offsetof(struct header, text));
}

dstring dstring_new_length(const void *start, size_t length)
{
    struct header *header = malloc(sizeof *header + length + 1);
    if (!header)
        return NULL;
    header->length = length;
    header->capacity = length;
    if (start)
        memcpy(header->text, start, length);
    else
        memset(header->text, 0, length);
    header->text[length] = 0;
    return header->text;
}

dstring dstring_new(const char *start)
{
    return dstring_new_length(start, start ? strlen(start) : 0);
}

dstring dstring_empty(void)
{
    return dstring_new_length("", 0);
}

size_t dstring_length(const dstring string)
{
    return header_of(string)->length;
}

size_t dstring_available(const dstring string)
{
    const struct header *header = header_of(string);
    return header->capacity - header->length;
}

void dstring_free(dstring string)
{
    if (!string)
        return;
    free(header_of(string));
}

dstring dstring_copy(const dstring string)
{
    return dstring_new_length(string, dstring_length(string));
}

/* Room for so many more characters. */
dstring dstring_make_room(dstring string, size_t more)
{
    struct header *header = header_of(string);
    size_t capacity;
    if (dstring_available(string) >= more)
        return string;
    capacity = header->length + more;
    if (capacity < MOST_PREALLOCATED)
        capacity *= 2;
    else
        capacity += MOST_PREALLOCATED;
    header = realloc(header, sizeof *header + capacity + 1);
    if (!header)
        return NULL;
    header->capacity = capacity;
    return header->text;
}

dstring dstring_append_length(dstring string, const void *more, size_t length)
{
    struct header *header;
    string = dstring_make_room(string, length);
    if (!string)
        return NULL;
    header = header_of(string);
    memcpy(header->text + header->length, more, length);
    header->length += length;
    header->text[header->length] = 0;
    return string;
}

dstring dstring_append(dstring string, const char *more)
{
    return dstring_append_length(string, more, strlen(more));
}

dstring dstring_append_dstring(dstring string, const dstring more)
{
    return dstring_append_length(string, more, dstring_length(more));
}

void dstring_clear(dstring string)
{
    header_of(string)->length = 0;
    string[0] = 0;
}

/* The part from start to end, both included; negative ones count from the end. */
void dstring_range(dstring string, long start, long end)
{
    struct header *header = header_of(string);
    long length = (long)header->length;
    long count;
    if (length == 0)
        return;
    if (start < 0)
        start = start + length < 0 ? 0 : start + length;
    if (end < 0)
        end = end + length < 0 ? 0 : end + length;
    if (end >= length)
        end = length - 1;
    count = start > end ? 0 : end - start + 1;
    if (start && count)
        memmove(header->text, header->text + start, (size_t)count);
    header->text[count] = 0;
    header->length = (size_t)count;
}

/* Takes characters of the set away at both ends. */
dstring dstring_trim(dstring string, const char *set)
{
    char *start = string, *end = string + dstring_length(string) - 1;
    size_t length;
    while (start <= end && strchr(set, *start))
        start++;
    while (end > start && strchr(set, *end))
        end--;
    length = start > end ? 0 : (size_t)(end - start) + 1;
    if (string != start)
        memmove(string, start, length);
    string[length] = 0;
    header_of(string)->length = length;
    return string;
}

void dstring_to_lower(dstring string)
{
    size_t length = dstring_length(string);
    for (size_t i = 0; i < length; i++)
        string[i] = (char)tolower((unsigned char)string[i]);
}

int dstring_compare(const dstring one, const dstring other)
{
    size_t one_length = dstring_length(one), other_length = dstring_length(other);
    size_t least = one_length < other_length ? one_length : other_length;
    int order = memcmp(one, other, least);
    if (order)
        return order;
    return one_length < other_length ? -1 : one_length > other_length;
}

/* Decimal digits of a number, and how many. */
static int write_number(char *to, long long value)
{
    char digits[24];
    int count = 0, written = 0;
    unsigned long long rest = value < 0 ? -(unsigned long long)value : (unsigned long long)value;
    do {
        digits[count++] = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest);
    if (value < 0)
        digits[count++] = '-';
    while (count)
        to[written++] = digits[--count];
    to[written] = 0;
    return written;
}

dstring dstring_from_number(long long value)
{
    char text[24];
    int length = write_number(text, value);
    return dstring_new_length(text, (size_t)length);
}

/* Replaces each of the characters in `from` by that at the same place in `to`. */
dstring dstring_map(dstring string, const char *from, const char *to, size_t count)
{
    size_t length = dstring_length(string);
    for (size_t i = 0; i < length; i++) {
        for (size_t k = 0; k < count; k++) {
            if (string[i] == from[k]) {
                string[i] = to[k];
                break;
            }
        }
    }
    return string;
}
