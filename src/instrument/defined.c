/* Operations that C and LLVM leave undefined and the processor just does: a shift by the width or more, a conversion of
 * a number that the integer type does not hold. The optimiser would make nothing, or anything, of what depends on one;
 * native runs show what the processor makes of it. So shifts take their distance modulo the width, and conversions are
 * said by intrinsics that nobody folds. Where the compiler has folded one before, its result is zero. */
#include "instrument/calls.h"
#include "instrument/plain.h"

#include <string.h>

#define TO_SIGNED "llvm.experimental.constrained.fptosi"
#define TO_UNSIGNED "llvm.experimental.constrained.fptoui"

/* ---- before the early passes ---- */

#define DISTANCE "__pn_distance"

static LLVMValueRef distance_marker(struct emitter *emitter)
{
    enum { ONLY_INACCESSIBLE = 3 << 2 }; /* in the encoding of LLVM's MemoryEffects: nothing else need wait for it */
    LLVMValueRef marker = LLVMGetNamedFunction(emitter->module, DISTANCE);
    if (marker)
        return marker;
    LLVMTypeRef parameters[] = {emitter->i64, emitter->i32};
    marker = LLVMAddFunction(emitter->module, DISTANCE,
                             LLVMFunctionType(LLVMVoidTypeInContext(emitter->context), parameters, 2, false));
    static const struct {
        const char *name;
        uint64_t value;
    } attributes[] = {{"memory", ONLY_INACCESSIBLE}, {"nounwind", 0}, {"willreturn", 0}};
    for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++) {
        unsigned kind = LLVMGetEnumAttributeKindForName(attributes[i].name, strlen(attributes[i].name));
        LLVMAddAttributeAtIndex(marker, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                LLVMCreateEnumAttribute(emitter->context, kind, attributes[i].value));
    }
    return marker;
}

static bool is_surely_below(LLVMValueRef value, unsigned limit)
{
    if (LLVMIsAZExtInst(value))
        return is_surely_below(LLVMGetOperand(value, 0), limit);
    if (!LLVMIsAInstruction(value) || LLVMGetInstructionOpcode(value) != LLVMAnd)
        return false;
    for (unsigned i = 0; i < 2; i++) {
        LLVMValueRef mask = LLVMGetOperand(value, i);
        if (LLVMIsAConstantInt(mask) && LLVMConstIntGetZExtValue(mask) < limit)
            return true;
    }
    return false;
}

/* C leaves a shift by too many bits undefined, and the machine does not: a version that makes one where the other does
 * not is not said to be equivalent. */
static void mark_distance(struct emitter *emitter, LLVMValueRef distance, unsigned width)
{
    if (!emitter->options->check_objects || width > 64 || is_surely_below(distance, width))
        return;
    LLVMValueRef marker = distance_marker(emitter);
    LLVMValueRef arguments[] = {LLVMBuildZExt(emitter->builder, distance, emitter->i64, ""),
                                constant32(emitter, width)};
    LLVMBuildCall2(emitter->builder, LLVMGlobalGetValueType(marker), marker, arguments, 2, "");
}

bool is_distance(LLVMValueRef call)
{
    return !strcmp(called_name(call), DISTANCE);
}

bool note_distance(struct emitter *emitter, LLVMValueRef call)
{
    LLVMValueRef distance = LLVMGetOperand(call, 0), label = label_of(emitter, distance);
    place_before(emitter, call);
    uint32_t site = site_of(emitter, call, with_place(emitter, call, "a shift by more bits than there are"));
    LLVMValueRef arguments[] = {as_word(emitter, distance), label, LLVMGetOperand(call, 1),
                                constant32(emitter, emitter->side), constant32(emitter, site)};
    call_hook(emitter, HOOK_shift, arguments, 5);
    LLVMInstructionEraseFromParent(call);
    return true;
}

static void mask_distance(struct emitter *emitter, LLVMValueRef shift)
{
    LLVMTypeRef type = LLVMTypeOf(shift);
    LLVMValueRef distance = LLVMGetOperand(shift, 1);
    unsigned width = LLVMGetTypeKind(type) == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(type) : 0;
    bool is_far = width <= 64 && LLVMIsAConstantInt(distance) && LLVMConstIntGetZExtValue(distance) >= width;
    if (!width || (width & (width - 1)) || (LLVMIsConstant(distance) && !is_far))
        return;
    place_before(emitter, shift);
    mark_distance(emitter, distance, width);
    LLVMValueRef mask = LLVMConstInt(type, width - 1, false);
    LLVMSetOperand(shift, 1, LLVMBuildAnd(emitter->builder, distance, mask, ""));
}

