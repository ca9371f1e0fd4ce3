/* Inputs that were recorded, of a layout that is not quite the one in which they are wanted: that of another version,
 * or of a program that has longer strings. */
#ifndef PENUMBRA_INPUT_RECORDED_H
#define PENUMBRA_INPUT_RECORDED_H

#include "input/input.h"

struct recorded_inputs {
    const struct input_layout *layout;
    uint8_t **list;
    size_t count;
};

/* Sets those bytes of an input that are zero to what a recorded one has under the same names, as far as it fits. */
void recorded_convert(const struct recorded_inputs *recorded, size_t number, const struct input_layout *layout,
                      uint8_t *bytes);

#endif
