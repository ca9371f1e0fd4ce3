/* What the seeds of an invocation say, between reading them and making inputs of them. */
#ifndef PENUMBRA_INPUT_SEEDS_H
#define PENUMBRA_INPUT_SEEDS_H

#include "input/invocation.h"

/* The bytes that one seed gives to one channel. */
struct seed_content {
    const char *name; /* the channel's */
    const char *bytes;
    size_t length;
};

struct seed {
    size_t argument_count;
    struct seed_content *contents;
    size_t count, capacity;
};

/* NULL: it is no input. */
struct input_channel *invocation_channel(const struct invocation *invocation, const char *name);

/* Where a start was recorded whose directory was not copied, as its folder tells; NULL: it was, or that is gone. */
const char *seed_base(struct arena *arena, const char *folder);

#endif
