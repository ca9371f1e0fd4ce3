/* `penumbra harness`: what calls the entry, as C to be edited and given to `penumbra run`. */
#include "base/file.h"
#include "base/paths.h"
#include "campaign/subject.h"
#include "cli/cli.h"
#include "cli/options.h"

#include <string.h>

struct arguments {
    struct subject_options subject;
    const char *out;
};

#define RECORD struct arguments

static const struct option_row rows[] = {
    TEXT("o|output", "FILE", out, "Write it to this file (default: standard output)"),
    TABLE_END,
};

static void check(struct argp_state *state, const struct command_line *line)
{
    const struct arguments *arguments = line->sets[0].record;
    options_check_program(state, &arguments->subject);
}

/* A harness beside the source finds it by its name, wherever both go. */
static const char *include_name(const struct program *program, const char *out)
{
    const char *path = program->paths[program->entry_file], *file = strrchr(path, '/') + 1;
    char directory[PATH_MAX], resolved[PATH_MAX];
    const char *slash = out ? strrchr(out, '/') : NULL;
    snprintf(directory, sizeof directory, "%.*s", slash ? (int)(slash - out + 1) : 1, slash ? out : ".");
    bool is_beside = out && realpath(directory, resolved) && strlen(resolved) == (size_t)(file - 1 - path) &&
                     !strncmp(resolved, path, strlen(resolved));
    return is_beside ? file : path;
}

/* How it is given back, with the program's other files. */
static void add_head(const struct arguments *arguments, const struct program *program, const char *function,
                     struct text *text)
{
    text_format(text, "/* Calls %s(). To explore it:\n *     penumbra run %s", program->entry,
                arguments->out ? arguments->out : "HARNESS.c");
    for (size_t i = 0; i < program->request->unit_count; i++)
        if (i != program->entry_file)
            text_format(text, " %s", program->request->units[i].file);
    text_format(
        text,
        " --entry %s --mode complete\n * Inputs are what pn_symbolic() names; what is returned, and all variables "
        "at file scope, is compared. */\n",
        function);
}

static bool print(const struct arguments *arguments, struct program *program, struct error *error)
{
    struct text harness = {0}, text = {0};
    const char *function;
    harness_print(program, include_name(program, arguments->out), &harness, &function);
    add_head(arguments, program, function, &text);
    text_add(&text, text_string(&harness));
    bool good = true;
    if (arguments->out)
        good = file_write(arguments->out, text_string(&text), text.length, error);
    else
        fputs(text_string(&text), stdout);
    text_free(&harness), text_free(&text);
    return good;
}

int cli_harness(int argc, char **argv)
{
    struct arguments arguments = {0};
    struct command_line line = {
        .arguments = "FILE.c... --entry FUNCTION",
        .summary = "Print the C that makes the inputs of a function and calls it, to be edited and given to 'penumbra "
                   "run'.\vTwo versions are made one program by 'penumbra unify' first. Exit status: 0 done, 2 usage "
                   "error, or the function cannot be called.",
        .sets = {{NULL, rows, &arguments}, {"The program and its inputs:", subject_rows, &arguments.subject}},
        .files = &arguments.subject.files,
        .check = check,
    };
    struct error error = {0};
    struct subject subject = {0};
    options_parse(&line, argc, argv);
    bool good = subject_read(&subject, &arguments.subject, &error) && print(&arguments, &subject.program, &error);
    subject_free(&subject);
    subject_options_free(&arguments.subject);
    return good ? EXIT_NOTHING : cli_fail(&error);
}
