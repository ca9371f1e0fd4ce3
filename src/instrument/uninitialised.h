/* What is read without having been written. clang fills automatic variables where they are declared
 * (-ftrivial-auto-var-init=pattern), and marks what does so. A constant pattern would hide a version that reads such a
 * variable from one that writes just this constant: so the filling becomes a copy of __pn_fresh, bytes that the runtime
 * has for each run, and that are an input like any other (trace/uninitialised.h). */
#ifndef PENUMBRA_INSTRUMENT_UNINITIALISED_H
#define PENUMBRA_INSTRUMENT_UNINITIALISED_H

#include "base/error.h"

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stdint.h>

#define FRESH_BYTES "__pn_fresh" /* what was never written holds these */

/* Also fills variables whose declaration may be jumped over; leaves out what is surely written before it is read.
 * Returns how many bytes of __pn_fresh that takes. */
uint64_t fill_uninitialised(LLVMModuleRef module);
/* The same for a file of bitcode, in place. */
bool fill_uninitialised_file(const char *path, struct error *error);
/* After the early passes: how many of these bytes the program still needs, also for memory that it allocates. */
uint64_t needed_fresh_bytes(LLVMModuleRef module, uint64_t filled);

#endif
