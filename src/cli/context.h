/* Between the files of the commands that explore: the order of things is in run.c, versions that cannot be merged in
 * apart.c and apart_programs.c. */
#ifndef PENUMBRA_CLI_CONTEXT_H
#define PENUMBRA_CLI_CONTEXT_H

#include "base/set.h"
#include "cli/results.h"
#include "cli/run.h"
#include "cli/supervise.h"

#include <signal.h>

enum fail_on { FAIL_ON_DIFFERENCE, FAIL_ON_REGRESSION, FAIL_ON_OUTPUT, FAIL_ON_ANY };

struct arguments {
    struct campaign_options campaign;
    enum explore_mode mode;
    enum fail_on fail_on;
    enum explore_order order;
    double seconds, memory_all_megabytes, solver_seconds, maximum_paths, maximum_depth, maximum_loop, maximum_values;
    const char *out;
    void *input;   /* the command's own options */
    bool has_time; /* the user has set it */
    bool json, quiet, strict, undirected, statistics, process_per_run, only_z3;
};

/* An input on which versions that are apart are run. */
struct apart_input {
    bool waits;              /* it was not run yet */
    size_t place;            /* in the report; SIZE_MAX when it is not there */
    const char **conditions; /* of its path, NULL-terminated */
};

/* An input of a path on which the versions do the same; see common.c. */
struct common_path {
    const uint8_t *input;
    size_t input_size;
    const char *const *conditions; /* NULL-terminated */
    bool failed;                   /* both did */
};

/* One exploration, or several in turn. What the explorer's calls need to find. */
struct context {
    struct arguments *arguments;
    const struct run_command *command;
    struct campaign campaign; /* what is explored: both versions in one program or, where they are apart, the new one */
    /* The versions' own programs, with their options. Of versions that are apart, `new` is not used; of a program that
     * the user annotated, neither is. */
    struct campaign old, new;
    struct campaign_options old_options, new_options;
    struct campaign *native_old, *native_new; /* what native programs are built of */
    struct apart_input *inputs;               /* of the versions, by key */
    size_t input_capacity;
    struct common_path *common;
    size_t common_count, common_capacity;
    const struct run_entry *entry; /* NULL where the command names the program */
    struct checker *checker;
    struct explore_outcome outcome;
    const char *program; /* the instrumented one */
    struct set *keys;    /* of what was found, in the order of the report; of versions that are apart, inputs */
    size_t *numbers;     /* by finding of this exploration: the number of its key */
    size_t number_count, number_capacity;
    struct report report;
    double start;
    bool progress_shown;
    char scratch[256];
    struct site_table *exchanged_sites;
    struct preparation preparation;
    struct shared *shared;
    double seconds; /* of one of several entries: its share; 0: all of the time */
    int status;     /* of several entries together; negative for one */
    bool is_silent; /* the report is only written */
    bool inside;    /* the program is a library, and runs in the process that explores */
};

/* Ctrl-C is for the native runs that are still to be done, too: what was proven is kept. */
bool context_is_interrupted(void);

/* When the time is over. */
double context_end(const struct context *context);

/* The next finding of this exploration has the key of this number. */
void context_add_number(struct context *context, size_t number);

/* The native programs are built in the background from here: native_old and native_new have their harnesses. */
bool context_start_checker(struct context *context, struct error *error);
/* Builds the instrumented program of a campaign. */
bool context_make_program(struct context *context, struct campaign *campaign, const char *directory,
                          struct error *error);
struct explore_options context_explore_options(struct context *context, const struct campaign *campaign);
/* Explores the program that was made last; context->outcome is what comes of it. */
bool context_explore(struct context *context, struct campaign *campaign, const char *directory,
                     const struct explore_options *options, struct error *error);

/* Keeps a path of FINDING_COMMON for common_try(), which runs it natively where no difference was found otherwise. */
void common_take(struct context *context, const struct finding *finding);
bool common_try(struct context *context, struct error *error);

/* Reads a version's own program, as options of that version say. */
void context_version_options(const struct context *context, const struct units *units, const char *path,
                             struct campaign_options *options);

/* Reads the old version's own program, which takes the same inputs as the new one's, or the entry is none. */
bool apart_read(struct context *context, struct error *error);
/* Explores each version by itself, and runs what leads along their paths natively on both. */
bool apart_explore(struct context *context, struct error *error);
void apart_free(struct context *context);

#endif
