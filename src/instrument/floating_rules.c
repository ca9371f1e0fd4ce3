/* Rules for float and double: instructions, and the functions of <math.h>. Behind an operation that may make a NaN its
 * value is settled: where it has a label, the NaN is the one that evaluation knows (trace/floating.h). */
#include "instrument/calls.h"
#include "instrument/mathematics.h"
#include "instrument/rules.h"

#include <stdio.h>
#include <string.h>

static uint64_t mask_of(unsigned width)
{
    return pn_mask(width) >> 1;
}

/* ---- operations ---- */

/* From here on the settled value stands for the instruction's. */
static void settle(struct emitter *emitter, LLVMValueRef instruction, LLVMValueRef label)
{
    bool is_float = LLVMGetTypeKind(LLVMTypeOf(instruction)) == LLVMFloatTypeKind;
    LLVMValueRef arguments[] = {label, LLVMGetUndef(LLVMTypeOf(instruction))};
    LLVMValueRef settled = call_hook(emitter, is_float ? HOOK_settle_float : HOOK_settle_double, arguments, 2);
    LLVMReplaceAllUsesWith(instruction, settled);
    LLVMSetOperand(settled, 1, instruction);
    set_label(emitter, settled, label);
}

static bool operate(struct emitter *emitter, LLVMValueRef instruction, enum pn_operation operation, LLVMValueRef a,
                    LLVMValueRef b, uint64_t detail)
{
    LLVMValueRef la = label_of(emitter, a), lb = b ? label_of(emitter, b) : constant32(emitter, 0);
    if (is_no_label(la) && is_no_label(lb))
        return true;
    place_after(emitter, instruction);
    LLVMValueRef arguments[] = {constant32(emitter, operation),
                                constant32(emitter, label_width(LLVMTypeOf(instruction))),
                                as_word(emitter, a),
                                la,
                                b ? as_word(emitter, b) : constant64(emitter, detail),
                                lb};
    settle(emitter, instruction, call_hook(emitter, HOOK_floating, arguments, 6));
    return true;
}

bool rule_floating(struct emitter *emitter, LLVMValueRef instruction)
{
    static const enum pn_operation operations[] = {
        [LLVMFAdd] = PN_FADD, [LLVMFSub] = PN_FSUB, [LLVMFMul] = PN_FMUL, [LLVMFDiv] = PN_FDIV};
    if (!is_floating(LLVMTypeOf(instruction)))
        return true; /* its operands have no labels */
    return operate(emitter, instruction, operations[LLVMGetInstructionOpcode(instruction)],
                   LLVMGetOperand(instruction, 0), LLVMGetOperand(instruction, 1), 0);
}

static LLVMValueRef bitwise(struct emitter *emitter, enum pn_operation operation, LLVMValueRef value,
                            LLVMValueRef label, uint64_t constant)
{
    LLVMValueRef arguments[] = {constant32(emitter, operation), constant32(emitter, label_width(LLVMTypeOf(value))),
                                as_word(emitter, value),        label,
                                constant64(emitter, constant),  constant32(emitter, 0),
                                constant32(emitter, 0)};
    return call_hook(emitter, HOOK_binary, arguments, 7);
}

bool rule_negate(struct emitter *emitter, LLVMValueRef instruction)
{
    LLVMValueRef value = LLVMGetOperand(instruction, 0), label = label_of(emitter, value);
    if (is_no_label(label))
        return true;
    place_before(emitter, instruction);
    set_label(emitter, instruction,
              bitwise(emitter, PN_XOR, value, label, pn_float_sign(label_width(LLVMTypeOf(value)))));
    return true;
}

/* ---- conversions ---- */

bool rule_resize_float(struct emitter *emitter, LLVMValueRef instruction)
{
    LLVMValueRef from = LLVMGetOperand(instruction, 0);
    if (is_floating(LLVMTypeOf(instruction)) && is_floating(LLVMTypeOf(from)))
        return operate(emitter, instruction, PN_FCAST, from, NULL, 0);
    return rule_bound(emitter, instruction);
}

