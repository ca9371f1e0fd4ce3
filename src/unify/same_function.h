/* Whether two functions of LLVM IR, in two contexts, do the same. */
#ifndef PENUMBRA_UNIFY_SAME_FUNCTION_H
#define PENUMBRA_UNIFY_SAME_FUNCTION_H

#include "base/words.h"

#include <llvm-c/Core.h>
#include <stdbool.h>

enum sameness { SAME, DIFFERENT, UNKNOWN };

/* `widened`: names of structs that have members of both versions in the second function; where these matter, the answer
 * is UNKNOWN at best. */
enum sameness functions_compare(LLVMValueRef one, LLVMValueRef other, const struct words *widened);

/* Whether functions, or variables with their initial values, of two plain versions are the same to the last detail. */
bool functions_are_identical(LLVMValueRef one, LLVMValueRef other);
bool variables_are_identical(LLVMValueRef one, LLVMValueRef other);
/* Whether a variable's initial value is the same, names apart that unification gave. */
enum sameness variables_compare(LLVMValueRef one, LLVMValueRef other, const struct words *widened);

/* Whether it has to do with one of these structs. */
bool function_uses(LLVMValueRef function, const struct words *structs);

/* Whether both call a function that is declared with another type in the second one's program: an old program without
 * prototypes, a new one with them. */
bool functions_call_otherwise(LLVMValueRef one, LLVMValueRef other);

/* The name without what unification adds to it. */
bool same_global_name(const char *plain, const char *unified);

#endif
