/* What an instruction of an optimised program does beside computing a value, and how calls pass their arguments. */
#include "prove/same.h"

#include <string.h>

static bool is_intrinsic_without_effect(const char *name)
{
    static const char *const names[] = {
        "llvm.smax.",       "llvm.smin.",  "llvm.umax.",  "llvm.umin.", "llvm.abs.",  "llvm.ctpop.", "llvm.ctlz.",
        "llvm.cttz.",       "llvm.bswap.", "llvm.bitrev", "llvm.fshl.", "llvm.fshr.", "llvm.sadd.",  "llvm.uadd.",
        "llvm.ssub.",       "llvm.usub.",  "llvm.smul.",  "llvm.umul.", "llvm.fabs.", "llvm.copys",  "llvm.is.fpclass",
        "llvm.threadlocal", "llvm.sshl.",  "llvm.ushl.",  "llvm.ucmp.", "llvm.scmp."};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (name_begins(name, names[i]))
            return true;
    return false;
}

/* What LLVM notes for itself. */
bool is_remark(LLVMValueRef at)
{
    const char *name = callee_name(at);
    return name_begins(name, "llvm.assume") || name_begins(name, "llvm.lifetime.") ||
           name_begins(name, "llvm.experimental.noalias.scope.decl");
}

bool is_pure_call(LLVMValueRef call)
{
    const char *name = callee_name(call);
    LLVMValueRef callee = LLVMGetCalledValue(call);
    unsigned kind = LLVMGetEnumAttributeKindForName("speculatable", strlen("speculatable"));
    if (name_begins(name, OWN))
        return LLVMGetEnumAttributeAtIndex(callee, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, kind);
    return is_intrinsic_without_effect(name);
}

bool has_side_effect(LLVMValueRef at)
{
    switch (LLVMGetInstructionOpcode(at)) {
    case LLVMStore:
    case LLVMFence:
    case LLVMAtomicCmpXchg:
    case LLVMAtomicRMW:
    case LLVMVAArg: return true;
    case LLVMLoad: return LLVMGetVolatile(at);
    case LLVMCall: return !is_remark(at) && !is_pure_call(at);
    default: return false;
    }
}

static bool only_reads(LLVMValueRef at)
{
    LLVMValueRef callee = LLVMIsACallInst(at) ? LLVMGetCalledValue(at) : NULL;
    unsigned kind = LLVMGetEnumAttributeKindForName("memory", strlen("memory"));
    LLVMAttributeRef memory =
        callee && LLVMIsAFunction(callee) && LLVMIsDeclaration(callee)
            ? LLVMGetEnumAttributeAtIndex(callee, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, kind)
            : NULL;
    return memory && LLVMGetEnumAttributeValue(memory) == READS_MEMORY;
}

bool effect_writes(LLVMValueRef at)
{
    return !name_begins(callee_name(at), OWN) && !only_reads(at);
}

/* ---- how arguments are passed ---- */

static bool same_attribute_type(LLVMAttributeRef one, LLVMAttributeRef other)
{
    if (!one || !other)
        return !one && !other;
    return types_match(LLVMGetTypeAttributeValue(one), LLVMGetTypeAttributeValue(other));
}

static const char *const passing[] = {"byval", "sret"};

bool passed_alike(LLVMValueRef one, LLVMValueRef other, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        for (size_t k = 0; k < sizeof passing / sizeof *passing; k++) {
            unsigned kind = LLVMGetEnumAttributeKindForName(passing[k], strlen(passing[k]));
            if (!same_attribute_type(LLVMGetCallSiteEnumAttribute(one, i + 1, kind),
                                     LLVMGetCallSiteEnumAttribute(other, i + 1, kind)))
                return false;
        }
    return true;
}

bool parameters_passed_alike(LLVMValueRef one, LLVMValueRef other)
{
    for (unsigned i = 0; i < LLVMCountParams(one); i++)
        for (size_t k = 0; k < sizeof passing / sizeof *passing; k++) {
            unsigned kind = LLVMGetEnumAttributeKindForName(passing[k], strlen(passing[k]));
            if (!same_attribute_type(LLVMGetEnumAttributeAtIndex(one, i + 1, kind),
                                     LLVMGetEnumAttributeAtIndex(other, i + 1, kind)))
                return false;
        }
    return LLVMGetFunctionCallConv(one) == LLVMGetFunctionCallConv(other);
}
