/* A checksum over 64 KiB of input, again and again: two operations on symbolic values for each byte. The program is told
 * how often by its argument, the function that is explored by ROUNDS. */
#include <penumbra.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef ROUNDS
#define ROUNDS 1
#endif

enum { SIZE = 65536 };

unsigned result;

static unsigned hash_again_and_again(const unsigned char *data, unsigned rounds)
{
    unsigned hash = 0;
    for (unsigned round = 0; round < rounds; round++)
        for (unsigned i = 0; i < SIZE; i++)
            hash = hash * 31 + data[i];
    return hash;
}

/* Nothing here depends on the hash: it is read, and nobody is asked about it. */
int checksum(unsigned char data[SIZE])
{
    result = hash_again_and_again(data, ROUNDS);
    return change(0, 1);
}

int main(int argc, char **argv)
{
    static unsigned char data[SIZE];
    unsigned rounds = argc > 1 ? (unsigned)atoi(argv[1]) : 1;
    pn_symbolic(data, sizeof data, "data");
    unsigned hash = hash_again_and_again(data, rounds);
    printf("%u operations\n", rounds * 2 * SIZE);
    return hash == 1;
}
