/* Whether a C file may include one of some files, of whatever name: told from the texts of a directory, before anything
 * is compiled. */
#ifndef PENUMBRA_UNIFY_INCLUDED_H
#define PENUMBRA_UNIFY_INCLUDED_H

#include "base/arena.h"
#include "base/words.h"

#include <stdbool.h>

/* `files` lie below the directory `root`. True when one of them mentions the last part of one of the names, or includes
 * what a macro names. */
bool included_may_be(const char *root, const struct words *files, const struct words *names);
/* Whether the file has the name somewhere in its text. */
bool included_mentions(const char *path, const char *name);

#endif
