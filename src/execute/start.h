/* Starts a program under test in its world, with all that connects it with us: used by server.c alone. */
#ifndef PENUMBRA_EXECUTE_START_H
#define PENUMBRA_EXECUTE_START_H

#include "base/watch.h"
#include "execute/server.h"

/* Our ends. */
struct started {
    pid_t child;                         /* of ours: the program, or the keeper of its world; 0: there is none */
    int channel, keeper, input, results; /* keeper: -1 where there is none */
    int streams[WATCH_STREAMS];
};

/* Where there are no namespaces, `copy` is the directory in which the program starts and may change files; else NULL.
 * What is in `started` is the caller's to close, also when it could not be started. */
bool start_program(const struct server_request *request, const char *copy, struct started *started,
                   struct error *error);
/* Closes the descriptor, if it is one, and makes it none. */
void start_close(int *descriptor);

#endif