bool rule_make_float(struct emitter *emitter, LLVMValueRef instruction)
{
    LLVMValueRef from = LLVMGetOperand(instruction, 0), label = label_of(emitter, from);
    if (is_no_label(label))
        return true;
    if (!is_floating(LLVMTypeOf(instruction)))
        return rule_bound(emitter, instruction);
    bool is_signed = LLVMGetInstructionOpcode(instruction) == LLVMSIToFP;
    place_before(emitter, instruction);
    LLVMValueRef arguments[] = {constant32(emitter, is_signed ? PN_SFLOAT : PN_UFLOAT),
                                constant32(emitter, label_width(LLVMTypeOf(instruction))),
                                constant32(emitter, label_width(LLVMTypeOf(from))), as_word(emitter, from), label};
    set_label(emitter, instruction, call_hook(emitter, HOOK_cast, arguments, 5));
    return true;
}

LLVMValueRef integer_label(struct emitter *emitter, bool is_signed, unsigned width, LLVMValueRef label)
{
    LLVMValueRef arguments[] = {constant32(emitter, is_signed), constant32(emitter, width), label};
    return call_hook(emitter, HOOK_to_integer, arguments, 3);
}

bool rule_make_integer(struct emitter *emitter, LLVMValueRef instruction)
{
    LLVMValueRef from = LLVMGetOperand(instruction, 0), label = label_of(emitter, from);
    unsigned width = label_width(LLVMTypeOf(instruction));
    if (is_no_label(label))
        return true;
    if (!width)
        return rule_bound(emitter, instruction);
    place_before(emitter, instruction);
    bool is_signed = LLVMGetInstructionOpcode(instruction) == LLVMFPToSI;
    set_label(emitter, instruction, integer_label(emitter, is_signed, width, label));
    return true;
}

/* ---- what is said with several instructions ---- */

/* An instruction made here gets its label like one of the program's; the builder stays before `at`. */
static LLVMValueRef made(struct emitter *emitter, LLVMValueRef value, LLVMValueRef at)
{
    if (LLVMIsAInstruction(value))
        emit_instruction(emitter, value);
    place_before(emitter, at);
    return value;
}

static bool replace(struct emitter *emitter, LLVMValueRef instruction, LLVMValueRef by)
{
    LLVMValueRef label = label_of(emitter, by);
    LLVMReplaceAllUsesWith(instruction, by);
    LLVMInstructionEraseFromParent(instruction);
    if (!is_no_label(label))
        set_label(emitter, by, label);
    return true;
}

/* How a comparison is said with those that exist, as for integers. */
static const struct {
    enum pn_operation operation; /* PN_NONE: it takes two */
    bool exchanged, negated;
} comparisons[] = {
    [LLVMRealOEQ] = {PN_FEQ, false, false},
    [LLVMRealOGT] = {PN_FLT, true, false},
    [LLVMRealOGE] = {PN_FLE, true, false},
    [LLVMRealOLT] = {PN_FLT, false, false},
    [LLVMRealOLE] = {PN_FLE, false, false},
    [LLVMRealUGT] = {PN_FLE, false, true},
    [LLVMRealUGE] = {PN_FLT, false, true},
    [LLVMRealULT] = {PN_FLE, true, true},
    [LLVMRealULE] = {PN_FLT, true, true},
    [LLVMRealUNE] = {PN_FEQ, false, true},
    [LLVMRealPredicateTrue] = {PN_NONE, false, false},
};

static void compare_as(struct emitter *emitter, LLVMValueRef instruction, LLVMRealPredicate predicate, LLVMValueRef a,
                       LLVMValueRef b)
{
    bool exchanged = comparisons[predicate].exchanged;
    LLVMValueRef left = exchanged ? b : a, right = exchanged ? a : b;
    LLVMValueRef arguments[] = {constant32(emitter, comparisons[predicate].operation),
                                constant32(emitter, comparisons[predicate].negated),
                                constant32(emitter, label_width(LLVMTypeOf(a))),
                                as_word(emitter, left),
                                label_of(emitter, left),
                                as_word(emitter, right),
                                label_of(emitter, right)};
    set_label(emitter, instruction, call_hook(emitter, HOOK_compare, arguments, 7));
}

