/* Builds one version of the program natively, in a background process: first with AddressSanitizer, then, when that is
 * wanted and with low priority, with UndefinedBehaviorSanitizer. Both in one build would be faster, but the data that
 * the second one puts between the program's variables hides some accesses beside them from the first. */
#ifndef PENUMBRA_CHECK_NATIVE_H
#define PENUMBRA_CHECK_NATIVE_H

#include "base/error.h"
#include "source/program.h"

#include <stdbool.h>

enum native_sanitizer { NATIVE_ADDRESS, NATIVE_UNDEFINED, NATIVE_SANITIZERS };

struct native_build;

/* `version` is "OLD", "NEW" or "MIXED" (penumbra.h); the executables are called after it: directory/old and
 * directory/old-undefined. The program, the harness files and `version` must outlive the build. */
struct native_build *native_start(const struct program *program, const char *const *harness, const char *directory,
                                  const char *version, struct error *error);

struct native_version {
    const struct program *program;
    const char *const *harness;
    const char *name;           /* as `version` above */
    const char *const *outputs; /* one file for each of the harness's */
};
/* The programs as NATIVE_ADDRESS has them, as bitcode before any pass. */
bool native_bitcode(const struct native_version versions[], size_t version_count, struct error *error);
/* Says that the executable will be needed: it is built meanwhile, if it is not yet. */
void native_want(struct native_build *build, enum native_sanitizer sanitizer);
/* Waits until the executable is there; false with the compiler's message when it cannot be built. */
bool native_wait(struct native_build *build, enum native_sanitizer sanitizer, struct error *error);
/* Whether native_wait() would come back at once. */
bool native_is_ready(struct native_build *build, enum native_sanitizer sanitizer);
const char *native_executable(const struct native_build *build, enum native_sanitizer sanitizer);
/* Ends the build, wherever it is. */
void native_stop(struct native_build *build);

#endif
