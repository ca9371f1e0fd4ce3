/* Values of several parts: structs, arrays and vectors that are passed around whole, and integers of 128 bits (their
 * low half is the first part). The label of such a value is an array that holds a label for each part; a part that
 * labels cannot describe has none. Values of one part have a plain label, as everywhere. */
#ifndef PENUMBRA_INSTRUMENT_PARTS_H
#define PENUMBRA_INSTRUMENT_PARTS_H

#include "instrument/emit.h"

enum { PARTS_AT_MOST = 64 };

/* 1 for what has a plain label, 0 for what has none or too many parts. */
unsigned part_count(LLVMTypeRef type);
/* Whether the label of such a value is an array. */
bool has_parts(LLVMTypeRef type);
bool is_wide(LLVMTypeRef type); /* an integer of 128 bits */
LLVMTypeRef part_type(LLVMTypeRef type, unsigned part);
/* Where a part lies in memory. */
uint64_t part_offset(struct emitter *emitter, LLVMTypeRef type, unsigned part);

/* A part itself, and a value with one part exchanged, at the builder's place. */
LLVMValueRef part_of(struct emitter *emitter, LLVMValueRef value, unsigned part);
LLVMValueRef with_part(struct emitter *emitter, LLVMValueRef value, unsigned part, LLVMValueRef to);

/* The label of one part. */
LLVMValueRef part_label(struct emitter *emitter, LLVMValueRef value, unsigned part);
void set_part_label(struct emitter *emitter, LLVMValueRef value, unsigned part, LLVMValueRef label);
bool has_no_label(struct emitter *emitter, LLVMValueRef value); /* in any part */
/* The type of the label of values of a type. */
LLVMTypeRef label_type(struct emitter *emitter, LLVMTypeRef type);
/* The label of the whole value, of that type. */
LLVMValueRef whole_label(struct emitter *emitter, LLVMValueRef value);

#endif
