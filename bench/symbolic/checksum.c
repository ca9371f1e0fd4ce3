/* A checksum over 64 KiB of input, again and again: two operations on symbolic values for each byte. The argument says
 * how often. */
#include <penumbra.h>
#include <stdio.h>
#include <stdlib.h>

static unsigned char data[65536];

int main(int argc, char **argv)
{
    unsigned hash = 0, rounds = argc > 1 ? (unsigned)atoi(argv[1]) : 1;
    pn_symbolic(data, sizeof data, "data");
    for (unsigned round = 0; round < rounds; round++)
        for (unsigned i = 0; i < sizeof data; i++)
            hash = hash * 31 + data[i];
    printf("%u operations\n", rounds * 2 * (unsigned)sizeof data);
    return hash == 1;
}
