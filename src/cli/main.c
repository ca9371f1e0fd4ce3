/* penumbra: finds inputs on which two versions of a C program behave differently. This file chooses the subcommand. */
#include "cli/cli.h"
#include "compile/store.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *summary;
} commands[] = {
    {"run", cli_run, "find inputs on which the versions differ, and prove each by running both"},
    {"diff", cli_diff, "the same, from two plain C files: an old and a new version"},
    {"unify", cli_unify, "make one annotated program of two versions, to read, edit and run"},
    {"harness", cli_harness, "print the C that makes a function's inputs and calls it, to edit and run"},
    {"trace", cli_trace, "run given inputs once and show every decision, in both versions"},
    {"show", cli_show, "show the results of an earlier run, also as a page, SARIF, JUnit or Markdown"},
    {"resume", cli_resume, "go on with a campaign that was stopped, whatever stopped it"},
    {"stats", cli_stats, "show runs, paths and time of a campaign, even while it is running"},
    {"export", cli_export, "turn results into tests that do not need Penumbra"},
    {"signature", cli_signature, "show what the outputs of a version are, and under which conditions"},
    {"augment", cli_augment, "tell which semantic changes the seeds show, and make tests for the others"},
    {"accept", cli_accept, "record a difference as intended, so that it is not reported again"},
    {"instrument", cli_instrument, "build an instrumented program that keeps its own main"},
    {"replay", cli_replay, "run both versions once more on the input of a finding"},
    {"cc", cli_cc, "a C compiler for build systems: clang, with a record of what was built"},
    {"seeds", cli_seeds, "list the starts of a program that were recorded from its test suite"},
    {"doctor", cli_doctor, "tell how programs under test can be confined on this machine"},
};

int cli_fail(struct error *error)
{
    fprintf(stderr, "penumbra: %s\n", error->message ? error->message : "unknown error");
    error_clear(error);
    return EXIT_ERROR;
}

static void usage(FILE *to)
{
    fprintf(to, "Usage: penumbra COMMAND [OPTION...]\n\n"
                "Finds inputs on which two versions of a C program behave differently.\n\n");
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        fprintf(to, "  %-12s %s\n", commands[i].name, commands[i].summary);
    fprintf(to, "\n'penumbra COMMAND --help' describes a command; 'penumbra --version' prints the version.\n"
                "Exit status: 0 nothing found, 1 differences found, 2 usage or build error, 3 the job was not done.\n");
}

int main(int argc, char **argv)
{
    if (argc >= 2 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "help"))) {
        usage(stdout);
        return EXIT_NOTHING;
    }
    if (argc >= 2 && !strcmp(argv[1], "--version")) {
        printf("penumbra " PENUMBRA_VERSION_STRING "\n");
        return EXIT_NOTHING;
    }
    for (size_t i = 0; argc >= 2 && i < sizeof commands / sizeof *commands; i++) {
        if (strcmp(argv[1], commands[i].name))
            continue;
        char name[64]; /* what messages begin with */
        snprintf(name, sizeof name, "penumbra %s", commands[i].name);
        argv[1] = name;
        int status = commands[i].run(argc - 1, argv + 1);
        store_trim();
        return status;
    }
    if (argc >= 2)
        fprintf(stderr, "penumbra: there is no command '%s'\n\n", argv[1]);
    usage(stderr);
    return EXIT_ERROR;
}
