/* Calls: into instrumented code labels go along; a few functions of libc are known; everything else leaves the labels'
 * reach, and what it is given is bound to its value. */
#include "build/emit.h"

#include <stdio.h>
#include <string.h>

static void pass_arguments(struct emitter *emitter, LLVMValueRef call, unsigned count)
{
    for (unsigned i = 0; i < count && i < 64; i++) {
        LLVMValueRef label = label_of(emitter, LLVMGetOperand(call, i));
        if (is_no_label(label))
            continue;
        LLVMValueRef arguments[] = {constant32(emitter, i), label};
        call_hook(emitter, HOOK_pass, arguments, 2);
    }
}

static void take_result(struct emitter *emitter, LLVMValueRef call)
{
    if (!label_width(LLVMTypeOf(call)))
        return;
    place_after(emitter, call);
    set_label(emitter, call, call_hook(emitter, HOOK_result, NULL, 0));
}

/* The size of a struct that is passed by value in memory; 0 when the argument is none. */
static uint64_t by_value_size(struct emitter *emitter, LLVMValueRef call, unsigned argument)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("byval", 5);
    LLVMAttributeRef attribute = LLVMGetCallSiteEnumAttribute(call, argument + 1, kind);
    return attribute ? LLVMABISizeOfType(emitter->layout, LLVMGetTypeAttributeValue(attribute)) : 0;
}

/* Structs passed by value in memory: the copy is made without labels. */
static void bind_by_value(struct emitter *emitter, LLVMValueRef call, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        uint64_t size = by_value_size(emitter, call, i);
        if (!size)
            continue;
        LLVMValueRef arguments[] = {as_word(emitter, LLVMGetOperand(call, i)), constant32(emitter, 0),
                                    constant64(emitter, size),
                                    constant32(emitter, site_of(emitter, call, "a struct passed by value"))};
        call_hook(emitter, HOOK_concretise, arguments, 4);
    }
}

/* Nothing is known of the callee: symbolic arguments are bound, the memory behind pointers is looked at. */
static bool call_external(struct emitter *emitter, LLVMValueRef call, const char *name)
{
    unsigned count = LLVMGetNumArgOperands(call);
    leave_labels(emitter, call, count, name);
    uint32_t site = 0;
    for (unsigned i = 0; i < count; i++) {
        LLVMValueRef argument = LLVMGetOperand(call, i);
        if (LLVMGetTypeKind(LLVMTypeOf(argument)) != LLVMPointerTypeKind || LLVMIsAFunction(argument))
            continue;
        site = site ? site : site_of(emitter, call, name);
        LLVMValueRef arguments[] = {as_word(emitter, argument), constant32(emitter, site)};
        call_hook(emitter, HOOK_external_memory, arguments, 2);
    }
    if (LLVMGetNextInstruction(call)) {
        place_after(emitter, call);
        call_hook(emitter, HOOK_external_done, NULL, 0);
    }
    return true;
}

static bool call_inside(struct emitter *emitter, LLVMValueRef call)
{
    unsigned count = LLVMGetNumArgOperands(call), fixed = LLVMCountParamTypes(LLVMGetCalledFunctionType(call));
    place_before(emitter, call);
    bind_by_value(emitter, call, count);
    for (unsigned i = fixed; i < count; i++) { /* the variable arguments travel without labels */
        LLVMValueRef operand = LLVMGetOperand(call, i), label = label_of(emitter, operand);
        if (is_no_label(label))
            continue;
        LLVMValueRef arguments[] = {label, as_word(emitter, operand),
                                    constant32(emitter, label_width(LLVMTypeOf(operand))),
                                    constant32(emitter, site_of(emitter, call, "a variable argument list"))};
        call_hook(emitter, HOOK_external, arguments, 4);
    }
    pass_arguments(emitter, call, fixed < count ? fixed : count);
    take_result(emitter, call);
    return true;
}

