/* The two versions' trees, each built by its own build system with `penumbra cc`. A tree is copied first, so that
 * nothing of the user's is touched, and built where it is then: build systems like to remember absolute paths. Where
 * there is a cache (compile/store.h) it is kept there by what is in it and the command: the next time, nothing is
 * built.
 */
#ifndef PENUMBRA_PROJECT_CHECKOUT_H
#define PENUMBRA_PROJECT_CHECKOUT_H

#include "base/arena.h"
#include "base/error.h"

#include <stdbool.h>
#include <time.h>

struct checkout {
    const char *source; /* the tree as it is, which is only read */
    const char *name;   /* for people */
    /* what comes of it: */
    const char *root;     /* of the copy that was built */
    const char *log;      /* what the build printed */
    struct timespec done; /* files that are younger come from elsewhere */
    bool is_kept;         /* it was built before */
    double seconds;
};

/* Builds the two, beside each other; `scratch` is for trees that are not kept. An error names the version and has the
 * last lines of its log, which stays. */
bool checkouts_build(struct checkout *checkouts, const char *command, const char *scratch, struct arena *arena,
                     struct error *error);

/* Where the starts go that the test suite of a built tree makes of a program: kept as long as the tree. */
const char *checkout_starts(const struct checkout *checkout, const char *command, const char *program,
                            struct arena *arena);

/* The environment of a command that builds or tests: where CC and the usual names of compilers lead to `penumbra cc`.
 * "NAME=value" strings, NULL-terminated; the links lie below `directory`. */
const char *const *checkout_environment(const char *directory, struct arena *arena, struct error *error);

#endif