static bool is_number(LLVMValueRef value)
{
    LLVMBool inexact;
    if (!LLVMIsAConstantFP(value))
        return false;
    double number = LLVMConstRealGetDouble(value, &inexact);
    return number == number;
}

/* "Both are numbers", "they are less or greater", and their negations. */
static bool compare_twice(struct emitter *emitter, LLVMValueRef instruction, LLVMRealPredicate predicate)
{
    LLVMValueRef a = LLVMGetOperand(instruction, 0), b = LLVMGetOperand(instruction, 1);
    bool of_order = predicate == LLVMRealONE || predicate == LLVMRealUEQ;
    bool negated = predicate == LLVMRealUNO || predicate == LLVMRealUEQ;
    if (!of_order && (a == b || is_number(b))) {
        compare_as(emitter, instruction, negated ? LLVMRealUNE : LLVMRealOEQ, a, a);
        return true;
    }
    LLVMBuilderRef builder = emitter->builder;
    LLVMValueRef first = made(
        emitter, LLVMBuildFCmp(builder, of_order ? LLVMRealOLT : LLVMRealOEQ, a, of_order ? b : a, ""), instruction);
    LLVMValueRef second = made(
        emitter, LLVMBuildFCmp(builder, of_order ? LLVMRealOGT : LLVMRealOEQ, of_order ? a : b, b, ""), instruction);
    LLVMValueRef both = of_order ? LLVMBuildOr(builder, first, second, "") : LLVMBuildAnd(builder, first, second, "");
    made(emitter, both, instruction);
    return replace(emitter, instruction, negated ? made(emitter, LLVMBuildNot(builder, both, ""), instruction) : both);
}

bool rule_compare_floats(struct emitter *emitter, LLVMValueRef instruction)
{
    LLVMValueRef a = LLVMGetOperand(instruction, 0), b = LLVMGetOperand(instruction, 1);
    if (is_no_label(label_of(emitter, a)) && is_no_label(label_of(emitter, b)))
        return true;
    LLVMRealPredicate predicate = LLVMGetFCmpPredicate(instruction);
    place_before(emitter, instruction);
    if (predicate == LLVMRealPredicateFalse || predicate == LLVMRealPredicateTrue)
        return true;
    if (comparisons[predicate].operation == PN_NONE)
        return compare_twice(emitter, instruction, predicate);
    compare_as(emitter, instruction, predicate, a, b);
    return true;
}

static LLVMValueRef is_signalling(struct emitter *emitter, LLVMValueRef call, LLVMValueRef value)
{
    LLVMBuilderRef builder = emitter->builder;
    unsigned width = label_width(LLVMTypeOf(value));
    uint64_t infinity = pn_float_infinity(width), quiet = pn_float_nan(width) & ~infinity;
    LLVMTypeRef type = LLVMIntTypeInContext(emitter->context, width);
    LLVMValueRef bits = made(emitter, LLVMBuildBitCast(builder, value, type, ""), call);
    LLVMValueRef quieted = made(emitter, LLVMBuildAnd(builder, bits, LLVMConstInt(type, quiet, false), ""), call);
    LLVMValueRef loud =
        made(emitter, LLVMBuildICmp(builder, LLVMIntEQ, quieted, LLVMConstInt(type, 0, false), ""), call);
    LLVMValueRef none = made(emitter, LLVMBuildFCmp(builder, LLVMRealUNO, value, value, ""), call);
    return made(emitter, LLVMBuildAnd(builder, none, loud, ""), call);
}

/* The C library's function gives NaN where one of them is a signalling NaN. */
static LLVMValueRef unless_signalling(struct emitter *emitter, LLVMValueRef call, LLVMValueRef chosen)
{
    LLVMBuilderRef builder = emitter->builder;
    LLVMValueRef a = LLVMGetOperand(call, 0), b = LLVMGetOperand(call, 1);
    LLVMValueRef a_signals = is_signalling(emitter, call, a), b_signals = is_signalling(emitter, call, b);
    LLVMValueRef any = made(emitter, LLVMBuildOr(builder, a_signals, b_signals, ""), call);
    LLVMValueRef sum = made(emitter, LLVMBuildFAdd(builder, a, b, ""), call);
    return made(emitter, LLVMBuildSelect(builder, any, sum, chosen, ""), call);
}

