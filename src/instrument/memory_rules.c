/* Rules for objects, addresses and accesses. */
#include "instrument/rules.h"

/* An access that one version's own code cannot be followed through: the versions part before it. The old one ends
 * there, and true is returned; the new one goes on as code of both versions does. */
static bool ends_before(struct emitter *emitter, LLVMValueRef access, uint32_t site)
{
    LLVMValueRef argument = constant32(emitter, site);
    place_before(emitter, access);
    if (emitter->side != PN_SIDE_BOTH)
        call_hook(emitter, emitter->side == PN_SIDE_OLD ? HOOK_old_external : HOOK_new_external, &argument, 1);
    return emitter->side == PN_SIDE_OLD;
}

static bool address_escapes(LLVMValueRef alloca)
{
    for (LLVMUseRef use = LLVMGetFirstUse(alloca); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        bool reads = LLVMIsALoadInst(user) != NULL;
        bool writes = LLVMIsAStoreInst(user) && LLVMGetOperand(user, 1) == alloca && LLVMGetOperand(user, 0) != alloca;
        if (!reads && !writes)
            return true;
    }
    return false;
}

/* Stack objects that can be accessed through computed addresses are made known while the function runs. */
bool rule_stack_object(struct emitter *emitter, LLVMValueRef alloca)
{
    LLVMTypeRef type = LLVMGetAllocatedType(alloca);
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    bool is_block =
        kind == LLVMArrayTypeKind || kind == LLVMStructTypeKind || !LLVMIsConstant(LLVMGetOperand(alloca, 0));
    leave_labels(emitter, alloca, 1, "the size of a variable-length array");
    if (!is_block && !address_escapes(alloca))
        return true;
    if (!emitter->stack_mark) {
        place_before(emitter, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(emitter->function)));
        emitter->stack_mark = call_hook(emitter, HOOK_stack_enter, NULL, 0);
    }
    place_after(emitter, alloca);
    LLVMValueRef count = as_word(emitter, LLVMGetOperand(alloca, 0));
    LLVMValueRef each = constant64(emitter, LLVMABISizeOfType(emitter->layout, type));
    LLVMValueRef arguments[] = {as_word(emitter, alloca), LLVMBuildMul(emitter->builder, count, each, "")};
    call_hook(emitter, HOOK_stack_object, arguments, 2);
    return true;
}

static bool is_pointer_arithmetic(LLVMValueRef value)
{
    return LLVMIsAGetElementPtrInst(value) ||
           (LLVMIsAConstantExpr(value) && LLVMGetConstOpcode(value) == LLVMGetElementPtr);
}

/* What an address was computed from. */
LLVMValueRef root_of(LLVMValueRef address)
{
    while (is_pointer_arithmetic(address))
        address = LLVMGetOperand(address, 0);
    return address;
}

/* The address of a variable is a pointer into it; any other value may be the end of the object before. */
static bool is_variable(LLVMValueRef value)
{
    return LLVMIsAAllocaInst(value) || LLVMIsAGlobalVariable(value);
}

/* Of a variable; 0 where only the run knows it. */
static uint64_t known_size(struct emitter *emitter, LLVMValueRef value)
{
    if (LLVMIsAGlobalVariable(value))
        return LLVMABISizeOfType(emitter->layout, LLVMGlobalGetValueType(value));
    LLVMValueRef count = LLVMIsAAllocaInst(value) ? LLVMGetOperand(value, 0) : NULL;
    if (!count || !LLVMIsAConstantInt(count))
        return 0;
    return LLVMABISizeOfType(emitter->layout, LLVMGetAllocatedType(value)) * LLVMConstIntGetZExtValue(count);
}

/* An address computed from a pointer must stay in the pointer's object. All addresses are checked in a build that
 * confirms failures, and in code of one version, where what is concrete may still differ between the versions. */
