#include "unify/same_function.h"

#include "base/arena.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 20000 };

/* Pairs that are the same, or are taken to be while they are compared. */
struct pair {
    const void *one, *other;
};

struct comparer {
    struct pair *table; /* by hash of `one` */
    size_t size, used;
    struct pair *blocks; /* to be compared */
    size_t block_count, block_capacity, next_block;
    struct pair *promised; /* effects whose results were taken to be the same before they were met */
    size_t promise_count, promise_capacity;
    const struct words *widened;
    bool is_unknown;
    size_t depth;
};

/* ---- pairs ---- */

static struct pair *slot_of(const struct comparer *comparer, const void *one)
{
    size_t at = ((uintptr_t)one ^ (uintptr_t)one >> 4) * 0x9E3779B97F4A7C15u >> 20 & (comparer->size - 1);
    while (comparer->table[at].one && comparer->table[at].one != one)
        at = (at + 1) & (comparer->size - 1);
    return &comparer->table[at];
}

static void add_pair(struct comparer *comparer, const void *one, const void *other)
{
    if (2 * (comparer->used + 1) > comparer->size) {
        struct pair *before = comparer->table;
        size_t size = comparer->size;
        comparer->size = size ? 2 * size : 1024;
        comparer->table = calloc(comparer->size, sizeof *comparer->table);
        for (size_t i = 0; i < size; i++)
            if (before[i].one)
                *slot_of(comparer, before[i].one) = before[i];
        free(before);
    }
    *slot_of(comparer, one) = (struct pair){one, other};
    comparer->used++;
}

static const void *partner(const struct comparer *comparer, const void *one)
{
    return comparer->size ? slot_of(comparer, one)->other : NULL;
}

/* ---- names and types ---- */

/* A static local variable has its function's name before its own: `f__old.count` is `f.count`. */
bool same_global_name(const char *plain, const char *unified)
{
    while (*plain && *plain == *unified)
        plain++, unified++;
    if (!strncmp(unified, "__old", 5) || !strncmp(unified, "__new", 5))
        unified += 5;
    return !strcmp(plain, unified) && (!*unified || *unified == '.');
}

/* "struct.s.12" is struct s. */
static bool is_widened(const struct comparer *comparer, LLVMTypeRef type)
{
    const char *name = LLVMGetTypeKind(type) == LLVMStructTypeKind ? LLVMGetStructName(type) : NULL;
    const char *dot = name ? strchr(name, '.') : NULL;
    for (size_t i = 0; dot && i < comparer->widened->count; i++) {
        size_t length = strlen(comparer->widened->list[i]);
        if (!strncmp(dot + 1, comparer->widened->list[i], length) && (!dot[1 + length] || dot[1 + length] == '.'))
            return true;
    }
    return false;
}

static bool same_type(struct comparer *comparer, LLVMTypeRef one, LLVMTypeRef other)
{
    LLVMTypeKind kind = LLVMGetTypeKind(one);
    if (kind != LLVMGetTypeKind(other))
        return false;
    switch (kind) {
    case LLVMIntegerTypeKind: return LLVMGetIntTypeWidth(one) == LLVMGetIntTypeWidth(other);
    case LLVMArrayTypeKind:
        return LLVMGetArrayLength2(one) == LLVMGetArrayLength2(other) &&
               same_type(comparer, LLVMGetElementType(one), LLVMGetElementType(other));
    case LLVMVectorTypeKind:
        return LLVMGetVectorSize(one) == LLVMGetVectorSize(other) &&
               same_type(comparer, LLVMGetElementType(one), LLVMGetElementType(other));
    case LLVMStructTypeKind: {
        if (is_widened(comparer, other)) {
            comparer->is_unknown = true;
            return true;
        }
        unsigned count = LLVMCountStructElementTypes(one);
        if (count != LLVMCountStructElementTypes(other) || LLVMIsPackedStruct(one) != LLVMIsPackedStruct(other))
            return false;
        for (unsigned i = 0; i < count; i++)
            if (!same_type(comparer, LLVMStructGetTypeAtIndex(one, i), LLVMStructGetTypeAtIndex(other, i)))
                return false;
        return true;
    }
    case LLVMFunctionTypeKind: {
        unsigned count = LLVMCountParamTypes(one);
        if (count != LLVMCountParamTypes(other) || LLVMIsFunctionVarArg(one) != LLVMIsFunctionVarArg(other) ||
            !same_type(comparer, LLVMGetReturnType(one), LLVMGetReturnType(other)))
            return false;
        LLVMTypeRef *left = calloc(count + 1, sizeof *left), *right = calloc(count + 1, sizeof *right);
        LLVMGetParamTypes(one, left), LLVMGetParamTypes(other, right);
        bool same = true;
        for (unsigned i = 0; i < count && same; i++)
            same = same_type(comparer, left[i], right[i]);
        free(left), free(right);
        return same;
    }
    default: return true;
    }
}

