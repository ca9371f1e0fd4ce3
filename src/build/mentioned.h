/* The names that linked objects and libraries mention: what they may call or read of a program. */
#ifndef PENUMBRA_BUILD_MENTIONED_H
#define PENUMBRA_BUILD_MENTIONED_H

#include "base/set.h"

#include <stddef.h>

/* NULL when it cannot be found out of one of them: it may then use everything. */
struct set *mentioned_by(const char *const links[], size_t count);

#endif
