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

void flags_close(struct flags *flags)
{
    if (!flags)
        return;
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

static bool is_path_flag(const char *word)
{
    static const char *const names[] = {"-I", "-iquote", "-isystem", "-idirafter", "-include", "-imacros"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(word, names[i]))
            return true;
    return false;
}

static bool begins_with(const char *word, const char *const *beginnings)
{
    for (; *beginnings; beginnings++)
        if (!strncmp(word, *beginnings, strlen(*beginnings)))
            return true;
    return false;
}

/* Flags that change what the source means. The file is part of what is compared, and may come from a patch: nothing in
 * it chooses programs, plugins or files that the compiler runs, loads or writes. */
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
                                          "-fstack-usage", NULL};
    return begins_with(word, wanted) && !begins_with(word, refused);
}

/* What says where to find and how to read the source; what the compiler is to do with it is not ours. */
static const char *useful_flags(const struct flags *flags, struct arena *arena, const char *directory,
                                const struct words *words)
{
    struct text text = {0};
    for (size_t i = 1; i < words->count; i++) {
        const char *word = words->list[i], *next = i + 1 < words->count ? words->list[i + 1] : NULL;
        if (is_path_flag(word) && next) {
            add_quoted(&text, word);
            add_quoted(&text, in_tree(flags, arena, directory, next));
            i++;
        } else if (!strncmp(word, "-I", 2)) {
            add_quoted(&text, arena_format(arena, "-I%s", in_tree(flags, arena, directory, word + 2)));
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

static bool is_file(const struct flags *flags, struct arena *arena, const json_t *command, const char *wanted)
{
    char absolute[PATH_MAX];
    const char *directory = json_string_value(json_object_get(command, "directory"));
    const char *file = json_string_value(json_object_get(command, "file"));
    if (!file)
        return false;
    const char *path = in_tree(flags, arena, directory ? directory : flags->original, file);
    return realpath(path, absolute) && !strcmp(absolute, wanted);
}

const char *flags_of(struct flags *flags, const char *file, struct arena *arena)
{
    char wanted[PATH_MAX];
    size_t index;
    json_t *command, *argument;
    if (!realpath(file, wanted))
        return NULL;
    json_array_foreach (flags->commands, index, command) {
        if (!is_file(flags, arena, command, wanted))
            continue;
        struct words words = {0};
        const char *directory = json_string_value(json_object_get(command, "directory"));
        const char *line = json_string_value(json_object_get(command, "command"));
        size_t number;
        if (line)
            words_split(&words, line);
        json_array_foreach (json_object_get(command, "arguments"), number, argument)
            if (json_is_string(argument))
                words_add(&words, json_string_value(argument));
        const char *result = useful_flags(flags, arena, directory ? directory : flags->original, &words);
        words_free(&words);
        return result;
    }
    return NULL;
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
