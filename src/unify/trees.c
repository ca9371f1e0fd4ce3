#include "unify/trees.h"

#include "base/file.h"
#include "unify/compare.h"
#include "unify/flags.h"
#include "unify/included.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool is_directory(const char *path, bool *result, struct error *error)
{
    struct stat status;
    if (stat(path, &status))
        return error_set(error, "cannot read %s: %s", path, strerror(errno));
    *result = S_ISDIR(status.st_mode);
    return true;
}

const char *trees_flags(const struct unified_trees *trees, size_t version, const char *path, struct arena *arena)
{
    const char *known = trees->flags[version] ? flags_of(trees->flags[version], path, arena) : NULL;
    if (known && trees->cflags)
        return arena_format(arena, "%s %s", known, trees->cflags);
    return known ? known : trees->cflags;
}

/* Of a directory; of a file, the nearest directory above it that has compile_commands.json. */
static struct flags *open_flags(const struct trees_request *request, const char *version, struct unified_trees *trees,
                                struct error *error)
{
    char path[PATH_MAX];
    if (request->built[0])
        return flags_take(request->built[version == request->new], version);
    if (trees->are_directories)
        return flags_open(version, request->original, error);
    if (!realpath(version, path))
        return NULL;
    for (char *slash; (slash = strrchr(path, '/')) && slash > path;) {
        *slash = 0;
        struct flags *flags = flags_open(path, NULL, error);
        if (flags || error->message)
            return flags;
    }
    return NULL;
}

static void unify_one(const struct trees_request *request, struct unified_trees *trees, struct unified_file *file)
{
    struct error error = {0};
    struct unify_request one = {
        .old_file = file->old_path,
        .new_file = file->new_path,
        .old_name = request->old_label ? arena_format(trees->arena, "%s%s", request->old_label, file->name) : NULL,
        .new_name = request->old_label ? file->name : NULL,
        .old_cflags = trees_flags(trees, 0, file->old_path, trees->arena),
        .new_cflags = trees_flags(trees, 1, file->new_path, trees->arena),
        .entry = trees->are_directories ? NULL : request->entry,
        .for_reading = request->for_reading,
        .keep_inclusions = request->beside_new,
        .verify = request->verify};
    file->old_cflags = one.old_cflags;
    file->cflags = one.new_cflags;
    if (!unify_files(&one, &file->unified, &error)) {
        file->problem = arena_copy_string(trees->arena, error.message ? error.message : "unknown error");
        file->unified.statistics.not_merged = 1;
        error_clear(&error);
    } else {
        file->problem = file->unified.obstacle;
    }
}

static bool check_pairs(const struct trees_request *request, const struct unified_trees *trees, struct error *error)
{
    const struct pairs *pairs = &trees->pairs;
    if (pairs->candidates.count + pairs->unchanged.count)
        return true;
    if (pairs->added.count + pairs->removed.count)
        return error_set(error, "%s and %s have no C file in common", request->old, request->new);
    return error_set(error, "there is no C file in %s and %s", request->old, request->new);
}

static void add_candidate(const struct trees_request *request, struct unified_trees *trees, const char *name)
{
    trees->files[trees->count++] =
        (struct unified_file){.name = name,
                              .old_path = arena_format(trees->arena, "%s/%s", request->old, name),
                              .new_path = arena_format(trees->arena, "%s/%s", request->new, name)};
}

/* Files of the same text that are compiled otherwise. */
static void compare_flags(const struct trees_request *request, struct unified_trees *trees)
{
    struct pairs *pairs = &trees->pairs;
    size_t kept = 0;
    for (size_t i = 0; i < pairs->unchanged.count; i++) {
        const char *name = pairs->unchanged.list[i];
        const char *old = arena_format(trees->arena, "%s/%s", request->old, name);
        const char *new = arena_format(trees->arena, "%s/%s", request->new, name);
        if (flags_are_same(trees->flags[0], trees->flags[1], old, new, trees->arena))
            pairs->unchanged.list[kept++] = name;
        else
            words_add(&pairs->candidates, name);
    }
    pairs->unchanged.count = kept;
}

static bool list_files(const struct trees_request *request, struct unified_trees *trees, struct error *error)
{
    if (!trees->are_directories) {
        if (!pairs_check_file(request->old, trees->arena, error) ||
            !pairs_check_file(request->new, trees->arena, error))
            return false;
        trees->files = calloc(1, sizeof *trees->files);
        trees->count = 1;
        trees->files[0] =
            (struct unified_file){.name = request->new, .old_path = request->old, .new_path = request->new};
        return true;
    }
    bool good = request->built[0]
                    ? pairs_find_built(request->old, request->new, trees->flags, trees->arena, &trees->pairs, error)
                    : pairs_find(request->old, request->new, trees->arena, &trees->pairs, error);
    if (!good || !check_pairs(request, trees, error))
        return false;
    compare_flags(request, trees);
    trees->files = calloc(trees->pairs.candidates.count + 1, sizeof *trees->files);
    for (size_t i = 0; i < trees->pairs.candidates.count; i++)
        add_candidate(request, trees, trees->pairs.candidates.list[i]);
    return true;
}

/* ---- what one file has twice and another once ---- */

static const struct unified_file *file_named(const struct unified_trees *trees, const char *name)
{
    for (size_t i = 0; i < trees->count; i++)
        if (!strcmp(trees->files[i].name, name))
            return &trees->files[i];
    return NULL;
}

