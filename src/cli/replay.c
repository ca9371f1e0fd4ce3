/* `penumbra replay`: one input once more on both native programs, confined as when it was found. What whole programs do
 * to files is no harm then, whatever the input has made of their arguments. */
#include "base/file.h"
#include "campaign/journal.h"
#include "cli/cli.h"
#include "cli/options.h"
#include "execute/serve.h"
#include "execute/server.h"
#include "report/document.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct arguments {
    const char *directory, *root, *old, *new;
    double seconds, memory_megabytes;
};

#define RECORD struct arguments

static const struct option_row rows[] = {
    TEXT("cwd", "DIR", directory, "The directory in which the programs start (default: the current one)"),
    TEXT("root", "DIR", root, "Files of a root directory of its own, which lie over the system's"),
    TEXT("old", "PROGRAM", old, "The old version (default: native/old beside the folder)"),
    TEXT("new", "PROGRAM", new, "The new version (default: native/new beside the folder)"),
    NUMBER("run-time", "SECONDS", seconds, 0.01, 5, "Limit for one run"),
    NUMBER("memory", "MB", memory_megabytes, 16, 2000, "Limit for one run's resident memory"),
    TABLE_END,
};

static void check(struct argp_state *state, const struct command_line *line)
{
    if (line->files->count < 1 || line->files->count > 2)
        argp_error(state, "name a results directory and a group of it, or a folder of one, as penumbra-out/001");
}

/* What came of a run, and how it failed, in the sanitizer's word. */
struct outcome {
    struct process_result result;
    char failure[sizeof((struct serve_report *)0)->failure];
};

static bool run(const struct arguments *arguments, const struct world *world, const char *program,
                const struct text *input, struct outcome *outcome, struct error *error)
{
    static const char *const serve_argument[] = {SERVE_ARGUMENT, NULL};
    struct server_request request = {.world = world, .executable = program, .arguments = serve_argument, .trace = -1};
    struct process_limits limits = server_limits(arguments->seconds, (size_t)(arguments->memory_megabytes * 1e6));
    struct server *server = server_start(&request, &limits, error);
    bool good = server && server_run(server, text_string(input), input->length, &limits, &outcome->result, error);
    if (good)
        memcpy(outcome->failure, server_report(server)->failure, sizeof outcome->failure);
    server_stop(server);
    return good;
}

static void show(const char *name, const struct outcome *outcome)
{
    const struct process_result *result = &outcome->result;
    printf("%s version:\n", name);
    fwrite(text_string(&result->output), 1, result->output.length, stdout);
    fwrite(text_string(&result->results), 1, result->results.length, stdout);
    fwrite(text_string(&result->left), 1, result->left.length, stdout);
    if (result->timed_out)
        printf("does not end\n");
    else if (result->signal)
        printf("ended by signal %d\n", result->signal);
    else
        printf("exit status %d\n", result->exit_status);
    fflush(stdout);
    fwrite(text_string(&result->errors), 1, result->errors.length, stderr);
}

static bool is_same(const struct text *one, const struct text *other)
{
    return one->length == other->length && !memcmp(text_string(one), text_string(other), one->length);
}

/* What is on standard error does not count where a sanitizer wrote it: its report names addresses. */
static bool are_same(const struct outcome *old, const struct outcome *new)
{
    const struct process_result *one = &old->result, *other = &new->result;
    return one->exit_status == other->exit_status && one->signal == other->signal &&
           one->timed_out == other->timed_out && !strcmp(old->failure, new->failure) &&
           is_same(&one->output, &other->output) && is_same(&one->results, &other->results) &&
           is_same(&one->left, &other->left) && (*old->failure || is_same(&one->errors, &other->errors));
}

