/* What may be true where two loops begin: all guesses, also the wrong ones. */
#ifndef PENUMBRA_PROVE_GUESS_H
#define PENUMBRA_PROVE_GUESS_H

#include "prove/couple.h"

void guess_all(struct coupling *coupling);

#endif
