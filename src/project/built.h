/* A tree that was built with `penumbra cc`: the programs in it, the units of one of them or of all, and the libraries
 * that they are linked with. */
#ifndef PENUMBRA_PROJECT_BUILT_H
#define PENUMBRA_PROJECT_BUILT_H

#include "base/arena.h"
#include "base/error.h"
#include "base/words.h"

#include <jansson.h>
#include <stdbool.h>
#include <time.h>

struct built_program {
    const char *name; /* below the tree; libtool's .libs/ left out */
    const char *path;
    json_t *units; /* as in compile_commands.json, with `dependencies`; none twice */
    struct words libraries;
};

struct built {
    struct arena *arena;
    const char *root; /* absolute */
    const char *name; /* for people */
    struct built_program *programs;
    size_t count, capacity;
    json_t *units; /* of all that was built, programs first */
    struct words libraries;
};

/* Looks through the whole tree; files that are younger than `until` do not count (NULL: all do). False where the tree
 * cannot be read; to be freed in any case. */
bool built_read(struct built *built, const char *root, const char *name, const struct timespec *until,
                struct error *error);
void built_free(struct built *built);
/* Whether anything in it was built by `penumbra cc`. */
bool built_any(const struct built *built);
/* By its name, or the last part of it where that is the only one. NULL, with an error that lists what there is. */
const struct built_program *built_find(const struct built *built, const char *name, struct error *error);
/* Paths of another tree that macros were given: `-DDATA="/old/tree/data"` would make a difference that is none. */
void built_move_macros(json_t *units, const char *from, const char *to);

#endif
