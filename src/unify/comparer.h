/* Between the files that compare two functions of LLVM IR: same_function.c goes through blocks, same_value.c through
 * the values that they use, same_constant.c knows names, types and constants. */
#ifndef PENUMBRA_UNIFY_COMPARER_H
#define PENUMBRA_UNIFY_COMPARER_H

#include "base/words.h"

#include <llvm-c/Core.h>
#include <stdbool.h>

/* Pairs that are the same, or are taken to be while they are compared. */
struct pair {
    const void *one, *other;
};

struct comparer {
    LLVMValueRef one, other; /* the functions that are compared */
    struct pair *table;      /* by hash of `one` */
    size_t size, used;
    struct pair *blocks; /* to be compared */
    size_t block_count, block_capacity, next_block;
    struct pair *promised; /* effects whose results were taken to be the same before they were met */
    size_t promise_count, promise_capacity;
    const struct words *widened;
    bool is_exact; /* two plain versions, which have no reason to differ in anything */
    bool is_unknown;
    size_t depth;
};

/* ---- same_constant.c ---- */

void comparer_add(struct comparer *comparer, const void *one, const void *other);
/* It turned out not to be. */
void comparer_forget(struct comparer *comparer, const void *one);
/* What `one` is the same as; NULL when that is not known. */
const void *comparer_partner(const struct comparer *comparer, const void *one);
/* "struct.s.12" is struct s. */
bool type_is_widened(const struct comparer *comparer, LLVMTypeRef type);
bool same_type(struct comparer *comparer, LLVMTypeRef one, LLVMTypeRef other);
bool same_operands(struct comparer *comparer, LLVMValueRef one, LLVMValueRef other);
bool same_constant(struct comparer *comparer, LLVMValueRef one, LLVMValueRef other);
const char *value_name(LLVMValueRef value);

/* ---- same_value.c ---- */

bool same_value(struct comparer *comparer, LLVMValueRef one, LLVMValueRef other);
bool same_operation(struct comparer *comparer, LLVMValueRef one, LLVMValueRef other);
bool instruction_has_effect(LLVMValueRef instruction);
/* Whether the blocks may be the same: if nothing is known of them, they are to be compared. */
bool same_block(struct comparer *comparer, LLVMBasicBlockRef one, LLVMBasicBlockRef other);

/* ---- same_details.c ---- */

bool same_details(struct comparer *comparer, LLVMValueRef one, LLVMValueRef other);
bool same_function_details(struct comparer *comparer, LLVMValueRef one, LLVMValueRef other);
bool same_variable_details(LLVMValueRef one, LLVMValueRef other);

#endif
