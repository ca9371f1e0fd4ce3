/* From C files to an instrumented executable: clang makes bitcode, the instrumenter an object, the linker the rest. */
#ifndef PENUMBRA_BUILD_BUILD_H
#define PENUMBRA_BUILD_BUILD_H

#include "base/error.h"
#include "instrument/sites.h"

#include <stdbool.h>
#include <stddef.h>

struct build_request {
    const char *const *sources;
    size_t source_count;
    const char *const *names;         /* by source, for people; NULL when they are the sources' own */
    const char *const *const *cflags; /* by source, each NULL-terminated */
    const char *version;              /* "OLD" or "NEW" for one version alone; NULL for both in one program */
    bool exchange;                    /* the old version runs natively, the new one beside it */
    bool check_objects;               /* every access is checked against its object, also where nothing is symbolic */
    bool assume_no_overflow;
    bool dependences;         /* of a version alone: what depends on what is found out, and changes are marked */
    const char *const *links; /* further objects and libraries */
    size_t link_count;
    const char *directory; /* for intermediate files */
    const char *executable;
    const char *library; /* where a run can be undone, this is made and not the executable; may be NULL */
};

/* With `library`: whether that was made, sites->lasting says. */
bool build_instrumented(const struct build_request *request, struct site_table *sites, struct error *error);
/* The same in a process of its own, which begins when the build is wanted. The request must live until the build is
 * finished or stopped. */
struct build;
struct build *build_start(const struct build_request *request, struct error *error);
void build_want(struct build *build);
/* Waits for it; processes that were forked meanwhile may do so, too. */
bool build_finish(struct build *build, struct site_table *sites, struct error *error);
/* Ends it wherever it is; NULL is fine. */
void build_stop(struct build *build);
/* Makes the executable after all, of what build_instrumented() left in the directory. */
bool build_executable(const struct build_request *request, struct error *error);

#endif
