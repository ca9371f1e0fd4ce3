/* C files as LLVM IR without debug data, to be compared: as clang makes it before any optimisation. */
#ifndef PENUMBRA_UNIFY_COMPILE_H
#define PENUMBRA_UNIFY_COMPILE_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

struct compilation {
    const char *file;
    const char *const *flags; /* NULL-terminated */
    const char *version;      /* OLD or NEW: of a unified file; NULL otherwise */
    bool without_lines;       /* __LINE__ is the same everywhere */
    const char *output;
};

/* False only when the compiler cannot be started; `compiles`: there is a result of each. */
bool compile_to_ir(const struct compilation *list, size_t count, bool *compiles, struct error *error);

#endif
