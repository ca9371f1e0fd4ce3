#include "unify/verify.h"

#include "base/process.h"
#include "unify/compare.h"
#include "unify/same_function.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/BitReader.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <stdlib.h>
#include <string.h>

/* Branches stay branches: what becomes a choice of values depends on how conditions were put together. */
#define COMBINE "instcombine<no-verify-fixpoint>,"
#define TIDY "simplifycfg<no-speculate-blocks;no-simplify-cond-branch;bonus-inst-threshold=0>,"
static const char SIMPLIFY[] = "function(mem2reg,sccp," COMBINE TIDY "jump-threading,early-cse,gvn," COMBINE TIDY
                               "jump-threading,adce," TIDY "dce)";

/* ---- compiling ---- */

enum build { PLAIN_OLD, PLAIN_NEW, UNIFIED_OLD, UNIFIED_NEW, BUILD_COUNT };

static const char *bitcode_of(const struct verify_request *request, struct arena *arena, enum build build)
{
    return arena_format(arena, "%s/verify-%d.bc", request->directory, (int)build);
}

static struct process *start_compiler(const struct verify_request *request, struct arena *arena, enum build build,
                                      struct error *error)
{
    /* places differ between the versions, and are in messages: let them be the same */
    static const char *const fixed[] = {"clang-19",        "-xc", "-O0", "-Xclang", "-disable-O0-optnone",
                                        "-emit-llvm",      "-g0", "-w",  "-fwrapv", "-D__LINE__=0",
                                        "-D__FILE__=\"\"", "-c"};
    struct words command = {0};
    bool is_old = build == PLAIN_OLD || build == UNIFIED_OLD;
    const char *const *flags = is_old ? request->old_flags : request->new_flags;
    if (build >= UNIFIED_OLD) /* its headers are the new version's */
        flags = request->new_flags;
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        words_add(&command, fixed[i]);
    for (size_t i = 0; flags[i]; i++)
        words_add(&command, flags[i]);
    if (build >= UNIFIED_OLD)
        words_add(&command, is_old ? "-DPENUMBRA_VERSION=OLD" : "-DPENUMBRA_VERSION=NEW");
    words_add(&command, build == PLAIN_OLD   ? request->old_file
                        : build == PLAIN_NEW ? request->new_file
                                             : request->unified_file);
    words_add(&command, "-o");
    words_add(&command, bitcode_of(request, arena, build));
    struct process_limits limits = {.seconds = 300, .output_bytes = 1 << 20};
    struct process *process = process_start(command.list, NULL, &limits, error);
    words_free(&command);
    return process;
}

static bool compile_all(const struct verify_request *request, struct arena *arena, bool *compiles, struct error *error)
{
    struct process *processes[BUILD_COUNT] = {NULL};
    bool started = true;
    *compiles = true;
    for (int i = 0; i < BUILD_COUNT && started; i++) {
        processes[i] = start_compiler(request, arena, (enum build)i, error);
        started = processes[i] != NULL;
    }
    for (int i = 0; i < BUILD_COUNT; i++) {
        struct process_result result = {0};
        if (!processes[i])
            continue;
        process_finish(processes[i], &result);
        *compiles &= result.exit_status == 0 && !result.signal;
        process_result_free(&result);
    }
    return started;
}

static LLVMModuleRef read_module(const char *path, LLVMContextRef context, struct error *error)
{
    LLVMMemoryBufferRef buffer = NULL;
    LLVMModuleRef module = NULL;
    char *message = NULL;
    if (LLVMCreateMemoryBufferWithContentsOfFile(path, &buffer, &message)) {
        error_set(error, "cannot read %s: %s", path, message);
        LLVMDisposeMessage(message);
        return NULL;
    }
    if (LLVMParseBitcodeInContext2(context, buffer, &module)) {
        error_set(error, "cannot read what the compiler made of a version (%s)", path);
        module = NULL;
    }
    LLVMDisposeMemoryBuffer(buffer);
    return module;
}

/* ---- comparing two modules ---- */

struct both {
    LLVMModuleRef plain, unified;
    const char *suffix; /* of a function that unification kept twice */
    const struct words *widened;
    struct arena *arena;
};

static LLVMValueRef unified_function(const struct both *both, const char *name)
{
    LLVMValueRef copy = LLVMGetNamedFunction(both->unified, arena_format(both->arena, "%s%s", name, both->suffix));
    return copy && !LLVMIsDeclaration(copy) ? copy : LLVMGetNamedFunction(both->unified, name);
}

