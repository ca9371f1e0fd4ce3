/* What each LLVM instruction means for labels: one rule per opcode, in a table. An opcode without a rule is refused by
 * name. */
#include "build/emit.h"
#include "build/reach.h"

#include <llvm-c/DebugInfo.h>
#include <stdlib.h>

typedef bool rule(struct emitter *emitter, LLVMValueRef instruction);

/* ---- arithmetic ---- */

static const enum pn_operation binary_operations[] = {
    [LLVMAdd] = PN_ADD,   [LLVMSub] = PN_SUB,   [LLVMMul] = PN_MUL,   [LLVMUDiv] = PN_UDIV, [LLVMSDiv] = PN_SDIV,
    [LLVMURem] = PN_UREM, [LLVMSRem] = PN_SREM, [LLVMAnd] = PN_AND,   [LLVMOr] = PN_OR,     [LLVMXor] = PN_XOR,
    [LLVMShl] = PN_SHL,   [LLVMLShr] = PN_LSHR, [LLVMAShr] = PN_ASHR,
};

static bool without_label(struct emitter *emitter, LLVMValueRef instruction)
{
    (void)emitter, (void)instruction;
    return true;
}

/* Computes something labels do not describe: bound to the concrete operands. */
static bool bound(struct emitter *emitter, LLVMValueRef instruction)
{
    LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(instruction));
    bool is_float = kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind || kind == LLVMX86_FP80TypeKind;
    leave_labels(emitter, instruction, (unsigned)LLVMGetNumOperands(instruction),
                 is_float ? "floating point" : "values wider than 64 bits, vectors and structs");
    return true;
}

static bool binary(struct emitter *emitter, LLVMValueRef instruction)
{
    LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
    unsigned width = label_width(LLVMTypeOf(instruction));
    if (!width)
        return bound(emitter, instruction);
    LLVMValueRef a = LLVMGetOperand(instruction, 0), b = LLVMGetOperand(instruction, 1);
    LLVMValueRef la = label_of(emitter, a), lb = label_of(emitter, b);
    if (is_no_label(la) && is_no_label(lb))
        return true;
    place_before(emitter, instruction);
    bool no_wrap = emitter->options->mark_signed && (opcode == LLVMAdd || opcode == LLVMSub || opcode == LLVMMul) &&
                   LLVMGetNSW(instruction);
    uint32_t signed_for = no_wrap ? 1 + (uint32_t)emitter->side : 0;
    LLVMValueRef arguments[] = {constant32(emitter, binary_operations[opcode]),
                                constant32(emitter, width),
                                as_word(emitter, a),
                                la,
                                as_word(emitter, b),
                                lb,
                                constant32(emitter, signed_for)};
    set_label(emitter, instruction, call_hook(emitter, HOOK_binary, arguments, 7));
    return true;
}

/* The check comes before the division, which may trap. On the old side a divisor that traps is replaced. */
static bool division(struct emitter *emitter, LLVMValueRef instruction)
{
    unsigned width = label_width(LLVMTypeOf(instruction));
    if (!width)
        return bound(emitter, instruction);
    LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
    LLVMValueRef a = LLVMGetOperand(instruction, 0), b = LLVMGetOperand(instruction, 1);
    LLVMValueRef la = label_of(emitter, a), lb = label_of(emitter, b);
    bool on_old_side = emitter->side == PN_SIDE_OLD;
    if (is_no_label(la) && is_no_label(lb) && emitter->side == PN_SIDE_BOTH)
        return true;
    place_before(emitter, instruction);
    uint32_t site = site_of(emitter, instruction, "");
    LLVMValueRef arguments[] = {constant32(emitter, width),
                                constant32(emitter, opcode == LLVMSDiv || opcode == LLVMSRem),
                                as_word(emitter, a),
                                la,
                                as_word(emitter, b),
                                lb,
                                constant32(emitter, on_old_side ? site : emitter->side),
                                constant32(emitter, site)};
    if (!on_old_side) {
        call_hook(emitter, HOOK_division, arguments, 8);
        return binary(emitter, instruction);
    }
    LLVMValueRef divisor = call_hook(emitter, HOOK_old_division, arguments, 7);
    LLVMTypeRef type = LLVMTypeOf(b);
    LLVMSetOperand(instruction, 1, width < 64 ? LLVMBuildTrunc(emitter->builder, divisor, type, "") : divisor);
    set_label(emitter, LLVMGetOperand(instruction, 1), lb);
    return binary(emitter, instruction);
}