/* The callee may be with or without hooks: labels go along, and what is not taken is cleared afterwards. */
static bool call_through_pointer(struct emitter *emitter, LLVMValueRef call)
{
    unsigned callee = (unsigned)LLVMGetNumOperands(call) - 1;
    LLVMValueRef pointer = LLVMGetOperand(call, callee), label = label_of(emitter, pointer);
    place_before(emitter, call);
    if (!is_no_label(label)) {
        LLVMValueRef arguments[] = {label, as_word(emitter, pointer), constant32(emitter, 64),
                                    constant32(emitter, site_of(emitter, call, "a function pointer"))};
        call_hook(emitter, HOOK_external, arguments, 4);
    }
    call_inside(emitter, call);
    place_after(emitter, call);
    if (label_width(LLVMTypeOf(call)))
        LLVMPositionBuilderBefore(emitter->builder, LLVMGetNextInstruction(label_of(emitter, call)));
    call_hook(emitter, HOOK_external_done, NULL, 0);
    return true;
}

/* ---- functions and intrinsics that are known ---- */

static bool ignore(struct emitter *emitter, LLVMValueRef call)
{
    (void)emitter, (void)call;
    return true;
}

static bool same_as_first(struct emitter *emitter, LLVMValueRef call)
{
    set_label(emitter, call, label_of(emitter, LLVMGetOperand(call, 0)));
    return true;
}

static bool copy_memory(struct emitter *emitter, LLVMValueRef call)
{
    LLVMValueRef to = LLVMGetOperand(call, 0), from = LLVMGetOperand(call, 1), size = LLVMGetOperand(call, 2);
    place_before(emitter, call);
    LLVMValueRef arguments[] = {as_word(emitter, to),
                                label_of(emitter, to),
                                as_word(emitter, from),
                                label_of(emitter, from),
                                as_word(emitter, size),
                                label_of(emitter, size),
                                constant32(emitter, site_of(emitter, call, "the length or address of a copy"))};
    call_hook(emitter, HOOK_copy, arguments, 7);
    if (label_width(LLVMTypeOf(call))) /* the library function returns its first argument */
        same_as_first(emitter, call);
    return true;
}

static bool fill_memory(struct emitter *emitter, LLVMValueRef call)
{
    LLVMValueRef to = LLVMGetOperand(call, 0), byte = LLVMGetOperand(call, 1), size = LLVMGetOperand(call, 2);
    place_before(emitter, call);
    LLVMValueRef arguments[] = {as_word(emitter, to),
                                label_of(emitter, to),
                                as_word(emitter, byte),
                                label_of(emitter, byte),
                                as_word(emitter, size),
                                label_of(emitter, size),
                                constant32(emitter, site_of(emitter, call, "the length or address of a fill"))};
    call_hook(emitter, HOOK_fill, arguments, 7);
    if (label_width(LLVMTypeOf(call)))
        same_as_first(emitter, call);
    return true;
}

/* The runtime's own function takes part like an instrumented one: labels go in and out. */
static bool redirect(struct emitter *emitter, LLVMValueRef call, const char *to)
{
    place_before(emitter, call);
    LLVMBuildStore(emitter->builder, constant32(emitter, site_of(emitter, call, called_name(call))), emitter->site);
    pass_arguments(emitter, call, LLVMGetNumArgOperands(call));
    LLVMValueRef callee = LLVMGetNamedFunction(emitter->module, to);
    if (!callee)
        callee = LLVMAddFunction(emitter->module, to, LLVMGetCalledFunctionType(call));
    LLVMSetOperand(call, (unsigned)LLVMGetNumOperands(call) - 1, callee);
    take_result(emitter, call);
    return true;
}

static bool call_malloc(struct emitter *emitter, LLVMValueRef call)
{
    return redirect(emitter, call, "__pn_malloc");
}

static bool call_calloc(struct emitter *emitter, LLVMValueRef call)
{
    return redirect(emitter, call, "__pn_calloc");
}

static bool call_realloc(struct emitter *emitter, LLVMValueRef call)
{
    return redirect(emitter, call, "__pn_realloc");
}

static bool call_free(struct emitter *emitter, LLVMValueRef call)
{
    return redirect(emitter, call, "__pn_free");
}

static LLVMValueRef compare_labels(struct emitter *emitter, enum pn_operation operation, bool negated, LLVMValueRef a,
                                   LLVMValueRef la, LLVMValueRef b, LLVMValueRef lb)
{
    LLVMValueRef arguments[] = {constant32(emitter, operation),
                                constant32(emitter, negated),
                                constant32(emitter, label_width(LLVMTypeOf(a))),
                                as_word(emitter, a),
                                la,
                                as_word(emitter, b),
                                lb};
    return call_hook(emitter, HOOK_compare, arguments, 7);
}

