#include "check/native.h"
#include "base/file.h"

#include "base/paths.h"
#include "base/process.h"
#include "base/words.h"
#include "check/link.h"
#include "instrument/uninitialised.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BACKGROUND_NICENESS = 10, BUILT = '+', NOT_BUILT = '-' };

struct native_build {
    struct arena *arena;
    const struct program *program;
    const char *const *harness;
    const char *version; /* "OLD" or "NEW" */
    const char *name;    /* "old" or "new" */
    const char *executables[NATIVE_SANITIZERS];
    char support[4096];
    pid_t builder;
    int answers;         /* a pipe: BUILT for each executable, or NOT_BUILT and the message */
    int built;           /* how many executables are known to be ready */
    const char *problem; /* why the next one is not; NULL while it may be */
};

static bool run(const struct native_build *build, const struct words *command, struct error *error)
{
    struct process_result result;
    if (!process_run(command->list, NULL, NULL, &result, error))
        return false;
    bool good = result.exit_status == 0;
    if (!good)
        error_set(error, "the %s version cannot be built natively (%s ended with status %d):\n%s", build->name,
                  command->list[0], result.exit_status, text_string(&result.errors));
    process_result_free(&result);
    return good;
}

static void add_all(struct words *command, const char *const words[])
{
    for (size_t i = 0; words[i]; i++)
        words_add(command, words[i]);
}

static const char *const as_bitcode[] = {"-emit-llvm", "-Xclang", "-disable-llvm-passes", NULL};

/* What is read without having been written is an input: see instrument/uninitialised.h. */
static bool assemble(const struct native_build *build, const char *object, struct error *error)
{
    const char *bitcode = arena_format(build->arena, "%s.bc", object);
    struct words command = {0};
    const char *const all[] = {
        "clang-19", "-w", "-O0",  "-fPIE", "-fno-omit-frame-pointer", "-fsanitize=address", "-g", "-c",
        bitcode,    "-o", object, NULL};
    add_all(&command, all);
    bool good = rename(object, bitcode) == 0 || error_set(error, "cannot write %s: %s", bitcode, strerror(errno));
    good = good && fill_uninitialised_file(bitcode, error) && run(build, &command, error);
    unlink(bitcode);
    words_free(&command);
    return good;
}

/* Our flags come last: what the user asks of the optimiser must not hide a failure. With -fwrapv no signed overflow
 * would be reported, and without it the report is all that changes, since what is undefined is done all the same. */
static bool compile(const struct native_build *build, enum native_sanitizer sanitizer, size_t unit, const char *object,
                    struct error *error)
{
    static const char *const fixed[] = {"-DPENUMBRA_REPLAY",
                                        "-fno-fast-math",
                                        "-ffp-contract=off",
                                        "-w",
                                        "-O0",
                                        "-fPIE",
                                        "-fno-omit-frame-pointer",
                                        "-c",
                                        NULL};
    static const char *const sanitizers[][5] = {
        [NATIVE_ADDRESS] = {"-fsanitize=address", "-ftrivial-auto-var-init=pattern", "-fwrapv", "-g", NULL},
        [NATIVE_UNDEFINED] = {"-fsanitize=undefined", "-fsanitize-recover=undefined", NULL},
    };
    struct words command = {0};
    words_add(&command, "clang-19");
    add_all(&command, build->program->cflags[unit]);
    words_add(&command, arena_format(build->arena, "-DPENUMBRA_VERSION=%s", build->version));
    add_all(&command, fixed);
    add_all(&command, sanitizers[sanitizer]);
    words_add(&command, build->harness[unit]);
    words_add(&command, "-o");
    words_add(&command, object);
    if (sanitizer == NATIVE_ADDRESS)
        add_all(&command, as_bitcode);
    bool good = run(build, &command, error);
    words_free(&command);
    return good && (sanitizer != NATIVE_ADDRESS || assemble(build, object, error));
}

