#include "unify/flags.h"

#include "base/text.h"
#include "base/words.h"

#include <jansson.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct flags {
    json_t *commands;
    json_t *by_path; /* the same, by the absolute path of the file, of each the first; NULL: not needed so far */
    char tree[PATH_MAX], original[PATH_MAX]; /* absolute */
};

static json_t *load(const char *directory, const char *name, struct error *error)
{
    char path[PATH_MAX];
    json_error_t problem;
    if (snprintf(path, sizeof path, "%s/%s", directory, name) >= (int)sizeof path || access(path, R_OK))
        return NULL;
    json_t *commands = json_load_file(path, 0, &problem);
    if (!json_is_array(commands)) {
        error_set(error, "%s:%d: %s", path, problem.line, commands ? "no list of commands" : problem.text);
        json_decref(commands);
        return NULL;
    }
    return commands;
}

struct flags *flags_open(const char *tree, const char *original, struct error *error)
{
    static const char *const names[] = {"compile_commands.json", "build/compile_commands.json"};
    struct flags *flags = calloc(1, sizeof *flags);
    for (size_t i = 0; i < 4 && !flags->commands && !error->message; i++) {
        const char *directory = i < 2 ? tree : original;
        if (directory)
            flags->commands = load(directory, names[i % 2], error);
    }
    if (!flags->commands || !realpath(tree, flags->tree) || !realpath(original ? original : tree, flags->original)) {
        flags_close(flags);
        return NULL;
    }
    return flags;
}

struct flags *flags_take(const json_t *commands, const char *tree)
{
    struct flags *flags = calloc(1, sizeof *flags);
    flags->commands = json_incref((json_t *)commands);
    if (!realpath(tree, flags->tree)) {
        flags_close(flags);
        return NULL;
    }
    strcpy(flags->original, flags->tree);
    return flags;
}

void flags_close(struct flags *flags)
{
    if (!flags)
        return;
    json_decref(flags->by_path);
    json_decref(flags->commands);
    free(flags);
}

/* The path as an absolute one, in the tree rather than in the original. */
static const char *in_tree(const struct flags *flags, struct arena *arena, const char *directory, const char *path)
{
    if (*directory != '/')
        directory = arena_format(arena, "%s/%s", flags->original, directory);
    if (*path != '/')
        path = arena_format(arena, "%s/%s", directory, path);
    size_t length = strlen(flags->original);
    if (strncmp(path, flags->original, length) || (path[length] && path[length] != '/'))
        return path;
    const char *moved = arena_format(arena, "%s%s", flags->tree, path + length);
    return access(moved, F_OK) ? path : moved;
}

static void add_quoted(struct text *text, const char *word)
{
    text_add(text, text->length ? " '" : "'");
    for (; *word; word++)
        if (*word == '\'')
            text_add(text, "'\\''");
        else
            text_append(text, word, 1);
    text_add(text, "'");
}

/* Flags that a path belongs to, as the next word or in the same one. */
static const char *const path_flags[] = {"-iquote", "-isystem", "-idirafter", "-include", "-imacros", "-I"};

static const char *path_flag(const char *word)
{
    for (size_t i = 0; i < sizeof path_flags / sizeof *path_flags; i++)
        if (!strncmp(word, path_flags[i], strlen(path_flags[i])))
            return path_flags[i];
    return NULL;
}

/* A file to include may be meant to be looked for, like any header. */
static void add_path(const struct flags *flags, struct arena *arena, const char *directory, const char *flag,
                     const char *path, struct text *text)
{
    const char *here = in_tree(flags, arena, directory, path);
    bool is_looked_for = (!strcmp(flag, "-include") || !strcmp(flag, "-imacros")) && access(here, F_OK);
    add_quoted(text, flag);
    add_quoted(text, is_looked_for ? path : here);
}

static bool begins_with(const char *word, const char *const *beginnings)
{
    for (; *beginnings; beginnings++)
        if (!strncmp(word, *beginnings, strlen(*beginnings)))
            return true;
    return false;
}

/* Flags that change what the source means; the checks of _FORTIFY_SOURCE and of sanitizers are made by ours. The file
 * is part of what is compared, and may come from a patch: nothing in it chooses programs, plugins or files that the
 * compiler runs, loads or writes. */
static bool is_useful(const char *word)
{
    static const char *const wanted[] = {"-D",    "-U",       "-std=", "-m",        "-f",
                                         "-Wno-", "-pthread", "-ansi", "-nostdinc", NULL};
    static const char *const refused[] = {"-fplugin",      "-fpass-plugin",
                                          "-fuse-ld",      "-mllvm",
                                          "-fprofile",     "-fcrash",
                                          "-fdump",        "-fsave",
                                          "-fmodule",      "-flto",
                                          "-fthinlto",     "-fcoverage",
                                          "-ftime",        "-fdebug-compilation-dir",
                                          "-fstack-usage", "-D_FORTIFY_SOURCE",
                                          "-fsanitize",    NULL};
    return begins_with(word, wanted) && !begins_with(word, refused);
}

/* Headers ask for it: <libintl.h> includes <locale.h> only where the compiler optimises. */
static bool optimises(const struct words *words)
{
    bool result = false;
    for (size_t i = 1; i < words->count; i++)
        if (!strncmp(words->list[i], "-O", 2))
            result = strcmp(words->list[i], "-O0") != 0;
    return result;
}

