/* setjmp and longjmp. A jump takes the known stack objects back to what they were; its value keeps its label. In code
 * of one version a jump may lead to a place that the same passage of that code has set: it is followed. One that leads
 * out of it leaves it early. */
#include "instrument/calls.h"
#include "instrument/parts.h"

static void bind_buffer(struct emitter *emitter, LLVMValueRef call)
{
    leave_operand(emitter, call, LLVMGetOperand(call, 0), "the address of a jump buffer");
}

static void use_buffer(struct emitter *emitter, LLVMValueRef call, LLVMValueRef word)
{
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(call, 0));
    LLVMSetOperand(call, 0, LLVMBuildIntToPtr(emitter->builder, word, type, ""));
}

bool set_jump(struct emitter *emitter, LLVMValueRef call)
{
    place_before(emitter, call);
    bind_buffer(emitter, call);
    LLVMValueRef depth = call_hook(emitter, HOOK_stack_enter, NULL, 0);
    LLVMValueRef model = LLVMBuildLoad2(emitter->builder, emitter->i32, emitter->model_site, "");
    LLVMValueRef arguments[] = {as_word(emitter, LLVMGetOperand(call, 0)), constant32(emitter, emitter->side)};
    LLVMValueRef buffer = call_hook(emitter, HOOK_jump_buffer, arguments, 2);
    if (emitter->side == PN_SIDE_OLD)
        use_buffer(emitter, call, buffer);
    LLVMValueRef next = LLVMGetNextInstruction(call);
    place_before(emitter, next);
    call_hook(emitter, HOOK_jumped, &depth, 1);
    LLVMBuildStore(emitter->builder, model, emitter->model_site);
    take_result(emitter, call);
    return true;
}

/* The value arrives as 1 where it is 0. */
static LLVMValueRef arriving_label(struct emitter *emitter, LLVMValueRef value, LLVMValueRef label)
{
    LLVMValueRef none = constant32(emitter, 0), width = constant32(emitter, label_width(LLVMTypeOf(value)));
    LLVMValueRef zero = LLVMConstNull(LLVMTypeOf(value));
    LLVMValueRef is_zero = LLVMBuildICmp(emitter->builder, LLVMIntEQ, value, zero, "");
    LLVMValueRef comparison[] = {constant32(emitter, PN_EQ), none, width, as_word(emitter, value), label,
                                 constant64(emitter, 0),     none};
    LLVMValueRef choice[] = {width,
                             call_hook(emitter, HOOK_compare, comparison, 7),
                             as_word(emitter, is_zero),
                             constant64(emitter, 1),
                             none,
                             as_word(emitter, value),
                             label};
    return call_hook(emitter, HOOK_select, choice, 7);
}

bool jump(struct emitter *emitter, LLVMValueRef call)
{
    LLVMValueRef value = LLVMGetOperand(call, 1), label = label_of(emitter, value);
    place_before(emitter, call);
    bind_buffer(emitter, call);
    LLVMValueRef arguments[] = {as_word(emitter, LLVMGetOperand(call, 0)), constant32(emitter, emitter->side),
                                constant32(emitter, site_of(emitter, call, called_name(call)))};
    LLVMValueRef buffer = call_hook(emitter, HOOK_jump_target, arguments, 3);
    if (emitter->side == PN_SIDE_OLD)
        use_buffer(emitter, call, buffer);
    if (is_no_label(label))
        return true;
    label = arriving_label(emitter, value, label);
    call_hook(emitter, HOOK_return, &label, 1);
    return true;
}
