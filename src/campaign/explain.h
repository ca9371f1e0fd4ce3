/* The way that the versions take on one input, from a run of its own. */
#ifndef PENUMBRA_CAMPAIGN_EXPLAIN_H
#define PENUMBRA_CAMPAIGN_EXPLAIN_H

#include <stdbool.h>

struct campaign;
struct report_divergence;

/* Where the versions part on the divergence's input, how, and under which conditions. False: they do not, as far as the
 * instrumented program can tell, and the divergence stays as it is. */
bool explain(struct campaign *campaign, struct report_divergence *divergence);

#endif
