/* `penumbra accept`: a difference is intended, and is not reported again. */
#include "campaign/accepted.h"
#include "cli/cli.h"
#include "cli/options.h"

#include <stdio.h>

struct arguments {
    struct words named;
    const char *file;
};

#define RECORD struct arguments

static const struct option_row rows[] = {
    TEXT("accepted", "FILE", file, "The file that it is recorded in (default " ACCEPTED_FILE ")"),
    TABLE_END,
};

static void check(struct argp_state *state, const struct command_line *line)
{
    const struct arguments *arguments = line->sets[0].record;
    if (arguments->named.count != 2)
        argp_error(state, "expected a results directory and a group");
}

int cli_accept(int argc, char **argv)
{
    struct arguments arguments = {.file = ACCEPTED_FILE};
    struct error error = {0};
    struct command_line line = {
        .arguments = "DIR GROUP",
        .summary =
            "Record a difference as intended.\vGROUP is the number or the id of a group (penumbra show DIR). The "
            "file, which the project keeps with its sources, is read by penumbra run and diff: a group that it "
            "names is not reported again while it stays the same.",
        .sets = {{NULL, rows, &arguments}},
        .files = &arguments.named,
        .check = check,
    };
    options_parse(&line, argc, argv);
    bool good = accepted_add(arguments.named.list[0], arguments.named.list[1], arguments.file, &error);
    if (good)
        printf("%s is recorded in %s\n", arguments.named.list[1], arguments.file);
    words_free(&arguments.named);
    return good ? EXIT_NOTHING : cli_fail(&error);
}