/* ---- constants ---- */

static bool same_value(struct comparer *comparer, LLVMValueRef one, LLVMValueRef other);

static bool same_operands(struct comparer *comparer, LLVMValueRef one, LLVMValueRef other)
{
    int count = LLVMGetNumOperands(one);
    if (count != LLVMGetNumOperands(other))
        return false;
    for (int i = 0; i < count; i++)
        if (!same_value(comparer, LLVMGetOperand(one, (unsigned)i), LLVMGetOperand(other, (unsigned)i)))
            return false;
    return true;
}

static const char *name_of(LLVMValueRef value)
{
    size_t length;
    return LLVMGetValueName2(value, &length);
}

static bool has_no_name_of_its_own(LLVMValueRef global)
{
    return LLVMGetLinkage(global) == LLVMPrivateLinkage;
}

static bool same_global(struct comparer *comparer, LLVMValueRef one, LLVMValueRef other)
{
    if (!has_no_name_of_its_own(one) || !has_no_name_of_its_own(other))
        return same_global_name(name_of(one), name_of(other));
    LLVMValueRef left = LLVMGetInitializer(one), right = LLVMGetInitializer(other);
    return left && right && same_value(comparer, left, right);
}

static bool same_text(LLVMValueRef one, LLVMValueRef other)
{
    char *left = LLVMPrintValueToString(one), *right = LLVMPrintValueToString(other);
    bool same = !strcmp(left, right);
    LLVMDisposeMessage(left), LLVMDisposeMessage(right);
    return same;
}

static bool same_aggregate(struct comparer *comparer, LLVMValueRef one, LLVMValueRef other)
{
    if (LLVMIsAConstantDataSequential(one)) {
        size_t length, other_length;
        if (!LLVMIsAConstantDataSequential(other))
            return false;
        unsigned count = (unsigned)LLVMGetArrayLength2(LLVMTypeOf(one));
        if (LLVMGetTypeKind(LLVMTypeOf(one)) != LLVMArrayTypeKind)
            return same_text(one, other);
        if (LLVMIsConstantString(one) && LLVMIsConstantString(other)) {
            const char *left = LLVMGetAsString(one, &length), *right = LLVMGetAsString(other, &other_length);
            return length == other_length && !memcmp(left, right, length);
        }
        for (unsigned i = 0; i < count; i++)
            if (!same_value(comparer, LLVMGetAggregateElement(one, i), LLVMGetAggregateElement(other, i)))
                return false;
        return true;
    }
    return same_operands(comparer, one, other);
}

