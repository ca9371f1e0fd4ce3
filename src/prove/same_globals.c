/* Types, constants and variables of two optimised programs. */
#include "prove/same.h"

#include <stdlib.h>
#include <string.h>

void sameness_add(struct sameness *sameness, LLVMValueRef one, LLVMValueRef other)
{
    for (size_t i = 0; i < sameness->count; i++)
        if (sameness->queue[i].one == one && sameness->queue[i].other == other)
            return;
    sameness->queue = array_reserve(sameness->queue, &sameness->capacity, sameness->count + 1, sizeof *sameness->queue);
    sameness->queue[sameness->count++] = (struct twins){one, other};
}

/* ---- types ---- */

static bool same_members(LLVMTypeRef one, LLVMTypeRef other)
{
    unsigned count = LLVMCountStructElementTypes(one);
    if (count != LLVMCountStructElementTypes(other) || LLVMIsPackedStruct(one) != LLVMIsPackedStruct(other))
        return false;
    for (unsigned i = 0; i < count; i++)
        if (!types_match(LLVMStructGetTypeAtIndex(one, i), LLVMStructGetTypeAtIndex(other, i)))
            return false;
    return true;
}

static bool same_parameters(LLVMTypeRef one, LLVMTypeRef other)
{
    unsigned count = LLVMCountParamTypes(one);
    if (count != LLVMCountParamTypes(other) || LLVMIsFunctionVarArg(one) != LLVMIsFunctionVarArg(other) ||
        !types_match(LLVMGetReturnType(one), LLVMGetReturnType(other)))
        return false;
    LLVMTypeRef *left = calloc(count + 1, sizeof *left), *right = calloc(count + 1, sizeof *right);
    LLVMGetParamTypes(one, left), LLVMGetParamTypes(other, right);
    bool same = true;
    for (unsigned i = 0; i < count && same; i++)
        same = types_match(left[i], right[i]);
    free(left), free(right);
    return same;
}

/* Types that have no name are the same one; structures may be called anything. */
bool types_match(LLVMTypeRef one, LLVMTypeRef other)
{
    LLVMTypeKind kind = LLVMGetTypeKind(one);
    if (one == other)
        return true;
    if (kind != LLVMGetTypeKind(other))
        return false;
    switch (kind) {
    case LLVMStructTypeKind: return same_members(one, other);
    case LLVMArrayTypeKind:
        return LLVMGetArrayLength2(one) == LLVMGetArrayLength2(other) &&
               types_match(LLVMGetElementType(one), LLVMGetElementType(other));
    case LLVMFunctionTypeKind: return same_parameters(one, other);
    default: return false;
    }
}

/* ---- globals ---- */

static const char *name_of(LLVMValueRef global)
{
    size_t length;
    return LLVMGetValueName2(global, &length);
}

static bool has_same_name(LLVMValueRef one, LLVMValueRef other)
{
    return strcmp(name_of(one), name_of(other)) == 0;
}

/* What a pointer to a function leads to is known by its name. */
static bool same_function(struct sameness *sameness, LLVMValueRef one, LLVMValueRef other)
{
    if (!has_same_name(one, other) || LLVMIsDeclaration(one) != LLVMIsDeclaration(other) ||
        LLVMGetLinkage(one) != LLVMGetLinkage(other))
        return false;
    if (!LLVMIsDeclaration(one))
        sameness_add(sameness, one, other);
    return true;
}

static bool same_word(const char *one, const char *other)
{
    return strcmp(one ? one : "", other ? other : "") == 0;
}

static bool is_anonymous(LLVMValueRef variable)
{
    return LLVMIsGlobalConstant(variable) && LLVMGetUnnamedAddress(variable) == LLVMGlobalUnnamedAddr;
}

/* No variable is two, and none has another one of its name: those that were renamed are statics of one version each. */
static bool may_be_twins(struct sameness *sameness, LLVMValueRef one, LLVMValueRef other)
{
    for (size_t i = 0; i < sameness->count; i++)
        if ((sameness->queue[i].one == one) != (sameness->queue[i].other == other))
            return false;
    return has_same_name(one, other) || (!LLVMGetNamedGlobal(sameness->new->module, name_of(one)) &&
                                         !LLVMGetNamedGlobal(sameness->old->module, name_of(other)));
}

