/* A table of sites as bytes, to be kept beside the object that it belongs to. */
#include "instrument/sites.h"

#include <stddef.h>
#include <string.h>

/* Plain values are written as they lie in memory, and so is one that is added behind them: what reads them is the same
 * tool. */
enum { FIRST_PLAIN = offsetof(struct site_table, allocates), PLAIN_BYTES = sizeof(struct site_table) - FIRST_PLAIN };

/* ---- writing ---- */

static void write_number(struct text *text, uint64_t number)
{
    text_append(text, (const char *)&number, sizeof number);
}

/* NULL has a length of its own. */
static void write_string(struct text *text, const char *string)
{
    write_number(text, string ? strlen(string) + 1 : 0);
    if (string)
        text_append(text, string, strlen(string) + 1);
}

static void write_words(struct text *text, const struct words *words)
{
    write_number(text, words->count);
    for (size_t i = 0; i < words->count; i++)
        write_string(text, words->list[i]);
}

static void write_site(struct text *text, const struct site *site)
{
    write_string(text, site->file);
    write_string(text, site->function);
    write_string(text, site->what);
    write_number(text, site->line);
    write_number(text, site->column);
    write_number(text, site->in_model);
    write_number(text, site->calls_model);
    size_t part_count = site->distances ? site->part_count : 0;
    write_number(text, part_count);
    if (part_count)
        text_append(text, (const char *)site->distances, 2 * part_count * sizeof *site->distances);
}

void site_table_write(const struct site_table *table, struct text *text)
{
    write_number(text, table->count);
    for (size_t i = 1; i < table->count; i++)
        write_site(text, &table->sites[i]);
    write_string(text, table->lasting);
    write_words(text, &table->assumed);
    write_words(text, &table->outside);
    write_words(text, &table->numbers);
    write_words(text, &table->texts);
    text_append(text, (const char *)table + FIRST_PLAIN, PLAIN_BYTES);
    if (table->dependences)
        dependences_write(table->dependences, text);
}

/* ---- reading ---- */

struct reader {
    const char *at;
    size_t left;
    bool failed;
};

static const char *take(struct reader *reader, uint64_t length)
{
    const char *at = reader->at;
    if (reader->failed || length > reader->left) {
        reader->failed = true;
        return NULL;
    }
    reader->at += length;
    reader->left -= length;
    return at;
}

static uint64_t read_number(struct reader *reader)
{
    uint64_t number = 0;
    const char *bytes = take(reader, sizeof number);
    if (bytes)
        memcpy(&number, bytes, sizeof number);
    return number;
}

static const char *read_string(struct reader *reader)
{
    uint64_t length = read_number(reader);
    const char *string = length ? take(reader, length) : NULL;
    if (string && string[length - 1])
        reader->failed = true;
    return reader->failed ? NULL : string;
}

static void read_words(struct reader *reader, struct site_table *table, struct words *words)
{
    uint64_t count = read_number(reader);
    for (uint64_t i = 0; i < count && !reader->failed; i++) {
        const char *word = read_string(reader);
        reader->failed |= !word;
        if (word)
            words_add(words, arena_copy_string(table->arena, word));
    }
}

static void read_site(struct reader *reader, struct site_table *table)
{
    struct site site = {.file = read_string(reader), .function = read_string(reader), .what = read_string(reader)};
    site.line = (unsigned)read_number(reader);
    site.column = (unsigned)read_number(reader);
    site.in_model = read_number(reader);
    site.calls_model = read_number(reader);
    uint64_t part_count = read_number(reader);
    size_t size = 2 * sizeof *site.distances * part_count;
    const char *distances = part_count <= reader->left ? take(reader, size) : NULL;
    reader->failed |= !site.file || !site.function || !site.what || !distances;
    if (reader->failed)
        return;
    uint32_t number = site_table_add(table, &site);
    if (part_count)
        memcpy(site_table_outcomes(table, number, (uint32_t)part_count), distances, size);
}

bool site_table_read(struct site_table *table, const char *bytes, size_t length)
{
    struct reader reader = {bytes, length, false};
    uint64_t count = read_number(&reader);
    for (uint64_t i = 1; i < count && !reader.failed; i++)
        read_site(&reader, table);
    const char *lasting = read_string(&reader);
    table->lasting = lasting ? arena_copy_string(table->arena, lasting) : NULL;
    read_words(&reader, table, &table->assumed);
    read_words(&reader, table, &table->outside);
    read_words(&reader, table, &table->numbers);
    read_words(&reader, table, &table->texts);
    const char *plain = take(&reader, PLAIN_BYTES);
    if (plain)
        memcpy((char *)table + FIRST_PLAIN, plain, PLAIN_BYTES);
    size_t used = 0;
    if (!reader.failed && reader.left) {
        table->dependences = dependences_read(table->arena, reader.at, reader.left, &used);
        reader.failed = !table->dependences;
    }
    return !reader.failed && reader.left == used;
}