static bool same_constant(struct comparer *comparer, LLVMValueRef one, LLVMValueRef other)
{
    LLVMValueKind kind = LLVMGetValueKind(one);
    if (kind != LLVMGetValueKind(other) || !same_type(comparer, LLVMTypeOf(one), LLVMTypeOf(other)))
        return false;
    switch (kind) {
    case LLVMFunctionValueKind:
    case LLVMGlobalVariableValueKind:
    case LLVMGlobalAliasValueKind: return same_global(comparer, one, other);
    case LLVMConstantIntValueKind:
        if (LLVMGetIntTypeWidth(LLVMTypeOf(one)) <= 64)
            return LLVMConstIntGetZExtValue(one) == LLVMConstIntGetZExtValue(other);
        return same_text(one, other);
    case LLVMConstantFPValueKind:
    case LLVMInlineAsmValueKind: return same_text(one, other);
    case LLVMConstantExprValueKind:
        if (LLVMGetConstOpcode(one) != LLVMGetConstOpcode(other))
            return false;
        if (LLVMGetConstOpcode(one) == LLVMGetElementPtr &&
            !same_type(comparer, LLVMGetGEPSourceElementType(one), LLVMGetGEPSourceElementType(other)))
            return false;
        return same_operands(comparer, one, other);
    case LLVMConstantArrayValueKind:
    case LLVMConstantStructValueKind:
    case LLVMConstantVectorValueKind:
    case LLVMConstantDataArrayValueKind:
    case LLVMConstantDataVectorValueKind: return same_aggregate(comparer, one, other);
    default: return true; /* null, undef, poison, zero: the type says all */
    }
}

/* ---- instructions ---- */

static bool has_effect(LLVMValueRef instruction)
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
        count += has_effect(at);
    return count;
}

static bool same_block(struct comparer *comparer, LLVMBasicBlockRef one, LLVMBasicBlockRef other)
{
    const void *known = partner(comparer, one);
    if (known)
        return known == other;
    add_pair(comparer, one, other);
    comparer->blocks =
        array_reserve(comparer->blocks, &comparer->block_capacity, comparer->block_count + 1, sizeof *comparer->blocks);
    comparer->blocks[comparer->block_count++] = (struct pair){one, other};
    return true;
}

static bool same_phi(struct comparer *comparer, LLVMValueRef one, LLVMValueRef other)
{
    unsigned count = LLVMCountIncoming(one);
    if (count != LLVMCountIncoming(other) ||
        !same_block(comparer, LLVMGetInstructionParent(one), LLVMGetInstructionParent(other)))
        return false;
    for (unsigned i = 0; i < count; i++) {
        LLVMBasicBlockRef from = LLVMGetIncomingBlock(one, i);
        bool found = false;
        const void *known = partner(comparer, from);
        for (unsigned k = 0; k < count && !found; k++) {
            if (known && known != LLVMGetIncomingBlock(other, k))
                continue;
            if (!known && count > 1 && k != i)
                continue; /* not reached yet: the same place is the best guess */
            found = same_value(comparer, LLVMGetIncomingValue(one, i), LLVMGetIncomingValue(other, k));
        }
        if (!found)
            return false;
    }
    return true;
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
    if (!is_widened(comparer, LLVMGetGEPSourceElementType(other)) ||
        LLVMGetNumOperands(one) != LLVMGetNumOperands(other))
        return false;
    comparer->is_unknown = true;
    return same_value(comparer, LLVMGetOperand(one, 0), LLVMGetOperand(other, 0));
}

static bool same_operation(struct comparer *comparer, LLVMValueRef one, LLVMValueRef other)
{
    if (!same_type(comparer, LLVMTypeOf(one), LLVMTypeOf(other)) || !same_kind_of_operation(comparer, one, other))
        return false;
    if (LLVMGetInstructionOpcode(one) == LLVMPHI)
        return same_phi(comparer, one, other);
    if (LLVMGetInstructionOpcode(one) == LLVMGetElementPtr && same_member(comparer, one, other))
        return true;
    if (same_operands(comparer, one, other))
        return true;
    return is_commutative(one) && same_value(comparer, LLVMGetOperand(one, 0), LLVMGetOperand(other, 1)) &&
           same_value(comparer, LLVMGetOperand(one, 1), LLVMGetOperand(other, 0));
}

