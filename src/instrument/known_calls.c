/* Functions of the C library and intrinsics whose effect on labels is known. */
#include "base/text.h"
#include "instrument/calls.h"

#include <string.h>

static bool ignore(struct emitter *emitter, LLVMValueRef call)
{
    (void)emitter, (void)call;
    return true;
}

/* Inputs and outputs: how large they are and where they lie is what it is in the run. */
static bool bind_size(struct emitter *emitter, LLVMValueRef call)
{
    leave_labels(emitter, call, LLVMGetNumArgOperands(call), called_name(call));
    return true;
}

/* What lies behind a pointer is not looked at any further. */
static bool note_unseen(struct emitter *emitter, LLVMValueRef call)
{
    place_before(emitter, call);
    LLVMValueRef site = constant32(emitter, site_of(emitter, call, "memory behind a pointer, or calls of a callback"));
    call_hook(emitter, HOOK_hidden_arguments, &site, 1);
    LLVMInstructionEraseFromParent(call);
    return true;
}

/* The harness writes names as constants. */
static const char *name_of_output(LLVMValueRef call)
{
    size_t length;
    LLVMValueRef name = LLVMGetOperand(call, 0), bytes = LLVMIsAGlobalVariable(name) ? LLVMGetInitializer(name) : NULL;
    return bytes && LLVMIsConstantString(bytes) ? LLVMGetAsString(bytes, &length) : "";
}

static bool output_pointer(struct emitter *emitter, LLVMValueRef call)
{
    struct text what = {0};
    text_format(&what, "the pointer %s as an output", name_of_output(call));
    place_before(emitter, call);
    LLVMBuildStore(emitter->builder, constant32(emitter, site_of(emitter, call, text_string(&what))), emitter->site);
    text_free(&what);
    return bind_size(emitter, call);
}

static bool same_as_first(struct emitter *emitter, LLVMValueRef call)
{
    set_label(emitter, call, label_of(emitter, LLVMGetOperand(call, 0)));
    return true;
}

void block_arguments(struct emitter *emitter, LLVMValueRef call, const char *what, LLVMValueRef arguments[static 7])
{
    for (unsigned i = 0; i < 3; i++) {
        LLVMValueRef operand = LLVMGetOperand(call, i);
        arguments[2 * i] = as_word(emitter, operand);
        arguments[2 * i + 1] = label_of(emitter, operand);
    }
    arguments[6] = constant32(emitter, site_of(emitter, call, what));
}

static bool change_block(struct emitter *emitter, LLVMValueRef call, enum hook hook, const char *what)
{
    LLVMValueRef arguments[7];
    place_before(emitter, call);
    block_arguments(emitter, call, what, arguments);
    uint32_t site = (uint32_t)LLVMConstIntGetZExtValue(arguments[6]);
    check_block(emitter, LLVMGetOperand(call, 0), LLVMGetOperand(call, 2), site);
    if (hook == HOOK_copy)
        check_block(emitter, LLVMGetOperand(call, 1), LLVMGetOperand(call, 2), site);
    call_hook(emitter, hook, arguments, 7);
    if (label_width(LLVMTypeOf(call))) /* the library function returns its first argument */
        same_as_first(emitter, call);
    place_after(emitter, call);
    note_volatile_block(emitter, call, hook == HOOK_copy);
    return true;
}

bool copy_memory(struct emitter *emitter, LLVMValueRef call)
{
    return change_block(emitter, call, HOOK_copy, "the length or address of a copy");
}

bool fill_memory(struct emitter *emitter, LLVMValueRef call)
{
    return change_block(emitter, call, HOOK_fill, "the length or address of a fill");
}

/* The runtime's own function takes part like an instrumented one: labels go in and out. */
static bool call_ours(struct emitter *emitter, LLVMValueRef call, const char *to)
{
    place_before(emitter, call);
    LLVMBuildStore(emitter->builder, constant32(emitter, site_of(emitter, call, called_name(call))), emitter->site);
    pass_arguments(emitter, call, LLVMGetNumArgOperands(call));
    redirect_call(emitter, call, to);
    take_result(emitter, call);
    return true;
}

static bool call_malloc(struct emitter *emitter, LLVMValueRef call)
{
    return call_ours(emitter, call, "__pn_malloc");
}

static bool call_calloc(struct emitter *emitter, LLVMValueRef call)
{
    return call_ours(emitter, call, "__pn_calloc");
}

static bool call_realloc(struct emitter *emitter, LLVMValueRef call)
{
    return call_ours(emitter, call, "__pn_realloc");
}

