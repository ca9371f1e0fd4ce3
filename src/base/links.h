/* What a program is linked with besides its own files, as --link and recorded builds name it. */
#ifndef PENUMBRA_BASE_LINKS_H
#define PENUMBRA_BASE_LINKS_H

#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>

/* As the linker wants it: `m` is the library -lm; a flag, a path or a file name is itself. */
const char *link_argument(struct arena *arena, const char *link);
/* Whether all of it is part of the C library, or a flag: it knows nothing of the program, which is as it would be
 * without it. */
bool links_are_c_library(const char *const links[], size_t count);

#endif
