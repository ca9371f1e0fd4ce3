#include "check/native.h"
#include "base/file.h"

#include "base/log.h"
#include "base/paths.h"
#include "base/process.h"
#include "base/words.h"
#include "check/link.h"
#include "compile/compile.h"
#include "compile/identity.h"
#include "compile/store.h"
#include "instrument/uninitialised.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BACKGROUND_NICENESS = 10, BUILT = '+', NOT_BUILT = '-' };

/* Two versions are built beside each other. */
static unsigned compilers_at_once(void)
{
    return compile_cores() > 1 ? compile_cores() / 2 : 1;
}

struct native_build {
    struct arena *arena;
    const struct program *program;
    const char *const *harness;
    const char *version; /* "OLD", "NEW" or "MIXED" */
    const char *name;    /* "old", ... */
    const char *executables[NATIVE_SANITIZERS];
    char support[4096];
    pid_t builder;
    int wishes[2]; /* a pipe: a byte for each executable that is wanted beside the first; both ends stay open, so that
                      no signal comes of a builder that is no more */
    int answers;   /* a pipe: BUILT for each executable, or NOT_BUILT and the message */
    int wanted;    /* how many executables were asked for */
    const char *directory; /* where they go */
    int built;             /* how many executables are known to be ready */
    const char *problem;   /* why the next one is not; NULL while it may be */
};

static bool run(const struct native_build *build, const struct words *command, struct error *error)
{
    struct process_result result;
    log_command(command->list);
    if (!process_run(command->list, NULL, NULL, &result, error))
        return false;
    bool good = result.exit_status == 0;
    char hint[512];
    if (!good)
        error_set(error, "the %s version cannot be built natively (%s ended with status %d):\n%s%s", build->name,
                  command->list[0], result.exit_status, text_string(&result.errors),
                  file_room_hint(build->directory, hint));
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
        COMPILE_PROGRAM, "-w", "-O0",  "-fPIE", "-fno-omit-frame-pointer", "-fsanitize=address", "-g", "-c",
        bitcode,         "-o", object, NULL};
    add_all(&command, all);
    bool good = rename(object, bitcode) == 0 || error_set(error, "cannot write %s: %s", bitcode, strerror(errno));
    good = good && fill_uninitialised_file(bitcode, error) && run(build, &command, error);
    unlink(bitcode);
    words_free(&command);
    return good;
}

/* By the bitcode that it is made of. */
static bool object_key(const struct digest *bitcode, struct digest *key)
{
    struct digester digester;
    struct digest tool, compiler;
    digester_open(&digester, "native object");
    if (!store_is_open() || !identity_of_tool(&tool) || !identity_of_compiler(COMPILE_PROGRAM, &compiler))
        return false;
    digester_add_digest(&digester, &tool);
    digester_add_digest(&digester, &compiler);
    digester_add_digest(&digester, bitcode);
    *key = digester_close(&digester);
    return true;
}

/* In place of the bitcode. */
static bool make_object(const struct native_build *build, const struct digest *bitcode, const char *object,
                        struct error *error)
{
    struct digest key;
    struct text content = {0};
    bool has_key = object_key(bitcode, &key);
    if (has_key && store_get(&key, &content)) {
        bool good = file_write(object, content.data, content.length, error);
        text_free(&content);
        return good;
    }
    if (!assemble(build, object, error))
        return false;
    struct error ignored = {0};
    if (has_key && file_read(object, &content, &ignored))
        store_put(&key, text_string(&content), content.length);
    text_free(&content);
    error_clear(&ignored);
    return true;
}

/* Our flags come last: what the user asks of the optimiser must not hide a failure. With -fwrapv no signed overflow
 * would be reported, and without it the report is all that changes, since what is undefined is done all the same. */
