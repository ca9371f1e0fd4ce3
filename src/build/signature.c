#include "build/signature.h"

#include "build/outputs.h"
#include "trace/trace.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_ELEMENTS = 8, SUGGESTIONS = 3, LONGEST_NAME = sizeof((struct pn_input_region *)0)->name - 1 };

#define INPUT_TYPES "integers, _Bool, enums, float, double, and pointers to and arrays of them"

/* What a type needs as an input: `rows` times `columns` elements; rows are 0 where the type does not say. */
struct shape {
    bool is_array, is_pointer;
    size_t rows, columns;
    CXType element;
};

static bool is_unbounded_array(CXType type)
{
    return type.kind == CXType_IncompleteArray || type.kind == CXType_VariableArray;
}

static struct shape shape_of(CXType type)
{
    struct shape shape = {.rows = 1, .columns = 1, .element = clang_getCanonicalType(type)};
    if (shape.element.kind == CXType_Pointer) {
        shape.is_array = shape.is_pointer = true;
        shape.rows = 0;
        shape.element = clang_getCanonicalType(clang_getPointeeType(shape.element));
    } else if (shape.element.kind == CXType_ConstantArray || is_unbounded_array(shape.element)) {
        shape.is_array = true;
        long long size = clang_getArraySize(shape.element);
        shape.rows = size > 0 ? (size_t)size : 0;
        shape.element = clang_getCanonicalType(clang_getArrayElementType(shape.element));
    }
    while (shape.element.kind == CXType_ConstantArray) {
        shape.columns *= (size_t)clang_getArraySize(shape.element);
        shape.element = clang_getCanonicalType(clang_getArrayElementType(shape.element));
    }
    return shape;
}

static bool is_character(enum CXTypeKind kind)
{
    return kind == CXType_Char_S || kind == CXType_SChar || kind == CXType_Char_U || kind == CXType_UChar;
}

static bool is_signed_integer(enum CXTypeKind kind)
{
    return kind == CXType_Char_S || kind == CXType_SChar || kind == CXType_WChar ||
           (kind >= CXType_Short && kind <= CXType_LongLong);
}

static bool is_unsigned_integer(enum CXTypeKind kind)
{
    return kind >= CXType_Bool && kind <= CXType_ULongLong;
}

/* Fills in kind, sign and size of an element; false for what cannot be an input. */
static bool describe_element(CXType type, struct input_parameter *parameter)
{
    if (type.kind == CXType_Enum)
        type = clang_getCanonicalType(clang_getEnumDeclIntegerType(clang_getTypeDeclaration(type)));
    long long size = clang_Type_getSizeOf(type);
    if (size != 1 && size != 2 && size != 4 && size != 8)
        return false;
    bool is_floating = type.kind == CXType_Float || type.kind == CXType_Double;
    if (!is_signed_integer(type.kind) && !is_unsigned_integer(type.kind) && !is_floating)
        return false;
    parameter->element_size = (unsigned)size;
    parameter->is_signed = is_signed_integer(type.kind);
    parameter->kind = parameter->is_signed ? INPUT_SIGNED : INPUT_UNSIGNED;
    if (is_floating)
        parameter->kind = INPUT_FLOATING;
    else if (type.kind == CXType_Bool)
        parameter->kind = INPUT_BOOL;
    else if (is_character(type.kind) && !strstr(parameter->type, "int8_t"))
        parameter->kind = INPUT_CHARACTER;
    return true;
}

/* The N of `--size NAME=N`; 0 when there is none. */
static size_t requested_size(const struct program_request *request, const char *name)
{
    size_t length = strlen(name);
    for (size_t i = 0; i < request->size_count; i++)
        if (strncmp(request->sizes[i], name, length) == 0 && request->sizes[i][length] == '=')
            return strtoull(request->sizes[i] + length + 1, NULL, 10);
    return 0;
}

