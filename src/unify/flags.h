/* The flags that a file is compiled with, from compile_commands.json, or from what a build has recorded in the same
 * form.
 */
#ifndef PENUMBRA_UNIFY_FLAGS_H
#define PENUMBRA_UNIFY_FLAGS_H

#include "base/arena.h"
#include "base/error.h"
#include "base/words.h"

#include <jansson.h>
#include <stdbool.h>

struct flags;

/* Looks for compile_commands.json in `tree`, `tree`/build and then `original` (where the tree was taken from; may be
 * NULL). NULL without an error when there is none. */
struct flags *flags_open(const char *tree, const char *original, struct error *error);
/* The same from a list of commands: they are all that is compiled in the tree. */
struct flags *flags_take(const json_t *commands, const char *tree);
void flags_close(struct flags *flags);

/* For a file of the tree, in one string as --cflags takes it; NULL when the file is not named. Paths that lead into the
 * original lead into the tree where that has them, too. */
const char *flags_of(struct flags *flags, const char *file, struct arena *arena);

/* Whether a file that both trees have is compiled alike in both, paths below the trees apart. Either may be NULL. */
bool flags_are_same(struct flags *old, struct flags *new, const char *old_file, const char *new_file,
                    struct arena *arena);

/* The C files that are compiled, as paths below the tree, sorted; and those of them that lie elsewhere. */
void flags_list(struct flags *flags, struct arena *arena, struct words *inside, struct words *outside);
/* The headers that a file includes, where the commands tell: as paths below the tree, or absolute ones. */
void flags_dependencies(struct flags *flags, const char *file, struct arena *arena, struct words *names);

#endif