static bool same_value(struct comparer *comparer, LLVMValueRef one, LLVMValueRef other)
{
    if (LLVMIsConstant(one) || LLVMIsConstant(other))
        return LLVMIsConstant(one) && LLVMIsConstant(other) && same_constant(comparer, one, other);
    const void *known = partner(comparer, one);
    if (known)
        return known == other;
    if (LLVMIsABasicBlock(one) || !LLVMIsAInstruction(one) || !LLVMIsAInstruction(other) ||
        LLVMGetInstructionOpcode(one) != LLVMGetInstructionOpcode(other) || comparer->depth > DEEPEST)
        return LLVMGetValueKind(one) == LLVMGetValueKind(other) &&
               LLVMGetValueKind(one) == LLVMMetadataAsValueValueKind;
    if (LLVMGetInstructionOpcode(one) == LLVMAlloca) { /* two variables cannot be one */
        const void *taken = partner(comparer, other);
        if (taken && taken != one)
            return false;
        add_pair(comparer, other, one);
    }
    if (has_effect(one)) { /* a call's result on its way round a loop: the calls must meet later */
        comparer->promised = array_reserve(comparer->promised, &comparer->promise_capacity, comparer->promise_count + 1,
                                           sizeof *comparer->promised);
        comparer->promised[comparer->promise_count++] = (struct pair){one, other};
        add_pair(comparer, one, other);
        return true;
    }
    add_pair(comparer, one, other); /* taken to be the same while it is looked at: a loop may lead back here */
    comparer->depth++;
    bool same = same_operation(comparer, one, other);
    comparer->depth--;
    if (!same)
        slot_of(comparer, one)->other = NULL;
    return same;
}

/* ---- blocks ---- */

static LLVMValueRef next_effect(LLVMValueRef instruction)
{
    while (instruction && !has_effect(instruction))
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
    const void *promised = partner(comparer, one);
    if (promised && promised != other)
        return false;
    add_pair(comparer, one, other);
    add_pair(comparer, met(one), other);
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

enum sameness functions_compare(LLVMValueRef one, LLVMValueRef other, const struct words *widened)
{
    struct comparer comparer = {.widened = widened};
    bool same = same_type(&comparer, LLVMGlobalGetValueType(one), LLVMGlobalGetValueType(other));
    for (unsigned i = 0; same && i < LLVMCountParams(one); i++)
        add_pair(&comparer, LLVMGetParam(one, i), LLVMGetParam(other, i));
    same = same && same_block(&comparer, LLVMGetEntryBasicBlock(one), LLVMGetEntryBasicBlock(other));
    while (same && comparer.next_block < comparer.block_count) {
        struct pair pair = comparer.blocks[comparer.next_block++];
        same = same_blocks(&comparer, (LLVMBasicBlockRef)pair.one, (LLVMBasicBlockRef)pair.other);
    }
    for (size_t i = 0; same && i < comparer.promise_count; i++)
        same = partner(&comparer, met((LLVMValueRef)comparer.promised[i].one)) == comparer.promised[i].other;
    free(comparer.table), free(comparer.blocks), free(comparer.promised);
    return !same ? DIFFERENT : comparer.is_unknown ? UNKNOWN : SAME;
}

static bool is_among(struct comparer *comparer, LLVMTypeRef type)
{
    while (LLVMGetTypeKind(type) == LLVMArrayTypeKind)
        type = LLVMGetElementType(type);
    if (is_widened(comparer, type))
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
    static const struct words none;
    struct comparer comparer = {.widened = &none};
    for (LLVMValueRef call = next_call(one, NULL); call; call = next_call(one, call))
        for (LLVMValueRef same = next_call(other, NULL); same; same = next_call(other, same))
            if (same_global_name(name_of(LLVMGetCalledValue(call)), name_of(LLVMGetCalledValue(same))) &&
                !same_type(&comparer, LLVMGetCalledFunctionType(call), LLVMGetCalledFunctionType(same)))
                return true;
    return false;
}