static void check_object(struct emitter *emitter, LLVMValueRef address, uint64_t size, uint32_t site)
{
    LLVMValueRef root = root_of(address);
    if (root == address)
        return;
    LLVMValueRef arguments[] = {as_word(emitter, root),
                                constant32(emitter, is_variable(root)),
                                constant64(emitter, known_size(emitter, root)),
                                as_word(emitter, address),
                                label_of(emitter, address),
                                constant64(emitter, size),
                                constant32(emitter, emitter->side),
                                constant32(emitter, site)};
    call_hook(emitter, HOOK_object_check, arguments, 8);
}

void check_block(struct emitter *emitter, LLVMValueRef address, LLVMValueRef size, uint32_t site)
{
    if (!emitter->options->check_objects || emitter->side != PN_SIDE_BOTH)
        return;
    LLVMValueRef root = root_of(address);
    LLVMValueRef label = LLVMBuildOr(emitter->builder, label_of(emitter, address), label_of(emitter, size), "");
    LLVMValueRef arguments[] = {as_word(emitter, root),
                                constant32(emitter, is_variable(root)),
                                constant64(emitter, known_size(emitter, root)),
                                as_word(emitter, address),
                                label,
                                as_word(emitter, size),
                                constant32(emitter, PN_SIDE_BOTH),
                                constant32(emitter, site)};
    call_hook(emitter, HOOK_object_check, arguments, 8);
}

static void check_address(struct emitter *emitter, LLVMValueRef address, uint64_t size, uint32_t site)
{
    LLVMValueRef label = label_of(emitter, address);
    if (emitter->options->check_objects || emitter->side != PN_SIDE_BOTH)
        check_object(emitter, address, size, site);
    if (is_no_label(label) && emitter->side == PN_SIDE_BOTH)
        return;
    LLVMValueRef arguments[] = {as_word(emitter, address), label, constant32(emitter, (uint32_t)size),
                                constant32(emitter, emitter->side), constant32(emitter, site)};
    call_hook(emitter, HOOK_check, arguments, 5);
}

/* The label of a value that is narrower than the bytes it was loaded from (a bool, a bit-field). */
static LLVMValueRef narrowed(struct emitter *emitter, LLVMValueRef label, unsigned width, LLVMValueRef word)
{
    if (width % 8 == 0)
        return label;
    LLVMValueRef cast[] = {constant32(emitter, PN_EXTRACT), constant32(emitter, width),
                           constant32(emitter, (width + 7) / 8 * 8), word, label};
    return call_hook(emitter, HOOK_cast, cast, 5);
}

static void emit_volatile(struct emitter *emitter, LLVMValueRef address, LLVMValueRef size, bool is_store)
{
    enum { PARAMETERS = 4 };
    if (LLVMIsAAllocaInst(root_of(address)))
        return;
    LLVMTypeRef parameters[PARAMETERS] = {emitter->i64, emitter->i32, emitter->i64, emitter->i32};
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(emitter->context), parameters, PARAMETERS, false);
    LLVMValueRef noting = LLVMGetNamedFunction(emitter->module, "__pn_volatile");
    noting = noting ? noting : LLVMAddFunction(emitter->module, "__pn_volatile", type);
    LLVMValueRef arguments[PARAMETERS] = {as_word(emitter, address), label_of(emitter, address), size,
                                          constant32(emitter, is_store)};
    LLVMBuildCall2(emitter->builder, type, noting, arguments, PARAMETERS, "");
}

/* Accesses of volatile variables are seen one by one, but not those of a function's own: see runtime/streams.c. */
static void note_volatile(struct emitter *emitter, LLVMValueRef access, LLVMValueRef address, uint64_t size)
{
    if (LLVMGetVolatile(access))
        emit_volatile(emitter, address, constant64(emitter, size), LLVMIsAStoreInst(access) != NULL);
}

/* A volatile structure is copied as a whole. */
void note_volatile_block(struct emitter *emitter, LLVMValueRef call, bool is_copy)
{
    enum { TO, FROM, SIZE, IS_VOLATILE };
    if (!LLVMGetIntrinsicID(LLVMGetCalledValue(call)) || LLVMGetNumArgOperands(call) <= IS_VOLATILE ||
        !LLVMConstIntGetZExtValue(LLVMGetOperand(call, IS_VOLATILE)))
        return;
    LLVMValueRef size = as_word(emitter, LLVMGetOperand(call, SIZE));
    if (is_copy)
        emit_volatile(emitter, LLVMGetOperand(call, FROM), size, false);
    emit_volatile(emitter, LLVMGetOperand(call, TO), size, true);
}