/* fmin(a, b) is b where a is NaN or b is less, a otherwise: also where they are zeros of different signs. So clang
 * compiles it; the C library's function, called where clang is kept from knowing it, gives the second of them. */
static bool choose_one(struct emitter *emitter, LLVMValueRef call, bool greater)
{
    bool is_library = strncmp(called_name(call), "llvm.", 5) != 0;
    LLVMValueRef a = LLVMGetOperand(call, is_library), b = LLVMGetOperand(call, !is_library);
    LLVMBuilderRef builder = emitter->builder;
    place_before(emitter, call);
    LLVMValueRef none = made(emitter, LLVMBuildFCmp(builder, LLVMRealUNO, a, a, ""), call);
    LLVMValueRef beyond = made(emitter, LLVMBuildFCmp(builder, greater ? LLVMRealOGT : LLVMRealOLT, b, a, ""), call);
    LLVMValueRef takes = made(emitter, LLVMBuildOr(builder, none, beyond, ""), call);
    LLVMValueRef chosen = made(emitter, LLVMBuildSelect(builder, takes, b, a, ""), call);
    return replace(emitter, call, is_library ? unless_signalling(emitter, call, chosen) : chosen);
}

/* The classes of llvm.is.fpclass, as ranges of the magnitude's bits: [low, high]. */
struct class
{
    unsigned negative, positive; /* bits of the mask */
    uint64_t low, high;
};

static LLVMValueRef in_class(struct emitter *emitter, LLVMValueRef call, LLVMValueRef bits, const struct class *class,
                             unsigned mask)
{
    LLVMBuilderRef builder = emitter->builder;
    LLVMTypeRef type = LLVMTypeOf(bits);
    unsigned width = LLVMGetIntTypeWidth(type);
    bool negative = mask & class->negative, positive = mask & class->positive;
    if (!negative && !positive)
        return NULL;
    /* of one sign: the sign bit is part of the number that is compared */
    uint64_t sign = negative && !positive ? pn_float_sign(width) : 0;
    LLVMValueRef compared = bits;
    if (negative && positive)
        compared = made(emitter, LLVMBuildAnd(builder, bits, LLVMConstInt(type, mask_of(width), false), ""), call);
    LLVMValueRef from = LLVMConstInt(type, class->low | sign, false);
    LLVMValueRef offset = made(emitter, LLVMBuildSub(builder, compared, from, ""), call);
    LLVMValueRef length = LLVMConstInt(type, class->high - class->low, false);
    return made(emitter, LLVMBuildICmp(builder, LLVMIntULE, offset, length, ""), call);
}

static bool classify(struct emitter *emitter, LLVMValueRef call)
{
    LLVMValueRef value = LLVMGetOperand(call, 0);
    if (is_no_label(label_of(emitter, value)))
        return true;
    unsigned width = label_width(LLVMTypeOf(value)), mask = (unsigned)LLVMConstIntGetZExtValue(LLVMGetOperand(call, 1));
    uint64_t infinity = pn_float_infinity(width), least = infinity & -infinity, quiet = pn_float_nan(width);
    const struct class classes[] = {{1, 1, infinity + 1, quiet - 1}, {2, 2, quiet, mask_of(width)},
                                    {4, 512, infinity, infinity},    {8, 256, least, infinity - 1},
                                    {16, 128, 1, least - 1},         {32, 64, 0, 0}};
    place_before(emitter, call);
    LLVMTypeRef type = LLVMIntTypeInContext(emitter->context, width);
    LLVMValueRef bits = made(emitter, LLVMBuildBitCast(emitter->builder, value, type, ""), call);
    LLVMValueRef any = LLVMConstInt(emitter->i1, 0, false);
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++) {
        LLVMValueRef is = in_class(emitter, call, bits, &classes[i], mask);
        if (is)
            any = LLVMIsConstant(any) ? is : made(emitter, LLVMBuildOr(emitter->builder, any, is, ""), call);
    }
    return replace(emitter, call, any);
}

