#include "campaign/repro.h"

#include "base/file.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* What differs on standard error counts only where both versions end well: a sanitizer's report names addresses. */
static const char script[] =
    "#!/bin/sh\n"
    "# Runs the old and the new version on this input, or on a file of this folder that is named. Exit status: 0 they "
    "do\n"
    "# the same, 1 they differ, 2 trouble.\n"
    "here=$(cd \"$(dirname \"$0\")\" && pwd) && scratch=$(mktemp -d) || exit 2\n"
    "trap 'rm -rf \"$scratch\"' EXIT\n"
    "input=$here/${1:-input}\n"
    "run() {\n"
    "    name=$1\n"
    "    shift\n"
    "    for program; do :; done\n"
    "    [ -x \"$program\" ] || { echo \"repro: $program is gone\" >&2; exit 2; }\n"
    "    \"$@\" \"$input\" >\"$scratch/$name.out\" 2>\"$scratch/$name.err\"\n"
    "    echo $? >\"$scratch/$name.status\"\n"
    "    echo \"$name version:\"\n"
    "    cat \"$scratch/$name.out\"\n"
    "    cat \"$scratch/$name.err\" >&2\n"
    "}\n"
    "run old%s \"$here/../%s\"\n"
    "run new%s \"$here/../%s\"\n"
    "cmp -s \"$scratch/old.status\" \"$scratch/new.status\" || exit 1\n"
    "cmp -s \"$scratch/old.out\" \"$scratch/new.out\" || exit 1\n"
    "[ \"$(cat \"$scratch/old.status\")\" != 0 ] || cmp -s \"$scratch/old.err\" \"$scratch/new.err\" || exit 1\n";

/* A whole program may do anything to files: it runs confined. */
static const char confined_script[] =
    "#!/bin/sh\n"
    "# Runs the old and the new version on this input, or on a file of this folder that is named, confined. Exit "
    "status:\n# 0 they do the same, 1 they differ, 2 trouble.\n"
    "here=$(cd \"$(dirname \"$0\")\" && pwd) || exit 2\n"
    "exec \"${PENUMBRA:-penumbra}\" replay --cwd %s%s%s --run-time %g --old \"$here/../%s\" --new \"$here/../%s\" "
    "\"$here\" \"${1:-input}\"\n";

const char *repro_quote(struct arena *arena, const char *word)
{
    if (!word[strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+=:,")])
        return word;
    struct text text = {0};
    text_add(&text, "'");
    for (; *word; word++)
        text_add(&text, *word == '\'' ? "'\\''" : (char[]){*word, '\0'});
    text_add(&text, "'");
    const char *result = arena_copy_string(arena, text_string(&text));
    text_free(&text);
    return result;
}

static const char *limit(struct arena *arena, double seconds)
{
    return seconds > 0 ? arena_format(arena, " timeout %g", seconds) : "";
}

const char *repro_with_input(struct arena *arena, const char *command, const char *name)
{
    return arena_format(arena, "%s %s", command, name);
}

bool repro_write(const struct repro *repro, struct arena *arena, const char **command, struct error *error)
{
    char absolute[PATH_MAX];
    const char *path = arena_format(arena, "%s/repro", repro->directory);
    const char *text = repro->working_directory
                           ? arena_format(arena, confined_script, repro_quote(arena, repro->working_directory),
                                          *repro->root ? " --root " : "", repro_quote(arena, repro->root),
                                          repro->run_seconds, repro->programs[0], repro->programs[1])
                           : arena_format(arena, script, limit(arena, repro->seconds[0]), repro->programs[0],
                                          limit(arena, repro->seconds[1]), repro->programs[1]);
    if (!file_write(path, text, strlen(text), error))
        return false;
    if (chmod(path, 0755) || !realpath(path, absolute))
        return error_set(error, "%s cannot be made a program: %s", path, strerror(errno));
    *command = repro_quote(arena, arena_copy_string(arena, absolute));
    return true;
}
