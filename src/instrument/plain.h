/* Constructs that can be said with plainer ones, before the hooks are in. */
#ifndef PENUMBRA_INSTRUMENT_PLAIN_H
#define PENUMBRA_INSTRUMENT_PLAIN_H

#include "instrument/emit.h"

/* Before functions are copied for one version. A computed goto becomes a switch over numbers that stand for the labels'
 * addresses: a copy must not jump into the original. Variables of a thread become plain ones: there is one thread.
 * The addresses of malloc() and free() become those of the runtime's. Undefined operations become defined ones. */
void plain_before_copies(struct emitter *emitter);
/* Pointers to a function lead to the other one; calls stay. */
void redirect_pointers(LLVMValueRef function, LLVMValueRef other);
/* mathematical_calls.c: what functions of <math.h> do to errno becomes an assignment. */
void plain_mathematical_calls(struct emitter *emitter);
/* defined.c: an operation of which C does not say what it gives becomes one that gives what the processor does. */
void define_operation(struct emitter *emitter, LLVMValueRef instruction);
/* After the early passes. Loads and stores of structs, vectors and integers of 128 bits become loads and stores of
 * their parts. */
void plain_accesses(struct emitter *emitter);

#endif
