/* A path's conditions without those that others imply: of `x <= 20`, `x > 3`, `x > 10` the second says nothing. Only
 * comparisons of one text with numbers are looked at; the others stay as they are. What is left holds for the same
 * inputs. */
#ifndef PENUMBRA_REPORT_CONDITIONS_H
#define PENUMBRA_REPORT_CONDITIONS_H

#include "base/arena.h"

#include <stdbool.h>

/* Both lists end with NULL; the new one comes from the arena. */
const char *const *conditions_reduce(const char *const *conditions, struct arena *arena);
/* Whether && would bind stronger than what the condition consists of. */
bool condition_is_loose(const char *condition);

#endif
