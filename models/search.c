/* Looking for one byte. */
#include "model.h"

#include <string.h>
#include <strings.h>

void *__pn_real_memchr(const void *, int, size_t);
void *__pn_real_memrchr(const void *, int, size_t);
char *__pn_real_strchr(const char *, int);

void *memchr(const void *bytes, int wanted, size_t count)
{
    if (pn_plain_bytes(bytes, count) && pn_plain_bytes(&wanted, sizeof wanted))
        return __pn_real_memchr(bytes, wanted, count);
    const byte *in = bytes;
    for (size_t i = 0; i < count; i++)
        if (in[i] == (byte)wanted)
            return (byte *)bytes + i;
    return NULL;
}

void *memrchr(const void *bytes, int wanted, size_t count)
{
    if (pn_plain_bytes(bytes, count) && pn_plain_bytes(&wanted, sizeof wanted))
        return __pn_real_memrchr(bytes, wanted, count);
    const byte *in = bytes;
    for (size_t i = count; i-- > 0;)
        if (in[i] == (byte)wanted)
            return (byte *)bytes + i;
    return NULL;
}

void *rawmemchr(const void *bytes, int wanted)
{
    const byte *in = bytes;
    size_t i = 0;
    while (in[i] != (byte)wanted)
        i++;
    return (byte *)bytes + i;
}

char *strchrnul(const char *string, int wanted)
{
    const byte *in = (const byte *)string;
    size_t i = 0;
    while (in[i] != (byte)wanted && in[i])
        i++;
    return (char *)string + i;
}

char *strchr(const char *string, int wanted)
{
    if (pn_plain_string(string) && pn_plain_bytes(&wanted, sizeof wanted))
        return __pn_real_strchr(string, wanted);
    const byte *in = (const byte *)string;
    for (size_t i = 0;; i++) {
        if (in[i] == (byte)wanted)
            return (char *)string + i;
        if (!in[i])
            return NULL;
    }
}

/* From the end back: a decision for the length and one for the place, not one for each byte on the way. */
char *strrchr(const char *string, int wanted)
{
    return memrchr(string, wanted, strlen(string) + 1);
}

char *index(const char *string, int wanted)
{
    return strchr(string, wanted);
}

char *rindex(const char *string, int wanted)
{
    return strrchr(string, wanted);
}
