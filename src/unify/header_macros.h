/* Macros that headers of the program define. A header that is the same in both versions may define one again that
 * another header has defined: that is no difference as long as both versions go through the same definitions at
 * corresponding places. */
#ifndef PENUMBRA_UNIFY_HEADER_MACROS_H
#define PENUMBRA_UNIFY_HEADER_MACROS_H

#include "unify/version.h"

/* Whether a definition of the old version and one of the new version are of one macro that means something else in the
 * two. The pieces must have been matched. */
bool header_macros_differ(const struct version *old, const struct version *new, const struct header_macro *one,
                          const struct header_macro *other);

#endif
