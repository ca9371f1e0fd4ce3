/* What two functions of LLVM IR compute: values as graphs of instructions. */
#include "unify/comparer.h"

#include "base/arena.h"

#include <string.h>

enum { DEEPEST = 20000 };

/* ---- instructions ---- */

bool instruction_has_effect(LLVMValueRef instruction)
{
    switch (LLVMGetInstructionOpcode(instruction)) {
    case LLVMStore:
    case LLVMCall:
    case LLVMFence:
    case LLVMAtomicCmpXchg:
    case LLVMAtomicRMW:
    case LLVMVAArg: return true;
    case LLVMLoad: return LLVMGetVolatile(instruction);
    default: return LLVMIsATerminatorInst(instruction) != NULL;
    }
}

/* How many effects the block has before the instruction: what a load can see. */
static size_t effects_before(LLVMValueRef instruction)
{
    size_t count = 0;
    for (LLVMValueRef at = LLVMGetPreviousInstruction(instruction); at; at = LLVMGetPreviousInstruction(at))
        count += instruction_has_effect(at);
    return count;
}

bool same_block(struct comparer *comparer, LLVMBasicBlockRef one, LLVMBasicBlockRef other)
{
    const void *known = comparer_partner(comparer, one);
    if (known)
        return known == other;
    comparer_add(comparer, one, other);
    comparer->blocks =
        array_reserve(comparer->blocks, &comparer->block_capacity, comparer->block_count + 1, sizeof *comparer->blocks);
    comparer->blocks[comparer->block_count++] = (struct pair){one, other};
    return true;
}

static bool knows_incoming(const struct comparer *comparer, LLVMValueRef phi)
{
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
        if (!comparer_partner(comparer, LLVMGetIncomingBlock(phi, i)))
            return false;
    return true;
}

bool same_incoming(struct comparer *comparer, LLVMValueRef one, LLVMValueRef other)
{
    unsigned count = LLVMCountIncoming(one);
    for (unsigned i = 0; i < count; i++) {
        LLVMBasicBlockRef from = LLVMGetIncomingBlock(one, i);
        bool found = false;
        const void *known = comparer_partner(comparer, from);
        for (unsigned k = 0; k < count && !found; k++) {
            if (known && known != LLVMGetIncomingBlock(other, k))
                continue;
            if (!known && count > 1 && k != i)
                continue; /* not reached yet, or never: the same place is the best guess */
            found = same_value(comparer, LLVMGetIncomingValue(one, i), LLVMGetIncomingValue(other, k));
        }
        if (!found)
            return false;
    }
    return true;
}

/* The same values may come in another order: which blocks they come from is known for certain when all have been met.
 */
static bool same_phi(struct comparer *comparer, LLVMValueRef one, LLVMValueRef other)
{
    if (LLVMCountIncoming(one) != LLVMCountIncoming(other) ||
        !same_block(comparer, LLVMGetInstructionParent(one), LLVMGetInstructionParent(other)))
        return false;
    if (knows_incoming(comparer, one))
        return same_incoming(comparer, one, other);
    comparer->phis =
        array_reserve(comparer->phis, &comparer->phi_capacity, comparer->phi_count + 1, sizeof *comparer->phis);
    comparer->phis[comparer->phi_count++] = (struct pair){one, other};
    return !comparer->guesses || same_incoming(comparer, one, other);
}

static bool same_kind_of_operation(struct comparer *comparer, LLVMValueRef one, LLVMValueRef other)
{
    switch (LLVMGetInstructionOpcode(one)) {
    case LLVMICmp: return LLVMGetICmpPredicate(one) == LLVMGetICmpPredicate(other);
    case LLVMFCmp: return LLVMGetFCmpPredicate(one) == LLVMGetFCmpPredicate(other);
    case LLVMAlloca: return same_type(comparer, LLVMGetAllocatedType(one), LLVMGetAllocatedType(other));
    case LLVMGetElementPtr:
        return same_type(comparer, LLVMGetGEPSourceElementType(one), LLVMGetGEPSourceElementType(other));
    case LLVMLoad:
        return LLVMGetVolatile(one) == LLVMGetVolatile(other) &&
               same_block(comparer, LLVMGetInstructionParent(one), LLVMGetInstructionParent(other)) &&
               effects_before(one) == effects_before(other);
    case LLVMStore: return LLVMGetVolatile(one) == LLVMGetVolatile(other);
    case LLVMCall: return same_type(comparer, LLVMGetCalledFunctionType(one), LLVMGetCalledFunctionType(other));
    case LLVMExtractValue:
    case LLVMInsertValue: {
        unsigned count = LLVMGetNumIndices(one);
        return count == LLVMGetNumIndices(other) &&
               !memcmp(LLVMGetIndices(one), LLVMGetIndices(other), count * sizeof(unsigned));
    }
    case LLVMAtomicRMW: return LLVMGetAtomicRMWBinOp(one) == LLVMGetAtomicRMWBinOp(other);
    default: return true;
    }
}

