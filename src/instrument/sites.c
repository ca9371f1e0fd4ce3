/* The table of source places: append-only. */
#include "instrument/sites.h"

#include <stdlib.h>
#include <string.h>

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
    words_free(&table->assumed);
    words_free(&table->outside);
    words_free(&table->numbers);
    words_free(&table->texts);
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

static void join_words(struct site_table *table, struct words *words, const struct words *others)
{
    for (size_t i = 0; i < others->count; i++)
        if (!words_have(words, others->list[i]))
            words_add(words, arena_copy_string(table->arena, others->list[i]));
}

void site_table_join(struct site_table *table, const struct site_table *other)
{
    join_words(table, &table->assumed, &other->assumed);
    join_words(table, &table->outside, &other->outside);
    table->allocates |= other->allocates;
    table->has_locale |= other->has_locale;
    table->may_overflow |= other->may_overflow;
    table->rounds |= other->rounds;
    table->prints |= other->prints;
    table->exits |= other->exits;
    table->stops |= other->stops;
    table->synchronises |= other->synchronises;
}

const struct site *site_table_get(const struct site_table *table, uint32_t number)
{
    return &table->sites[number < table->count ? number : 0];
}

uint32_t *site_table_outcomes(struct site_table *table, uint32_t number, uint32_t part_count)
{
    struct site *site = &table->sites[number];
    size_t size = 2 * (size_t)part_count * sizeof *site->distances;
    site->distances = arena_allocate(table->arena, size);
    site->part_count = part_count;
    memset(site->distances, 0, size);
    return site->distances;
}

uint32_t site_distance(const struct site_table *table, uint32_t site, uint32_t part, bool outcome)
{
    const struct site *at = site_table_get(table, site);
    return part >= at->part_count ? 0 : at->distances[2 * (size_t)part + outcome];
}

bool site_reaches_change(const struct site_table *table, uint32_t site, uint32_t part, bool outcome)
{
    return site_distance(table, site, part, outcome) != SITE_NO_CHANGE;
}
