/* Parameters that lead to one number: whatever the code does with such a pointer, in all functions that get it, is to
 * look at what it points to, to write there, and to ask whether it is NULL. How many elements lie behind it is no
 * question then, as behind a pointer to a structure. Any other use, also one that is not understood, makes it a pointer
 * to several. */
#ifndef PENUMBRA_SOURCE_SINGLE_H
#define PENUMBRA_SOURCE_SINGLE_H

#include "source/source.h"

struct single_pointers;

/* Reads all functions of the units. */
struct single_pointers *single_read(struct arena *arena, const struct sources *sources);
void single_free(struct single_pointers *pointers);

/* Whether the parameter of this place (pointer_tests.h) is one. */
bool single_has(const struct single_pointers *pointers, const char *place);

#endif
