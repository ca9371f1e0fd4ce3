/* Two versions that are the same to an optimiser that cannot exploit anything: docs/proofs.md has the argument, and
 * where it does not hold. */
#ifndef PENUMBRA_PROVE_PROVE_H
#define PENUMBRA_PROVE_PROVE_H

#include "base/arena.h"
#include "base/error.h"
#include "base/words.h"
#include "source/program.h"

struct proof_request {
    const struct program *programs[2]; /* the versions' own: old, new */
    const char *const *harnesses[2];   /* as harness_write() has written them */
    const struct words *uncompared; /* variables that are no output: one that both have means another thing in each */
    const char *directory;          /* for files that are removed again */
    double seconds;
};

struct proof {
    bool is_proven;
    const char *problem; /* why not; "" where it is */
};

/* In a process of its own, so that nothing that LLVM does hurts this one. False only when that cannot be started, or
 * what the compiler makes cannot be had. */
bool prove_same(const struct proof_request *request, struct arena *arena, struct proof *proof, struct error *error);

#endif
