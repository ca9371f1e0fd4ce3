/* Where the parts of Penumbra that are no programs lie: the runtime, the hooks, penumbra.h. */
#ifndef PENUMBRA_BASE_PATHS_H
#define PENUMBRA_BASE_PATHS_H

#include "base/error.h"

#include <stdbool.h>

/* The directory that holds libpenumbra-runtime.a, hooks.bc, replay_runtime.o and include/penumbra.h: `lib/penumbra`
 * beside the executable (a build tree) or beside the executable's directory (an installation). */
bool paths_support_directory(char path[static 4096], struct error *error);

#endif
