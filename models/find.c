/* Looking for a string in another. */
#include "model.h"

#include <string.h>

char *__pn_real_strstr(const char *, const char *);

/* Where the text ends within a match, there is no room for one further on. */
char *strstr(const char *text, const char *wanted)
{
    if (pn_plain_string(text) && pn_plain_string(wanted))
        return __pn_real_strstr(text, wanted);
    size_t length = strlen(wanted);
    for (size_t i = 0;; i++) {
        size_t same = 0;
        while (same < length && text[i + same] == wanted[same])
            same++;
        if (same == length)
            return (char *)text + i;
        if (!text[i + same])
            return NULL;
    }
}

void *memmem(const void *bytes, size_t count, const void *wanted, size_t length)
{
    const byte *in = bytes, *of = wanted;
    if (length > count)
        return NULL;
    for (size_t i = 0; i <= count - length; i++) {
        size_t same = 0;
        while (same < length && in[i + same] == of[same])
            same++;
        if (same == length)
            return (byte *)bytes + i;
    }
    return NULL;
}
