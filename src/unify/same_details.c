/* What plain versions must have in common beside what they compute: alignment, attributes, promises to the optimiser,
 * linkage. A unified text need not have them, its functions are others' copies. */
#include "unify/comparer.h"

#include <stdlib.h>
#include <string.h>

/* ---- attributes ---- */

static bool same_string(const char *one, unsigned length, const char *other, unsigned other_length)
{
    return length == other_length && !memcmp(one, other, length);
}

static bool same_attribute(struct comparer *comparer, LLVMAttributeRef one, LLVMAttributeRef other)
{
    unsigned length, other_length;
    if (LLVMIsStringAttribute(one)) {
        if (!LLVMIsStringAttribute(other))
            return false;
        const char *left = LLVMGetStringAttributeKind(one, &length);
        const char *right = LLVMGetStringAttributeKind(other, &other_length);
        if (!same_string(left, length, right, other_length))
            return false;
        left = LLVMGetStringAttributeValue(one, &length);
        right = LLVMGetStringAttributeValue(other, &other_length);
        return same_string(left, length, right, other_length);
    }
    if (LLVMIsStringAttribute(other) || LLVMGetEnumAttributeKind(one) != LLVMGetEnumAttributeKind(other) ||
        LLVMIsTypeAttribute(one) != LLVMIsTypeAttribute(other))
        return false;
    if (LLVMIsTypeAttribute(one))
        return same_type(comparer, LLVMGetTypeAttributeValue(one), LLVMGetTypeAttributeValue(other));
    return LLVMGetEnumAttributeValue(one) == LLVMGetEnumAttributeValue(other);
}

struct attributes {
    LLVMAttributeRef *list;
    unsigned count;
};

/* Of a function, or of a call. */
static struct attributes attributes_of(LLVMValueRef value, LLVMAttributeIndex index)
{
    bool is_call = LLVMIsAInstruction(value) != NULL;
    unsigned count = is_call ? LLVMGetCallSiteAttributeCount(value, index) : LLVMGetAttributeCountAtIndex(value, index);
    struct attributes attributes = {calloc(count + 1, sizeof(LLVMAttributeRef)), count};
    if (is_call)
        LLVMGetCallSiteAttributes(value, index, attributes.list);
    else
        LLVMGetAttributesAtIndex(value, index, attributes.list);
    return attributes;
}

/* LLVM keeps them sorted. */
static bool same_attributes(struct comparer *comparer, LLVMValueRef one, LLVMValueRef other, unsigned parameters)
{
    bool same = true;
    for (unsigned i = 0; i < parameters + 2 && same; i++) {
        LLVMAttributeIndex index = i == parameters + 1 ? (LLVMAttributeIndex)LLVMAttributeFunctionIndex : i;
        struct attributes left = attributes_of(one, index), right = attributes_of(other, index);
        same = left.count == right.count;
        for (unsigned k = 0; k < left.count && same; k++)
            same = same_attribute(comparer, left.list[k], right.list[k]);
        free(left.list), free(right.list);
    }
    return same;
}

/* ---- instructions ---- */

static bool same_promises(LLVMValueRef one, LLVMValueRef other)
{
    switch (LLVMGetInstructionOpcode(one)) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMShl: return LLVMGetNSW(one) == LLVMGetNSW(other) && LLVMGetNUW(one) == LLVMGetNUW(other);
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMLShr:
    case LLVMAShr: return LLVMGetExact(one) == LLVMGetExact(other);
    case LLVMGetElementPtr: return LLVMIsInBounds(one) == LLVMIsInBounds(other);
    default: return true;
    }
}

bool same_details(struct comparer *comparer, LLVMValueRef one, LLVMValueRef other)
{
    LLVMOpcode opcode = LLVMGetInstructionOpcode(one);
    bool is_access = opcode == LLVMLoad || opcode == LLVMStore;
    if ((is_access || opcode == LLVMAlloca) && LLVMGetAlignment(one) != LLVMGetAlignment(other))
        return false;
    if ((is_access || opcode == LLVMAtomicRMW) &&
        (LLVMGetOrdering(one) != LLVMGetOrdering(other) || LLVMGetVolatile(one) != LLVMGetVolatile(other)))
        return false;
    if (LLVMCanValueUseFastMathFlags(one) && LLVMGetFastMathFlags(one) != LLVMGetFastMathFlags(other))
        return false;
    if (opcode == LLVMCall)
        return LLVMGetInstructionCallConv(one) == LLVMGetInstructionCallConv(other) &&
               LLVMGetNumArgOperands(one) == LLVMGetNumArgOperands(other) &&
               same_attributes(comparer, one, other, LLVMGetNumArgOperands(one));
    return same_promises(one, other);
}

/* ---- functions and variables ---- */

static bool same_word(const char *one, const char *other)
{
    return !strcmp(one ? one : "", other ? other : "");
}

static bool same_symbol(LLVMValueRef one, LLVMValueRef other)
{
    return LLVMGetLinkage(one) == LLVMGetLinkage(other) && LLVMGetVisibility(one) == LLVMGetVisibility(other) &&
           same_word(LLVMGetSection(one), LLVMGetSection(other)) && LLVMGetAlignment(one) == LLVMGetAlignment(other) &&
           LLVMGetUnnamedAddress(one) == LLVMGetUnnamedAddress(other);
}

bool same_function_details(struct comparer *comparer, LLVMValueRef one, LLVMValueRef other)
{
    return same_symbol(one, other) && LLVMGetFunctionCallConv(one) == LLVMGetFunctionCallConv(other) &&
           same_attributes(comparer, one, other, LLVMCountParams(one));
}

bool same_variable_details(LLVMValueRef one, LLVMValueRef other)
{
    return same_symbol(one, other) && LLVMIsGlobalConstant(one) == LLVMIsGlobalConstant(other) &&
           LLVMGetThreadLocalMode(one) == LLVMGetThreadLocalMode(other) &&
           LLVMIsExternallyInitialized(one) == LLVMIsExternallyInitialized(other);
}
