/* Numbers as if thrown with a die, the same in every run of the tool. */
#ifndef PENUMBRA_BASE_CHANCE_H
#define PENUMBRA_BASE_CHANCE_H

#include <stdint.h>

struct chance {
    uint64_t state; /* never 0: CHANCE_START */
};
#define CHANCE_START ((struct chance){UINT64_C(0x9e3779b97f4a7c15)})

/* A number from 0 to below - 1. */
static inline uint64_t chance_below(struct chance *chance, uint64_t below)
{
    chance->state ^= chance->state << 13;
    chance->state ^= chance->state >> 7;
    chance->state ^= chance->state << 17;
    return chance->state % below;
}

#endif
