/* A file or stream whose bytes are an input: shared by the runtime and the models of functions that read. */
#ifndef PENUMBRA_TRACE_GIVEN_H
#define PENUMBRA_TRACE_GIVEN_H

enum { PN_MOST_GIVEN = 80 };

struct pn_given {
    const char *bytes;      /* as many as it may have */
    const unsigned *length; /* how many it has */
};

#endif
