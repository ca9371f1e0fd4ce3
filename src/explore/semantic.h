/* Partial semantic signatures: for each partition of a version that was explored, the condition on the inputs and what
 * the outputs are then, as expressions over them; and semantic changes, which are pairs of partitions, one of each
 * version, that have inputs in common on which the outputs differ. */
#ifndef PENUMBRA_EXPLORE_SEMANTIC_H
#define PENUMBRA_EXPLORE_SEMANTIC_H

#include "explore/kept.h"
#include "explore/suite.h"

struct semantics;

struct semantics *semantics_create(struct explorer *explorer);
void semantics_destroy(struct semantics *semantics);

/* Adds a partition to the signature of a version (enum pn_side); the number that it has there. */
size_t semantics_add(struct semantics *semantics, enum pn_side version, const struct path *path);
/* What it keeps of that; valid until the next is added. */
const struct kept_path *semantics_kept(const struct semantics *semantics, enum pn_side version, size_t number);
/* Notes the places of changes in the program that was just explored. */
void semantics_add_places(struct semantics *semantics);
/* Keeps how often pairs could not be told apart by the solver, and what a satisfiable one is. `context` is the
 * semantics; see explorer.h. */
explorer_pair semantics_pair;

/* Reports a witness of each change, and of each pair that may be one, so that it is run natively. */
bool semantics_report(struct semantics *semantics, const char *phase);

/* Writes signature-old.json and signature-new.json, and semantic-changes.json, into options.signatures. The seeds are
 * tests that exist already: a change says which of them show it. */
bool semantics_write(struct semantics *semantics, const struct suite *suite, const struct complete_start *start);

#endif
