#include "compile/inputs.h"

#include "base/error.h"
#include "base/file.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* By the path's number; NULL: it could not be read. */
static struct {
    struct set *paths;
    struct compile_input **list;
    size_t capacity;
} inputs;

static struct {
    struct set *paths;
    struct compile_directory **list;
    size_t capacity;
} directories;

static size_t number_of(struct set **paths, const char *path)
{
    if (!*paths)
        *paths = set_create();
    set_add(*paths, path, strlen(path) + 1);
    return set_find(*paths, path, strlen(path) + 1);
}

/* ---- what a text asks for ---- */

static const char WORD[] = "__has_include";

static bool is_part_of_name(char letter)
{
    return letter == '_' || (letter >= '0' && letter <= '9') || (letter >= 'a' && letter <= 'z') ||
           (letter >= 'A' && letter <= 'Z');
}

static const char *skip_space(const char *at)
{
    for (;;)
        if (*at == ' ' || *at == '\t')
            at++;
        else if (*at == '\\' && at[1] == '\n')
            at += 2;
        else
            return at;
}

/* Whether the line up to here defines a macro: what that will ask for is not written here. */
static bool is_in_definition(const char *text, const char *at)
{
    const char *line = at;
    while (line > text && (line[-1] != '\n' || (line - text > 1 && line[-2] == '\\')))
        line--;
    line = skip_space(line);
    if (*line != '#')
        return false;
    line = skip_space(line + 1);
    return !strncmp(line, "define", strlen("define")) && !is_part_of_name(line[strlen("define")]);
}

/* Reads one question; true when it is clear what it asks for, if it is a question at all. */
static bool read_question(struct compile_input *input, const char *text, const char *word)
{
    const char *at = word + strlen(WORD);
    if (!strncmp(at, "_next", strlen("_next")))
        at += strlen("_next");
    if (is_part_of_name(*at))
        return true; /* another word */
    if (is_in_definition(text, word))
        return false;
    at = skip_space(at);
    if (*at != '(')
        return true; /* `#ifdef __has_include` */
    at = skip_space(at + 1);
    char end = *at == '<' ? '>' : '"';
    if (*at != '<' && *at != '"')
        return false;
    size_t length = strcspn(++at, (char[]){end, '\n', '\0'});
    if (at[length] != end)
        return false;
    words_add(&input->asked, arena_format(input->asked.arena, "%.*s", (int)length, at));
    return true;
}

static void find_questions(struct compile_input *input, const struct text *content)
{
    const char *text = text_string(content), *end = text + content->length;
    input->asked.arena = arena_create();
    for (const char *at = text; (at = memmem(at, (size_t)(end - at), WORD, strlen(WORD))); at += strlen(WORD))
        if (!read_question(input, text, at))
            input->is_unclear = true;
    /* embedded files are asked for in the same way; nobody is known to do so */
    input->is_unclear |= memmem(text, content->length, "__has_embed", strlen("__has_embed")) != NULL;
}

/* ---- all files ---- */

static bool is_unchanged(const struct stat *then, const struct stat *now)
{
    return then->st_dev == now->st_dev && then->st_ino == now->st_ino && then->st_size == now->st_size &&
           then->st_mtim.tv_sec == now->st_mtim.tv_sec && then->st_mtim.tv_nsec == now->st_mtim.tv_nsec &&
           then->st_ctim.tv_sec == now->st_ctim.tv_sec && then->st_ctim.tv_nsec == now->st_ctim.tv_nsec;
}

static void free_input(struct compile_input *input)
{
    if (input)
        words_free(&input->asked);
    free(input);
}

static struct compile_input *read_input(const char *path, const struct stat *before)
{
    struct text content = {0};
    struct error ignored = {0};
    struct stat after;
    struct compile_input *input = calloc(1, sizeof *input);
    if (!input)
        abort();
    bool good = file_read(path, &content, &ignored);
    input->status = *before;
    if (good && !stat(path, &after) && is_unchanged(before, &after)) { /* else someone is writing it right now */
        input->digest = digest_of(text_string(&content), content.length);
        find_questions(input, &content);
    } else {
        free_input(input);
        input = NULL;
    }
    text_free(&content);
    error_clear(&ignored);
    return input;
}

bool compile_is_older(const struct stat *status, const struct timespec *moment)
{
    const struct timespec *changed = &status->st_ctim;
    return changed->tv_sec < moment->tv_sec ||
           (changed->tv_sec == moment->tv_sec && changed->tv_nsec < moment->tv_nsec);
}

const struct compile_input *compile_input_get(const char *path)
{
    struct stat status;
    if (stat(path, &status) || S_ISDIR(status.st_mode))
        return NULL;
    size_t number = number_of(&inputs.paths, path);
    inputs.list = array_reserve_zeroed(inputs.list, &inputs.capacity, number + 1, sizeof *inputs.list);
    struct compile_input **input = &inputs.list[number];
    if (*input && is_unchanged(&(*input)->status, &status))
        return *input;
    free_input(*input);
    return *input = read_input(path, &status);
}

/* ---- directories ---- */

static void free_directory(struct compile_directory *directory)
{
    if (directory)
        set_destroy(directory->names);
    free(directory);
}

static struct compile_directory *read_directory(const char *path, const struct stat *status)
{
    DIR *names = opendir(path);
    if (!names)
        return NULL;
    struct compile_directory *directory = calloc(1, sizeof *directory);
    if (!directory)
        abort();
    *directory = (struct compile_directory){.status = *status, .names = set_create()};
    for (struct dirent *name; (name = readdir(names));)
        set_add(directory->names, name->d_name, strlen(name->d_name));
    closedir(names);
    return directory;
}

const struct compile_directory *compile_directory_get(const char *path)
{
    struct stat status;
    if (stat(path, &status))
        return NULL;
    size_t number = number_of(&directories.paths, path);
    directories.list =
        array_reserve_zeroed(directories.list, &directories.capacity, number + 1, sizeof *directories.list);
    struct compile_directory **directory = &directories.list[number];
    if (!*directory || !is_unchanged(&(*directory)->status, &status)) {
        free_directory(*directory);
        *directory = read_directory(path, &status);
    }
    if (*directory)
        (*directory)->path = set_get(directories.paths, number);
    return *directory;
}

bool compile_directory_has(const struct compile_directory *directory, const char *name)
{
    char path[PATH_MAX];
    struct stat status;
    if (set_find(directory->names, name, strcspn(name, "/")) == set_count(directory->names))
        return false;
    int length = snprintf(path, sizeof path, "%s/%s", directory->path, name);
    return length < (int)sizeof path && !stat(path, &status) && !S_ISDIR(status.st_mode);
}
