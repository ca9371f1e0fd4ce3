/* Seeds become channels: each is as large as the largest seed needs, and may grow. */
#include "input/seeds.h"

#include "base/file.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    LARGEST_CHANNEL = 64 << 10, /* bytes; what is larger is no input */
    LARGEST_INPUT = 512 << 10,  /* all of them together */
    MOST_FILES = 64,
    MOST_MORE_ARGUMENTS = 2,
};

static void add_content(struct seed *seed, const char *name, const char *bytes, size_t length)
{
    seed->contents = array_reserve(seed->contents, &seed->capacity, seed->count + 1, sizeof *seed->contents);
    seed->contents[seed->count++] = (struct seed_content){name, bytes, length};
}

/* Where one seed comes from. */
struct source {
    const struct words *arguments, *variables;
    const char *input;         /* a file; NULL: none */
    const char *directory;     /* the working directory */
    bool is_made;              /* for this seed: all that is in it belongs to it */
    const struct words *files; /* of it that are inputs; NULL: nothing is said of that */
};

/* Adds the channel, or makes the one of this name large enough; `length` is a seed's. */
static void add_channel(struct invocation *invocation, struct input_channel channel, size_t length)
{
    struct input_channel *known = invocation_channel(invocation, channel.name);
    if (!known) {
        invocation->channels = array_reserve(invocation->channels, &invocation->capacity, invocation->count + 1,
                                             sizeof *invocation->channels);
        known = &invocation->channels[invocation->count++];
        *known = channel;
    }
    known->capacity = length > known->capacity ? length : known->capacity;
}

static const char *copy_bytes(struct arena *arena, const struct text *text)
{
    char *copy = arena_allocate(arena, text->length + 1);
    memcpy(copy, text_string(text), text->length);
    copy[text->length] = '\0';
    return copy;
}

/* ---- reading one seed ---- */

static void take_argument(struct invocation *invocation, struct seed *seed, size_t index, const char *argument)
{
    const char *name = arena_format(invocation->arena, "argv[%zu]", index + 1);
    add_channel(invocation, (struct input_channel){.kind = INPUT_CHANNEL_ARGUMENT, .name = name}, strlen(argument));
    add_content(seed, name, argument, strlen(argument));
}

static void take_arguments(struct invocation *invocation, const struct invocation_request *request, struct seed *seed,
                           const struct words *arguments)
{
    seed->argument_count = arguments->count;
    if (request->concrete_arguments) {
        const char *const *list = arguments->list;
        invocation->fixed = list ? arena_copy_strings(invocation->arena, list) : NULL;
        return;
    }
    for (size_t i = 0; i < arguments->count; i++)
        take_argument(invocation, seed, i, arena_copy_string(invocation->arena, arguments->list[i]));
}

static bool take_stream(struct invocation *invocation, const struct invocation_request *request, struct seed *seed,
                        const char *path, struct error *error)
{
    struct text content = {0};
    bool good = !path || file_read(path, &content, error);
    const char *bytes = copy_bytes(invocation->arena, &content);
    if (good && (request->concrete_stream || content.length > LARGEST_CHANNEL)) {
        invocation->fixed_input = bytes;
        invocation->fixed_input_length = content.length;
        if (!request->concrete_stream)
            text_format(&invocation->notes, "standard input is no input: it has more than %d bytes\n", LARGEST_CHANNEL);
    } else if (good) {
        add_channel(invocation,
                    (struct input_channel){.kind = INPUT_CHANNEL_STREAM, .name = "stdin", .length = "length(stdin)"},
                    content.length);
        add_content(seed, "stdin", bytes, content.length);
    }
    text_free(&content);
    return good;
}

/* Where a file is read from that the program knows by this name. */
static const char *path_of(const struct invocation *invocation, const char *directory, const char *name)
{
    return *name == '/' && invocation->root ? arena_format(invocation->arena, "%s%s", invocation->root, name)
                                            : arena_format(invocation->arena, "%s/%s", directory, name);
}

