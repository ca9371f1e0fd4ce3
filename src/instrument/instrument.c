/* The instrumenter on the level of the module. Before the hooks are in, only passes run that keep the source's branches
 * and meaning; functions with one-sided code keep their locals in memory. After, the whole -O2 pipeline. */
#include "instrument/instrument.h"
#include "base/text.h"
#include "depend/analyse.h"
#include "instrument/bitcode.h"
#include "instrument/emit.h"
#include "instrument/inlining.h"
#include "instrument/models.h"
#include "instrument/plain.h"
#include "instrument/promote.h"
#include "instrument/reach.h"
#include "instrument/uninitialised.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Linker.h>
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool take_message(struct error *error, const char *what, char *message)
{
    error_set(error, "%s: %s", what, message ? message : "unknown error");
    LLVMDisposeMessage(message);
    return false;
}

/* ---- before the hooks ---- */

static void set_attribute(struct emitter *emitter, LLVMValueRef function, const char *name, bool on)
{
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    if (on)
        LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex,
                                LLVMCreateEnumAttribute(emitter->context, kind, 0));
    else
        LLVMRemoveEnumAttributeAtIndex(function, LLVMAttributeFunctionIndex, kind);
}

static bool run_passes(struct emitter *emitter, LLVMTargetMachineRef machine, const char *passes)
{
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMPassBuilderOptionsSetLoopVectorization(options, false);
    LLVMPassBuilderOptionsSetSLPVectorization(options, false);
    LLVMErrorRef failure = LLVMRunPasses(emitter->module, passes, machine, options);
    LLVMDisposePassBuilderOptions(options);
    if (!failure)
        return true;
    char *message = LLVMGetErrorMessage(failure);
    error_set(emitter->error, "LLVM: %s", message);
    LLVMDisposeErrorMessage(message);
    return false;
}

/* The absolute value of the least integer is that integer, as the processor has it. */
static void define_absolute(LLVMValueRef call)
{
    static const char name[] = "llvm.abs.";
    if (!strncmp(called_name(call), name, strlen(name)))
        LLVMSetOperand(call, 1, LLVMConstNull(LLVMTypeOf(LLVMGetOperand(call, 1))));
}

/* Promises that C makes and the trace does not: without them nothing may be folded that wrap-around would decide. */
static void drop_promises(LLVMValueRef at, bool keep_signed)
{
    switch (LLVMGetInstructionOpcode(at)) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMShl:
        LLVMSetNUW(at, false);
        if (!keep_signed)
            LLVMSetNSW(at, false);
        break;
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMLShr:
    case LLVMAShr: LLVMSetExact(at, false); break;
    case LLVMGetElementPtr: LLVMSetIsInBounds(at, false); break;
    case LLVMZExt: LLVMSetNNeg(at, false); break;
    case LLVMOr: LLVMSetIsDisjoint(at, false); break;
    case LLVMCall: define_absolute(at); break;
    default: break;
    }
}

static void drop_all_promises(LLVMModuleRef module, bool keep_signed)
{
    for (LLVMValueRef function = LLVMGetFirstFunction(module); function; function = LLVMGetNextFunction(function))
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))
            for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at))
                drop_promises(at, keep_signed);
}

/* Functions with one-sided code are kept from the early passes: their locals are what the sides write to. Their copies
 * for one side alone are not. */
static void shield_changed_functions(struct emitter *emitter, LLVMValueRef **changed, size_t *count)
{
    size_t capacity = 0;
    for (LLVMValueRef at = LLVMGetFirstFunction(emitter->module); at; at = LLVMGetNextFunction(at)) {
        if (!has_execute(at))
            continue;
        set_attribute(emitter, at, "alwaysinline", false); /* its caller's locals would not be kept in memory */
        set_attribute(emitter, at, "optnone", true);
        set_attribute(emitter, at, "noinline", true);
        *changed = array_reserve(*changed, &capacity, *count + 1, sizeof **changed);
        (*changed)[(*count)++] = at;
    }
}

/* What is linked may use it. */
static void preserve(struct emitter *emitter, LLVMValueRef symbol, struct text *passes)
{
    const char *name = name_of(symbol);
    bool is_own = !LLVMIsDeclaration(symbol) && LLVMGetLinkage(symbol) != LLVMInternalLinkage;
    const struct set *mentioned = emitter->options->mentioned;
    if (is_own && set_find(mentioned, name, strlen(name) + 1) < set_count(mentioned))
        text_format(passes, ";preserve-gv=%s", name);
}

