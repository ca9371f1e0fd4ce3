#include "project/built.h"

#include "base/text.h"
#include "project/call.h"
#include "project/record.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    MOST_NESTED = 8 /* libraries that need libraries */
};

/* What is being read. */
struct reading {
    struct built *built;
    json_t *seen;  /* by path: the units that are in the list already */
    json_t *units; /* where they go */
    struct words *libraries;
    const struct timespec *until;
};

static bool is_below(const char *path, const char *root)
{
    size_t length = strlen(root);
    return !strncmp(path, root, length) && path[length] == '/';
}

static const char *from(struct arena *arena, const char *directory, const char *path)
{
    char absolute[PATH_MAX];
    const char *joined = *path == '/' ? path : arena_format(arena, "%s/%s", directory, path);
    return realpath(joined, absolute) ? arena_copy_string(arena, absolute) : joined;
}

/* ---- units ---- */

/* One source may have been compiled twice, as for a shared and a static library: the first record counts. */
static void add_units(const struct reading *reading, json_t *units)
{
    size_t index;
    json_t *unit;
    json_array_foreach (units, index, unit) {
        const char *directory = json_string_value(json_object_get(unit, "directory"));
        const char *file = json_string_value(json_object_get(unit, "file"));
        if (!directory || !file)
            continue;
        const char *path = from(reading->built->arena, directory, file);
        if (json_object_get(reading->seen, path) || access(path, R_OK) || text_begins_with(path, "/usr/"))
            continue; /* known, gone, or the build system's own */
        json_object_set(reading->seen, path, unit);
        json_array_append(reading->units, unit);
    }
}

/* ---- what a program is linked with ---- */

static void add_library(const struct reading *reading, const char *word)
{
    if (!words_have(reading->libraries, word))
        words_add(reading->libraries, arena_copy_string(reading->built->arena, word));
}

static void add_links(const struct reading *reading, json_t *links, unsigned depth);

/* Whether the file was built here; its units are then part of the program, as if it were linked statically. */
static bool add_own_library(const struct reading *reading, const char *path, unsigned depth)
{
    struct recorded recorded;
    if (depth >= MOST_NESTED)
        return false;
    bool is_own = recorded_read(path, &recorded);
    add_units(reading, recorded.units);
    add_links(reading, recorded.links, depth + 1);
    recorded_free(&recorded);
    return is_own;
}

/* -lNAME that lies in one of the directories of the tree. */
static bool find_own(const struct reading *reading, const char *name, const struct words *directories, unsigned depth)
{
    static const char *const ends[] = {".so", ".a"};
    for (size_t i = 0; i < directories->count; i++)
        for (size_t k = 0; k < 2; k++) {
            const char *path = arena_format(reading->built->arena, "%s/lib%s%s", directories->list[i], name, ends[k]);
            if (!access(path, R_OK) && (add_own_library(reading, path, depth) || k))
                return true;
        }
    return false;
}

static bool is_shared_library(const char *path)
{
    return strstr(path, ".so.") || (strlen(path) > 3 && !strcmp(path + strlen(path) - 3, ".so"));
}

/* A file on the linker's command line. Archives and objects with records are in the program itself already. */
static void add_file(const struct reading *reading, const char *path, unsigned depth)
{
    struct recorded recorded;
    if (is_shared_library(path) && is_below(path, reading->built->root) && add_own_library(reading, path, depth))
        return;
    bool is_recorded = recorded_read(path, &recorded);
    recorded_free(&recorded);
    if (!is_recorded && !access(path, R_OK))
        add_library(reading, path);
}

static void add_link(const struct reading *reading, const json_t *link, unsigned depth)
{
    struct arena *arena = reading->built->arena;
    const char *directory = json_string_value(json_object_get(link, "directory"));
    struct words words = {0}, directories = {0};
    size_t index;
    json_t *argument;
    json_array_foreach (json_object_get(link, "arguments"), index, argument)
        if (index && json_is_string(argument))
            words_add(&words, json_string_value(argument));
    for (size_t i = 0; i < words.count; i += call_length(&words, i)) {
        const char *word = words.list[i], *value = call_length(&words, i) > 1 ? words.list[i + 1] : NULL;
        if (text_begins_with(word, "-L")) {
            const char *path = from(arena, directory ? directory : ".", value ? value : word + 2);
            words_add(&directories, path);
            if (!is_below(path, reading->built->root) && strcmp(path, reading->built->root))
                add_library(reading, arena_format(arena, "-L%s", path));
        } else if (text_begins_with(word, "-l")) {
            const char *name = value ? value : word + 2;
            if (!find_own(reading, name, &directories, depth))
                add_library(reading, arena_format(arena, "-l%s", name));
        } else if (!strcmp(word, "-pthread")) {
            add_library(reading, word);
        } else if (*word != '-') {
            if (!call_is_c(word))
                add_file(reading, from(arena, directory ? directory : ".", word), depth);
        }
    }
    words_free(&words), words_free(&directories);
}

