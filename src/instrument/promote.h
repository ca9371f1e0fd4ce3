/* Which locals of a function with one-sided code may live in registers. */
#ifndef PENUMBRA_INSTRUMENT_PROMOTE_H
#define PENUMBRA_INSTRUMENT_PROMOTE_H

#include <llvm-c/Core.h>
#include <stddef.h>

/* Accesses that were made volatile. */
struct pinned {
    LLVMValueRef *list;
    size_t count, capacity;
};

/* Makes mem2reg leave alone what more than one region of one-sided code uses, or other code. */
void pin_shared_variables(LLVMValueRef function, struct pinned *pinned);
/* Afterwards: the accesses as they were. */
void unpin(struct pinned *pinned);

#endif
