/* What each LLVM instruction means for labels: one rule per opcode, in a table. An opcode without a rule is refused by
 * name. Arithmetic is here; memory_rules.c and control_rules.c have the rest. */
#include "instrument/rules.h"
#include "instrument/parts.h"

#include <llvm-c/DebugInfo.h>

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

static bool is_plain_scalar(LLVMTypeRef type)
{
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    return label_width(type) || kind == LLVMVoidTypeKind || kind == LLVMLabelTypeKind;
}

bool rule_bound(struct emitter *emitter, LLVMValueRef instruction)
{
    unsigned count = (unsigned)LLVMGetNumOperands(instruction);
    LLVMTypeRef type = LLVMTypeOf(instruction);
    for (unsigned i = 0; i < count && is_plain_scalar(type); i++)
        type = LLVMTypeOf(LLVMGetOperand(instruction, i));
    leave_labels(emitter, instruction, count, with_place(emitter, instruction, describe_type(type)));
    return true;
}

static bool binary(struct emitter *emitter, LLVMValueRef instruction)
{
    LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
    unsigned width = label_width(LLVMTypeOf(instruction));
    if (is_wide(LLVMTypeOf(instruction)))
        return binary_wide(emitter, instruction, binary_operations[opcode]);
    if (!width)
        return rule_bound(emitter, instruction);
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
        return rule_bound(emitter, instruction);
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
    if (has_parts(LLVMTypeOf(from)) || has_parts(LLVMTypeOf(instruction)))
        return cast_parts(emitter, instruction);
    if (!width)
        return rule_bound(emitter, instruction);
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

static LLVMValueRef negated_label(struct emitter *emitter, LLVMValueRef label)
{
    LLVMValueRef value = constant64(emitter, 0), none = constant32(emitter, 0); /* what it is, the label knows */
    LLVMValueRef arguments[] = {
        constant32(emitter, PN_XOR), constant32(emitter, 1), value, label, constant64(emitter, 1), none, none};
    return call_hook(emitter, HOOK_binary, arguments, 7);
}

static bool compare(struct emitter *emitter, LLVMValueRef instruction)
{
    LLVMIntPredicate predicate = LLVMGetICmpPredicate(instruction);
    bool exchanged = comparisons[predicate].exchanged;
    LLVMValueRef a = LLVMGetOperand(instruction, exchanged), b = LLVMGetOperand(instruction, !exchanged);
    LLVMValueRef la = label_of(emitter, a), lb = label_of(emitter, b);
    unsigned width = label_width(LLVMTypeOf(a));
    if (is_no_label(la) && is_no_label(lb))
        return true;
    if (!width && !is_wide(LLVMTypeOf(a)))
        return rule_bound(emitter, instruction);
    place_before(emitter, instruction);
    if (is_wide(LLVMTypeOf(a))) {
        LLVMValueRef label = compare_wide(emitter, comparisons[predicate].operation, a, b);
        set_label(emitter, instruction, comparisons[predicate].negated ? negated_label(emitter, label) : label);
        return true;
    }
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
    if (has_parts(LLVMTypeOf(instruction)))
        return choose_parts(emitter, instruction);
    if (!width)
        return rule_bound(emitter, instruction);
    place_before(emitter, instruction);
    LLVMValueRef arguments[] = {
        constant32(emitter, width), lc, as_word(emitter, condition), as_word(emitter, if_true), lt,
        as_word(emitter, if_false), lf};
    set_label(emitter, instruction, call_hook(emitter, HOOK_select, arguments, 7));
    return true;
}

/* clang calls fmod(); only bitcode from elsewhere has this. */
static bool remainder_of_floats(struct emitter *emitter, LLVMValueRef instruction)
{
    leave_labels(emitter, instruction, 2, "fmod");
    return true;
}

/* ---- the table ---- */

static rule *const rules[] = {
    [LLVMRet] = rule_return,
    [LLVMBr] = rule_branch,
    [LLVMSwitch] = rule_switch,
    [LLVMIndirectBr] = rule_jump_indirect,
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
    [LLVMFNeg] = rule_negate,
    [LLVMFAdd] = rule_floating,
    [LLVMFSub] = rule_floating,
    [LLVMFMul] = rule_floating,
    [LLVMFDiv] = rule_floating,
    [LLVMFRem] = remainder_of_floats,
    [LLVMFCmp] = rule_compare_floats,
    [LLVMFPTrunc] = rule_resize_float,
    [LLVMFPExt] = rule_resize_float,
    [LLVMFPToUI] = rule_make_integer,
    [LLVMFPToSI] = rule_make_integer,
    [LLVMUIToFP] = rule_make_float,
    [LLVMSIToFP] = rule_make_float,
    [LLVMAlloca] = rule_stack_object,
    [LLVMLoad] = rule_load,
    [LLVMStore] = rule_store,
    [LLVMGetElementPtr] = rule_element_pointer,
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
    [LLVMExtractElement] = rule_extract_element,
    [LLVMInsertElement] = rule_insert_element,
    [LLVMShuffleVector] = rule_shuffle,
    [LLVMExtractValue] = rule_extract_value,
    [LLVMInsertValue] = rule_insert_value,
    [LLVMFence] = without_label,
};

/* Conversions and arithmetic of floating point know nothing of integers of 128 bits, nor of vectors. */
static bool is_beyond_its_rule(LLVMOpcode opcode, LLVMValueRef instruction)
{
    switch (opcode) {
    case LLVMFNeg:
    case LLVMFAdd:
    case LLVMFSub:
    case LLVMFMul:
    case LLVMFDiv:
    case LLVMFRem:
    case LLVMFCmp:
    case LLVMFPTrunc:
    case LLVMFPExt:
    case LLVMFPToUI:
    case LLVMFPToSI:
    case LLVMUIToFP:
    case LLVMSIToFP: return has_parts(LLVMTypeOf(instruction)) || has_parts(LLVMTypeOf(LLVMGetOperand(instruction, 0)));
    default: return false;
    }
}

bool emit_instruction(struct emitter *emitter, LLVMValueRef instruction)
{
    LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
    if (is_beyond_its_rule(opcode, instruction))
        return rule_bound(emitter, instruction);
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
