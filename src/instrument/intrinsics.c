/* Intrinsics whose labels the runtime builds (trace/derived.h). */
#include "instrument/calls.h"
#include "instrument/parts.h"
#include "trace/derived.h"

#include <string.h>

static const struct {
    const char *name;
    unsigned operands;
} derived[] = {
#define DERIVED_ROW(enumerator, name, operands) [enumerator] = {name, operands},
    PN_DERIVED(DERIVED_ROW)
#undef DERIVED_ROW
};

/* "llvm.smax.i32": the rest of the name is the types. */
static int find_derived(const char *name)
{
    for (int i = 0; i < PN_DERIVED_COUNT; i++) {
        size_t length = strlen(derived[i].name);
        if (!strncmp(name + 5, derived[i].name, length) && name[5 + length] == '.')
            return i;
    }
    return -1;
}

static LLVMValueRef derive(struct emitter *emitter, LLVMValueRef call, int which)
{
    LLVMValueRef none = constant32(emitter, 0), zero = constant64(emitter, 0);
    LLVMValueRef arguments[] = {constant32(emitter, (uint32_t)which),
                                constant32(emitter, label_width(LLVMTypeOf(LLVMGetOperand(call, 0)))),
                                zero,
                                none,
                                zero,
                                none,
                                zero,
                                none};
    for (unsigned i = 0; i < derived[which].operands; i++) {
        arguments[2 + 2 * i] = as_word(emitter, LLVMGetOperand(call, i));
        arguments[3 + 2 * i] = label_of(emitter, LLVMGetOperand(call, i));
    }
    if (which == PN_SCMP || which == PN_UCMP)
        arguments[6] = constant64(emitter, label_width(LLVMTypeOf(call)));
    return call_hook(emitter, HOOK_derive, arguments, 8);
}

/* The first part of what an operation with overflow gives. */
static LLVMValueRef wrapped_result(struct emitter *emitter, LLVMValueRef call, int which)
{
    enum pn_operation operation = which == PN_SMUL_OVERFLOWS || which == PN_UMUL_OVERFLOWS   ? PN_MUL
                                  : which == PN_SSUB_OVERFLOWS || which == PN_USUB_OVERFLOWS ? PN_SUB
                                                                                             : PN_ADD;
    LLVMValueRef a = LLVMGetOperand(call, 0), b = LLVMGetOperand(call, 1);
    LLVMValueRef arguments[] = {constant32(emitter, operation),
                                constant32(emitter, label_width(LLVMTypeOf(a))),
                                as_word(emitter, a),
                                label_of(emitter, a),
                                as_word(emitter, b),
                                label_of(emitter, b),
                                constant32(emitter, 0)};
    return call_hook(emitter, HOOK_binary, arguments, 7);
}

static bool has_labelled_operand(struct emitter *emitter, LLVMValueRef call)
{
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
        if (!has_no_label(emitter, LLVMGetOperand(call, i)))
            return true;
    return false;
}

bool call_intrinsic(struct emitter *emitter, LLVMValueRef call)
{
    const char *name = called_name(call);
    int which = find_derived(name);
    if (!has_labelled_operand(emitter, call))
        return true;
    if (which < 0 || !label_width(LLVMTypeOf(LLVMGetOperand(call, 0)))) {
        leave_labels(emitter, call, LLVMGetNumArgOperands(call), name);
        return true;
    }
    place_after(emitter, call);
    if (!has_parts(LLVMTypeOf(call))) {
        set_label(emitter, call, derive(emitter, call, which));
        return true;
    }
    set_part_label(emitter, call, 0, wrapped_result(emitter, call, which));
    set_part_label(emitter, call, 1, derive(emitter, call, which));
    return true;
}

bool is_derived(const char *name)
{
    return !strncmp(name, "llvm.", 5) && find_derived(name) >= 0;
}
