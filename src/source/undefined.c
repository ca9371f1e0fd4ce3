#include "source/undefined.h"

#include "base/links.h"
#include "source/elements.h"
#include "source/outputs.h"
#include "source/references.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

/* What the program's files use, and the part of it that an exploration can come across. */
struct externals {
    struct program *program;
    struct references all, reached;
};

/* The C library as every program is linked with it. */
struct library {
    void *handles[2];
};

static struct library open_library(void)
{
    return (struct library){{dlopen("libc.so.6", RTLD_LAZY), dlopen("libm.so.6", RTLD_LAZY)}};
}

static void close_library(struct library *library)
{
    for (size_t i = 0; i < 2; i++)
        if (library->handles[i])
            dlclose(library->handles[i]);
}

static bool library_defines(const struct library *library, const char *name)
{
    /* In the part of the C library that is linked statically. */
    static const char *const linked[] = {"atexit", "at_quick_exit", "pthread_atfork"};
    for (size_t i = 0; i < sizeof linked / sizeof *linked; i++)
        if (strcmp(name, linked[i]) == 0)
            return true;
    for (size_t i = 0; i < 2; i++)
        if (library->handles[i] && dlsym(library->handles[i], name))
            return true;
    return false;
}

/* Penumbra's own functions, and those that the compiler makes up. */
static bool is_built_in(const struct reference *external)
{
    static const char *const prefixes[] = {"pn_",    "__pn_",   "__builtin_", "__sync_",     "__atomic_",
                                           "__c11_", "__asan_", "__ubsan_",   "__sanitizer_"};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (text_begins_with(external->name, prefixes[i]))
            return true;
    CXFile file;
    clang_getFileLocation(clang_getCursorLocation(external->cursor), &file, NULL, NULL, NULL);
    return !file;
}

