#include "campaign/native_start.h"

#include "base/file.h"
#include "base/paths.h"
#include "base/process.h"
#include "compile/compile.h"
#include "execute/server.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool native_start_open(struct native_start *native, enum world_level sandbox, const char *name, struct error *error)
{
    char support[PATH_MAX];
    if (!paths_support_directory(support, error))
        return false;
    native->support = arena_copy_string(native->arena, support);
    native->executable = arena_format(native->arena, "%s/%s", native->directory, name);
    return world_make(&native->world, sandbox, native->directory, error);
}

/* ---- building ---- */

static void take_job(const struct native_start *native, const struct unit *unit, const char *const *flags,
                     const char *object, struct compile_job *job)
{
    struct words words = {0};
    const char *const ours[] = {"-std=gnu17", arena_format(native->arena, "-I%s/include", native->support),
                                "-w",         "-O1",
                                "-fwrapv",    "-fno-strict-aliasing",
                                "-fPIC",      "-c"};
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
        words_add(&words, ours[i]);
    for (size_t i = 0; flags[i]; i++)
        words_add(&words, flags[i]);
    words_split(&words, unit->cflags ? unit->cflags : "");
    *job = (struct compile_job){.flags = arena_copy_strings(native->arena, words.list),
                                .source = unit->file,
                                .output = object,
                                .what = "native start"};
    words_free(&words);
}

bool native_start_compile(const struct native_start *native, const struct unit *units, size_t count,
                          const char *const *flags, const char **objects, struct error *error)
{
    struct compile_job *jobs = calloc(count + 1, sizeof *jobs);
    for (size_t i = 0; i < count; i++) {
        objects[i] = arena_format(native->arena, "%s-%zu.o", native->executable, i);
        take_job(native, &units[i], flags, objects[i], &jobs[i]);
    }
    bool good = compile_run(jobs, count, 0, error);
    for (size_t i = 0; i < count && good; i++)
        if (!jobs[i].good)
            good = error_set(error, "%s does not compile", unit_name(&units[i]));
    compile_free(jobs, count);
    free(jobs);
    return good;
}

bool native_start_link(const struct native_start *native, const char *const *objects, size_t count,
                       const struct words *links, struct error *error)
{
    struct words command = {0};
    struct process_result result = {0};
    words_add(&command, COMPILE_PROGRAM);
    words_add(&command, "-o");
    words_add(&command, native->executable);
    for (size_t i = 0; i < count; i++)
        words_add(&command, objects[i]);
    words_add(&command, arena_format(native->arena, "%s/%s", native->support, native->runtime));
    for (size_t i = 0; i < links->count; i++)
        words_add(&command, links->list[i]);
    words_add(&command, "-lm");
    bool good = process_run(command.list, NULL, &(struct process_limits){0}, &result, error);
    if (good && result.exit_status) {
        const char *complaint = text_string(&result.errors);
        good = error_set(error, "%.*s", (int)strcspn(complaint, "\n"), complaint);
    }
    process_result_free(&result);
    words_free(&command);
    return good;
}

/* ---- running ---- */

static int make_shared(const struct native_start *native, const struct start_record *start, struct error *error)
{
    struct text input = {0};
    int shared = -1;
    if (!start->input || file_read(start->input, &input, error)) {
        shared = server_make_memory("penumbra-start", native->input + input.length);
        if (shared >= 0 &&
            pwrite(shared, text_string(&input), input.length, (off_t)native->input) != (ssize_t)input.length) {
            close(shared);
            shared = -1;
        }
        if (shared < 0)
            error_set(error, "cannot make shared memory: %s", strerror(errno));
    }
    text_free(&input);
    return shared;
}

int native_start_run(const struct native_start *native, const struct start_record *start, struct error *error)
{
    struct world world = native->world;
    const char *directory = start->base ? start->base : arena_format(native->arena, "%s/cwd", start->folder);
    struct process_limits limits = server_limits(native->run_seconds, native->memory_bytes);
    if (!start->base && !file_make_directory(directory, error))
        return -1;
    snprintf(world.directory, sizeof world.directory, "%s", directory);
    int shared = make_shared(native, start, error);
    if (shared < 0)
        return -1;
    struct server_request served = {.world = &world,
                                    .executable = native->executable,
                                    .arguments = start->arguments.list,
                                    .trace = shared,
                                    .is_silent = true};
    struct server *server = server_start(&served, &limits, error);
    if (!server) {
        close(shared);
        return -1;
    }
    server_stop(server);
    return shared;
}
