/* A root directory of the user's own for programs under test: what is in it lies over what the system has in its own.
 * Only directories in which something is new or other need a layer for that. */
#ifndef PENUMBRA_EXECUTE_OWN_ROOT_H
#define PENUMBRA_EXECUTE_OWN_ROOT_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

enum { OWN_ROOT_MOST = 6, OWN_ROOT_LONGEST = 256 };

struct own_root {
    char path[4096];                                   /* "": there is none */
    char directories[OWN_ROOT_MOST][OWN_ROOT_LONGEST]; /* absolute: each gets a layer */
    size_t count;
};

/* Programs start in `working_directory`, which has a layer of its own, in none of these. False: the sentence says what
 * is in the way. */
bool own_root_find(const char *path, const char *working_directory, struct own_root *root, struct error *error);

#endif
