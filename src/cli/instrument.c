/* `penumbra instrument`: the build stage alone. The program keeps its own main and runs as it always did, with labels
 * beside its values. */
#include "base/file.h"
#include "base/words.h"
#include "build/build.h"
#include "cli/cli.h"
#include "cli/options.h"

#include <stdlib.h>

struct arguments {
    struct words files, links;
    const char *cflags, *output;
};

#define RECORD struct arguments

static const struct option_row rows[] = {
    TEXT("o|output", "FILE", output, "Where the instrumented program goes (default a.out)"),
    TEXT("c|cflags", "FLAGS", cflags, "Flags for the C compiler"),
    WORDS("l|link", "FILE", links, "Link this object or library (m is -lm), uninstrumented"),
    TABLE_END,
};

static void check(struct argp_state *state, const struct command_line *line)
{
    if (!line->files->count)
        argp_error(state, "no C file given");
}

int cli_instrument(int argc, char **argv)
{
    struct arguments arguments = {.output = "a.out"};
    struct command_line line = {
        .arguments = "FILE.c...",
        .summary = "Build an instrumented program that keeps its own main.",
        .sets = {{NULL, rows, &arguments}},
        .files = &arguments.files,
        .check = check,
    };
    options_parse(&line, argc, argv);
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