/* A harness is all that is called from outside, unless something is linked that nobody can look into. */
static bool drop_unreachable(struct emitter *emitter, LLVMTargetMachineRef machine)
{
    LLVMValueRef harness = LLVMGetNamedFunction(emitter->module, "__pn_harness");
    if ((emitter->options->is_linked && !emitter->options->mentioned) || !harness)
        return true;
    struct text passes = {0};
    text_format(&passes, "internalize<preserve-gv=__pn_harness");
    if (emitter->options->is_linked) {
        for (LLVMValueRef at = LLVMGetFirstFunction(emitter->module); at; at = LLVMGetNextFunction(at))
            preserve(emitter, at, &passes);
        for (LLVMValueRef at = LLVMGetFirstGlobal(emitter->module); at; at = LLVMGetNextGlobal(at))
            preserve(emitter, at, &passes);
    }
    text_format(&passes, ">,globaldce");
    bool good = run_passes(emitter, machine, text_string(&passes));
    text_free(&passes);
    return good;
}

/* Bodies that headers give the compiler, of functions that the C library has too: they are as good as the program's
 * own, and have hooks. */
static void keep_inline_bodies(LLVMModuleRef module)
{
    for (LLVMValueRef at = LLVMGetFirstFunction(module); at; at = LLVMGetNextFunction(at))
        if (LLVMGetLinkage(at) == LLVMAvailableExternallyLinkage)
            LLVMSetLinkage(at, LLVMInternalLinkage);
}

/* The runtime asks for it: there is memory whose first bytes are an input. */
static void mark_uninitialised(struct emitter *emitter, uint64_t needed)
{
    if (needed)
        LLVMSetInitializer(LLVMAddGlobal(emitter->module, emitter->i64, "__pn_needs_fresh"),
                           constant64(emitter, needed));
}

static void fold_all(struct emitter *emitter)
{
    for (LLVMValueRef at = LLVMGetFirstFunction(emitter->module); at; at = LLVMGetNextFunction(at))
        if (!LLVMIsDeclaration(at))
            fold_branches(emitter, at);
}

static bool prepare(struct emitter *emitter, LLVMTargetMachineRef machine)
{
    LLVMValueRef *changed = NULL;
    size_t count = 0;
    bool keep_signed = emitter->options->mark_signed, any = false;
    keep_inline_bodies(emitter->module);
    state_find_statics(emitter);
    struct words changeable = state_before(emitter);
    bool dropped = drop_unreachable(emitter, machine);
    state_find(emitter, &changeable);
    find_assumed_world(emitter);
    find_constants(emitter);
    uint64_t filled = fill_uninitialised(emitter->module);
    if (!dropped || !models_link(emitter))
        return false;
    drop_all_promises(emitter->module, keep_signed);
    plain_before_copies(emitter);
    for (LLVMValueRef at = LLVMGetFirstFunction(emitter->module); at && !any; at = LLVMGetNextFunction(at))
        any = has_execute(at);
    bool good = !any || clones_make(emitter);
    shield_changed_functions(emitter, &changed, &count);
    keep_failures(emitter);
    models_keep_apart(emitter, true);
    /* early-cse would fold by the kept promises, and forget them where it merges instructions */
    good = good && run_passes(emitter, machine,
                              keep_signed ? "function(sroa),cgscc(inline),function(sroa)"
                                          : "function(sroa,early-cse),cgscc(inline),function(sroa,early-cse)");
    models_keep_apart(emitter, false);
    release_failures(emitter);
    struct pinned pinned = {0};
    for (size_t i = 0; i < count; i++) {
        set_attribute(emitter, changed[i], "optnone", false);
        set_attribute(emitter, changed[i], "noinline", false);
        pin_shared_variables(changed[i], &pinned);
    }
    good = good && (!count || run_passes(emitter, machine, "function(mem2reg)"));
    unpin(&pinned);
    free(changed);
    clones_hide(emitter);
    good = good && run_passes(emitter, machine, "function(lower-atomic)");
    plain_accesses(emitter);
    if (emitter->options->fold && !keep_signed)
        fold_all(emitter);
    if (emitter->options->check_objects)
        align_variables(emitter);
    mark_uninitialised(emitter, needed_fresh_bytes(emitter->module, filled));
    return good && run_passes(emitter, machine, "function(scalarizer)");
}

