/* A program of one version, built natively with something of ours linked in, and run on starts that were recorded, each
 * in a world of its own. */
#ifndef PENUMBRA_CAMPAIGN_NATIVE_START_H
#define PENUMBRA_CAMPAIGN_NATIVE_START_H

#include "base/arena.h"
#include "base/error.h"
#include "base/words.h"
#include "execute/world.h"
#include "project/starts.h"
#include "source/unit.h"

struct native_start {
    struct arena *arena;
    const char *support;    /* the directory of Penumbra's own files */
    const char *directory;  /* for what is built */
    const char *executable; /* in it */
    const char *runtime;    /* what is linked in, of Penumbra's own files */
    size_t input;           /* where standard input begins in the file that is shared with it */
    struct world world;
    double run_seconds;
    size_t memory_bytes;
};

/* `name` is that of files in the directory. */
bool native_start_open(struct native_start *native, enum world_level sandbox, const char *name, struct error *error);
/* Compiles the units, of which `objects` receives the objects; with further flags in front of theirs. False where one
 * does not compile. */
bool native_start_compile(const struct native_start *native, const struct unit *units, size_t count,
                          const char *const *flags, const char **objects, struct error *error);
bool native_start_link(const struct native_start *native, const char *const *objects, size_t count,
                       const struct words *links, struct error *error);
/* One run. Returns the file that was shared with it, to be closed; -1 with an error where it could not be run. */
int native_start_run(const struct native_start *native, const struct start_record *start, struct error *error);

#endif
