/* The keeper of a world with namespaces: a process of ours, in all of the program's namespaces but the one for
 * processes, where the program cannot name it. It alone may mount there. After each run it tells what the run has left
 * behind, and makes the world as it was. */
#ifndef PENUMBRA_EXECUTE_KEEPER_H
#define PENUMBRA_EXECUTE_KEEPER_H

#include "base/text.h"
#include "execute/failure.h"
#include "execute/world.h"

#include <stdbool.h>

/* In a child of the process that runs programs: makes the world, then starts `become` as the first process of a
 * namespace for processes, which ends when that one does, and gives up with `release` what is that one's alone.
 * Commands come through `channel`, a socket that keeps messages apart. Returns only when it could not be made. */
bool keeper_be(const struct world *world, int channel, void (*become)(void *), void (*release)(void *), void *context,
               struct failure *failure);

/* At the other end of the channel. What was left is added to `left`, unless that is NULL. False when the keeper is no
 * more, or could not clean up: the world is to be made again. */
bool keeper_tidy(int channel, struct text *left);
/* How the first process ended, as wait() tells it; it has ended, or is about to. False when the keeper is no more. */
bool keeper_await_end(int channel, int *status);

#endif
