#include "unify/verify.h"

#include "base/process.h"
#include "instrument/bitcode.h"
#include "unify/compare.h"
#include "unify/same_function.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <stdlib.h>
#include <string.h>

/* What is the same after either of them is the same. With the first, branches stay branches: what becomes a choice of
 * values depends on how conditions were put together. The second makes choices of what it can. */
#define COMBINE "instcombine<no-verify-fixpoint>,"
#define TIDY "simplifycfg<no-speculate-blocks;no-simplify-cond-branch;bonus-inst-threshold=0>,"
static const char *const PASSES[] = {
    "function(mem2reg,sccp," COMBINE TIDY "jump-threading,early-cse,gvn," COMBINE TIDY "jump-threading,adce," TIDY
    "dce)",
    "function(mem2reg,sccp," COMBINE "simplifycfg,early-cse,gvn," COMBINE "simplifycfg,adce,reassociate," COMBINE
    "simplifycfg,dce)",
};

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

/* ---- comparing two modules ---- */

struct both {
    LLVMModuleRef plain, unified;
    const char *suffix; /* of a function that unification kept twice */
    const struct words *widened;
    size_t *compared;
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

static bool simplify(LLVMModuleRef module, const char *passes, struct error *error)
{
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMErrorRef failure = LLVMRunPasses(module, passes, NULL, options);
    LLVMDisposePassBuilderOptions(options);
    if (!failure)
        return true;
    char *message = LLVMGetErrorMessage(failure);
    error_set(error, "cannot simplify the versions' code: %s", message);
    LLVMDisposeErrorMessage(message);
    return false;
}

/* Functions of the plain version that are not known to be the same yet. */
struct doubts {
    struct words names;    /* none yet in the first round: all of them are */
    struct words layout;   /* those of them that have to do with types of both versions' layout */
    struct words declared; /* those of them that call functions which the versions declare differently */
    bool is_first;
};

static bool is_doubted(const struct doubts *doubts, LLVMValueRef function, const char *name)
{
    return !LLVMIsDeclaration(function) && (doubts->is_first || words_have(&doubts->names, name));
}

/* Compares the doubted functions; those that are the same now are left alone by later passes. */
static void compare_all(const struct both *both, struct doubts *doubts)
{
    struct words left = {0};
    for (LLVMValueRef f = LLVMGetFirstFunction(both->plain); f; f = LLVMGetNextFunction(f)) {
        size_t length;
        const char *name = arena_copy_string(both->arena, LLVMGetValueName2(f, &length));
        if (!is_doubted(doubts, f, name))
            continue;
        LLVMValueRef other = unified_function(both, name);
        enum sameness sameness =
            !other || LLVMIsDeclaration(other) ? DIFFERENT : functions_compare(f, other, both->widened);
        if (sameness != SAME)
            words_add(&left, name);
        *both->compared += doubts->is_first;
        if (doubts->is_first && other && !LLVMIsDeclaration(other) && sameness != SAME &&
            functions_call_otherwise(f, other))
            words_add(&doubts->declared, name);
        if (doubts->is_first && other && function_uses(other, both->widened))
            words_add(&doubts->layout, name);
    }
    words_free(&doubts->names);
    doubts->names = left;
    doubts->is_first = false;
}

static void leave_others_alone(const struct both *both, const struct doubts *doubts)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(both->plain); f; f = LLVMGetNextFunction(f)) {
        size_t length;
        const char *name = LLVMGetValueName2(f, &length);
        LLVMValueRef other = unified_function(both, name);
        if (LLVMIsDeclaration(f) || words_have(&doubts->names, name))
            continue;
        leave_alone(both->plain, f);
        if (other && !LLVMIsDeclaration(other))
            leave_alone(both->unified, other);
    }
}

/* One round: as the compiler made them, or after some passes. */
static bool compare_after(const struct verify_request *request, struct both *both, bool is_old, const char *passes,
                          struct doubts *doubts, struct error *error)
{
    LLVMContextRef contexts[] = {LLVMContextCreate(), LLVMContextCreate()};
    bitcode_catch_errors(contexts[0], error), bitcode_catch_errors(contexts[1], error);
    both->plain = bitcode_read(contexts[0], bitcode_of(request, both->arena, is_old ? PLAIN_OLD : PLAIN_NEW), error);
    both->unified =
        !both->plain
            ? NULL
            : bitcode_read(contexts[1], bitcode_of(request, both->arena, is_old ? UNIFIED_OLD : UNIFIED_NEW), error);
    bool good = both->plain && both->unified;
    if (good && passes) {
        leave_others_alone(both, doubts);
        good = simplify(both->plain, passes, error) && simplify(both->unified, passes, error);
    }
    good = good && !error->message;
    if (good)
        compare_all(both, doubts);
    if (both->plain)
        LLVMDisposeModule(both->plain);
    if (both->unified)
        LLVMDisposeModule(both->unified);
    LLVMContextDispose(contexts[0]), LLVMContextDispose(contexts[1]);
    return good;
}

static bool compare_version(const struct verify_request *request, struct arena *arena, bool is_old,
                            struct verification *verification, struct error *error)
{
    struct both both = {.suffix = is_old ? "__old" : "__new",
                        .widened = request->widened,
                        .compared = &verification->compared,
                        .arena = arena};
    struct doubts doubts = {.is_first = true};
    bool good = compare_after(request, &both, is_old, NULL, &doubts, error);
    for (size_t i = 0; good && doubts.names.count && i < sizeof PASSES / sizeof *PASSES; i++)
        good = compare_after(request, &both, is_old, PASSES[i], &doubts, error);
    for (size_t i = 0; good && i < doubts.names.count; i++) {
        const char *name = doubts.names.list[i];
        if (!words_have(&doubts.layout, name) && !words_have(&doubts.declared, name)) {
            words_add(&verification->mismatches, name);
            words_add(&verification->old_or_new, is_old ? "OLD" : "NEW");
        } else if (!words_have(&verification->unknown, name)) {
            words_add(&verification->unknown, name);
        }
    }
    words_free(&doubts.names), words_free(&doubts.layout), words_free(&doubts.declared);
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
