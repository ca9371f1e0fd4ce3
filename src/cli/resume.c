/* `penumbra resume`: gives the command of a campaign once more, to go on in its results directory. */
#include "base/arena.h"
#include "campaign/journal.h"
#include "cli/cli.h"
#include "cli/options.h"
#include "report/document.h"
#include "report/views.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
} commands[] = {{"run", cli_run}, {"diff", cli_diff}};

static void check(struct argp_state *state, const struct command_line *line)
{
    if (line->files->count != 1)
        argp_error(state, "expected a results directory");
}

/* What it can still be called: the name in the results where that leads here, since they have it everywhere. */
static const char *name_of(const char *directory, const json_t *document, struct arena *arena)
{
    const char *name = document_string(document, "directory");
    char real[PATH_MAX];
    return name && realpath(name, real) && !strcmp(real, directory) ? arena_copy_string(arena, name) : directory;
}

static bool return_to(const json_t *asked, struct error *error)
{
    const char *directory = document_string(asked, "directory"), *time = document_string(asked, "time");
    if (!directory || chdir(directory))
        return error_set(error, "the directory in which the campaign was started cannot be entered: %s: %s",
                         directory ? directory : "?", strerror(errno));
    if (time)
        setenv("PENUMBRA_TIME", time, 1);
    else
        unsetenv("PENUMBRA_TIME");
    return true;
}

static bool is_of_this_version(const json_t *asked, struct error *error)
{
    const char *version = document_string(asked, "version");
    return (version && !strcmp(version, PENUMBRA_VERSION_STRING)) ||
           error_set(error, "the campaign was begun by penumbra %s, this is " PENUMBRA_VERSION_STRING,
                     version ? version : "?");
}

static int give_again(const json_t *asked, const char *directory, struct arena *arena)
{
    const json_t *command = json_object_get(asked, "command");
    size_t count = json_array_size(command);
    char **arguments = arena_allocate(arena, (count + 2) * sizeof *arguments);
    const char *name = json_string_value(json_array_get(command, 0));
    struct error error = {0};
    for (size_t i = 1; i < count; i++)
        arguments[i + 1] = arena_format(arena, "%s", json_string_value(json_array_get(command, i)));
    for (size_t i = 0; name && i < sizeof commands / sizeof *commands; i++) {
        if (strcmp(name, commands[i].name))
            continue;
        arguments[0] = arena_format(arena, "penumbra %s", name);
        arguments[1] = arena_format(arena, "--resume=%s", directory);
        return commands[i].run((int)count + 1, arguments);
    }
    error_set(&error, "%s does not say how the campaign was started", directory);
    return cli_fail(&error);
}

static int tell_end(const char *directory, const json_t *document)
{
    printf("%s has come to its end: nothing is left to do. penumbra show lists what was found.\n%s\n", directory,
           view_string(document, "verdict"));
    return (int)json_integer_value(json_object_get(document, "exit_status"));
}

static bool is_finished(const json_t *records)
{
    size_t i;
    json_t *record;
    json_array_foreach (records, i, record) {
        if (!strcmp(view_string(record, "record"), RECORD_FINISHED) && !document_string(record, "entry"))
            return true;
    }
    return false;
}

static int resume(const char *given, struct arena *arena)
{
    struct error error = {0};
    char directory[PATH_MAX];
    if (!realpath(given, directory)) {
        error_set(&error, "%s: %s", given, strerror(errno));
        return cli_fail(&error);
    }
    const char *journal = arena_format(arena, "%s/" JOURNAL_NAME, directory);
    json_t *document = journal_read_report(directory, &error);
    json_t *records = document ? journal_read(journal, &error) : NULL;
    json_t *asked = records ? journal_asked(journal, &error) : NULL;
    int status;
    if (!asked)
        status = cli_fail(&error);
    else if (is_finished(records))
        status = tell_end(given, document);
    else if (!is_of_this_version(asked, &error) || !return_to(asked, &error))
        status = cli_fail(&error);
    else
        status = give_again(asked, name_of(directory, document, arena), arena);
    json_decref(document), json_decref(records), json_decref(asked);
    return status;
}

int cli_resume(int argc, char **argv)
{
    static const struct option_row rows[] = {TABLE_END};
    struct words named = {0};
    struct command_line line = {
        .arguments = "DIR",
        .summary =
            "Go on with a campaign that was stopped: by a signal, a limit, or with the machine.\vDIR is its results "
            "directory; the options are those that it was started with. The sources must be what they were. Functions "
            "that were explored to their end are not explored again, one that was under way is, from its beginning; "
            "what was proven is kept.",
        .sets = {{NULL, rows, NULL}},
        .files = &named,
        .check = check,
    };
    options_parse(&line, argc, argv);
    struct arena *arena = arena_create();
    int status = resume(named.list[0], arena);
    arena_destroy(arena);
    words_free(&named);
    return status;
}
