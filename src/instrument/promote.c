/* Locals that only one region of one-sided code uses. A function with one-sided code keeps its locals in memory, where
 * each side has its own value; what only one side ever sees may live in registers instead. */
#include "instrument/promote.h"
#include "base/arena.h"
#include "instrument/regions.h"

#include <stdlib.h>

static bool accesses_variable(LLVMValueRef user, LLVMValueRef variable)
{
    if (LLVMIsALoadInst(user))
        return !LLVMGetVolatile(user);
    return LLVMIsAStoreInst(user) && LLVMGetOperand(user, 1) == variable && LLVMGetOperand(user, 0) != variable &&
           !LLVMGetVolatile(user);
}

static bool is_used_only_in(LLVMValueRef variable, const struct blocks *region)
{
    for (LLVMUseRef use = LLVMGetFirstUse(variable); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (!accesses_variable(user, variable) || !blocks_have(region, LLVMGetInstructionParent(user)))
            return false;
    }
    return true;
}

enum first_access { READS, WRITES, NEITHER };

static enum first_access first_access(LLVMBasicBlockRef block, LLVMValueRef variable)
{
    for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at)) {
        if (LLVMIsALoadInst(at) && LLVMGetOperand(at, 0) == variable)
            return READS;
        if (LLVMIsAStoreInst(at) && LLVMGetOperand(at, 1) == variable)
            return WRITES;
    }
    return NEITHER;
}

/* Whether a value from outside (an earlier passage) could be read: then it must stay where it is. */
static bool is_read_before_written(const struct blocks *region, LLVMValueRef variable)
{
    struct blocks reached = {0};
    blocks_add(&reached, region->list[0]);
    bool reads = false;
    for (size_t i = 0; i < reached.count && !reads; i++) {
        enum first_access first = first_access(reached.list[i], variable);
        reads = first == READS;
        LLVMValueRef end = LLVMGetBasicBlockTerminator(reached.list[i]);
        for (unsigned j = 0; first == NEITHER && j < LLVMGetNumSuccessors(end); j++) {
            LLVMBasicBlockRef to = LLVMGetSuccessor(end, j);
            if (blocks_have(region, to) && !blocks_have(&reached, to))
                blocks_add(&reached, to);
        }
    }
    free(reached.list);
    return reads;
}

static bool belongs_to_one_region(LLVMValueRef variable, const struct blocks *regions, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (is_used_only_in(variable, &regions[i]))
            return !is_read_before_written(&regions[i], variable);
    return false;
}

/* A volatile access keeps its variable in memory. */
static void pin(LLVMValueRef variable, struct pinned *pinned)
{
    for (LLVMUseRef use = LLVMGetFirstUse(variable); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (!accesses_variable(user, variable))
            continue;
        LLVMSetVolatile(user, true);
        pinned->list = array_reserve(pinned->list, &pinned->capacity, pinned->count + 1, sizeof *pinned->list);
        pinned->list[pinned->count++] = user;
    }
}

void pin_shared_variables(LLVMValueRef function, struct pinned *pinned)
{
    size_t count;
    struct blocks *regions = regions_find(function, &count);
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at))
            if (LLVMIsAAllocaInst(at) && !belongs_to_one_region(at, regions, count))
                pin(at, pinned);
    for (size_t i = 0; i < count; i++)
        free(regions[i].list);
    free(regions);
}

void unpin(struct pinned *pinned)
{
    for (size_t i = 0; i < pinned->count; i++)
        LLVMSetVolatile(pinned->list[i], false);
    free(pinned->list);
}
