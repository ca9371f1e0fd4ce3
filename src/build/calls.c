/* Calls: into instrumented code labels go along; a few functions of libc are known; everything else leaves the labels'
 * reach, and what it is given is bound to its value. */
#include "build/emit.h"

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

/* Structs passed by value in memory: the copy is made without labels. */
static void bind_by_value(struct emitter *emitter, LLVMValueRef call, unsigned count)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("byval", 5);
    for (unsigned i = 0; i < count; i++) {
        LLVMAttributeRef attribute = LLVMGetCallSiteEnumAttribute(call, i + 1, kind);
        if (!attribute)
            continue;
        uint64_t size = LLVMABISizeOfType(emitter->layout, LLVMGetTypeAttributeValue(attribute));
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
    LLVMValueRef arguments[] = {as_word(emitter, to),   label_of(emitter, to),
                                as_word(emitter, from), label_of(emitter, from),
                                as_word(emitter, size), label_of(emitter, size),
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
    LLVMValueRef arguments[] = {as_word(emitter, to),   label_of(emitter, to),
                                as_word(emitter, byte), label_of(emitter, byte),
                                as_word(emitter, size), label_of(emitter, size),
                                constant32(emitter, site_of(emitter, call, "the length or address of a fill"))};
    call_hook(emitter, HOOK_fill, arguments, 7);
    if (label_width(LLVMTypeOf(call)))
        same_as_first(emitter, call);
    return true;
}

static bool redirect(struct emitter *emitter, LLVMValueRef call, const char *to)
{
    const char *name = called_name(call);
    leave_labels(emitter, call, LLVMGetNumArgOperands(call), name);
    LLVMValueRef callee = LLVMGetNamedFunction(emitter->module, to);
    if (!callee)
        callee = LLVMAddFunction(emitter->module, to, LLVMGetCalledFunctionType(call));
    LLVMSetOperand(call, (unsigned)LLVMGetNumOperands(call) - 1, callee);
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
    LLVMValueRef label = compare_labels(emitter, PN_EQ, true, condition, label_of(emitter, condition), zero,
                                        constant32(emitter, 0));
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
    LLVMValueRef subtraction[] = {constant32(emitter, PN_SUB), width, constant64(emitter, 0), none,
                                  as_word(emitter, value), label, none};
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
    {"llvm.dbg.", true, ignore},
    {"llvm.lifetime.", true, ignore},
    {"llvm.assume", true, ignore},
    {"llvm.stacksave", true, ignore},
    {"llvm.stackrestore", true, ignore},
    {"llvm.va_", true, ignore},
    {"llvm.prefetch", true, ignore},
    {"llvm.donothing", true, ignore},
    {"llvm.trap", true, ignore},
    {"llvm.experimental.noalias.scope.decl", true, ignore},
    {"llvm.expect.", true, same_as_first},
    {"llvm.memcpy.", true, copy_memory},
    {"llvm.memmove.", true, copy_memory},
    {"llvm.memset.", true, fill_memory},
    {"llvm.abs.", true, absolute_value},
    {"memcpy", false, copy_memory},
    {"memmove", false, copy_memory},
    {"memset", false, fill_memory},
    {"malloc", false, call_malloc},
    {"calloc", false, call_calloc},
    {"realloc", false, call_realloc},
    {"free", false, call_free},
    {"pn_assume", false, call_assume},
    {"pn_symbolic", false, ignore},
    {"pn_output", false, ignore},
};

static bool enter_region(struct emitter *emitter, LLVMValueRef call, enum region_mark mark)
{
    if (mark == MARK_BEGIN_OLD) {
        place_before(emitter, call);
        LLVMValueRef site = constant32(emitter, site_of(emitter, call, ""));
        call_hook(emitter, HOOK_change_reached, &site, 1);
    }
    emitter->side = mark == MARK_BEGIN_OLD ? PN_SIDE_OLD : mark == MARK_BEGIN_NEW ? PN_SIDE_NEW : PN_SIDE_BOTH;
    LLVMInstructionEraseFromParent(call);
    return true;
}

bool emit_call(struct emitter *emitter, LLVMValueRef call)
{
    enum region_mark mark = region_mark(call);
    if (mark != MARK_NONE)
        return enter_region(emitter, call, mark);
    LLVMValueRef callee = LLVMGetCalledValue(call);
    if (LLVMIsAInlineAsm(callee))
        return call_external(emitter, call, "inline assembly");
    if (!LLVMIsAFunction(callee))
        return call_through_pointer(emitter, call);
    if (!LLVMIsDeclaration(callee))
        return call_inside(emitter, call);
    const char *name = called_name(call);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        size_t length = strlen(known[i].name);
        if (known[i].is_prefix ? !strncmp(name, known[i].name, length) : !strcmp(name, known[i].name))
            return known[i].rule(emitter, call);
    }
    return call_external(emitter, call, name);
}
