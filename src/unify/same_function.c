/* What two functions of LLVM IR do, block by block: effects in their order, and the ways out. */
#include "unify/same_function.h"
#include "unify/comparer.h"

#include "base/arena.h"

#include <stdlib.h>

/* ---- blocks ---- */

static LLVMValueRef next_effect(LLVMValueRef instruction)
{
    while (instruction && !instruction_has_effect(instruction))
        instruction = LLVMGetNextInstruction(instruction);
    return instruction;
}

/* Cases that lead where the default leads say nothing. */
static size_t count_cases(LLVMValueRef branch)
{
    size_t count = 0;
    for (unsigned i = 1; i < LLVMGetNumSuccessors(branch); i++)
        count += LLVMGetSuccessor(branch, i) != LLVMGetSwitchDefaultDest(branch);
    return count;
}

static bool same_switch(struct comparer *comparer, LLVMValueRef one, LLVMValueRef other)
{
    if (!same_value(comparer, LLVMGetOperand(one, 0), LLVMGetOperand(other, 0)) ||
        count_cases(one) != count_cases(other) ||
        !same_block(comparer, LLVMGetSwitchDefaultDest(one), LLVMGetSwitchDefaultDest(other)))
        return false;
    for (unsigned i = 1; i < LLVMGetNumSuccessors(one); i++) {
        LLVMBasicBlockRef target = LLVMGetSuccessor(one, i);
        bool found = target == LLVMGetSwitchDefaultDest(one);
        for (unsigned k = 1; k < LLVMGetNumSuccessors(other) && !found; k++)
            found = LLVMConstIntGetZExtValue(LLVMGetOperand(one, 2 * i)) ==
                        LLVMConstIntGetZExtValue(LLVMGetOperand(other, 2 * k)) &&
                    same_block(comparer, target, LLVMGetSuccessor(other, k));
        if (!found)
            return false;
    }
    return true;
}

static bool same_end(struct comparer *comparer, LLVMValueRef one, LLVMValueRef other)
{
    if (LLVMGetInstructionOpcode(one) == LLVMSwitch)
        return same_switch(comparer, one, other);
    if (LLVMGetInstructionOpcode(one) == LLVMBr) {
        if (LLVMIsConditional(one) != LLVMIsConditional(other) ||
            (LLVMIsConditional(one) && !same_value(comparer, LLVMGetCondition(one), LLVMGetCondition(other))))
            return false;
        for (unsigned i = 0; i < LLVMGetNumSuccessors(one); i++)
            if (!same_block(comparer, LLVMGetSuccessor(one, i), LLVMGetSuccessor(other, i)))
                return false;
        return true;
    }
    for (unsigned i = 0; i < LLVMGetNumSuccessors(one); i++)
        if (i >= LLVMGetNumSuccessors(other) ||
            !same_block(comparer, LLVMGetSuccessor(one, i), LLVMGetSuccessor(other, i)))
            return false;
    int count = LLVMGetNumOperands(one) - (int)LLVMGetNumSuccessors(one);
    for (int i = 0; i < count; i++)
        if (!same_value(comparer, LLVMGetOperand(one, (unsigned)i), LLVMGetOperand(other, (unsigned)i)))
            return false;
    return LLVMGetNumOperands(one) == LLVMGetNumOperands(other);
}

/* Stands for the fact that an instruction was met. */
static const void *met(LLVMValueRef instruction)
{
    return (const char *)instruction + 1;
}

static bool same_effect(struct comparer *comparer, LLVMValueRef one, LLVMValueRef other)
{
    if (LLVMGetInstructionOpcode(one) != LLVMGetInstructionOpcode(other))
        return false;
    if (LLVMIsATerminatorInst(one))
        return same_end(comparer, one, other);
    const void *promised = comparer_partner(comparer, one);
    if (promised && promised != other)
        return false;
    comparer_add(comparer, one, other);
    comparer_add(comparer, met(one), other);
    return same_operation(comparer, one, other);
}

static bool same_blocks(struct comparer *comparer, LLVMBasicBlockRef one, LLVMBasicBlockRef other)
{
    LLVMValueRef left = next_effect(LLVMGetFirstInstruction(one)), right = next_effect(LLVMGetFirstInstruction(other));
    while (left && right) {
        if (!same_effect(comparer, left, right))
            return false;
        left = next_effect(LLVMGetNextInstruction(left));
        right = next_effect(LLVMGetNextInstruction(right));
    }
    return !left && !right;
}

static bool compare(struct comparer *comparer)
{
    LLVMValueRef one = comparer->one, other = comparer->other;
    bool same = same_type(comparer, LLVMGlobalGetValueType(one), LLVMGlobalGetValueType(other));
    for (unsigned i = 0; same && i < LLVMCountParams(one); i++)
        comparer_add(comparer, LLVMGetParam(one, i), LLVMGetParam(other, i));
    same = same && same_block(comparer, LLVMGetEntryBasicBlock(one), LLVMGetEntryBasicBlock(other));
    while (same && (comparer->next_block < comparer->block_count || comparer->next_phi < comparer->phi_count)) {
        bool is_block = comparer->next_block < comparer->block_count;
        struct pair pair = is_block ? comparer->blocks[comparer->next_block++] : comparer->phis[comparer->next_phi++];
        same = is_block ? same_blocks(comparer, (LLVMBasicBlockRef)pair.one, (LLVMBasicBlockRef)pair.other)
                        : same_incoming(comparer, (LLVMValueRef)pair.one, (LLVMValueRef)pair.other);
    }
    for (size_t i = 0; same && i < comparer->promise_count; i++)
        same = comparer_partner(comparer, met((LLVMValueRef)comparer->promised[i].one)) == comparer->promised[i].other;
    return same;
}

