/* Rules for values of several parts (parts.h): taking them apart and putting them together, and the arithmetic of
 * integers of 128 bits. Arithmetic of vectors has been made arithmetic of their elements before (plain.c). */
#include "instrument/parts.h"
#include "instrument/rules.h"

/* ---- structs and arrays ---- */

/* The first part of what the indices of an extractvalue or insertvalue lead to. */
static unsigned first_part(LLVMValueRef instruction, LLVMTypeRef type)
{
    unsigned first = 0, depth = LLVMGetNumIndices(instruction);
    const unsigned *indices = LLVMGetIndices(instruction);
    for (unsigned i = 0; i < depth; i++) {
        bool is_struct = LLVMGetTypeKind(type) == LLVMStructTypeKind;
        for (unsigned before = 0; before < indices[i]; before++) {
            LLVMTypeRef member = is_struct ? LLVMStructGetTypeAtIndex(type, before) : LLVMGetElementType(type);
            unsigned count = part_count(member);
            first += count ? count : 1; /* a scalar that labels cannot describe */
        }
        type = is_struct ? LLVMStructGetTypeAtIndex(type, indices[i]) : LLVMGetElementType(type);
    }
    return first;
}

bool rule_extract_value(struct emitter *emitter, LLVMValueRef instruction)
{
    LLVMValueRef from = LLVMGetOperand(instruction, 0);
    if (has_no_label(emitter, from))
        return true;
    if (!has_parts(LLVMTypeOf(from)))
        return rule_bound(emitter, instruction);
    unsigned first = first_part(instruction, LLVMTypeOf(from)), count = part_count(LLVMTypeOf(instruction));
    place_after(emitter, instruction);
    for (unsigned i = 0; i < count; i++)
        set_part_label(emitter, instruction, i, part_label(emitter, from, first + i));
    return true;
}

bool rule_insert_value(struct emitter *emitter, LLVMValueRef instruction)
{
    LLVMValueRef into = LLVMGetOperand(instruction, 0), value = LLVMGetOperand(instruction, 1);
    if (has_no_label(emitter, into) && has_no_label(emitter, value))
        return true;
    if (!has_parts(LLVMTypeOf(instruction)))
        return rule_bound(emitter, instruction);
    unsigned first = first_part(instruction, LLVMTypeOf(into)), count = part_count(LLVMTypeOf(value));
    place_after(emitter, instruction);
    set_label(emitter, instruction, whole_label(emitter, into));
    for (unsigned i = 0; i < (count ? count : 1); i++)
        set_part_label(emitter, instruction, first + i, count ? part_label(emitter, value, i) : constant32(emitter, 0));
    return true;
}

/* ---- vectors ---- */

static bool is_known_index(LLVMValueRef index, LLVMTypeRef vector)
{
    return LLVMIsAConstantInt(index) && LLVMConstIntGetZExtValue(index) < LLVMGetVectorSize(vector);
}

bool rule_extract_element(struct emitter *emitter, LLVMValueRef instruction)
{
    LLVMValueRef from = LLVMGetOperand(instruction, 0), index = LLVMGetOperand(instruction, 1);
    if (has_no_label(emitter, from) && has_no_label(emitter, index))
        return true;
    if (!has_parts(LLVMTypeOf(from)) || !is_known_index(index, LLVMTypeOf(from)))
        return rule_bound(emitter, instruction);
    place_after(emitter, instruction);
    if (label_width(LLVMTypeOf(instruction)))
        set_label(emitter, instruction, part_label(emitter, from, (unsigned)LLVMConstIntGetZExtValue(index)));
    return true;
}

bool rule_insert_element(struct emitter *emitter, LLVMValueRef instruction)
{
    LLVMValueRef into = LLVMGetOperand(instruction, 0), value = LLVMGetOperand(instruction, 1);
    LLVMValueRef index = LLVMGetOperand(instruction, 2);
    if (has_no_label(emitter, into) && has_no_label(emitter, value) && has_no_label(emitter, index))
        return true;
    if (!has_parts(LLVMTypeOf(into)) || !is_known_index(index, LLVMTypeOf(into)))
        return rule_bound(emitter, instruction);
    place_after(emitter, instruction);
    set_label(emitter, instruction, whole_label(emitter, into));
    set_part_label(emitter, instruction, (unsigned)LLVMConstIntGetZExtValue(index), label_of(emitter, value));
    return true;
}

