/* A mebibyte of text (but for what an input must leave room for), every byte of it an input. */
#include <penumbra.h>
#include <stdbool.h>
#include <stdio.h>

enum { TEXT = (1 << 20) - 4096 };

static unsigned char text[TEXT];

static void make_text(void)
{
    unsigned state = 1;
    for (int i = 0; i < TEXT; i++) {
        state = state * 1103515245 + 12345;
        unsigned chosen = state >> 16 & 31;
        text[i] = (unsigned char)(chosen < 26 ? 'a' + chosen : chosen < 31 ? ' ' : '\n');
    }
#ifndef PENUMBRA_VERSION /* natively it stays as it is */
    pn_symbolic(text, sizeof text, "text");
#endif
}
