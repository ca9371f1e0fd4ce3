/* Which change a difference comes of. Where versions part first says little where changes follow each other: an input
 * takes another way at one of them, and fails at the next. The cause of a difference is the change that makes the
 * program of both (mixed.h) do what the new version does, while all others are left out; without it, that must do what
 * the old version does. */
#ifndef PENUMBRA_CAMPAIGN_CAUSES_H
#define PENUMBRA_CAMPAIGN_CAUSES_H

#include <stdbool.h>

struct campaign;
struct causes;
struct report_divergence;

/* Tells the witnesses of groups which change makes their difference; of some it is not known. The groups must have been
 * made, and are to be made again. NULL where nothing is to be asked. */
struct causes *causes_find(struct campaign *campaign);
/* Whether the divergence has the cause that it says. Where it says none, or nothing can be asked, it has. */
bool causes_confirm(struct causes *causes, const struct report_divergence *divergence);
void causes_stop(struct causes *causes);

#endif
