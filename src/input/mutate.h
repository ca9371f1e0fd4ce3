/* Other starts of a whole program, made of one that works: bytes, lines, words and numbers are inserted, removed,
 * repeated and replaced, options and arguments added and left out. */
#ifndef PENUMBRA_INPUT_MUTATE_H
#define PENUMBRA_INPUT_MUTATE_H

#include "base/chance.h"
#include "base/words.h"
#include "input/invocation.h"

struct mutation {
    const struct input_layout *layout;   /* of a whole program */
    const struct words *numbers, *texts; /* constants of the program */
    struct chance *chance;
};

/* Changes the input in a few places. */
void mutate(const struct mutation *mutation, uint8_t *bytes);

#endif