static void add_links(const struct reading *reading, json_t *links, unsigned depth)
{
    size_t index;
    json_t *link;
    json_array_foreach (links, index, link) {
        add_link(reading, link, depth);
    }
}

/* ---- programs ---- */

/* `src/.libs/lt-cut` is src/cut, as the build calls it. */
static const char *public_name(struct arena *arena, const char *below)
{
    const char *libs = strstr(below, ".libs/");
    if (!libs)
        return arena_copy_string(arena, below);
    const char *name = libs + strlen(".libs/");
    return arena_format(arena, "%.*s%s", (int)(libs - below), below, text_begins_with(name, "lt-") ? name + 3 : name);
}

static bool is_program(const struct recorded *recorded, const char *path)
{
    const json_t *link = json_array_get(recorded->links, 0);
    return link && !json_is_true(json_object_get(link, "shared")) && !access(path, X_OK) && !is_shared_library(path);
}

static bool has_program(const struct built *built, const char *name)
{
    for (size_t i = 0; i < built->count; i++)
        if (!strcmp(built->programs[i].name, name))
            return true;
    return false;
}

static void add_program(struct built *built, const char *below, const char *path, const struct recorded *recorded)
{
    const char *name = public_name(built->arena, below);
    if (has_program(built, name))
        return;
    built->programs = array_reserve(built->programs, &built->capacity, built->count + 1, sizeof *built->programs);
    struct built_program *program = &built->programs[built->count++];
    *program = (struct built_program){.name = name, .path = path, .units = json_array()};
    struct reading reading = {built, json_object(), program->units, &program->libraries, NULL};
    add_units(&reading, recorded->units);
    add_links(&reading, recorded->links, 0);
    json_decref(reading.seen);
    if (json_array_size(program->units))
        return;
    json_decref(program->units);
    words_free(&program->libraries);
    built->count--;
}

/* ---- the tree ---- */

static bool is_binary(const char *path)
{
    char bytes[8] = {0};
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    bool good = descriptor >= 0 && read(descriptor, bytes, sizeof bytes) == sizeof bytes &&
                (!memcmp(bytes, "\177ELF", 4) || !memcmp(bytes, "!<arch>\n", 8));
    if (descriptor >= 0)
        close(descriptor);
    return good;
}

/* Programs are told apart at once; what they are made of is looked at when all of them are known. */
static void read_file(const struct reading *reading, const char *below, struct words *others)
{
    struct built *built = reading->built;
    struct recorded recorded;
    const char *path = arena_format(built->arena, "%s/%s", built->root, below);
    if (!is_binary(path))
        return;
    if (!recorded_read(path, &recorded))
        ; /* nothing of ours */
    else if (is_program(&recorded, path))
        add_program(built, below, path, &recorded);
    else
        words_add(others, path);
    recorded_free(&recorded);
}

/* All that was built, programs first. */
static void gather(const struct reading *reading, const struct words *others)
{
    const struct built *built = reading->built;
    for (size_t i = 0; i < built->count; i++) {
        add_units(reading, built->programs[i].units);
        for (size_t k = 0; k < built->programs[i].libraries.count; k++)
            add_library(reading, built->programs[i].libraries.list[k]);
    }
    for (size_t i = 0; i < others->count; i++)
        add_own_library(reading, others->list[i], 0);
}

static bool is_younger(const struct stat *status, const struct timespec *than)
{
    const struct timespec *time = &status->st_mtim;
    return than && (time->tv_sec > than->tv_sec || (time->tv_sec == than->tv_sec && time->tv_nsec > than->tv_nsec));
}

static int by_name(const struct dirent **one, const struct dirent **other)
{
    return strcmp((*one)->d_name, (*other)->d_name);
}

/* What begins with a dot is left out, but for libtool's directory; and so is what build systems compile to learn about
 * the compiler. */
static bool is_left_out(const char *name)
{
    static const char *const names[] = {"CompilerIdC", "CompilerIdCXX", "CMakeTmp", "CMakeScratch", "meson-private"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(name, names[i]))
            return true;
    return *name == '.' && strcmp(name, ".libs") != 0;
}