static bool take_file(struct invocation *invocation, struct seed *seed, const char *directory, const char *name,
                      bool is_asked_for, struct error *error)
{
    struct text content = {0};
    if (*name == '/' && !invocation->root)
        return error_set(error, "--file %s: only files of a root directory of its own (--root DIR) have such names",
                         name);
    if (!file_read(path_of(invocation, directory, name), &content, error))
        return false;
    const char *channel = arena_format(invocation->arena, "file(%s)", name);
    if (content.length > LARGEST_CHANNEL)
        text_format(&invocation->notes, "%s is no input: it has more than %d bytes\n", name, LARGEST_CHANNEL);
    else {
        add_channel(invocation,
                    (struct input_channel){.kind = INPUT_CHANNEL_FILE,
                                           .name = channel,
                                           .length = arena_format(invocation->arena, "length(%s)", name),
                                           .path = name,
                                           .is_asked_for = is_asked_for},
                    content.length);
        add_content(seed, channel, copy_bytes(invocation->arena, &content), content.length);
    }
    text_free(&content);
    return true;
}

static bool is_file(const struct invocation *invocation, const char *directory, const char *name)
{
    const char *path = path_of(invocation, directory, name);
    struct stat status;
    return !stat(path, &status) && S_ISREG(status.st_mode) && !access(path, R_OK);
}

static bool may_be_input(const struct invocation *invocation, const char *directory, const char *name)
{
    return *name && (*name != '/' || invocation->root) && is_file(invocation, directory, name);
}

/* The file that an argument names: it is one, or what stands behind a `=` in it is. */
static const char *named_file(const struct invocation *invocation, const char *directory, const char *argument)
{
    const char *behind = strchr(argument, '=');
    if (may_be_input(invocation, directory, argument))
        return argument;
    return behind && may_be_input(invocation, directory, behind + 1) ? behind + 1 : NULL;
}

/* Of a directory that was made for the seed, all files are taken anyway: of the root directory, those that are named.
 */
static bool take_named_files(struct invocation *invocation, struct seed *seed, const struct source *source,
                             struct error *error)
{
    for (size_t i = 0; i < source->arguments->count; i++) {
        const char *name = named_file(invocation, source->directory, source->arguments->list[i]);
        if (name && (*name == '/' || !source->is_made) &&
            !take_file(invocation, seed, source->directory, arena_copy_string(invocation->arena, name), false, error))
            return false;
    }
    return true;
}

static int compare_names(const struct dirent **one, const struct dirent **other)
{
    return strcmp((*one)->d_name, (*other)->d_name);
}

/* All files of a directory that was made to be the seed's. */
static bool take_all_files(struct invocation *invocation, struct seed *seed, const char *directory, struct error *error)
{
    struct dirent **entries = NULL;
    int count = scandir(directory, &entries, NULL, compare_names);
    bool good = count >= 0 || error_set(error, "cannot read %s: %s", directory, strerror(errno));
    size_t taken = 0;
    for (int i = 0; i < count; i++) {
        const char *name = entries[i]->d_name;
        if (good && is_file(invocation, directory, name) && taken++ < MOST_FILES)
            good = take_file(invocation, seed, directory, arena_copy_string(invocation->arena, name), false, error);
        free(entries[i]);
    }
    free(entries);
    if (taken > MOST_FILES)
        text_format(&invocation->notes, "%zu files are no inputs: only %d are taken\n", taken - MOST_FILES, MOST_FILES);
    return good;
}

static bool take_files(struct invocation *invocation, const struct invocation_request *request, struct seed *seed,
                       const struct source *source, struct error *error)
{
    const struct words *named = request->files;
    if (request->concrete_files)
        return true;
    for (size_t i = 0; i < named->count; i++)
        if (!take_file(invocation, seed, source->directory, named->list[i], true, error))
            return false;
    if (named->count)
        return true;
    for (size_t i = 0; source->files && i < source->files->count; i++)
        if (!take_file(invocation, seed, source->directory,
                       arena_copy_string(invocation->arena, source->files->list[i]), true, error))
            return false;
    if (source->files)
        return true;
    return (!source->is_made || take_all_files(invocation, seed, source->directory, error)) &&
           take_named_files(invocation, seed, source, error);
}

static void take_variable(struct invocation *invocation, struct seed *seed, const char *name, const char *value)
{
    const char *channel = arena_format(invocation->arena, "getenv(%s)", name);
    add_channel(invocation, (struct input_channel){.kind = INPUT_CHANNEL_VARIABLE, .name = channel, .path = name},
                strlen(value));
    add_content(seed, channel, value, strlen(value));
}

