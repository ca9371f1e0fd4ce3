/* Each version has its own loops, over its own locals and over shared arrays: a filter and a sum. */
#include <penumbra.h>
#include <stdio.h>

enum { LENGTH = 1000, ROUNDS = 8000 };

static int samples[LENGTH], filtered[LENGTH];

static int filter(int round)
{
    int sum = 0;
    if (pn_execute(PN_OLD)) {
        for (int i = 1; i < LENGTH - 1; i++)
            filtered[i] = (samples[i - 1] + 2 * samples[i] + samples[i + 1]) / 4 + round;
        for (int i = 0; i < LENGTH; i++)
            sum += filtered[i] ^ i;
    } else {
        for (int i = 1; i < LENGTH - 1; i++)
            filtered[i] = (samples[i - 1] + samples[i] + samples[i + 1]) / 3 + round;
        for (int i = 0; i < LENGTH; i++)
            sum += filtered[i] ^ (i + 1);
    }
    return sum;
}

int main(void)
{
    unsigned total = 0;
    for (int i = 0; i < LENGTH; i++)
        samples[i] = i * 37 % 1009;
    for (int round = 0; round < ROUNDS; round++) {
        int sum = filter(round);
        if (pn_execute(PN_OLD))
            total = total * 31 + (unsigned)sum;
        if (pn_execute(PN_NEW))
            total = total * 33 + (unsigned)sum;
    }
    if (pn_execute(PN_OLD))
        printf("%u\n", total);
    if (pn_execute(PN_NEW))
        printf("%u\n", total);
    return 0;
}
