/* Partitions and semantic changes, as `penumbra signature` and `penumbra augment` show them. */
#ifndef PENUMBRA_CLI_PARTITION_TEXT_H
#define PENUMBRA_CLI_PARTITION_TEXT_H

#include "base/text.h"

#include <jansson.h>

/* A string of an object; "" where there is none. */
const char *object_string(const json_t *object, const char *key);

/* Appends `a && (b || c)` of a list of strings, without what others of them imply; `always` of an empty one. */
void add_conditions(const json_t *list, struct text *text);

/* Appends how a version ends, and its outputs: `exit(2); standard output = "no\n"`. With `others`, those of the other
 * version, only outputs that are not the same there. */
void add_outcome(const char *ends, long long status, const json_t *outputs, const json_t *others, struct text *text);

/* A line: what comes before, and as much of the text. */
void print_cut(const char *before, const struct text *text, size_t most);

#endif
