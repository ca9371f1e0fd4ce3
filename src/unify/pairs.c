#include "unify/pairs.h"

#include "base/file.h"
#include "unify/compare.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { LARGEST_FILE = 50 << 20 };

static bool ends_with(const char *name, const char *end)
{
    size_t length = strlen(name), end_length = strlen(end);
    return length > end_length && !strcmp(name + length - end_length, end);
}

static int by_name(const void *one, const void *other)
{
    return strcmp(*(const char *const *)one, *(const char *const *)other);
}

/* C files and headers below the directory; what begins with a dot is left out. */
static void collect(const char *root, const char *below, struct arena *arena, struct words *files)
{
    const char *path = *below ? arena_format(arena, "%s/%s", root, below) : root;
    DIR *directory = opendir(path);
    for (struct dirent *entry; directory && (entry = readdir(directory));) {
        struct stat status;
        if (entry->d_name[0] == '.')
            continue;
        const char *name =
            *below ? arena_format(arena, "%s/%s", below, entry->d_name) : arena_copy_string(arena, entry->d_name);
        const char *full = arena_format(arena, "%s/%s", root, name);
        if (lstat(full, &status))
            continue;
        if (S_ISDIR(status.st_mode))
            collect(root, name, arena, files);
        else if (S_ISREG(status.st_mode) && (ends_with(name, ".c") || ends_with(name, ".h")))
            words_add(files, name);
    }
    if (directory)
        closedir(directory);
}

struct reading {
    struct arena *arena;
    struct pairs *pairs;
    struct error *error;
};

/* NULL, or why it is no source file. */
static const char *find_strangeness(const char *path, const struct text *text, struct arena *arena)
{
    struct stat status;
    if (!stat(path, &status) && status.st_size > LARGEST_FILE)
        return arena_format(arena, "%s has %lld bytes: too many for a source file", path, (long long)status.st_size);
    if (text->length && memchr(text->data, 0, text->length))
        return arena_format(arena, "%s is no text", path);
    return NULL;
}

static bool read_file(const struct reading *reading, const char *path, struct text *text, bool *strange)
{
    struct stat status;
    bool is_large = !stat(path, &status) && status.st_size > LARGEST_FILE;
    if (!is_large && !file_read(path, text, reading->error))
        return false;
    const char *sentence = find_strangeness(path, text, reading->arena);
    if (sentence)
        words_add(&reading->pairs->strange, arena_format(reading->arena, "%s, it is left out", sentence));
    *strange |= sentence != NULL;
    return true;
}

bool pairs_check_file(const char *path, struct arena *arena, struct error *error)
{
    struct text text = {0};
    struct stat status;
    bool is_large = !stat(path, &status) && status.st_size > LARGEST_FILE;
    bool good = is_large || file_read(path, &text, error);
    const char *sentence = good ? find_strangeness(path, &text, arena) : NULL;
    text_free(&text);
    return good && (!sentence || error_set(error, "%s", sentence));
}

static bool compare(const struct reading *reading, const char *old, const char *new, bool *same, bool *strange)
{
    struct text texts[2] = {{0}, {0}};
    bool good = read_file(reading, old, &texts[0], strange) && read_file(reading, new, &texts[1], strange);
    *same = good && !strcmp(text_string(&texts[0]), text_string(&texts[1]));
    text_free(&texts[0]), text_free(&texts[1]);
    return good;
}

bool pairs_find(const char *old, const char *new, struct arena *arena, struct pairs *pairs, struct error *error)
{
    struct words before = {0}, after = {0};
    struct reading reading = {arena, pairs, error};
    *pairs = (struct pairs){0};
    collect(old, "", arena, &before), collect(new, "", arena, &after);
    if (before.count)
        qsort(before.list, before.count, sizeof *before.list, by_name);
    if (after.count)
        qsort(after.list, after.count, sizeof *after.list, by_name);
    bool good = true;
    size_t i = 0, k = 0;
    while (good && (i < before.count || k < after.count)) {
        int order = i == before.count ? 1 : k == after.count ? -1 : strcmp(before.list[i], after.list[k]);
        const char *name = order <= 0 ? before.list[i] : after.list[k];
        bool is_header = ends_with(name, ".h"), same = false, strange = false;
        if (order < 0)
            words_add(is_header ? &pairs->headers : &pairs->removed, name);
        else if (order > 0)
            words_add(is_header ? &pairs->headers : &pairs->added, name);
        else
            good = compare(&reading, arena_format(arena, "%s/%s", old, name), arena_format(arena, "%s/%s", new, name),
                           &same, &strange);
        if (good && order == 0 && !strange && is_header && !same)
            words_add(&pairs->headers, name);
        else if (good && order == 0 && !strange && !is_header)
            words_add(same ? &pairs->unchanged : &pairs->candidates, name);
        i += order <= 0, k += order >= 0;
    }
    if (good && pairs->headers.count) { /* what includes them may differ, too */
        for (size_t n = 0; n < pairs->unchanged.count; n++)
            words_add(&pairs->candidates, pairs->unchanged.list[n]);
        pairs->unchanged.count = 0;
    }
    words_free(&before), words_free(&after);
    return good;
}

void pairs_free(struct pairs *pairs)
{
    words_free(&pairs->candidates), words_free(&pairs->unchanged), words_free(&pairs->added);
    words_free(&pairs->removed), words_free(&pairs->headers), words_free(&pairs->strange);
}