static struct compile_job job_of(const struct native_build *build, enum native_sanitizer sanitizer, size_t unit,
                                 const char *object, struct words *flags)
{
    static const char *const fixed[] = {"-DPENUMBRA_REPLAY",
                                        "-fno-fast-math",
                                        "-ffp-contract=off",
                                        "-w",
                                        "-O0",
                                        "-fPIE",
                                        "-fno-omit-frame-pointer",
                                        NULL};
    static const char *const sanitizers[][5] = {
        [NATIVE_ADDRESS] = {"-fsanitize=address", "-ftrivial-auto-var-init=pattern", "-fwrapv", "-g", NULL},
        [NATIVE_UNDEFINED] = {"-fsanitize=undefined", "-fsanitize-recover=undefined", NULL},
    };
    add_all(flags, build->program->cflags[unit]);
    words_add(flags, arena_format(build->arena, "-DPENUMBRA_VERSION=%s", build->version));
    add_all(flags, fixed);
    add_all(flags, sanitizers[sanitizer]);
    if (sanitizer == NATIVE_ADDRESS)
        add_all(flags, as_bitcode);
    return (struct compile_job){
        .flags = flags->list, .source = build->harness[unit], .output = object, .what = build->executables[sanitizer]};
}

static void add_jobs(const struct native_build *build, enum native_sanitizer sanitizer, const char *const objects[],
                     struct compile_job *jobs, struct words *flags)
{
    for (size_t i = 0; i < build->program->request->unit_count; i++)
        jobs[i] = job_of(build, sanitizer, i, objects[i], &flags[i]);
}

/* Whether all of them were compiled, where nothing was wrong before. */
static bool take_jobs(const struct native_build *build, const struct compile_job *jobs, struct words *flags, bool good,
                      struct error *error)
{
    for (size_t i = 0; i < build->program->request->unit_count; i++) {
        if (good && !jobs[i].good)
            good = error_set(error, "the %s version cannot be built natively (%s ended with status %d):\n%s",
                             build->name, COMPILE_PROGRAM, jobs[i].exit_status, text_string(&jobs[i].errors));
        words_free(&flags[i]);
    }
    return good;
}

static bool compile(const struct native_build *build, enum native_sanitizer sanitizer, const char *const objects[],
                    struct error *error)
{
    size_t count = build->program->request->unit_count;
    struct compile_job *jobs = arena_allocate(build->arena, (count + 1) * sizeof *jobs);
    struct words *flags = arena_allocate(build->arena, (count + 1) * sizeof *flags);
    add_jobs(build, sanitizer, objects, jobs, flags);
    bool good = compile_run(jobs, count, compilers_at_once(), error);
    good = take_jobs(build, jobs, flags, good, error);
    for (size_t i = 0; i < count && good && sanitizer == NATIVE_ADDRESS; i++)
        good = make_object(build, &jobs[i].digest, objects[i], error);
    compile_free(jobs, count);
    return good;
}

bool native_bitcode(const struct native_version versions[], size_t version_count, struct error *error)
{
    struct arena *arena = arena_create();
    struct native_build *builds = arena_allocate(arena, (version_count + 1) * sizeof *builds);
    size_t count = 0, first = 0;
    for (size_t i = 0; i < version_count; i++) {
        const struct native_version *version = &versions[i];
        builds[i] = (struct native_build){.arena = arena,
                                          .program = version->program,
                                          .harness = version->harness,
                                          .version = version->name,
                                          .name = version->name,
                                          .executables = {[NATIVE_ADDRESS] = version->name}};
        count += version->program->request->unit_count;
    }
    struct compile_job *jobs = arena_allocate(arena, (count + 1) * sizeof *jobs);
    struct words *flags = arena_allocate(arena, (count + 1) * sizeof *flags);
    for (size_t i = 0; i < version_count; first += builds[i++].program->request->unit_count)
        add_jobs(&builds[i], NATIVE_ADDRESS, versions[i].outputs, jobs + first, flags + first);
    bool good = compile_run(jobs, count, 0, error); /* nothing else is done meanwhile */
    first = 0;
    for (size_t i = 0; i < version_count; first += builds[i++].program->request->unit_count)
        good = take_jobs(&builds[i], jobs + first, flags + first, good, error);
    compile_free(jobs, count);
    arena_destroy(arena);
    return good;
}

