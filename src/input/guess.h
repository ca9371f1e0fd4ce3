/* Inputs that are made without asking anybody: values that programs often treat in a special way, constants of the
 * program, lengths that fit or just do not, and chance. Most are of no interest, but a thousand of them cost less than
 * one question to the solver. The same request gives the same inputs. */
#ifndef PENUMBRA_INPUT_GUESS_H
#define PENUMBRA_INPUT_GUESS_H

#include "base/words.h"
#include "input/input.h"

struct guess_request {
    const struct input_layout *layout; /* may grow meanwhile */
    const struct input_range *ranges;
    size_t range_count;
    const uint8_t *const *seeds; /* come first */
    size_t seed_count, seed_size;
    size_t recorded_count; /* of them, the last ones: what a program was seen to use, worth to be changed a little */
    /* Constants of the program: numbers as C writes them, integers in decimal; and texts. */
    const struct words *numbers, *texts;
};

struct guesser;

struct guesser *guesser_create(const struct guess_request *request);
void guesser_destroy(struct guesser *guesser);
/* The next input, layout->size bytes that are valid until the next call; never one that came before. NULL when no other
 * comes to mind, as where there is only one bool. */
const uint8_t *guesser_next(struct guesser *guesser);

#endif
