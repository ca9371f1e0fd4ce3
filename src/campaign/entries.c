#include "campaign/entries.h"

#include "base/clock.h"
#include "source/callers.h"
#include "source/needed.h"
#include "source/program.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* ---- the files of the versions ---- */

/* The program that holds both versions: its files are unified, or the same in both, or one version's own. Beside it are
 * the versions' own programs. */
enum { UNIFIED, OLD, NEW, PROGRAMS };

struct programs {
    struct units units[PROGRAMS];
    struct needed_index *needed[PROGRAMS];
    struct units pairs[PROGRAMS]; /* of OLD and NEW: files that both have, in the same order */
    struct text names;            /* flags: what __FILE__ says is the same in both versions */
    double until;                 /* callers are looked for */
};

/* To see whether a caller can be an entry its whole program is read: of large ones that takes seconds. */
static const double LOOKING_SECONDS = 10;

static void map_name(struct programs *programs, const char *from, const char *to)
{
    char absolute[PATH_MAX];
    bool is_directory = *from && from[strlen(from) - 1] == '/';
    if (strpbrk(from, "'=") || strpbrk(to, "'="))
        return; /* the flag could not say it */
    text_format(&programs->names, " '-fmacro-prefix-map=%s=%s'", from, to);
    if (realpath(from, absolute) && !strpbrk(absolute, "'="))
        text_format(&programs->names, " '-fmacro-prefix-map=%s%s=%s'", absolute, is_directory ? "/" : "", to);
}

/* The unit's flags, and those for its name. */
static const char *with_names(const struct programs *programs, struct arena *arena, const char *cflags)
{
    return arena_format(arena, "%s%s", cflags ? cflags : "", text_string(&programs->names));
}

/* The directory that the file's name is below. */
static const char *root_of(struct arena *arena, const char *path, const char *name)
{
    return arena_format(arena, "%.*s", (int)(strlen(path) - strlen(name) - 1), path);
}

static const struct unified_file *unified_of(const struct unified_trees *trees, const char *name)
{
    for (size_t i = 0; i < trees->count; i++)
        if (!strcmp(trees->files[i].name, name) && trees->files[i].path)
            return &trees->files[i];
    return NULL;
}

/* A file of one version, `name` below its root. */
static struct unit version_unit(const struct programs *programs, const struct entries_request *request, size_t program,
                                const char *root, const char *name)
{
    const struct unified_trees *trees = request->trees;
    const char *label = program == OLD ? request->old_label : "";
    const char *path = arena_format(trees->arena, "%s/%s", root, name);
    return (struct unit){
        .file = path,
        .name = request->old_label ? arena_format(trees->arena, "%s%s", label, name) : NULL,
        .cflags = with_names(programs, trees->arena, trees_flags(trees, program == NEW, path, trees->arena))};
}

static void add_files(struct programs *programs, const struct entries_request *request, const char *const roots[],
                      const struct words *names, bool in_old, bool in_new)
{
    for (size_t i = 0; i < names->count; i++) {
        const struct unified_file *unified = unified_of(request->trees, names->list[i]);
        struct unit old = version_unit(programs, request, OLD, roots[OLD], names->list[i]);
        struct unit new = version_unit(programs, request, NEW, roots[NEW], names->list[i]);
        struct unit both = unified
                               ? (struct unit){.file = unified->path,
                                               .cflags = with_names(programs, request->trees->arena, unified->cflags)}
                           : in_new ? new
                                    : old;
        units_add(&programs->units[UNIFIED], both);
        if (in_old)
            units_add(&programs->units[OLD], old);
        if (in_new)
            units_add(&programs->units[NEW], new);
        if (in_old && in_new) {
            units_add(&programs->pairs[OLD], old);
            units_add(&programs->pairs[NEW], new);
        }
    }
}

