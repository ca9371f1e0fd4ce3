/* The tables behind the macros of <ctype.h>, for programs that were not compiled with our flags or use the tables
 * themselves: as variables of the program, so that an index that depends on the input is looked at like any other. */
#include "model.h"

enum {
    UPPER = 1 << 8,
    LOWER = 1 << 9,
    ALPHA = 1 << 10,
    DIGIT = 1 << 11,
    XDIGIT = 1 << 12,
    SPACE = 1 << 13,
    PRINT = 1 << 14,
    GRAPH = 1 << 15,
    BLANK = 1 << 0,
    CNTRL = 1 << 1,
    PUNCT = 1 << 2,
    ALNUM = 1 << 3,
    FIRST = 128 /* where the entry of 0 is */
};

static const unsigned short kinds[384] = {
    [FIRST + 0 ... FIRST + 8] = CNTRL,
    [FIRST + '\t'] = CNTRL | SPACE | BLANK,
    [FIRST + '\n' ... FIRST + '\r'] = CNTRL | SPACE,
    [FIRST + 14 ... FIRST + 31] = CNTRL,
    [FIRST + ' '] = SPACE | PRINT | BLANK,
    [FIRST + '!' ... FIRST + '/'] = PRINT | GRAPH | PUNCT,
    [FIRST + '0' ... FIRST + '9'] = PRINT | GRAPH | ALNUM | DIGIT | XDIGIT,
    [FIRST + ':' ... FIRST + '@'] = PRINT | GRAPH | PUNCT,
    [FIRST + 'A' ... FIRST + 'F'] = PRINT | GRAPH | ALNUM | ALPHA | UPPER | XDIGIT,
    [FIRST + 'G' ... FIRST + 'Z'] = PRINT | GRAPH | ALNUM | ALPHA | UPPER,
    [FIRST + '[' ... FIRST + '`'] = PRINT | GRAPH | PUNCT,
    [FIRST + 'a' ... FIRST + 'f'] = PRINT | GRAPH | ALNUM | ALPHA | LOWER | XDIGIT,
    [FIRST + 'g' ... FIRST + 'z'] = PRINT | GRAPH | ALNUM | ALPHA | LOWER,
    [FIRST + '{' ... FIRST + '~'] = PRINT | GRAPH | PUNCT,
    [FIRST + 127] = CNTRL,
};

#define FOUR(first) (first), (first) + 1, (first) + 2, (first) + 3
#define SIXTEEN(first) FOUR(first), FOUR((first) + 4), FOUR((first) + 8), FOUR((first) + 12)
#define SIXTY_FOUR(first) SIXTEEN(first), SIXTEEN((first) + 16), SIXTEEN((first) + 32), SIXTEEN((first) + 48)
#define LETTERS(first) SIXTEEN(first), FOUR((first) + 16), FOUR((first) + 20), (first) + 24, (first) + 25
/* A byte above 127 is one number as a signed and another as an unsigned character: the entry is the latter. But -1 is
 * the end of a file, and stays. */
#define NEGATIVE                                                                                                       \
    SIXTY_FOUR(128), SIXTEEN(192), SIXTEEN(208), SIXTEEN(224), FOUR(240), FOUR(244), FOUR(248), 252, 253, 254, -1

static const int lower[384] = {
    NEGATIVE,        SIXTY_FOUR(0),   '@', LETTERS('a'), '[', '\\', ']', '^', '_', '`', LETTERS('a'), FOUR('{'), 127,
    SIXTY_FOUR(128), SIXTY_FOUR(192),
};

static const int upper[384] = {
    NEGATIVE,        SIXTY_FOUR(0),   '@', LETTERS('A'), '[', '\\', ']', '^', '_', '`', LETTERS('A'), FOUR('{'), 127,
    SIXTY_FOUR(128), SIXTY_FOUR(192),
};

const unsigned short **__ctype_b_loc(void)
{
    static const unsigned short *table = kinds + FIRST;
    return &table;
}

const int **__ctype_tolower_loc(void)
{
    static const int *table = lower + FIRST;
    return &table;
}

const int **__ctype_toupper_loc(void)
{
    static const int *table = upper + FIRST;
    return &table;
}