static bool is_commutative(LLVMValueRef instruction)
{
    switch (LLVMGetInstructionOpcode(instruction)) {
    case LLVMAdd:
    case LLVMMul:
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
    case LLVMFAdd:
    case LLVMFMul: return true;
    case LLVMICmp:
        return LLVMGetICmpPredicate(instruction) == LLVMIntEQ || LLVMGetICmpPredicate(instruction) == LLVMIntNE;
    default: return false;
    }
}

/* A member's number may be another one in a struct that is wider in the second function. */
static bool same_member(struct comparer *comparer, LLVMValueRef one, LLVMValueRef other)
{
    if (!type_is_widened(comparer, LLVMGetGEPSourceElementType(other)) ||
        LLVMGetNumOperands(one) != LLVMGetNumOperands(other))
        return false;
    comparer->is_unknown = true;
    return same_value(comparer, LLVMGetOperand(one, 0), LLVMGetOperand(other, 0));
}

/* What a failed assertion prints is no difference: file, line, function, and how its condition is written. */
static bool is_failed_assertion(LLVMValueRef instruction)
{
    return LLVMGetInstructionOpcode(instruction) == LLVMCall && LLVMGetNumArgOperands(instruction) == 4 &&
           !strcmp(value_name(LLVMGetCalledValue(instruction)), "__assert_fail");
}

bool same_operation(struct comparer *comparer, LLVMValueRef one, LLVMValueRef other)
{
    if (comparer->is_exact && !same_details(comparer, one, other))
        return false;
    if (is_failed_assertion(one) && is_failed_assertion(other))
        return true;
    if (!same_type(comparer, LLVMTypeOf(one), LLVMTypeOf(other)) || !same_kind_of_operation(comparer, one, other))
        return false;
    if (LLVMGetInstructionOpcode(one) == LLVMPHI)
        return same_phi(comparer, one, other);
    if (LLVMGetInstructionOpcode(one) == LLVMGetElementPtr && same_member(comparer, one, other))
        return true;
    struct attempt attempt = comparer_attempt(comparer);
    if (same_operands(comparer, one, other))
        return true;
    comparer_undo(comparer, attempt);
    return is_commutative(one) && same_value(comparer, LLVMGetOperand(one, 0), LLVMGetOperand(other, 1)) &&
           same_value(comparer, LLVMGetOperand(one, 1), LLVMGetOperand(other, 0));
}

bool same_value(struct comparer *comparer, LLVMValueRef one, LLVMValueRef other)
{
    if (LLVMIsConstant(one) || LLVMIsConstant(other) || LLVMIsAInlineAsm(one)) /* which LLVM calls no constant */
        return LLVMIsConstant(one) == LLVMIsConstant(other) && same_constant(comparer, one, other);
    const void *known = comparer_partner(comparer, one);
    if (known)
        return known == other;
    if (LLVMIsABasicBlock(one) || !LLVMIsAInstruction(one) || !LLVMIsAInstruction(other) ||
        LLVMGetInstructionOpcode(one) != LLVMGetInstructionOpcode(other) || comparer->depth > DEEPEST)
        return LLVMGetValueKind(one) == LLVMGetValueKind(other) &&
               LLVMGetValueKind(one) == LLVMMetadataAsValueValueKind;
    struct attempt attempt = comparer_attempt(comparer);
    if (LLVMGetInstructionOpcode(one) == LLVMAlloca) { /* two variables cannot be one */
        const void *taken = comparer_partner(comparer, other);
        if (taken && taken != one)
            return false;
        comparer_try(comparer, other, one);
    }
    if (instruction_has_effect(one)) { /* a call's result on its way round a loop: the calls must meet later */
        comparer->promised = array_reserve(comparer->promised, &comparer->promise_capacity, comparer->promise_count + 1,
                                           sizeof *comparer->promised);
        comparer->promised[comparer->promise_count++] = (struct pair){one, other};
        comparer_add(comparer, one, other);
        return true;
    }
    comparer_try(comparer, one, other); /* taken to be the same while it is looked at: a loop may lead back here */
    comparer->depth++;
    bool same = same_operation(comparer, one, other);
    comparer->depth--;
    if (!same)
        comparer_undo(comparer, attempt);
    return same;
}
