/* The regions of one-sided code in a function. */
#ifndef PENUMBRA_INSTRUMENT_REGIONS_H
#define PENUMBRA_INSTRUMENT_REGIONS_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stddef.h>

struct blocks {
    LLVMBasicBlockRef *list;
    size_t count, capacity;
};
void blocks_add(struct blocks *blocks, LLVMBasicBlockRef block);
bool blocks_have(const struct blocks *blocks, LLVMBasicBlockRef block);

/* Every region of a function that regions_split() has not seen yet, each with its first block in front. Wrong uses of
 * execute() are left out: regions_split() will complain about them. */
struct blocks *regions_find(LLVMValueRef function, size_t *count);

#endif
