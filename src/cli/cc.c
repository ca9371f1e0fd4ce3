/* `penumbra cc`, also called penumbra-cc: the compiler that a build system is given. All arguments are clang's. */
#include "cli/cli.h"
#include "cli/manual.h"
#include "project/compiler.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static const char usage[] =
    "Usage: penumbra cc ARGUMENT...\n"
    "  or:  penumbra-cc ARGUMENT...\n\n"
    "A C compiler for build systems: clang-19 with these arguments. What it makes also tells, in a section that\n"
    "is never loaded, from which files and how it was made, so that 'penumbra diff OLD-TREE NEW-TREE' knows the\n"
    "programs of trees that were built with it:\n\n"
    "    ./configure CC=penumbra-cc && make\n"
    "    CC=penumbra-cc cmake -B build && cmake --build build\n"
    "    make CC='penumbra cc'\n\n"
    "With " COMPILER_SWITCH "=" COMPILER_OFF " in the environment it is clang and nothing else.";

int cli_cc(int argc, char **argv)
{
    struct error error = {0};
    bool wants_help = argc == 2 && !strcmp(argv[1], "--help");
    if (manual_is_wanted(argc, argv)) {
        manual_print_usage(argv[0], usage, stdout);
        return EXIT_NOTHING;
    }
    if (argc < 2 || wants_help) {
        puts(usage);
        return wants_help ? EXIT_NOTHING : EXIT_ERROR;
    }
    int status = compiler_run(argv + 1, &error);
    if (!error.message)
        return status;
    fprintf(stderr, "penumbra cc: %s\n", error.message);
    error_clear(&error);
    return status ? status : EXIT_ERROR;
}
