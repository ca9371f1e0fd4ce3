/* Differences that people have accepted as intended: a file that a project keeps with its sources, one line for each,
 * `ID class place  # input`. While a group stays the same, it is not reported again. */
#ifndef PENUMBRA_CAMPAIGN_ACCEPTED_H
#define PENUMBRA_CAMPAIGN_ACCEPTED_H

#include "report/report.h"

#define ACCEPTED_FILE ".penumbra-accepted"

/* Marks the groups that the file names; one that is not there accepts nothing. */
bool accepted_mark(struct report *report, const char *path, struct error *error);
/* Appends a group of the document in the directory, by its number or id. False also where the file has it. */
bool accepted_add(const char *directory, const char *name, const char *path, struct error *error);

#endif
