/* --size: how many elements lie behind pointers. */
#ifndef PENUMBRA_SOURCE_SIZES_H
#define PENUMBRA_SOURCE_SIZES_H

#include "source/program.h"

/* Whether each --size reads as NAME=N. */
bool sizes_check_syntax(const struct program_request *request, struct error *error);
/* The N of `--size NAME=N`, or of one whose name has `[]` for NAME's indices; 0 when there is none. Remembers that NAME
 * can have a size. */
size_t sizes_requested(struct program *program, const char *name);
/* Of a string whose size nobody gave: how many characters are known to lie there in some call, its zero included; 0
 * where nothing is known. */
size_t sizes_known(struct program *program, const char *name);
/* Whether every --size names something that can have a size; asked when the layout is complete. */
bool sizes_check(struct program *program, struct error *error);

#endif
