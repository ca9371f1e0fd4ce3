/* The options of every command: about the tool's own work, not about what is asked of it. */
#ifndef PENUMBRA_CLI_COMMON_H
#define PENUMBRA_CLI_COMMON_H

#include "base/log.h"
#include "cli/options.h"

struct common_options {
    enum log_level log;
    bool no_cache;
};

extern const struct option_row common_rows[];

void common_options_obey(const struct common_options *options);

#endif
