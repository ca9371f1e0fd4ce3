/* Between the files that compare two optimised programs: same.c goes through functions, same_globals.c knows types,
 * constants and variables. What is compared is in one context: equal numbers are the same constant. */
#ifndef PENUMBRA_PROVE_SAME_H
#define PENUMBRA_PROVE_SAME_H

#include "prove/prover.h"

/* Functions or variables that are taken to be the same, and are compared in their turn. */
struct twins {
    LLVMValueRef one, other;
};

struct sameness {
    struct version *old, *new;
    const struct words *uncompared; /* names of variables that both may have, and that are not the same */
    enum comparing comparing;
    double end; /* of the time to follow functions */
    struct arena *arena;
    struct twins *queue; /* all of them hold, or nothing does */
    size_t count, capacity;
};

/* Both are to be compared, if they are not yet. */
void sameness_add(struct sameness *sameness, LLVMValueRef one, LLVMValueRef other);
bool types_match(LLVMTypeRef one, LLVMTypeRef other);
bool constants_match(struct sameness *sameness, LLVMValueRef one, LLVMValueRef other);
/* The initial values of two variables that are taken to be the same. */
bool variables_match(struct sameness *sameness, LLVMValueRef one, LLVMValueRef other);
/* Variables of one name that nothing reached: they keep what they have. */
const char *find_other_value(struct sameness *sameness);

/* ---- effects.c ---- */

/* A call of a function that does nothing but to compute. */
bool is_pure_call(LLVMValueRef call);
/* What LLVM notes for itself. */
bool is_remark(LLVMValueRef at);
/* Something happens beside the value. Not for what ends a block. */
bool has_side_effect(LLVMValueRef at);
/* Whether a load may see what an instruction with an effect does. */
bool effect_writes(LLVMValueRef at);
/* Calls of so many arguments, by value or by address. */
bool passed_alike(LLVMValueRef one, LLVMValueRef other, unsigned count);
bool parameters_passed_alike(LLVMValueRef one, LLVMValueRef other);

/* ---- follow.c ---- */

/* Both functions, followed side by side from equal arguments and memory on, do the same. */
bool functions_agree(struct sameness *sameness, LLVMValueRef one, LLVMValueRef other);

#endif