static void leave_alone(LLVMModuleRef module, LLVMValueRef function)
{
    static const char *const names[] = {"optnone", "noinline"};
    for (size_t i = 0; i < 2; i++) {
        unsigned kind = LLVMGetEnumAttributeKindForName(names[i], strlen(names[i]));
        LLVMAttributeRef attribute = LLVMCreateEnumAttribute(LLVMGetModuleContext(module), kind, 0);
        LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex, attribute);
    }
}

static bool simplify(LLVMModuleRef module, struct error *error)
{
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMErrorRef failure = LLVMRunPasses(module, SIMPLIFY, NULL, options);
    LLVMDisposePassBuilderOptions(options);
    if (!failure)
        return true;
    char *message = LLVMGetErrorMessage(failure);
    error_set(error, "cannot simplify the versions' code: %s", message);
    LLVMDisposeErrorMessage(message);
    return false;
}

static enum sameness compare(const struct both *both, LLVMValueRef function, const char *name)
{
    LLVMValueRef other = unified_function(both, name);
    return !other || LLVMIsDeclaration(other) ? DIFFERENT : functions_compare(function, other, both->widened);
}

/* As clang made them; what is the same then needs no simplification. Returns how many are not. */
static size_t compare_raw(const struct both *both, size_t *compared)
{
    size_t left = 0;
    for (LLVMValueRef f = LLVMGetFirstFunction(both->plain); f; f = LLVMGetNextFunction(f)) {
        size_t length;
        const char *name = LLVMGetValueName2(f, &length);
        if (LLVMIsDeclaration(f))
            continue;
        ++*compared;
        if (compare(both, f, name) != SAME) {
            left++;
            continue;
        }
        leave_alone(both->plain, f);
        leave_alone(both->unified, unified_function(both, name));
    }
    return left;
}

static bool is_left_alone(LLVMValueRef function)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("optnone", 7);
    return LLVMGetEnumAttributeAtIndex(function, LLVMAttributeFunctionIndex, kind) != NULL;
}

static bool compare_modules(const struct both *both, const char *version, struct verification *verification,
                            struct error *error)
{
    if (!compare_raw(both, &verification->compared))
        return true;
    if (!simplify(both->plain, error) || !simplify(both->unified, error))
        return false;
    for (LLVMValueRef f = LLVMGetFirstFunction(both->plain); f; f = LLVMGetNextFunction(f)) {
        size_t length;
        const char *name = arena_copy_string(both->arena, LLVMGetValueName2(f, &length));
        if (LLVMIsDeclaration(f) || is_left_alone(f))
            continue;
        enum sameness sameness = compare(both, f, name);
        if (sameness == DIFFERENT) {
            words_add(&verification->mismatches, name);
            words_add(&verification->old_or_new, version);
        } else if (sameness == UNKNOWN && !words_have(&verification->unknown, name)) {
            words_add(&verification->unknown, name);
        }
    }
    return true;
}

static bool compare_version(const struct verify_request *request, struct arena *arena, bool is_old,
                            struct verification *verification, struct error *error)
{
    LLVMContextRef contexts[] = {LLVMContextCreate(), LLVMContextCreate()};
    struct both both = {
        .plain = read_module(bitcode_of(request, arena, is_old ? PLAIN_OLD : PLAIN_NEW), contexts[0], error),
        .suffix = is_old ? "__old" : "__new",
        .widened = request->widened,
        .arena = arena,
    };
    if (both.plain)
        both.unified = read_module(bitcode_of(request, arena, is_old ? UNIFIED_OLD : UNIFIED_NEW), contexts[1], error);
    bool good = both.plain && both.unified && compare_modules(&both, is_old ? "OLD" : "NEW", verification, error);
    if (both.plain)
        LLVMDisposeModule(both.plain);
    if (both.unified)
        LLVMDisposeModule(both.unified);
    LLVMContextDispose(contexts[0]), LLVMContextDispose(contexts[1]);
    return good;
}

bool verify_unified(const struct verify_request *request, struct arena *arena, struct verification *verification,
                    struct error *error)
{
    *verification = (struct verification){0};
    if (!compile_all(request, arena, &verification->compiles, error))
        return false;
    if (!verification->compiles)
        return true;
    return compare_version(request, arena, true, verification, error) &&
           compare_version(request, arena, false, verification, error);
}

void verification_free(struct verification *verification)
{
    words_free(&verification->mismatches), words_free(&verification->unknown), words_free(&verification->old_or_new);
}
