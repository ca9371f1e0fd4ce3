/* Reading and linking bitcode files. What LLVM has to complain about becomes an error like any other: left to itself,
 * it prints and ends the process, with a status that means something else here. */
#ifndef PENUMBRA_INSTRUMENT_BITCODE_H
#define PENUMBRA_INSTRUMENT_BITCODE_H

#include "base/error.h"

#include <llvm-c/Core.h>
#include <stddef.h>

/* From now on, the context's first error is left in `diagnosed`, which must live as long as the context. */
void bitcode_catch_errors(LLVMContextRef context, struct error *diagnosed);

/* NULL when it cannot be read. */
LLVMModuleRef bitcode_read(LLVMContextRef context, const char *path, struct error *error);

/* All files in one module; NULL when they do not fit. `names` are the sources', for people. The context's errors must
 * be caught. */
LLVMModuleRef bitcode_link(LLVMContextRef context, const char *const paths[], const char *const names[], size_t count,
                           struct error *error);

/* Of a function or variable. */
static inline const char *name_of(LLVMValueRef value)
{
    size_t length;
    return LLVMGetValueName2(value, &length);
}

#endif
