/* `penumbra unify`: two versions in, one annotated program out. */
#include "unify/unify.h"
#include "base/file.h"
#include "cli/cli.h"

#include <argp.h>
#include <stdio.h>

enum { KEY_CFLAGS = 256 };

struct arguments {
    struct words files;
    const char *out, *cflags;
};

static const struct argp_option options[] = {
    {"output", 'o', "UNIFIED", 0, "Where the annotated program goes (default: standard output)", 0},
    {"cflags", KEY_CFLAGS, "FLAGS", 0, "Flags for the C compiler", 0},
    {0},
};

static error_t parse(int key, char *value, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    switch (key) {
    case 'o': arguments->out = value; break;
    case KEY_CFLAGS: arguments->cflags = value; break;
    case ARGP_KEY_ARG: words_add(&arguments->files, value); break;
    case ARGP_KEY_END:
        if (arguments->files.count != 2)
            argp_error(state, "two versions are needed, the old and the new one; %zu are named",
                       arguments->files.count);
        break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

int cli_unify(int argc, char **argv)
{
    static const struct argp parser = {options, parse, "OLD NEW", "Make one annotated program of two versions.",
                                       NULL,    NULL,  NULL};
    struct arguments arguments = {0};
    struct error error = {0};
    struct unified unified;
    argp_err_exit_status = EXIT_ERROR;
    argp_parse(&parser, argc, argv, 0, NULL, &arguments);
    struct unify_request request = {.old_file = arguments.files.list[0],
                                    .new_file = arguments.files.list[1],
                                    .old_cflags = arguments.cflags,
                                    .new_cflags = arguments.cflags,
                                    .verify = true,
                                    .for_reading = true};
    if (!unify_files(&request, &unified, &error))
        return cli_fail(&error);
    fputs(text_string(&unified.text), stdout);
    for (size_t i = 0; i < unified.defects.count; i++)
        fprintf(stderr, "defect: %s\n", unified.defects.list[i]);
    for (size_t i = 0; i < unified.coarse.count; i++)
        fprintf(stderr, "coarse: %s\n", unified.coarse.list[i]);
    fprintf(stderr, "hunks %zu lines %zu verified %zu\n", unified.statistics.hunks, unified.statistics.lines,
            unified.verified);
    unified_free(&unified);
    words_free(&arguments.files);
    return EXIT_NOTHING;
}
