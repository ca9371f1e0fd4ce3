/* The C library's random numbers, which programs may print: x[i] = x[i - 3] + x[i - 31], started by a multiplicative
 * sequence and run in for 310 numbers. */
#include "model.h"

#include <stdlib.h>

enum { LENGTH = 31, LAG = 3, RUN_IN = 310 };

static uint32_t numbers[LENGTH];
static unsigned next;
static int started;

static uint32_t step(void)
{
    unsigned before = next < LAG ? next + LENGTH - LAG : next - LAG;
    uint32_t number = numbers[next] += numbers[before];
    next = next + 1 < LENGTH ? next + 1 : 0;
    return number;
}

/* 16807 * x modulo 2^31 - 1, in 32 bits: the factor is split at the modulus. */
static int32_t next_start(int32_t number)
{
    int32_t high = number / 127773, low = number % 127773;
    int32_t product = 16807 * low - 2836 * high;
    return product + (product >> 31 & 2147483647);
}

void srandom(unsigned seed)
{
    int32_t number = (int32_t)(seed + (seed == 0));
    for (unsigned i = 0; i < LENGTH; i++) {
        numbers[i] = (uint32_t)number;
        number = next_start(number);
    }
    next = LAG;
    for (unsigned i = 0; i < RUN_IN; i++)
        step();
    started = 1;
}

long random(void)
{
    if (!started)
        srandom(1);
    return step() >> 1;
}

void srand(unsigned seed)
{
    srandom(seed);
}

int rand(void)
{
    return (int)random();
}

/* Three steps of a linear sequence for 31 bits. */
int rand_r(unsigned *seed)
{
    uint32_t state = *seed * 1103515245u + 12345u, result = state / 65536u % 2048u;
    state = state * 1103515245u + 12345u;
    result = result << 10 ^ state / 65536u % 1024u;
    state = state * 1103515245u + 12345u;
    result = result << 10 ^ state / 65536u % 1024u;
    *seed = state;
    return (int)result;
}
