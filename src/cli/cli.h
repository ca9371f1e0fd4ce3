/* One function per subcommand; each parses its own arguments and returns the process's exit status:
 * 0 nothing found, 1 differences found, 2 usage or build error, 3 the job was not done. */
#ifndef PENUMBRA_CLI_CLI_H
#define PENUMBRA_CLI_CLI_H

#include "base/error.h"
#include "campaign/campaign.h"

enum {
    EXIT_NOTHING = CAMPAIGN_NOTHING,
    EXIT_DIFFERENT = CAMPAIGN_DIFFERENT,
    EXIT_ERROR = CAMPAIGN_ERROR,
    EXIT_NOT_DONE = CAMPAIGN_NOT_DONE
};

int cli_run(int argc, char **argv);
int cli_diff(int argc, char **argv);
int cli_unify(int argc, char **argv);
int cli_harness(int argc, char **argv);
int cli_trace(int argc, char **argv);
int cli_instrument(int argc, char **argv);
int cli_replay(int argc, char **argv);
int cli_doctor(int argc, char **argv);
int cli_show(int argc, char **argv);
int cli_export(int argc, char **argv);
int cli_accept(int argc, char **argv);
int cli_cc(int argc, char **argv);
int cli_seeds(int argc, char **argv);
int cli_signature(int argc, char **argv);
int cli_augment(int argc, char **argv);
int cli_resume(int argc, char **argv);
int cli_stats(int argc, char **argv);

/* Shows the error as one message on standard error and returns EXIT_ERROR. */
int cli_fail(struct error *error);

#endif