/* ---- the hooks ---- */

static const char *const hook_names[] = {
#define HOOK_NAME(name) "__pn_" #name,
    HOOKS(HOOK_NAME)
#undef HOOK_NAME
};

static LLVMValueRef *program_functions(LLVMModuleRef module, size_t *count)
{
    LLVMValueRef *list = NULL;
    size_t capacity = 0;
    *count = 0;
    for (LLVMValueRef at = LLVMGetFirstFunction(module); at; at = LLVMGetNextFunction(at)) {
        if (LLVMIsDeclaration(at) || clone_side(at) != PN_SIDE_BOTH)
            continue;
        list = array_reserve(list, &capacity, *count + 1, sizeof *list);
        list[(*count)++] = at;
    }
    return list;
}

static bool link_hooks(struct emitter *emitter)
{
    LLVMModuleRef hooks = bitcode_read(emitter->context, emitter->options->hooks, emitter->error);
    if (!hooks)
        return false;
    if (LLVMLinkModules2(emitter->module, hooks))
        return error_set(emitter->error, "%s cannot be linked into the program", emitter->options->hooks);
    for (unsigned i = 0; i < HOOK_COUNT; i++) {
        emitter->hooks[i] = LLVMGetNamedFunction(emitter->module, hook_names[i]);
        if (!emitter->hooks[i])
            return error_set(emitter->error, "%s lacks %s: rebuild penumbra", emitter->options->hooks, hook_names[i]);
        if (!LLVMIsDeclaration(emitter->hooks[i]))
            LLVMSetLinkage(emitter->hooks[i], LLVMInternalLinkage);
    }
    LLVMDeleteGlobal(LLVMGetNamedGlobal(emitter->module, "__pn_out_of_line")); /* it has made its names known */
    emitter->old_label = LLVMGetNamedGlobal(emitter->module, "__pn_old_label");
    emitter->site = LLVMGetNamedGlobal(emitter->module, "__pn_site");
    emitter->escape = LLVMGetNamedGlobal(emitter->module, "__pn_escape");
    emitter->model_site = LLVMGetNamedGlobal(emitter->module, "__pn_model_site");
    emitter->set_jump = LLVMGetNamedFunction(emitter->module, "_setjmp");
    return (emitter->old_label && emitter->site && emitter->escape && emitter->set_jump && emitter->model_site) ||
           error_set(emitter->error, "%s lacks a variable: rebuild penumbra", emitter->options->hooks);
}

/* In a section that the runtime finds by its name. */
static void add_table(struct emitter *emitter, const char *name, LLVMValueRef array)
{
    struct text variable = {0}, section = {0};
    text_format(&variable, "__pn_%s", name);
    text_format(&section, "pn_%s", name);
    LLVMValueRef table = LLVMAddGlobal(emitter->module, LLVMTypeOf(array), text_string(&variable));
    LLVMSetInitializer(table, array);
    LLVMSetSection(table, text_string(&section));
    LLVMSetAlignment(table, 8);
    LLVMSetGlobalConstant(table, false); /* relocated at start-up */
    text_free(&variable), text_free(&section);
}

/* Every global with its size. */
static void list_globals(struct emitter *emitter)
{
    LLVMTypeRef fields[] = {LLVMPointerTypeInContext(emitter->context, 0), emitter->i64, emitter->i64};
    LLVMTypeRef row_type = LLVMStructTypeInContext(emitter->context, fields, 3, false);
    LLVMValueRef *rows = NULL;
    size_t count = 0, capacity = 0, length;
    for (LLVMValueRef at = LLVMGetFirstGlobal(emitter->module); at; at = LLVMGetNextGlobal(at)) {
        const char *name = LLVMGetValueName2(at, &length);
        if (LLVMIsDeclaration(at) || LLVMIsThreadLocal(at) || !strncmp(name, "llvm.", 5) ||
            !strncmp(name, "__pn_cases", 10))
            continue;
        LLVMValueRef values[] = {at,
                                 constant64(emitter, LLVMABISizeOfType(emitter->layout, LLVMGlobalGetValueType(at))),
                                 constant64(emitter, LLVMIsGlobalConstant(at) != 0)};
        rows = array_reserve(rows, &capacity, count + 1, sizeof *rows);
        rows[count++] = LLVMConstStructInContext(emitter->context, values, 3, false);
    }
    add_table(emitter, "globals", LLVMConstArray2(row_type, rows, count));
    free(rows);
}

