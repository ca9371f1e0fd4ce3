/* `penumbra diff`: two plain versions of a C file in, everything else as `penumbra run` does it. */
#include "base/file.h"
#include "cli/cli.h"
#include "cli/run.h"
#include "unify/unify.h"

static bool prepare(struct campaign_options *options, struct arena *arena, const char *directory, bool *identical,
                    struct error *error)
{
    if (options->files.count != 2)
        return error_set(error, "diff takes two files, the old and the new version; %zu are named",
                         options->files.count);
    struct unify_request request = {.old_file = options->files.list[0],
                                    .new_file = options->files.list[1],
                                    .old_cflags = options->cflags,
                                    .new_cflags = options->cflags,
                                    .verify = true,
                                    .entry = options->entry};
    struct unified unified;
    if (!unify_files(&request, &unified, error))
        return false;
    *identical = unified.identical;
    options->unified = arena_format(arena, "%s/unified.c", directory);
    for (size_t i = 0; i < unified.lone_variables.count; i++)
        words_add(&options->uncompared, arena_copy_string(arena, unified.lone_variables.list[i]));
    bool good =
        unified.identical || file_write(options->unified, text_string(&unified.text), unified.text.length, error);
    unified_free(&unified);
    return good;
}

int cli_diff(int argc, char **argv)
{
    static const struct run_command command = {
        .arguments = "OLD.c NEW.c --entry FUNCTION",
        .summary = "Find inputs on which two versions of a C file behave differently, and prove each by running both "
                   "natively.\vThe versions need no annotation; the program that is made of them is unified.c in the "
                   "results directory. Exit status: 0 nothing found, 1 differences found, 2 usage or build error.",
        .mode = EXPLORE_COMPLETE,
        .prepare = prepare,
    };
    return run_command(&command, argc, argv);
}
