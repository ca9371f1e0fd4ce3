/* The commands that explore: `run` takes a program that holds both versions, others make it first. */
#ifndef PENUMBRA_CLI_RUN_H
#define PENUMBRA_CLI_RUN_H

#include "cli/campaign.h"
#include "explore/explore.h"

struct run_command {
    const char *arguments, *summary; /* for --help */
    enum explore_mode mode;          /* unless --mode says otherwise */
    /* Makes the program from the given files, in the results directory, and names it in the options; NULL where the
     * files are the program. `identical`: there is nothing to explore. */
    bool (*prepare)(struct campaign_options *options, struct arena *arena, const char *directory, bool *identical,
                    struct error *error);
};

/* Parses the arguments, explores, reports; returns the exit status. */
int run_command(const struct run_command *command, int argc, char **argv);

#endif
