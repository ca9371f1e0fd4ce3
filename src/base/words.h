/* A NULL-terminated list of strings that grows: argument vectors, lists from the command line. The strings are not
 * copied, except by words_split. */
#ifndef PENUMBRA_BASE_WORDS_H
#define PENUMBRA_BASE_WORDS_H

#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>

struct words {
    const char **list; /* NULL while empty */
    size_t count, capacity;
    struct arena *arena; /* owns what words_split copied */
};

void words_add(struct words *words, const char *word);
/* Adds the words of a string as a shell would split them: at white space, with '...', "..." and \ respected. */
void words_split(struct words *words, const char *string);
bool words_have(const struct words *words, const char *word);
void words_free(struct words *words);

#endif
