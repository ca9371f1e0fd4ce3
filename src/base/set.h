/* A set of byte strings, compared in full. */
#ifndef PENUMBRA_BASE_SET_H
#define PENUMBRA_BASE_SET_H

#include <stdbool.h>
#include <stddef.h>

struct arena;
struct set;

struct set *set_create(void);
void set_destroy(struct set *set);
/* Adds a copy; false when it was there already. */
bool set_add(struct set *set, const void *bytes, size_t length);
/* The number of a string, which is added if it was not there. */
size_t set_enter(struct set *set, const void *bytes, size_t length);
/* The number of a string in the order in which they were added, set_count() when it is none of them. */
size_t set_find(const struct set *set, const void *bytes, size_t length);
size_t set_count(const struct set *set);
/* The bytes of a string by its number. */
const void *set_get(const struct set *set, size_t number);

/* A list of strings that ends with NULL, in the arena. The strings are the set's: each is there once, however many
 * lists have it. */
const char **set_share_strings(struct set *set, struct arena *arena, const char *const *strings);

#endif