static bool is_in(const char *name, const char *const names[], size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

static bool fail_undefined(const struct externals *externals, const struct reference *const missing[], size_t count,
                           struct error *error)
{
    const struct program_request *request = externals->program->request;
    struct text list = {0};
    for (size_t i = 0; i < count; i++) {
        bool is_function = clang_getCursorKind(missing[i]->cursor) == CXCursor_FunctionDecl;
        text_format(&list, "%s%s%s (declared at %s)", i > 0 ? ", " : "", missing[i]->name, is_function ? "()" : "",
                    source_place(externals->program->arena, missing[i]->cursor));
    }
    error_set(
        error,
        "used, but defined in none of the files nor in the C library: %s. Name the missing files too; or link what "
        "defines them, uninstrumented, with --link LIB; or replace a function by one that returns a fresh input "
        "at each call with --stub NAME.%s%s",
        text_string(&list), request->unreadable ? " Files that could not be read are left out:\n" : "",
        request->unreadable ? request->unreadable : "");
    text_free(&list);
    return false;
}

/* MAYBE: nothing that is known to be reached uses it, but not all that is reached is known. */
enum certainty { NO, MAYBE, YES };

static enum certainty is_used(const struct externals *externals, const char *name)
{
    return references_find(&externals->reached.used, name) ? YES : externals->reached.is_unclear ? MAYBE : NO;
}

/* What nobody defines must be there if the entry may come to it. The rest is a matter of the linker, which takes weak
 * symbols for it. */
static bool check_externals(const struct externals *externals, struct error *error)
{
    struct program *program = externals->program;
    const struct program_request *request = program->request;
    size_t used = externals->all.used.count, count = 0;
    const struct reference **missing = arena_allocate(program->arena, (used + 1) * sizeof *missing);
    bool has_links = !links_are_c_library(request->links, request->link_count);
    struct library library = open_library();
    program->unreached = arena_allocate(program->arena, (used + 1) * sizeof *program->unreached);
    for (size_t i = 0; i < used; i++) {
        const struct reference *external = &externals->all.used.list[i];
        if (is_built_in(external) || references_find(&externals->all.defined, external->name) ||
            is_in(external->name, request->stubs, request->stub_count) || library_defines(&library, external->name))
            continue;
        enum certainty used_there = request->is_linked && !has_links ? NO : is_used(externals, external->name);
        if (used_there != NO && !has_links) /* what is linked may have it: the linker says so */
            missing[count++] = external;
        else if (used_there != YES)
            program->unreached[program->unreached_count++] = external->name;
        if (used_there == MAYBE && has_links)
            text_format(&program->notes,
                        "%s is defined in none of the files, nor perhaps in what is linked: code that uses it fails\n",
                        external->name);
    }
    close_library(&library);
    return count == 0 || fail_undefined(externals, missing, count, error);
}

static bool is_reached(const struct externals *externals, const struct reference *definition)
{
    return externals->reached.is_unclear || clang_CXCursorSet_contains(externals->reached.visited, definition->cursor);
}

/* Whether another definition of the name is the one that counts: the one that is reached or, if none is, the first. */
static bool gives_way(const struct externals *externals, const struct reference *definition)
{
    const struct reference_list *all = &externals->all.defined;
    if (is_reached(externals, definition))
        return false;
    for (size_t i = 0; i < all->count; i++) {
        const struct reference *other = &all->list[i];
        if (other->file != definition->file && !strcmp(other->name, definition->name) &&
            (other < definition || is_reached(externals, other)))
            return true;
    }
    return false;
}

/* Two files that the entry needs may both define what it does not need. */
static void find_duplicates(const struct externals *externals)
{
    struct program *program = externals->program;
    const struct reference_list *all = &externals->all.defined;
    program->duplicates = arena_allocate(program->arena, (all->count + 1) * sizeof *program->duplicates);
    for (size_t i = 0; i < all->count; i++)
        if (strcmp(all->list[i].name, "main") && gives_way(externals, &all->list[i]))
            program->duplicates[program->duplicate_count++] =
                (struct program_duplicate){all->list[i].name, all->list[i].file};
}

/* With `extern inline` of GNU C, and `inline` of C99, a file has the body for the optimiser only: the function itself
 * is in some other file, which no program need contain whose optimiser was good enough. */
static void find_inlines(const struct externals *externals)
{
    struct program *program = externals->program;
    const struct reference_list *all = &externals->all.inlines;
    struct library library = open_library();
    program->inlines = arena_allocate(program->arena, (all->count + 1) * sizeof *program->inlines);
    for (size_t i = 0; i < all->count; i++)
        if (clang_CXCursorSet_contains(externals->all.visited, all->list[i].cursor) &&
            !library_defines(&library, all->list[i].name))
            program->inlines[program->inline_count++] =
                (struct program_duplicate){all->list[i].name, all->list[i].file};
    close_library(&library);
}

static bool holds_only_numbers(CXType type)
{
    type = clang_getCanonicalType(type);
    while (type.kind == CXType_ConstantArray)
        type = clang_getCanonicalType(clang_getArrayElementType(type));
    return (type.kind >= CXType_Bool && type.kind <= CXType_LongLong && clang_Type_getSizeOf(type) <= 8) ||
           type.kind == CXType_Enum || type.kind == CXType_Float || type.kind == CXType_Double;
}

static enum CXVisitorResult visit_result_field(CXCursor field, CXClientData data)
{
    bool *good = data;
    *good = *good && holds_only_numbers(clang_getCursorType(field));
    return CXVisit_Continue;
}

static bool can_be_fresh(CXType type)
{
    type = clang_getCanonicalType(type);
    if (type.kind == CXType_Void || holds_only_numbers(type))
        return true;
    bool good = type.kind == CXType_Record;
    if (good)
        clang_Type_visitFields(type, visit_result_field, &good);
    return good;
}

/* `unsigned f(int, const char *)`: the compilers that read it accept parameters without names. */
static void write_prototype(struct text *code, struct arena *arena, CXCursor function)
{
    CXType type = clang_getCursorType(function);
    text_format(code, "%s (%s)(", source_type(arena, clang_getCursorResultType(function)),
                source_name(arena, function));
    int count = clang_getNumArgTypes(type);
    for (int i = 0; i < count; i++)
        text_format(code, "%s%s", i > 0 ? ", " : "", source_type(arena, clang_getArgType(type, (unsigned)i)));
    if (clang_isFunctionTypeVariadic(type) && count > 0)
        text_add(code, ", ...");
    text_add(code, count > 0 ? ")\n" : "void)\n");
}

/* So that what it returns is shown as a number. */
static void describe_result(struct program *program, CXType type, const char *name)
{
    struct input_parameter piece = {
        .name = arena_format(program->arena, "%s()", name),
        .type = source_type(program->arena, type),
        .element_count = 1,
    };
    if (element_describe(program->arena, type, &piece))
        input_layout_add(program->layout->types, &piece);
}

static const char *write_stub(struct arena *arena, CXCursor function, const char *name)
{
    struct text code = {0};
    CXType result = clang_getCanonicalType(clang_getCursorResultType(function));
    text_format(&code, "#undef %s\n", name);
    write_prototype(&code, arena, function);
    text_add(&code, "{\n");
    if (result.kind != CXType_Void) {
        text_format(&code, "    static unsigned __pn_calls;\n    static char __pn_name[%zu];\n", strlen(name) + 16);
        text_format(&code, "    static %s __pn_value;\n",
                    source_type(arena, clang_getUnqualifiedType(clang_getCursorResultType(function))));
        text_format(
            &code,
            "    pn_symbolic(&__pn_value, sizeof __pn_value, __pn_call_name(__pn_name, \"%s\", ++__pn_calls));\n",
            name);
        if (result.kind == CXType_Bool)
            text_add(&code, "    pn_assume(*(unsigned char *)&__pn_value <= 1);\n");
        text_add(&code, "    return __pn_value;\n");
    }
    text_add(&code, "}\n");
    const char *definition = arena_copy_string(arena, text_string(&code));
    text_free(&code);
    return definition;
}

static bool fail_unused_stub(const struct externals *externals, const char *name, struct error *error)
{
    if (references_find(&externals->all.defined, name))
        return error_set(error, "--stub '%s': the files define it, so it cannot be replaced", name);
    const char **names = calloc(externals->all.used.count + 1, sizeof *names), *nearest = NULL;
    for (size_t i = 0; names && i < externals->all.used.count; i++)
        names[i] = externals->all.used.list[i].name;
    if (names)
        nearest = nearest_name(name, names, externals->all.used.count);
    error_set(error, "--stub '%s': no file calls such a function%s%s%s", name, nearest ? "; did you mean '" : "",
              nearest ? nearest : "", nearest ? "'?" : "");
    free(names);
    return false;
}

static bool add_stub(struct externals *externals, const char *name, struct error *error)
{
    struct program *program = externals->program;
    const struct reference *external = references_find(&externals->all.used, name);
    if (!external || references_find(&externals->all.defined, name))
        return program->request->is_one_version || fail_unused_stub(externals, name, error);
    CXType result = clang_getCursorResultType(external->cursor);
    if (clang_getCursorKind(external->cursor) != CXCursor_FunctionDecl || !can_be_fresh(result))
        return error_set(error,
                         "--stub '%s': it returns '%s', and only numbers and structures of them can be inputs; write "
                         "the function in a file of your own",
                         name, source_type(program->arena, result));
    describe_result(program, result, name);
    program->stubs[program->stub_count++] =
        (struct program_stub){name, external->file, write_stub(program->arena, external->cursor, name)};
    return true;
}

static void read_externals(struct externals *externals, const struct sources *sources)
{
    const struct program *program = externals->program;
    for (size_t file = 0; file < sources->count; file++)
        references_add_emitted(&externals->all, file, sources->units[file]);
    references_add_definition(&externals->all, program->entry_file, sources->units[program->entry_file],
                              program->entry);
    externals->reached.elsewhere = &externals->all.defined;
    for (size_t file = 0; file < sources->count; file++)
        references_add_start(&externals->reached, file, sources->units[file]);
    references_add_definition(&externals->reached, program->entry_file, sources->units[program->entry_file],
                              program->entry);
}

bool undefined_check(struct program *program, const struct sources *sources, struct error *error)
{
    struct externals externals = {.program = program};
    const struct program_request *request = program->request;
    references_open(&externals.all, program->arena);
    references_open(&externals.reached, program->arena);
    read_externals(&externals, sources);
    program->stubs = arena_allocate(program->arena, (request->stub_count + 1) * sizeof *program->stubs);
    bool good = true;
    for (size_t i = 0; i < request->stub_count && good; i++)
        good = is_in(request->stubs[i], request->stubs, i) || add_stub(&externals, request->stubs[i], error);
    if (good)
        good = check_externals(&externals, error);
    if (good) {
        find_duplicates(&externals);
        find_inlines(&externals);
    }
    references_close(&externals.all);
    references_close(&externals.reached);
    return good;
}
