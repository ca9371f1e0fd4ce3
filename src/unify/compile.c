#include "unify/compile.h"

#include "base/process.h"
#include "base/words.h"

#include <stdio.h>
#include <stdlib.h>

/* Two versions never have the same path, nor are they compiled at the same time: names and times are made equal. */
static const char *const FIXED[] = {"clang-19",
                                    "-xc",
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
                                    "-D__TIMESTAMP__=\"\"",
                                    "-c"};

static struct process *start(const struct compilation *compilation, struct error *error)
{
    char version[64];
    struct words command = {0};
    for (size_t i = 0; i < sizeof FIXED / sizeof *FIXED; i++)
        words_add(&command, FIXED[i]);
    if (compilation->without_lines)
        words_add(&command, "-D__LINE__=0");
    for (size_t i = 0; compilation->flags[i]; i++)
        words_add(&command, compilation->flags[i]);
    if (compilation->version) {
        snprintf(version, sizeof version, "-DPENUMBRA_VERSION=%s", compilation->version);
        words_add(&command, version);
    }
    words_add(&command, compilation->file);
    words_add(&command, "-o");
    words_add(&command, compilation->output);
    struct process_limits limits = {.seconds = 300, .output_bytes = 1 << 20};
    struct process *process = process_start(command.list, NULL, &limits, error);
    words_free(&command);
    return process;
}

bool compile_all(const struct compilation *list, size_t count, bool *compiles, struct error *error)
{
    struct process **processes = calloc(count + 1, sizeof *processes);
    bool started = true;
    *compiles = true;
    for (size_t i = 0; i < count && started; i++) {
        processes[i] = start(&list[i], error);
        started = processes[i] != NULL;
    }
    for (size_t i = 0; i < count; i++) {
        struct process_result result = {0};
        if (!processes[i])
            continue;
        process_finish(processes[i], &result);
        *compiles &= result.exit_status == 0 && !result.signal;
        process_result_free(&result);
    }
    free(processes);
    return started;
}
