/* The world of a program under test. Such programs run on inputs that nobody wrote: they may read what the user may
 * read, and do as they like with what they take for the working directory, /tmp, /var/tmp and /dev/shm, but nothing of
 * the user's changes, nobody outside is signalled or talked to, and every run finds the same beginning.
 *
 * Levels, best first; the world is made once for a server of runs (server.h):
 *
 * - WORLD_NAMESPACES: namespaces of its own for users, mounts, processes, network, IPC. All that is mounted is
 *   read-only; /tmp, /var/tmp, /dev/shm are fresh and empty; the working directory is the user's, with a layer over it
 *   that takes the changes. Capabilities are gone, and a filter refuses system calls that could open a way out.
 * - WORLD_LANDLOCK, where the kernel or a container refuses namespaces: files can be changed below a scratch directory
 *   only. The working directory is a copy there (empty when the user's own is too large to be copied).
 * - WORLD_OPEN: the user's own rights and files. Only on request. */
#ifndef PENUMBRA_EXECUTE_WORLD_H
#define PENUMBRA_EXECUTE_WORLD_H

#include "base/error.h"
#include "base/text.h"
#include "execute/own_root.h"

#include <stdbool.h>

enum world_level { WORLD_NAMESPACES, WORLD_LANDLOCK, WORLD_OPEN, WORLD_LEVELS };

struct world {
    enum world_level level;
    char scratch[256];    /* where what is ours of it lies; empty, made and removed by the caller */
    char directory[4096]; /* where programs start */
    struct own_root root; /* that programs have, with namespaces only */
};

const char *world_level_name(enum world_level level); /* "namespaces", "landlock", "none" */
/* What it means, in a sentence for a report. */
const char *world_level_text(enum world_level level);

/* Whether the level can be had here. If not, `why` (may be NULL) receives a clause that says what was refused. */
bool world_is_available(enum world_level level, struct text *why);

/* Chooses the best level from `best` on that can be had; WORLD_OPEN only where `best` asks for it. The scratch
 * directory is to lie in `directory`. */
bool world_make(struct world *world, enum world_level best, const char *directory, struct error *error);
/* Gives programs a root of the user's own, once it is known where they start. False: this level has none. */
bool world_take_root(struct world *world, const char *path, struct error *error);

#endif
