/* From C files to an instrumented executable: clang makes bitcode, the instrumenter an object, the linker the rest. */
#ifndef PENUMBRA_BUILD_BUILD_H
#define PENUMBRA_BUILD_BUILD_H

#include "base/error.h"
#include "build/sites.h"

#include <stdbool.h>
#include <stddef.h>

struct build_request {
    const char *const *sources;
    size_t source_count;
    const char *const *cflags; /* NULL-terminated; may be NULL */
    const char *version;       /* "OLD" or "NEW" for one version alone; NULL for both in one program */
    bool exchange;             /* the old version runs natively, the new one beside it */
    bool assume_no_overflow;
    const char *const *links; /* further objects and libraries */
    size_t link_count;
    const char *directory; /* for intermediate files */
    const char *executable;
};

bool build_instrumented(const struct build_request *request, struct site_table *sites, struct error *error);

#endif