static bool call_assume(struct emitter *emitter, LLVMValueRef call)
{
    LLVMValueRef condition = LLVMGetOperand(call, 0), zero = LLVMConstNull(LLVMTypeOf(condition));
    place_before(emitter, call);
    LLVMValueRef label =
        compare_labels(emitter, PN_EQ, true, condition, label_of(emitter, condition), zero, constant32(emitter, 0));
    LLVMValueRef holds = LLVMBuildICmp(emitter->builder, LLVMIntNE, condition, zero, "");
    LLVMValueRef arguments[] = {label, LLVMBuildZExt(emitter->builder, holds, emitter->i32, ""),
                                constant32(emitter, site_of(emitter, call, ""))};
    call_hook(emitter, HOOK_assume, arguments, 3);
    LLVMInstructionEraseFromParent(call);
    return true;
}

/* |x| as the instruction set has it: x < 0 ? 0 - x : x. */
static bool absolute_value(struct emitter *emitter, LLVMValueRef call)
{
    LLVMValueRef value = LLVMGetOperand(call, 0), label = label_of(emitter, value);
    if (is_no_label(label))
        return true;
    place_after(emitter, call);
    LLVMValueRef zero = LLVMConstNull(LLVMTypeOf(value)), none = constant32(emitter, 0);
    LLVMValueRef is_negative = LLVMBuildICmp(emitter->builder, LLVMIntSLT, value, zero, "");
    LLVMValueRef negated = LLVMBuildNeg(emitter->builder, value, "");
    LLVMValueRef width = constant32(emitter, label_width(LLVMTypeOf(value)));
    LLVMValueRef subtraction[] = {
        constant32(emitter, PN_SUB), width, constant64(emitter, 0), none, as_word(emitter, value), label, none};
    LLVMValueRef choice[] = {width,
                             compare_labels(emitter, PN_SLT, false, value, label, zero, none),
                             as_word(emitter, is_negative),
                             as_word(emitter, negated),
                             call_hook(emitter, HOOK_binary, subtraction, 7),
                             as_word(emitter, value),
                             label};
    set_label(emitter, call, call_hook(emitter, HOOK_select, choice, 7));
    return true;
}

/* Names that begin with a row's prefix (intrinsics carry their types behind it) or, for library functions, are it. */
static const struct {
    const char *name;
    bool is_prefix;
    bool (*rule)(struct emitter *emitter, LLVMValueRef call);
} known[] = {
    {"llvm.dbg.", true, ignore},           {"llvm.lifetime.", true, ignore},
    {"llvm.assume", true, ignore},         {"llvm.stacksave", true, ignore},
    {"llvm.stackrestore", true, ignore},   {"llvm.va_", true, ignore},
    {"llvm.prefetch", true, ignore},       {"llvm.donothing", true, ignore},
    {"llvm.trap", true, ignore},           {"llvm.experimental.noalias.scope.decl", true, ignore},
    {"llvm.expect.", true, same_as_first}, {"llvm.memcpy.", true, copy_memory},
    {"llvm.memmove.", true, copy_memory},  {"llvm.memset.", true, fill_memory},
    {"llvm.abs.", true, absolute_value},   {"memcpy", false, copy_memory},
    {"memmove", false, copy_memory},       {"memset", false, fill_memory},
    {"malloc", false, call_malloc},        {"calloc", false, call_calloc},
    {"realloc", false, call_realloc},      {"free", false, call_free},
    {"__pn_bounds", false, ignore},        {"pn_assume", false, call_assume},
    {"pn_symbolic", false, ignore},        {"pn_output", false, ignore},
};

static bool (*known_rule(const char *name))(struct emitter *, LLVMValueRef)
{
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        size_t length = strlen(known[i].name);
        if (known[i].is_prefix ? !strncmp(name, known[i].name, length) : !strcmp(name, known[i].name))
            return known[i].rule;
    }
    return NULL;
}

/* ---- code of one version ---- */

