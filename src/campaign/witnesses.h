/* The witnesses of groups, made small. */
#ifndef PENUMBRA_CAMPAIGN_WITNESSES_H
#define PENUMBRA_CAMPAIGN_WITNESSES_H

struct campaign;

/* The groups must have been made. */
void witnesses_make_small(struct campaign *campaign);

#endif
