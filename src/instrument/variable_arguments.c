/* Lists of variable arguments. On x86-64 va_arg() is loads, from where a function with `...` has saved its registers
 * and from its caller's frame. The caller of such a function says where each argument will lie, by the rules of the
 * calling convention; the function, on entry, puts the labels there. */
#include "instrument/calls.h"
#include "instrument/parts.h"

#include <string.h>

enum { GENERAL_REGISTERS = 6, VECTOR_REGISTERS = 8, LIST_BYTES = 24 };

struct place {
    bool in_memory;
    uint64_t offset;
};

/* What the arguments so far have taken. */
struct taken {
    unsigned general, vector;
    uint64_t memory;
};

static struct place place_in_memory(struct taken *taken, uint64_t size, uint64_t alignment)
{
    taken->memory = (taken->memory + alignment - 1) / alignment * alignment;
    struct place place = {true, taken->memory};
    taken->memory += (size + 7) / 8 * 8;
    return place;
}

static struct place place_in_vector(struct taken *taken, uint64_t size)
{
    if (taken->vector == VECTOR_REGISTERS)
        return place_in_memory(taken, size, size > 8 ? 16 : 8);
    return (struct place){false, 8 * GENERAL_REGISTERS + 16 * taken->vector++};
}

static struct place place_in_general(struct taken *taken)
{
    if (taken->general == GENERAL_REGISTERS)
        return place_in_memory(taken, 8, 8);
    return (struct place){false, 8 * taken->general++};
}

static bool place_argument(struct emitter *emitter, LLVMValueRef call, unsigned argument, struct taken *taken,
                           struct place *place)
{
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(call, argument));
    uint64_t by_value = by_value_size(emitter, call, argument), size = LLVMABISizeOfType(emitter->layout, type);
    if (by_value) {
        unsigned kind = LLVMGetEnumAttributeKindForName("align", 5);
        LLVMAttributeRef attribute = LLVMGetCallSiteEnumAttribute(call, argument + 1, kind);
        uint64_t alignment = attribute ? LLVMGetEnumAttributeValue(attribute) : 8;
        *place = place_in_memory(taken, by_value, alignment > 8 ? alignment : 8);
        return true;
    }
    switch (LLVMGetTypeKind(type)) {
    case LLVMX86_FP80TypeKind: *place = place_in_memory(taken, 16, 16); return true;
    case LLVMIntegerTypeKind:
    case LLVMPointerTypeKind: *place = size <= 8 ? place_in_general(taken) : *place; return size <= 8;
    case LLVMHalfTypeKind:
    case LLVMFloatTypeKind:
    case LLVMDoubleTypeKind:
    case LLVMVectorTypeKind: *place = size <= 16 ? place_in_vector(taken, size) : *place; return size <= 16;
    default: return false;
    }
}

static void pass_labels(struct emitter *emitter, LLVMValueRef argument, struct place place)
{
    for (unsigned part = 0; part < part_count(LLVMTypeOf(argument)); part++) {
        LLVMValueRef label = part_label(emitter, argument, part);
        if (is_no_label(label))
            continue;
        uint64_t offset = place.offset + part_offset(emitter, LLVMTypeOf(argument), part);
        LLVMValueRef arguments[] = {constant32(emitter, place.in_memory), constant32(emitter, (uint32_t)offset), label};
        call_hook(emitter, HOOK_pass_variable, arguments, 3);
    }
}

static void pass_block(struct emitter *emitter, LLVMValueRef call, unsigned argument, struct place place)
{
    LLVMValueRef from = LLVMGetOperand(call, argument);
    leave_operand(emitter, call, from, "the address of a struct passed by value");
    LLVMValueRef arguments[] = {constant32(emitter, (uint32_t)place.offset), as_word(emitter, from),
                                constant64(emitter, by_value_size(emitter, call, argument))};
    call_hook(emitter, HOOK_pass_variable_block, arguments, 3);
}

