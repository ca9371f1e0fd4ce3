#include "source/signature.h"

#include "source/argument_lists.h"
#include "source/conversions.h"
#include "source/inputs.h"
#include "source/outputs.h"
#include "source/sizes.h"
#include "trace/trace.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { SUGGESTIONS = 3, LONGEST_NAME = sizeof((struct pn_input_region *)0)->name - 1 };

static bool has_parameter(const struct program *program, const char *name)
{
    for (size_t i = 0; i < program->parameter_count; i++)
        if (strcmp(program->parameters[i].name, name) == 0)
            return true;
    return false;
}

/* `argN` where the parameter has no name, or one that is too long for the trace. Another version may have named it. */
static const char *parameter_name(struct program *program, CXCursor parameter, int index)
{
    const char *name = source_name(program->arena, parameter);
    const struct program *like = program->request->named_like;
    if (like && (size_t)index < like->parameter_count)
        return like->parameters[index].name;
    if (*name && strlen(name) <= LONGEST_NAME)
        return name;
    name = arena_format(program->arena, "arg%d", index + 1);
    while (has_parameter(program, name))
        name = arena_format(program->arena, "%s_", name);
    return name;
}

/* As a declaration can name it. What has no name is a number, or it is refused later. */
static const char *declared_type(struct program *program, CXType type)
{
    CXType canonical = clang_getCanonicalType(type);
    bool is_array = canonical.kind == CXType_ConstantArray || canonical.kind == CXType_IncompleteArray ||
                    canonical.kind == CXType_VariableArray;
    if (is_array)
        type = clang_getArrayElementType(canonical);
    const char *spelling = source_type(program->arena, type);
    if (strstr(spelling, "(unnamed") || strstr(spelling, "(anonymous"))
        spelling = canonical.kind == CXType_Pointer ? "int *" : "int";
    return arena_format(program->arena, is_array ? "__typeof__(%s) *" : "__typeof__(%s)", spelling);
}

static bool make_parameter(struct program *program, CXCursor cursor, struct program_parameter *parameter,
                           const struct input_parameter *wider, struct error *error)
{
    parameter->type = wider ? wider->type : declared_type(program, clang_getCursorType(cursor));
    struct input_root root = {
        .type = clang_getCursorType(cursor),
        .name = parameter->name,
        .expression = parameter->variable,
        .place = source_place(program->arena, cursor),
        .file = program->entry_file,
        .declaration = cursor,
    };
    text_format(&parameter->made.declarations, "static __typeof_unqual__(%s) %s;\n", parameter->type,
                parameter->variable);
    return wider ? inputs_make_number(program, &root, wider, &parameter->made, error)
                 : inputs_make(program, &root, &parameter->made, error);
}

static bool read_parameter(struct program *program, CXCursor cursor, int index, struct error *error)
{
    struct program_parameter *parameter = &program->parameters[program->parameter_count];
    const struct conversions *conversions = program->request->conversions;
    const struct input_parameter *wider = conversions ? conversions->parameters[index] : NULL;
    parameter->name = parameter_name(program, cursor, index);
    parameter->variable = arena_format(program->arena, "__pn_parameter_%s", parameter->name);
    parameter->own_name = source_name(program->arena, cursor);
    program->parameter_count++;
    return make_parameter(program, cursor, parameter, wider, error);
}

/* The same parameter in the call before. */
static bool read_before(struct program *program, CXCursor cursor, int index, struct error *error)
{
    struct program_parameter *parameter = &program->before[program->before_count++];
    parameter->name = arena_format(program->arena, "%s before", program->parameters[index].name);
    parameter->variable = arena_format(program->arena, "__pn_before_%s", program->parameters[index].name);
    return make_parameter(program, cursor, parameter, NULL, error);
}

/* The functions that the files define, by name. */
struct functions {
    struct program *program;
    size_t file;
    const char **names;
    size_t count, capacity;
    CXCursor entry;          /* a null cursor until it is found */
    const char *wanted_file; /* NULL: any */
    size_t other_file;       /* that defines one of the same name; only if there is one */
    bool is_ambiguous;
};

/* `--entry src/list.c:f` and `--entry list.c:f` name the same file, if there is no other of that name. */
static bool is_wanted_file(const struct functions *functions)
{
    const char *wanted = functions->wanted_file;
    const char *file = functions->program->request->units[functions->file].file;
    if (!wanted)
        return true;
    size_t length = strlen(wanted), file_length = strlen(file);
    if (length > file_length || strcmp(file + file_length - length, wanted) != 0)
        return false;
    return length == file_length || file[file_length - length - 1] == '/';
}

