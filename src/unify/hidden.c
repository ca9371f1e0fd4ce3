#include "unify/hidden.h"

#include "base/file.h"
#include "base/places.h"
#include "instrument/bitcode.h"
#include "unify/compile.h"
#include "unify/same_module.h"
#include "unify/treat.h"

#include <string.h>

/* ---- marking ---- */

/* The piece that declares it; a static variable inside a function, `f.count`, is part of the function. */
static struct piece *piece_of(const struct version *version, const char *name)
{
    const char *dot = strchr(name, '.');
    if (dot)
        name = arena_format(version->arena, "%.*s", (int)(dot - name), name);
    return version_declaring(version, name);
}

static void mark(struct comparison *comparison, const struct words *names)
{
    for (size_t i = 0; i < names->count; i++) {
        struct piece *old = piece_of(comparison->old, names->list[i]);
        struct piece *new = piece_of(comparison->new, names->list[i]);
        if (old)
            old->compiles_differently = true;
        if (new)
            new->compiles_differently = true;
        if (!old || !new) /* an included file has it */
            treat_add_name(&comparison->hidden, names->list[i]);
    }
}

/* ---- comparing ---- */

static bool compare_modules(const char *const paths[2], struct arena *arena, struct module_differences *differences,
                            struct error *error)
{
    LLVMContextRef contexts[] = {LLVMContextCreate(), LLVMContextCreate()};
    LLVMModuleRef modules[2] = {NULL, NULL};
    bool good = true;
    for (size_t i = 0; i < 2; i++)
        bitcode_catch_errors(contexts[i], error);
    for (size_t i = 0; i < 2 && good; i++) {
        modules[i] = bitcode_read(contexts[i], paths[i], error);
        good = modules[i] != NULL;
    }
    if (good)
        modules_compare(modules[0], modules[1], arena, differences);
    for (size_t i = 0; i < 2; i++) {
        if (modules[i])
            LLVMDisposeModule(modules[i]);
        LLVMContextDispose(contexts[i]);
    }
    return good && !error->message;
}

/* `compiles`: there is a comparison. */
static bool compare_files(const struct hidden_request *request, struct arena *arena,
                          struct module_differences *differences, bool *compiles, struct error *error)
{
    char directory[256];
    struct compilation builds[2] = {{0}};
    *differences = (struct module_differences){0};
    if (!file_make_scratch(directory, error))
        return false;
    places_add("compared", directory);
    for (size_t i = 0; i < 2; i++)
        builds[i] = (struct compilation){.file = request->files[i],
                                         .flags = request->flags[i],
                                         .output = arena_format(arena, "%s/%s.bc", directory, i ? "new" : "old")};
    bool good = compile_to_ir(builds, 2, compiles, error);
    if (good && *compiles)
        good = compare_modules((const char *const[]){builds[0].output, builds[1].output}, arena, differences, error);
    file_remove_tree(directory);
    return good;
}

bool hidden_find(const struct hidden_request *request, struct error *error)
{
    struct comparison *comparison = request->comparison;
    struct module_differences differences;
    bool compiles, good = compare_files(request, comparison->arena, &differences, &compiles, error);
    if (good && compiles) {
        comparison->compiles_differently = !module_differences_are_none(&differences);
        comparison->surroundings_differ = differences.in_surroundings;
        mark(comparison, &differences.functions);
        mark(comparison, &differences.variables);
    } else if (good)
        error_set(comparison->obstacle, "%s and %s cannot both be compiled to LLVM IR by clang-19, to be compared",
                  comparison->old->shown, comparison->new->shown);
    module_differences_free(&differences);
    return good;
}

bool hidden_is_any(const struct hidden_request *request)
{
    struct arena *arena = arena_create();
    struct module_differences differences;
    struct error ignored = {0};
    bool compiles, good = compare_files(request, arena, &differences, &compiles, &ignored);
    bool is_any = !good || !compiles || !module_differences_are_none(&differences);
    module_differences_free(&differences);
    error_clear(&ignored);
    arena_destroy(arena);
    return is_any;
}
