#include "cli/entries.h"

#include "source/program.h"
#include "source/references.h"
#include "source/source.h"
#include "unify/compare.h"

#include <stdlib.h>
#include <string.h>

/* ---- who defines what ---- */

/* A file of a program. */
struct source_file {
    const char *path;
    const char *name;     /* for people */
    struct words defined; /* functions and variables that other files can see */
    struct words used;    /* those that it does not define itself */
    bool is_read;
};

struct index {
    struct arena *arena;
    struct source_file *files;
    size_t count;
};

/* The program that holds both versions: its files are unified, or the same in both, or one version's own. Where some
 * cannot be merged, there are the versions' own programs, too. */
struct programs {
    struct index unified, old, new;
};

static const char *path_of(const struct unified_trees *trees, struct arena *arena, const char *new_root,
                           const char *name)
{
    for (size_t i = 0; i < trees->count; i++)
        if (!strcmp(trees->files[i].name, name) && trees->files[i].path)
            return trees->files[i].path;
    return arena_format(arena, "%s/%s", new_root, name);
}

/* The directory that the file's name is below. */
static const char *root_of(struct arena *arena, const char *path, const char *name)
{
    return arena_format(arena, "%.*s", (int)(strlen(path) - strlen(name) - 1), path);
}

static void add_files(struct index *index, const struct unified_trees *trees, const char *old_root,
                      const char *new_root)
{
    const struct words *lists[] = {&trees->pairs.candidates, &trees->pairs.unchanged, &trees->pairs.added,
                                   &trees->pairs.removed};
    for (size_t list = 0; list < 4; list++)
        for (size_t i = 0; i < lists[list]->count; i++) {
            const char *root = list == 3 ? old_root : new_root;
            const char *path = path_of(trees, index->arena, root, lists[list]->list[i]);
            index->files[index->count++] = (struct source_file){.path = path, .name = path};
        }
}

/* Of one version. `label` comes before the names, for people; NULL: the path is the name. */
static void add_plain_files(struct index *index, const struct unified_trees *trees, const struct words *own,
                            const char *root, const char *label)
{
    const struct words *lists[] = {&trees->pairs.candidates, &trees->pairs.unchanged, own};
    for (size_t list = 0; list < 3; list++)
        for (size_t i = 0; i < lists[list]->count; i++) {
            const char *name = lists[list]->list[i], *path = arena_format(index->arena, "%s/%s", root, name);
            index->files[index->count++] = (struct source_file){
                .path = path, .name = label ? arena_format(index->arena, "%s%s", label, name) : path};
        }
}

static void index_open(struct index *index, const struct unified_trees *trees)
{
    const struct pairs *pairs = &trees->pairs;
    index->arena = trees->arena;
    index->files =
        calloc(pairs->candidates.count + pairs->unchanged.count + pairs->added.count + pairs->removed.count + 1,
               sizeof *index->files);
}

/* Two files are each a program of its own: there is nothing to look for. */
static void programs_open(struct programs *programs, const struct entries_request *request)
{
    const struct unified_trees *trees = request->trees;
    index_open(&programs->unified, trees);
    index_open(&programs->old, trees);
    index_open(&programs->new, trees);
    if (!trees->are_directories || !trees->count)
        return;
    const char *old_root = root_of(trees->arena, trees->files[0].old_path, trees->files[0].name);
    const char *new_root = root_of(trees->arena, trees->files[0].new_path, trees->files[0].name);
    add_files(&programs->unified, trees, old_root, new_root);
    add_plain_files(&programs->old, trees, &trees->pairs.removed, old_root, request->old_label);
    add_plain_files(&programs->new, trees, &trees->pairs.added, new_root, request->old_label ? "" : NULL);
}

static void add_names(struct index *index, const struct reference_list *list, struct words *names)
{
    for (size_t i = 0; i < list->count; i++)
        words_add(names, arena_copy_string(index->arena, list->list[i].name));
}

static void read_file(struct index *index, struct source_file *file, const char *cflags)
{
    struct program_request request = {.files = &file->path, .file_count = 1, .cflags = cflags};
    struct program program;
    struct sources sources = {0};
    struct error ignored = {0};
    file->is_read = true;
    if (program_open(&program, &request, &ignored) &&
        sources_parse(&sources, &program, CXTranslationUnit_None, &ignored)) {
        struct references references;
        references_open(&references, program.arena);
        references_add_all(&references, 0, sources.units[0]);
        add_names(index, &references.defined, &file->defined);
        add_names(index, &references.used, &file->used);
        references_close(&references);
    }
    error_clear(&ignored);
    sources_free(&sources);
    program_free(&program);
}