static LLVMValueRef convert(struct emitter *emitter, const char *intrinsic, LLVMValueRef from, LLVMTypeRef to)
{
    static const char exceptions[] = "fpexcept.ignore";
    LLVMTypeRef types[] = {to, LLVMTypeOf(from)};
    LLVMMetadataRef ignored = LLVMMDStringInContext2(emitter->context, exceptions, sizeof exceptions - 1);
    LLVMValueRef arguments[] = {from, LLVMMetadataAsValue(emitter->context, ignored)};
    LLVMValueRef function = LLVMGetIntrinsicDeclaration(
        emitter->module, LLVMLookupIntrinsicID(intrinsic, strlen(intrinsic)), types, sizeof types / sizeof *types);
    return LLVMBuildCall2(emitter->builder, LLVMGlobalGetValueType(function), function, arguments, 2, "");
}

static bool is_followed_number(LLVMTypeRef type)
{
    return LLVMGetTypeKind(type) == LLVMFloatTypeKind || LLVMGetTypeKind(type) == LLVMDoubleTypeKind;
}

static void define_conversion(struct emitter *emitter, LLVMValueRef conversion, const char *intrinsic)
{
    LLVMValueRef from = LLVMGetOperand(conversion, 0);
    LLVMTypeRef to = LLVMTypeOf(conversion);
    if (!is_followed_number(LLVMTypeOf(from)) || !label_width(to))
        return;
    place_before(emitter, conversion);
    LLVMReplaceAllUsesWith(conversion, convert(emitter, intrinsic, from, to));
    LLVMInstructionEraseFromParent(conversion);
}

/* Not where a struct or vector is put together: there it is what the parts are put into. */
static bool is_put_together(LLVMValueRef instruction)
{
    return LLVMIsAInsertValueInst(instruction) || LLVMIsAInsertElementInst(instruction) ||
           LLVMIsAShuffleVectorInst(instruction);
}

static void define_operands(LLVMValueRef instruction)
{
    int count = is_put_together(instruction) ? 0 : LLVMGetNumOperands(instruction);
    for (unsigned i = 0; i < (unsigned)count; i++) {
        LLVMValueRef operand = LLVMGetOperand(instruction, i);
        if (operand && LLVMIsPoison(operand))
            LLVMSetOperand(instruction, i, LLVMConstNull(LLVMTypeOf(operand)));
    }
}

void define_operation(struct emitter *emitter, LLVMValueRef instruction)
{
    define_operands(instruction);
    switch (LLVMGetInstructionOpcode(instruction)) {
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr: mask_distance(emitter, instruction); break;
    case LLVMFPToSI: define_conversion(emitter, instruction, TO_SIGNED); break;
    case LLVMFPToUI: define_conversion(emitter, instruction, TO_UNSIGNED); break;
    default: break;
    }
}

/* ---- the rule ---- */

/* As clang has it in code that is not optimised. What it makes of the intrinsic differs for numbers beyond the range.
 */
static LLVMValueRef to_unsigned_word(struct emitter *emitter, LLVMValueRef from)
{
    LLVMBuilderRef builder = emitter->builder;
    LLVMValueRef half = LLVMConstReal(LLVMTypeOf(from), 0x1p63);
    LLVMValueRef small = convert(emitter, TO_SIGNED, from, emitter->i64);
    LLVMValueRef large = convert(emitter, TO_SIGNED, LLVMBuildFSub(builder, from, half, ""), emitter->i64);
    LLVMValueRef is_large = LLVMBuildAShr(builder, small, constant64(emitter, 63), "");
    return LLVMBuildOr(builder, small, LLVMBuildAnd(builder, large, is_large, ""), "");
}

bool make_integer(struct emitter *emitter, LLVMValueRef call)
{
    LLVMValueRef from = LLVMGetOperand(call, 0), value = call;
    bool is_signed = !strncmp(called_name(call), TO_SIGNED, strlen(TO_SIGNED));
    unsigned width = label_width(LLVMTypeOf(call));
    LLVMValueRef label = label_of(emitter, from);
    place_before(emitter, call);
    if (!is_no_label(label))
        label = integer_label(emitter, is_signed, width, label);
    if (!is_signed && width == 64) {
        value = to_unsigned_word(emitter, from);
        LLVMReplaceAllUsesWith(call, value);
        LLVMInstructionEraseFromParent(call);
    }
    if (!is_no_label(label))
        set_label(emitter, value, label);
    return true;
}
