/* The files that a campaign has read, headers too, by their digests: who goes on with it must have the same ones. */
#ifndef PENUMBRA_CAMPAIGN_SOURCES_H
#define PENUMBRA_CAMPAIGN_SOURCES_H

#include "campaign/state.h"

/* Adds what this process has read to the journal, each file once: it stays what it is while a campaign goes on. */
bool sources_add(const struct campaign *campaign, struct error *error);
/* False, with a sentence that names one, where a file of the journal has changed since. */
bool sources_check(const struct campaign *campaign, struct error *error);

#endif