void pass_variable_arguments(struct emitter *emitter, LLVMValueRef call)
{
    unsigned count = LLVMGetNumArgOperands(call), named = LLVMCountParamTypes(LLVMGetCalledFunctionType(call));
    struct taken taken = {0};
    uint64_t memory_of_named = 0;
    bool known = true;
    for (unsigned i = 0; i < count; i++) {
        struct place place = {0};
        LLVMValueRef argument = LLVMGetOperand(call, i);
        memory_of_named = i == named ? taken.memory : memory_of_named;
        known = known && place_argument(emitter, call, i, &taken, &place);
        place.offset -= place.in_memory ? memory_of_named : 0;
        if (i < named)
            continue;
        if (!known)
            leave_operand(emitter, call, argument, with_place(emitter, call, "a variable argument list"));
        else if (by_value_size(emitter, call, i))
            pass_block(emitter, call, i, place);
        else
            pass_labels(emitter, argument, place);
    }
    LLVMValueRef size = constant64(emitter, count > named ? taken.memory - memory_of_named : 0);
    call_hook(emitter, HOOK_variable_size, &size, 1);
}

/* A list of its own tells where the arguments are. */
void take_variable_arguments(struct emitter *emitter)
{
    LLVMTypeRef bytes = LLVMArrayType2(LLVMInt8TypeInContext(emitter->context), LIST_BYTES);
    LLVMTypeRef pointer = LLVMPointerTypeInContext(emitter->context, 0);
    LLVMValueRef list = LLVMBuildAlloca(emitter->builder, bytes, "__pn_list");
    LLVMSetAlignment(list, 16);
    LLVMValueRef start =
        LLVMGetIntrinsicDeclaration(emitter->module, LLVMLookupIntrinsicID("llvm.va_start", 13), &pointer, 1);
    LLVMBuildCall2(emitter->builder, LLVMGlobalGetValueType(start), start, &list, 1, "");
    LLVMValueRef address = as_word(emitter, list);
    call_hook(emitter, HOOK_take_variable, &address, 1);
}

/* ---- va_start, va_copy ---- */

/* The labels of a list; in one version's own code also its bytes. */
static void copy_list_labels(struct emitter *emitter, LLVMValueRef call, LLVMValueRef to, LLVMValueRef from)
{
    bool both = emitter->side == PN_SIDE_BOTH;
    LLVMValueRef arguments[] = {constant32(emitter, emitter->side),
                                as_word(emitter, to),
                                label_of(emitter, to),
                                as_word(emitter, from),
                                label_of(emitter, from),
                                constant64(emitter, LIST_BYTES),
                                constant32(emitter, 0),
                                constant32(emitter, site_of(emitter, call, "the address of an argument list"))};
    call_hook(emitter, both ? HOOK_copy : HOOK_side_copy, both ? arguments + 1 : arguments, both ? 7 : 8);
}

/* One version's list is made beside, and copied as that version stores. */
static bool start_list_one_sided(struct emitter *emitter, LLVMValueRef call)
{
    LLVMValueRef list = LLVMGetOperand(call, 0);
    LLVMTypeRef bytes = LLVMArrayType2(LLVMInt8TypeInContext(emitter->context), LIST_BYTES);
    place_before(emitter, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(emitter->function)));
    LLVMValueRef own = LLVMBuildAlloca(emitter->builder, bytes, "__pn_list");
    LLVMSetAlignment(own, 16);
    LLVMSetOperand(call, 0, own);
    place_after(emitter, call);
    LLVMValueRef clear[] = {as_word(emitter, own), constant32(emitter, 0), constant64(emitter, LIST_BYTES),
                            constant32(emitter, 0)};
    call_hook(emitter, HOOK_clear, clear, 4); /* the place may have labels of a function that has returned */
    copy_list_labels(emitter, call, list, own);
    return true;
}

bool start_list(struct emitter *emitter, LLVMValueRef call)
{
    size_t length;
    if (!strncmp(LLVMGetValueName2(LLVMGetOperand(call, 0), &length), "__pn_list", 9)) /* our own */
        return true;
    if (emitter->side != PN_SIDE_BOTH)
        return start_list_one_sided(emitter, call);
    LLVMValueRef list = LLVMGetOperand(call, 0);
    place_before(emitter, call);
    LLVMValueRef arguments[] = {as_word(emitter, list), label_of(emitter, list), constant64(emitter, LIST_BYTES),
                                constant32(emitter, site_of(emitter, call, "the address of an argument list"))};
    call_hook(emitter, HOOK_clear, arguments, 4);
    return true;
}

bool copy_list(struct emitter *emitter, LLVMValueRef call)
{
    place_before(emitter, call);
    copy_list_labels(emitter, call, LLVMGetOperand(call, 0), LLVMGetOperand(call, 1));
    if (emitter->side != PN_SIDE_BOTH)
        LLVMInstructionEraseFromParent(call);
    return true;
}
