/* Building the instrumented program. The source files are compiled beside each other. */
#include "build/build.h"
#include "base/file.h"
#include "base/paths.h"
#include "base/process.h"
#include "base/words.h"
#include "instrument/instrument.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool succeeded(struct process_result *result, const char *what, struct error *error)
{
    bool good = result->exit_status == 0 && !result->signal;
    if (!good)
        error_set(error, "%s:\n%s", what, text_string(&result->errors));
    process_result_free(result);
    return good;
}

static const char *suffix_of(const struct build_request *request)
{
    return request->version ? request->version : request->exchange ? "-exchanged" : "";
}

static struct process *start_compiler(const struct build_request *request, struct arena *arena, const char *support,
                                      size_t source, const char *bitcode, struct error *error)
{
    struct words command = {0};
    const char *const fixed[] = {"clang-19",
                                 "-x",
                                 "c",
                                 "-std=gnu17",
                                 "-O1",
                                 "-Xclang",
                                 "-disable-llvm-passes",
                                 "-Xclang",
                                 "-disable-lifetime-markers",
                                 "-fno-discard-value-names",
                                 "-fno-strict-aliasing",
                                 "-ftrivial-auto-var-init=pattern", /* as native programs have it */
                                 "-gline-tables-only",
                                 "-gcolumn-info",
                                 "-fPIC",
                                 "-emit-llvm",
                                 "-D__PENUMBRA__=1",
                                 "-D__NO_CTYPE", /* isalpha() and its like are functions then, which have models */
                                 "-w"};
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        words_add(&command, fixed[i]);
    if (request->version)
        words_add(&command, arena_format(arena, "-DPENUMBRA_VERSION=%s", request->version));
    if (request->exchange)
        words_add(&command, "-DPENUMBRA_EXCHANGE");
    words_add(&command, arena_format(arena, "-I%s/include", support));
    for (size_t i = 0; request->cflags[source][i]; i++)
        words_add(&command, request->cflags[source][i]);
    /* what an operation gives is then the same in every build */
    words_add(&command, "-fno-fast-math");
    words_add(&command, "-ffp-contract=off");
    words_add(&command, "-c");
    words_add(&command, request->sources[source]);
    words_add(&command, "-o");
    words_add(&command, bitcode);
    struct process *process = process_start(command.list, NULL, NULL, error);
    words_free(&command);
    return process;
}

static bool compile_all(const struct build_request *request, struct arena *arena, const char *support,
                        const char **bitcode, struct error *error)
{
    struct process **compilers = arena_allocate(arena, request->source_count * sizeof *compilers);
    bool good = true;
    for (size_t i = 0; i < request->source_count; i++) {
        bitcode[i] = arena_format(arena, "%s/%zu%s.bc", request->directory, i, suffix_of(request));
        compilers[i] = start_compiler(request, arena, support, i, bitcode[i], error);
        good = good && compilers[i];
    }
    for (size_t i = 0; i < request->source_count; i++) {
        if (!compilers[i])
            continue;
        struct process_result result = {0};
        process_finish(compilers[i], &result);
        good = succeeded(&result, "the C compiler refuses the program", error) && good;
    }
    return good;
}

/* ---- linking ---- */

static const char *object_path(const struct build_request *request, struct arena *arena)
{
    return arena_format(arena, "%s/program%s.o", request->directory, suffix_of(request));
}

static bool link_words(struct words *command, struct error *error)
{
    words_add(command, "-lm");
    struct process_result result = {0};
    bool good = process_run(command->list, NULL, NULL, &result, error);
    words_free(command);
    return good && succeeded(&result, "the program cannot be linked (--link LIBRARY adds what is missing)", error);
}

static bool link_executable(const struct build_request *request, struct arena *arena, const char *support,
                            struct error *error)
{
    struct words command = {0};
    const char *const fixed[] = {"gcc", "-pie", "-o", request->executable, object_path(request, arena)};
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        words_add(&command, fixed[i]);
    for (size_t i = 0; i < request->link_count; i++)
        words_add(&command, request->links[i]);
    words_add(&command, arena_format(arena, "%s/libpenumbra-runtime.a", support));
    return link_words(&command, error);
}

/* The runtime comes before the program, guard.o behind it. What only the program needs of the runtime is found the
 * second time. */
static bool link_library(const struct build_request *request, struct arena *arena, const char *support,
                         struct error *error)
{
    struct words command = {0};
    const char *runtime = arena_format(arena, "%s/libpenumbra-runtime.a", support);
    const char *const fixed[] = {"gcc",
                                 "-shared",
                                 "-Wl,-Bsymbolic",
                                 "-o",
                                 request->library,
                                 arena_format(arena, "%s/inside.o", support),
                                 runtime,
                                 object_path(request, arena),
                                 runtime,
                                 arena_format(arena, "%s/guard.o", support)};
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        words_add(&command, fixed[i]);
    return link_words(&command, error);
}

bool build_executable(const struct build_request *request, struct error *error)
{
    char support[4096];
    struct arena *arena = arena_create();
    bool good = paths_support_directory(support, error) && link_executable(request, arena, support, error);
    arena_destroy(arena);
    return good;
}

bool build_instrumented(const struct build_request *request, struct site_table *sites, struct error *error)
{
    char support[4096];
    if (!paths_support_directory(support, error))
        return false;
    struct arena *arena = arena_create();
    const char **bitcode = arena_allocate(arena, request->source_count * sizeof *bitcode);
    struct instrument_options options = {
        .hooks = arena_format(arena, "%s/hooks.bc", support),
        .models = arena_format(arena, "%s/models.bc", support),
        .check_objects = request->check_objects || request->version != NULL,
        .keep_all = request->link_count > 0,
        .mark_signed = request->assume_no_overflow,
    };
    bool good = compile_all(request, arena, support, bitcode, error) &&
                instrument(bitcode, request->names ? request->names : request->sources, request->source_count,
                           object_path(request, arena), &options, sites, error);
    if (good && request->link_count && !sites->lasting)
        sites->lasting = arena_copy_string(sites->arena, request->links[0]);
    if (good)
        good = request->library && !sites->lasting ? link_library(request, arena, support, error)
                                                   : link_executable(request, arena, support, error);
    arena_destroy(arena);
    return good;
}