static bool call_free(struct emitter *emitter, LLVMValueRef call)
{
    return call_ours(emitter, call, "__pn_free");
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

/* Questions of models: see models/model.h. */
static bool ask_whether_plain(struct emitter *emitter, LLVMValueRef call, enum hook hook)
{
    LLVMValueRef start = LLVMGetOperand(call, 0), length = LLVMGetOperand(call, 1);
    bool checked = emitter->options->check_objects || emitter->side != PN_SIDE_BOTH;
    place_before(emitter, call);
    LLVMValueRef arguments[] = {as_word(emitter, start), label_of(emitter, start), as_word(emitter, length),
                                label_of(emitter, length), constant32(emitter, checked)};
    LLVMReplaceAllUsesWith(call, call_hook(emitter, hook, arguments, 5));
    LLVMInstructionEraseFromParent(call);
    return true;
}

static bool is_plain_text(struct emitter *emitter, LLVMValueRef call)
{
    return ask_whether_plain(emitter, call, HOOK_plain_text);
}

static bool are_plain_bytes(struct emitter *emitter, LLVMValueRef call)
{
    return ask_whether_plain(emitter, call, HOOK_plain_bytes);
}

static bool are_no_labels(struct emitter *emitter, LLVMValueRef call)
{
    place_before(emitter, call);
    bool never = emitter->options->check_objects || emitter->side != PN_SIDE_BOTH;
    LLVMReplaceAllUsesWith(call, never ? constant32(emitter, 0) : call_hook(emitter, HOOK_no_labels, NULL, 0));
    LLVMInstructionEraseFromParent(call);
    return true;
}

/* The name of a function, as a model gives it. */
static const char *constant_text(LLVMValueRef pointer)
{
    LLVMValueRef text = LLVMIsAGlobalVariable(pointer) ? LLVMGetInitializer(pointer) : NULL;
    size_t length;
    return text && LLVMIsConstantString(text) ? LLVMGetAsString(text, &length) : "a value that must be concrete";
}

/* The value, bound to what it is in this run. */
static bool bind_value(struct emitter *emitter, LLVMValueRef call)
{
    leave_labels(emitter, call, 1, constant_text(LLVMGetOperand(call, 1)));
    LLVMReplaceAllUsesWith(call, LLVMGetOperand(call, 0));
    LLVMInstructionEraseFromParent(call);
    return true;
}

/* Data in a form that nobody looks into goes to a function without hooks. */
static bool lose_precision(struct emitter *emitter, LLVMValueRef call)
{
    static const enum hook hooks[] = {
        [PN_SIDE_BOTH] = HOOK_hidden_arguments, [PN_SIDE_OLD] = HOOK_old_external, [PN_SIDE_NEW] = HOOK_new_external};
    place_before(emitter, call);
    LLVMValueRef site = constant32(emitter, site_of(emitter, call, constant_text(LLVMGetOperand(call, 0))));
    call_hook(emitter, hooks[emitter->side], &site, 1);
    LLVMInstructionEraseFromParent(call);
    return true;
}

/* What models of output functions write. In one version's own code only that version does. */
static bool write_bytes(struct emitter *emitter, LLVMValueRef call)
{
    LLVMValueRef stream = LLVMGetOperand(call, 0), bytes = LLVMGetOperand(call, 1), size = LLVMGetOperand(call, 2);
    bool both = emitter->side == PN_SIDE_BOTH;
    leave_labels(emitter, call, both ? 1 : 3, "output");
    LLVMValueRef site = constant32(emitter, site_of(emitter, call, "output"));
    LLVMValueRef arguments[] = {both ? stream : constant32(emitter, emitter->side),
                                both ? as_word(emitter, bytes) : stream,
                                both ? label_of(emitter, bytes) : as_word(emitter, bytes),
                                as_word(emitter, size),
                                both ? label_of(emitter, size) : site,
                                site};
    call_hook(emitter, both ? HOOK_write : HOOK_side_write, arguments, both ? 6 : 5);
    LLVMInstructionEraseFromParent(call);
    return true;
}

static bool note_write(struct emitter *emitter, LLVMValueRef call)
{
    LLVMValueRef stream = LLVMGetOperand(call, 0);
    place_before(emitter, call);
    if (emitter->side == PN_SIDE_BOTH)
        call_hook(emitter, HOOK_write_together, &stream, 1);
    LLVMInstructionEraseFromParent(call);
    return true;
}

/* The end of a whole program. In one version's own code it is that version's end alone. */
static bool end_program(struct emitter *emitter, LLVMValueRef call)
{
    if (emitter->side == PN_SIDE_BOTH)
        redirect_call(emitter, call, "__pn_exit");
    else
        LLVMInstructionEraseFromParent(call);
    return true;
}

/* What is known while compiling: nothing that labels would describe. */
static bool decide_constant(struct emitter *emitter, LLVMValueRef call)
{
    (void)emitter;
    bool is_constant = LLVMIsConstant(LLVMGetOperand(call, 0));
    LLVMReplaceAllUsesWith(call, LLVMConstInt(LLVMTypeOf(call), is_constant, false));
    LLVMInstructionEraseFromParent(call);
    return true;
}

/* Variable-length arrays below the restored place are gone. */
static bool restore_stack(struct emitter *emitter, LLVMValueRef call)
{
    place_before(emitter, call);
    LLVMValueRef place = as_word(emitter, LLVMGetOperand(call, 0));
    call_hook(emitter, HOOK_stack_restore, &place, 1);
    return true;
}

static bool mask_pointer(struct emitter *emitter, LLVMValueRef call)
{
    LLVMValueRef pointer = LLVMGetOperand(call, 0), mask = LLVMGetOperand(call, 1);
    if (!label_width(LLVMTypeOf(call)))
        return bind_size(emitter, call);
    place_after(emitter, call);
    LLVMValueRef arguments[] = {constant32(emitter, PN_AND), constant32(emitter, 64), as_word(emitter, pointer),
                                label_of(emitter, pointer),  as_word(emitter, mask),  label_of(emitter, mask),
                                constant32(emitter, 0)};
    set_label(emitter, call, call_hook(emitter, HOOK_binary, arguments, 7));
    return true;
}

/* Names that begin with a row's prefix (intrinsics carry their types behind it) or, for library functions, are it. */
static const struct {
    const char *name;
    bool is_prefix;
    call_rule *rule;
} known[] = {
    {"llvm.dbg.", true, ignore},
    {"llvm.lifetime.", true, ignore},
    {"llvm.assume", true, ignore},
    {"llvm.stacksave", true, ignore},
    {"llvm.stackrestore", true, restore_stack},
    {"llvm.va_start", true, start_list},
    {"llvm.va_copy", true, copy_list},
    {"llvm.va_end", true, ignore},
    {"llvm.objectsize.", true, ignore},
    {"llvm.is.constant.", true, decide_constant},
    {"llvm.frameaddress", true, ignore},
    {"llvm.returnaddress", true, ignore},
    {"llvm.ptrmask.", true, mask_pointer},
    {"llvm.debugtrap", true, ignore},
    {"llvm.ubsantrap", true, ignore},
    {"llvm.sideeffect", true, ignore},
    {"llvm.launder.invariant.group", true, same_as_first},
    {"llvm.strip.invariant.group", true, same_as_first},
    {"llvm.invariant.", true, ignore},
    {"llvm.threadlocal.address", true, ignore},
    {"llvm.prefetch", true, ignore},
    {"llvm.donothing", true, ignore},
    {"llvm.trap", true, ignore},
    {"llvm.experimental.noalias.scope.decl", true, ignore},
    {"llvm.expect.", true, same_as_first},
    {"llvm.memcpy.", true, copy_memory},
    {"llvm.memmove.", true, copy_memory},
    {"llvm.memset.", true, fill_memory},
    {"llvm.experimental.constrained.fptosi.", true, make_integer},
    {"llvm.experimental.constrained.fptoui.", true, make_integer},
    {"memcpy", false, copy_memory},
    {"memmove", false, copy_memory},
    {"memset", false, fill_memory},
    {"malloc", false, call_malloc},
    {"calloc", false, call_calloc},
    {"realloc", false, call_realloc},
    {"free", false, call_free},
    {"__pn_bounds", false, ignore},
    {"__pn_function_", true, call_function},
    {"pn_assume", false, call_assume},
    {"setjmp", false, set_jump},
    {"_setjmp", false, set_jump},
    {"sigsetjmp", false, set_jump},
    {"__sigsetjmp", false, set_jump},
    {"longjmp", false, jump},
    {"_longjmp", false, jump},
    {"siglongjmp", false, jump},
    {"__longjmp_chk", false, jump},
    {"pn_symbolic", false, bind_size},
    {"pn_output", false, bind_size},
    {"pn_pointer", false, bind_size},
    {"pn_output_pointer", false, output_pointer},
    {"__pn_unseen", false, note_unseen},
    {"pn_plain_text", false, is_plain_text},
    {"pn_plain_bytes", false, are_plain_bytes},
    {"pn_bound", false, bind_value},
    {"pn_no_labels", false, are_no_labels},
    {"pn_write", false, write_bytes},
    {"pn_write_together", false, note_write},
    {"pn_lost", false, lose_precision},
    {"pn_exit", false, end_program},
    {"pn_look_at", false, note_bytes},
};

/* What is not for models is for the harness. */
bool is_of_model(const char *name)
{
    return !strncmp(name, "pn_", 3) && strcmp(name, "pn_assume") && strcmp(name, "pn_symbolic") &&
           strcmp(name, "pn_output");
}

call_rule *known_rule(const char *name)
{
    if (is_derived(name))
        return call_intrinsic;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        size_t length = strlen(known[i].name);
        if (known[i].is_prefix ? !strncmp(name, known[i].name, length) : !strcmp(name, known[i].name))
            return known[i].rule;
    }
    return NULL;
}