/* What says where to find and how to read the source; what the compiler is to do with it is not ours. */
static const char *useful_flags(const struct flags *flags, struct arena *arena, const char *directory,
                                const struct words *words)
{
    struct text text = {0};
    if (optimises(words))
        add_quoted(&text, "-D__OPTIMIZE__=1");
    for (size_t i = 1; i < words->count; i++) {
        const char *word = words->list[i], *next = i + 1 < words->count ? words->list[i + 1] : NULL;
        const char *flag = path_flag(word);
        if (flag && (word[strlen(flag)] || next)) {
            bool is_joined = word[strlen(flag)];
            add_path(flags, arena, directory, flag, is_joined ? word + strlen(flag) : next, &text);
            i += !is_joined;
        } else if ((!strcmp(word, "-D") || !strcmp(word, "-U")) && next) {
            add_quoted(&text, arena_format(arena, "%s%s", word, next));
            i++;
        } else if (is_useful(word)) {
            add_quoted(&text, word);
        } else if (!strcmp(word, "-o") || !strcmp(word, "-MF") || !strcmp(word, "-MT") || !strcmp(word, "-MQ") ||
                   !strcmp(word, "-Xclang") || !strcmp(word, "-mllvm")) {
            i++;
        }
    }
    const char *result = arena_copy_string(arena, text_string(&text));
    text_free(&text);
    return result;
}

static const char *directory_of(const struct flags *flags, const json_t *command)
{
    const char *directory = json_string_value(json_object_get(command, "directory"));
    return directory ? directory : flags->original;
}

static void make_index(struct flags *flags, struct arena *arena)
{
    char absolute[PATH_MAX];
    size_t index;
    json_t *command;
    flags->by_path = json_object();
    json_array_foreach (flags->commands, index, command) {
        const char *file = json_string_value(json_object_get(command, "file"));
        if (file && realpath(in_tree(flags, arena, directory_of(flags, command), file), absolute) &&
            !json_object_get(flags->by_path, absolute))
            json_object_set(flags->by_path, absolute, command);
    }
}

static const json_t *command_of(struct flags *flags, const char *file, struct arena *arena)
{
    char wanted[PATH_MAX];
    if (!realpath(file, wanted))
        return NULL;
    if (!flags->by_path)
        make_index(flags, arena);
    return json_object_get(flags->by_path, wanted);
}

const char *flags_of(struct flags *flags, const char *file, struct arena *arena)
{
    const json_t *command = command_of(flags, file, arena);
    if (!command)
        return NULL;
    struct words words = {0};
    const char *line = json_string_value(json_object_get(command, "command"));
    size_t number;
    json_t *argument;
    if (line)
        words_split(&words, line);
    json_array_foreach (json_object_get(command, "arguments"), number, argument)
        if (json_is_string(argument))
            words_add(&words, json_string_value(argument));
    const char *result = useful_flags(flags, arena, directory_of(flags, command), &words);
    words_free(&words);
    return result;
}

/* ---- what is compiled ---- */

static const char *below_tree(const struct flags *flags, const char *path)
{
    size_t length = strlen(flags->tree);
    return !strncmp(path, flags->tree, length) && path[length] == '/' ? path + length + 1 : NULL;
}

static int by_name(const void *one, const void *other)
{
    return strcmp(*(const char *const *)one, *(const char *const *)other);
}

void flags_list(struct flags *flags, struct arena *arena, struct words *inside, struct words *outside)
{
    const char *path;
    json_t *command;
    if (!flags->by_path)
        make_index(flags, arena);
    json_object_foreach (flags->by_path, path, command) {
        const char *below = below_tree(flags, path);
        words_add(below ? inside : outside, arena_copy_string(arena, below ? below : path));
    }
    if (inside->count)
        qsort(inside->list, inside->count, sizeof *inside->list, by_name);
}

void flags_dependencies(struct flags *flags, const char *file, struct arena *arena, struct words *names)
{
    char absolute[PATH_MAX];
    const json_t *command = command_of(flags, file, arena);
    size_t number;
    json_t *name;
    json_array_foreach (json_object_get(command, "dependencies"), number, name) {
        const char *path = in_tree(flags, arena, directory_of(flags, command), json_string_value(name));
        path = realpath(path, absolute) ? absolute : path;
        const char *below = below_tree(flags, path);
        words_add(names, arena_copy_string(arena, below ? below : path));
    }
    if (names->count)
        qsort(names->list, names->count, sizeof *names->list, by_name);
}

/* The file's flags with paths as seen from the tree. */
static const char *from_tree(struct flags *flags, const char *file, struct arena *arena)
{
    const char *given = flags ? flags_of(flags, file, arena) : NULL;
    struct text text = {0};
    if (!given)
        return "";
    size_t length = strlen(flags->tree);
    for (const char *at = given; *at; at++)
        if (!strncmp(at, flags->tree, length) && (at[length] == '/' || at[length] == '\''))
            at += length - 1;
        else
            text_append(&text, at, 1);
    const char *result = arena_copy_string(arena, text_string(&text));
    text_free(&text);
    return result;
}

bool flags_are_same(struct flags *old, struct flags *new, const char *old_file, const char *new_file,
                    struct arena *arena)
{
    return !strcmp(from_tree(old, old_file, arena), from_tree(new, new_file, arena));
}