static enum CXChildVisitResult visit_function(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    struct functions *functions = data;
    if (clang_getCursorKind(cursor) != CXCursor_FunctionDecl || !clang_isCursorDefinition(cursor) ||
        source_is_in_system_header(cursor))
        return CXChildVisit_Continue;
    const char *name = source_name(functions->program->arena, cursor);
    functions->names =
        array_reserve(functions->names, &functions->capacity, functions->count + 1, sizeof *functions->names);
    functions->names[functions->count++] = name;
    if (strcmp(name, functions->program->entry) != 0 || !is_wanted_file(functions))
        return CXChildVisit_Continue;
    if (clang_Cursor_isNull(functions->entry)) {
        functions->entry = cursor;
        functions->program->entry_file = functions->file;
    } else if (functions->file != functions->program->entry_file) {
        functions->is_ambiguous = true;
        functions->other_file = functions->file;
    }
    return CXChildVisit_Continue;
}

static bool fail_without_entry(const struct functions *functions, struct error *error)
{
    const char *entry = functions->program->entry, *nearest[SUGGESTIONS];
    if (functions->wanted_file)
        return error_set(error, "--entry %s: no file called '%s' defines a function '%s'",
                         functions->program->request->entry, functions->wanted_file, entry);
    size_t count = nearest_names(entry, functions->names, functions->count, nearest, SUGGESTIONS);
    bool are_near = count > 0;
    for (; !are_near && count < functions->count && count < SUGGESTIONS; count++)
        nearest[count] = functions->names[count];
    struct text list = {0};
    for (size_t i = 0; i < count; i++)
        text_format(&list, "%s'%s'", i > 0 ? ", " : "", nearest[i]);
    error_set(error, "no file defines a function '%s'; %s %s%s", entry,
              are_near    ? "did you mean"
              : count > 0 ? "some that are defined:"
                          : "there is none at all",
              text_string(&list), are_near ? "?" : "");
    text_free(&list);
    return false;
}

static bool fail_ambiguous(const struct functions *functions, struct error *error)
{
    const struct program *program = functions->program;
    const char *first = program->request->units[program->entry_file].file;
    return error_set(error, "'%s' is defined in %s and in %s: --entry %s:%s says which one is meant", program->entry,
                     first, program->request->units[functions->other_file].file, first, program->entry);
}

static bool find_entry(struct program *program, const struct sources *sources, CXCursor *entry, struct error *error)
{
    struct functions functions = {
        .program = program, .entry = clang_getNullCursor(), .wanted_file = program->request->entry_path};
    const char *colon = strrchr(program->request->entry, ':');
    program->entry = colon ? colon + 1 : program->request->entry;
    if (colon)
        functions.wanted_file =
            arena_format(program->arena, "%.*s", (int)(colon - program->request->entry), program->request->entry);
    for (functions.file = 0; functions.file < sources->count; functions.file++)
        clang_visitChildren(clang_getTranslationUnitCursor(sources->units[functions.file]), visit_function, &functions);
    *entry = functions.entry;
    bool found = !clang_Cursor_isNull(functions.entry) || fail_without_entry(&functions, error);
    if (functions.is_ambiguous)
        found = fail_ambiguous(&functions, error);
    free(functions.names);
    return found;
}

/* A whole program is called as the system does it: its inputs are those of its invocation. */
static bool read_main(struct program *program, CXCursor entry, int count, struct error *error)
{
    CXType type = clang_getCanonicalType(clang_getCursorType(entry));
    struct text declared = {0};
    if (strcmp(program->entry, "main") != 0)
        return error_set(error,
                         "%s: a whole program is started at 'main', not at '%s'. Leave --entry out, or give "
                         "inputs by --seed instead of arguments behind --",
                         source_place(program->arena, entry), program->entry);
    if (count > 3)
        return error_set(error, "%s: 'main' takes more than three parameters: nobody calls it so",
                         source_place(program->arena, entry));
    text_format(&declared, "%s main(", source_type(program->arena, clang_getResultType(type)));
    for (int i = 0; i < count; i++)
        text_format(&declared, "%s%s", i ? ", " : "", source_type(program->arena, clang_getArgType(type, (unsigned)i)));
    text_add(&declared, count ? ")" : "void)");
    program->main_type = arena_copy_string(program->arena, text_string(&declared));
    program->main_count = (size_t)count;
    text_free(&declared);
    invocation_add_inputs(program->request->invocation, program->layout);
    return true;
}