/* The old version's load: its value need not be what stands in memory. */
static void replace_old_load(struct emitter *emitter, LLVMValueRef load, LLVMValueRef *arguments)
{
    LLVMValueRef word = call_hook(emitter, HOOK_old_load, arguments, 5);
    LLVMValueRef label = LLVMBuildLoad2(emitter->builder, emitter->i32, emitter->old_label, "");
    LLVMValueRef value = from_word(emitter, word, LLVMTypeOf(load));
    LLVMReplaceAllUsesWith(load, value);
    LLVMInstructionEraseFromParent(load);
    set_label(emitter, value, narrowed(emitter, label, label_width(LLVMTypeOf(value)), word));
}

bool rule_load(struct emitter *emitter, LLVMValueRef instruction)
{
    LLVMValueRef address = LLVMGetOperand(instruction, 0);
    unsigned width = label_width(LLVMTypeOf(instruction));
    uint64_t size = LLVMStoreSizeOfType(emitter->layout, LLVMTypeOf(instruction));
    uint32_t site =
        site_of(emitter, instruction,
                width ? "an address" : with_place(emitter, instruction, describe_type(LLVMTypeOf(instruction))));
    LLVMValueRef at_site = constant32(emitter, site);
    bool aligned = LLVMGetAlignment(instruction) >= size;
    if (!width && ends_before(emitter, instruction, site))
        return true;
    place_before(emitter, instruction);
    check_address(emitter, address, size, site);
    note_volatile(emitter, instruction, address, size);
    note_number(emitter, instruction);
    if (!width) {
        LLVMValueRef arguments[] = {as_word(emitter, address), label_of(emitter, address), constant64(emitter, size),
                                    at_site};
        call_hook(emitter, HOOK_concretise, arguments, 4);
        return true;
    }
    if (emitter->side == PN_SIDE_OLD) {
        LLVMValueRef arguments[] = {as_word(emitter, address), label_of(emitter, address),
                                    constant32(emitter, (uint32_t)size), at_site, constant32(emitter, aligned)};
        replace_old_load(emitter, instruction, arguments);
        return true;
    }
    place_after(emitter, instruction);
    LLVMValueRef word = as_word(emitter, instruction);
    LLVMValueRef arguments[] = {
        as_word(emitter, address),   label_of(emitter, address), word, constant32(emitter, (uint32_t)size), at_site,
        constant32(emitter, aligned)};
    LLVMValueRef label = call_hook(emitter, emitter->side == PN_SIDE_NEW ? HOOK_new_load : HOOK_load, arguments, 6);
    set_label(emitter, instruction, narrowed(emitter, label, width, word));
    return true;
}

/* Where a pointer comes from is kept beside it, so that the versions' pointers are checked against their own objects.
 */
static LLVMValueRef label_to_store(struct emitter *emitter, LLVMValueRef value)
{
    LLVMValueRef label = label_of(emitter, value), root = root_of(value);
    if (emitter->side == PN_SIDE_BOTH || !is_variable(root))
        return label;
    LLVMValueRef arguments[] = {as_word(emitter, value), label, as_word(emitter, root)};
    return call_hook(emitter, HOOK_pointer_value, arguments, 3);
}

