#include "unify/verify.h"

#include "instrument/bitcode.h"
#include "unify/compare.h"
#include "unify/compile.h"
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
    "function(mem2reg,sccp," COMBINE TIDY "jump-threading,early-cse,gvn,dse," COMBINE TIDY "jump-threading,adce," TIDY
    "dce)",
    "function(mem2reg,sccp," COMBINE "simplifycfg,early-cse,gvn,dse," COMBINE "simplifycfg,adce,reassociate," COMBINE
    "simplifycfg,dce)",
};

/* ---- compiling ---- */

enum build { PLAIN_OLD, PLAIN_NEW, UNIFIED_OLD, UNIFIED_NEW, BUILD_COUNT };

static const char *bitcode_of(const struct verify_request *request, struct arena *arena, enum build build)
{
    return arena_format(arena, "%s/verify-%d.bc", request->directory, (int)build);
}

static bool compile_builds(const struct verify_request *request, struct arena *arena, bool *compiles,
                           struct error *error)
{
    struct compilation builds[BUILD_COUNT] = {
        [PLAIN_OLD] = {.file = request->old_file, .flags = request->old_flags},
        [PLAIN_NEW] = {.file = request->new_file, .flags = request->new_flags},
        /* its headers are the new version's */
        [UNIFIED_OLD] = {.file = request->unified_file, .flags = request->new_flags, .version = "OLD"},
        [UNIFIED_NEW] = {.file = request->unified_file, .flags = request->new_flags, .version = "NEW"},
    };
    for (int i = 0; i < BUILD_COUNT; i++) {
        builds[i].without_lines = request->without_lines;
        builds[i].output = bitcode_of(request, arena, (enum build)i);
    }
    return compile_to_ir(builds, BUILD_COUNT, compiles, error);
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

/* The variable of that name, or one that unification gave another: `x__old`; `f__old.x`, `f.x__old` inside a
 * function. */
static LLVMValueRef unified_variable(const struct both *both, const char *name)
{
    const char *dot = strchr(name, '.');
    LLVMValueRef found = LLVMGetNamedGlobal(both->unified, arena_format(both->arena, "%s%s", name, both->suffix));
    if (!found && dot)
        found = LLVMGetNamedGlobal(both->unified,
                                   arena_format(both->arena, "%.*s%s%s", (int)(dot - name), name, both->suffix, dot));
    return found ? found : LLVMGetNamedGlobal(both->unified, name);
}

/* Initial values, as the compiler made them. */
static void compare_variables(const struct both *both, bool is_old, struct verification *verification)
{
    for (LLVMValueRef v = LLVMGetFirstGlobal(both->plain); v; v = LLVMGetNextGlobal(v)) {
        size_t length;
        const char *name = arena_copy_string(both->arena, LLVMGetValueName2(v, &length));
        LLVMValueRef other = unified_variable(both, name);
        LLVMLinkage linkage = LLVMGetLinkage(v);
        bool is_nameless = linkage == LLVMPrivateLinkage || linkage == LLVMAppendingLinkage;
        if (LLVMIsDeclaration(v) || is_nameless || (!other && linkage == LLVMInternalLinkage) ||
            (other && !LLVMIsDeclaration(other) && variables_compare(v, other, both->widened) != DIFFERENT))
            continue;
        verification->variable_is_old =
            array_reserve(verification->variable_is_old, &verification->variable_capacity,
                          verification->variables.count + 1, sizeof *verification->variable_is_old);
        verification->variable_is_old[verification->variables.count] = is_old;
        words_add(&verification->variables, name);
    }
}

/* One round: as the compiler made them, or after some passes. */
static bool compare_after(const struct verify_request *request, struct both *both, bool is_old, const char *passes,
                          struct doubts *doubts, struct verification *verification, struct error *error)
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
    if (good && !passes)
        compare_variables(both, is_old, verification);
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
    bool good = compare_after(request, &both, is_old, NULL, &doubts, verification, error);
    for (size_t i = 0; good && doubts.names.count && i < sizeof PASSES / sizeof *PASSES; i++)
        good = compare_after(request, &both, is_old, PASSES[i], &doubts, verification, error);
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
    if (!compile_builds(request, arena, &verification->compiles, error))
        return false;
    if (!verification->compiles)
        return true;
    return compare_version(request, arena, true, verification, error) &&
           compare_version(request, arena, false, verification, error);
}

void verification_free(struct verification *verification)
{
    words_free(&verification->mismatches), words_free(&verification->unknown), words_free(&verification->old_or_new);
    words_free(&verification->variables), free(verification->variable_is_old);
}
