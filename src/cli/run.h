/* The commands that explore: `run` takes a program that holds both versions, others make it first. */
#ifndef PENUMBRA_CLI_RUN_H
#define PENUMBRA_CLI_RUN_H

#include "cli/campaign.h"
#include "explore/explore.h"

#include <jansson.h>

/* A function to explore, and the program around it. */
struct run_entry {
    const char *name;
    const char *place;   /* file.c */
    const char *results; /* the name of its directory below that of all results */
    /* What is explored: the program that holds both versions or, where they cannot be merged, the new one's own. */
    struct units units;
    const char *path; /* the one of the units that the entry is in */
    struct words uncompared, uncompared_members;
    const char *apart; /* a sentence that says why the versions cannot be merged; NULL where one program holds both */
    /* The versions' own programs, of the files as they are: the proof is made of them. */
    struct units old, new;
    const char *old_path, *new_path;
    const char *limits; /* lines: what keeps the program from being both versions, and a verdict from being certain */
    const char *unreadable; /* lines: files that were left out because they could not be read; or NULL */
};

/* What a command made of what it was given. The arena that `prepare` gets owns the strings. */
struct preparation {
    const char *origins[2]; /* how the user knows the versions */
    bool identical;         /* there is nothing to explore */
    struct run_entry *entries;
    size_t count;
    struct text text; /* lines: what was done, for people */
    json_t *json;     /* for programs; NULL when there is nothing to say */
};

struct run_command {
    const char *arguments, *summary; /* for --help */
    enum explore_mode mode;          /* unless --mode says otherwise */
    const struct argp_child *more;   /* options of the command's own; its input is `input`; or NULL */
    void *input;
    /* Makes the program from the given files, in the results directory; NULL where the files are the program. */
    bool (*prepare)(void *input, const struct campaign_options *options, struct arena *arena, const char *directory,
                    struct preparation *preparation, struct error *error);
};

/* Parses the arguments, explores, reports; returns the exit status. */
int run_command(const struct run_command *command, int argc, char **argv);

#endif
