/* What C, or the source by attributes, promises the optimiser, and the instrumented program does not keep: it wraps
 * around, and every function may write labels and the trace, also one that the source calls pure. */
#ifndef PENUMBRA_INSTRUMENT_PROMISES_H
#define PENUMBRA_INSTRUMENT_PROMISES_H

#include <llvm-c/Core.h>
#include <stdbool.h>

/* Of functions that are defined in the module, and of calls. With `keep_signed`, signed operations are still said not
 * to overflow, which hooks are told of. */
void promises_drop(LLVMModuleRef module, bool keep_signed);

#endif