/* Where each site is, as text, for programs that a person runs. */
static void list_places(struct emitter *emitter)
{
    LLVMTypeRef pointer = LLVMPointerTypeInContext(emitter->context, 0);
    LLVMValueRef *rows = calloc(emitter->sites->count, sizeof *rows);
    for (size_t i = 0; i < emitter->sites->count; i++) {
        const struct site *site = &emitter->sites->sites[i];
        struct text place = {0};
        if (!site->in_model) /* the place is that of the call */
            text_format(&place, "%s:%u:%u%s%s%s", site->file, site->line, site->column, site->calls_model ? " in " : "",
                        site->calls_model ? site->what : "", site->calls_model ? "()" : "");
        LLVMValueRef text = LLVMConstStringInContext2(emitter->context, text_string(&place), place.length, false);
        rows[i] = LLVMAddGlobal(emitter->module, LLVMTypeOf(text), "__pn_place");
        LLVMSetInitializer(rows[i], text);
        LLVMSetLinkage(rows[i], LLVMPrivateLinkage);
        text_free(&place);
    }
    add_table(emitter, "places", LLVMConstArray2(pointer, rows, emitter->sites->count));
    free(rows);
}

/* Those with hooks that a pointer may lead to; the runtime's own take labels like them. */
static void list_functions(struct emitter *emitter, LLVMValueRef *functions, size_t count)
{
    static const char *const allocators[] = {"__pn_malloc", "__pn_calloc", "__pn_realloc", "__pn_free"};
    LLVMValueRef *rows = calloc(count + sizeof allocators / sizeof *allocators, sizeof *rows);
    unsigned used = 0;
    for (size_t i = 0; i < sizeof allocators / sizeof *allocators; i++)
        if (LLVMGetNamedFunction(emitter->module, allocators[i]))
            rows[used++] = LLVMGetNamedFunction(emitter->module, allocators[i]);
    for (size_t i = 0; i < count; i++)
        if (is_address_taken(functions[i]) || LLVMGetLinkage(functions[i]) == LLVMExternalLinkage)
            rows[used++] = functions[i];
    add_table(emitter, "functions", LLVMConstArray2(LLVMPointerTypeInContext(emitter->context, 0), rows, used));
    free(rows);
}

static bool emit_program(struct emitter *emitter)
{
    size_t count;
    LLVMValueRef *functions = program_functions(emitter->module, &count);
    bool good = link_hooks(emitter);
    for (size_t i = 0; i < count && good; i++)
        good = emit_function(emitter, functions[i]);
    for (size_t i = 0; i < emitter->needed.count && good; i++) /* the list grows meanwhile */
        good = emit_function(emitter, emitter->needed.list[i]);
    if (good)
        tell_blocks(emitter);
    if (good)
        list_functions(emitter, functions, count);
    free(functions);
    free(emitter->needed.list);
    if (good)
        list_globals(emitter);
    if (good && emitter->options->check_objects)
        list_places(emitter);
    if (good)
        models_name_real(emitter);
    return good;
}

/* ---- all of it ---- */

static bool has_start(const struct emitter *emitter)
{
    LLVMValueRef program = LLVMGetNamedFunction(emitter->module, "main");
    LLVMValueRef harness = LLVMGetNamedFunction(emitter->module, "__pn_harness");
    if ((program && !LLVMIsDeclaration(program)) || harness || emitter->options->is_linked)
        return true;
    return error_set(emitter->error, "none of the files has a main(): a single function needs no program of its own, "
                                     "penumbra run --entry FUNCTION runs it");
}

