/* The commands that explore: `run` takes a program that holds both versions, others make it first. */
#ifndef PENUMBRA_CLI_EXPLORE_H
#define PENUMBRA_CLI_EXPLORE_H

#include "campaign/campaign.h"
#include "cli/options.h"

struct explore_command {
    const char *arguments, *summary; /* for --help */
    enum explore_mode mode;          /* unless --mode says otherwise */
    struct option_set more;          /* options of the command's own; `rows` is NULL when there are none */
    campaign_prepare *prepare;       /* as in struct campaign_request, with its input */
    void *input;
    /* What comes before, without a limit of time, and may change the options; NULL: nothing. */
    bool (*begin)(void *input, struct subject_options *options, bool quiet, struct error *error);
};

/* Parses the arguments, explores, shows what comes of it; returns the exit status. */
int explore_command(const struct explore_command *command, int argc, char **argv);

#endif
