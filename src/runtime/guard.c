/* Linked last into a library that is loaded into the explorer's process; the runtime's variables come first, then the
 * program's. A program that writes on and on beyond its own is stopped here: it would reach the runtime's, or those of
 * the explorer, and nothing would end the run any more. */
#include "runtime/guard.h"

__attribute__((aligned(4096))) char pn_guard_of_data[PN_GUARD_OF_DATA] = {1};
__attribute__((aligned(4096))) char pn_guard_of_zeros[PN_GUARD_OF_ZEROS];