static bool replay(const struct arguments *arguments, const char *folder, const char *name, const char *scratch,
                   bool *same, struct error *error)
{
    struct world world;
    struct text input = {0};
    struct arena *arena = arena_create();
    struct outcome outcomes[2] = {0};
    const char *programs[] = {arguments->old ? arguments->old : arena_format(arena, "%s/../native/old", folder),
                              arguments->new ? arguments->new : arena_format(arena, "%s/../native/new", folder)};
    bool good = file_read(arena_format(arena, "%s/%s", folder, name), &input, error) &&
                world_make(&world, WORLD_NAMESPACES, scratch, error);
    if (good && arguments->directory && !realpath(arguments->directory, world.directory))
        good = error_set(error, "--cwd %s: %s", arguments->directory, strerror(errno));
    good = good && (!arguments->root || world_take_root(&world, arguments->root, error));
    for (int i = 0; i < 2 && good; i++) {
        char absolute[PATH_MAX];
        good = realpath(programs[i], absolute) || error_set(error, "%s: %s", programs[i], strerror(errno));
        good = good && run(arguments, &world, absolute, &input, &outcomes[i], error);
        if (good)
            show(i ? "new" : "old", &outcomes[i]);
    }
    *same = good && are_same(&outcomes[0], &outcomes[1]);
    for (int i = 0; i < 2; i++)
        process_result_free(&outcomes[i].result);
    text_free(&input);
    arena_destroy(arena);
    return good;
}

/* The last `count` parts of a path. */
static const char *tail_of(const char *path, unsigned count)
{
    const char *at = path + strlen(path);
    while (at > path && (count -= *(at - 1) == '/'))
        at--;
    return at;
}

/* The folder of a group's witness: below the directory, wherever that is now. */
static const char *find_folder(const char *directory, const char *group_name, struct arena *arena, struct error *error)
{
    json_t *document = journal_read_report(directory, error);
    const json_t *group = document ? document_find_group(document, group_name) : NULL;
    const char *file = group ? document_string(json_object_get(group, "witness"), "input_file") : NULL;
    char *folder = NULL;
    if (document && !group)
        error_set(error, "there is no group '%s': penumbra show %s lists them", group_name, directory);
    else if (document && !file)
        error_set(error, "group '%s' has no input on disk", group_name);
    for (unsigned count = 3; file && count > 1 && (!folder || access(folder, F_OK)); count--) /* FUNCTION/001/input */
        folder = arena_format(arena, "%s/%s", directory, tail_of(file, count));
    if (folder)
        *strrchr(folder, '/') = '\0';
    json_decref(document);
    return folder;
}

static bool is_results(const char *directory, struct arena *arena)
{
    return access(arena_format(arena, "%s/report.json", directory), F_OK) == 0 ||
           access(arena_format(arena, "%s/campaign.db", directory), F_OK) == 0;
}

int cli_replay(int argc, char **argv)
{
    struct arguments arguments = {0};
    struct words files = {0};
    struct command_line line = {
        .arguments = "DIR GROUP\nFOLDER [INPUT]",
        .summary = "Run the old and the new version natively on the input of a finding, confined.\vDIR is a results "
                   "directory, GROUP the number or the id of a group of it. FOLDER is one of those in a results "
                   "directory, as penumbra-out/001; INPUT is a file in it (default input). Exit "
                   "status: 0 they do the same, 1 they differ, "
                   "2 trouble.",
        .sets = {{NULL, rows, &arguments}},
        .files = &files,
        .check = check,
    };
    char scratch[256];
    bool same = false;
    struct error error = {0};
    options_parse(&line, argc, argv);
    struct arena *arena = arena_create();
    const char *folder = files.list[0], *input = files.count > 1 ? files.list[1] : "input";
    if (files.count > 1 && is_results(folder, arena)) {
        folder = find_folder(folder, input, arena, &error);
        input = "input";
    }
    bool good = folder && file_make_scratch(scratch, &error);
    if (good) {
        good = replay(&arguments, folder, input, scratch, &same, &error);
        file_remove_tree(scratch);
    }
    arena_destroy(arena);
    words_free(&files);
    return good ? !same : cli_fail(&error);
}