/* ---- functions ---- */

static bool copy_sign(struct emitter *emitter, LLVMValueRef call)
{
    LLVMValueRef value = LLVMGetOperand(call, 0), sign = LLVMGetOperand(call, 1);
    LLVMValueRef lv = label_of(emitter, value), ls = label_of(emitter, sign);
    unsigned width = label_width(LLVMTypeOf(call));
    if (is_no_label(lv) && is_no_label(ls))
        return true;
    place_after(emitter, call);
    LLVMValueRef magnitude =
        LLVMBuildAnd(emitter->builder, as_word(emitter, value), constant64(emitter, mask_of(width)), "");
    LLVMValueRef bit =
        LLVMBuildAnd(emitter->builder, as_word(emitter, sign), constant64(emitter, pn_float_sign(width)), "");
    LLVMValueRef arguments[] = {constant32(emitter, PN_OR),
                                constant32(emitter, width),
                                magnitude,
                                bitwise(emitter, PN_AND, value, lv, mask_of(width)),
                                bit,
                                bitwise(emitter, PN_AND, sign, ls, pn_float_sign(width)),
                                constant32(emitter, 0)};
    set_label(emitter, call, call_hook(emitter, HOOK_binary, arguments, 7));
    return true;
}

static bool absolute(struct emitter *emitter, LLVMValueRef call)
{
    LLVMValueRef value = LLVMGetOperand(call, 0), label = label_of(emitter, value);
    if (is_no_label(label))
        return true;
    place_after(emitter, call);
    set_label(emitter, call, bitwise(emitter, PN_AND, value, label, mask_of(label_width(LLVMTypeOf(value)))));
    return true;
}

static bool fuse(struct emitter *emitter, LLVMValueRef call)
{
    LLVMValueRef arguments[7] = {constant32(emitter, label_width(LLVMTypeOf(call)))};
    bool any = false;
    place_after(emitter, call);
    for (unsigned i = 0; i < 3; i++) {
        LLVMValueRef operand = LLVMGetOperand(call, i), label = label_of(emitter, operand);
        arguments[1 + 2 * i] = as_word(emitter, operand);
        arguments[2 + 2 * i] = label;
        any |= !is_no_label(label);
    }
    if (any)
        settle(emitter, call, call_hook(emitter, HOOK_fused, arguments, 7));
    return true;
}

static bool multiply_and_add(struct emitter *emitter, LLVMValueRef call)
{
    place_before(emitter, call);
    LLVMValueRef product = LLVMBuildFMul(emitter->builder, LLVMGetOperand(call, 0), LLVMGetOperand(call, 1), "");
    LLVMValueRef sum = LLVMBuildFAdd(emitter->builder, product, LLVMGetOperand(call, 2), "");
    LLVMReplaceAllUsesWith(call, sum);
    LLVMInstructionEraseFromParent(call);
    return (!LLVMIsAInstruction(product) || emit_instruction(emitter, product)) &&
           (!LLVMIsAInstruction(sum) || emit_instruction(emitter, sum));
}

static bool round_to_integer(struct emitter *emitter, LLVMValueRef call, enum pn_rounding rounding)
{
    LLVMValueRef value = LLVMGetOperand(call, 0), label = label_of(emitter, value);
    if (is_no_label(label))
        return true;
    place_after(emitter, call);
    LLVMValueRef arguments[] = {constant32(emitter, PN_FROUND), constant32(emitter, label_width(LLVMTypeOf(value))),
                                as_word(emitter, value),        label,
                                constant64(emitter, rounding),  constant32(emitter, 0)};
    LLVMValueRef rounded = call_hook(emitter, HOOK_floating, arguments, 6);
    set_label(emitter, call, integer_label(emitter, true, label_width(LLVMTypeOf(call)), rounded));
    return true;
}

