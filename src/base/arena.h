/* Memory that is freed all at once: everything that lives as long as one owner comes from that owner's arena.
 * Running out of memory ends the process: no caller could do anything better. */
#ifndef PENUMBRA_BASE_ARENA_H
#define PENUMBRA_BASE_ARENA_H

#include <stdarg.h>
#include <stddef.h>

struct arena;

struct arena *arena_create(void);
void arena_destroy(struct arena *arena);
/* Empties it for another use; its first block stays. */
void arena_reset(struct arena *arena);

/* Zeroed memory, aligned for any type. */
void *arena_allocate(struct arena *arena, size_t size);
char *arena_copy_string(struct arena *arena, const char *string);
/* A list that ends with NULL, and its strings. */
const char **arena_copy_strings(struct arena *arena, const char *const *strings);
char *arena_format(struct arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A growing array outside any arena: makes room for `needed` elements and returns the (perhaps moved) array, which the
 * caller frees with free(). */
void *array_reserve(void *array, size_t *capacity, size_t needed, size_t element_size);
/* The same, and what is added is zero. */
void *array_reserve_zeroed(void *array, size_t *capacity, size_t needed, size_t element_size);

#endif
