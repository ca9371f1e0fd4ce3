/* Values of several parts: where the parts are, and their labels. */
#include "instrument/parts.h"

bool is_wide(LLVMTypeRef type)
{
    return LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) == 128;
}

bool has_parts(LLVMTypeRef type)
{
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    bool composed = kind == LLVMStructTypeKind || kind == LLVMArrayTypeKind || kind == LLVMVectorTypeKind;
    return (composed || is_wide(type)) && part_count(type) > 0;
}

/* ---- which parts there are ---- */

static unsigned member_count(LLVMTypeRef type)
{
    switch (LLVMGetTypeKind(type)) {
    case LLVMStructTypeKind: return LLVMCountStructElementTypes(type);
    case LLVMArrayTypeKind: return (unsigned)LLVMGetArrayLength2(type);
    case LLVMVectorTypeKind: return LLVMGetVectorSize(type);
    default: return is_wide(type) ? 2 : 0;
    }
}

static LLVMTypeRef member_type(LLVMTypeRef type, unsigned member)
{
    if (is_wide(type))
        return LLVMInt64TypeInContext(LLVMGetTypeContext(type));
    return LLVMGetTypeKind(type) == LLVMStructTypeKind ? LLVMStructGetTypeAtIndex(type, member)
                                                       : LLVMGetElementType(type);
}

static bool is_composed(LLVMTypeRef type)
{
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    return kind == LLVMStructTypeKind || kind == LLVMArrayTypeKind || kind == LLVMVectorTypeKind || is_wide(type);
}

/* Like part_count(), but a scalar without labels is a part too; more than fit: one more than PARTS_AT_MOST. */
static unsigned count_parts(LLVMTypeRef type)
{
    if (!is_composed(type))
        return 1;
    unsigned count = 0, members = member_count(type);
    for (unsigned i = 0; i < members && count <= PARTS_AT_MOST; i++)
        count += count_parts(member_type(type, i));
    return count <= PARTS_AT_MOST ? count : PARTS_AT_MOST + 1;
}

unsigned part_count(LLVMTypeRef type)
{
    if (!is_composed(type))
        return label_width(type) ? 1 : 0;
    unsigned count = count_parts(type);
    return count <= PARTS_AT_MOST ? count : 0;
}

/* The member that a part lies in; `part` becomes its number within the member. */
static unsigned member_of(LLVMTypeRef type, unsigned *part)
{
    unsigned member = 0;
    for (unsigned count; *part >= (count = count_parts(member_type(type, member))); member++)
        *part -= count;
    return member;
}

LLVMTypeRef part_type(LLVMTypeRef type, unsigned part)
{
    while (is_composed(type))
        type = member_type(type, member_of(type, &part));
    return type;
}

uint64_t part_offset(struct emitter *emitter, LLVMTypeRef type, unsigned part)
{
    uint64_t offset = 0;
    while (is_composed(type)) {
        unsigned member = member_of(type, &part);
        LLVMTypeRef inner = member_type(type, member);
        offset += LLVMGetTypeKind(type) == LLVMStructTypeKind   ? LLVMOffsetOfElement(emitter->layout, type, member)
                  : LLVMGetTypeKind(type) == LLVMVectorTypeKind ? member * LLVMStoreSizeOfType(emitter->layout, inner)
                                                                : member * LLVMABISizeOfType(emitter->layout, inner);
        type = inner;
    }
    return offset;
}

/* ---- the parts themselves ---- */

static LLVMTypeRef halves_type(struct emitter *emitter)
{
    return LLVMVectorType(emitter->i64, 2);
}

static LLVMValueRef member_value(struct emitter *emitter, LLVMValueRef value, unsigned member)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    if (is_wide(type))
        value = LLVMBuildBitCast(emitter->builder, value, halves_type(emitter), "");
    if (is_wide(type) || LLVMGetTypeKind(type) == LLVMVectorTypeKind)
        return LLVMBuildExtractElement(emitter->builder, value, constant64(emitter, member), "");
    return LLVMBuildExtractValue(emitter->builder, value, member, "");
}

static LLVMValueRef with_member(struct emitter *emitter, LLVMValueRef value, unsigned member, LLVMValueRef to)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    if (is_wide(type)) {
        LLVMValueRef halves = LLVMBuildBitCast(emitter->builder, value, halves_type(emitter), "");
        halves = LLVMBuildInsertElement(emitter->builder, halves, to, constant64(emitter, member), "");
        return LLVMBuildBitCast(emitter->builder, halves, type, "");
    }
    if (LLVMGetTypeKind(type) == LLVMVectorTypeKind)
        return LLVMBuildInsertElement(emitter->builder, value, to, constant64(emitter, member), "");
    return LLVMBuildInsertValue(emitter->builder, value, to, member, "");
}

LLVMValueRef part_of(struct emitter *emitter, LLVMValueRef value, unsigned part)
{
    while (is_composed(LLVMTypeOf(value)))
        value = member_value(emitter, value, member_of(LLVMTypeOf(value), &part));
    return value;
}

LLVMValueRef with_part(struct emitter *emitter, LLVMValueRef value, unsigned part, LLVMValueRef to)
{
    if (!is_composed(LLVMTypeOf(value)))
        return to;
    unsigned member = member_of(LLVMTypeOf(value), &part);
    LLVMValueRef inner = member_value(emitter, value, member);
    return with_member(emitter, value, member, with_part(emitter, inner, part, to));
}

/* ---- labels ---- */

LLVMTypeRef label_type(struct emitter *emitter, LLVMTypeRef type)
{
    return has_parts(type) ? LLVMArrayType2(emitter->i32, part_count(type)) : emitter->i32;
}

LLVMValueRef whole_label(struct emitter *emitter, LLVMValueRef value)
{
    LLVMValueRef label = label_of(emitter, value);
    bool none = is_no_label(label);
    return none ? LLVMConstNull(label_type(emitter, LLVMTypeOf(value))) : label;
}

LLVMValueRef part_label(struct emitter *emitter, LLVMValueRef value, unsigned part)
{
    LLVMValueRef label = label_of(emitter, value);
    if (is_no_label(label) || !has_parts(LLVMTypeOf(value)))
        return label;
    while (LLVMIsAInsertValueInst(label)) { /* where it was put in: nothing to be computed, and perhaps no label */
        if (LLVMGetIndices(label)[0] == part)
            return LLVMGetOperand(label, 1);
        label = LLVMGetOperand(label, 0);
    }
    if (is_no_label(label))
        return constant32(emitter, 0);
    return LLVMBuildExtractValue(emitter->builder, label, part, "");
}

void set_part_label(struct emitter *emitter, LLVMValueRef value, unsigned part, LLVMValueRef label)
{
    if (!has_parts(LLVMTypeOf(value))) {
        set_label(emitter, value, label);
        return;
    }
    LLVMValueRef whole = whole_label(emitter, value);
    if (!is_no_label(label) || !is_no_label(whole))
        set_label(emitter, value, LLVMBuildInsertValue(emitter->builder, whole, label, part, ""));
}

bool has_no_label(struct emitter *emitter, LLVMValueRef value)
{
    return is_no_label(label_of(emitter, value));
}
