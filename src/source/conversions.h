/* Parameters and results whose type differs between the versions, where one number merely becomes another (int to
 * short, long to long long, signed to unsigned): the entry takes and gives the wider type, and each version converts as
 * C does where it is called. */
#ifndef PENUMBRA_SOURCE_CONVERSIONS_H
#define PENUMBRA_SOURCE_CONVERSIONS_H

#include "source/program.h"

struct conversions {
    const struct input_parameter **parameters; /* by their number: what is taken; NULL: what the version itself has */
    const struct input_parameter *result;      /* the same for what is returned */
    const char *text;                          /* a sentence for people: what is converted */
};

/* What has to be converted for both to be called alike; NULL: nothing, or nothing that could be. */
const struct conversions *conversions_find(struct arena *arena, const struct program *old, const struct program *new);

#endif