static bool cast_to(struct emitter *emitter, LLVMValueRef instruction, enum pn_operation operation)
{
    LLVMValueRef from = LLVMGetOperand(instruction, 0), label = label_of(emitter, from);
    unsigned width = label_width(LLVMTypeOf(instruction)), from_width = label_width(LLVMTypeOf(from));
    if (is_no_label(label))
        return true;
    if (!width)
        return bound(emitter, instruction);
    if (width == from_width) {
        set_label(emitter, instruction, label);
        return true;
    }
    place_before(emitter, instruction);
    LLVMValueRef arguments[] = {constant32(emitter, width < from_width ? PN_EXTRACT : operation),
                                constant32(emitter, width), constant32(emitter, from_width), as_word(emitter, from),
                                label};
    set_label(emitter, instruction, call_hook(emitter, HOOK_cast, arguments, 5));
    return true;
}

static bool zero_extend(struct emitter *emitter, LLVMValueRef instruction)
{
    return cast_to(emitter, instruction, PN_ZEXT);
}

static bool sign_extend(struct emitter *emitter, LLVMValueRef instruction)
{
    return cast_to(emitter, instruction, PN_SEXT);
}

/* How each comparison is said with the few that exist: possibly with operands exchanged, possibly negated. */
static const struct {
    enum pn_operation operation;
    bool exchanged, negated;
} comparisons[] = {
    [LLVMIntEQ] = {PN_EQ, false, false},   [LLVMIntNE] = {PN_EQ, false, true},    [LLVMIntUGT] = {PN_ULT, true, false},
    [LLVMIntUGE] = {PN_ULE, true, false},  [LLVMIntULT] = {PN_ULT, false, false}, [LLVMIntULE] = {PN_ULE, false, false},
    [LLVMIntSGT] = {PN_SLT, true, false},  [LLVMIntSGE] = {PN_SLE, true, false},  [LLVMIntSLT] = {PN_SLT, false, false},
    [LLVMIntSLE] = {PN_SLE, false, false},
};

static bool compare(struct emitter *emitter, LLVMValueRef instruction)
{
    LLVMIntPredicate predicate = LLVMGetICmpPredicate(instruction);
    bool exchanged = comparisons[predicate].exchanged;
    LLVMValueRef a = LLVMGetOperand(instruction, exchanged), b = LLVMGetOperand(instruction, !exchanged);
    LLVMValueRef la = label_of(emitter, a), lb = label_of(emitter, b);
    unsigned width = label_width(LLVMTypeOf(a));
    if (is_no_label(la) && is_no_label(lb))
        return true;
    place_before(emitter, instruction);
    LLVMValueRef arguments[] = {constant32(emitter, comparisons[predicate].operation),
                                constant32(emitter, comparisons[predicate].negated),
                                constant32(emitter, width),
                                as_word(emitter, a),
                                la,
                                as_word(emitter, b),
                                lb};
    set_label(emitter, instruction, call_hook(emitter, HOOK_compare, arguments, 7));
    return true;
}

static bool choose(struct emitter *emitter, LLVMValueRef instruction)
{
    LLVMValueRef condition = LLVMGetOperand(instruction, 0);
    LLVMValueRef if_true = LLVMGetOperand(instruction, 1), if_false = LLVMGetOperand(instruction, 2);
    LLVMValueRef lc = label_of(emitter, condition), lt = label_of(emitter, if_true), lf = label_of(emitter, if_false);
    unsigned width = label_width(LLVMTypeOf(instruction));
    if (is_no_label(lc) && is_no_label(lt) && is_no_label(lf))
        return true;
    if (!width)
        return bound(emitter, instruction);
    place_before(emitter, instruction);
    LLVMValueRef arguments[] = {
        constant32(emitter, width), lc, as_word(emitter, condition), as_word(emitter, if_true), lt,
        as_word(emitter, if_false), lf};
    set_label(emitter, instruction, call_hook(emitter, HOOK_select, arguments, 7));
    return true;
}

/* ---- memory ---- */

/* Something that one version's own code cannot be followed through: the versions part before it. */
static bool part_before(struct emitter *emitter, LLVMValueRef instruction, const char *what)
{
    place_before(emitter, instruction);
    LLVMValueRef site = constant32(emitter, site_of(emitter, instruction, what));
    call_hook(emitter, emitter->side == PN_SIDE_OLD ? HOOK_old_external : HOOK_new_external, &site, 1);
    return true;
}

