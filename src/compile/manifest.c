#include "compile/manifest.h"

#include "base/places.h"
#include "base/set.h"
#include "compile/inputs.h"

#include <string.h>

/* ---- the rule ---- */

/* make's way of writing names: `\ ` and `\#` are themselves, `$$` is a dollar, a backslash at the end of the line is
 * none. */
static const char *read_name(const char *at, struct text *name)
{
    for (; *at && *at != ' ' && *at != '\n'; at++) {
        if (*at == '\\' && (at[1] == ' ' || at[1] == '#'))
            at++;
        else if (*at == '\\' && at[1] == '\n')
            break;
        else if (*at == '$' && at[1] == '$')
            at++;
        text_append(name, at, 1);
    }
    return at;
}

void manifest_read_rule(const char *rule, const char *except, struct arena *arena, struct words *files)
{
    bool is_target = true;
    for (const char *at = rule; *at;) {
        if (*at == ' ' || *at == '\n' || (*at == '\\' && at[1] == '\n')) {
            at++;
            continue;
        }
        struct text name = {0};
        at = read_name(at, &name);
        if (!is_target && strcmp(text_string(&name), except) && !words_have(files, text_string(&name)))
            words_add(files, arena_copy_string(arena, text_string(&name)));
        is_target &= name.data[name.length - 1] != ':';
        text_free(&name);
    }
}

/* ---- what there might be ---- */

/* Names that an #include may have for the file: the ends of its path. */
static void add_ends(struct set *names, const char *path)
{
    for (const char *slash = path; slash; slash = strchr(slash + 1, '/')) {
        const char *end = *slash == '/' ? slash + 1 : slash;
        if (*end)
            set_add(names, end, strlen(end) + 1);
    }
}

/* Looks for every name in every directory. */
static bool add_presence(struct digester *digester, const struct words *directories, struct set *names,
                         const struct timespec *start, struct arena *arena)
{
    size_t count = set_count(names);
    uint8_t *present = arena_allocate(arena, count + 1);
    for (size_t i = 0; i < directories->count; i++) {
        const char *directory = directories->list[i];
        const struct compile_directory *here = compile_directory_get(places_show(arena, *directory ? directory : "."));
        if (here && start && !places_is_fixed(directory) && !compile_is_older(&here->status, start))
            return false;
        for (size_t k = 0; k < count; k++)
            present[k] = here && compile_directory_has(here, set_get(names, k));
        digester_add_string(digester, directory);
        digester_add(digester, present, count);
    }
    return true;
}

/* ---- all of it ---- */

static const struct compile_input *input_of(const char *file, struct arena *arena)
{
    return compile_input_get(places_show(arena, file));
}

/* The first of the files that is the same one: `#pragma once` asks for that. */
static size_t first_like(const struct compile_input **inputs, size_t index)
{
    size_t first = 0;
    while (inputs[first]->status.st_dev != inputs[index]->status.st_dev ||
           inputs[first]->status.st_ino != inputs[index]->status.st_ino)
        first++;
    return first;
}

/* With `start`: false where something was changed since. What is in places of our own, nobody else changes. */
static bool take_files(const struct manifest *manifest, struct digester *digester, struct set *names,
                       const struct timespec *start, struct arena *arena)
{
    const struct compile_input **inputs = arena_allocate(arena, (manifest->files.count + 1) * sizeof *inputs);
    for (size_t i = 0; i < manifest->files.count; i++) {
        const char *file = manifest->files.list[i];
        const struct compile_input *input = inputs[i] = input_of(file, arena);
        if (!input || input->is_unclear)
            return false;
        if (start && !places_is_fixed(file) && !compile_is_older(&input->status, start))
            return false;
        digester_add_string(digester, file);
        digester_add_digest(digester, &input->digest);
        digester_add_number(digester, first_like(inputs, i));
        add_ends(names, file);
        for (size_t k = 0; k < input->asked.count; k++)
            set_add(names, input->asked.list[k], strlen(input->asked.list[k]) + 1);
    }
    return true;
}

static bool take_state(const struct manifest *manifest, const struct timespec *start, struct digest *state)
{
    struct arena *arena = arena_create();
    struct digester digester;
    struct set *names = set_create();
    digester_open(&digester, "manifest");
    bool good = take_files(manifest, &digester, names, start, arena) &&
                add_presence(&digester, &manifest->directories, names, start, arena);
    *state = digester_close(&digester);
    set_destroy(names);
    arena_destroy(arena);
    return good;
}

static void add_directory_of(struct words *directories, const char *file, struct arena *arena)
{
    const char *slash = strrchr(file, '/');
    const char *directory = slash ? arena_format(arena, "%.*s", (int)(slash - file), file) : "";
    if (!words_have(directories, directory))
        words_add(directories, directory);
}

bool manifest_take(struct manifest *manifest, const struct timespec *start, struct arena *arena)
{
    for (size_t i = 0; i < manifest->files.count; i++) {
        if (strchr(manifest->files.list[i], '\n'))
            return false;
        add_directory_of(&manifest->directories, manifest->files.list[i], arena);
    }
    return take_state(manifest, start, &manifest->state);
}

bool manifest_holds(const struct manifest *manifest)
{
    struct digest now;
    return take_state(manifest, NULL, &now) && digest_equal(&now, &manifest->state);
}

/* ---- as text ---- */

static void print_list(struct text *text, char mark, const struct words *words)
{
    for (size_t i = 0; i < words->count; i++)
        text_format(text, "%c%s\n", mark, words->list[i]);
}

enum { FILE_MARK = 'f', DIRECTORY_MARK = 'd', STATE_MARK = 's' };

void manifest_print(const struct manifest *manifest, struct text *text)
{
    char letters[DIGEST_LETTERS + 1];
    print_list(text, FILE_MARK, &manifest->files);
    print_list(text, DIRECTORY_MARK, &manifest->directories);
    digest_print(&manifest->state, letters);
    text_format(text, "%c%s\n", STATE_MARK, letters);
}

bool manifest_parse(const char **at, struct arena *arena, struct manifest *manifest)
{
    *manifest = (struct manifest){0};
    while (**at) {
        size_t length = strcspn(*at, "\n");
        const char *line = arena_format(arena, "%.*s", (int)length, *at);
        *at += length + ((*at)[length] == '\n');
        if (*line == FILE_MARK)
            words_add(&manifest->files, line + 1);
        else if (*line == DIRECTORY_MARK)
            words_add(&manifest->directories, line + 1);
        else if (*line == STATE_MARK && digest_parse(line + 1, &manifest->state))
            return true;
        else
            break;
    }
    manifest_free(manifest);
    return false;
}

void manifest_free(struct manifest *manifest)
{
    words_free(&manifest->files);
    words_free(&manifest->directories);
}