bool rule_store(struct emitter *emitter, LLVMValueRef instruction)
{
    LLVMValueRef value = LLVMGetOperand(instruction, 0), address = LLVMGetOperand(instruction, 1);
    unsigned width = label_width(LLVMTypeOf(value));
    uint64_t size = LLVMStoreSizeOfType(emitter->layout, LLVMTypeOf(value));
    uint32_t site = site_of(emitter, instruction,
                            width ? "an address" : with_place(emitter, instruction, describe_type(LLVMTypeOf(value))));
    if (!width && ends_before(emitter, instruction, site))
        return true;
    place_before(emitter, instruction);
    check_address(emitter, address, size, site);
    if (!width) {
        LLVMValueRef arguments[] = {as_word(emitter, address), label_of(emitter, address), constant64(emitter, size),
                                    constant32(emitter, site)};
        call_hook(emitter, HOOK_clear, arguments, 4);
        place_after(emitter, instruction);
        note_volatile(emitter, instruction, address, size);
        return true;
    }
    LLVMValueRef arguments[] = {as_word(emitter, address),
                                label_of(emitter, address),
                                as_word(emitter, value),
                                label_to_store(emitter, value),
                                constant32(emitter, (uint32_t)size),
                                constant32(emitter, site),
                                constant32(emitter, LLVMGetAlignment(instruction) >= size)};
    static const enum hook hooks[] = {
        [PN_SIDE_BOTH] = HOOK_store, [PN_SIDE_OLD] = HOOK_old_store, [PN_SIDE_NEW] = HOOK_new_store};
    call_hook(emitter, hooks[emitter->side], arguments, 7);
    if (emitter->side != PN_SIDE_OLD)
        place_after(emitter, instruction);
    note_volatile(emitter, instruction, address, size);
    if (emitter->side == PN_SIDE_OLD) /* the native bytes stay the new version's */
        LLVMInstructionEraseFromParent(instruction);
    return true;
}

/* Address arithmetic, one variable index at a time; constant parts are summed and given to the last step. */
bool rule_element_pointer(struct emitter *emitter, LLVMValueRef instruction)
{
    if (!label_width(LLVMTypeOf(instruction)))
        return rule_bound(emitter, instruction);
    unsigned count = LLVMGetNumIndices(instruction);
    LLVMTypeRef type = LLVMGetGEPSourceElementType(instruction);
    LLVMValueRef base = LLVMGetOperand(instruction, 0);
    LLVMValueRef label = label_of(emitter, base);
    uint64_t constant = 0;
    place_before(emitter, instruction);
    LLVMValueRef word = as_word(emitter, base);
    for (unsigned i = 0; i < count; i++) {
        LLVMValueRef index = LLVMGetOperand(instruction, i + 1);
        if (i > 0 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
            unsigned field = (unsigned)LLVMConstIntGetZExtValue(index);
            constant += LLVMOffsetOfElement(emitter->layout, type, field);
            type = LLVMStructGetTypeAtIndex(type, field);
            continue;
        }
        if (i > 0)
            type = LLVMGetElementType(type);
        uint64_t scale = LLVMABISizeOfType(emitter->layout, type);
        if (LLVMIsAConstantInt(index)) {
            constant += (uint64_t)LLVMConstIntGetSExtValue(index) * scale;
            continue;
        }
        LLVMValueRef on_index = label_of(emitter, index);
        unsigned width = label_width(LLVMTypeOf(index));
        LLVMValueRef wide = width < 64 ? LLVMBuildSExt(emitter->builder, index, emitter->i64, "") : index;
        if (!is_no_label(label) || !is_no_label(on_index)) {
            LLVMValueRef arguments[] = {word,
                                        label,
                                        as_word(emitter, index),
                                        on_index,
                                        constant32(emitter, width),
                                        constant64(emitter, scale),
                                        constant64(emitter, 0)};
            label = call_hook(emitter, HOOK_pointer, arguments, 7);
        }
        word = LLVMBuildAdd(emitter->builder, word,
                            LLVMBuildMul(emitter->builder, wide, constant64(emitter, scale), ""), "");
    }
    if (!is_no_label(label) && constant) {
        LLVMValueRef arguments[] = {word,
                                    label,
                                    constant64(emitter, 0),
                                    constant32(emitter, 0),
                                    constant32(emitter, 64),
                                    constant64(emitter, 1),
                                    constant64(emitter, constant)};
        label = call_hook(emitter, HOOK_pointer, arguments, 7);
    }
    if (!is_no_label(label))
        set_label(emitter, instruction, label);
    return true;
}
