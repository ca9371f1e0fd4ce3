/* A script that shows one divergence without Penumbra: it runs both native programs on the input, shows what they do,
 * and ends with status 1 when that differs. It finds its files from where it lies, whatever the current directory is.
 */
#ifndef PENUMBRA_CAMPAIGN_REPRO_H
#define PENUMBRA_CAMPAIGN_REPRO_H

#include "report/report.h"

struct repro {
    const char *directory;         /* of the divergence, below that of the results */
    const char *programs[2];       /* old and new, as paths below that of the results */
    double seconds[2];             /* limits for them; 0: none */
    const char *working_directory; /* of a whole program, which runs confined: the script needs Penumbra; or NULL */
    const char *root;              /* that it has of its own; "": none */
    double run_seconds;            /* its limit then */
};

/* Writes the script; `command` becomes what a person pastes. */
bool repro_write(const struct repro *repro, struct arena *arena, const char **command, struct error *error);
/* The command for another input of the same directory. */
const char *repro_with_input(struct arena *arena, const char *command, const char *name);

/* A word as a shell wants it. */
const char *repro_quote(struct arena *arena, const char *word);

#endif
