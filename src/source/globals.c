#include "source/globals.h"

#include "source/inputs.h"
#include "source/outputs.h"

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
    for (size_t i = 0; i < program->parameter_count; i++)
        if (strcmp(program->parameters[i].name, name) == 0)
            return arena_format(program->arena, "::%s", name);
    return name;
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

static bool check_symbolic(const struct variables *variables, const char *name, struct error *error)
{
    const struct variable *variable = find_variable(variables, name);
    if (!variable)
        return variables->program->request->named_like || fail_unknown(variables, name, error);
    if (globals_is_constant(clang_getCursorType(variable->cursor)))
        return error_set(error, "%s: global '%s' is const and cannot be an input",
                         source_place(variables->program->arena, variable->cursor), name);
    return true;
}

static bool is_named(const struct program *program, const char *name)
{
    for (size_t i = 0; i < program->request->global_count; i++)
        if (strcmp(program->request->globals[i], name) == 0)
            return true;
    return false;
}

static bool make_symbolic(struct program *program, const struct variable *variable, struct program_global *global,
                          struct error *error)
{
    struct input_root root = {
        .type = clang_getCursorType(variable->cursor),
        .name = global->shown_name,
        .expression = global->name,
        .place = source_place(program->arena, variable->cursor),
        .is_global = true,
        .file = variable->file,
        .declaration = variable->cursor,
        .is_optional = !is_named(program, variable->name),
    };
    return inputs_make(program, &root, &global->made, error);
}

/* Another file's static variable of that name is another one, which is compared: of a static one the path tells. */
static bool is_uncompared(const struct program *program, const struct variable *variable)
{
    bool is_own = clang_getCursorLinkage(variable->cursor) == CXLinkage_Internal &&
                  clang_Location_isFromMainFile(clang_getCursorLocation(variable->cursor));
    const char *name =
        is_own ? arena_format(program->arena, "%s:%s", program->request->units[variable->file].file, variable->name)
               : variable->name;
    for (size_t i = 0; i < program->request->uncompared_count; i++)
        if (strcmp(program->request->uncompared[i], name) == 0)
            return !is_named(program, variable->name);
    return false;
}

/* How the variable is output; "" with a note when it cannot be. */
static const char *describe_outputs(struct program *program, const struct variable *variable,
                                    const struct program_global *global)
{
    struct text code = {0};
    struct output_root root = {.type = clang_getCursorType(variable->cursor),
                               .is_global = true,
                               .expression = global->name,
                               .name = global->shown_name,
                               .file = global->file};
    if (global->is_constant)
        return "";
    if (!outputs_write(program, &code, &root))
        outputs_note(program, &root);
    const char *outputs = arena_copy_string(program->arena, text_string(&code));
    text_free(&code);
    return outputs;
}

static bool is_symbolic_there(const struct program *program, const char *name)
{
    for (size_t i = 0; i < program->global_count; i++)
        if (program->globals[i].is_symbolic && !strcmp(program->globals[i].name, name))
            return true;
    return false;
}

/* Whether --globals means it. What is an input of one program of both versions is one in each version's own, whether or
 * not that uses it. */
static bool is_state(const struct program *program, const struct variable *variable)
{
    CXType type = clang_getCursorType(variable->cursor);
    if (program->request->named_like)
        return is_symbolic_there(program->request->named_like, variable->name);
    return program->request->all_globals && !globals_is_constant(type) &&
           words_have(&program->state, source_string(program->arena, clang_getCursorUSR(variable->cursor)));
}

static bool add_global(struct program *program, const struct variables *variables, const struct variable *variable,
                       struct error *error)
{
    struct program_global *global = &program->globals[program->global_count];
    CXType type = clang_getCursorType(variable->cursor);
    bool is_ours = strncmp(variable->name, "pn_start_of_", 12) == 0; /* pn_global() has put it there */
    if (is_ours || is_uncompared(program, variable))
        return true;
    *global = (struct program_global){.name = variable->name, .file = variable->file};
    global->shown_name = shown_name(program, variable->name);
    global->type = source_type(program->arena, type);
    global->is_static = clang_getCursorLinkage(variable->cursor) == CXLinkage_Internal;
    global->is_constant = globals_is_constant(type);
    global->has_address = clang_getCursorTLSKind(variable->cursor) == CXTLS_None && clang_Type_getSizeOf(type) > 0;
    global->is_symbolic = variable == find_variable(variables, variable->name) &&
                          (is_named(program, variable->name) || is_state(program, variable));
    global->outputs = describe_outputs(program, variable, global);
    program->outputs_pointers |= clang_isVolatileQualifiedType(clang_getCanonicalType(type)); /* accesses name it */
    program->global_count++;
    return !global->is_symbolic || make_symbolic(program, variable, global, error);
}

bool globals_read(struct program *program, const struct sources *sources, struct error *error)
{
    struct variables variables = {.program = program};
    for (variables.file = 0; variables.file < sources->count; variables.file++)
        clang_visitChildren(clang_getTranslationUnitCursor(sources->units[variables.file]), visit_variable, &variables);
    bool good = true;
    for (size_t i = 0; i < program->request->global_count && good; i++)
        good = check_symbolic(&variables, program->request->globals[i], error);
    program->globals = arena_allocate(program->arena, (variables.count + 1) * sizeof *program->globals);
    for (size_t i = 0; i < variables.count && good; i++)
        good = add_global(program, &variables, &variables.list[i], error);
    free(variables.list);
    return good;
}
