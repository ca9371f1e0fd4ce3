/* The document of docs/json.md and docs/report.schema.json: one model for one entry and for many, for what was explored
 * to its end and for what was stopped. It is made of records, which a campaign appends to one list while it goes on:
 *
 *   campaign    what was asked: files, mode, ...; what is known later comes in a later one
 *   entry       a function to explore; its state goes from `queued` over `begun` to `done`, each a record of its own,
 * and the last of them has the result; it may begin again
 *   divergence  what was proven; a later one of the same number is in place of an earlier one. Its `kept` is for a
 *               campaign that goes on, and in no document
 *
 * Every prefix of the list makes a document. Other forms of a report are views of it. */
#ifndef PENUMBRA_REPORT_DOCUMENT_H
#define PENUMBRA_REPORT_DOCUMENT_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DOCUMENT_SCHEMA "penumbra-report/4"

#define RECORD_CAMPAIGN "campaign"
#define RECORD_ENTRY "entry"
#define RECORD_DIVERGENCE "divergence"

#define STATE_QUEUED "queued"
#define STATE_BEGUN "begun"
#define STATE_DONE "done"

/* How the campaign ended. */
struct document_end {
    int exit_status;
    const char *kind, *text; /* of the limit that stopped it; NULL where nothing did */
};

/* Everything here is a new reference. `records` is an array. */
json_t *document_make(const json_t *records, const struct document_end *end);
json_t *document_limit(const char *entry, const char *kind, const char *place, size_t count, bool forbids,
                       const char *text);
/* An entry that changes its state; `problem`: why it cannot be explored, or NULL. */
json_t *document_entry(const char *entry, const char *place, const char *state, const char *problem);

/* A group of divergences, of which `count` were run natively and `unproven` were not; takes the witness and the source
 * over, which may be NULL. */
json_t *document_group(json_t *witness, size_t count, size_t unproven, json_t *source);

/* Groups that read alike get ids of their own. */
void document_make_unique(json_t *groups);
/* By its id or the number of its witness; borrowed, or NULL. */
const json_t *document_find_group(const json_t *document, const char *name);

/* Bytes as a string of hexadecimal digits. */
json_t *document_hexadecimal(const uint8_t *bytes, size_t size);

const char *document_string(const json_t *object, const char *key); /* NULL where it has none */
/* Whether a divergence of a document is a difference of behaviour. */
bool document_is_difference(const json_t *divergence);
size_t document_count_verdict(const json_t *document, const char *verdict); /* among its entries */

#endif