/* Compiles and links under a temporary name, so that the executable is there only when it is complete. */
static bool make(const struct native_build *build, enum native_sanitizer sanitizer, struct error *error)
{
    size_t count = build->program->request->unit_count;
    const char *executable = build->executables[sanitizer];
    const char *unfinished = arena_format(build->arena, "%s.part", executable);
    const char **objects = arena_allocate(build->arena, (count + 2) * sizeof *objects);
    for (size_t i = 0; i < count; i++)
        objects[i] = arena_format(build->arena, "%s.%zu.o", executable, i);
    bool good = compile(build, sanitizer, objects, error);
    objects[count] = arena_format(build->arena, "%s/replay_runtime.o", build->support);
    if (good) {
        struct words command = {0};
        link_command(&command, unfinished, objects, build->program->links);
        good = run(build, &command, error);
        words_free(&command);
    }
    for (size_t i = 0; i < count; i++)
        unlink(objects[i]);
    if (good && rename(unfinished, executable) != 0)
        good = error_set(error, "cannot write %s: %s", executable, strerror(errno));
    return good;
}

/* In the builder, which dies with its parent; and with it, the compiler that it runs. */
static _Noreturn void be_builder(const struct native_build *build, int answers, pid_t parent)
{
    char wish;
    process_follow(parent);
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    setpgid(0, 0); /* Ctrl-C is for the explorer, which still needs what is built here */
    for (int sanitizer = 0; sanitizer < NATIVE_SANITIZERS; sanitizer++) {
        if (sanitizer > 0 && !file_read_from(build->wishes[0], &wish, 1))
            _exit(0);
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
    int answers[2];
    if (!paths_support_directory(build->support, error))
        return false;
    if (pipe2(answers, O_CLOEXEC) != 0)
        return error_set(error, "cannot start a native build: %s", strerror(errno));
    if (pipe2(build->wishes, O_CLOEXEC) != 0) {
        close(answers[0]), close(answers[1]);
        return error_set(error, "cannot start a native build: %s", strerror(errno));
    }
    pid_t parent = getpid();
    build->builder = fork();
    if (build->builder == 0)
        be_builder(build, answers[1], parent);
    close(answers[1]);
    build->answers = answers[0];
    build->wanted = 1;
    if (build->builder > 0)
        return true;
    close(build->wishes[0]), close(build->wishes[1]), close(answers[0]);
    return error_set(error, "cannot start a native build: %s", strerror(errno));
}

struct native_build *native_start(const struct program *program, const char *const *harness, const char *directory,
                                  const char *version, struct error *error)
{
    struct arena *arena = arena_create();
    struct native_build *build = arena_allocate(arena, sizeof *build);
    *build = (struct native_build){.arena = arena,
                                   .program = program,
                                   .harness = harness,
                                   .version = version,
                                   .directory = arena_copy_string(arena, directory)};
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

void native_want(struct native_build *build, enum native_sanitizer sanitizer)
{
    for (; build->wanted <= (int)sanitizer; build->wanted++)
        file_write_to(build->wishes[1], "", 1);
}

static bool is_settled(const struct native_build *build, enum native_sanitizer sanitizer)
{
    return build->built > (int)sanitizer || build->problem;
}

static void take_answer(struct native_build *build)
{
    char answer;
    if (!read_answer(build, &answer))
        build->problem = "a native build ended unexpectedly";
    else if (answer == BUILT)
        build->built++;
    else
        read_problem(build);
}

bool native_is_ready(struct native_build *build, enum native_sanitizer sanitizer)
{
    native_want(build, sanitizer);
    struct pollfd answer = {build->answers, POLLIN, 0};
    while (!is_settled(build, sanitizer) && poll(&answer, 1, 0) > 0)
        take_answer(build);
    return is_settled(build, sanitizer);
}

bool native_wait(struct native_build *build, enum native_sanitizer sanitizer, struct error *error)
{
    native_want(build, sanitizer);
    while (!is_settled(build, sanitizer))
        take_answer(build);
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
    close(build->wishes[0]), close(build->wishes[1]), close(build->answers);
    arena_destroy(build->arena);
}
