/* Bytes of a set, and tokens between them. */
#include "model.h"

#include <string.h>

size_t __pn_real_strspn(const char *, const char *);
size_t __pn_real_strcspn(const char *, const char *);

/* Without a branch for each member. */
static int is_member(char character, const char *set, size_t count)
{
    int found = 0;
    for (size_t i = 0; i < count; i++)
        found |= character == set[i];
    return found;
}

size_t strspn(const char *string, const char *accepted)
{
    if (pn_plain_string(string) && pn_plain_string(accepted))
        return __pn_real_strspn(string, accepted);
    size_t count = strlen(accepted), length = 0;
    while (is_member(string[length], accepted, count))
        length++;
    return length;
}

/* The end of the string is in the set, too. */
size_t strcspn(const char *string, const char *rejected)
{
    if (pn_plain_string(string) && pn_plain_string(rejected))
        return __pn_real_strcspn(string, rejected);
    size_t count = strlen(rejected) + 1, length = 0;
    while (!is_member(string[length], rejected, count))
        length++;
    return length;
}

char *strpbrk(const char *string, const char *wanted)
{
    const char *found = string + strcspn(string, wanted);
    return *found ? (char *)found : NULL;
}

char *strtok_r(char *string, const char *delimiters, char **rest)
{
    if (!string)
        string = *rest;
    string += strspn(string, delimiters);
    if (!*string) {
        *rest = string;
        return NULL;
    }
    char *end = string + strcspn(string, delimiters);
    *rest = end;
    if (*end) {
        *end = '\0';
        *rest = end + 1;
    }
    return string;
}

char *__strtok_r(char *string, const char *delimiters, char **rest)
{
    return strtok_r(string, delimiters, rest);
}

char *strtok(char *string, const char *delimiters)
{
    static char *rest;
    return strtok_r(string, delimiters, &rest);
}

char *strsep(char **rest, const char *delimiters)
{
    char *token = *rest;
    if (!token)
        return NULL;
    char *end = token + strcspn(token, delimiters);
    *rest = NULL;
    if (*end) {
        *end = '\0';
        *rest = end + 1;
    }
    return token;
}
