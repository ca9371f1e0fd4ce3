/* Results on disk, as soon as there are any: one list of records for all of a campaign, `results.jsonl` in the results
 * directory, a line of JSON for each (report/document.h says which). Lines are only ever appended, whole, by whichever
 * process has something to say; whoever makes a report reads the list, also when those who wrote it are dead. */
#ifndef PENUMBRA_CAMPAIGN_JOURNAL_H
#define PENUMBRA_CAMPAIGN_JOURNAL_H

#include "base/error.h"

#include <jansson.h>

#define JOURNAL_NAME "results.jsonl"

/* Takes the record over. */
bool journal_append(const char *path, json_t *record, struct error *error);
/* An array, a new reference. A last line that was not written to its end is left out. */
json_t *journal_read(const char *path);

/* The document of a results directory, a new reference; NULL, with a sentence, where it is none of this version's. Of a
 * campaign that has not come to its end, it is made of what the list has. */
json_t *journal_read_report(const char *directory, struct error *error);

/* The document that was made of it, as `report.json` beside it. */
bool journal_write_report(const char *directory, const json_t *document, struct error *error);

#endif
