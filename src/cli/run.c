/* `penumbra run`: the whole way, from annotated source to proven divergences. */
#include "cli/cli.h"
#include "cli/explore.h"

int cli_run(int argc, char **argv)
{
    static const struct explore_command command = {
        .arguments = "FILE.c... --entry FUNCTION",
        .summary =
            "Find inputs on which the two versions in an annotated program behave differently, and prove each by "
            "running both natively.\vExit status: 0 nothing found, 1 differences found, 2 usage or build error, 3 the "
            "job was "
            "not done (interrupted, no change reached).",
        .mode = EXPLORE_BOUNDED,
    };
    return explore_command(&command, argc, argv);
}
