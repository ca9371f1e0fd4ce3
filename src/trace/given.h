/* A file or stream whose bytes are an input: shared by the runtime and the models of functions that read. A function
 * that takes a `FILE *` is given an argument stream: memory of its own behind a descriptor. */
#ifndef PENUMBRA_TRACE_GIVEN_H
#define PENUMBRA_TRACE_GIVEN_H

enum { PN_MOST_GIVEN = 80, PN_MOST_STREAMS = 16 };

struct pn_given {
    const char *bytes;      /* as many as it may have */
    const unsigned *length; /* how many it has */
};

/* What a version has made of an argument stream. */
enum pn_stream_state { PN_STREAM_CLOSED, PN_STREAM_POSITION, PN_STREAM_END, PN_STREAM_ERROR, PN_STREAM_STATES };

#endif
