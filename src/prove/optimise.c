/* LLVM's own passes, on a program that has a meaning for every input. */
#include "prove/prover.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_ROUNDS = 2, MOST_ROUNDS = 4 };

static bool run_passes(struct version *version, const char *passes, struct error *error)
{
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMPassBuilderOptionsSetLoopVectorization(options, false);
    LLVMPassBuilderOptionsSetSLPVectorization(options, false);
    LLVMErrorRef failure = LLVMRunPasses(version->module, passes, NULL, options);
    LLVMDisposePassBuilderOptions(options);
    if (!failure)
        return true;
    char *message = LLVMGetErrorMessage(failure);
    error_set(error, "LLVM: %s", message);
    LLVMDisposeErrorMessage(message);
    return false;
}

static bool is_right(struct version *version, struct error *error)
{
    char *message = NULL;
    bool good = !LLVMVerifyModule(version->module, LLVMReturnStatusAction, &message);
    if (!good)
        error_set(error, "LLVM: %s", message);
    LLVMDisposeMessage(message);
    return good;
}

static bool stays_function(LLVMValueRef function)
{
    return LLVMGetEnumAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                       LLVMGetEnumAttributeKindForName("noinline", strlen("noinline")));
}

/* Of such a function callers learn nothing, and nobody drops it. */
static bool is_known_outside(const struct version *version, LLVMValueRef function)
{
    LLVMLinkage linkage = LLVMGetLinkage(function);
    return version->is_called_back && (linkage == LLVMExternalLinkage || linkage == LLVMWeakAnyLinkage);
}

/* Everything below the harness is the program's own: what nobody calls is dropped, and most of the rest inlined. */
static bool keep_reached(struct version *version, struct error *error)
{
    for (LLVMValueRef at = LLVMGetFirstFunction(version->module); at; at = LLVMGetNextFunction(at)) {
        size_t length;
        if (!LLVMIsDeclaration(at) && strcmp(LLVMGetValueName2(at, &length), "__pn_harness") != 0)
            LLVMSetLinkage(at, is_known_outside(version, at) ? LLVMWeakAnyLinkage : LLVMInternalLinkage);
    }
    if (!run_passes(version, "globaldce", error))
        return false;
    /* of the entry, of parts, and of functions that are refused, callers learn nothing */
    for (LLVMValueRef at = LLVMGetFirstFunction(version->module); at; at = LLVMGetNextFunction(at)) {
        size_t length;
        const char *name = LLVMGetValueName2(at, &length);
        if (LLVMIsDeclaration(at))
            continue;
        version->function_count += !name_begins(name, "__pn_") && strcmp(name, version->entry) != 0;
        if (stays_function(at))
            LLVMSetLinkage(at, LLVMWeakAnyLinkage);
    }
    return true;
}

bool optimise(struct version *version, struct error *error)
{
    if (!keep_reached(version, error))
        return false;
    accept_calls(version);
    if (version->refused)
        return true;
    version->frames = deep_frames(version);
    version->recursion_count = count_recursions(version);
    make_scopes_explicit(version);
    if (!run_passes(version, "function(mem2reg)", error))
        return false;
    accept_values(version);
    make_total(version);
    hide_names(version);
    if (!is_right(version, error))
        return false;
    for (unsigned i = 0; i < MOST_ROUNDS; i++) {
        version->settled = false;
        if (!run_passes(version, "always-inline,default<O2>", error))
            return false;
        drop_remarks(version);
        if (!run_passes(version, "function(early-cse<memssa>,gvn)", error))
            return false;
        settle_accesses(version);
        if (i + 1 >= LEAST_ROUNDS && !version->settled)
            break;
    }
    if (!run_passes(version, "always-inline,default<O2>", error))
        return false;
    drop_remarks(version);
    if (!run_passes(version, "function(gvn,early-cse<memssa>,adce)", error))
        return false;
    version->followed = LLVMCloneModule(version->module);
    /* an index that grows and a pointer that moves on become one */
    return run_passes(version, "function(gvn,loop-reduce,early-cse<memssa>,adce)", error);
}
