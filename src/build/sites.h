/* Places in the source that events refer to. The instrumenter numbers them; a trace holds only the numbers. */
#ifndef PENUMBRA_BUILD_SITES_H
#define PENUMBRA_BUILD_SITES_H

#include "base/arena.h"

#include <stddef.h>
#include <stdint.h>

struct site {
    const char *file; /* "" when the compiler gave no location */
    const char *function;
    unsigned line, column;
    const char *what; /* what precision is lost to, or what is called: "pow", "floating point"; "" elsewhere */
};

struct site_table {
    struct arena *arena;
    struct site *sites; /* index 0 is unused */
    size_t count, capacity;
};

struct site_table *site_table_create(void);
void site_table_destroy(struct site_table *table);
/* Copies the strings; returns the new site's number. */
uint32_t site_table_add(struct site_table *table, const struct site *site);
const struct site *site_table_get(const struct site_table *table, uint32_t number);

#endif