/* The first file among them that mentions the name for one thing; NULL when there is none. */
static const char *find_user(const struct unified_trees *trees, const char *root, const struct words *files,
                             const char *name, const struct unified_file *but)
{
    for (size_t i = 0; i < files->count; i++) {
        const struct unified_file *file = file_named(trees, files->list[i]);
        if (file == but || (file && words_have(&file->unified.split_names, name)))
            continue;
        if (included_mentions(arena_format(trees->arena, "%s/%s", root, files->list[i]), name))
            return files->list[i];
    }
    return NULL;
}

static void set_obstacle(struct unified_file *file, const char *sentence)
{
    file->unified.obstacle = file->problem = sentence;
    file->unified.text.length = 0;
    file->unified.statistics = (struct unify_statistics){.files = 1, .not_merged = 1};
}

/* A function with other parameters is `f` and `f__old`. Code of the old version that calls it knows of this in files
 * where its declaration differs, too; any other would call the new one. */
static void check_users(const struct trees_request *request, struct unified_trees *trees, struct unified_file *file)
{
    const struct pairs *pairs = &trees->pairs;
    for (size_t i = 0; i < file->unified.doubled.count && !file->problem; i++) {
        const char *name = file->unified.doubled.list[i];
        const char *user = find_user(trees, request->new, &pairs->candidates, name, file);
        user = user ? user : find_user(trees, request->new, &pairs->unchanged, name, file);
        user = user ? user : find_user(trees, request->old, &pairs->removed, name, file);
        if (!user)
            continue;
        set_obstacle(file, arena_format(file->unified.arena,
                                        "%s: '%s' is two things in the versions, and %s takes it for one", file->name,
                                        name, user));
    }
}

static bool is_doubled(const struct unified_trees *trees, const char *name)
{
    for (size_t i = 0; i < trees->count; i++)
        if (!trees->files[i].problem && words_have(&trees->files[i].unified.doubled, name))
            return true;
    return false;
}

/* A declaration that has changed, of something that has not: there is no `f__old`. */
static void check_declared(struct unified_trees *trees, struct unified_file *file)
{
    for (size_t i = 0; i < file->unified.declared.count && !file->problem; i++) {
        const char *name = file->unified.declared.list[i];
        if (!is_doubled(trees, name))
            set_obstacle(file,
                         arena_format(file->unified.arena,
                                      "%s: '%s' is declared with another type, and what defines it is the same in "
                                      "both versions",
                                      file->name, name));
    }
}

static void collect_statistics(struct unified_trees *trees)
{
    for (size_t i = 0; i < trees->count; i++)
        statistics_add(&trees->statistics, &trees->files[i].unified.statistics);
}

bool trees_unify(const struct trees_request *request, struct unified_trees *trees, struct error *error)
{
    bool old_is_directory = false, new_is_directory = false;
    *trees = (struct unified_trees){.arena = arena_create(), .cflags = request->cflags};
    if (!is_directory(request->old, &old_is_directory, error) || !is_directory(request->new, &new_is_directory, error))
        return false;
    if (old_is_directory != new_is_directory)
        return error_set(error, "%s is a directory, %s a file: name two files or two directories",
                         old_is_directory ? request->old : request->new,
                         old_is_directory ? request->new : request->old);
    trees->are_directories = old_is_directory;
    trees->flags[0] = open_flags(request, request->old, trees, error);
    trees->flags[1] = !error->message ? open_flags(request, request->new, trees, error) : NULL;
    bool good = !error->message && list_files(request, trees, error);
    for (size_t i = 0; good && !error->message && i < trees->count; i++)
        unify_one(request, trees, &trees->files[i]);
    for (size_t i = 0; good && trees->are_directories && i < trees->count; i++)
        check_users(request, trees, &trees->files[i]);
    /* one file alone that is only to be read may be one of many */
    for (size_t i = 0; good && (trees->are_directories || !request->for_reading) && i < trees->count; i++)
        check_declared(trees, &trees->files[i]);
    collect_statistics(trees);
    if (good && !trees->are_directories && trees->files[0].problem && !trees->files[0].unified.obstacle)
        error_set(error, "%s", trees->files[0].problem);
    return !error->message;
}

bool trees_write(struct unified_trees *trees, const char *directory, struct error *error)
{
    for (size_t i = 0; i < trees->count; i++) {
        struct unified_file *file = &trees->files[i];
        if (file->problem || file->unified.identical)
            continue;
        file->path = trees->are_directories ? arena_format(trees->arena, "%s/%s", directory, file->name) : directory;
        char *parent = arena_copy_string(trees->arena, file->path), *slash = strrchr(parent, '/');
        if (slash && slash > parent) {
            *slash = 0;
            if (!file_make_directory(parent, error))
                return false;
        }
        if (!file_write(file->path, text_string(&file->unified.text), file->unified.text.length, error))
            return false;
    }
    return true;
}

bool trees_are_identical(const struct unified_trees *trees)
{
    if (trees->pairs.added.count + trees->pairs.removed.count)
        return false;
    for (size_t i = 0; i < trees->count; i++)
        if (trees->files[i].problem || !trees->files[i].unified.identical)
            return false;
    return true;
}

void trees_free(struct unified_trees *trees)
{
    for (size_t i = 0; i < trees->count; i++)
        unified_free(&trees->files[i].unified);
    free(trees->files);
    pairs_free(&trees->pairs);
    flags_close(trees->flags[0]), flags_close(trees->flags[1]);
    if (trees->arena)
        arena_destroy(trees->arena);
}