bool rule_shuffle(struct emitter *emitter, LLVMValueRef instruction)
{
    LLVMValueRef one = LLVMGetOperand(instruction, 0), other = LLVMGetOperand(instruction, 1);
    if (has_no_label(emitter, one) && has_no_label(emitter, other))
        return true;
    if (!has_parts(LLVMTypeOf(one)) || !has_parts(LLVMTypeOf(instruction)))
        return rule_bound(emitter, instruction);
    int length = (int)LLVMGetVectorSize(LLVMTypeOf(one));
    place_after(emitter, instruction);
    for (unsigned i = 0; i < LLVMGetNumMaskElements(instruction); i++) {
        int from = LLVMGetMaskValue(instruction, i);
        if (from == LLVMGetUndefMaskElem())
            continue;
        LLVMValueRef label = part_label(emitter, from < length ? one : other, (unsigned)(from % length));
        set_part_label(emitter, instruction, i, label);
    }
    return true;
}

/* ---- the same bits, cut into parts in another way ---- */

static LLVMValueRef shifted(struct emitter *emitter, enum pn_operation operation, LLVMValueRef *word,
                            LLVMValueRef label, unsigned by)
{
    if (!by)
        return label;
    LLVMValueRef arguments[] = {
        constant32(emitter, operation), constant32(emitter, 64), *word, label, constant64(emitter, by),
        constant32(emitter, 0),         constant32(emitter, 0)};
    LLVMValueRef result = call_hook(emitter, HOOK_binary, arguments, 7);
    *word = operation == PN_SHL ? LLVMBuildShl(emitter->builder, *word, constant64(emitter, by), "")
                                : LLVMBuildLShr(emitter->builder, *word, constant64(emitter, by), "");
    return result;
}

static LLVMValueRef cast_label(struct emitter *emitter, enum pn_operation operation, unsigned width,
                               unsigned from_width, LLVMValueRef word, LLVMValueRef label)
{
    if (width == from_width || is_no_label(label))
        return label;
    LLVMValueRef arguments[] = {constant32(emitter, operation), constant32(emitter, width),
                                constant32(emitter, from_width), word, label};
    return call_hook(emitter, HOOK_cast, arguments, 5);
}

/* The label of `width` bits that begin at bit `low` of all of the source's parts behind each other. */
static LLVMValueRef bits_label(struct emitter *emitter, LLVMValueRef from, unsigned low, unsigned width)
{
    LLVMValueRef all = constant64(emitter, 0), label = constant32(emitter, 0);
    unsigned count = part_count(LLVMTypeOf(from));
    for (unsigned part = 0, start = 0, size; part < count; part++, start += size) {
        size = label_width(part_type(LLVMTypeOf(from), part));
        if (start + size <= low || start >= low + width)
            continue;
        LLVMValueRef own = part_label(emitter, from, part);
        LLVMValueRef word = as_word(emitter, part_of(emitter, from, part));
        own = cast_label(emitter, PN_ZEXT, 64, size, word, own);
        own = shifted(emitter, PN_LSHR, &word, own, start < low ? low - start : 0);
        own = shifted(emitter, PN_SHL, &word, own, start > low ? start - low : 0);
        LLVMValueRef arguments[] = {constant32(emitter, PN_OR), constant32(emitter, 64), all, label, word, own,
                                    constant32(emitter, 0)};
        label = is_no_label(label) ? own : call_hook(emitter, HOOK_binary, arguments, 7);
        all = LLVMBuildOr(emitter->builder, all, word, "");
    }
    return cast_label(emitter, PN_EXTRACT, width, 64, all, label);
}

static bool same_parts(LLVMTypeRef one, LLVMTypeRef other)
{
    if (part_count(one) != part_count(other) || has_parts(one) != has_parts(other))
        return false;
    for (unsigned i = 0; i < part_count(one); i++)
        if (label_width(part_type(one, i)) != label_width(part_type(other, i)))
            return false;
    return true;
}

static bool has_labels_everywhere(LLVMTypeRef type)
{
    for (unsigned i = 0; i < part_count(type); i++)
        if (!label_width(part_type(type, i)))
            return false;
    return part_count(type) > 0;
}

static bool recut(struct emitter *emitter, LLVMValueRef instruction)
{
    LLVMValueRef from = LLVMGetOperand(instruction, 0);
    LLVMTypeRef to_type = LLVMTypeOf(instruction);
    if (same_parts(LLVMTypeOf(from), to_type)) {
        set_label(emitter, instruction, label_of(emitter, from));
        return true;
    }
    if (!has_labels_everywhere(LLVMTypeOf(from)) || !has_labels_everywhere(to_type))
        return rule_bound(emitter, instruction);
    place_after(emitter, instruction);
    for (unsigned part = 0, low = 0, width; part < part_count(to_type); part++, low += width) {
        width = label_width(part_type(to_type, part));
        set_part_label(emitter, instruction, part, bits_label(emitter, from, low, width));
    }
    return true;
}

/* ---- casts ---- */

