#include "build/globals.h"

#include "build/outputs.h"
#include "build/signature.h"

#include <stdlib.h>
#include <string.h>

/* Every variable of the files, compared or not. */
struct variable {
    const char *name;
    size_t file;
    CXCursor cursor;
};

struct variables {
    struct program *program;
    size_t file; /* being visited */
    struct variable *list;
    size_t count, capacity;
};

bool globals_is_definition(CXCursor cursor)
{
    if (clang_getCursorKind(cursor) != CXCursor_VarDecl)
        return false;
    return clang_Cursor_getStorageClass(cursor) != CX_SC_Extern ||
           !clang_Cursor_isNull(clang_Cursor_getVarDeclInitializer(cursor));
}

static const struct variable *find_variable(const struct variables *variables, const char *name)
{
    for (size_t i = 0; i < variables->count; i++)
        if (strcmp(variables->list[i].name, name) == 0)
            return &variables->list[i];
    return NULL;
}

static enum CXChildVisitResult visit_variable(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    struct variables *variables = data;
    if (!globals_is_definition(cursor) || source_is_in_system_header(cursor))
        return CXChildVisit_Continue;
    const char *name = source_name(variables->program->arena, cursor);
    for (size_t i = 0; i < variables->count; i++)
        if (variables->list[i].file == variables->file && strcmp(variables->list[i].name, name) == 0) {
            variables->list[i].cursor = cursor; /* the later of two may complete the type: `int a[]; int a[3];` */
            return CXChildVisit_Continue;
        }
    variables->list =
        array_reserve(variables->list, &variables->capacity, variables->count + 1, sizeof *variables->list);
    variables->list[variables->count++] = (struct variable){name, variables->file, cursor};
    return CXChildVisit_Continue;
}

bool globals_is_constant(CXType type)
{
    type = clang_getCanonicalType(type);
    while (!clang_isConstQualifiedType(type) && /* of an array, the array or its elements may have it */
           (type.kind == CXType_ConstantArray || type.kind == CXType_IncompleteArray))
        type = clang_getCanonicalType(clang_getArrayElementType(type));
    return clang_isConstQualifiedType(type);
}

static const char *shown_name(struct program *program, const char *name)
{
    const struct input_parameter *parameter = input_layout_find(program->layout, name);
    return parameter && !parameter->is_global ? arena_format(program->arena, "::%s", name) : name;
}

static bool fail_unknown(const struct variables *variables, const char *name, struct error *error)
{
    const char **names = calloc(variables->count + 1, sizeof *names), *nearest = NULL;
    for (size_t i = 0; names && i < variables->count; i++)
        names[i] = variables->list[i].name;
    if (names)
        nearest = nearest_name(name, names, variables->count);
    error_set(error, "--global '%s': no file defines such a variable%s%s%s", name, nearest ? "; did you mean '" : "",
              nearest ? nearest : "", nearest ? "'?" : "");
    free(names);
    return false;
}

static bool add_symbolic(struct program *program, const struct variables *variables, const char *name,
                         struct error *error)
{
    const struct variable *variable = find_variable(variables, name);
    if (!variable)
        return fail_unknown(variables, name, error);
    CXType type = clang_getCursorType(variable->cursor);
    const char *place = source_place(program->arena, variable->cursor);
    if (globals_is_constant(type))
        return error_set(error, "%s: global '%s' is const and cannot be an input", place, name);
    struct input_parameter input = {.name = shown_name(program, name), .is_global = true};
    if (input_layout_find(program->layout, input.name))
        return true; /* named twice */
    return signature_add_input(program, type, &input, place, error);
}

static bool is_symbolic(const struct program *program, const char *name)
{
    for (size_t i = 0; i < program->request->global_count; i++)
        if (strcmp(program->request->globals[i], name) == 0)
            return true;
    return false;
}

static bool is_uncompared(const struct program *program, const char *name)
{
    for (size_t i = 0; i < program->request->uncompared_count; i++)
        if (strcmp(program->request->uncompared[i], name) == 0)
            return !is_symbolic(program, name);
    return false;
}

/* How the variable is output; "" with a note when it cannot be. Of a symbolic pointer its memory is compared. */
static const char *describe_outputs(struct program *program, const struct variable *variable,
                                    const struct program_global *global)
{
    CXType type = clang_getCursorType(variable->cursor);
    struct text code = {0};
    if (!outputs_write(&code, program->arena, type, global->name, global->shown_name) && !global->is_symbolic)
        text_format(&program->notes, "%s: '%s' is not compared, it holds pointers\n", global->shown_name,
                    source_type(program->arena, type));
    const char *outputs = arena_copy_string(program->arena, text_string(&code));
    text_free(&code);
    return outputs;
}

static void add_globals(struct program *program, const struct variables *variables)
{
    program->globals = arena_allocate(program->arena, (variables->count + 1) * sizeof *program->globals);
    for (size_t i = 0; i < variables->count; i++) {
        const struct variable *variable = &variables->list[i];
        if (globals_is_constant(clang_getCursorType(variable->cursor)) || is_uncompared(program, variable->name))
            continue;
        struct program_global global = {.name = variable->name, .file = variable->file};
        global.shown_name = shown_name(program, variable->name);
        global.is_static = clang_getCursorLinkage(variable->cursor) == CXLinkage_Internal;
        global.is_symbolic =
            is_symbolic(program, variable->name) && variable == find_variable(variables, variable->name);
        global.outputs = describe_outputs(program, variable, &global);
        if (global.is_symbolic || *global.outputs)
            program->globals[program->global_count++] = global;
    }
}

bool globals_read(struct program *program, const struct sources *sources, struct error *error)
{
    struct variables variables = {.program = program};
    for (variables.file = 0; variables.file < sources->count; variables.file++)
        clang_visitChildren(clang_getTranslationUnitCursor(sources->units[variables.file]), visit_variable, &variables);
    bool good = true;
    for (size_t i = 0; i < program->request->global_count && good; i++)
        good = add_symbolic(program, &variables, program->request->globals[i], error);
    if (good)
        add_globals(program, &variables);
    free(variables.list);
    return good;
}
