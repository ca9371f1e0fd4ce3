/* The tests that there are, as an exploration of partitions sees them: what each seed does in each version. */
#ifndef PENUMBRA_EXPLORE_SUITE_H
#define PENUMBRA_EXPLORE_SUITE_H

#include "explore/complete.h"

#include <jansson.h>

struct suite;
struct suite *suite_create(size_t seed_count);
void suite_destroy(struct suite *suite);

/* Runs every seed on the explorer's program, which is this version. */
bool suite_try(struct suite *suite, struct explorer *explorer, enum pn_side version,
               const struct complete_start *start);

/* For each seed its number, from 1, and input; how each version ends with it (path_end_name(), null where it was not
 * run); whether it is `rejected`, because an assumption does not hold; whether it reaches a change (`changed`). */
json_t *suite_print(const struct suite *suite, const struct explorer *explorer, const struct complete_start *start);

/* How a run ends: "return", "exit", "failure", or "limit" where it was stopped. */
const char *path_end_name(const struct path *path);
/* The whole input, as people write it. */
json_t *explorer_print_input(const struct explorer *explorer, const uint8_t *input, size_t size);

#endif
