/* Which functions of a program call another one, or take its address. */
#ifndef PENUMBRA_SOURCE_CALLERS_H
#define PENUMBRA_SOURCE_CALLERS_H

#include "base/arena.h"
#include "source/unit.h"

struct caller {
    const char *path; /* the unit's file */
    const char *name;
};

struct callers {
    struct caller *list;
    size_t count, capacity;
};

/* Adds those that are not in the list yet. A static function is called in its own file only. Units that cannot be read
 * call nothing. The arena owns the names; the paths are the units'. */
void callers_add(const struct unit *units, size_t count, const char *path, const char *function, struct arena *arena,
                 struct callers *callers);
void callers_free(struct callers *callers);

#endif
