/* Allocation that fails: which one is an input, `failing_allocation`: the n-th call of malloc() or one like it, or,
 * being 0, none. It is tried where a change can tell: where a function that the versions have not in common allocates,
 * itself or through what it calls, and both versions allocate equally often there. Otherwise the n-th call would not be
 * the same one in both.
 *
 * In a whole program an allocation fails, too, that is larger than the memory that a run may have (--memory): which
 * input leads to one is a decision like any other, and what the program does then is seen natively, too. */
#ifndef PENUMBRA_SOURCE_ALLOCATIONS_H
#define PENUMBRA_SOURCE_ALLOCATIONS_H

#include "source/program.h"
#include "source/uses.h"

/* Whether what the entry uses may free or move blocks: then those that it is given are some. */
bool allocations_may_be_freed(const struct uses *uses);

/* After the entry's parameters: decides, and adds the input. */
bool allocations_read(struct program *program, struct uses *uses, struct error *error);

/* The harness's part: before a source's text, and behind that of the entry's file. */
void allocations_declare(const struct program *program, struct text *code);
void allocations_define(const struct program *program, struct text *code);

#endif