/* Functions of the C library that only compute, from their arguments and from what these point to. */
// clang-format off
static const char *const pure[] = {
    "abs", "labs", "llabs", "isalnum", "isalpha", "isblank", "iscntrl", "isdigit", "isgraph", "islower", "isprint",
    "ispunct", "isspace", "isupper", "isxdigit", "tolower", "toupper", "strlen", "strnlen", "strcmp", "strncmp",
    "strcasecmp", "strncasecmp", "strchr", "strrchr", "strstr", "strspn", "strcspn", "strpbrk", "memchr", "memcmp",
    "atoi", "atol", "atoll", "__ctype_b_loc", "__ctype_tolower_loc", "__ctype_toupper_loc", "sqrt", "fabs", "floor",
    "ceil", "pow", "sin", "cos", "exp", "log", "fmod", "trunc", "round",
};
// clang-format on

/* Most intrinsics, and what is declared with the attribute `const`. */
static bool touches_no_memory(LLVMValueRef function)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("memory", 6);
    LLVMAttributeRef effects = LLVMGetEnumAttributeAtIndex(function, LLVMAttributeFunctionIndex, kind);
    return effects && LLVMGetEnumAttributeValue(effects) == 0;
}

static bool is_pure(LLVMValueRef function, const char *name)
{
    if (LLVMIsAFunction(function) && touches_no_memory(function))
        return true;
    for (size_t i = 0; i < sizeof pure / sizeof *pure; i++)
        if (!strcmp(name, pure[i]))
            return true;
    return false;
}

/* The C library's output functions, and which argument is the stream (-1: standard output). In one-sided code the
 * runtime's functions of the same names, behind __pn_, keep the versions' outputs apart. */
static const struct {
    const char *name;
    int stream;
} writers[] = {{"printf", -1}, {"puts", -1}, {"putchar", -1}, {"fprintf", 0},
               {"fputs", 1},   {"fputc", 1}, {"putc", 1},     {"fwrite", 3}};

static int find_writer(const char *name)
{
    for (size_t i = 0; i < sizeof writers / sizeof *writers; i++)
        if (!strcmp(name, writers[i].name))
            return (int)i;
    return -1;
}

static void borrow_arguments(struct emitter *emitter, LLVMValueRef call, const char *name)
{
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
        LLVMValueRef argument = LLVMGetOperand(call, i);
        if (LLVMGetTypeKind(LLVMTypeOf(argument)) != LLVMPointerTypeKind)
            continue;
        LLVMValueRef arguments[] = {as_word(emitter, argument), constant32(emitter, site_of(emitter, call, name))};
        call_hook(emitter, HOOK_borrow, arguments, 2);
    }
}

static bool write_one_sided(struct emitter *emitter, LLVMValueRef call, const char *name)
{
    char ours[64];
    snprintf(ours, sizeof ours, "__pn_%s", strcmp(name, "putc") ? name : "fputc");
    leave_labels(emitter, call, LLVMGetNumArgOperands(call), name);
    LLVMValueRef callee = LLVMGetNamedFunction(emitter->module, ours);
    if (!callee)
        callee = LLVMAddFunction(emitter->module, ours, LLVMGetCalledFunctionType(call));
    LLVMSetOperand(call, (unsigned)LLVMGetNumOperands(call) - 1, callee);
    if (emitter->side != PN_SIDE_OLD)
        return true;
    borrow_arguments(emitter, call, name);
    call_hook(emitter, HOOK_lend, NULL, 0);
    place_after(emitter, call);
    call_hook(emitter, HOOK_give_back, NULL, 0);
    return true;
}

static bool write_together(struct emitter *emitter, LLVMValueRef call, int writer)
{
    int stream = writers[writer].stream;
    place_before(emitter, call);
    LLVMValueRef file = stream < 0 ? LLVMConstNull(LLVMPointerTypeInContext(emitter->context, 0))
                                   : LLVMGetOperand(call, (unsigned)stream);
    call_hook(emitter, HOOK_write_together, &file, 1);
    return call_external(emitter, call, writers[writer].name);
}