/* The integer as which one-sided code moves a value that labels do not describe; NULL when there is none. */
static LLVMTypeRef moved_as(struct emitter *emitter, LLVMTypeRef type)
{
    switch (LLVMGetTypeKind(type)) {
    case LLVMFloatTypeKind: return emitter->i32;
    case LLVMDoubleTypeKind: return emitter->i64;
    default: return NULL;
    }
}

/* A float is loaded and stored as its bits, so that the rules for integers do the rest. */
static LLVMValueRef load_as_integer(struct emitter *emitter, LLVMValueRef load, LLVMTypeRef as)
{
    place_before(emitter, load);
    LLVMValueRef bits = LLVMBuildLoad2(emitter->builder, as, LLVMGetOperand(load, 0), "");
    LLVMSetAlignment(bits, LLVMGetAlignment(load));
    LLVMReplaceAllUsesWith(load, LLVMBuildBitCast(emitter->builder, bits, LLVMTypeOf(load), ""));
    LLVMInstructionEraseFromParent(load);
    return bits;
}

static LLVMValueRef store_as_integer(struct emitter *emitter, LLVMValueRef store, LLVMTypeRef as)
{
    place_before(emitter, store);
    LLVMValueRef bits = LLVMBuildBitCast(emitter->builder, LLVMGetOperand(store, 0), as, "");
    LLVMValueRef moved = LLVMBuildStore(emitter->builder, bits, LLVMGetOperand(store, 1));
    LLVMSetAlignment(moved, LLVMGetAlignment(store));
    LLVMInstructionEraseFromParent(store);
    return moved;
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
static bool stack_object(struct emitter *emitter, LLVMValueRef alloca)
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
static LLVMValueRef root_of(LLVMValueRef address)
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

/* An address computed from a pointer must stay in the pointer's object. All addresses are checked in a build that
 * confirms failures, and in code of one version, where what is concrete may still differ between the versions. */
static void check_object(struct emitter *emitter, LLVMValueRef address, uint64_t size, uint32_t site)
{
    LLVMValueRef root = root_of(address);
    if (root == address)
        return;
    LLVMValueRef arguments[] = {as_word(emitter, root),    constant32(emitter, is_variable(root)),
                                as_word(emitter, address), label_of(emitter, address),
                                constant64(emitter, size), constant32(emitter, emitter->side),
                                constant32(emitter, site)};
    call_hook(emitter, HOOK_object_check, arguments, 7);
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

static LLVMValueRef from_word(struct emitter *emitter, LLVMValueRef word, LLVMTypeRef type)
{
    if (LLVMGetTypeKind(type) == LLVMPointerTypeKind)
        return LLVMBuildIntToPtr(emitter->builder, word, type, "");
    return LLVMGetIntTypeWidth(type) == 64 ? word : LLVMBuildTrunc(emitter->builder, word, type, "");
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

/* The old version's load: its value need not be what stands in memory. */
static void replace_old_load(struct emitter *emitter, LLVMValueRef load, LLVMValueRef *arguments)
{
    LLVMValueRef word = call_hook(emitter, HOOK_old_load, arguments, 4);
    LLVMValueRef label = LLVMBuildLoad2(emitter->builder, emitter->i32, emitter->old_label, "");
    LLVMValueRef value = from_word(emitter, word, LLVMTypeOf(load));
    LLVMReplaceAllUsesWith(load, value);
    LLVMInstructionEraseFromParent(load);
    set_label(emitter, value, narrowed(emitter, label, label_width(LLVMTypeOf(value)), word));
}

static bool load(struct emitter *emitter, LLVMValueRef instruction)
{
    LLVMTypeRef as = moved_as(emitter, LLVMTypeOf(instruction));
    if (emitter->side != PN_SIDE_BOTH && as)
        return load(emitter, load_as_integer(emitter, instruction, as));
    if (emitter->side != PN_SIDE_BOTH && !label_width(LLVMTypeOf(instruction)))
        return part_before(emitter, instruction, "values wider than 64 bits, vectors and structs");
    LLVMValueRef address = LLVMGetOperand(instruction, 0);
    unsigned width = label_width(LLVMTypeOf(instruction));
    uint64_t size = LLVMStoreSizeOfType(emitter->layout, LLVMTypeOf(instruction));
    uint32_t site = site_of(emitter, instruction, width ? "an address" : "floating point, vectors and structs");
    LLVMValueRef at_site = constant32(emitter, site);
    place_before(emitter, instruction);
    check_address(emitter, address, size, site);
    if (!width) {
        LLVMValueRef arguments[] = {as_word(emitter, address), label_of(emitter, address), constant64(emitter, size),
                                    at_site};
        call_hook(emitter, HOOK_concretise, arguments, 4);
        return true;
    }
    if (emitter->side == PN_SIDE_OLD) {
        LLVMValueRef arguments[] = {as_word(emitter, address), label_of(emitter, address),
                                    constant32(emitter, (uint32_t)size), at_site};
        replace_old_load(emitter, instruction, arguments);
        return true;
    }
    place_after(emitter, instruction);
    LLVMValueRef word = as_word(emitter, instruction);
    LLVMValueRef arguments[] = {as_word(emitter, address),
                                label_of(emitter, address),
                                word,
                                constant32(emitter, (uint32_t)size),
                                at_site,
                                constant32(emitter, LLVMGetAlignment(instruction) >= size)};
    LLVMValueRef label = emitter->side == PN_SIDE_NEW ? call_hook(emitter, HOOK_new_load, arguments, 5)
                                                      : call_hook(emitter, HOOK_load, arguments, 6);
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

static bool store(struct emitter *emitter, LLVMValueRef instruction)
{
    LLVMTypeRef as = moved_as(emitter, LLVMTypeOf(LLVMGetOperand(instruction, 0)));
    if (emitter->side != PN_SIDE_BOTH && as)
        return store(emitter, store_as_integer(emitter, instruction, as));
    if (emitter->side != PN_SIDE_BOTH && !label_width(LLVMTypeOf(LLVMGetOperand(instruction, 0))))
        return part_before(emitter, instruction, "values wider than 64 bits, vectors and structs");
    LLVMValueRef value = LLVMGetOperand(instruction, 0), address = LLVMGetOperand(instruction, 1);
    unsigned width = label_width(LLVMTypeOf(value));
    uint64_t size = LLVMStoreSizeOfType(emitter->layout, LLVMTypeOf(value));
    uint32_t site = site_of(emitter, instruction, width ? "an address" : "floating point, vectors and structs");
    place_before(emitter, instruction);
    check_address(emitter, address, size, site);
    if (!width) {
        LLVMValueRef arguments[] = {as_word(emitter, address), label_of(emitter, address), constant64(emitter, size),
                                    constant32(emitter, site)};
        call_hook(emitter, HOOK_clear, arguments, 4);
        return true;
    }
    LLVMValueRef arguments[] = {as_word(emitter, address),
                                label_of(emitter, address),
                                as_word(emitter, value),
                                label_to_store(emitter, value),
                                constant32(emitter, (uint32_t)size),
                                constant32(emitter, site),
                                constant32(emitter, LLVMGetAlignment(instruction) >= size)};
    if (emitter->side == PN_SIDE_BOTH)
        call_hook(emitter, HOOK_store, arguments, 7);
    else
        call_hook(emitter, emitter->side == PN_SIDE_OLD ? HOOK_old_store : HOOK_new_store, arguments, 6);
    if (emitter->side == PN_SIDE_OLD) /* the native bytes stay the new version's */
        LLVMInstructionEraseFromParent(instruction);
    return true;
}

/* Address arithmetic, one variable index at a time; constant parts are summed and given to the last step. */
static bool element_pointer(struct emitter *emitter, LLVMValueRef instruction)
{
    if (!label_width(LLVMTypeOf(instruction)))
        return bound(emitter, instruction);
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

static bool atomic(struct emitter *emitter, LLVMValueRef instruction)
{
    if (emitter->side != PN_SIDE_BOTH)
        return part_before(emitter, instruction, "an atomic operation");
    LLVMValueRef address = LLVMGetOperand(instruction, 0);
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(instruction, 1));
    uint32_t site = site_of(emitter, instruction, "an atomic operation");
    leave_labels(emitter, instruction, (unsigned)LLVMGetNumOperands(instruction), "an atomic operation");
    LLVMValueRef arguments[] = {as_word(emitter, address), constant32(emitter, 0),
                                constant64(emitter, LLVMStoreSizeOfType(emitter->layout, type)),
                                constant32(emitter, site)};
    call_hook(emitter, HOOK_concretise, arguments, 4);
    call_hook(emitter, HOOK_clear, arguments, 4);
    return true;
}

/* ---- control ---- */

/* The code of one version may not end by itself: its steps are counted. */
static void count_step(struct emitter *emitter, LLVMValueRef instruction)
{
    if (emitter->side == PN_SIDE_BOTH)
        return;
    place_before(emitter, instruction);
    LLVMValueRef site = constant32(emitter, site_of(emitter, instruction, ""));
    call_hook(emitter, emitter->side == PN_SIDE_OLD ? HOOK_old_step : HOOK_new_step, &site, 1);
}

/* The site of a branch or switch, with what its outcomes lead to. In the code of one version a change was reached. */
static uint32_t decision_site(struct emitter *emitter, LLVMValueRef instruction)
{
    uint32_t site = site_of(emitter, instruction, "");
    if (emitter->side == PN_SIDE_BOTH)
        reach_note(emitter->reach, instruction, emitter->sites, site);
    return site;
}

static bool branch(struct emitter *emitter, LLVMValueRef instruction)
{
    count_step(emitter, instruction);
    if (!LLVMIsConditional(instruction))
        return true;
    LLVMValueRef condition = LLVMGetCondition(instruction), label = label_of(emitter, condition);
    if (is_no_label(label))
        return true;
    place_before(emitter, instruction);
    LLVMValueRef arguments[] = {label, LLVMBuildZExt(emitter->builder, condition, emitter->i32, ""),
                                constant32(emitter, decision_site(emitter, instruction))};
    call_hook(emitter, HOOK_branch, arguments, 3);
    return true;
}

struct switch_row {
    uint64_t value;
    unsigned target; /* numbered by first appearance; 0: the default's block */
};

static int compare_rows(const void *one, const void *other)
{
    const struct switch_row *a = one, *b = other;
    if (a->target != b->target)
        return a->target < b->target ? -1 : 1;
    return a->value < b->value ? -1 : a->value > b->value;
}

static unsigned number_target(LLVMValueRef instruction, unsigned successor)
{
    LLVMBasicBlockRef block = LLVMGetSuccessor(instruction, successor);
    for (unsigned i = 0; i < successor; i++)
        if (LLVMGetSuccessor(instruction, i) == block)
            return i;
    return successor;
}

/* A constant table of struct pn_switch_case: values of one target that follow each other make one row. */
static LLVMValueRef case_table(struct emitter *emitter, LLVMValueRef instruction, uint32_t *row_count)
{
    unsigned count = LLVMGetNumSuccessors(instruction) - 1, used = 0;
    struct switch_row *rows = array_reserve(NULL, &(size_t){0}, count + 1, sizeof *rows);
    for (unsigned i = 0; i < count; i++) {
        unsigned target = number_target(instruction, i + 1);
        if (target)
            rows[used++] =
                (struct switch_row){LLVMConstIntGetZExtValue(LLVMGetOperand(instruction, 2 + 2 * i)), target};
    }
    qsort(rows, used, sizeof *rows, compare_rows);
    LLVMTypeRef fields[] = {emitter->i64, emitter->i64, emitter->i32, emitter->i32};
    LLVMTypeRef row_type = LLVMStructTypeInContext(emitter->context, fields, 4, false);
    LLVMValueRef *table = array_reserve(NULL, &(size_t){0}, used + 1, sizeof *table);
    *row_count = 0;
    for (unsigned i = 0; i < used;) {
        unsigned last = i;
        while (last + 1 < used && rows[last + 1].target == rows[i].target &&
               rows[last + 1].value == rows[last].value + 1)
            last++;
        LLVMValueRef values[] = {constant64(emitter, rows[i].value), constant64(emitter, rows[last].value),
                                 constant32(emitter, rows[i].target), constant32(emitter, 0)};
        table[(*row_count)++] = LLVMConstStructInContext(emitter->context, values, 4, false);
        i = last + 1;
    }
    LLVMValueRef array = LLVMConstArray2(row_type, table, *row_count);
    LLVMValueRef global = LLVMAddGlobal(emitter->module, LLVMTypeOf(array), "__pn_cases");
    LLVMSetInitializer(global, array);
    LLVMSetLinkage(global, LLVMPrivateLinkage);
    LLVMSetGlobalConstant(global, true);
    free(rows), free(table);
    return global;
}

static bool switch_to(struct emitter *emitter, LLVMValueRef instruction)
{
    LLVMValueRef value = LLVMGetOperand(instruction, 0), label = label_of(emitter, value);
    count_step(emitter, instruction);
    if (is_no_label(label))
        return label_width(LLVMTypeOf(value)) ? true : bound(emitter, instruction);
    uint32_t row_count;
    LLVMValueRef table = case_table(emitter, instruction, &row_count);
    place_before(emitter, instruction);
    LLVMValueRef arguments[] = {label,
                                as_word(emitter, value),
                                constant32(emitter, label_width(LLVMTypeOf(value))),
                                constant32(emitter, decision_site(emitter, instruction)),
                                table,
                                constant32(emitter, row_count)};
    call_hook(emitter, HOOK_switch, arguments, 6);
    return true;
}

static bool jump_indirect(struct emitter *emitter, LLVMValueRef instruction)
{
    leave_labels(emitter, instruction, 1, "a computed goto");
    return true;
}

static bool return_value(struct emitter *emitter, LLVMValueRef instruction)
{
    place_before(emitter, instruction);
    if (LLVMGetNumOperands(instruction)) {
        LLVMValueRef label = label_of(emitter, LLVMGetOperand(instruction, 0));
        if (!is_no_label(label))
            call_hook(emitter, HOOK_return, &label, 1);
    }
    if (emitter->stack_mark)
        call_hook(emitter, HOOK_stack_leave, &emitter->stack_mark, 1);
    return true;
}

static rule *const rules[] = {
    [LLVMRet] = return_value,
    [LLVMBr] = branch,
    [LLVMSwitch] = switch_to,
    [LLVMIndirectBr] = jump_indirect,
    [LLVMUnreachable] = without_label,
    [LLVMAdd] = binary,
    [LLVMSub] = binary,
    [LLVMMul] = binary,
    [LLVMUDiv] = division,
    [LLVMSDiv] = division,
    [LLVMURem] = division,
    [LLVMSRem] = division,
    [LLVMShl] = binary,
    [LLVMLShr] = binary,
    [LLVMAShr] = binary,
    [LLVMAnd] = binary,
    [LLVMOr] = binary,
    [LLVMXor] = binary,
    [LLVMFNeg] = without_label,
    [LLVMFAdd] = without_label,
    [LLVMFSub] = without_label,
    [LLVMFMul] = without_label,
    [LLVMFDiv] = without_label,
    [LLVMFRem] = without_label,
    [LLVMFCmp] = without_label,
    [LLVMFPTrunc] = without_label,
    [LLVMFPExt] = without_label,
    [LLVMFPToUI] = without_label,
    [LLVMFPToSI] = without_label,
    [LLVMUIToFP] = bound,
    [LLVMSIToFP] = bound,
    [LLVMAlloca] = stack_object,
    [LLVMLoad] = load,
    [LLVMStore] = store,
    [LLVMGetElementPtr] = element_pointer,
    [LLVMTrunc] = zero_extend, /* narrower results are extracts whatever the rule */
    [LLVMZExt] = zero_extend,
    [LLVMSExt] = sign_extend,
    [LLVMPtrToInt] = zero_extend,
    [LLVMIntToPtr] = zero_extend,
    [LLVMBitCast] = zero_extend,
    [LLVMAddrSpaceCast] = zero_extend,
    [LLVMFreeze] = zero_extend,
    [LLVMICmp] = compare,
    [LLVMSelect] = choose,
    [LLVMCall] = emit_call,
    [LLVMVAArg] = without_label,
    [LLVMExtractElement] = bound,
    [LLVMInsertElement] = bound,
    [LLVMShuffleVector] = bound,
    [LLVMExtractValue] = bound,
    [LLVMInsertValue] = bound,
    [LLVMFence] = without_label,
    [LLVMAtomicCmpXchg] = atomic,
    [LLVMAtomicRMW] = atomic,
};

bool emit_instruction(struct emitter *emitter, LLVMValueRef instruction)
{
    LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
    if (opcode < sizeof rules / sizeof *rules && rules[opcode])
        return rules[opcode](emitter, instruction);
    unsigned length = 0;
    const char *file = LLVMGetDebugLocFilename(instruction, &length);
    char *text = LLVMPrintValueToString(instruction);
    error_set(emitter->error, "%.*s:%u: the instruction '%s' is not supported: leave this function out of the build",
              (int)length, file ? file : "", LLVMGetDebugLocLine(instruction), text);
    LLVMDisposeMessage(text);
    return false;
}
