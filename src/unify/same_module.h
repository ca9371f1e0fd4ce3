/* Whether two plain versions of a file are the same to the compiler: all their functions, variables and aliases, and
 * what is no part of any. Types count where something is made of them. */
#ifndef PENUMBRA_UNIFY_SAME_MODULE_H
#define PENUMBRA_UNIFY_SAME_MODULE_H

#include "base/arena.h"
#include "base/words.h"

#include <llvm-c/Core.h>
#include <stdbool.h>

struct module_differences {
    struct words functions, variables; /* that both define, and that differ */
    bool in_names;                     /* one of them defines what the other does not */
    bool in_surroundings;              /* the target, assembler at file scope, aliases */
};

void modules_compare(LLVMModuleRef one, LLVMModuleRef other, struct arena *arena,
                     struct module_differences *differences);
bool module_differences_are_none(const struct module_differences *differences);
void module_differences_free(struct module_differences *differences);

#endif
