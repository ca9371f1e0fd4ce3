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

/* Whether it has to do with one of these structs. */
bool function_uses(LLVMValueRef function, const struct words *structs);

/* The name without what unification adds to it. */
bool same_global_name(const char *plain, const char *unified);

#endif
