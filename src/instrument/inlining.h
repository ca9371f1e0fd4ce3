/* Which hooks become part of the code beside which they stand. A hook's test for labels is quick where it is inlined,
 * and an inlined hook is a branch, a call and a join: too many of them, and the compiler takes most of the time. So
 * they are inlined where code runs again and again, in loops; elsewhere they are called, and so they are in what a
 * harness does beside calling its function. */
#ifndef PENUMBRA_INSTRUMENT_INLINING_H
#define PENUMBRA_INSTRUMENT_INLINING_H

#include "instrument/emit.h"

/* After all hooks were inserted, before the optimiser runs. */
void choose_inlined_hooks(struct emitter *emitter);

#endif
