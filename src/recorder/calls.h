/* What a program that records the calls of a function shares with the tool: a file, open as SERVE_TRACE. Everything in
 * it comes from a program under test, and may be anything. */
#ifndef PENUMBRA_RECORDER_CALLS_H
#define PENUMBRA_RECORDER_CALLS_H

#include <stdint.h>

enum {
    CALLS_FIRST = 16,         /* so many calls are recorded, and from then on those whose number is a power of two */
    CALLS_RECORD = 512 << 10, /* bytes: larger records are dropped */
    CALLS_BYTES = 8 << 20,    /* of records */
    CALLS_INPUT = CALLS_BYTES + 4096, /* from here to the end: standard input */
};

/* The file begins with it, and records follow. Each is its length, and then parts: a header, the name with
 * the zero at its end, the bytes. The next one begins where CALLS_ROOM() says. */
struct calls_header {
    uint32_t has_started;
    uint32_t calls; /* of the function */
    uint32_t used;  /* bytes of records; more than there is room for where one was dropped */
};

#define CALLS_ROOM(length) (((length) + 3U) & ~3U)

struct calls_part {
    uint32_t name, size; /* their lengths */
};

#endif