static bool same_variable(struct sameness *sameness, LLVMValueRef one, LLVMValueRef other)
{
    if (LLVMIsDeclaration(one) || LLVMIsDeclaration(other))
        return LLVMIsDeclaration(one) && LLVMIsDeclaration(other) && has_same_name(one, other) &&
               LLVMGetLinkage(one) == LLVMGetLinkage(other);
    if (LLVMIsGlobalConstant(one) != LLVMIsGlobalConstant(other) || is_anonymous(one) != is_anonymous(other) ||
        !same_word(LLVMGetSection(one), LLVMGetSection(other)) ||
        LLVMGetThreadLocalMode(one) != LLVMGetThreadLocalMode(other) ||
        (LLVMGetLinkage(one) == LLVMWeakAnyLinkage) != (LLVMGetLinkage(other) == LLVMWeakAnyLinkage))
        return false;
    if (!is_anonymous(one) && !LLVMIsGlobalConstant(one) && !may_be_twins(sameness, one, other))
        return false;
    if (!is_anonymous(one) && LLVMIsGlobalConstant(one))
        for (size_t i = 0; i < sameness->count; i++)
            if ((sameness->queue[i].one == one) != (sameness->queue[i].other == other))
                return false;
    sameness_add(sameness, one, other);
    return true;
}

/* ---- constants ---- */

static bool same_operands(struct sameness *sameness, LLVMValueRef one, LLVMValueRef other)
{
    int count = LLVMGetNumOperands(one);
    if (count != LLVMGetNumOperands(other))
        return false;
    for (unsigned i = 0; i < (unsigned)count; i++)
        if (!constants_match(sameness, LLVMGetOperand(one, i), LLVMGetOperand(other, i)))
            return false;
    return true;
}

static bool same_expression(struct sameness *sameness, LLVMValueRef one, LLVMValueRef other)
{
    if (LLVMGetConstOpcode(one) != LLVMGetConstOpcode(other))
        return false;
    if (LLVMGetConstOpcode(one) == LLVMGetElementPtr &&
        !types_match(LLVMGetGEPSourceElementType(one), LLVMGetGEPSourceElementType(other)))
        return false;
    return same_operands(sameness, one, other);
}

bool constants_match(struct sameness *sameness, LLVMValueRef one, LLVMValueRef other)
{
    LLVMValueKind kind = LLVMGetValueKind(one);
    if (kind != LLVMGetValueKind(other) || !types_match(LLVMTypeOf(one), LLVMTypeOf(other)))
        return false;
    switch (kind) {
    case LLVMFunctionValueKind: return same_function(sameness, one, other);
    case LLVMGlobalVariableValueKind: return same_variable(sameness, one, other);
    case LLVMConstantIntValueKind:
    case LLVMConstantFPValueKind:
    case LLVMConstantDataArrayValueKind:
    case LLVMConstantDataVectorValueKind: return one == other;
    case LLVMConstantPointerNullValueKind:
    case LLVMConstantAggregateZeroValueKind: return true;
    case LLVMConstantStructValueKind:
    case LLVMConstantArrayValueKind:
    case LLVMConstantVectorValueKind: return same_operands(sameness, one, other);
    case LLVMConstantExprValueKind: return same_expression(sameness, one, other);
    default: return false;
    }
}

bool variables_match(struct sameness *sameness, LLVMValueRef one, LLVMValueRef other)
{
    LLVMValueRef left = LLVMGetInitializer(one), right = LLVMGetInitializer(other);
    return types_match(LLVMGlobalGetValueType(one), LLVMGlobalGetValueType(other)) && left && right &&
           constants_match(sameness, left, right);
}

/* ---- what nothing reached ---- */

static bool was_compared(const struct sameness *sameness, LLVMValueRef one)
{
    for (size_t i = 0; i < sameness->count; i++)
        if (sameness->queue[i].one == one)
            return true;
    return false;
}

static bool is_state(LLVMValueRef variable)
{
    return !LLVMIsDeclaration(variable) && !LLVMIsGlobalConstant(variable) && !name_begins(name_of(variable), "llvm.");
}

/* As the source calls it: statics have the name of their file before it. */
static const char *bare_name(LLVMValueRef variable)
{
    const char *colon = strrchr(name_of(variable), ':');
    return colon ? colon + 1 : name_of(variable);
}

const char *find_other_value(struct sameness *sameness)
{
    for (LLVMValueRef at = LLVMGetFirstGlobal(sameness->old->module); at; at = LLVMGetNextGlobal(at)) {
        LLVMValueRef other = LLVMGetNamedGlobal(sameness->new->module, name_of(at));
        struct sameness aside = {.old = sameness->old, .new = sameness->new}; /* what it leads to was not reached */
        if (!other || (!is_state(at) && !is_state(other)) || LLVMIsDeclaration(at) || LLVMIsDeclaration(other))
            continue;
        if (words_have(sameness->uncompared, bare_name(at)))
            return arena_format(sameness->arena, "%s is declared otherwise", name_of(at));
        if (was_compared(sameness, at))
            continue;
        bool same = is_state(at) == is_state(other) && variables_match(&aside, at, other);
        free(aside.queue);
        if (!same)
            return arena_format(sameness->arena, "%s begins with another value", name_of(at));
    }
    return NULL;
}
