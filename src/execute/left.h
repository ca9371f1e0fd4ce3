/* What a run leaves behind: files, directories and links that are new, changed or removed in the places where a program
 * may change them. It is an output, a line for each: `./log = file 0644, 3 bytes: "a\n"`, `./old = removed`. */
#ifndef PENUMBRA_EXECUTE_LEFT_H
#define PENUMBRA_EXECUTE_LEFT_H

#include "base/text.h"
#include "execute/place.h"

enum { LEFT_MOST = 16 << 10 }; /* bytes of one place, as a rule */
/* Adds the lines, in an order that does not depend on anything else. Beyond `most` bytes, only a line that depends on
 * all of the rest. */
void left_list(const struct place *place, size_t most, struct text *lines);

#endif
