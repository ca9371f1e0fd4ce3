/* Accesses that surely lie in their object, by its size and what is known of the index: constants, masks, and variables
 * of loops below a constant bound. Anything else may fail. */
#include "depend/inside.h"

#include <stdlib.h>

struct interval {
    bool known;
    int64_t low, high;
};

static const struct interval UNKNOWN_INTERVAL = {false, 0, 0};

static struct interval interval_of(struct analysis *analysis, LLVMValueRef value, uint32_t block, unsigned depth);

static struct interval of_constant(LLVMValueRef constant)
{
    if (LLVMGetIntTypeWidth(LLVMTypeOf(constant)) > 64)
        return UNKNOWN_INTERVAL;
    int64_t value = LLVMConstIntGetSExtValue(constant);
    return (struct interval){value > -(INT64_C(1) << 40) && value < INT64_C(1) << 40, value, value};
}

/* The only guard of a block, if it has one that is a branch on a comparison. */
static const struct guard *only_guard(const struct analysis *analysis, uint32_t block)
{
    const struct guard *found = NULL;
    for (size_t i = 0; i < analysis->guard_count; i++) {
        if (analysis->guard_list[i].block != block)
            continue;
        if (found)
            return NULL;
        found = &analysis->guard_list[i];
    }
    return found && LLVMIsABranchInst(found->branch) && LLVMIsAICmpInst(LLVMGetCondition(found->branch)) ? found : NULL;
}

/* Is there no way to a block but by this way out of the guard? */
static bool is_only_way(struct analysis *analysis, const struct guard *guard, uint32_t block)
{
    LLVMBasicBlockRef at = LLVMGetInstructionParent(guard->branch);
    LLVMValueRef function = LLVMGetBasicBlockParent(at);
    uint32_t first = numbering_find(&analysis->blocks, LLVMGetEntryBasicBlock(function)), waiting_count = 0;
    uint32_t count = LLVMCountBasicBlocks(function), *waiting = calloc(count + 1, sizeof *waiting);
    bool *seen = calloc(count + 1, 1), found = block == first;
    seen[0] = true;
    waiting[waiting_count++] = 0;
    while (waiting_count && !found) {
        LLVMBasicBlockRef here = analysis_block(analysis, first + waiting[--waiting_count]);
        LLVMValueRef end = LLVMGetBasicBlockTerminator(here);
        for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++) {
            uint32_t to = numbering_find(&analysis->blocks, LLVMGetSuccessor(end, i)) - first;
            if (seen[to] || (end == guard->branch && i == guard->successor))
                continue;
            seen[to] = true;
            found |= to + first == block;
            waiting[waiting_count++] = to;
        }
    }
    free(waiting), free(seen);
    return !found;
}

/* The largest value that "value < constant" leaves, where that guards the block. */
static bool upper_bound(struct analysis *analysis, LLVMValueRef value, uint32_t guarded, int64_t *high)
{
    uint32_t block = guarded;
    for (unsigned depth = 0; depth < 16; depth++) {
        const struct guard *guard = only_guard(analysis, block);
        if (!guard)
            return false;
        LLVMValueRef comparison = LLVMGetCondition(guard->branch), bound = LLVMGetOperand(comparison, 1);
        LLVMIntPredicate predicate = LLVMGetICmpPredicate(comparison);
        if (LLVMGetOperand(comparison, 0) == value && LLVMIsAConstantInt(bound) &&
            LLVMGetIntTypeWidth(LLVMTypeOf(bound)) <= 64 && is_only_way(analysis, guard, guarded)) {
            *high = LLVMConstIntGetSExtValue(bound);
            bool holds = guard->successor == 0;
            if (holds && (predicate == LLVMIntSLT || predicate == LLVMIntULT))
                return (*high)--, *high >= 0;
            if (holds && (predicate == LLVMIntSLE || predicate == LLVMIntULE))
                return *high >= 0;
            if (!holds && (predicate == LLVMIntSGE || predicate == LLVMIntUGE))
                return (*high)--, *high >= 0;
            if (!holds && (predicate == LLVMIntSGT || predicate == LLVMIntUGT))
                return *high >= 0;
        }
        uint32_t next = analysis_block_of(analysis, guard->branch);
        if (next == block)
            return false;
        block = next;
    }
    return false;
}

/* A variable that begins at a constant and goes up by one, in a loop whose head keeps it below a constant. */
static struct interval of_variable(struct analysis *analysis, LLVMValueRef phi, uint32_t block)
{
    int64_t low = INT64_MAX, high;
    LLVMBasicBlockRef head = LLVMGetInstructionParent(phi);
    LLVMValueRef end = LLVMGetBasicBlockTerminator(head);
    if (!LLVMIsABranchInst(end) || !LLVMIsConditional(end))
        return UNKNOWN_INTERVAL;
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        LLVMValueRef value = LLVMGetIncomingValue(phi, i);
        uint32_t from = numbering_find(&analysis->blocks, LLVMGetIncomingBlock(phi, i));
        if (LLVMIsAConstantInt(value) && LLVMConstIntGetSExtValue(value) >= 0) {
            int64_t constant = LLVMConstIntGetSExtValue(value);
            low = constant < low ? constant : low;
        } else if (!LLVMIsAInstruction(value) || LLVMGetInstructionOpcode(value) != LLVMAdd ||
                   LLVMGetOperand(value, 0) != phi || !LLVMIsAConstantInt(LLVMGetOperand(value, 1)) ||
                   LLVMConstIntGetSExtValue(LLVMGetOperand(value, 1)) != 1 ||
                   !upper_bound(analysis, phi, from, &high)) {
            return UNKNOWN_INTERVAL;
        }
    }
    if (low == INT64_MAX || !upper_bound(analysis, phi, block, &high))
        return UNKNOWN_INTERVAL;
    return (struct interval){true, low, high};
}

