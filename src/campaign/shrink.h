/* Making an input small while it shows the same: values near zero, arrays that end early, letters instead of bytes. */
#ifndef PENUMBRA_CAMPAIGN_SHRINK_H
#define PENUMBRA_CAMPAIGN_SHRINK_H

#include <stdint.h>

struct campaign;

/* How much it may cost. A quick one leaves numbers alone that people read easily. */
enum shrinking_effort { SHRINK_QUICKLY, SHRINK_WELL };

/* The input has as many bytes as the layout; every step is checked by native runs. */
void shrink_input(struct campaign *campaign, uint8_t *input, enum shrinking_effort effort);

#endif
