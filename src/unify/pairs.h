/* Two directories: which C files are the same file, and which of them must be unified. */
#ifndef PENUMBRA_UNIFY_PAIRS_H
#define PENUMBRA_UNIFY_PAIRS_H

#include "base/arena.h"
#include "base/error.h"
#include "base/words.h"
#include "unify/flags.h"

struct pairs {
    struct words candidates; /* in both, as paths below the directories; the text differs, or what
                                may be included, or the flags */
    struct words unchanged;  /* in both, the same */
    struct words added, removed;
    struct words headers; /* that differ, or that one version has */
    struct words strange; /* sentences: files that are too large or no text, and are left out */
};

bool pairs_find(const char *old, const char *new, struct arena *arena, struct pairs *pairs, struct error *error);
/* The same of trees that were built: only what was compiled counts, and a file is the same if the headers that it
 * includes are. */
bool pairs_find_built(const char *old, const char *new, struct flags *const flags[2], struct arena *arena,
                      struct pairs *pairs, struct error *error);
/* Whether the file is text of a size that can be read. */
bool pairs_check_file(const char *path, struct arena *arena, struct error *error);
void pairs_free(struct pairs *pairs);

#endif