/* Two files are each a program of its own. */
static void add_single(struct programs *programs, struct arena *arena, const struct unified_file *file)
{
    const char *slash = strrchr(file->new_path, '/');
    map_name(programs, file->old_path, slash ? slash + 1 : file->new_path);
    map_name(programs, file->new_path, slash ? slash + 1 : file->new_path);
    const char *old_flags = with_names(programs, arena, file->old_cflags);
    const char *new_flags = with_names(programs, arena, file->cflags);
    units_add(&programs->units[UNIFIED],
              (struct unit){.file = file->path ? file->path : file->new_path, .cflags = new_flags});
    units_add(&programs->units[OLD], (struct unit){.file = file->old_path, .cflags = old_flags});
    units_add(&programs->units[NEW], (struct unit){.file = file->new_path, .cflags = new_flags});
}

static void programs_open(struct programs *programs, const struct entries_request *request)
{
    const struct unified_trees *trees = request->trees;
    if (trees->count && !trees->are_directories) {
        add_single(programs, trees->arena, &trees->files[0]);
    } else if (trees->count) {
        const struct unified_file *first = &trees->files[0];
        const char *const roots[] = {[OLD] = root_of(trees->arena, first->old_path, first->name),
                                     [NEW] = root_of(trees->arena, first->new_path, first->name)};
        map_name(programs, arena_format(trees->arena, "%s/", roots[OLD]), "");
        map_name(programs, arena_format(trees->arena, "%s/", roots[NEW]), "");
        if (request->old_label)
            map_name(programs, request->old_label, "");
        add_files(programs, request, roots, &trees->pairs.candidates, true, true);
        add_files(programs, request, roots, &trees->pairs.unchanged, true, true);
        add_files(programs, request, roots, &trees->pairs.added, false, true);
        add_files(programs, request, roots, &trees->pairs.removed, true, false);
    }
    for (size_t i = 0; i < PROGRAMS; i++)
        programs->needed[i] = needed_open(programs->units[i].list, programs->units[i].count, trees->arena);
}

static void programs_close(struct programs *programs)
{
    for (size_t i = 0; i < PROGRAMS; i++) {
        needed_close(programs->needed[i]);
        units_free(&programs->units[i]);
        units_free(&programs->pairs[i]);
    }
    text_free(&programs->names);
}

/* ---- entries ---- */

static bool has_unit(const struct units *units, const char *path)
{
    for (size_t i = 0; path && i < units->count; i++)
        if (!strcmp(units->list[i].file, path))
            return true;
    return false;
}

static void add_lines(struct text *text, const char *before, const struct words *lines)
{
    for (size_t i = 0; i < lines->count; i++)
        text_format(text, "%s%s\n", before, lines->list[i]);
}

/* Of all the files that the program around the entry was merged from. */
static const char *limits_of(struct arena *arena, const struct unified_trees *trees, const struct units *units,
                             const struct words *notes)
{
    struct text text = {0};
    add_lines(&text, "", notes);
    for (size_t i = 0; i < trees->count; i++) {
        if (!has_unit(units, trees->files[i].path))
            continue;
        add_lines(&text, "", &trees->files[i].unified.limits);
        add_lines(&text, "unification: ", &trees->files[i].unified.defects);
    }
    const char *result = arena_copy_string(arena, text_string(&text));
    text_free(&text);
    return result;
}

/* Why one of the files is not what both versions have; NULL when all are. */
static const char *problem_among(const struct unified_trees *trees, const struct units *units)
{
    for (size_t i = 0; i < trees->count; i++)
        if (trees->files[i].problem && has_unit(units, trees->files[i].new_path))
            return trees->files[i].problem;
    return NULL;
}

static const char *copy_string(struct arena *arena, const char *string)
{
    return string ? arena_copy_string(arena, string) : NULL;
}

static int compare_units(const void *one, const void *other)
{
    return strcmp(((const struct unit *)one)->file, ((const struct unit *)other)->file);
}

static struct unit copy_unit(struct unit unit, struct arena *arena)
{
    return (struct unit){.file = copy_string(arena, unit.file),
                         .name = copy_string(arena, unit.name),
                         .cflags = copy_string(arena, unit.cflags)};
}

/* What the entry needs of a program. The units' order is the same for both versions, and with it that of the outputs.
 */
