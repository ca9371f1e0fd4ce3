/* Whether the unified text is, compiled as OLD and as NEW, what the two versions are. Each function's LLVM IR is
 * compared with that of the plain version: as clang makes it, and where that differs, after both went through the same
 * simplifying passes. Values are compared as graphs, so that the order of what has no effect does not matter. */
#ifndef PENUMBRA_UNIFY_VERIFY_H
#define PENUMBRA_UNIFY_VERIFY_H

#include "base/arena.h"
#include "base/error.h"
#include "base/words.h"

#include <stdbool.h>

struct verify_request {
    const char *old_file, *new_file, *unified_file;
    const char *const *old_flags, *const *new_flags; /* for the compiler; NULL-terminated */
    const char *directory;                           /* for what the compiler writes */
    bool without_lines;                              /* the unified text has no #line directives */
    const struct words *widened;                     /* types whose layout is that of both versions together */
};

struct verification {
    size_t compared;         /* functions, of both versions */
    struct words mismatches; /* functions that are not the same: a defect of unification */
    struct words unknown;    /* functions whose sameness only a run can tell */
    struct words old_or_new; /* by mismatch: "OLD" or "NEW" */
    struct words variables;  /* variables with another initial value than in the plain version */
    bool *variable_is_old;   /* by these: in the old version */
    size_t variable_capacity;
    bool compiles; /* otherwise nothing was compared */
};

/* False only when the comparison could not be made. */
bool verify_unified(const struct verify_request *request, struct arena *arena, struct verification *verification,
                    struct error *error);
void verification_free(struct verification *verification);

#endif
