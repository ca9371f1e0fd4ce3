/* The divergences that the document does not list, compactly: `divergences.txt` in the results, a line for each with
 * its number, its class, the id of its group, and its input as --seed takes it. */
#ifndef PENUMBRA_CAMPAIGN_OTHERS_H
#define PENUMBRA_CAMPAIGN_OTHERS_H

#include "report/report.h"

#define OTHERS_NAME "divergences.txt"

/* The groups' objects must have been made. */
bool others_write(const struct report *report, struct error *error);

#endif
