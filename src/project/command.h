/* A shell command of the user's that runs in a tree: its build, or its tests. It may take long, and starts many
 * processes: all of them end when the user interrupts us. */
#ifndef PENUMBRA_PROJECT_COMMAND_H
#define PENUMBRA_PROJECT_COMMAND_H

#include "base/error.h"

#include <stdbool.h>

struct command;

/* What it prints goes to `log`. `environment` as for process_run(); `seconds`: limit, 0 for none. */
struct command *command_start(const char *text, const char *directory, const char *log, const char *const *environment,
                              double seconds, struct error *error);

struct command_end {
    int exit_status; /* as a shell has it */
    bool timed_out;
};
/* Waits for it, and frees it. */
struct command_end command_finish(struct command *command);

#endif