/* From 64 bits or less to 128: the upper half is zero, or copies of the sign. */
static void widen(struct emitter *emitter, LLVMValueRef instruction, bool is_signed)
{
    LLVMValueRef from = LLVMGetOperand(instruction, 0), label = label_of(emitter, from);
    unsigned width = label_width(LLVMTypeOf(from));
    place_after(emitter, instruction);
    LLVMValueRef low = cast_label(emitter, is_signed ? PN_SEXT : PN_ZEXT, 64, width, as_word(emitter, from), label);
    set_part_label(emitter, instruction, 0, low);
    if (!is_signed)
        return;
    LLVMValueRef arguments[] = {constant32(emitter, PN_ASHR),
                                constant32(emitter, 64),
                                part_of(emitter, instruction, 0),
                                low,
                                constant64(emitter, 63),
                                constant32(emitter, 0),
                                constant32(emitter, 0)};
    set_part_label(emitter, instruction, 1, call_hook(emitter, HOOK_binary, arguments, 7));
}

bool cast_parts(struct emitter *emitter, LLVMValueRef instruction)
{
    LLVMValueRef from = LLVMGetOperand(instruction, 0);
    if (has_no_label(emitter, from))
        return true;
    switch (LLVMGetInstructionOpcode(instruction)) {
    case LLVMFreeze:
    case LLVMBitCast: return recut(emitter, instruction);
    case LLVMTrunc:
        if (!is_wide(LLVMTypeOf(from)) || !label_width(LLVMTypeOf(instruction)))
            return rule_bound(emitter, instruction);
        place_after(emitter, instruction);
        set_label(emitter, instruction, bits_label(emitter, from, 0, label_width(LLVMTypeOf(instruction))));
        return true;
    case LLVMZExt:
    case LLVMSExt:
        if (!is_wide(LLVMTypeOf(instruction)) || !label_width(LLVMTypeOf(from)))
            return rule_bound(emitter, instruction);
        widen(emitter, instruction, LLVMGetInstructionOpcode(instruction) == LLVMSExt);
        return true;
    default: return rule_bound(emitter, instruction);
    }
}

bool choose_parts(struct emitter *emitter, LLVMValueRef instruction)
{
    LLVMValueRef condition = LLVMGetOperand(instruction, 0);
    LLVMValueRef if_true = LLVMGetOperand(instruction, 1), if_false = LLVMGetOperand(instruction, 2);
    if (!label_width(LLVMTypeOf(condition)) || !has_labels_everywhere(LLVMTypeOf(instruction)))
        return rule_bound(emitter, instruction);
    place_after(emitter, instruction);
    for (unsigned i = 0; i < part_count(LLVMTypeOf(instruction)); i++) {
        LLVMTypeRef type = part_type(LLVMTypeOf(instruction), i);
        LLVMValueRef arguments[] = {constant32(emitter, label_width(type)),
                                    label_of(emitter, condition),
                                    as_word(emitter, condition),
                                    as_word(emitter, part_of(emitter, if_true, i)),
                                    part_label(emitter, if_true, i),
                                    as_word(emitter, part_of(emitter, if_false, i)),
                                    part_label(emitter, if_false, i)};
        set_part_label(emitter, instruction, i, call_hook(emitter, HOOK_select, arguments, 7));
    }
    return true;
}

/* ---- integers of 128 bits ---- */

/* One half of the result, or the outcome of a comparison. */
static LLVMValueRef wide_label(struct emitter *emitter, enum pn_operation operation, unsigned half, LLVMValueRef a,
                               LLVMValueRef b)
{
    LLVMValueRef arguments[] = {constant32(emitter, operation), constant32(emitter, half), part_of(emitter, a, 0),
                                part_label(emitter, a, 0),      part_of(emitter, a, 1),    part_label(emitter, a, 1),
                                part_of(emitter, b, 0),         part_label(emitter, b, 0), part_of(emitter, b, 1),
                                part_label(emitter, b, 1)};
    return call_hook(emitter, HOOK_wide, arguments, 10);
}

bool binary_wide(struct emitter *emitter, LLVMValueRef instruction, enum pn_operation operation)
{
    LLVMValueRef a = LLVMGetOperand(instruction, 0), b = LLVMGetOperand(instruction, 1);
    if (has_no_label(emitter, a) && has_no_label(emitter, b))
        return true;
    place_after(emitter, instruction);
    for (unsigned half = 0; half < 2; half++)
        set_part_label(emitter, instruction, half, wide_label(emitter, operation, half, a, b));
    return true;
}

LLVMValueRef compare_wide(struct emitter *emitter, enum pn_operation operation, LLVMValueRef a, LLVMValueRef b)
{
    return wide_label(emitter, operation, 0, a, b);
}
