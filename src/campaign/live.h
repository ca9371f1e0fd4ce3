/* What is to be seen of an exploration while it goes on: how far it is, and every difference as soon as it is proven
 * and on disk. How far it was is remembered, too, for `penumbra stats` and the plot of a report. */
#ifndef PENUMBRA_CAMPAIGN_LIVE_H
#define PENUMBRA_CAMPAIGN_LIVE_H

#include "campaign/state.h"

/* What the explorer tells; `opaque` is the campaign. */
explore_tell live_take_progress;
/* How far it came, when it has ended. */
void live_take_end(struct campaign *campaign);
/* One line, of what has no numbers; NULL: the line is to go. */
void live_show(const struct campaign *campaign, const char *line);
/* Of a difference that is on disk. */
void live_tell_found(const struct report *report, const struct report_divergence *divergence);

#endif
