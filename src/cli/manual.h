/* A command's page of the manual, penumbra-COMMAND(1), made of the tables that its --help is made of: `penumbra COMMAND
 * --manual` prints it, and `make` keeps them. */
#ifndef PENUMBRA_CLI_MANUAL_H
#define PENUMBRA_CLI_MANUAL_H

#include "cli/options.h"

#include <stdio.h>

/* Whether that is all that is asked for. */
bool manual_is_wanted(int argc, char **argv);
/* `command` is how messages begin: `penumbra diff`. */
void manual_print(const struct command_line *line, const char *command, FILE *to);
/* Of a command that has no tables: its usage as it is. */
void manual_print_usage(const char *command, const char *usage, FILE *to);

#endif
