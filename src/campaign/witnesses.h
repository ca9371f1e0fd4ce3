/* The witnesses of groups, made small. */
#ifndef PENUMBRA_CAMPAIGN_WITNESSES_H
#define PENUMBRA_CAMPAIGN_WITNESSES_H

#include <stdbool.h>
#include <stdint.h>

struct campaign;
struct causes;
struct report_divergence;

/* The groups must have been made. `causes` may be NULL: what makes a difference need not stay the same then. */
void witnesses_make_small(struct campaign *campaign, struct causes *causes);
/* Takes an input to be shown for a divergence, where it shows the same at the same place. */
bool witnesses_take(struct campaign *campaign, struct report_divergence *divergence, const uint8_t *input);

#endif