/* Functions that do not come back: a failure, or a way to leave. */
static const struct {
    const char *name;
    enum hook in_old, in_new;
} endings[] = {{"abort", HOOK_old_fails, HOOK_new_fails},      {"__assert_fail", HOOK_old_fails, HOOK_new_fails},
               {"llvm.trap", HOOK_old_fails, HOOK_new_fails},  {"exit", HOOK_old_leaves, HOOK_break_new},
               {"_exit", HOOK_old_leaves, HOOK_break_new},     {"_Exit", HOOK_old_leaves, HOOK_break_new},
               {"longjmp", HOOK_old_leaves, HOOK_break_new},   {"_longjmp", HOOK_old_leaves, HOOK_break_new},
               {"siglongjmp", HOOK_old_leaves, HOOK_break_new}};

static int find_ending(const char *name)
{
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (!strcmp(name, endings[i].name))
            return (int)i;
    return -1;
}

static void report_site(struct emitter *emitter, LLVMValueRef call, enum hook hook, const char *what)
{
    place_before(emitter, call);
    LLVMValueRef site = constant32(emitter, site_of(emitter, call, what));
    call_hook(emitter, hook, &site, 1);
}

static void erase_call(LLVMValueRef call)
{
    if (LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMVoidTypeKind)
        LLVMReplaceAllUsesWith(call, LLVMGetUndef(LLVMTypeOf(call)));
    LLVMInstructionEraseFromParent(call);
}

/* The old version's copies and fills touch labels alone; the new version's leave the old bytes behind. */
static bool side_block(struct emitter *emitter, LLVMValueRef call, enum hook hook)
{
    LLVMValueRef to = LLVMGetOperand(call, 0), second = LLVMGetOperand(call, 1), size = LLVMGetOperand(call, 2);
    place_before(emitter, call);
    LLVMValueRef arguments[] = {constant32(emitter, emitter->side),
                                as_word(emitter, to),
                                label_of(emitter, to),
                                as_word(emitter, second),
                                label_of(emitter, second),
                                as_word(emitter, size),
                                label_of(emitter, size),
                                constant32(emitter, site_of(emitter, call, "the length or address of a copy"))};
    call_hook(emitter, hook, arguments, 8);
    if (label_width(LLVMTypeOf(call)))
        LLVMReplaceAllUsesWith(call, to);
    if (emitter->side == PN_SIDE_OLD)
        LLVMInstructionEraseFromParent(call);
    return true;
}

/* A function without effects runs once per side, with the memory that it reads made that side's. */
static bool call_pure(struct emitter *emitter, LLVMValueRef call, const char *name)
{
    leave_labels(emitter, call, LLVMGetNumArgOperands(call), name);
    if (emitter->side != PN_SIDE_OLD)
        return true;
    borrow_arguments(emitter, call, name);
    call_hook(emitter, HOOK_lend, NULL, 0);
    place_after(emitter, call);
    call_hook(emitter, HOOK_give_back, NULL, 0);
    return true;
}

static bool call_external_one_sided(struct emitter *emitter, LLVMValueRef call, const char *name)
{
    bool old = emitter->side == PN_SIDE_OLD;
    if (is_pure(LLVMGetCalledValue(call), name))
        return call_pure(emitter, call, name);
    if (find_writer(name) >= 0)
        return write_one_sided(emitter, call, name);
    int ending = find_ending(name);
    if (ending >= 0)
        report_site(emitter, call, old ? endings[ending].in_old : endings[ending].in_new, name);
    else
        report_site(emitter, call, old ? HOOK_old_external : HOOK_new_external, name);
    if (!old)
        return call_external(emitter, call, name);
    erase_call(call);
    return true;
}

static bool has_by_value(struct emitter *emitter, LLVMValueRef call)
{
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
        if (by_value_size(emitter, call, i))
            return true;
    return false;
}

