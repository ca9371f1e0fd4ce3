/* Floating-point numbers in text. Which double is nearest to a decimal number is nothing to solve for: the characters
 * that belong to it are bound to what they are, and the C library is asked. */
#include "digits.h"

#include <stdlib.h>

enum { LONGEST = 256 };

double __pn_real_strtod(const char *, char **);
float __pn_real_strtof(const char *, char **);
long double __pn_real_strtold(const char *, char **);

/* Whether a character can be part of a number: figures, letters (hexadecimal digits, exponents, `inf`, `nan`), signs,
 * the point, and the parentheses and underscores of `nan(...)`. */
static inline MODEL_INLINE int may_belong(byte character)
{
    unsigned is_figure = (unsigned)character - '0' < 10, is_letter = ((unsigned)character | 32u) - 'a' < 26;
    return (int)(is_figure | is_letter) | (character == '.') | (character == '+') | (character == '-') |
           (character == '(') | (character == ')') | (character == '_');
}

/* Copies what may be the number, bound, into memory of our own: the copy is right for the version that reads. Returns
 * where in the text the copy begins. */
static size_t take_number(const char *text, char copy[LONGEST])
{
    size_t start = 0, length = 0;
    while (is_space((byte)text[start]))
        start++;
    while (length < LONGEST - 1 && may_belong((byte)text[start + length])) {
        copy[length] = (char)pn_bound(text[start + length], "strtod");
        length++;
    }
    copy[length] = '\0';
    return start;
}

static void give_end(char **end, const char *text, size_t start, size_t length)
{
    if (end)
        *end = (char *)text + (length ? start + length : 0);
}

double strtod(const char *text, char **end)
{
    char copy[LONGEST], *behind = copy;
    size_t start = take_number(text, copy);
    double value = __pn_real_strtod(copy, &behind);
    give_end(end, text, start, (size_t)(behind - copy));
    return value;
}

float strtof(const char *text, char **end)
{
    char copy[LONGEST], *behind = copy;
    size_t start = take_number(text, copy);
    float value = __pn_real_strtof(copy, &behind);
    give_end(end, text, start, (size_t)(behind - copy));
    return value;
}

long double strtold(const char *text, char **end)
{
    char copy[LONGEST], *behind = copy;
    size_t start = take_number(text, copy);
    long double value = __pn_real_strtold(copy, &behind);
    give_end(end, text, start, (size_t)(behind - copy));
    return value;
}

double atof(const char *text)
{
    return strtod(text, NULL);
}
