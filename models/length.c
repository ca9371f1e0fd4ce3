/* How long a string is. */
#include "model.h"

#include <string.h>

size_t __pn_real_strlen(const char *);
size_t __pn_real_strnlen(const char *, size_t);

size_t strlen(const char *string)
{
    if (pn_plain_string(string))
        return __pn_real_strlen(string);
    size_t length = 0;
    while (string[length])
        length++;
    return length;
}

size_t strnlen(const char *string, size_t limit)
{
    if (pn_plain_text(string, limit))
        return __pn_real_strnlen(string, limit);
    size_t length = 0;
    while (length < limit && string[length])
        length++;
    return length;
}