/* `NAME`, with the value that it has here, or `NAME=VALUE`. */
static void take_variables(struct invocation *invocation, struct seed *seed, const struct words *variables)
{
    for (size_t i = 0; i < variables->count; i++) {
        size_t length = strcspn(variables->list[i], "=");
        const char *name = arena_format(invocation->arena, "%.*s", (int)length, variables->list[i]);
        const char *here = getenv(name);
        const char *value = variables->list[i][length] ? variables->list[i] + length + 1 : here ? here : "";
        take_variable(invocation, seed, name, arena_copy_string(invocation->arena, value));
    }
}

static bool take_seed(struct invocation *invocation, const struct invocation_request *request,
                      const struct source *source, struct error *error)
{
    invocation->seeds = array_reserve(invocation->seeds, &invocation->seed_capacity, invocation->seed_count + 1,
                                      sizeof *invocation->seeds);
    struct seed *seed = &invocation->seeds[invocation->seed_count++];
    *seed = (struct seed){0};
    take_arguments(invocation, request, seed, source->arguments);
    take_variables(invocation, seed, source->variables);
    return take_stream(invocation, request, seed, source->input, error) &&
           take_files(invocation, request, seed, source, error);
}

/* ---- a directory of seeds ---- */

static const char *existing(struct arena *arena, const char *directory, const char *name)
{
    const char *path = arena_format(arena, "%s/%s", directory, name);
    return access(path, F_OK) ? NULL : path;
}

static void split_lines(struct words *words, char *text)
{
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
        words_add(words, line);
}

const char *seed_base(struct arena *arena, const char *folder)
{
    struct text text = {0};
    struct error ignored = {0};
    struct stat status;
    const char *path = existing(arena, folder, "base");
    bool good = path && file_read(path, &text, &ignored);
    const char *base = arena_format(arena, "%.*s", (int)strcspn(text_string(&text), "\n"), text_string(&text));
    text_free(&text);
    error_clear(&ignored);
    return good && !stat(base, &status) && S_ISDIR(status.st_mode) ? base : NULL;
}

static bool read_folder(struct invocation *invocation, const struct invocation_request *request, const char *folder,
                        struct error *error)
{
    struct arena *arena = invocation->arena;
    const char *arguments_path = existing(arena, folder, "args"), *variables_path = existing(arena, folder, "env"),
               *directory = existing(arena, folder, "cwd"), *files_path = existing(arena, folder, "files");
    bool is_seed = arguments_path || variables_path || directory || existing(arena, folder, "stdin");
    if (!is_seed)
        return true;
    struct text arguments_text = {0}, variables_text = {0}, files_text = {0};
    struct words arguments = {0}, variables = {0}, files = {0};
    bool good = (!arguments_path || file_read(arguments_path, &arguments_text, error)) &&
                (!variables_path || file_read(variables_path, &variables_text, error)) &&
                (!files_path || file_read(files_path, &files_text, error));
    if (good) {
        words_split(&arguments, text_string(&arguments_text));
        split_lines(&variables, arena_copy_string(arena, text_string(&variables_text)));
        split_lines(&files, arena_copy_string(arena, text_string(&files_text)));
        const char *base = seed_base(arena, folder);
        if (!invocation->directory && (base || directory))
            invocation->directory = base ? base : directory;
        if (!invocation->root)
            invocation->root = existing(arena, folder, "root");
        struct source source = {.arguments = &arguments,
                                .variables = &variables,
                                .input = existing(arena, folder, "stdin"),
                                .directory = directory ? directory : ".",
                                .is_made = directory != NULL,
                                .files = files_path ? &files : NULL};
        good = take_seed(invocation, request, &source, error);
    }
    text_free(&arguments_text), text_free(&variables_text), text_free(&files_text);
    words_free(&arguments), words_free(&variables), words_free(&files);
    return good;
}

