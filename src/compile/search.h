/* In which directories a compilation looks for headers. */
#ifndef PENUMBRA_COMPILE_SEARCH_H
#define PENUMBRA_COMPILE_SEARCH_H

#include "base/words.h"

#include <stdbool.h>

/* Of the compiler with these flags. Asks the driver, by -###, what it would tell the compiler. False when it does not
 * say. */
bool search_directories(const struct words *options, struct arena *arena, struct words *directories);

#endif