/* A struct by value is copied here, as one version sees it; the function's copy for that version takes the address. */
static void copy_by_value(struct emitter *emitter, LLVMValueRef call)
{
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
        uint64_t size = by_value_size(emitter, call, i);
        if (!size)
            continue;
        place_before(emitter, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(emitter->function)));
        LLVMTypeRef bytes = LLVMArrayType2(LLVMInt8TypeInContext(emitter->context), size);
        LLVMValueRef copy = LLVMBuildAlloca(emitter->builder, bytes, ""), from = LLVMGetOperand(call, i);
        LLVMSetAlignment(copy, 16);
        place_before(emitter, call);
        LLVMValueRef arguments[] = {constant32(emitter, emitter->side),
                                    as_word(emitter, copy),
                                    constant32(emitter, 0),
                                    as_word(emitter, from),
                                    label_of(emitter, from),
                                    constant64(emitter, size),
                                    constant32(emitter, 0),
                                    constant32(emitter, site_of(emitter, call, "a struct passed by value"))};
        call_hook(emitter, HOOK_side_copy, arguments, 8);
        LLVMSetOperand(call, i, copy);
        LLVMRemoveCallSiteEnumAttribute(call, i + 1, LLVMGetEnumAttributeKindForName("byval", 5));
    }
}

static bool call_pointer_one_sided(struct emitter *emitter, LLVMValueRef call)
{
    unsigned callee = (unsigned)LLVMGetNumOperands(call) - 1;
    LLVMValueRef pointer = LLVMGetOperand(call, callee);
    if (has_by_value(emitter, call)) /* copies for one version take such arguments differently */
        return call_external_one_sided(emitter, call, "a struct passed by value");
    place_before(emitter, call);
    LLVMValueRef arguments[] = {as_word(emitter, pointer), label_of(emitter, pointer),
                                constant32(emitter, emitter->side),
                                constant32(emitter, site_of(emitter, call, "a function pointer"))};
    LLVMValueRef target = call_hook(emitter, HOOK_side_target, arguments, 4);
    LLVMSetOperand(call, callee, LLVMBuildIntToPtr(emitter->builder, target, LLVMTypeOf(pointer), ""));
    return call_inside(emitter, call);
}

static bool call_one_sided(struct emitter *emitter, LLVMValueRef call)
{
    LLVMValueRef callee = LLVMGetCalledValue(call);
    if (LLVMIsAInlineAsm(callee))
        return call_external_one_sided(emitter, call, "inline assembly");
    if (!LLVMIsAFunction(callee))
        return call_pointer_one_sided(emitter, call);
    if (!LLVMIsDeclaration(callee)) {
        LLVMValueRef copy = clone_side(callee) == PN_SIDE_BOTH ? clone_for(emitter, callee, emitter->side) : callee;
        need_clone(emitter, copy);
        LLVMSetOperand(call, (unsigned)LLVMGetNumOperands(call) - 1, copy);
        copy_by_value(emitter, call);
        return call_inside(emitter, call);
    }
    const char *name = called_name(call);
    bool (*rule)(struct emitter *, LLVMValueRef) = known_rule(name);
    if (rule == copy_memory)
        return side_block(emitter, call, HOOK_side_copy);
    if (rule == fill_memory)
        return side_block(emitter, call, HOOK_side_fill);
    if (rule && strncmp(name, "pn_", 3) && find_ending(name) < 0)
        return rule(emitter, call);
    return call_external_one_sided(emitter, call, name);
}

/* What the instrumenter itself has put there. */
static bool is_ours(struct emitter *emitter, LLVMValueRef call)
{
    const char *name = called_name(call);
    if (!strcmp(name, "_setjmp"))
        return LLVMGetOperand(call, 0) == emitter->escape;
    bool is_users = !strcmp(name, "__pn_harness") || !strcmp(name, "__pn_program_main"); /* main, under that name */
    return !strncmp(name, "__pn_", 5) && !is_users;
}

bool emit_call(struct emitter *emitter, LLVMValueRef call)
{
    LLVMValueRef callee = LLVMGetCalledValue(call);
    if (is_ours(emitter, call))
        return true;
    if (emitter->side != PN_SIDE_BOTH)
        return call_one_sided(emitter, call);
    if (LLVMIsAInlineAsm(callee))
        return call_external(emitter, call, "inline assembly");
    if (!LLVMIsAFunction(callee))
        return call_through_pointer(emitter, call);
    if (!LLVMIsDeclaration(callee))
        return call_inside(emitter, call);
    const char *name = called_name(call);
    bool (*rule)(struct emitter *, LLVMValueRef) = known_rule(name);
    int writer = find_writer(name);
    if (writer >= 0)
        return write_together(emitter, call, writer);
    return rule ? rule(emitter, call) : call_external(emitter, call, name);
}