static bool check_size_syntax(const struct program_request *request, struct error *error)
{
    for (size_t i = 0; i < request->size_count; i++) {
        const char *size = request->sizes[i], *equals = strchr(size, '=');
        size_t digits = equals ? strspn(equals + 1, "0123456789") : 0;
        if (!equals || digits == 0 || digits > 7 || equals[1 + digits] || strtoul(equals + 1, NULL, 10) == 0)
            return error_set(error, "--size '%s': expected NAME=N, with N from 1 to %d", size, PN_INPUT_BYTES);
    }
    return true;
}

static bool fail_unknown_size(const char *size, const char *name, const char *const names[], size_t count,
                              struct error *error)
{
    const char *nearest = nearest_name(name, names, count);
    if (nearest)
        return error_set(error, "--size '%s': no input is called '%s'; did you mean '%s'?", size, name, nearest);
    if (count == 0)
        return error_set(error, "--size '%s': no input is a pointer or an array", size);
    return error_set(error, "--size '%s': no input is called '%s'; '%s' could have a size", size, name, names[0]);
}

bool signature_check_sizes(struct program *program, struct error *error)
{
    const struct input_layout *layout = program->layout;
    const char **names = arena_allocate(program->arena, (layout->count + 1) * sizeof *names);
    size_t count = 0;
    for (size_t i = 0; i < layout->count; i++)
        if (layout->parameters[i].is_pointer)
            names[count++] = layout->parameters[i].name;
    for (size_t i = 0; i < program->request->size_count; i++) {
        const char *size = program->request->sizes[i];
        const char *name = arena_format(program->arena, "%.*s", (int)strcspn(size, "="), size);
        const struct input_parameter *parameter = input_layout_find(layout, name);
        if (!parameter)
            return fail_unknown_size(size, name, names, count, error);
        if (!parameter->is_pointer)
            return error_set(error, "--size '%s': '%s' has type '%s', its size is fixed", size, name, parameter->type);
    }
    return true;
}

static void note_default_size(struct program *program, const struct input_parameter *parameter,
                              const struct shape *shape)
{
    if (shape->columns > 1)
        text_format(&program->notes, "%s: %d rows of %zu elements (--size %s=N to change)\n", parameter->name,
                    DEFAULT_ELEMENTS, shape->columns, parameter->name);
    else
        text_format(&program->notes, "%s: %d elements (--size %s=N to change)\n", parameter->name, DEFAULT_ELEMENTS,
                    parameter->name);
}

bool signature_add_input(struct program *program, CXType type, struct input_parameter *parameter, const char *place,
                         struct error *error)
{
    struct shape shape = shape_of(type);
    parameter->type = source_type(program->arena, type);
    const char *what = parameter->is_global ? "global" : "parameter";
    if (!describe_element(shape.element, parameter))
        return error_set(error,
                         "%s: %s '%s' has type '%s', which cannot be an input yet: inputs are " INPUT_TYPES
                         ". Give an entry of your own that takes such inputs and makes the '%s' from them.",
                         place, what, parameter->name, parameter->type, parameter->type);
    parameter->is_array = shape.is_array;
    /* An array as a parameter is a pointer; a global one has its memory already. */
    parameter->is_pointer = shape.is_pointer || (shape.is_array && !parameter->is_global);
    size_t requested = parameter->is_pointer ? requested_size(program->request, parameter->name) : 0;
    size_t rows = requested ? requested : shape.rows;
    if (rows == 0) {
        rows = DEFAULT_ELEMENTS;
        note_default_size(program, parameter, &shape);
    }
    parameter->element_count = rows * shape.columns;
    if (rows > PN_INPUT_BYTES || shape.columns > PN_INPUT_BYTES ||
        program->layout->size + parameter->element_count * parameter->element_size > PN_INPUT_BYTES ||
        program->layout->count >= PN_INPUT_REGIONS)
        return error_set(error, "%s: %s '%s' is too big: all inputs together may have %d bytes%s", place, what,
                         parameter->name, PN_INPUT_BYTES, parameter->is_pointer ? ", make it smaller with --size" : "");
    input_layout_add(program->layout, parameter);
    return true;
}

