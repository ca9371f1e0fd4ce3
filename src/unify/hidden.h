/* Differences that the text of a declaration does not show: flags, layout, lines, included files, what a macro's use is
 * written like. Both versions are compiled, each with its own flags, and compared. */
#ifndef PENUMBRA_UNIFY_HIDDEN_H
#define PENUMBRA_UNIFY_HIDDEN_H

#include "unify/compare.h"

struct hidden_request {
    const char *files[2];          /* the old and the new one, as they are */
    const char *const *flags[2];   /* for the compiler; NULL-terminated */
    struct comparison *comparison; /* the versions have been read; hidden_is_any() needs none */
};

/* Marks the pieces of both versions that the compiler makes other things of (`compiles_differently`), and leaves in the
 * comparison what else differs. False when it cannot be told; an obstacle is set when a version cannot be compiled. */
bool hidden_find(const struct hidden_request *request, struct error *error);

/* Whether the compiler makes anything else of one version than of the other, as far as can be told: what cannot be
 * compiled is not the same. */
bool hidden_is_any(const struct hidden_request *request);

#endif