static bool have_in_common(const struct words *some, const struct words *others)
{
    for (size_t i = 0; i < some->count; i++)
        if (words_have(others, some->list[i]))
            return true;
    return false;
}

/* What the file uses and none of the others defines. */
static void list_lacking(const struct index *index, const struct source_file *user, const struct words *files,
                         struct words *lacking)
{
    for (size_t i = 0; i < user->used.count; i++) {
        bool is_there = !strcmp(user->used.list[i], "main");
        for (size_t k = 0; k < index->count && !is_there; k++)
            is_there =
                words_have(files, index->files[k].path) && words_have(&index->files[k].defined, user->used.list[i]);
        if (!is_there)
            words_add(lacking, user->used.list[i]);
    }
}

/* The file, and those that define what it or they use and lack. Which of two definitions is meant nobody knows: files
 * with either are taken, and linking says so. */
static void add_needed(struct index *index, const char *path, const char *cflags, struct words *files)
{
    words_add(files, path);
    for (size_t i = 0; i < index->count; i++)
        if (!index->files[i].is_read)
            read_file(index, &index->files[i], cflags);
    for (size_t next = 0; next < files->count; next++) {
        struct words lacking = {0};
        for (size_t i = 0; i < index->count; i++)
            if (!strcmp(index->files[i].path, files->list[next]))
                list_lacking(index, &index->files[i], files, &lacking);
        for (size_t i = 0; i < index->count; i++)
            if (!words_have(files, index->files[i].path) && have_in_common(&lacking, &index->files[i].defined))
                words_add(files, index->files[i].path);
        words_free(&lacking);
    }
}

static void index_close(struct index *index)
{
    for (size_t i = 0; i < index->count; i++)
        words_free(&index->files[i].defined), words_free(&index->files[i].used);
    free(index->files);
}

static void programs_close(struct programs *programs)
{
    index_close(&programs->unified), index_close(&programs->old), index_close(&programs->new);
}

/* ---- entries ---- */

static const char *limits_of(struct arena *arena, const struct unified *unified)
{
    struct text text = {0};
    for (size_t i = 0; i < unified->limits.count; i++)
        text_format(&text, "%s\n", unified->limits.list[i]);
    for (size_t i = 0; i < unified->defects.count; i++)
        text_format(&text, "unification: %s\n", unified->defects.list[i]);
    const char *result = arena_copy_string(arena, text_string(&text));
    text_free(&text);
    return result;
}

/* Why one of the files is not what both versions have; NULL when all are. */
static const char *problem_among(const struct unified_trees *trees, const struct words *files)
{
    for (size_t i = 0; i < trees->count; i++)
        if (trees->files[i].problem && words_have(files, trees->files[i].new_path))
            return trees->files[i].problem;
    return NULL;
}

static int compare_paths(const void *one, const void *other)
{
    return strcmp(*(const char *const *)one, *(const char *const *)other);
}

/* One version's own program. The files' order is the same for both versions, and with it that of the outputs. */
static void add_plain(struct index *index, const char *path, const char *cflags, struct arena *arena,
                      struct words *files, struct words *names)
{
    struct words needed = {0};
    add_needed(index, path, cflags, &needed);
    qsort(needed.list, needed.count, sizeof *needed.list, compare_paths);
    for (size_t i = 0; i < needed.count; i++) {
        const char *name = needed.list[i];
        for (size_t k = 0; k < index->count; k++)
            if (!strcmp(index->files[k].path, name))
                name = index->files[k].name;
        words_add(files, arena_copy_string(arena, needed.list[i]));
        words_add(names, arena_copy_string(arena, name));
    }
    words_free(&needed);
}

static const char *copy_flags(struct arena *arena, const char *cflags)
{
    return cflags ? arena_copy_string(arena, cflags) : NULL;
}

/* Why the entry is not one function with both versions behind it. */
static const char *split_reason(const struct unified_file *file, const char *entry)
{
    const struct words *split = &file->unified.split;
    for (size_t i = 0; i < split->count; i++)
        if (!strcmp(split->list[i], entry))
            return file->unified.split_reasons.list[i];
    return NULL;
}