/* `argN` where the parameter has no name, or one that is too long for the trace. */
static const char *parameter_name(struct program *program, CXCursor parameter, int index)
{
    const char *name = source_name(program->arena, parameter);
    if (*name && strlen(name) <= LONGEST_NAME)
        return name;
    name = arena_format(program->arena, "arg%d", index + 1);
    while (input_layout_find(program->layout, name))
        name = arena_format(program->arena, "%s_", name);
    return name;
}

/* The functions that the files define, by name. */
struct functions {
    struct program *program;
    size_t file;
    const char **names;
    size_t count, capacity;
    CXCursor entry; /* a null cursor until it is found */
};

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
    if (strcmp(name, functions->program->request->entry) == 0 && clang_Cursor_isNull(functions->entry)) {
        functions->entry = cursor;
        functions->program->entry_file = functions->file;
    }
    return CXChildVisit_Continue;
}

static bool fail_without_entry(const struct functions *functions, struct error *error)
{
    const char *entry = functions->program->request->entry, *nearest[SUGGESTIONS];
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

static bool find_entry(struct program *program, const struct sources *sources, CXCursor *entry, struct error *error)
{
    struct functions functions = {.program = program, .entry = clang_getNullCursor()};
    for (functions.file = 0; functions.file < sources->count; functions.file++)
        clang_visitChildren(clang_getTranslationUnitCursor(sources->units[functions.file]), visit_function, &functions);
    *entry = functions.entry;
    bool found = !clang_Cursor_isNull(functions.entry) || fail_without_entry(&functions, error);
    free(functions.names);
    return found;
}

static bool read_parameters(struct program *program, CXCursor entry, struct error *error)
{
    int count = clang_Cursor_getNumArguments(entry);
    const char *place = source_place(program->arena, entry), *name = program->request->entry;
    if (clang_isFunctionTypeVariadic(clang_getCursorType(entry)) && count > 0)
        return error_set(error,
                         "%s: '%s' takes a variable number of arguments and cannot be the entry. Give an entry of your "
                         "own that calls it.",
                         place, name);
    if (strcmp(name, "main") == 0 && count > 0)
        return error_set(error,
                         "%s: 'main' with parameters cannot be the entry yet: argc and argv are no inputs. Give an "
                         "entry that takes " INPUT_TYPES ".",
                         place);
    for (int i = 0; i < count; i++) {
        CXCursor parameter = clang_Cursor_getArgument(entry, (unsigned)i);
        struct input_parameter input = {.name = parameter_name(program, parameter, i)};
        if (!signature_add_input(program, clang_getCursorType(parameter), &input,
                                 source_place(program->arena, parameter), error))
            return false;
    }
    return true;
}

static void read_result(struct program *program, CXCursor entry)
{
    CXType type = clang_getCanonicalType(clang_getCursorResultType(entry));
    program->result_outputs = "";
    program->returns_value = type.kind != CXType_Void;
    if (!program->returns_value)
        return;
    struct text code = {0};
    const char *spelling = source_type(program->arena, clang_getCursorResultType(entry));
    if (type.kind == CXType_Pointer) {
        text_add(&code, "    _Bool __pn_is_null = !__pn_result;\n"
                        "    pn_output(\"return is NULL\", &__pn_is_null, sizeof __pn_is_null);\n");
        text_format(&program->notes, "return: of a '%s', only whether it is NULL is compared\n", spelling);
    } else if (!outputs_write(&code, program->arena, type, "__pn_result", "return")) {
        text_format(&program->notes, "return: a '%s' is not compared, it holds pointers\n", spelling);
    }
    program->result_outputs = arena_copy_string(program->arena, text_string(&code));
    text_free(&code);
}

bool signature_read(struct program *program, const struct sources *sources, struct error *error)
{
    CXCursor entry;
    if (!check_size_syntax(program->request, error) || !find_entry(program, sources, &entry, error) ||
        !read_parameters(program, entry, error))
        return false;
    read_result(program, entry);
    return true;
}
