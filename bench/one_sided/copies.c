/* Functions that the changed code calls, each for its version: a checksum, and a sort of an array of the caller. */
#include <penumbra.h>
#include <stdio.h>

enum { LENGTH = 64, ROUNDS = 20000 };

static unsigned table[256];

static unsigned checksum(const unsigned char *bytes, int length, unsigned start)
{
    unsigned sum = start;
    for (int i = 0; i < length; i++)
        sum = table[(sum ^ bytes[i]) & 255] ^ (sum >> 8);
    return sum;
}

static void sort(unsigned char *bytes, int length)
{
    for (int i = 1; i < length; i++) {
        unsigned char key = bytes[i];
        int at = i;
        for (; at > 0 && bytes[at - 1] > key; at--)
            bytes[at] = bytes[at - 1];
        bytes[at] = key;
    }
}

static unsigned digest(int round, int step)
{
    unsigned char bytes[LENGTH];
    for (int i = 0; i < LENGTH; i++)
        bytes[i] = (unsigned char)(i * step + round);
    sort(bytes, LENGTH);
    return checksum(bytes, LENGTH, (unsigned)round);
}

int main(void)
{
    unsigned total = 0;
    for (unsigned i = 0; i < 256; i++) {
        table[i] = i;
        for (int bit = 0; bit < 8; bit++)
            table[i] = table[i] & 1 ? table[i] >> 1 ^ 0xedb88320u : table[i] >> 1;
    }
    for (int round = 0; round < ROUNDS; round++)
        total = total * 31 + pn_change(digest(round, 7), digest(round, 11));
    if (pn_execute(PN_OLD))
        printf("%u\n", total);
    if (pn_execute(PN_NEW))
        printf("%u\n", total);
    return 0;
}
