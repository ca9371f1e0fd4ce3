/* The directory of a campaign's temporary files. It is removed at the end; after a `kill -9`, when the next campaign of
 * the same user begins: its owner, and all that the owner has started, holds a lock on a file in it, which the kernel
 * gives back when the last of them is gone. */
#ifndef PENUMBRA_CAMPAIGN_SCRATCH_H
#define PENUMBRA_CAMPAIGN_SCRATCH_H

#include "base/error.h"

#include <stdbool.h>

/* Below TMPDIR. Removes what dead processes have left there. */
bool scratch_make(char path[static 256], struct error *error);

#endif
