/* Code under execute(): the uses that cannot be given a meaning are refused here, while the source is still at hand. */
#ifndef PENUMBRA_SOURCE_ONE_SIDED_H
#define PENUMBRA_SOURCE_ONE_SIDED_H

#include "source/program.h"
#include "source/source.h"

/* execute() stands alone in the condition of an if; what only one version has is not jumped into, neither by goto nor
 * from a switch around it, and is not the place to which a longjmp() returns. */
bool one_sided_check(struct program *program, const struct sources *sources, struct error *error);

#endif