static struct interval of_masked(LLVMValueRef value, LLVMOpcode opcode)
{
    LLVMValueRef by = LLVMGetOperand(value, 1);
    if (!LLVMIsAConstantInt(by) || LLVMGetIntTypeWidth(LLVMTypeOf(by)) > 64 || LLVMConstIntGetSExtValue(by) <= 0 ||
        LLVMConstIntGetSExtValue(by) > INT64_C(1) << 40)
        return UNKNOWN_INTERVAL;
    int64_t limit = LLVMConstIntGetSExtValue(by);
    return (struct interval){true, 0, opcode == LLVMAnd ? limit : limit - 1};
}

static struct interval of_instruction(struct analysis *analysis, LLVMValueRef value, uint32_t block, unsigned depth)
{
    LLVMOpcode opcode = LLVMGetInstructionOpcode(value);
    switch (opcode) {
    case LLVMAnd:
    case LLVMURem: return of_masked(value, opcode);
    case LLVMSExt: {
        struct interval inner = interval_of(analysis, LLVMGetOperand(value, 0), block, depth);
        return inner;
    }
    case LLVMZExt: {
        LLVMValueRef from = LLVMGetOperand(value, 0);
        struct interval inner = interval_of(analysis, from, block, depth);
        unsigned width = LLVMGetIntTypeWidth(LLVMTypeOf(from));
        if (inner.known && inner.low >= 0)
            return inner;
        return (struct interval){width <= 16, 0, (INT64_C(1) << (width & 31)) - 1};
    }
    case LLVMPHI: return of_variable(analysis, value, block);
    default: return UNKNOWN_INTERVAL;
    }
}

static struct interval interval_of(struct analysis *analysis, LLVMValueRef value, uint32_t block, unsigned depth)
{
    if (LLVMIsAConstantInt(value))
        return of_constant(value);
    if (depth > 8 || !LLVMIsAInstruction(value) || LLVMGetTypeKind(LLVMTypeOf(value)) != LLVMIntegerTypeKind)
        return UNKNOWN_INTERVAL;
    return of_instruction(analysis, value, block, depth + 1);
}

/* Adds what an index of a step adds to the offset. */
static bool add_index(struct interval *offset, struct interval index, uint64_t scale)
{
    if (!index.known || scale > UINT64_C(1) << 20)
        return false;
    offset->low += index.low * (int64_t)scale;
    offset->high += index.high * (int64_t)scale;
    return true;
}

/* The offsets that the indices of a step may give. */
static bool add_step(struct analysis *analysis, LLVMValueRef step, uint32_t block, struct interval *offset)
{
    LLVMTypeRef type = LLVMGetGEPSourceElementType(step);
    for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(step); i++) {
        LLVMValueRef index = LLVMGetOperand(step, i);
        if (LLVMGetTypeKind(LLVMTypeOf(index)) != LLVMIntegerTypeKind)
            return false;
        if (i > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
            unsigned field = (unsigned)LLVMConstIntGetZExtValue(index);
            offset->low += (int64_t)LLVMOffsetOfElement(analysis->layout, type, field);
            offset->high += (int64_t)LLVMOffsetOfElement(analysis->layout, type, field);
            type = LLVMStructGetTypeAtIndex(type, field);
            continue;
        }
        if (i > 1)
            type = LLVMGetElementType(type);
        if (!add_index(offset, interval_of(analysis, index, block, 0), LLVMABISizeOfType(analysis->layout, type)))
            return false;
    }
    return true;
}

static bool is_step(LLVMValueRef value)
{
    return LLVMIsAGetElementPtrInst(value) ||
           (LLVMIsAConstantExpr(value) && LLVMGetConstOpcode(value) == LLVMGetElementPtr);
}

bool is_safe_access(struct analysis *analysis, LLVMValueRef at, LLVMValueRef pointer, uint64_t size)
{
    struct interval offset = {true, 0, 0};
    uint32_t block = analysis_block_of(analysis, at);
    for (unsigned depth = 0; depth < 16 && is_step(pointer); depth++) {
        if (!add_step(analysis, pointer, block, &offset))
            return false;
        pointer = LLVMGetOperand(pointer, 0);
    }
    uint64_t whole;
    if (LLVMIsAGlobalVariable(pointer) && LLVMIsGlobalConstant(pointer) && !LLVMIsALoadInst(at))
        return false;
    if (LLVMIsAGlobalVariable(pointer) && !LLVMIsDeclaration(pointer))
        whole = LLVMABISizeOfType(analysis->layout, LLVMGlobalGetValueType(pointer));
    else if (LLVMIsAAllocaInst(pointer) && LLVMIsAConstantInt(LLVMGetOperand(pointer, 0)))
        whole = LLVMABISizeOfType(analysis->layout, LLVMGetAllocatedType(pointer)) *
                LLVMConstIntGetZExtValue(LLVMGetOperand(pointer, 0));
    else
        return false;
    return offset.low >= 0 && (uint64_t)offset.high + size <= whole;
}
