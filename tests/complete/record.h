/* For judge.h: keeps what a version does, run by run, and prints each distinct path once. A million runs take seconds.
 *
 *     path 0 branch,0,12,1 fail,0,14,2      a path, as judge.h would print it
 *     0 00000007                            for each input: its path, and its outputs in hexadecimal,
 *     1 failed                              or that it failed,
 *     2 endless                             or that it took too many decisions */
#ifndef RECORD_H
#define RECORD_H

#include <stdint.h>

enum { MOST_DECISIONS = 5000, MOST_OUTPUT = 256, FAILED = 1, ENDLESS };

struct record_entry {
    const char *what;
    int alone, line;
    long long value;
};

struct record_path {
    struct record_entry *entries;
    size_t count;
    uint64_t hash;
};

static struct {
    struct record_entry entries[MOST_DECISIONS];
    size_t count;
    unsigned char output[MOST_OUTPUT];
    size_t output_size;
    struct record_path *paths; /* a hash table with open addressing, and the paths in the order of their numbers */
    uint32_t *table;
    size_t path_count, table_size;
} record;

static inline void judge_log(const char *what, int line, long long value)
{
    if (record.count == MOST_DECISIONS)
        longjmp(judge_run, ENDLESS);
    record.entries[record.count++] = (struct record_entry){what, judge_depth > 0, line, value};
}

static inline void record_output(const void *value, size_t size)
{
    if (record.output_size + size > MOST_OUTPUT)
        exit(4);
    memcpy(record.output + record.output_size, value, size);
    record.output_size += size;
}

static uint64_t record_hash(void)
{
    uint64_t hash = 1469598103934665603u;
    for (size_t i = 0; i < record.count; i++) {
        const struct record_entry *entry = &record.entries[i];
        uint64_t place = (uint64_t)entry->what[0] ^ (uint64_t)entry->line << 9 ^ (uint64_t)entry->alone << 8;
        hash = (hash ^ place) * 1099511628211u;
        hash = (hash ^ (uint64_t)entry->value) * 1099511628211u;
    }
    return hash ^ hash >> 29;
}

static int record_is_now(const struct record_path *path, uint64_t hash)
{
    if (path->hash != hash || path->count != record.count)
        return 0;
    for (size_t i = 0; i < record.count; i++) {
        const struct record_entry *a = &path->entries[i], *b = &record.entries[i];
        if (strcmp(a->what, b->what) || a->alone != b->alone || a->line != b->line || a->value != b->value)
            return 0;
    }
    return 1;
}

static void record_print_path(void)
{
    printf("path %zu", record.path_count);
    for (size_t i = 0; i < record.count; i++) {
        const struct record_entry *entry = &record.entries[i];
        printf(" %s,%d,%d,%lld", entry->what, entry->alone, entry->line, entry->value);
    }
    printf("\n");
}

static void record_grow(void)
{
    record.table_size = record.table_size ? record.table_size * 2 : 1024;
    record.paths = realloc(record.paths, record.table_size / 2 * sizeof *record.paths);
    free(record.table);
    record.table = calloc(record.table_size, sizeof *record.table);
    for (size_t i = 0; i < record.path_count; i++) {
        size_t at = record.paths[i].hash % record.table_size;
        while (record.table[at])
            at = (at + 1) % record.table_size;
        record.table[at] = (uint32_t)i + 1;
    }
}

/* The number of the path just taken; prints it when it is new. */
static size_t record_path_number(void)
{
    if (record.path_count * 2 >= record.table_size)
        record_grow();
    uint64_t hash = record_hash();
    size_t at = hash % record.table_size;
    for (; record.table[at]; at = (at + 1) % record.table_size)
        if (record_is_now(&record.paths[record.table[at] - 1], hash))
            return record.table[at] - 1;
    struct record_path *path = &record.paths[record.path_count];
    *path = (struct record_path){malloc((record.count + 1) * sizeof *path->entries), record.count, hash};
    memcpy(path->entries, record.entries, record.count * sizeof *path->entries);
    record_print_path();
    record.table[at] = (uint32_t)++record.path_count;
    return record.path_count - 1;
}

static void record_print_run(int ending)
{
    printf("%zu ", record_path_number());
    if (ending)
        printf(ending == ENDLESS ? "endless" : "failed");
    for (size_t i = 0; !ending && i < record.output_size; i++)
        printf("%02x", record.output[i]);
    printf("\n");
}

struct record_global {
    void *address;
    size_t size;
};

/* Runs the entry on every input in the file: `width` numbers of 64 bits each. The globals start anew with every run. */
static inline int record_main(const char *path, size_t width, void (*entry)(const long long *),
                              const struct record_global *globals)
{
    static unsigned char start[64][MOST_OUTPUT];
    long long numbers[64];
    FILE *file = fopen(path, "rb");
    if (!file || width > 64)
        return 3;
    for (size_t i = 0; globals[i].address; i++)
        memcpy(start[i], globals[i].address, globals[i].size);
    while (fread(numbers, sizeof *numbers, width, file) == width) {
        for (size_t i = 0; globals[i].address; i++)
            memcpy(globals[i].address, start[i], globals[i].size);
        record.count = record.output_size = 0;
        judge_depth = 0;
        int ending = setjmp(judge_run);
        if (!ending)
            entry(numbers);
        record_print_run(ending);
    }
    return 0;
}

#endif
