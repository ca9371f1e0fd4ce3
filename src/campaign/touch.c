#include "campaign/touch.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/paths.h"
#include "base/process.h"
#include "compile/compile.h"
#include "execute/server.h"
#include "recorder/touch.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct touching {
    const struct touch_request *request;
    struct arena *arena;
    const char *support; /* the directory of Penumbra's own files */
    const char *program;
    struct world world;
};

/* ---- the program ---- */

static void take_job(const struct touching *touching, const struct unit *unit, size_t number, struct compile_job *job)
{
    struct words words = {0};
    const char *const ours[] = {"-std=gnu17",
                                arena_format(touching->arena, "-I%s/include", touching->support),
                                "-DPENUMBRA_MARKS",
                                "-DPENUMBRA_VERSION=NEW",
                                "-w",
                                "-O1",
                                "-fwrapv",
                                "-fno-strict-aliasing",
                                "-fPIC",
                                "-c"};
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
        words_add(&words, ours[i]);
    words_split(&words, unit->cflags ? unit->cflags : "");
    *job = (struct compile_job){
        .flags = arena_copy_strings(touching->arena, words.list),
        .source = unit->file,
        .output = arena_format(touching->arena, "%s/touch-%zu.o", touching->request->directory, number),
        .what = "touching"};
    words_free(&words);
}

static bool link_program(const struct touching *touching, const struct compile_job *jobs, size_t count,
                         struct error *error)
{
    struct words command = {0};
    struct process_result result = {0};
    const struct words *links = touching->request->links;
    words_add(&command, COMPILE_PROGRAM);
    words_add(&command, "-o");
    words_add(&command, touching->program);
    for (size_t i = 0; i < count; i++)
        words_add(&command, jobs[i].output);
    words_add(&command, arena_format(touching->arena, "%s/touch.o", touching->support));
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

static bool build(const struct touching *touching, struct error *error)
{
    const struct units *units = &touching->request->entry->units;
    struct compile_job *jobs = calloc(units->count, sizeof *jobs);
    for (size_t i = 0; i < units->count; i++)
        take_job(touching, &units->list[i], i, &jobs[i]);
    bool good = compile_run(jobs, units->count, 0, error);
    for (size_t i = 0; i < units->count && good; i++)
        if (!jobs[i].good)
            good = error_set(error, "%s does not compile", units->list[i].file);
    good = good && link_program(touching, jobs, units->count, error);
    for (size_t i = 0; i < units->count; i++)
        unlink(jobs[i].output);
    compile_free(jobs, units->count);
    free(jobs);
    return good;
}

/* ---- its runs ---- */

/* The file that the program shares with us; -1 where there is none. */
static int make_shared(const struct start_record *start, struct error *error)
{
    struct text input = {0};
    int shared = -1;
    if (!start->input || file_read(start->input, &input, error)) {
        shared = server_make_memory("penumbra-touch", TOUCH_INPUT + input.length);
        if (shared >= 0 && pwrite(shared, text_string(&input), input.length, TOUCH_INPUT) != (ssize_t)input.length) {
            close(shared);
            shared = -1;
        }
        if (shared < 0)
            error_set(error, "cannot make shared memory: %s", strerror(errno));
    }
    text_free(&input);
    return shared;
}

static bool run_start(const struct touching *touching, struct start_record *start, struct error *error)
{
    const struct touch_request *request = touching->request;
    struct world world = touching->world;
    const char *directory = start->base ? start->base : arena_format(touching->arena, "%s/cwd", start->folder);
    struct process_limits limits = server_limits(request->run_seconds, request->memory_bytes);
    if (!start->base && !file_make_directory(directory, error))
        return false;
    snprintf(world.directory, sizeof world.directory, "%s", directory);
    int shared = make_shared(start, error);
    if (shared < 0)
        return false;
    struct server_request served = {.world = &world,
                                    .executable = touching->program,
                                    .arguments = start->arguments.list,
                                    .trace = shared,
                                    .is_silent = true};
    struct server *server = server_start(&served, &limits, error);
    char mark = 0;
    start->touches = server && pread(shared, &mark, 1, TOUCH_MARK) == 1 && mark;
    server_stop(server);
    close(shared);
    return server != NULL;
}

static bool run_all(const struct touching *touching, struct starts *starts, struct error *error)
{
    double end = clock_seconds() + touching->request->seconds;
    for (size_t i = 0; i < starts->count && clock_seconds() < end; i++) {
        struct start_record *start = &starts->list[i];
        if (!run_start(touching, start, error))
            return false;
        if (start->touches && !file_write(arena_format(touching->arena, "%s/touches", start->folder), "", 0, error))
            return false;
    }
    return true;
}

bool touch_find(const struct touch_request *request, struct starts *starts, struct error *error)
{
    char support[4096];
    if (!paths_support_directory(support, error))
        return false;
    struct touching touching = {.request = request,
                                .arena = starts->arena,
                                .support = support,
                                .program = arena_format(starts->arena, "%s/touch", request->directory)};
    bool good = world_make(&touching.world, request->sandbox, request->directory, error) && build(&touching, error) &&
                run_all(&touching, starts, error);
    unlink(touching.program);
    return good;
}
