/* The program of both versions, built natively so that each of its changes can be chosen for itself: it is the old
 * version's or the new one's as the input says (penumbra.h, PENUMBRA_VERSION=MIXED). */
#ifndef PENUMBRA_CAMPAIGN_MIXED_H
#define PENUMBRA_CAMPAIGN_MIXED_H

#include "check/check.h"

#include <stddef.h>
#include <stdint.h>

struct campaign;

/* In the text of both versions, with those in the lines before and behind it. Lines are the new version's. */
struct change {
    const char *file; /* without directories */
    unsigned first, last;
};

struct mixed;

/* NULL where there is no such program, or too much in it. No run goes on beyond that moment (clock.h). */
struct mixed *mixed_start(struct campaign *campaign, double latest, struct error *error);
void mixed_stop(struct mixed *mixed);

size_t mixed_count(const struct mixed *mixed);
const struct change *mixed_change(const struct mixed *mixed, size_t number);
/* Runs it on the input with that change alone, NULL for none. False where it was not run. */
bool mixed_run(struct mixed *mixed, const uint8_t *input, const struct change *change,
               struct check_observation *observation);

#endif
