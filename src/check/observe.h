/* Runs a native program on an input, and turns what happened into words. */
#ifndef PENUMBRA_CHECK_OBSERVE_H
#define PENUMBRA_CHECK_OBSERVE_H

#include "base/error.h"
#include "base/process.h"
#include "check/check.h"
#include "execute/server.h"

/* A native program and what its runs may use. */
struct observed_program {
    const struct program *program; /* to name files as the user does */
    const char *executable;
    const struct world *world;
    struct process_limits limits;
    double latest;         /* as in struct checker_options */
    struct server *server; /* from the first run on */
};

/* What a run is given. */
struct observed_input {
    const char *name; /* for messages */
    const char *text; /* as input_print_file() writes it */
    size_t length;
    double seconds; /* limit for the run; 0: the program's own */
};

/* False when the program could not be run at all: that says nothing about the version. */
bool observe(struct observed_program *observed, const struct observed_input *input,
             struct check_observation *observation, struct error *error);
/* Ends the server. */
void observe_stop(struct observed_program *observed);

void observation_free(struct check_observation *observation);

#endif
