/* The cache on disk: contents by the digest of everything that they were made from. It is in $PENUMBRA_CACHE, else in
 * $XDG_CACHE_HOME/penumbra, else in ~/.cache/penumbra; at most $PENUMBRA_CACHE_SIZE megabytes, of which those go first
 * that were not used for the longest time.
 *
 * An entry is written under another name and renamed, and begins with the digest of its content: runs beside each other
 * do not disturb each other, and an entry that is damaged is none. Nothing depends on the store: where it cannot be
 * read or written, everything is made anew. */
#ifndef PENUMBRA_COMPILE_STORE_H
#define PENUMBRA_COMPILE_STORE_H

#include "base/digest.h"
#include "base/text.h"

#include <stdbool.h>

/* Until this is called, nothing is found and nothing kept. */
void store_open(void);
bool store_is_open(void);
/* Where it is; NULL while it is not open. What others keep there is theirs to trim. */
const char *store_directory(void);
/* Appends the entry's content; false when there is none. */
bool store_get(const struct digest *key, struct text *content);
void store_put(const struct digest *key, const char *content, size_t length);
/* Removes what is too much, if something was added since the last time. */
void store_trim(void);

#endif
