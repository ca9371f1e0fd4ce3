#include "execute/world.h"
#include "base/file.h"
#include "execute/confine.h"
#include "execute/namespaces.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static const struct {
    const char *name, *text;
} levels[WORLD_LEVELS] = {
    [WORLD_NAMESPACES] = {"namespaces", "programs under test have namespaces and a scratch file system of their own"},
    [WORLD_LANDLOCK] = {"landlock", "programs under test change files in a scratch directory only (Landlock, seccomp)"},
    [WORLD_OPEN] = {"none", "programs under test run with your own rights, on your own files"},
};

const char *world_level_name(enum world_level level)
{
    return levels[level].name;
}

const char *world_level_text(enum world_level level)
{
    return levels[level].text;
}

/* Entering cannot be undone: a child tries it. */
static bool try_namespaces(const char *scratch, struct failure *failure)
{
    int answer[2], status = -1;
    if (pipe(answer))
        return failure_note(failure, "make a pipe");
    pid_t child = fork();
    if (child == 0) {
        struct world world = {.level = WORLD_NAMESPACES, .directory = "/"};
        struct namespaces namespaces;
        struct failure why = {0};
        snprintf(world.scratch, sizeof world.scratch, "%s", scratch);
        namespaces_enter(&namespaces, &world, &why);
        (void)!write(answer[1], &why, sizeof why);
        _exit(0);
    }
    close(answer[1]);
    if (child < 0 || read(answer[0], failure, sizeof *failure) != sizeof *failure)
        failure_note(failure, "start a process");
    close(answer[0]);
    if (child > 0)
        while (waitpid(child, &status, 0) < 0 && errno == EINTR)
            continue;
    return !failure->reason;
}

static bool has_namespaces(struct text *why)
{
    struct failure failure = {0};
    struct error error = {0};
    char scratch[256];
    bool good = file_make_scratch(scratch, &error);
    if (good) {
        good = try_namespaces(scratch, &failure);
        file_remove_tree(scratch);
    }
    if (!good && why && error.message)
        text_add(why, error.message);
    else if (!good && why)
        text_format(why, "cannot %s: %s", failure.step, strerror(failure.reason));
    error_clear(&error);
    return good;
}

bool world_is_available(enum world_level level, struct text *why)
{
    if (level == WORLD_NAMESPACES)
        return has_namespaces(why);
    if (level == WORLD_OPEN || confine_version())
        return true;
    if (why)
        text_add(why, "this kernel has no Landlock, or it is switched off");
    return false;
}

bool world_make(struct world *world, enum world_level best, const char *directory, struct error *error)
{
    *world = (struct world){.level = best};
    snprintf(world->scratch, sizeof world->scratch, "%s/world", directory);
    if (!getcwd(world->directory, sizeof world->directory))
        snprintf(world->directory, sizeof world->directory, "/");
    while (world->level < WORLD_OPEN && !world_is_available(world->level, NULL))
        world->level++;
    if (world->level == WORLD_OPEN && best < WORLD_OPEN)
        return error_set(error,
                         "programs under test cannot be confined on this system (`penumbra doctor` says why): they "
                         "would run on invented inputs with your own rights; --no-sandbox runs them all the same");
    return file_make_directory(world->scratch, error);
}

bool world_take_root(struct world *world, const char *path, struct error *error)
{
    if (world->level != WORLD_NAMESPACES)
        return error_set(error,
                         "--root needs namespaces, which programs under test do not have here (`penumbra doctor` says "
                         "why, if --sandbox or --no-sandbox did not ask for that)");
    return own_root_find(path, world->directory, &world->root, error);
}
