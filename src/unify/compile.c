#include "unify/compile.h"

#include "base/arena.h"
#include "base/words.h"
#include "compile/compile.h"

#include <stdlib.h>

/* Two versions never have the same path, nor are they compiled at the same time: names and times are made equal. */
static const char *const FIXED[] = {"-xc",
                                    "-O0",
                                    "-Xclang",
                                    "-disable-O0-optnone",
                                    "-emit-llvm",
                                    "-g0",
                                    "-w",
                                    "-fwrapv",
                                    "-D__FILE__=\"\"",
                                    "-D__BASE_FILE__=\"\"",
                                    "-D__FILE_NAME__=\"\"",
                                    "-D__DATE__=\"\"",
                                    "-D__TIME__=\"\"",
                                    "-D__TIMESTAMP__=\"\""};

static struct compile_job job_of(const struct compilation *compilation, struct words *flags, struct arena *arena)
{
    for (size_t i = 0; i < sizeof FIXED / sizeof *FIXED; i++)
        words_add(flags, FIXED[i]);
    if (compilation->without_lines)
        words_add(flags, "-D__LINE__=0");
    for (size_t i = 0; compilation->flags[i]; i++)
        words_add(flags, compilation->flags[i]);
    if (compilation->version) {
        words_add(flags, arena_format(arena, "-DPENUMBRA_VERSION=%s", compilation->version));
        words_add(flags, "-femit-all-decls"); /* one that nobody calls may be static here, and not in its own version */
    }
    return (struct compile_job){
        .flags = flags->list, .source = compilation->file, .output = compilation->output, .what = "to be compared"};
}

bool compile_to_ir(const struct compilation *list, size_t count, bool *compiles, struct error *error)
{
    struct arena *arena = arena_create();
    struct compile_job *jobs = arena_allocate(arena, (count + 1) * sizeof *jobs);
    struct words *flags = arena_allocate(arena, (count + 1) * sizeof *flags);
    for (size_t i = 0; i < count; i++)
        jobs[i] = job_of(&list[i], &flags[i], arena);
    bool started = compile_run(jobs, count, 0, error);
    *compiles = compile_all_good(jobs, count);
    compile_free(jobs, count);
    for (size_t i = 0; i < count; i++)
        words_free(&flags[i]);
    arena_destroy(arena);
    return started;
}
