/* Inputs that the program makes itself, by pn_symbolic(): what can be known of their types before it runs. */
#ifndef PENUMBRA_SOURCE_BY_HAND_H
#define PENUMBRA_SOURCE_BY_HAND_H

#include "source/program.h"
#include "source/source.h"

/* Fills in layout->types from the calls whose name and size are constants. Those that the user gives values or ranges
 * for become parts of the layout; others keep the value that they have when the program makes them an input. */
void by_hand_read(struct program *program, const struct sources *sources);

#endif
