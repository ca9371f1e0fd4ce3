/* What two functions of LLVM IR mention: names, types and constants, and which of them were found to be the same. */
#include "unify/comparer.h"
#include "unify/same_function.h"

#include "base/arena.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ---- pairs ---- */

static struct pair *slot_of(const struct comparer *comparer, const void *one)
{
    size_t at = ((uintptr_t)one ^ (uintptr_t)one >> 4) * 0x9E3779B97F4A7C15u >> 20 & (comparer->size - 1);
    while (comparer->table[at].one && comparer->table[at].one != one)
        at = (at + 1) & (comparer->size - 1);
    return &comparer->table[at];
}

void comparer_add(struct comparer *comparer, const void *one, const void *other)
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

const void *comparer_partner(const struct comparer *comparer, const void *one)
{
    return comparer->size ? slot_of(comparer, one)->other : NULL;
}

void comparer_try(struct comparer *comparer, const void *one, const void *other)
{
    comparer->tried =
        array_reserve(comparer->tried, &comparer->tried_capacity, comparer->tried_count + 1, sizeof *comparer->tried);
    comparer->tried[comparer->tried_count++] = one;
    comparer_add(comparer, one, other);
}

struct attempt comparer_attempt(const struct comparer *comparer)
{
    return (struct attempt){comparer->tried_count, comparer->phi_count};
}

void comparer_undo(struct comparer *comparer, struct attempt attempt)
{
    while (comparer->tried_count > attempt.tried_count)
        slot_of(comparer, comparer->tried[--comparer->tried_count])->other = NULL;
    if (comparer->next_phi <= attempt.phi_count)
        comparer->phi_count = attempt.phi_count;
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
bool type_is_widened(const struct comparer *comparer, LLVMTypeRef type)
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

bool same_type(struct comparer *comparer, LLVMTypeRef one, LLVMTypeRef other)
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
        if (type_is_widened(comparer, other)) {
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

bool same_operands(struct comparer *comparer, LLVMValueRef one, LLVMValueRef other)
{
    int count = LLVMGetNumOperands(one);
    if (count != LLVMGetNumOperands(other))
        return false;
    for (int i = 0; i < count; i++)
        if (!same_value(comparer, LLVMGetOperand(one, (unsigned)i), LLVMGetOperand(other, (unsigned)i)))
            return false;
    return true;
}

const char *value_name(LLVMValueRef value)
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
        return comparer->is_exact ? !strcmp(value_name(one), value_name(other))
                                  : same_global_name(value_name(one), value_name(other));
    LLVMValueRef left = LLVMGetInitializer(one), right = LLVMGetInitializer(other);
    return left && right && (!comparer->is_exact || same_variable_details(one, other)) &&
           same_value(comparer, left, right);
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

/* `&&label`: inside the functions that are compared, the blocks must be the same; the others are known by their name
 * and number. */
static bool same_label(struct comparer *comparer, LLVMValueRef one, LLVMValueRef other)
{
    LLVMValueRef left = LLVMGetBlockAddressFunction(one), right = LLVMGetBlockAddressFunction(other);
    LLVMBasicBlockRef from = LLVMGetBlockAddressBasicBlock(one), to = LLVMGetBlockAddressBasicBlock(other);
    if (left == comparer->one && right == comparer->other)
        return same_block(comparer, from, to);
    size_t before = 0, after = 0;
    while ((from = LLVMGetPreviousBasicBlock(from)))
        before++;
    while ((to = LLVMGetPreviousBasicBlock(to)))
        after++;
    return same_global_name(value_name(left), value_name(right)) && before == after;
}

bool same_constant(struct comparer *comparer, LLVMValueRef one, LLVMValueRef other)
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
    case LLVMBlockAddressValueKind: return same_label(comparer, one, other);
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
