/* Directories whose names are others in every run: temporary ones, that of the results. What is compiled sees them
 * under fixed names, /.penumbra/NAME, so that a second run compiles the same text with the same command; whatever is
 * shown has the real names again. Processes that are forked know the places of their parents. */
#ifndef PENUMBRA_BASE_PLACES_H
#define PENUMBRA_BASE_PLACES_H

#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>

/* Calls the directory by that name from now on; one that had the name before is forgotten. */
void places_add(const char *name, const char *directory);

/* The same text, with the fixed names for the real ones; it is returned itself where it has none. */
const char *places_hide(struct arena *arena, const char *text);
/* The other way round. */
const char *places_show(struct arena *arena, const char *text);

size_t places_count(void);
/* The fixed and the real path of a place. */
void places_get(size_t index, const char **fixed, const char **real);
/* Whether a path is below one of the fixed names. */
bool places_is_fixed(const char *path);

#endif
