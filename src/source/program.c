#include "source/program.h"

#include "base/links.h"
#include "base/paths.h"
#include "base/places.h"
#include "base/words.h"
#include "source/allocations.h"
#include "source/argument_lists.h"
#include "source/assume.h"
#include "source/by_hand.h"
#include "source/globals.h"
#include "source/inputs.h"
#include "source/one_sided.h"
#include "source/padding.h"
#include "source/pointer_tests.h"
#include "source/signature.h"
#include "source/single.h"
#include "source/sizes.h"
#include "source/source.h"
#include "source/statics.h"
#include "source/undefined.h"
#include "source/uses.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const *flags_of(struct program *program, const struct unit *unit, const char *support)
{
    struct words words = {0};
    words_split(&words, unit->cflags ? unit->cflags : "");
    /* the versions are not compiled at the same moment */
    static const char *const moments[] = {"-Wno-builtin-macro-redefined", "-D__DATE__=\"Jan  1 2000\"",
                                          "-D__TIME__=\"00:00:00\"", "-D__TIMESTAMP__=\"Sat Jan  1 00:00:00 2000\""};
    enum { MOMENTS = sizeof moments / sizeof *moments, OURS = MOMENTS + 2 };
    const char **flags = arena_allocate(program->arena, (words.count + OURS + 1) * sizeof *flags);
    flags[0] = "-std=gnu17";
    flags[1] = arena_format(program->arena, "-I%s/include", support);
    memcpy(flags + 2, moments, sizeof moments);
    for (size_t i = 0; i < words.count; i++)
        flags[i + OURS] = arena_copy_string(program->arena, words.list[i]);
    words_free(&words);
    return flags;
}

/* Programs run here, beside a runtime that has the addresses of x86-64. Of several such flags the last counts. */
static bool check_machine(const struct unit *unit, const char *const *flags, struct error *error)
{
    static const char *const others[] = {"-m32", "-mx32", "-m16"};
    const char *other = NULL;
    for (size_t i = 0; flags[i]; i++) {
        for (size_t k = 0; k < sizeof others / sizeof *others; k++)
            other = strcmp(flags[i], others[k]) ? other : others[k];
        if (!strcmp(flags[i], "-m64"))
            other = NULL;
    }
    return !other || error_set(error,
                               "%s is compiled with %s, and only 64-bit programs can be explored: leave that flag out "
                               "(--cflags, compile_commands.json or the build)",
                               unit_name(unit), other);
}

static bool collect_flags(struct program *program, struct error *error)
{
    char support[4096];
    const struct program_request *request = program->request;
    if (!paths_support_directory(support, error))
        return false;
    const char *const **flags = arena_allocate(program->arena, (request->unit_count + 1) * sizeof *flags);
    for (size_t i = 0; i < request->unit_count; i++) {
        flags[i] = flags_of(program, &request->units[i], support);
        if (!check_machine(&request->units[i], flags[i], error))
            return false;
    }
    program->cflags = flags;
    return true;
}

static void collect_links(struct program *program)
{
    const struct program_request *request = program->request;
    const char **links = arena_allocate(program->arena, (request->link_count + 1) * sizeof *links);
    for (size_t i = 0; i < request->link_count; i++)
        links[i] = link_argument(program->arena, request->links[i]);
    program->links = links;
}

static bool find_file(struct program *program, const char *file, const char **path, struct error *error)
{
    char absolute[PATH_MAX];
    struct stat status;
    if (!realpath(file, absolute) || stat(absolute, &status) != 0 || access(absolute, R_OK) != 0)
        return error_set(error, "cannot read %s: %s", file, strerror(errno));
    if (S_ISDIR(status.st_mode))
        return error_set(error, "cannot read %s: it is a directory; name the C files in it", file);
    *path = arena_copy_string(program->arena, absolute);
    return true;
}

static bool find_files(struct program *program, struct error *error)
{
    const struct program_request *request = program->request;
    const char **paths = arena_allocate(program->arena, (request->unit_count + 1) * sizeof *paths);
    program->paths = paths;
    if (request->unit_count == 0)
        return error_set(error, "no C file is named");
    for (size_t i = 0; i < request->unit_count; i++) {
        if (!find_file(program, request->units[i].file, &paths[i], error))
            return false;
        for (size_t k = 0; k < i; k++)
            if (strcmp(paths[k], paths[i]) == 0)
                return error_set(error, "%s is named twice", request->units[i].file);
    }
    return true;
}

/* The length of `path` up to and with its last slash. */
static size_t directory_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash - path) + 1 : 0;
}