static bool read_lists(struct program *program, const struct sources *sources, CXCursor entry, struct error *error)
{
    bool is_variadic = clang_isFunctionTypeVariadic(clang_getCursorType(entry)) && program->parameter_count;
    if (!is_variadic || argument_lists_make(program, sources, entry, error))
        return true;
    return error_set(error,
                     "%s: '%s' takes a variable number of arguments, and no call of it in these files shows what they "
                     "are: it cannot be the entry. Give an entry of your own that calls it.",
                     source_place(program->arena, entry), program->entry);
}

static bool read_parameters(struct program *program, CXCursor entry, struct error *error)
{
    int count = clang_Cursor_getNumArguments(entry);
    if (program->request->invocation)
        return read_main(program, entry, count, error);
    const char *place = source_place(program->arena, entry), *name = program->entry;
    if (strcmp(name, "main") == 0 && count > 0)
        return error_set(error,
                         "%s: 'main' takes arguments: give those to start from behind --, as in `penumbra diff OLD "
                         "NEW -- -n input.txt`",
                         place);
    program->parameters = arena_allocate(program->arena, ((size_t)count + 1) * sizeof *program->parameters);
    for (int i = 0; i < count; i++)
        if (!read_parameter(program, clang_Cursor_getArgument(entry, (unsigned)i), i, error))
            return false;
    program->before = arena_allocate(program->arena, ((size_t)count + 1) * sizeof *program->before);
    for (int i = 0; i < count && program->request->twice; i++)
        if (!read_before(program, clang_Cursor_getArgument(entry, (unsigned)i), i, error))
            return false;
    return true;
}

static void read_result(struct program *program, CXCursor entry)
{
    CXType type = clang_getCanonicalType(clang_getCursorResultType(entry));
    program->result_outputs = "";
    program->own_result = source_type(program->arena, clang_getCursorResultType(entry));
    program->returns_value = type.kind != CXType_Void;
    if (!program->returns_value)
        return;
    const struct conversions *conversions = program->request->conversions;
    if (conversions && conversions->result) {
        program->result_type = conversions->result->type;
        program->result_outputs = outputs_of_number(program, conversions->result, "__pn_result");
        return;
    }
    struct text code = {0};
    struct output_root root = {.type = clang_getCursorResultType(entry),
                               .expression = "__pn_result",
                               .name = "return",
                               .file = program->entry_file};
    if (!outputs_write(program, &code, &root))
        outputs_note(program, &root);
    program->result_outputs = arena_copy_string(program->arena, text_string(&code));
    text_free(&code);
}

static enum CXChildVisitResult visit_body(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    if (clang_getCursorKind(cursor) == CXCursor_CompoundStmt)
        *(CXCursor *)data = cursor;
    return CXChildVisit_Continue;
}

static void read_place(struct program *program, CXCursor entry)
{
    CXString file;
    char absolute[PATH_MAX];
    clang_getPresumedLocation(clang_getCursorLocation(entry), &file, &program->entry_line, &program->entry_column);
    const char *name = source_string(program->arena, file);
    program->entry_path =
        realpath(name, absolute) ? arena_copy_string(program->arena, absolute) : program->paths[program->entry_file];
}

static void read_body(struct program *program, CXCursor entry)
{
    CXFile file;
    CXCursor body = clang_getNullCursor();
    clang_visitChildren(entry, visit_body, &body);
    clang_getExpansionLocation(clang_getRangeStart(clang_getCursorExtent(body)), &file, NULL, NULL,
                               &program->body_offset);
    program->body_file = file ? source_string(program->arena, clang_getFileName(file)) : "";
}

bool signature_find(struct program *program, const struct sources *sources, CXCursor *entry, struct error *error)
{
    if (!sizes_check_syntax(program->request, error) || !find_entry(program, sources, entry, error))
        return false;
    program->entry_key = source_string(program->arena, clang_getCursorUSR(*entry));
    read_place(program, *entry);
    read_body(program, *entry);
    return true;
}

bool signature_read(struct program *program, const struct sources *sources, CXCursor entry, struct error *error)
{
    if (!read_parameters(program, entry, error) || !read_lists(program, sources, entry, error))
        return false;
    read_result(program, entry);
    return true;
}
