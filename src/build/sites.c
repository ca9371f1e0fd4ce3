/* The table of source places: append-only. */
#include "build/sites.h"

#include <stdlib.h>

struct site_table *site_table_create(void)
{
    struct arena *arena = arena_create();
    struct site_table *table = arena_allocate(arena, sizeof *table);
    table->arena = arena;
    site_table_add(table, &(struct site){.file = "", .function = "", .what = ""});
    return table;
}

void site_table_destroy(struct site_table *table)
{
    if (!table)
        return;
    free(table->sites);
    arena_destroy(table->arena);
}

uint32_t site_table_add(struct site_table *table, const struct site *site)
{
    table->sites = array_reserve(table->sites, &table->capacity, table->count + 1, sizeof *site);
    struct site *copy = &table->sites[table->count];
    *copy = *site;
    copy->file = arena_copy_string(table->arena, site->file);
    copy->function = arena_copy_string(table->arena, site->function);
    copy->what = arena_copy_string(table->arena, site->what);
    return (uint32_t)table->count++;
}

const struct site *site_table_get(const struct site_table *table, uint32_t number)
{
    return &table->sites[number < table->count ? number : 0];
}
