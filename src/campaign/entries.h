/* Which functions of unified trees are to be explored, and the program around each. */
#ifndef PENUMBRA_CAMPAIGN_ENTRIES_H
#define PENUMBRA_CAMPAIGN_ENTRIES_H

#include "base/arena.h"
#include "base/error.h"
#include "campaign/entry.h"
#include "unify/trees.h"

struct entries_request {
    const struct unified_trees *trees;
    const char *entry;     /* FUNCTION or FILE:FUNCTION; NULL: every changed function */
    const char *old_label; /* what comes before the names of old files, for people; NULL: they have their own */
    const struct words *stubs, *links;
    bool is_linked; /* as in struct program_request */
};

/* The function of FUNCTION or FILE:FUNCTION. */
const char *entries_function(const char *entry);

/* Fills the preparation's entries: the changed functions, and for those that cannot be explored by themselves the
 * nearest functions that call them and can. Says in its text which other callers could be entries, too. */
bool entries_find(const struct entries_request *request, struct arena *arena, struct preparation *preparation,
                  struct error *error);

#endif
