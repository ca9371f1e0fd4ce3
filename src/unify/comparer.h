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
    const void **tried; /* values that were taken to be the same on the way to one that may turn out not to be */
    size_t tried_count, tried_capacity;
    struct pair *phis; /* to be compared when it is known which blocks are the same */
    size_t phi_count, phi_capacity, next_phi;
    const struct words *widened;
    bool guesses;  /* until then, that their values come in the same order; else, that they are the same */
    bool is_exact; /* two plain versions, which have no reason to differ in anything */
    bool is_unknown;
    size_t depth;
};

/* ---- same_constant.c ---- */

void comparer_add(struct comparer *comparer, const void *one, const void *other);
/* The same, for as long as nothing speaks against it: comparer_undo() forgets all that were tried since then. What
 * follows from a wrong guess is no better than the guess. */
struct attempt {
    size_t tried_count, phi_count;
};
void comparer_try(struct comparer *comparer, const void *one, const void *other);
struct attempt comparer_attempt(const struct comparer *comparer);
void comparer_undo(struct comparer *comparer, struct attempt attempt);
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
/* Whether the values that come from the same blocks are the same. */
bool same_incoming(struct comparer *comparer, LLVMValueRef one, LLVMValueRef other);
/* Whether the blocks may be the same: if nothing is known of them, they are to be compared. */
bool same_block(struct comparer *comparer, LLVMBasicBlockRef one, LLVMBasicBlockRef other);

/* ---- same_details.c ---- */

bool same_details(struct comparer *comparer, LLVMValueRef one, LLVMValueRef other);
bool same_function_details(struct comparer *comparer, LLVMValueRef one, LLVMValueRef other);
bool same_variable_details(LLVMValueRef one, LLVMValueRef other);

#endif
