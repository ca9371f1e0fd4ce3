#include "unify/pairs.h"

#include "base/file.h"
#include "unify/compare.h"
#include "unify/included.h"

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

static bool is_unit(const char *name)
{
    return ends_with(name, ".c");
}

/* A link to a C file is no unit of its own, but whatever it leads to may be included. */
static bool is_file(const char *path, const char *name, const struct stat *status)
{
    struct stat target;
    return S_ISREG(status->st_mode) ||
           (S_ISLNK(status->st_mode) && !is_unit(name) && !stat(path, &target) && S_ISREG(target.st_mode));
}

/* All files below the directory, since any of them may be included; what begins with a dot is left out. */
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
        else if (is_file(full, name, &status))
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

/* Files that are no text are compared as well: nothing is said about them. */
static bool is_same_data(const char *one, const char *other)
{
    struct stat left, right;
    struct text texts[2] = {{0}, {0}};
    struct error ignored = {0};
    if (stat(one, &left) || stat(other, &right) || left.st_size != right.st_size || left.st_size > LARGEST_FILE)
        return false;
    bool same = (left.st_dev == right.st_dev && left.st_ino == right.st_ino) ||
                (file_read(one, &texts[0], &ignored) && file_read(other, &texts[1], &ignored) &&
                 texts[0].length == texts[1].length &&
                 (!texts[0].length || !memcmp(texts[0].data, texts[1].data, texts[0].length)));
    text_free(&texts[0]), text_free(&texts[1]);
    error_clear(&ignored);
    return same;
}

struct listing {
    struct words before, after; /* all files, sorted */
    struct words others;        /* of them, those that differ or that one version has, and that are no headers */
};

/* `order`: of the file's place in the two lists; 0 when both have it. */
static bool add_file(const struct reading *reading, struct listing *listing, const char *old, const char *new,
                     const char *name, int order)
{
    struct pairs *pairs = reading->pairs;
    bool is_header = ends_with(name, ".h"), same = false, strange = false;
    const char *one = arena_format(reading->arena, "%s/%s", old, name);
    const char *other = arena_format(reading->arena, "%s/%s", new, name);
    if (!is_unit(name) && !is_header) {
        if (order || !is_same_data(one, other))
            words_add(&listing->others, name);
        return true;
    }
    if (order) {
        words_add(is_header ? &pairs->headers : order < 0 ? &pairs->removed : &pairs->added, name);
    } else if (!compare(reading, one, other, &same, &strange)) {
        return false;
    } else if (!strange && is_header && !same) {
        words_add(&pairs->headers, name);
    } else if (!strange && !is_header) {
        words_add(same ? &pairs->unchanged : &pairs->candidates, name);
    }
    if (!is_header && !same)
        words_add(&listing->others, name);
    return true;
}

static void sort(struct words *words)
{
    if (words->count)
        qsort(words->list, words->count, sizeof *words->list, by_name);
}

bool pairs_find(const char *old, const char *new, struct arena *arena, struct pairs *pairs, struct error *error)
{
    struct listing listing = {0};
    struct reading reading = {arena, pairs, error};
    const struct words *before = &listing.before, *after = &listing.after;
    *pairs = (struct pairs){0};
    collect(old, "", arena, &listing.before), collect(new, "", arena, &listing.after);
    sort(&listing.before), sort(&listing.after);
    bool good = true;
    for (size_t i = 0, k = 0; good && (i < before->count || k < after->count);) {
        int order = i == before->count ? 1 : k == after->count ? -1 : strcmp(before->list[i], after->list[k]);
        good = add_file(&reading, &listing, old, new, order <= 0 ? before->list[i] : after->list[k], order);
        i += order <= 0, k += order >= 0;
    }
    bool may_differ = pairs->headers.count ||
                      (listing.others.count && pairs->unchanged.count &&
                       (included_may_be(old, before, &listing.others) || included_may_be(new, after, &listing.others)));
    for (size_t n = 0; good && may_differ && n < pairs->unchanged.count; n++)
        words_add(&pairs->candidates, pairs->unchanged.list[n]);
    if (good && may_differ)
        pairs->unchanged.count = 0;
    words_free(&listing.before), words_free(&listing.after), words_free(&listing.others);
    return good;
}

/* ---- trees that were built ---- */

struct built_pair {
    const struct reading *reading;
    const char *roots[2];
    struct flags *const *flags;
    json_t *same; /* by name of a header: whether both versions have it, and it is the same */
};

static bool is_same_header(const struct built_pair *pair, const char *name)
{
    json_t *known = json_object_get(pair->same, name);
    if (known)
        return json_is_true(known);
    struct arena *arena = pair->reading->arena;
    bool same = *name == '/' || is_same_data(arena_format(arena, "%s/%s", pair->roots[0], name),
                                             arena_format(arena, "%s/%s", pair->roots[1], name));
    json_object_set_new(pair->same, name, json_boolean(same));
    if (!same)
        words_add(&pair->reading->pairs->headers, name);
    return same;
}

static bool has_same_headers(const struct built_pair *pair, const char *old, const char *new)
{
    struct words before = {0}, after = {0};
    flags_dependencies(pair->flags[0], old, pair->reading->arena, &before);
    flags_dependencies(pair->flags[1], new, pair->reading->arena, &after);
    bool same = before.count == after.count;
    for (size_t i = 0; i < before.count && same; i++)
        same = !strcmp(before.list[i], after.list[i]) && is_same_header(pair, before.list[i]);
    words_free(&before), words_free(&after);
    return same;
}

static bool add_built(const struct built_pair *pair, const char *name, int order)
{
    struct pairs *pairs = pair->reading->pairs;
    struct arena *arena = pair->reading->arena;
    bool same = false, strange = false;
    const char *old = arena_format(arena, "%s/%s", pair->roots[0], name);
    const char *new = arena_format(arena, "%s/%s", pair->roots[1], name);
    if (order)
        words_add(order < 0 ? &pairs->removed : &pairs->added, name);
    else if (!compare(pair->reading, old, new, &same, &strange))
        return false;
    else if (!strange)
        words_add(same && has_same_headers(pair, old, new) ? &pairs->unchanged : &pairs->candidates, name);
    return true;
}

bool pairs_find_built(const char *old, const char *new, struct flags *const flags[2], struct arena *arena,
                      struct pairs *pairs, struct error *error)
{
    struct reading reading = {arena, pairs, error};
    struct built_pair pair = {&reading, {old, new}, flags, json_object()};
    struct words before = {0}, after = {0}, outside = {0};
    *pairs = (struct pairs){0};
    flags_list(flags[0], arena, &before, &outside), flags_list(flags[1], arena, &after, &outside);
    for (size_t i = 0; i < outside.count; i++)
        words_add(&pairs->strange, arena_format(arena, "%s lies outside of the tree, it is left out", outside.list[i]));
    bool good = true;
    for (size_t i = 0, k = 0; good && (i < before.count || k < after.count);) {
        int order = i == before.count ? 1 : k == after.count ? -1 : strcmp(before.list[i], after.list[k]);
        good = add_built(&pair, order <= 0 ? before.list[i] : after.list[k], order);
        i += order <= 0, k += order >= 0;
    }
    words_free(&before), words_free(&after), words_free(&outside);
    json_decref(pair.same);
    return good;
}

void pairs_free(struct pairs *pairs)
{
    words_free(&pairs->candidates), words_free(&pairs->unchanged), words_free(&pairs->added);
    words_free(&pairs->removed), words_free(&pairs->headers), words_free(&pairs->strange);
}