const char *program_file_name(const struct program *program, const char *path)
{
    const struct unit *units = program->request->units;
    path = places_show(program->arena, path);
    for (size_t i = 0; i < program->request->unit_count; i++)
        if (strcmp(program->paths[i], path) == 0)
            return unit_name(&units[i]);
    for (size_t i = 0; i < program->request->origin_count; i++) {
        char absolute[PATH_MAX];
        if (realpath(program->request->origins[i], absolute) && strcmp(absolute, path) == 0)
            return program->request->origins[i];
    }
    for (size_t i = 0; i < program->request->unit_count; i++) {
        const char *name = unit_name(&units[i]);
        size_t length = directory_length(program->paths[i]);
        if (strncmp(program->paths[i], path, length) == 0)
            return arena_format(program->arena, "%.*s%s", (int)directory_length(name), name, path + length);
    }
    return path;
}

/* Of two versions of a program, the second need not have everything that options name. */
static bool check_names(struct program *program, struct error *error)
{
    return program->request->named_like || (sizes_check(program, error) && inputs_check_names(program, error));
}

/* The entry, with what its parameters lead to. */
static bool read_entry(struct program *program, const struct sources *sources, struct error *error)
{
    struct uses uses;
    CXCursor entry;
    if (!signature_find(program, sources, &entry, error))
        return false;
    uses_read(&uses, program->arena, sources, program->entry_key);
    program->keeps_state = uses_keep_state(&uses);
    uses_list_state(&uses, &program->state);
    program->uses_errno = uses_function(&uses, "__errno_location");
    program->makes_blocks = allocations_may_be_freed(&uses);
    bool good = signature_read(program, sources, entry, error) && allocations_read(program, &uses, error);
    uses_free(&uses);
    return good;
}

static bool read_sources(struct program *program, struct error *error)
{
    struct sources sources;
    bool good =
        sources_parse(&sources, program, CXTranslationUnit_None, error) && one_sided_check(program, &sources, error);
    program->sources = &sources;
    if (good) {
        program->pointer_tests = pointer_tests_read(program->arena, &sources);
        program->single_pointers = single_read(program->arena, &sources);
        program->sees_padding = padding_is_seen(program->arena, &sources);
    }
    good = good && read_entry(program, &sources, error) && globals_read(program, &sources, error) &&
           statics_read(program, &sources, error) && check_names(program, error) &&
           assumptions_read(program, &sources, error) && undefined_check(program, &sources, error);
    if (good)
        by_hand_read(program, &sources);
    if (good)
        pointer_tests_describe(program->pointer_tests, program->pointer_inputs, program->pointer_input_count,
                               &program->notes);
    pointer_tests_free(program->pointer_tests);
    single_free(program->single_pointers);
    program->pointer_tests = NULL;
    program->single_pointers = NULL;
    program->sources = NULL;
    sources_free(&sources);
    return good;
}

bool program_open(struct program *program, const struct program_request *request, struct error *error)
{
    *program = (struct program){
        .arena = arena_create(), .request = request, .layout = input_layout_create(), .outputs = input_layout_create()};
    program->layout->types = input_layout_create();
    collect_links(program);
    return find_files(program, error) && collect_flags(program, error);
}

bool program_read(struct program *program, const struct program_request *request, struct error *error)
{
    if (program_open(program, request, error) && read_sources(program, error))
        return true;
    program_free(program);
    return false;
}

static void free_made(struct made_input *made)
{
    text_free(&made->declarations);
    text_free(&made->statements);
    text_free(&made->record);
    text_free(&made->outputs);
    text_free(&made->left);
    text_free(&made->ends);
}

void program_free(struct program *program)
{
    if (!program->arena)
        return;
    struct option_names *names[] = {&program->sized,   &program->pointers,   &program->strings,
                                    &program->members, &program->never_null, &program->callbacks};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        option_names_free(names[i]);
    for (size_t i = 0; i < program->parameter_count; i++)
        free_made(&program->parameters[i].made);
    for (size_t i = 0; i < program->before_count; i++)
        free_made(&program->before[i].made);
    for (size_t i = 0; i < program->global_count; i++)
        free_made(&program->globals[i].made);
    for (size_t i = 0; i < program->static_count; i++)
        free_made(&program->statics[i].made);
    argument_lists_free(program->lists);
    input_layout_destroy(program->layout);
    input_layout_destroy(program->outputs);
    text_free(&program->notes);
    text_free(&program->sizes);
    text_free(&program->record_layouts);
    words_free(&program->state);
    free(program->followers);
    free(program->pointer_inputs);
    free(program->shallow);
    free(program->given);
    arena_destroy(program->arena);
    *program = (struct program){0};
}
