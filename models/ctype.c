/* Kinds of characters in the "C" locale, by comparisons without branches. The values are glibc's: one bit for each
 * kind. Beyond -128..255 glibc reads what happens to stand beside its table: there it is asked, with the value bound.
 */
#include "model.h"

#include <ctype.h>

static inline MODEL_INLINE unsigned between(int character, int low, int high)
{
    return (unsigned)character - (unsigned)low <= (unsigned)(high - low);
}

static inline MODEL_INLINE int is_in_table(int character)
{
    return (unsigned)character + 128u < 384u;
}

#define UPPER(c) between(c, 'A', 'Z')
#define LOWER(c) between(c, 'a', 'z')
#define ALPHA(c) between((c) | 32, 'a', 'z')
#define DIGIT(c) between(c, '0', '9')
#define XDIGIT(c) (DIGIT(c) | between((c) | 32, 'a', 'f'))
#define SPACE(c) (between(c, '\t', '\r') | (unsigned)((c) == ' '))
#define PRINT(c) between(c, ' ', '~')
#define GRAPH(c) between(c, '!', '~')
#define BLANK(c) (unsigned)(((c) == ' ') | ((c) == '\t'))
#define CNTRL(c) (between(c, 0, 31) | (unsigned)((c) == 127))
#define ALNUM(c) (ALPHA(c) | DIGIT(c))
#define PUNCT(c) (GRAPH(c) & ~ALNUM(c))

/* isNAME(), and the bit by which glibc knows the kind. */
#define KIND(name, test, bit)                                                                                          \
    int __pn_real_##name(int);                                                                                         \
    MODEL_INLINE int name(int character)                                                                               \
    {                                                                                                                  \
        if (!is_in_table(character))                                                                                   \
            return __pn_real_##name((int)pn_bound(character, #name));                                                  \
        return (int)(test(character) << (bit));                                                                        \
    }

KIND(isupper, UPPER, 8)
KIND(islower, LOWER, 9)
KIND(isalpha, ALPHA, 10)
KIND(isdigit, DIGIT, 11)
KIND(isxdigit, XDIGIT, 12)
KIND(isspace, SPACE, 13)
KIND(isprint, PRINT, 14)
KIND(isgraph, GRAPH, 15)
KIND(isblank, BLANK, 0)
KIND(iscntrl, CNTRL, 1)
KIND(ispunct, PUNCT, 2)
KIND(isalnum, ALNUM, 3)

MODEL_INLINE int isascii(int character)
{
    return (character & ~127) == 0;
}

MODEL_INLINE int toascii(int character)
{
    return character & 127;
}

/* A negative character becomes the byte that it is; -1, the end of a file, stays. */
static inline MODEL_INLINE unsigned as_byte(int character)
{
    return (unsigned)character + (between(character, -128, -2) << 8);
}

MODEL_INLINE int tolower(int character)
{
    return (int)(as_byte(character) + (UPPER(character) << 5));
}

MODEL_INLINE int toupper(int character)
{
    return (int)(as_byte(character) - (LOWER(character) << 5));
}

MODEL_INLINE int _tolower(int character)
{
    return tolower(character);
}

MODEL_INLINE int _toupper(int character)
{
    return toupper(character);
}
