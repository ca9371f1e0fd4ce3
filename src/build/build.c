/* Building the instrumented program. The source files are compiled beside each other. */
#include "build/build.h"
#include "base/file.h"
#include "base/links.h"
#include "base/log.h"
#include "base/paths.h"
#include "base/places.h"
#include "base/process.h"
#include "base/words.h"
#include "build/mentioned.h"
#include "compile/compile.h"
#include "compile/identity.h"
#include "compile/inputs.h"
#include "compile/store.h"
#include "instrument/instrument.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool succeeded(struct process_result *result, const char *what, const char *directory, struct error *error)
{
    char hint[512];
    bool good = result->exit_status == 0 && !result->signal;
    if (!good)
        error_set(error, "%s:\n%s%s", what, text_string(&result->errors), file_room_hint(directory, hint));
    process_result_free(result);
    return good;
}

static const char *suffix_of(const struct build_request *request)
{
    return request->version ? request->version : request->exchange ? "-exchanged" : "";
}

static void add_flags(const struct build_request *request, struct arena *arena, const char *support, size_t source,
                      struct words *flags)
{
    const char *const fixed[] = {"-xc",
                                 "-std=gnu17",
                                 "-O1",
                                 "-fdebug-compilation-dir=/", /* names of files are absolute ones */
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
                                 "-D__NO_CTYPE",    /* isalpha() and its like are functions then, which have models */
                                 "-D__NO_INLINE__", /* and so are getc() and its like */
                                 "-w"};
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        words_add(flags, fixed[i]);
    if (request->version)
        words_add(flags, arena_format(arena, "-DPENUMBRA_VERSION=%s", request->version));
    if (request->dependences)
        words_add(flags, "-DPENUMBRA_MARKS");
    if (request->exchange)
        words_add(flags, "-DPENUMBRA_EXCHANGE");
    words_add(flags, arena_format(arena, "-I%s/include", support));
    for (size_t i = 0; request->cflags[source][i]; i++)
        words_add(flags, request->cflags[source][i]);
    /* what an operation gives is then the same in every build */
    words_add(flags, "-fno-fast-math");
    words_add(flags, "-ffp-contract=off");
}

/* Makes jobs[i].output of each source. */
static bool compile_all(const struct build_request *request, struct arena *arena, const char *support,
                        struct compile_job *jobs, struct error *error)
{
    struct words *flags = arena_allocate(arena, (request->source_count + 1) * sizeof *flags);
    const char *what = arena_format(arena, "%s/program%s", request->directory, suffix_of(request));
    for (size_t i = 0; i < request->source_count; i++) {
        add_flags(request, arena, support, i, &flags[i]);
        jobs[i] = (struct compile_job){
            .flags = flags[i].list,
            .source = request->sources[i],
            .output = arena_format(arena, "%s/%zu%s.bc", request->directory, i, suffix_of(request)),
            .what = what};
    }
    bool good = compile_run(jobs, request->source_count, 0, error);
    for (size_t i = 0; i < request->source_count; i++) {
        if (good && !jobs[i].good)
            good = error_set(error, "the C compiler refuses the program:\n%s", text_string(&jobs[i].errors));
        words_free(&flags[i]);
    }
    compile_free(jobs, request->source_count);
    return good;
}

/* ---- the cache ---- */

static bool add_file(struct digester *digester, const char *path)
{
    const struct compile_input *file = compile_input_get(path);
    if (file)
        digester_add_digest(digester, &file->digest);
    return file;
}

/* Of everything that the object and its sites are made from; the names of the files are for messages only. */
static bool make_key(const struct build_request *request, const struct compile_job *jobs,
                     const struct instrument_options *options, struct digest *key)
{
    struct digester digester;
    struct digest tool;
    const bool choices[] = {options->check_objects, options->is_linked,   options->mark_signed,
                            options->call_hooks,    options->dependences, options->fold};
    digester_open(&digester, "instrumented");
    if (!store_is_open() || !identity_of_tool(&tool) || !add_file(&digester, options->hooks) ||
        !add_file(&digester, options->models))
        return false;
    digester_add_digest(&digester, &tool);
    digester_add(&digester, choices, sizeof choices);
    for (size_t i = 0; i < request->source_count; i++)
        digester_add_digest(&digester, &jobs[i].digest);
    for (size_t i = 0; options->mentioned && i < set_count(options->mentioned); i++) {
        const char *name = set_get(options->mentioned, i);
        digester_add(&digester, name, strlen(name) + 1);
    }
    *key = digester_close(&digester);
    return true;
}

/* An entry is the length of the object, the object, and the sites. */
static bool take_object(const struct digest *key, const char *object, struct site_table *sites)
{
    struct text entry = {0};
    struct error ignored = {0};
    uint64_t length = 0;
    bool good = store_get(key, &entry) && entry.length >= sizeof length;
    if (good)
        memcpy(&length, entry.data, sizeof length);
    good = good && length <= entry.length - sizeof length &&
           file_write(object, entry.data + sizeof length, length, &ignored) &&
           site_table_read(sites, entry.data + sizeof length + length, entry.length - sizeof length - length);
    text_free(&entry);
    error_clear(&ignored);
    return good;
}