static bool read_folders(struct invocation *invocation, const struct invocation_request *request, struct error *error)
{
    struct dirent **entries = NULL;
    int count = scandir(request->seeds, &entries, NULL, compare_names);
    bool good = count >= 0 || error_set(error, "cannot read %s: %s", request->seeds, strerror(errno));
    for (int i = 0; i < count; i++) {
        if (good && entries[i]->d_name[0] != '.')
            good = read_folder(invocation, request,
                               arena_format(invocation->arena, "%s/%s", request->seeds, entries[i]->d_name), error);
        free(entries[i]);
    }
    free(entries);
    if (good && invocation->seed_count > 1 && (request->concrete_arguments || request->concrete_stream))
        return error_set(error,
                         "%s holds several seeds: --concrete args and --concrete stdin keep those of one only. Leave "
                         "them out, or give one seed",
                         request->seeds);
    if (good && !invocation->seed_count)
        return error_set(error, "%s holds no seeds: each is a folder with `args`, `stdin`, `env` or `cwd/` in it",
                         request->seeds);
    return good;
}

/* ---- all of it ---- */

static void add_room(struct invocation *invocation, const struct invocation_request *request)
{
    for (size_t i = 0; i < invocation->seed_count; i++)
        if (invocation->seeds[i].argument_count > invocation->most_arguments)
            invocation->most_arguments = invocation->seeds[i].argument_count;
    if (!request->concrete_arguments) {
        size_t more = request->growth < MOST_MORE_ARGUMENTS ? request->growth : MOST_MORE_ARGUMENTS;
        for (size_t i = 0; i < more; i++)
            add_channel(invocation,
                        (struct input_channel){
                            .kind = INPUT_CHANNEL_ARGUMENT,
                            .name = arena_format(invocation->arena, "argv[%zu]", ++invocation->most_arguments)},
                        0);
    }
    for (size_t i = 0; i < invocation->count; i++)
        invocation->channels[i].capacity += request->growth;
}

static bool check_size(const struct invocation *invocation, struct error *error)
{
    size_t bytes = 0;
    for (size_t i = 0; i < invocation->count; i++)
        bytes += invocation->channels[i].capacity;
    if (bytes <= LARGEST_INPUT)
        return true;
    return error_set(error,
                     "the seeds have %zu bytes, of which %d can be inputs: name the files that are inputs with --file, "
                     "or leave some out with --concrete",
                     bytes, LARGEST_INPUT);
}

static bool find_directory(struct invocation *invocation, const struct invocation_request *request, struct error *error)
{
    char absolute[PATH_MAX];
    const char *given = request->directory ? request->directory : invocation->directory;
    struct stat status;
    if (!given)
        return true;
    if (!realpath(given, absolute) || stat(absolute, &status))
        return error_set(error, "--cwd %s: %s", given, strerror(errno));
    if (!S_ISDIR(status.st_mode))
        return error_set(error, "--cwd %s: it is no directory", given);
    invocation->directory = arena_copy_string(invocation->arena, absolute);
    return true;
}

/* Of the directory that the program starts in. */
static void collect_names(struct invocation *invocation)
{
    struct dirent **entries = NULL;
    int count = scandir(invocation->directory ? invocation->directory : ".", &entries, NULL, compare_names);
    for (int i = 0; i < count; i++) {
        if (strcmp(entries[i]->d_name, "..") != 0 && invocation->names.count < MOST_FILES)
            words_add(&invocation->names, arena_copy_string(invocation->arena, entries[i]->d_name));
        free(entries[i]);
    }
    free(entries);
}

struct invocation *invocation_read(const struct invocation_request *request, struct error *error)
{
    struct arena *arena = arena_create();
    struct invocation *invocation = arena_allocate(arena, sizeof *invocation);
    *invocation = (struct invocation){.arena = arena, .root = request->root};
    struct source source = {.arguments = request->arguments,
                            .variables = request->variables,
                            .input = request->input,
                            .directory = request->directory ? request->directory : ".",
                            .is_made = request->directory != NULL};
    bool good =
        request->seeds ? read_folders(invocation, request, error) : take_seed(invocation, request, &source, error);
    good = good && find_directory(invocation, request, error);
    if (good) {
        collect_names(invocation);
        add_room(invocation, request);
        good = check_size(invocation, error);
    }
    if (good)
        return invocation;
    invocation_free(invocation);
    return NULL;
}
