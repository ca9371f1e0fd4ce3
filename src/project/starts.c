#include "project/starts.h"

#include "base/file.h"
#include "base/set.h"
#include "input/seeds.h"
#include "project/checkout.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LARGEST_START = 64 << 10 /* bytes: what a channel holds */ };

bool starts_record(const struct starts_request *request, struct command_end *end, struct arena *arena,
                   struct error *error)
{
    const char *log = arena_format(arena, "%s/log", request->directory);
    if (!file_make_directory(request->directory, error))
        return false;
    const char *const *compiler = checkout_environment(request->directory, arena, error);
    if (!compiler)
        return false;
    const char *const environment[] = {compiler[0], compiler[1],
                                       arena_format(arena, "PENUMBRA_STARTS=%s", request->directory),
                                       arena_format(arena, "PENUMBRA_STARTS_OF=%s", request->program), NULL};
    struct command *command = command_start(request->command, request->root, log, environment, request->seconds, error);
    if (command)
        *end = command_finish(command);
    return command != NULL;
}

/* ---- reading ---- */

static int by_name(const struct dirent **one, const struct dirent **other)
{
    return strcmp((*one)->d_name, (*other)->d_name);
}

/* Appends what the file holds, with its name: two starts are the same where all of that is. */
static void add_content(struct text *all, const char *name, const char *path)
{
    struct error ignored = {0};
    text_format(all, "\n%s\n", name);
    file_read(path, all, &ignored);
    error_clear(&ignored);
}

static void add_files(struct text *all, const char *directory, const char *below, struct arena *arena)
{
    struct dirent **entries = NULL;
    int count = scandir(arena_format(arena, "%s/%s", directory, below), &entries, NULL, by_name);
    for (int i = 0; i < count; i++) {
        struct stat status;
        const char *name = arena_format(arena, "%s/%s", below, entries[i]->d_name);
        const char *path = arena_format(arena, "%s/%s", directory, name);
        bool is_dots = !strcmp(entries[i]->d_name, ".") || !strcmp(entries[i]->d_name, "..");
        if (!is_dots && !lstat(path, &status)) {
            if (S_ISDIR(status.st_mode))
                add_files(all, directory, name, arena);
            else if (S_ISREG(status.st_mode))
                add_content(all, name, path);
        }
        free(entries[i]);
    }
    free(entries);
}

static void read_arguments(const char *folder, struct arena *arena, struct words *arguments)
{
    struct text text = {0};
    struct error ignored = {0};
    file_read(arena_format(arena, "%s/args", folder), &text, &ignored);
    error_clear(&ignored);
    words_split(arguments, text_string(&text));
    text_free(&text);
}

/* The first line. */
static const char *read_program(const char *folder, struct arena *arena)
{
    struct text text = {0};
    struct error ignored = {0};
    file_read(arena_format(arena, "%s/program", folder), &text, &ignored);
    error_clear(&ignored);
    const char *program = arena_format(arena, "%.*s", (int)strcspn(text_string(&text), "\n"), text_string(&text));
    text_free(&text);
    return program;
}

static void read_start(struct starts *starts, const char *directory, const char *name, struct set *seen)
{
    struct arena *arena = starts->arena;
    struct text all = {0};
    struct start_record record = {.name = arena_copy_string(arena, name),
                                  .folder = arena_format(arena, "%s/%s", directory, name)};
    const char *arguments = arena_format(arena, "%s/args", record.folder);
    const char *input = arena_format(arena, "%s/stdin", record.folder);
    if (access(arguments, R_OK))
        return;
    record.input = access(input, R_OK) ? NULL : input;
    record.touches = !access(arena_format(arena, "%s/touches", record.folder), F_OK);
    add_content(&all, "args", arguments);
    if (record.input)
        add_content(&all, "stdin", input);
    add_files(&all, record.folder, "cwd", arena);
    record.size = all.length;
    record.program = read_program(record.folder, arena);
    text_format(&all, "\n%s", record.program);
    bool is_new = set_add(seen, text_string(&all), all.length);
    text_free(&all);
    if (!is_new || record.size > LARGEST_START) {
        ++*(is_new ? &starts->oversized : &starts->duplicates);
        return;
    }
    read_arguments(record.folder, arena, &record.arguments);
    record.base = seed_base(arena, record.folder);
    starts->list = array_reserve(starts->list, &starts->capacity, starts->count + 1, sizeof *starts->list);
    starts->list[starts->count++] = record;
}

bool starts_read(struct starts *starts, const char *directory, struct error *error)
{
    struct dirent **entries = NULL;
    *starts = (struct starts){.arena = arena_create()};
    int count = scandir(directory, &entries, NULL, by_name);
    struct set *seen = set_create();
    for (int i = 0; i < count; i++) {
        if (entries[i]->d_name[0] != '.')
            read_start(starts, directory, entries[i]->d_name, seen);
        free(entries[i]);
    }
    free(entries);
    set_destroy(seen);
    return count >= 0 || error_set(error, "cannot read %s: %s", directory, strerror(errno));
}

/* ---- choosing ---- */

/* The arguments that look like options. */
static bool has_same_options(const struct start_record *one, const struct start_record *other)
{
    size_t i = 0, k = 0;
    for (;; i++, k++) {
        while (i < one->arguments.count && one->arguments.list[i][0] != '-')
            i++;
        while (k < other->arguments.count && other->arguments.list[k][0] != '-')
            k++;
        if (i >= one->arguments.count || k >= other->arguments.count)
            return i >= one->arguments.count && k >= other->arguments.count;
        if (strcmp(one->arguments.list[i], other->arguments.list[k]) != 0)
            return false;
    }
}

static bool is_taken(size_t number, const size_t *chosen, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (chosen[i] == number)
            return true;
    return false;
}

static bool is_like_chosen(const struct starts *starts, size_t number, const size_t *chosen, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (has_same_options(&starts->list[number], &starts->list[chosen[i]]))
            return true;
    return false;
}

/* The smallest that is left; starts->count: there is none. */
static size_t next_choice(const struct starts *starts, bool must_touch, bool may_repeat, const size_t *chosen,
                          size_t count)
{
    size_t best = starts->count;
    for (size_t i = 0; i < starts->count; i++) {
        if ((must_touch && !starts->list[i].touches) || is_taken(i, chosen, count) ||
            (!may_repeat && is_like_chosen(starts, i, chosen, count)))
            continue;
        if (best == starts->count || starts->list[i].size < starts->list[best].size)
            best = i;
    }
    return best;
}

size_t starts_choose(const struct starts *starts, size_t most, size_t *chosen)
{
    bool must_touch = false;
    size_t count = 0;
    for (size_t i = 0; i < starts->count; i++)
        must_touch |= starts->list[i].touches;
    for (int may_repeat = 0; may_repeat < 2; may_repeat++)
        while (count < most) {
            size_t next = next_choice(starts, must_touch, may_repeat, chosen, count);
            if (next == starts->count)
                break;
            chosen[count++] = next;
        }
    return count;
}

void starts_free(struct starts *starts)
{
    for (size_t i = 0; i < starts->count; i++)
        words_free(&starts->list[i].arguments);
    free(starts->list);
    if (starts->arena)
        arena_destroy(starts->arena);
}
