/* Variables whose declaration is jumped over, by goto or switch: clang fills what is not initialised where it is
 * declared, which such a jump leaves out. What is in them then is filled on entry, so that a version that reads it
 * differs from one that has written something there. */
#include "instrument/emit.h"
#include "instrument/regions.h"

#include <stdlib.h>

enum { FILLING = 0xaa };

enum first_use { READS, WRITES, NEITHER };

static enum first_use use_of(LLVMValueRef instruction, LLVMValueRef variable)
{
    bool is_used = false;
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(instruction); i++)
        is_used |= LLVMGetOperand(instruction, i) == variable;
    if (!is_used)
        return NEITHER;
    if (LLVMIsAStoreInst(instruction))
        return LLVMGetOperand(instruction, 0) != variable ? WRITES : READS;
    return LLVMIsAMemIntrinsic(instruction) && LLVMGetOperand(instruction, 0) == variable ? WRITES : READS;
}

static enum first_use first_use(LLVMBasicBlockRef block, LLVMValueRef variable)
{
    enum first_use use = NEITHER;
    for (LLVMValueRef at = LLVMGetFirstInstruction(block); at && use == NEITHER; at = LLVMGetNextInstruction(at))
        use = use_of(at, variable);
    return use;
}

static bool is_read_before_written(LLVMValueRef function, LLVMValueRef variable)
{
    struct blocks reached = {0};
    blocks_add(&reached, LLVMGetEntryBasicBlock(function));
    bool reads = false;
    for (size_t i = 0; i < reached.count && !reads; i++) {
        enum first_use first = first_use(reached.list[i], variable);
        reads = first == READS;
        LLVMValueRef end = LLVMGetBasicBlockTerminator(reached.list[i]);
        for (unsigned j = 0; first == NEITHER && j < LLVMGetNumSuccessors(end); j++)
            if (!blocks_have(&reached, LLVMGetSuccessor(end, j)))
                blocks_add(&reached, LLVMGetSuccessor(end, j));
    }
    free(reached.list);
    return reads;
}

static void fill(struct emitter *emitter, LLVMValueRef variable)
{
    LLVMTypeRef byte = LLVMInt8TypeInContext(emitter->context);
    uint64_t size = LLVMABISizeOfType(emitter->layout, LLVMGetAllocatedType(variable));
    LLVMPositionBuilderBefore(emitter->builder, LLVMGetNextInstruction(variable));
    LLVMBuildMemSet(emitter->builder, variable, LLVMConstInt(byte, FILLING, false), constant64(emitter, size),
                    LLVMGetAlignment(variable));
}

void fill_bypassed_variables(struct emitter *emitter, LLVMValueRef function)
{
    LLVMBasicBlockRef entry = LLVMCountBasicBlocks(function) > 1 ? LLVMGetEntryBasicBlock(function) : NULL;
    if (!entry)
        return;
    for (LLVMValueRef at = LLVMGetFirstInstruction(entry), next; at; at = next) {
        next = LLVMGetNextInstruction(at);
        if (LLVMIsAAllocaInst(at) && LLVMIsConstant(LLVMGetOperand(at, 0)) && is_read_before_written(function, at))
            fill(emitter, at);
    }
}
