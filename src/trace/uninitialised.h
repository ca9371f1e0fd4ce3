/* Memory that was never written: eight bytes, which are an input, are in it again and again, from where a variable or a
 * block begins. So every value of a number is tried, and whatever a version writes itself differs from some of them. */
#ifndef PENUMBRA_TRACE_UNINITIALISED_H
#define PENUMBRA_TRACE_UNINITIALISED_H

#define PN_UNINITIALISED "uninitialised memory" /* the input's name */

enum {
    PN_FRESH_SIZE = 8,
    PN_FRESH_BLOCK = 4096,   /* of larger variables, the rest has the first byte */
    PN_MOST_FRESH = 1 << 16, /* larger blocks are filled with a constant, as AddressSanitizer does it */
    PN_LARGE_BLOCK_BYTE = 0xbe,
    PN_MOST_OF_LARGE_BLOCK = 1 << 20
};

#endif
