/* Digits of a base, shared by what reads numbers from text. */
#ifndef PENUMBRA_MODELS_DIGITS_H
#define PENUMBRA_MODELS_DIGITS_H

#include "model.h"

enum { NO_DIGIT = 99 };

struct digits {
    size_t count;
    uint64_t value;   /* modulo 2^64 */
    int may_be_large; /* so many that more than 63 bits may be needed */
    int is_too_large; /* more than 64 are */
};

static inline MODEL_INLINE int is_space(byte character)
{
    return (character == ' ') | ((unsigned)character - '\t' <= '\r' - '\t');
}

/* Without a branch. */
static inline MODEL_INLINE unsigned digit_of(byte character)
{
    unsigned figure = (unsigned)character - '0', letter = ((unsigned)character | 32u) - 'a';
    unsigned is_figure = figure < 10, is_letter = letter < 26;
    return (figure & -is_figure) | ((letter + 10) & -is_letter) | (NO_DIGIT & ((is_figure | is_letter) - 1));
}

static inline MODEL_INLINE int is_digit(byte character, unsigned base)
{
    return base <= 10 ? (unsigned)character - '0' < base : digit_of(character) < base;
}

/* The digits at the beginning of a text, `limit` at most. */
void read_digits(const char *text, unsigned base, size_t limit, struct digits *digits);

#endif
