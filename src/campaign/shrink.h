/* Making an input small while it shows the same: values near zero, arrays that end early, letters instead of bytes. */
#ifndef PENUMBRA_CAMPAIGN_SHRINK_H
#define PENUMBRA_CAMPAIGN_SHRINK_H

#include <stdint.h>

struct campaign;

/* The input has as many bytes as the layout; every step is checked by native runs. */
void shrink_input(struct campaign *campaign, uint8_t *input);

#endif