/* mathematical_calls.c made it: the function's number, and two arguments of one type. */
bool call_function(struct emitter *emitter, LLVMValueRef call)
{
    LLVMValueRef a = LLVMGetOperand(call, 1), la = label_of(emitter, a);
    LLVMValueRef b = LLVMGetOperand(call, 2), lb = label_of(emitter, b);
    bool is_error = !is_floating(LLVMTypeOf(call));
    if (is_no_label(la) && is_no_label(lb))
        return true;
    place_after(emitter, call);
    LLVMValueRef arguments[] = {constant32(emitter, is_error ? PN_FERROR : PN_FCALL),
                                constant32(emitter, label_width(LLVMTypeOf(a))),
                                LLVMGetOperand(call, 0),
                                as_word(emitter, a),
                                la,
                                as_word(emitter, b),
                                lb};
    LLVMValueRef label = call_hook(emitter, HOOK_function, arguments, 7);
    if (is_error)
        set_label(emitter, call, label);
    else
        settle(emitter, call, label);
    return true;
}

/* float and double and, as a second argument, int; the value has the first one's type, or is an integer. */
static bool has_known_shape(LLVMValueRef call, const struct mathematical *function)
{
    unsigned count = LLVMGetNumArgOperands(call);
    LLVMTypeRef type = count ? LLVMTypeOf(LLVMGetOperand(call, 0)) : NULL;
    if (!type || !is_floating(type) || count > 3)
        return false;
    bool gives_integer = function->kind == MATHEMATICAL_CLASS || function->kind == MATHEMATICAL_ROUND_TO_INTEGER;
    if (gives_integer ? !label_width(LLVMTypeOf(call)) || is_floating(LLVMTypeOf(call)) : LLVMTypeOf(call) != type)
        return false;
    for (unsigned i = 1; i < count; i++)
        if (LLVMTypeOf(LLVMGetOperand(call, i)) != type &&
            (i > 1 || LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(call, i))) != LLVMIntegerTypeKind))
            return false;
    return count < 3 || function->kind == MATHEMATICAL_FUSED || function->kind == MATHEMATICAL_PRODUCT_AND_SUM;
}

/* That of the library's function of this name; another one may be declared. */
static bool has_arguments_of(LLVMValueRef call, enum pn_function function)
{
    enum pn_second_argument second = pn_function_second(function);
    if (LLVMGetNumArgOperands(call) != (second == PN_SECOND_NONE ? 1 : 2))
        return false;
    return second == PN_SECOND_NONE ||
           is_floating(LLVMTypeOf(LLVMGetOperand(call, 1))) == (second == PN_SECOND_FLOATING);
}

bool is_followed(LLVMValueRef call, const struct mathematical *function)
{
    return has_known_shape(call, function) &&
           (function->kind != MATHEMATICAL_CALL || has_arguments_of(call, (enum pn_function)function->detail));
}

bool call_mathematical(struct emitter *emitter, LLVMValueRef call, const struct mathematical *function)
{
    LLVMValueRef value = LLVMGetOperand(call, 0);
    switch (function->kind) {
    case MATHEMATICAL_ABSOLUTE: return absolute(emitter, call);
    case MATHEMATICAL_COPY_SIGN: return copy_sign(emitter, call);
    case MATHEMATICAL_SQUARE_ROOT: return operate(emitter, call, PN_FSQRT, value, NULL, 0);
    case MATHEMATICAL_ROUND: return operate(emitter, call, PN_FROUND, value, NULL, function->detail);
    case MATHEMATICAL_ROUND_TO_INTEGER: return round_to_integer(emitter, call, (enum pn_rounding)function->detail);
    case MATHEMATICAL_FUSED: return fuse(emitter, call);
    case MATHEMATICAL_PRODUCT_AND_SUM: return multiply_and_add(emitter, call);
    case MATHEMATICAL_MINIMUM: return choose_one(emitter, call, false);
    case MATHEMATICAL_MAXIMUM: return choose_one(emitter, call, true);
    case MATHEMATICAL_CLASS: return classify(emitter, call);
    default: return call_external(emitter, call, called_name(call)); /* added since mathematical_calls.c was there */
    }
}
