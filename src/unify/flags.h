/* The flags that a file is compiled with, from compile_commands.json. */
#ifndef PENUMBRA_UNIFY_FLAGS_H
#define PENUMBRA_UNIFY_FLAGS_H

#include "base/arena.h"
#include "base/error.h"

#include <stdbool.h>

struct flags;

/* Looks for compile_commands.json in `tree`, `tree`/build and then `original` (where the tree was taken from; may be
 * NULL). NULL without an error when there is none. */
struct flags *flags_open(const char *tree, const char *original, struct error *error);
void flags_close(struct flags *flags);

/* For a file of the tree, in one string as --cflags takes it; NULL when the file is not named. Paths that lead into the
 * original lead into the tree where that has them, too. */
const char *flags_of(struct flags *flags, const char *file, struct arena *arena);

/* Whether a file that both trees have is compiled alike in both, paths below the trees apart. Either may be NULL. */
bool flags_are_same(struct flags *old, struct flags *new, const char *old_file, const char *new_file,
                    struct arena *arena);

#endif
