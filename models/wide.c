/* Wide characters. Comparisons give -1, 0 or 1; glibc gives other numbers of the same sign on some processors. */
#include "model.h"

#include <wchar.h>

size_t wcslen(const wchar_t *string)
{
    size_t length = 0;
    while (string[length])
        length++;
    return length;
}

size_t wcsnlen(const wchar_t *string, size_t limit)
{
    size_t length = 0;
    while (length < limit && string[length])
        length++;
    return length;
}

static inline MODEL_INLINE int sign_of(wchar_t one, wchar_t other)
{
    return (one > other) - (one < other);
}

static int compare(const wchar_t *one, const wchar_t *other, size_t limit)
{
    for (size_t i = 0; i < limit; i++) {
        if (one[i] != other[i])
            return sign_of(one[i], other[i]);
        if (!other[i])
            return 0;
    }
    return 0;
}

int wcscmp(const wchar_t *one, const wchar_t *other)
{
    return compare(one, other, SIZE_MAX);
}

int wcsncmp(const wchar_t *one, const wchar_t *other, size_t limit)
{
    return compare(one, other, limit);
}

/* In the "C" locale. */
int wcscoll(const wchar_t *one, const wchar_t *other)
{
    return wcscmp(one, other);
}

int wmemcmp(const wchar_t *one, const wchar_t *other, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (one[i] != other[i])
            return sign_of(one[i], other[i]);
    return 0;
}

wchar_t *wmemchr(const wchar_t *in, wchar_t wanted, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (in[i] == wanted)
            return (wchar_t *)in + i;
    return NULL;
}

wchar_t *wcschr(const wchar_t *string, wchar_t wanted)
{
    for (size_t i = 0;; i++) {
        if (string[i] == wanted)
            return (wchar_t *)string + i;
        if (!string[i])
            return NULL;
    }
}

wchar_t *wcsrchr(const wchar_t *string, wchar_t wanted)
{
    for (size_t i = wcslen(string) + 1; i-- > 0;)
        if (string[i] == wanted)
            return (wchar_t *)string + i;
    return NULL;
}

wchar_t *wcsstr(const wchar_t *text, const wchar_t *wanted)
{
    size_t length = wcslen(wanted);
    for (size_t i = 0;; i++) {
        size_t same = 0;
        while (same < length && text[i + same] == wanted[same])
            same++;
        if (same == length)
            return (wchar_t *)text + i;
        if (!text[i + same])
            return NULL;
    }
}

wchar_t *wmemcpy(wchar_t *to, const wchar_t *from, size_t count)
{
    return __builtin_memcpy(to, from, count * sizeof *to);
}

wchar_t *wmemmove(wchar_t *to, const wchar_t *from, size_t count)
{
    return __builtin_memmove(to, from, count * sizeof *to);
}

wchar_t *wmemset(wchar_t *to, wchar_t character, size_t count)
{
    for (size_t i = 0; i < count; i++)
        to[i] = character;
    return to;
}

wchar_t *wcscpy(wchar_t *to, const wchar_t *from)
{
    return wmemcpy(to, from, wcslen(from) + 1);
}

wchar_t *wcsncpy(wchar_t *to, const wchar_t *from, size_t count)
{
    size_t length = wcsnlen(from, count);
    wmemcpy(to, from, length);
    wmemset(to + length, 0, count - length);
    return to;
}

wchar_t *wcscat(wchar_t *to, const wchar_t *from)
{
    wcscpy(to + wcslen(to), from);
    return to;
}

wchar_t *wcsncat(wchar_t *to, const wchar_t *from, size_t count)
{
    size_t length = wcsnlen(from, count);
    wchar_t *end = to + wcslen(to);
    wmemcpy(end, from, length);
    end[length] = 0;
    return to;
}
