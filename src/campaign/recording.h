/* Seeds for functions: what they were called with while the project's tests ran. The programs that the tests have
 * started are built once more, with a statement in the function that records its arguments and the memory that they
 * lead to (source/recording.h), and are run on the starts that were recorded. What comes of it are inputs of a layout
 * like that of the exploration, whose strings are as long as any that was seen. */
#ifndef PENUMBRA_CAMPAIGN_RECORDING_H
#define PENUMBRA_CAMPAIGN_RECORDING_H

#include "base/error.h"
#include "base/words.h"
#include "campaign/entry.h"
#include "campaign/subject.h"
#include "execute/world.h"
#include "project/built.h"

struct recording_request {
    const struct built *built; /* the new version's tree */
    const char *starts;        /* the directory of what was started in it */
    const char *directory;     /* for what is built */
    const struct words *links;
    enum world_level sandbox;
    double run_seconds;
    size_t memory_bytes;
};

struct recording;

/* Compiles what the programs that were started are made of, where an entry is in one of them. */
struct recording *recording_open(const struct recording_request *request, const struct campaign_entry *entries,
                                 size_t count, struct error *error);
void recording_close(struct recording *recording);

/* The calls of one entry. */
struct recorded {
    bool is_done;
    struct arena *arena;
    struct subject_options options;
    struct subject subject; /* the program whose layout the inputs are of */
    struct recorded_inputs inputs;
    size_t calls;     /* that were seen */
    size_t starts;    /* in so many */
    size_t distinct;  /* inputs that were recorded */
    const char *note; /* lines for people */
};

/* Records calls of the entry, in runs of some seconds at most, once: `options` gets what came of it, as seeds and sizes
 * of strings. That nothing could be recorded is said in recorded->note. */
void recording_take(const struct recording *recording, const struct campaign_entry *entry, double seconds,
                    struct subject_options *options, struct recorded *recorded);
void recording_free(struct recorded *recorded);

#endif
