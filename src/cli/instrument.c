/* `penumbra instrument`: the build stage alone. The program keeps its own main and runs as it always did, with labels
 * beside its values. */
#include "base/file.h"
#include "base/words.h"
#include "build/build.h"
#include "cli/cli.h"

#include <argp.h>
#include <stdlib.h>

struct arguments {
    struct words files, links;
    const char *cflags, *output;
};

static error_t parse(int key, char *value, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    switch (key) {
    case 'o': arguments->output = value; break;
    case 'c': arguments->cflags = value; break;
    case 'l': words_add(&arguments->links, value); break;
    case ARGP_KEY_ARG: words_add(&arguments->files, value); break;
    case ARGP_KEY_NO_ARGS: argp_error(state, "no C file given"); break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static const struct argp_option options[] = {
    {"output", 'o', "FILE", 0, "Where the instrumented program goes (default a.out)", 0},
    {"cflags", 'c', "FLAGS", 0, "Flags for the C compiler", 0},
    {"link", 'l', "FILE", 0, "Link this object or library, uninstrumented", 0},
    {0},
};

int cli_instrument(int argc, char **argv)
{
    struct arguments arguments = {.output = "a.out"};
    struct argp parser = {options, parse, "FILE.c...", "Build an instrumented program that keeps its own main.",
                          NULL,    NULL,  NULL};
    argp_err_exit_status = EXIT_ERROR;
    argp_parse(&parser, argc, argv, 0, NULL, &arguments);
    struct error error = {0};
    char scratch[256];
    struct site_table *sites = site_table_create();
    struct words flags = {0};
    words_split(&flags, arguments.cflags);
    words_add(&flags, NULL);
    const char *const **flags_of_files = calloc(arguments.files.count, sizeof *flags_of_files);
    for (size_t i = 0; i < arguments.files.count; i++)
        flags_of_files[i] = flags.list;
    bool good = file_make_scratch(scratch, &error);
    if (good) {
        struct build_request request = {
            .sources = arguments.files.list,
            .source_count = arguments.files.count,
            .cflags = flags_of_files,
            .links = arguments.links.list,
            .link_count = arguments.links.count,
            .directory = scratch,
            .executable = arguments.output,
        };
        good = build_instrumented(&request, sites, &error);
        file_remove_tree(scratch);
    }
    site_table_destroy(sites);
    free(flags_of_files);
    words_free(&arguments.files), words_free(&arguments.links), words_free(&flags);
    return good ? EXIT_NOTHING : cli_fail(&error);
}