static void walk(const struct reading *reading, const char *below, struct words *others)
{
    struct built *built = reading->built;
    struct dirent **entries = NULL;
    int count = scandir(arena_format(built->arena, "%s/%s", built->root, below), &entries, NULL, by_name);
    for (int i = 0; i < count; i++) {
        struct stat status;
        const char *name = entries[i]->d_name;
        const char *inside = *below ? arena_format(built->arena, "%s/%s", below, name) : name;
        if (!is_left_out(name) && !lstat(arena_format(built->arena, "%s/%s", built->root, inside), &status)) {
            if (S_ISDIR(status.st_mode))
                walk(reading, inside, others);
            else if (S_ISREG(status.st_mode) && !is_younger(&status, reading->until))
                read_file(reading, inside, others);
        }
        free(entries[i]);
    }
    free(entries);
}

bool built_read(struct built *built, const char *root, const char *name, const struct timespec *until,
                struct error *error)
{
    char absolute[PATH_MAX];
    *built = (struct built){.arena = arena_create(), .name = name, .units = json_array()};
    if (!realpath(root, absolute))
        return error_set(error, "cannot read %s: %s", root, strerror(errno));
    built->root = arena_copy_string(built->arena, absolute);
    struct reading reading = {built, json_object(), built->units, &built->libraries, until};
    struct words others = {0};
    walk(&reading, "", &others);
    gather(&reading, &others);
    words_free(&others);
    json_decref(reading.seen);
    return true;
}

void built_free(struct built *built)
{
    for (size_t i = 0; i < built->count; i++) {
        json_decref(built->programs[i].units);
        words_free(&built->programs[i].libraries);
    }
    free(built->programs);
    json_decref(built->units);
    words_free(&built->libraries);
    if (built->arena)
        arena_destroy(built->arena);
}

bool built_any(const struct built *built)
{
    return json_array_size(built->units) > 0;
}

/* ---- by name ---- */

static bool is_named(const char *name, const char *wanted)
{
    size_t length = strlen(name), end = strlen(wanted);
    while (text_begins_with(wanted, "./"))
        wanted += 2, end -= 2;
    return length >= end && !strcmp(name + length - end, wanted) && (length == end || name[length - end - 1] == '/');
}

static const char *list_programs(const struct built *built)
{
    enum { MOST_NAMED = 20 };
    struct text text = {0};
    for (size_t i = 0; i < built->count && i < MOST_NAMED; i++)
        text_format(&text, "%s%s", i ? ", " : "", built->programs[i].name);
    if (built->count > MOST_NAMED)
        text_format(&text, " and %zu more", built->count - MOST_NAMED);
    const char *list = arena_copy_string(built->arena, text_string(&text));
    text_free(&text);
    return list;
}

const struct built_program *built_find(const struct built *built, const char *name, struct error *error)
{
    const struct built_program *found = NULL;
    for (size_t i = 0; i < built->count; i++) {
        if (!strcmp(built->programs[i].name, name))
            return &built->programs[i];
        if (!is_named(built->programs[i].name, name))
            continue;
        if (found) {
            error_set(error, "%s and %s are both called '%s': --program names one of them by its path", found->name,
                      built->programs[i].name, name);
            return NULL;
        }
        found = &built->programs[i];
    }
    if (!found && built->count)
        error_set(error, "%s has no program '%s' that was built with penumbra cc; there is %s", built->name, name,
                  list_programs(built));
    else if (!found)
        error_set(error,
                  "no program in %s was built with penumbra cc: the build must use the compiler that CC names (as in "
                  "make CC=penumbra-cc)",
                  built->name);
    return found;
}

/* ---- macros ---- */

static json_t *moved(const char *word, const char *from, const char *to)
{
    struct text text = {0};
    size_t length = strlen(from);
    for (const char *at = word; *at; at++) {
        bool is_it =
            !strncmp(at, from, length) && !(at[length] && strchr("abcdefghijklmnopqrstuvwxyz0123456789", at[length]));
        if (is_it) {
            text_add(&text, to);
            at += length - 1;
        } else {
            text_append(&text, at, 1);
        }
    }
    json_t *result = json_string(text_string(&text));
    text_free(&text);
    return result;
}

void built_move_macros(json_t *units, const char *from, const char *to)
{
    size_t index, number;
    json_t *unit, *argument;
    json_array_foreach (units, index, unit) {
        json_t *arguments = json_object_get(unit, "arguments");
        json_array_foreach (arguments, number, argument) {
            const char *word = json_string_value(argument);
            const char *before = number ? json_string_value(json_array_get(arguments, number - 1)) : "";
            if (word && (text_begins_with(word, "-D") || !strcmp(before, "-D")) && strstr(word, from))
                json_array_set_new(arguments, number, moved(word, from, to));
        }
    }
}
