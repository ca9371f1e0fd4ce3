/* Compiling C files with clang, as many at a time as there are cores, and not at all where the cache has the result: a
 * compilation of the same text with the same headers, flags, compiler and tool. */
#ifndef PENUMBRA_COMPILE_COMPILE_H
#define PENUMBRA_COMPILE_COMPILE_H

#include "base/digest.h"
#include "base/error.h"
#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>

struct compile_job {
    const char *const *flags; /* NULL-terminated */
    const char *source;
    const char *output;
    const char *what; /* for the log: "native old" */
    /* what comes of it: */
    bool good;
    int exit_status;
    struct text errors;   /* the compiler's, with the real names of files */
    struct digest digest; /* of the output's bytes */
};

unsigned compile_cores(void);
/* At most `at_once` at a time; 0: as many as there are cores. False when one could not be started. */
bool compile_run(struct compile_job *jobs, size_t count, unsigned at_once, struct error *error);
bool compile_all_good(const struct compile_job *jobs, size_t count);
void compile_free(struct compile_job *jobs, size_t count);

#define COMPILE_PROGRAM "clang-19"

#endif
