/* How native programs are linked. The linker itself, with the sanitizer's shared runtime, takes a tenth of the time of
 * the compiler driver with the static one; where the files for that are not found, the driver is used. */
#ifndef PENUMBRA_CHECK_LINK_H
#define PENUMBRA_CHECK_LINK_H

#include "base/words.h"

/* Writes the command that links the objects and the user's libraries (both NULL-terminated) into an executable. */
void link_command(struct words *command, const char *executable, const char *const objects[],
                  const char *const libraries[]);

#endif
