/* Comparing without regard to upper and lower case. */
#include "model.h"

#include <string.h>
#include <strings.h>

int __pn_real_strcasecmp(const char *, const char *);
int __pn_real_strncasecmp(const char *, const char *, size_t);

static inline MODEL_INLINE int lower(byte character)
{
    return character + (((unsigned)character - 'A' < 26) << 5);
}

static int compare(const byte *a, const byte *b, size_t limit)
{
    for (size_t i = 0; i < limit; i++) {
        int in_a = lower(a[i]), in_b = lower(b[i]);
        if (in_a != in_b)
            return in_a - in_b;
        if (!b[i])
            return 0;
    }
    return 0;
}

int strcasecmp(const char *one, const char *other)
{
    if (pn_plain_string(one) && pn_plain_string(other))
        return __pn_real_strcasecmp(one, other);
    return compare((const byte *)one, (const byte *)other, SIZE_MAX);
}

int strncasecmp(const char *one, const char *other, size_t limit)
{
    if (pn_plain_text(one, limit) && pn_plain_text(other, limit))
        return __pn_real_strncasecmp(one, other, limit);
    return compare((const byte *)one, (const byte *)other, limit);
}

char *strcasestr(const char *text, const char *wanted)
{
    size_t length = strlen(wanted);
    const byte *in = (const byte *)text, *of = (const byte *)wanted;
    for (size_t i = 0;; i++) {
        size_t same = 0;
        while (same < length && lower(in[i + same]) == lower(of[same]))
            same++;
        if (same == length)
            return (char *)text + i;
        if (!in[i + same])
            return NULL;
    }
}