static void comparer_free(struct comparer *comparer)
{
    free(comparer->table), free(comparer->blocks), free(comparer->promised), free(comparer->phis),
        free(comparer->tried);
}

enum sameness functions_compare(LLVMValueRef one, LLVMValueRef other, const struct words *widened)
{
    enum sameness sameness = DIFFERENT;
    for (int i = 0; i < 2 && sameness == DIFFERENT; i++) { /* a guess cannot be undone */
        struct comparer comparer = {.one = one, .other = other, .widened = widened, .guesses = !i};
        if (compare(&comparer))
            sameness = comparer.is_unknown ? UNKNOWN : SAME;
        comparer_free(&comparer);
    }
    return sameness;
}

static const struct words NONE;

bool functions_are_identical(LLVMValueRef one, LLVMValueRef other)
{
    struct comparer comparer = {.one = one, .other = other, .widened = &NONE, .guesses = true, .is_exact = true};
    bool same = same_type(&comparer, LLVMGlobalGetValueType(one), LLVMGlobalGetValueType(other)) &&
                same_function_details(&comparer, one, other) && compare(&comparer);
    comparer_free(&comparer);
    return same;
}

static bool same_initial_value(struct comparer *comparer, LLVMValueRef one, LLVMValueRef other)
{
    LLVMValueRef left = LLVMGetInitializer(one), right = LLVMGetInitializer(other);
    return same_type(comparer, LLVMGlobalGetValueType(one), LLVMGlobalGetValueType(other)) && !left == !right &&
           (!left || same_value(comparer, left, right));
}

bool variables_are_identical(LLVMValueRef one, LLVMValueRef other)
{
    struct comparer comparer = {.widened = &NONE, .is_exact = true};
    bool same = same_variable_details(one, other) && same_initial_value(&comparer, one, other);
    comparer_free(&comparer);
    return same;
}

enum sameness variables_compare(LLVMValueRef one, LLVMValueRef other, const struct words *widened)
{
    struct comparer comparer = {.widened = widened};
    bool same = same_initial_value(&comparer, one, other);
    comparer_free(&comparer);
    return comparer.is_unknown ? UNKNOWN : same ? SAME : DIFFERENT;
}

static bool is_among(struct comparer *comparer, LLVMTypeRef type)
{
    while (LLVMGetTypeKind(type) == LLVMArrayTypeKind)
        type = LLVMGetElementType(type);
    if (type_is_widened(comparer, type))
        return true;
    for (unsigned i = 0; LLVMGetTypeKind(type) == LLVMStructTypeKind && i < LLVMCountStructElementTypes(type); i++)
        if (is_among(comparer, LLVMStructGetTypeAtIndex(type, i)))
            return true;
    return false;
}

bool function_uses(LLVMValueRef function, const struct words *structs)
{
    struct comparer comparer = {.widened = structs};
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block && structs->count;
         block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at)) {
            LLVMOpcode opcode = LLVMGetInstructionOpcode(at);
            if ((opcode == LLVMGetElementPtr && is_among(&comparer, LLVMGetGEPSourceElementType(at))) ||
                (opcode == LLVMAlloca && is_among(&comparer, LLVMGetAllocatedType(at))))
                return true;
        }
    return false;
}

static LLVMValueRef next_call(LLVMValueRef function, LLVMValueRef after)
{
    LLVMBasicBlockRef block = after ? LLVMGetInstructionParent(after) : LLVMGetFirstBasicBlock(function);
    LLVMValueRef at = after ? LLVMGetNextInstruction(after) : NULL;
    for (; block; block = LLVMGetNextBasicBlock(block), at = NULL)
        for (at = at || after ? at : LLVMGetFirstInstruction(block), after = NULL; at; at = LLVMGetNextInstruction(at))
            if (LLVMGetInstructionOpcode(at) == LLVMCall && LLVMIsAFunction(LLVMGetCalledValue(at)))
                return at;
    return NULL;
}

bool functions_call_otherwise(LLVMValueRef one, LLVMValueRef other)
{
    struct comparer comparer = {.widened = &NONE};
    for (LLVMValueRef call = next_call(one, NULL); call; call = next_call(one, call))
        for (LLVMValueRef same = next_call(other, NULL); same; same = next_call(other, same))
            if (same_global_name(value_name(LLVMGetCalledValue(call)), value_name(LLVMGetCalledValue(same))) &&
                !same_type(&comparer, LLVMGetCalledFunctionType(call), LLVMGetCalledFunctionType(same)))
                return true;
    return false;
}