/* Compiles and links under a temporary name, so that the executable is there only when it is complete. */
static bool make(const struct native_build *build, enum native_sanitizer sanitizer, struct error *error)
{
    size_t count = build->program->request->unit_count;
    const char *executable = build->executables[sanitizer];
    const char *unfinished = arena_format(build->arena, "%s.part", executable);
    const char **objects = arena_allocate(build->arena, (count + 2) * sizeof *objects);
    bool good = true;
    for (size_t i = 0; i < count && good; i++) {
        objects[i] = arena_format(build->arena, "%s.%zu.o", executable, i);
        good = compile(build, sanitizer, i, objects[i], error);
    }
    objects[count] = arena_format(build->arena, "%s/replay_runtime.o", build->support);
    if (good) {
        struct words command = {0};
        link_command(&command, unfinished, objects, build->program->links);
        good = run(build, &command, error);
        words_free(&command);
    }
    for (size_t i = 0; i < count && objects[i]; i++)
        unlink(objects[i]);
    if (good && rename(unfinished, executable) != 0)
        good = error_set(error, "cannot write %s: %s", executable, strerror(errno));
    return good;
}

/* In the builder, which dies with its parent; and with it, the compiler that it runs. */
static _Noreturn void be_builder(const struct native_build *build, int answers, pid_t parent)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(1);
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    setpgid(0, 0); /* Ctrl-C is for the explorer, which still needs what is built here */
    for (int sanitizer = 0; sanitizer < NATIVE_SANITIZERS; sanitizer++) {
        if (sanitizer == NATIVE_UNDEFINED && nice(BACKGROUND_NICENESS) == -1)
            errno = 0; /* then it competes with the exploration, no more */
        struct error error = {0};
        bool good = make(build, (enum native_sanitizer)sanitizer, &error);
        char answer = good ? BUILT : NOT_BUILT;
        file_write_to(answers, &answer, 1);
        if (!good) {
            file_write_to(answers, error.message, strlen(error.message));
            _exit(1);
        }
    }
    _exit(0);
}

static bool start_builder(struct native_build *build, struct error *error)
{
    int ends[2];
    if (!paths_support_directory(build->support, error))
        return false;
    if (pipe2(ends, O_CLOEXEC) != 0)
        return error_set(error, "cannot start a native build: %s", strerror(errno));
    pid_t parent = getpid();
    build->builder = fork();
    if (build->builder == 0)
        be_builder(build, ends[1], parent);
    close(ends[1]);
    build->answers = ends[0];
    if (build->builder > 0)
        return true;
    close(ends[0]);
    return error_set(error, "cannot start a native build: %s", strerror(errno));
}

struct native_build *native_start(const struct program *program, const char *const *harness, const char *directory,
                                  const char *version, struct error *error)
{
    struct arena *arena = arena_create();
    struct native_build *build = arena_allocate(arena, sizeof *build);
    *build = (struct native_build){.arena = arena, .program = program, .harness = harness, .version = version};
    char *name = arena_copy_string(arena, version);
    for (char *letter = name; *letter; letter++)
        *letter = (char)tolower((unsigned char)*letter);
    build->name = name;
    build->executables[NATIVE_ADDRESS] = arena_format(arena, "%s/%s", directory, name);
    build->executables[NATIVE_UNDEFINED] = arena_format(arena, "%s/%s-undefined", directory, name);
    if (start_builder(build, error))
        return build;
    arena_destroy(arena);
    return NULL;
}

/* The builder's next answer; false at its end. */
static bool read_answer(struct native_build *build, char *answer)
{
    ssize_t count;
    do
        count = read(build->answers, answer, 1);
    while (count < 0 && errno == EINTR);
    return count == 1;
}

static void read_problem(struct native_build *build)
{
    struct text message = {0};
    char letter;
    while (read_answer(build, &letter))
        text_append(&message, &letter, 1);
    build->problem = arena_copy_string(build->arena, text_string(&message));
    text_free(&message);
}

bool native_wait(struct native_build *build, enum native_sanitizer sanitizer, struct error *error)
{
    while (build->built <= (int)sanitizer && !build->problem) {
        char answer;
        if (!read_answer(build, &answer))
            build->problem = "a native build ended unexpectedly";
        else if (answer == BUILT)
            build->built++;
        else
            read_problem(build);
    }
    return build->built > (int)sanitizer || error_set(error, "%s", build->problem);
}

const char *native_executable(const struct native_build *build, enum native_sanitizer sanitizer)
{
    return build->executables[sanitizer];
}

void native_stop(struct native_build *build)
{
    if (!build)
        return;
    kill(-build->builder, SIGKILL); /* with its compiler, which would go on writing; */
    kill(build->builder, SIGKILL);  /* it may have no group yet */
    while (waitpid(build->builder, NULL, 0) < 0 && errno == EINTR)
        continue;
    close(build->answers);
    arena_destroy(build->arena);
}
