/* Further ways to explore an entry, each with another harness: objects that the library makes, a call before, globals
 * as inputs, longer strings and arrays. They are tried one after the other where the plain harness shows no difference,
 * in shares of the time that is left, but none too short to build anything; globals come first where their initial
 * values keep the plain one from reaching a change. What they find is told if it is a difference; else the plain
 * exploration is what counts. */
#ifndef PENUMBRA_CAMPAIGN_WAYS_H
#define PENUMBRA_CAMPAIGN_WAYS_H

#include "campaign/state.h"

/* Of an entry whose program is read: whether there are any. */
bool ways_apply(const struct campaign *campaign);
/* Explores the plain way, for most of the time, and then the others; in processes of their own. */
enum campaign_status ways_explore(struct campaign *campaign);

/* `equivalent` that rests on the initial values of variables is only said when other values of theirs show no
 * difference. That takes the campaign as it was before it explored anything, so a process is kept ready for it, and
 * ends with this one if nobody asks. */
void ways_keep_ready(struct campaign *campaign);
/* Comes to a verdict. Whether the process was asked, and has shown a difference; that is told already then. */
bool ways_conclude(struct campaign *campaign);

#endif