static LLVMTargetMachineRef make_machine(LLVMModuleRef module, struct error *error)
{
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
    LLVMInitializeX86AsmParser(); /* for inline assembly */
    LLVMTargetRef target;
    char *message = NULL;
    const char *triple = LLVMGetTarget(module);
    if (LLVMGetTargetFromTriple(triple, &target, &message)) {
        take_message(error, triple, message);
        return NULL;
    }
    return LLVMCreateTargetMachine(target, triple, "x86-64", "", LLVMCodeGenLevelDefault, LLVMRelocPIC,
                                   LLVMCodeModelDefault);
}

/* Some of the optimiser's passes take much more time for twice as large a function. */
enum { LARGE_FUNCTION = 15000 };

static bool has_large_function(LLVMModuleRef module)
{
    for (LLVMValueRef function = LLVMGetFirstFunction(module); function; function = LLVMGetNextFunction(function)) {
        size_t count = 0;
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))
            for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at))
                count++;
        if (count > LARGE_FUNCTION)
            return true;
    }
    return false;
}

static bool write_object(struct emitter *emitter, LLVMTargetMachineRef machine, const char *object)
{
    char *message = NULL;
    if (LLVMVerifyModule(emitter->module, LLVMReturnStatusAction, &message))
        return take_message(emitter->error, "the instrumented program is not valid (a defect of penumbra)", message);
    LLVMDisposeMessage(message);
    message = NULL;
    choose_inlined_hooks(emitter);
    LLVMStripModuleDebugInfo(emitter->module); /* places are in the sites by now */
    if (!run_passes(emitter, machine, has_large_function(emitter->module) ? "default<O1>" : "default<O2>"))
        return false;
    if (LLVMTargetMachineEmitToFile(machine, emitter->module, (char *)object, LLVMObjectFile, &message))
        return take_message(emitter->error, object, message);
    return true;
}

/* Everything from the linked bitcode to the object. */
static bool make_object(struct emitter *emitter, LLVMTargetMachineRef machine, const char *object)
{
    struct site_table *sites = emitter->sites;
    emitter->layout = LLVMGetModuleDataLayout(emitter->module);
    emitter->builder = LLVMCreateBuilderInContext(emitter->context);
    emitter->i1 = LLVMInt1TypeInContext(emitter->context);
    emitter->i32 = LLVMInt32TypeInContext(emitter->context);
    emitter->i64 = LLVMInt64TypeInContext(emitter->context);
    bool good = has_start(emitter) && prepare(emitter, machine);
    if (good && emitter->options->dependences)
        find_dependences(emitter);
    const char *lasting = good ? find_lasting(emitter) : NULL;
    sites->lasting = lasting ? arena_copy_string(sites->arena, lasting) : NULL;
    if (good)
        find_outside(emitter);
    good = good && (emitter->reach = reach_compute(emitter->module)) && emit_program(emitter) &&
           write_object(emitter, machine, object);
    reach_free(emitter->reach);
    analysis_free(emitter->analysis);
    LLVMDisposeBuilder(emitter->builder);
    return good;
}

/* Other names of functions and variables: everything means what they stand for. */
static void resolve_aliases(LLVMModuleRef module)
{
    for (LLVMValueRef at = LLVMGetFirstGlobalAlias(module); at; at = LLVMGetNextGlobalAlias(at)) {
        LLVMReplaceAllUsesWith(at, LLVMAliasGetAliasee(at));
        LLVMSetLinkage(at, LLVMPrivateLinkage);
    }
}

bool instrument(const char *const bitcode[], const char *const names[], size_t count, const char *object,
                const struct instrument_options *options, struct site_table *sites, struct error *error)
{
    LLVMContextRef context = LLVMContextCreate();
    struct emitter emitter = {.context = context, .sites = sites, .options = options, .error = error};
    struct error diagnosed = {0};
    LLVMTargetMachineRef machine = NULL;
    bitcode_catch_errors(context, &diagnosed);
    emitter.module = bitcode_link(context, bitcode, names, count, error);
    if (emitter.module)
        resolve_aliases(emitter.module);
    bool good =
        emitter.module && (machine = make_machine(emitter.module, error)) && make_object(&emitter, machine, object);
    if (good && diagnosed.message) /* not every function that fails says so */
        good = error_set(error, "LLVM: %s", diagnosed.message);
    if (machine)
        LLVMDisposeTargetMachine(machine);
    if (emitter.module)
        LLVMDisposeModule(emitter.module);
    LLVMContextDispose(context);
    error_clear(&diagnosed);
    return good;
}
