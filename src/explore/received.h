/* Whether a trace that another process has written can be read. The program under test has the shared mapping too: what
 * it writes there by mistake, or on purpose, must end its run and not the explorer. */
#ifndef PENUMBRA_EXPLORE_RECEIVED_H
#define PENUMBRA_EXPLORE_RECEIVED_H

#include "trace/trace.h"

#include <stdbool.h>

/* Looks at every index, offset, size and width that readers rely on, and cuts the trace off where it cannot be read any
 * more; it says then that something was lost. The header's own offsets and capacities are taken for good: the caller
 * has set them again. Returns whether nothing was cut. */
bool received_cut(struct pn_trace *trace);

#endif
