/* `penumbra export`: results as tests that a project can keep. */
#include "campaign/export.h"
#include "cli/cli.h"
#include "cli/options.h"

#include <stdio.h>
#include <unistd.h>

struct arguments {
    struct words named;
    struct export_request request;
};

#define RECORD struct arguments

static const struct option_row rows[] = {
    CHOICE("format", EXPORT_FORMATS, request.format,
           "c (default) and sh: C files, and a script that builds and runs them; ctest: with a CMakeLists.txt; check, "
           "cmocka: for these frameworks"),
    CHOICE("expect", "usual|old|new", request.expect,
           "Whose behaviour passes: the old version's, but of a fix the new one's (usual); or always the same one's"),
    TEXT("only", "GROUP", request.only, "Only this group, by its number or its id"),
    TEXT("out", "DIR", request.directory, "Where the tests go: a new directory (default penumbra-tests)"),
    TABLE_END,
};

static void check(struct argp_state *state, const struct command_line *line)
{
    const struct arguments *arguments = line->sets[0].record;
    if (arguments->named.count != 1)
        argp_error(state, "expected a results directory");
}

static int export_them(const struct export_request *request)
{
    struct error error = {0};
    struct text skipped = {0};
    size_t count;
    if (!access(request->directory, F_OK)) {
        error_set(&error, "%s is there already: --out DIR chooses another place", request->directory);
        return cli_fail(&error);
    }
    bool good = export_tests(request, &count, &skipped, &error);
    if (good && count)
        printf("%zu test%s in %s%s\n", count, count == 1 ? "" : "s", request->directory,
               request->format == EXPORT_CTEST ? ", with a CMakeLists.txt" : "; its script `run` builds and runs them");
    else if (good)
        printf("there is nothing to make a test of\n");
    if (skipped.length)
        fprintf(stderr, "no test was made of:\n%s", text_string(&skipped));
    text_free(&skipped);
    return good ? EXIT_NOTHING : cli_fail(&error);
}

int cli_export(int argc, char **argv)
{
    struct arguments arguments = {.request = {.directory = "penumbra-tests"}};
    struct command_line line = {
        .arguments = "DIR",
        .summary =
            "Make tests of the results in a directory, for a project to keep.\vEach group's witness becomes a C file "
            "that holds the input and what is expected. The tests need gcc or clang with AddressSanitizer, and no "
            "Penumbra; they pass with the old version and fail with the new one, or the other way round for a fix.",
        .sets = {{NULL, rows, &arguments}},
        .files = &arguments.named,
        .check = check,
    };
    options_parse(&line, argc, argv);
    arguments.request.results = arguments.named.list[0];
    int status = export_them(&arguments.request);
    words_free(&arguments.named);
    return status;
}
