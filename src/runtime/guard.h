/* Pages behind the program's variables that nobody may touch. */
#ifndef PENUMBRA_RUNTIME_GUARD_H
#define PENUMBRA_RUNTIME_GUARD_H

enum { PN_GUARD_OF_DATA = 4096, PN_GUARD_OF_ZEROS = 16 * 4096 };

extern char pn_guard_of_data[PN_GUARD_OF_DATA], pn_guard_of_zeros[PN_GUARD_OF_ZEROS];

#endif
