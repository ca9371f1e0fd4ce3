/* Copying strings: memcpy() and memset() know how labels move. */
#include "model.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

void *mempcpy(void *to, const void *from, size_t count)
{
    return (byte *)memcpy(to, from, count) + count;
}

void *__mempcpy(void *to, const void *from, size_t count)
{
    return mempcpy(to, from, count);
}

char *strcpy(char *to, const char *from)
{
    return memcpy(to, from, strlen(from) + 1);
}

char *stpcpy(char *to, const char *from)
{
    size_t length = strlen(from);
    memcpy(to, from, length + 1);
    return to + length;
}

char *__stpcpy(char *to, const char *from)
{
    return stpcpy(to, from);
}

char *stpncpy(char *to, const char *from, size_t count)
{
    size_t length = strnlen(from, count);
    memcpy(to, from, length);
    memset(to + length, 0, count - length);
    return to + length;
}

char *strncpy(char *to, const char *from, size_t count)
{
    stpncpy(to, from, count);
    return to;
}

char *strcat(char *to, const char *from)
{
    strcpy(to + strlen(to), from);
    return to;
}

char *strncat(char *to, const char *from, size_t count)
{
    size_t length = strnlen(from, count);
    char *end = to + strlen(to);
    memcpy(end, from, length);
    end[length] = '\0';
    return to;
}

size_t strlcpy(char *to, const char *from, size_t size)
{
    size_t length = strlen(from);
    if (size) {
        size_t copied = length < size ? length : size - 1;
        memcpy(to, from, copied);
        to[copied] = '\0';
    }
    return length;
}

size_t strlcat(char *to, const char *from, size_t size)
{
    size_t length = strnlen(to, size);
    return length == size ? length + strlen(from) : length + strlcpy(to + length, from, size - length);
}

void *memccpy(void *to, const void *from, int last, size_t count)
{
    const void *end = memchr(from, last, count);
    if (end)
        return mempcpy(to, from, (size_t)((const byte *)end - (const byte *)from) + 1);
    memcpy(to, from, count);
    return NULL;
}

void bcopy(const void *from, void *to, size_t count)
{
    memmove(to, from, count);
}

void bzero(void *bytes, size_t count)
{
    memset(bytes, 0, count);
}

void explicit_bzero(void *bytes, size_t count)
{
    memset(bytes, 0, count);
}

void *memfrob(void *bytes, size_t count)
{
    byte *in = bytes;
    for (size_t i = 0; i < count; i++)
        in[i] ^= 42;
    return bytes;
}

/* In the "C" locale. */
size_t strxfrm(char *to, const char *from, size_t size)
{
    size_t length = strlen(from);
    if (size)
        stpncpy(to, from, size < length + 1 ? size : length + 1);
    return length;
}

char *strdup(const char *string)
{
    size_t size = strlen(string) + 1;
    char *copy = malloc(size);
    return copy ? memcpy(copy, string, size) : NULL;
}

char *__strdup(const char *string)
{
    return strdup(string);
}

char *strndup(const char *string, size_t limit)
{
    size_t length = strnlen(string, limit);
    char *copy = malloc(length + 1);
    if (!copy)
        return NULL;
    copy[length] = '\0';
    return memcpy(copy, string, length);
}

char *__strndup(const char *string, size_t limit)
{
    return strndup(string, limit);
}
