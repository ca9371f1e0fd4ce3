/* Quick refutations: both native programs run on inputs that are guessed (input/guess.h), in the process that waits for
 * findings while another one explores. What they show is proven by that already. It is reported where the exploration
 * itself finds nothing of the kind: a path that it found says more. */
#ifndef PENUMBRA_CAMPAIGN_GUESSES_H
#define PENUMBRA_CAMPAIGN_GUESSES_H

#include "base/error.h"
#include "campaign/campaign.h"

#include <stdbool.h>

struct campaign;
struct guesses;

/* From the constants and seeds of what is explored; the checker must have been started. */
struct guesses *guesses_create(struct campaign *campaign);
void guesses_destroy(struct guesses *guesses);

/* A little of it: an explore_idle, with the campaign as context. */
int guesses_try_next(void *campaign);
/* Whether one of them shows a difference; of NULL, none does. */
bool guesses_have_found(const struct guesses *guesses);
/* Whether it counts as a difference. */
bool guesses_have_counted(const struct guesses *guesses, enum fail_on fail_on);
/* Goes on where the exploration decided nothing, a little also where it found the versions equivalent, then reports
 * what was found, if that is not known by now. */
bool guesses_finish(struct campaign *campaign, struct error *error);

#endif