static void add_needed(struct needed_index *index, const char *path, const char *entry, struct arena *arena,
                       struct units *units, struct words *notes)
{
    needed_add(index, path, entry, units, notes);
    for (size_t i = 0; i < units->count; i++)
        units->list[i] = copy_unit(units->list[i], arena);
    qsort(units->list, units->count, sizeof *units->list, compare_units);
}

/* A file that only one version's entry needs is part of the other's program, too: its variables are outputs of both. */
static void add_counterparts(struct units *units, const struct units *others, const struct units *ours,
                             const struct units *theirs, struct arena *arena)
{
    for (size_t i = 0; i < theirs->count; i++)
        if (has_unit(others, theirs->list[i].file) && !has_unit(units, ours->list[i].file))
            units_add(units, copy_unit(ours->list[i], arena));
    qsort(units->list, units->count, sizeof *units->list, compare_units);
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

static void add_words(struct words *words, const struct words *more, struct arena *arena)
{
    for (size_t i = 0; i < more->count; i++)
        words_add(words, arena_copy_string(arena, more->list[i]));
}

/* By their names, and for static ones by the file, too, as each program calls it. */
static void add_lone_variables(struct words *words, const struct unified_file *file, struct arena *arena)
{
    const char *const paths[] = {file->path, file->old_path, file->new_path};
    const struct words *names = &file->unified.lone_variables;
    add_words(words, names, arena);
    for (size_t i = 0; i < names->count; i++)
        for (size_t k = 0; k < sizeof paths / sizeof *paths; k++)
            if (paths[k])
                words_add(words, arena_format(arena, "%s:%s", paths[k], names->list[i]));
}

/* Variables of files that only one version has, and that the other one has in no other file. */
static void add_lone_files(struct words *words, const struct units *units, struct programs *programs, size_t version,
                           struct arena *arena)
{
    const struct units *pairs = &programs->pairs[version];
    struct needed_index *other = programs->needed[version == OLD ? NEW : OLD];
    struct words names = {0};
    for (size_t i = 0; pairs->count && i < units->count; i++)
        if (!has_unit(pairs, units->list[i].file))
            needed_find_lone_variables(programs->needed[version], units->list[i].file, other, &names);
    add_words(words, &names, arena);
    words_free(&names);
}

/* A variable that moved to another file is one of both versions, but two in the program that holds both. */
static void note_moved_variables(const struct units *units, const struct unified_trees *trees,
                                 struct programs *programs, struct words *notes)
{
    struct words old = {0}, new = {0};
    needed_list_variables(programs->needed[OLD], &old);
    needed_list_variables(programs->needed[NEW], &new);
    for (size_t i = 0; i < trees->count; i++) {
        const struct words *lone = &trees->files[i].unified.lone_variables;
        for (size_t k = 0; has_unit(units, trees->files[i].path) && k < lone->count; k++)
            if (words_have(&old, lone->list[k]) && words_have(&new, lone->list[k]))
                words_add(notes, arena_format(trees->arena,
                                              "%s: each version defines it in another file, so it is not "
                                              "compared",
                                              lone->list[k]));
    }
    words_free(&old), words_free(&new);
}

static void explore_apart(struct campaign_entry *entry, const char *reason)
{
    entry->apart = reason;
    units_free(&entry->units);
    for (size_t i = 0; i < entry->new.count; i++)
        units_add(&entry->units, entry->new.list[i]);
    entry->path = entry->new_path;
}

/* The program around the entry holds both versions, or where the entry or a file cannot be merged, it is the new one's.
 */
static void add_programs(struct campaign_entry *entry, const struct unified_trees *trees,
                         const struct unified_file *file, struct programs *programs, struct arena *arena)
{
    struct words notes = {0}, ignored = {0}, members = {0};
    const char *path = file->path ? file->path : file->new_path;
    entry->old_path = arena_copy_string(arena, file->old_path);
    entry->new_path = arena_copy_string(arena, file->new_path);
    add_needed(programs->needed[UNIFIED], path, entry->name, arena, &entry->units, &notes);
    add_needed(programs->needed[OLD], file->old_path, entry->name, arena, &entry->old, &ignored);
    add_needed(programs->needed[NEW], file->new_path, entry->name, arena, &entry->new, &ignored);
    add_counterparts(&entry->old, &entry->new, &programs->pairs[OLD], &programs->pairs[NEW], arena);
    add_counterparts(&entry->new, &entry->old, &programs->pairs[NEW], &programs->pairs[OLD], arena);
    add_lone_files(&entry->uncompared, &entry->old, programs, OLD, arena);
    add_lone_files(&entry->uncompared, &entry->new, programs, NEW, arena);
    needed_find_lone_members(programs->needed[OLD], programs->needed[NEW], &members);
    add_words(&entry->uncompared_members, &members, arena);
    const char *problem = problem_among(trees, &entry->units);
    problem = problem ? problem : split_reason(file, entry->name);
    if (problem) {
        explore_apart(entry, arena_copy_string(arena, problem));
    } else {
        entry->path = arena_copy_string(arena, path);
        note_moved_variables(&entry->units, trees, programs, &notes);
        entry->limits = limits_of(arena, trees, &entry->units, &notes);
        for (size_t i = 0; i < trees->count; i++)
            if (has_unit(&entry->units, trees->files[i].path))
                add_lone_variables(&entry->uncompared, &trees->files[i], arena);
    }
    for (size_t i = 0; i < file->unified.functions.count; i++)
        if (!words_have(&file->unified.split, file->unified.functions.list[i]))
            words_add(&entry->common, arena_copy_string(arena, file->unified.functions.list[i]));
    entry->is_uncertain = notes.count || ignored.count;
    entry->unreadable = copy_string(arena, needed_unreadable(programs->needed[NEW]));
    words_free(&notes), words_free(&ignored), words_free(&members);
}

static void add_entry(struct preparation *preparation, const struct unified_trees *trees,
                      const struct unified_file *file, struct programs *programs, struct arena *arena, const char *name)
{
    preparation->entries = array_reserve(preparation->entries, &preparation->capacity, preparation->count + 1,
                                         sizeof *preparation->entries);
    struct campaign_entry *entry = &preparation->entries[preparation->count++];
    *entry =
        (struct campaign_entry){.name = arena_copy_string(arena, name), .place = arena_copy_string(arena, file->name)};
    add_programs(entry, trees, file, programs, arena);
}

/* How well a function can be explored. */
enum fitness {
    UNFIT,      /* its parameters cannot be inputs, or something that it needs is not there */
    HALF_BLIND, /* something that it is given is less than what callers have, as a callback that reads nothing */
    FIT
};

/* `main` with parameters is a whole program: how it starts when nobody says. To be freed. */
static struct invocation *plain_start(struct error *error)
{
    static const struct words none;
    struct invocation_request request = {.arguments = &none, .files = &none, .variables = &none};
    return invocation_read(&request, error);
}

static bool is_main(const char *name)
{
    return !strcmp(name, "main");
}

/* `error` receives why it is unfit. */
static enum fitness read_fitness(const struct entries_request *request, const struct units *units, const char *path,
                                 const char *name, const struct invocation *invocation, struct error *error)
{
    struct program_request wanted = {.units = units->list,
                                     .unit_count = units->count,
                                     .entry = name,
                                     .entry_path = path,
                                     .invocation = invocation,
                                     .stubs = request->stubs->list,
                                     .stub_count = request->stubs->count,
                                     .links = request->links->list,
                                     .link_count = request->links->count,
                                     .is_linked = request->is_linked};
    struct program program;
    if (!program_read(&program, &wanted, error))
        return UNFIT;
    enum fitness fitness = program.has_filled_buffers || program.lists || program.has_parts_left_out ? HALF_BLIND : FIT;
    program_free(&program);
    return fitness;
}

static enum fitness fitness_of(const struct entries_request *request, const struct units *units, const char *path,
                               const char *name, struct error *error)
{
    enum fitness fitness = read_fitness(request, units, path, name, NULL, error);
    if (fitness != UNFIT || !is_main(name))
        return fitness;
    error_clear(error);
    struct invocation *invocation = plain_start(error);
    if (invocation)
        fitness = read_fitness(request, units, path, name, invocation, error);
    invocation_free(invocation);
    return fitness;
}

static bool can_be_explored(const struct entries_request *request, const struct units *units, const char *path,
                            const char *name)
{
    struct error ignored = {0};
    enum fitness fitness = fitness_of(request, units, path, name, &ignored);
    error_clear(&ignored);
    return fitness != UNFIT;
}

/* Whether it can only be explored as a whole program. */
static void take_main(const struct entries_request *request, struct campaign_entry *entry)
{
    struct error ignored = {0};
    entry->is_program =
        is_main(entry->name) && read_fitness(request, &entry->units, entry->path, entry->name, NULL, &ignored) == UNFIT;
    error_clear(&ignored);
}

/* The merged program may be one that cannot be followed, as with setjmp() in code of one version, while each version's
 * own can. */
static void separate_if_needed(const struct entries_request *request, struct arena *arena, struct campaign_entry *entry)
{
    struct error why = {0};
    if (!entry->apart && fitness_of(request, &entry->units, entry->path, entry->name, &why) == UNFIT &&
        can_be_explored(request, &entry->old, entry->old_path, entry->name) &&
        can_be_explored(request, &entry->new, entry->new_path, entry->name)) {
        explore_apart(entry, arena_copy_string(arena, why.message));
        entry->limits = NULL;
    }
    error_clear(&why);
}

static bool can_be_entry(const struct entries_request *request, struct programs *programs,
                         const struct campaign_entry *like, const char *name)
{
    struct units units = {0};
    struct words ignored = {0};
    needed_add(programs->needed[like->apart ? NEW : UNIFIED], like->path, name, &units, &ignored);
    bool good = can_be_explored(request, &units, like->path, name);
    units_free(&units);
    words_free(&ignored);
    return good;
}

static const struct campaign_entry *find_entry(const struct preparation *preparation, const char *path,
                                               const char *name)
{
    for (size_t i = 0; i < preparation->count; i++)
        if (!strcmp(preparation->entries[i].name, name) && !strcmp(preparation->entries[i].new_path, path))
            return &preparation->entries[i];
    return NULL;
}

/* Functions that call a changed one, are not explored, and could be as well. */
static void list_callers(const struct entries_request *request, struct programs *programs,
                         struct preparation *preparation, const struct unified_file *file,
                         const struct campaign_entry *like)
{
    struct text names = {0};
    for (size_t i = 0; i < file->unified.callers.count && like && clock_seconds() < programs->until; i++)
        if (!find_entry(preparation, file->new_path, file->unified.callers.list[i]) &&
            can_be_entry(request, programs, like, file->unified.callers.list[i]))
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

/* `src/list.c` is meant by `list.c`, too. */
static bool is_file(const char *name, const char *wanted)
{
    size_t length = strlen(name), wanted_length = strlen(wanted);
    return length >= wanted_length && !strcmp(name + length - wanted_length, wanted) &&
           (length == wanted_length || name[length - wanted_length - 1] == '/');
}

static bool may_have(const struct unified_trees *trees, const struct unified_file *file, const char *wanted_file,
                     const char *function)
{
    if (!has_functions(file))
        return false;
    if (!trees->are_directories) /* whether the files have it is said when they are unified */
        return !wanted_file || is_file(file->old_path, wanted_file) || is_file(file->new_path, wanted_file);
    return words_have(&file->unified.functions, function) && (!wanted_file || is_file(file->name, wanted_file));
}

/* A file of both versions, changed or not, by its path in the new one; NULL where the old one has none. */
static const struct unified_file *file_of_both(const struct unified_trees *trees, struct programs *programs,
                                               struct arena *arena, const char *new_path)
{
    for (size_t i = 0; i < trees->count; i++)
        if (!strcmp(trees->files[i].new_path, new_path) && !trees->files[i].unified.identical)
            return has_functions(&trees->files[i]) ? &trees->files[i] : NULL;
    if (!trees->count || !trees->are_directories)
        return NULL;
    size_t old_root = strlen(trees->files[0].old_path) - strlen(trees->files[0].name);
    size_t new_root = strlen(trees->files[0].new_path) - strlen(trees->files[0].name);
    const char *name = new_path + new_root;
    const char *old_path = arena_format(arena, "%.*s%s", (int)old_root, trees->files[0].old_path, name);
    if (!has_unit(&programs->units[OLD], old_path))
        return NULL;
    struct unified_file *file = arena_allocate(arena, sizeof *file);
    *file = (struct unified_file){.name = name, .old_path = old_path, .new_path = new_path};
    return file;
}

/* An entry need not be changed itself: it is explored as the way to what it calls. */
static const struct unified_file *find_unchanged(const struct entries_request *request, struct programs *programs,
                                                 struct arena *arena, const char *wanted_file, const char *function)
{
    const struct units *new = &programs->units[NEW];
    for (size_t i = 0; i < new->count; i++) {
        const char *path = new->list[i].file;
        const struct unified_file *file = file_of_both(request->trees, programs, arena, path);
        if (file && (!wanted_file || is_file(file->name, wanted_file)) &&
            needed_defines(programs->needed[NEW], path, function))
            return file;
    }
    return NULL;
}

/* FUNCTION or FILE:FUNCTION */
static bool find_named(const struct entries_request *request, struct programs *programs, struct arena *arena,
                       struct preparation *preparation, struct error *error)
{
    const struct unified_trees *trees = request->trees;
    const struct unified_file *found = NULL;
    const char *function = entries_function(request->entry);
    const char *wanted_file = function > request->entry
                                  ? arena_format(arena, "%.*s", (int)(function - request->entry - 1), request->entry)
                                  : NULL;
    for (size_t i = 0; i < trees->count; i++) {
        if (!may_have(trees, &trees->files[i], wanted_file, function))
            continue;
        if (found)
            return error_set(error, "'%s' is changed in %s and in %s: --entry %s:%s says which one is meant", function,
                             found->name, trees->files[i].name, found->name, function);
        found = &trees->files[i];
    }
    if (!found && trees->are_directories)
        found = find_unchanged(request, programs, arena, wanted_file, function);
    if (!found && wanted_file)
        return error_set(error, "no file called '%s' defines a function '%s' in both versions", wanted_file, function);
    if (!found)
        return error_set(error, "no file defines a function '%s' in both versions", function);
    add_entry(preparation, trees, found, programs, arena, function);
    separate_if_needed(request, arena, &preparation->entries[preparation->count - 1]);
    return true;
}

/* ---- through callers ---- */

enum { MOST_CALLERS = 4, MOST_LOOKED_AT = 100 };

static void drop_last(struct preparation *preparation)
{
    struct campaign_entry *entry = &preparation->entries[--preparation->count];
    units_free(&entry->units), units_free(&entry->old), units_free(&entry->new);
    words_free(&entry->uncompared), words_free(&entry->uncompared_members), words_free(&entry->common);
}

/* The caller as an entry, which it may be already; NULL when it cannot be one. */
static struct campaign_entry *entry_of(const struct entries_request *request, struct programs *programs,
                                       struct arena *arena, struct preparation *preparation,
                                       const struct caller *caller)
{
    const struct unified_file *file = file_of_both(request->trees, programs, arena, caller->path);
    const struct campaign_entry *known = find_entry(preparation, caller->path, caller->name);
    if (!known && file && needed_defines(programs->needed[OLD], file->old_path, caller->name)) {
        add_entry(preparation, request->trees, file, programs, arena, caller->name);
        known = &preparation->entries[preparation->count - 1];
        if (!can_be_explored(request, &known->units, known->path, known->name)) {
            drop_last(preparation);
            return NULL;
        }
        return &preparation->entries[known - preparation->entries];
    }
    return known && can_be_explored(request, &known->units, known->path, known->name)
               ? &preparation->entries[known - preparation->entries]
               : NULL;
}

/* The nearest callers that can be entries, up the call graph. */
static void add_callers(const struct entries_request *request, struct programs *programs, struct arena *arena,
                        struct preparation *preparation, size_t number)
{
    struct callers callers = {0};
    const struct units *new = &programs->units[NEW];
    const char *name = preparation->entries[number].name;
    callers_add(new->list, new->count, preparation->entries[number].new_path, name, arena, &callers);
    for (size_t i = 0, found = 0; i < callers.count && i < MOST_LOOKED_AT && found < MOST_CALLERS; i++) {
        if (clock_seconds() > programs->until + (found ? 0 : 2 * LOOKING_SECONDS))
            break;
        struct caller caller = callers.list[i];
        struct campaign_entry *entry = entry_of(request, programs, arena, preparation, &caller);
        if (entry) {
            found++;
            words_add(&entry->leads_to, name);
            words_add(&preparation->entries[number].through, entry->name);
        } else {
            callers_add(new->list, new->count, caller.path, caller.name, arena, &callers);
        }
    }
    callers_free(&callers);
}

/* What has other parameters in each version is tried by itself, too: they may come to the same inputs. So is what reads
 * through a callback: callers know functions for that. */
static bool needs_callers(const struct entries_request *request, const struct unified_file *file,
                          const struct campaign_entry *entry)
{
    struct error ignored = {0};
    enum fitness fitness = fitness_of(request, &entry->units, entry->path, entry->name, &ignored);
    error_clear(&ignored);
    return split_reason(file, entry->name) || fitness != FIT;
}

static void find_changed(const struct entries_request *request, struct programs *programs, struct arena *arena,
                         struct preparation *preparation)
{
    const struct unified_trees *trees = request->trees;
    for (size_t i = 0; i < trees->count; i++) {
        const struct unified_file *file = &trees->files[i];
        if (!has_functions(file))
            continue;
        for (size_t k = 0; k < file->unified.changed.count; k++)
            add_entry(preparation, trees, file, programs, arena, file->unified.changed.list[k]);
    }
    size_t changed = preparation->count;
    for (size_t i = 0; i < changed; i++) {
        struct campaign_entry *entry = &preparation->entries[i];
        separate_if_needed(request, arena, entry);
        const struct unified_file *file = file_of_both(trees, programs, arena, entry->new_path);
        if (file && needs_callers(request, file, entry))
            add_callers(request, programs, arena, preparation, i);
    }
    for (size_t i = 0; i < preparation->count; i++)
        take_main(request, &preparation->entries[i]);
    for (size_t i = 0; i < trees->count; i++)
        if (has_functions(&trees->files[i]) && trees->files[i].unified.changed.count)
            list_callers(request, programs, preparation, &trees->files[i],
                         find_entry(preparation, trees->files[i].new_path, trees->files[i].unified.changed.list[0]));
}

/* Results of functions of one name go to directories of their own. */
static void name_results(struct preparation *preparation, struct arena *arena)
{
    for (size_t i = 0; i < preparation->count; i++) {
        struct campaign_entry *entry = &preparation->entries[i];
        bool is_only_one = true;
        for (size_t k = 0; k < preparation->count; k++)
            is_only_one &= k == i || strcmp(preparation->entries[k].name, entry->name);
        char *name = arena_format(arena, is_only_one ? "%s" : "%s-%s", entry->name, entry->place);
        for (char *slash = name; (slash = strchr(slash, '/'));)
            *slash = '-';
        entry->results = name;
        entry->label = is_only_one ? entry->name : arena_format(arena, "%s:%s", entry->place, entry->name);
    }
}

const char *entries_function(const char *entry)
{
    const char *colon = strrchr(entry, ':');
    return colon ? colon + 1 : entry;
}

bool entries_find(const struct entries_request *request, struct arena *arena, struct preparation *preparation,
                  struct error *error)
{
    struct programs programs = {0};
    bool good = true;
    programs_open(&programs, request);
    programs.until = clock_seconds() + LOOKING_SECONDS;
    if (request->entry)
        good = find_named(request, &programs, arena, preparation, error);
    else
        find_changed(request, &programs, arena, preparation);
    name_results(preparation, arena);
    programs_close(&programs);
    return good;
}
