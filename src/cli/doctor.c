/* `penumbra doctor`: what this machine offers for running programs on inputs that nobody wrote, and for building them.
 */
#include "base/process.h"
#include "cli/cli.h"
#include "cli/options.h"
#include "compile/compile.h"
#include "execute/world.h"

#include <stdio.h>
#include <string.h>

static const char namespaces_remedy[] =
    "             allow user namespaces: sysctl kernel.unprivileged_userns_clone=1 (Debian),\n"
    "             kernel.apparmor_restrict_unprivileged_userns=0 (Ubuntu), user.max_user_namespaces above 0;\n"
    "             in a container, let it use unshare() and mount()\n";

static void check(struct argp_state *state, const struct command_line *line)
{
    if (line->files->count)
        argp_error(state, "doctor takes no arguments; '%s' is one too many", line->files->list[0]);
}

/* Prints each level, with what stands in its way, and returns the best one that can be had. */
static enum world_level show_levels(void)
{
    enum world_level best = WORLD_OPEN;
    for (int level = WORLD_OPEN - 1; level >= 0; level--) {
        struct text why = {0};
        const char *name = world_level_name((enum world_level)level);
        if (world_is_available((enum world_level)level, &why)) {
            best = (enum world_level)level;
            printf("%-12s yes\n", name);
        } else {
            printf("%-12s no: %s\n%s", name, text_string(&why), level == WORLD_NAMESPACES ? namespaces_remedy : "");
        }
        text_free(&why);
    }
    return best;
}

static bool show_compiler(void)
{
    static const char *const command[] = {COMPILE_PROGRAM, "--version", NULL};
    struct process_result result = {0};
    struct error error = {0};
    bool good = process_run(command, NULL, NULL, &result, &error);
    const char *line = good ? text_string(&result.output) : error.message;
    printf("%-12s %s%.*s\n", "compiler", good ? "" : "no: ", (int)strcspn(line, "\n"), line);
    process_result_free(&result);
    error_clear(&error);
    return good;
}

int cli_doctor(int argc, char **argv)
{
    static const struct option_row rows[] = {TABLE_END};
    struct words files = {0};
    struct command_line line = {
        .arguments = "",
        .summary = "Tell how programs under test can be confined on this machine, and what it lacks.\vExit status: 0 "
                   "everything is there, 2 programs under test cannot be confined or built.",
        .sets = {{NULL, rows, &files}},
        .files = &files,
        .check = check,
    };
    options_parse(&line, argc, argv);
    enum world_level best = show_levels();
    bool has_compiler = show_compiler();
    printf("%-12s %s\n", "used", world_level_name(best));
    printf("\n%s.\n", best == WORLD_OPEN
                          ? "programs under test cannot be confined here: nothing is run without --no-sandbox"
                          : world_level_text(best));
    words_free(&files);
    return best == WORLD_OPEN || !has_compiler ? EXIT_ERROR : EXIT_NOTHING;
}
