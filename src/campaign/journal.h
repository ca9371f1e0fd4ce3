/* Results on disk, as soon as there are any: everything that a campaign has to remember, in one file (database.h). It
 * has
 *
 *   asked     the command line and where it was given, so that it can be given again
 *   records   what came of it so far, in the order in which it was known (report/document.h says what they are)
 *   sources   what was read, with its digest
 *   samples   how far each entry was, and when
 *
 * Whichever process has something to say adds it; whoever makes a report reads it, also when those who wrote it are
 * dead. */
#ifndef PENUMBRA_CAMPAIGN_JOURNAL_H
#define PENUMBRA_CAMPAIGN_JOURNAL_H

#include "base/error.h"

#include <jansson.h>

#define JOURNAL_NAME "campaign.db"

/* What is known of one entry besides its results: that nothing more is to be done for it, and that what another way to
 * its inputs has shown does not count (ways.h). They have no part in documents. */
#define RECORD_FINISHED "finished"
#define RECORD_DROPPED "dropped"

bool journal_create(const char *path, const json_t *asked, struct error *error);
/* A new reference; NULL with a sentence where the file is none of this version's. */
json_t *journal_asked(const char *path, struct error *error);

/* Takes the record over. With a `way`, it is one of that way; NULL or "": of none. */
bool journal_append(const char *path, json_t *record, const char *way, struct error *error);
/* Takes the records over, all or none. */
bool journal_append_all(const char *path, json_t *records, struct error *error);
/* An array, a new reference, without what was dropped; NULL with a sentence where it cannot be read. */
json_t *journal_read(const char *path, struct error *error);

/* An object: digests by path. Those that are known stay as they are. */
bool journal_add_sources(const char *path, json_t *sources, struct error *error);
json_t *journal_sources(const char *path, struct error *error);

/* Takes the sample over: `seconds` since the entry began, and numbers of docs/json.md by their names. */
bool journal_add_sample(const char *path, const char *entry, json_t *sample, struct error *error);
/* An array of them, each with its `entry`; NULL with a sentence where it cannot be read. */
json_t *journal_samples(const char *path, struct error *error);

/* The document that is made of all records, with how the campaign ended; a new reference, NULL with a sentence where
 * they cannot be read. */
struct document_end;
json_t *journal_make_document(const char *path, const struct document_end *end, struct error *error);
/* Adds the samples of one entry, or with NULL of all, to a document that was made otherwise: `timeline`. */
void journal_add_timeline(const char *path, const char *entry, json_t *document);

/* The document of a results directory, a new reference; NULL, with a sentence, where it is none of this version's. Of a
 * campaign that has not come to its end, it is made of what there is. */
json_t *journal_read_report(const char *directory, struct error *error);

/* The document that was made of it, as `report.json` beside it. */
bool journal_write_report(const char *directory, const json_t *document, struct error *error);

#endif