/* The program around the entry holds both versions, or where the entry or a file cannot be merged, there are two. */
static void add_files_of(struct run_entry *entry, const struct unified_trees *trees, const struct unified_file *file,
                         struct programs *programs, struct arena *arena)
{
    const struct words *lone = &file->unified.lone_variables;
    struct words files = {0};
    add_needed(&programs->unified, file->path ? file->path : file->new_path, file->cflags, &files);
    const char *problem = problem_among(trees, &files);
    problem = problem ? problem : split_reason(file, entry->name);
    entry->path = arena_copy_string(arena, problem ? file->new_path : files.list[0]);
    if (problem) {
        entry->old_path = arena_copy_string(arena, file->old_path);
        entry->apart = arena_copy_string(arena, problem);
        entry->old_cflags = copy_flags(arena, file->old_cflags);
        add_plain(&programs->old, file->old_path, file->old_cflags, arena, &entry->old_files, &entry->old_names);
        add_plain(&programs->new, file->new_path, file->cflags, arena, &entry->files, &entry->names);
    } else {
        entry->limits = limits_of(arena, &file->unified);
        for (size_t i = 0; i < files.count; i++)
            words_add(&entry->files, arena_copy_string(arena, files.list[i]));
        for (size_t i = 0; i < lone->count; i++)
            words_add(&entry->uncompared, arena_copy_string(arena, lone->list[i]));
    }
    words_free(&files);
}

static void add_entry(struct preparation *preparation, const struct unified_trees *trees,
                      const struct unified_file *file, struct programs *programs, struct arena *arena, const char *name)
{
    preparation->entries = realloc(preparation->entries, (preparation->count + 1) * sizeof *preparation->entries);
    struct run_entry *entry = &preparation->entries[preparation->count++];
    *entry = (struct run_entry){.name = arena_copy_string(arena, name),
                                .place = arena_copy_string(arena, file->name),
                                .cflags = copy_flags(arena, file->cflags)};
    add_files_of(entry, trees, file, programs, arena);
}

/* Whether the function could be explored: its parameters can be inputs, and everything it needs is there. */
static bool can_be_entry(const struct entries_request *request, const struct run_entry *like, const char *name)
{
    struct program_request wanted = {.files = like->files.list,
                                     .file_count = like->files.count,
                                     .entry = name,
                                     .entry_path = like->path,
                                     .stubs = request->stubs->list,
                                     .stub_count = request->stubs->count,
                                     .links = request->links->list,
                                     .link_count = request->links->count,
                                     .cflags = like->cflags};
    struct program program;
    struct error ignored = {0};
    bool good = program_read(&program, &wanted, &ignored);
    if (good)
        program_free(&program);
    error_clear(&ignored);
    return good;
}

/* Functions that call a changed one, and could be explored as well. */
static void list_callers(const struct entries_request *request, struct preparation *preparation,
                         const struct unified_file *file, const struct run_entry *like)
{
    struct text names = {0};
    for (size_t i = 0; i < file->unified.callers.count && like; i++)
        if (can_be_entry(request, like, file->unified.callers.list[i]))
            text_format(&names, "%s%s()", names.length ? ", " : "", file->unified.callers.list[i]);
    if (names.length)
        text_format(&preparation->text, "%s: callers that can be entries, too (--entry): %s\n", file->name,
                    text_string(&names));
    text_free(&names);
}

static bool has_functions(const struct unified_file *file)
{
    return file->path || file->unified.obstacle;
}

static bool find_named(const struct entries_request *request, struct programs *programs, struct arena *arena,
                       struct preparation *preparation, struct error *error)
{
    const struct unified_trees *trees = request->trees;
    const struct unified_file *found = NULL;
    for (size_t i = 0; i < trees->count && !found; i++) {
        const struct unified_file *file = &trees->files[i];
        if (has_functions(file) && (!trees->are_directories || words_have(&file->unified.functions, request->entry)))
            found = file;
    }
    if (!found)
        return error_set(error, "no changed file defines a function '%s'", request->entry);
    add_entry(preparation, trees, found, programs, arena, request->entry);
    return true;
}

static void find_changed(const struct entries_request *request, struct programs *programs, struct arena *arena,
                         struct preparation *preparation)
{
    const struct unified_trees *trees = request->trees;
    for (size_t i = 0; i < trees->count; i++) {
        const struct unified_file *file = &trees->files[i];
        size_t before = preparation->count;
        if (!has_functions(file))
            continue;
        for (size_t k = 0; k < file->unified.changed.count; k++)
            add_entry(preparation, trees, file, programs, arena, file->unified.changed.list[k]);
        if (preparation->count > before)
            list_callers(request, preparation, file, &preparation->entries[before]);
    }
}

bool entries_find(const struct entries_request *request, struct arena *arena, struct preparation *preparation,
                  struct error *error)
{
    struct programs programs = {0};
    bool good = true;
    programs_open(&programs, request);
    if (request->entry)
        good = find_named(request, &programs, arena, preparation, error);
    else
        find_changed(request, &programs, arena, preparation);
    programs_close(&programs);
    return good;
}
