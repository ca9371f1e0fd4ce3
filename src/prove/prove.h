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
    double seconds;                 /* after which functions are no longer compared one by one, but as a whole */
};

struct proof {
    bool is_proven;
    bool needs_stack;    /* a recursion of one version is a loop in the other: only if the stack is enough for it */
    const char *problem; /* why not; "" where it is */
};

/* A proof at work, in a process of its own: nothing that LLVM does hurts this one, which goes on meanwhile. */
struct prover;

/* NULL when it cannot be started, or what the compiler makes of a version cannot be had. What the request points to is
 * not used any more. */
struct prover *prover_start(const struct proof_request *request, struct arena *arena, struct error *error);
/* Waits for the answer, at most until that moment (clock.h). Whether it has come; only then is `proof` set. */
bool prover_wait(struct prover *prover, double until, struct proof *proof);
/* Ends it, with or without an answer. NULL is none. */
void prover_stop(struct prover *prover);

#endif
