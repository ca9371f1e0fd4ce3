/* Comparing. What the standard calls "less than zero" is the difference of the first bytes that differ, as in glibc. */
#include "model.h"

#include <string.h>

enum { LONGEST_AT_ONCE = 64 };

int __pn_real_memcmp(const void *, const void *, size_t);
int __pn_real_strcmp(const char *, const char *);
int __pn_real_strncmp(const char *, const char *, size_t);

/* Without a branch: -1 where the condition holds, else 0. */
static inline MODEL_INLINE int all_ones_if(int condition)
{
    return -condition;
}

/* All bytes are looked at, from the last to the first: one value, and no decision until the program makes one. */
static int compare_at_once(const byte *one, const byte *other, size_t count)
{
    int difference = 0;
    for (size_t i = count; i-- > 0;) {
        int here = one[i] - other[i];
        difference = here | (difference & all_ones_if(here == 0));
    }
    return difference;
}

int memcmp(const void *one, const void *other, size_t count)
{
    pn_look_at(one, count);
    pn_look_at(other, count);
    if (pn_plain_bytes(one, count) && pn_plain_bytes(other, count))
        return __pn_real_memcmp(one, other, count);
    const byte *a = one, *b = other;
    if (count <= LONGEST_AT_ONCE)
        return compare_at_once(a, b, count);
    size_t i = 0;
    while (i + 1 < count && a[i] == b[i])
        i++;
    return a[i] - b[i];
}

int bcmp(const void *one, const void *other, size_t count)
{
    return memcmp(one, other, count);
}

int __memcmpeq(const void *one, const void *other, size_t count)
{
    return memcmp(one, other, count);
}

/* The end is asked of the second string: it is a constant more often than the first. The first bytes tell most strings
 * apart, and looking at them costs less than asking about all of them. */
int strcmp(const char *one, const char *other)
{
    const byte *a = (const byte *)one, *b = (const byte *)other;
    if (a[0] != b[0])
        return a[0] - b[0];
    if (pn_plain_string(one) && pn_plain_string(other))
        return __pn_real_strcmp(one, other);
    for (size_t i = 0; b[i];) {
        i++;
        if (a[i] != b[i])
            return a[i] - b[i];
    }
    return 0;
}

int strncmp(const char *one, const char *other, size_t limit)
{
    if (pn_plain_text(one, limit) && pn_plain_text(other, limit))
        return __pn_real_strncmp(one, other, limit);
    const byte *a = (const byte *)one, *b = (const byte *)other;
    for (size_t i = 0; i < limit; i++) {
        if (a[i] != b[i])
            return a[i] - b[i];
        if (!b[i])
            return 0;
    }
    return 0;
}

/* In the "C" locale. */
int strcoll(const char *one, const char *other)
{
    return strcmp(one, other);
}