static void keep_object(const struct digest *key, const char *object, const struct site_table *sites)
{
    struct text entry = {0}, content = {0};
    struct error ignored = {0};
    if (file_read(object, &content, &ignored)) {
        uint64_t length = content.length;
        text_append(&entry, (const char *)&length, sizeof length);
        text_append(&entry, text_string(&content), content.length);
        site_table_write(sites, &entry);
        store_put(key, text_string(&entry), entry.length);
    }
    text_free(&content), text_free(&entry);
    error_clear(&ignored);
}

static const char *object_path(const struct build_request *request, struct arena *arena)
{
    return arena_format(arena, "%s/program%s.o", request->directory, suffix_of(request));
}

static bool instrument_anew(const struct build_request *request, const struct compile_job *jobs,
                            const struct instrument_options *options, struct arena *arena, struct site_table *sites,
                            struct error *error)
{
    const char **bitcode = arena_allocate(arena, (request->source_count + 1) * sizeof *bitcode);
    struct error fixed = {0}; /* with the names that the compiler had for files */
    for (size_t i = 0; i < request->source_count; i++)
        bitcode[i] = jobs[i].output;
    if (instrument(bitcode, request->names ? request->names : request->sources, request->source_count,
                   object_path(request, arena), options, sites, &fixed))
        return true;
    error_set(error, "%s", places_show(arena, fixed.message ? fixed.message : "unknown error"));
    error_clear(&fixed);
    return false;
}

/* The object and its sites, whose files have their real names. */
static bool make_object(const struct build_request *request, const struct compile_job *jobs,
                        const struct instrument_options *options, struct arena *arena, struct site_table *sites,
                        struct error *error)
{
    struct digest key;
    const char *object = object_path(request, arena);
    bool has_key = make_key(request, jobs, options, &key), is_known = has_key && take_object(&key, object, sites);
    log_line(LOG_INFO, "%s %s", is_known ? "from the cache: instrumented" : "instrumenting", object);
    if (!is_known && !instrument_anew(request, jobs, options, arena, sites, error))
        return false;
    if (!is_known && has_key)
        keep_object(&key, object, sites);
    for (size_t i = 0; i < sites->count; i++)
        sites->sites[i].file = places_show(sites->arena, sites->sites[i].file);
    return true;
}

/* ---- linking ---- */

static bool link_words(const struct build_request *request, struct words *command, struct error *error)
{
    words_add(command, "-lm");
    struct process_result result = {0};
    log_command(command->list);
    bool good = process_run(command->list, NULL, NULL, &result, error);
    words_free(command);
    return good && succeeded(&result, "the program cannot be linked (--link LIBRARY adds what is missing)",
                             request->directory, error);
}

static bool link_executable(const struct build_request *request, struct arena *arena, const char *support,
                            struct error *error)
{
    struct words command = {0};
    const char *const fixed[] = {"gcc", "-pie", "-o", request->executable, object_path(request, arena)};
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        words_add(&command, fixed[i]);
    for (size_t i = 0; i < request->link_count; i++)
        words_add(&command, link_argument(arena, request->links[i]));
    words_add(&command, arena_format(arena, "%s/libpenumbra-runtime.a", support));
    return link_words(request, &command, error);
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
    return link_words(request, &command, error);
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
    struct compile_job *jobs = arena_allocate(arena, (request->source_count + 1) * sizeof *jobs);
    struct instrument_options options = {
        .hooks = arena_format(arena, "%s/hooks.bc", support),
        .models = arena_format(arena, "%s/models.bc", support),
        .check_objects = request->check_objects || request->version != NULL,
        .is_linked = !links_are_c_library(request->links, request->link_count),
        .fold = request->fold,
        .mark_signed = request->assume_no_overflow,
        .call_hooks = getenv("PENUMBRA_CALL_HOOKS") != NULL,
        .dependences = request->dependences,
    };
    struct set *mentioned = options.is_linked ? mentioned_by(request->links, request->link_count) : NULL;
    options.mentioned = mentioned;
    bool good =
        compile_all(request, arena, support, jobs, error) && make_object(request, jobs, &options, arena, sites, error);
    set_destroy(mentioned);
    if (good && options.is_linked && !sites->lasting)
        sites->lasting = arena_copy_string(sites->arena, request->links[0]);
    if (good && request->library && sites->lasting)
        log_line(LOG_INFO, "each run needs a process of its own: %s", sites->lasting);
    if (good)
        good = request->library && !sites->lasting ? link_library(request, arena, support, error)
                                                   : link_executable(request, arena, support, error);
    arena_destroy(arena);
    return good;
}
