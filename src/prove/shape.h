/* How control goes through one function: its values have numbers, and the blocks in which loops begin are known. A path
 * that never comes to one of these ends. */
#ifndef PENUMBRA_PROVE_SHAPE_H
#define PENUMBRA_PROVE_SHAPE_H

#include "base/arena.h"

#include <llvm-c/Core.h>
#include <stdbool.h>

struct shape_number {
    LLVMValueRef value; /* a parameter, an instruction or a block */
    size_t number;
};

struct shape {
    LLVMValueRef function;
    struct shape_number *numbers; /* a hash table */
    size_t number_capacity;
    size_t value_count; /* parameters and instructions: numbers from 0 */
    LLVMBasicBlockRef *blocks;
    size_t block_count;
    bool *is_header;  /* by the number of the block */
    bool *is_in_loop; /* [header * block_count + block]: it can come back to the header without leaving it */
};

/* False: a loop has two beginnings, or the function is too large to be followed. */
bool shape_read(struct shape *shape, LLVMValueRef function, struct arena *arena);
/* Of a parameter or an instruction. */
size_t shape_number_of(const struct shape *shape, LLVMValueRef value);
bool shape_is_header(const struct shape *shape, LLVMBasicBlockRef block);
bool shape_is_in_loop(const struct shape *shape, LLVMBasicBlockRef header, LLVMBasicBlockRef block);

#endif
