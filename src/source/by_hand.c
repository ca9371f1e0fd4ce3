#include "source/by_hand.h"

#include "source/elements.h"

#include <ctype.h>
#include <string.h>

/* ---- a call ---- */

struct only_child {
    CXCursor cursor;
    unsigned count;
};

static enum CXChildVisitResult take_child(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    struct only_child *child = data;
    child->cursor = cursor;
    child->count++;
    return CXChildVisit_Continue;
}

static struct only_child only_child(CXCursor cursor)
{
    struct only_child child = {clang_getNullCursor(), 0};
    clang_visitChildren(cursor, take_child, &child);
    return child;
}

/* The type of the object that an argument points to: of `x` in `&x`, of the array in `key`. */
static CXType pointed_to(CXCursor argument)
{
    for (;;) {
        enum CXCursorKind kind = clang_getCursorKind(argument);
        struct only_child child = only_child(argument);
        bool is_wrapping =
            kind == CXCursor_UnexposedExpr || kind == CXCursor_ParenExpr || kind == CXCursor_CStyleCastExpr;
        if (kind == CXCursor_UnaryOperator && clang_getCursorUnaryOperatorKind(argument) == CXUnaryOperator_AddrOf)
            return clang_getCursorType(child.cursor);
        if (!is_wrapping || child.count == 0)
            break;
        argument = child.cursor;
    }
    CXType type = clang_getCanonicalType(clang_getCursorType(argument));
    return type.kind == CXType_Pointer ? clang_getPointeeType(type) : type;
}

static bool read_size(CXCursor argument, size_t *size)
{
    CXEvalResult value = clang_Cursor_Evaluate(argument);
    bool is_number = value && clang_EvalResult_getKind(value) == CXEval_Int;
    *size = is_number ? (size_t)clang_EvalResult_getAsLongLong(value) : 0;
    if (value)
        clang_EvalResult_dispose(value);
    return *size > 0;
}

static const char *read_name(struct arena *arena, CXCursor argument)
{
    while (clang_getCursorKind(argument) == CXCursor_UnexposedExpr)
        argument = only_child(argument).cursor;
    if (clang_getCursorKind(argument) != CXCursor_StringLiteral)
        return NULL;
    const char *literal = source_name(arena, argument);
    size_t length = strlen(literal);
    bool is_plain = length > 2 && literal[0] == '"' && !strchr(literal, '\\');
    return is_plain ? arena_format(arena, "%.*s", (int)length - 2, literal + 1) : NULL;
}

/* ---- all of them ---- */

static void add_type(struct program *program, CXType type, const char *name, size_t size)
{
    size_t count;
    CXType element = element_of_arrays(type, &count);
    struct input_parameter piece = {.name = name, .type = source_type(program->arena, type)};
    bool is_number = element_describe(program->arena, element, &piece) && size % piece.element_size == 0;
    if (!is_number) {
        piece.kind = INPUT_UNSIGNED;
        piece.is_signed = false;
        piece.element_size = 1;
    }
    piece.element_count = size / piece.element_size;
    piece.is_array = piece.element_count > 1 || clang_getCanonicalType(type).kind == CXType_ConstantArray || !is_number;
    if (!input_layout_find(program->layout->types, name))
        input_layout_add(program->layout->types, &piece);
}

static enum CXChildVisitResult visit_call(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    struct program *program = data;
    size_t size;
    if (clang_getCursorKind(cursor) != CXCursor_CallExpr || clang_Cursor_getNumArguments(cursor) != 3 ||
        strcmp(source_name(program->arena, cursor), "pn_symbolic") != 0)
        return CXChildVisit_Recurse;
    const char *name = read_name(program->arena, clang_Cursor_getArgument(cursor, 2));
    if (name && read_size(clang_Cursor_getArgument(cursor, 1), &size))
        add_type(program, pointed_to(clang_Cursor_getArgument(cursor, 0)), name, size);
    return CXChildVisit_Continue;
}

/* Whether the text of a seed or a range gives it a value: `name =` at its beginning or behind a comma. */
static bool gives(const char *text, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = text; (at = strstr(at, name)); at++) {
        const char *before = at, *behind = at + length;
        while (before > text && isspace((unsigned char)before[-1]))
            before--;
        while (isspace((unsigned char)*behind))
            behind++;
        if (*behind == '=' && (before == text || before[-1] == ','))
            return true;
    }
    return false;
}

void by_hand_read(struct program *program, const struct sources *sources)
{
    const struct program_request *request = program->request;
    struct input_layout *layout = program->layout;
    for (size_t i = 0; i < sources->count; i++)
        clang_visitChildren(clang_getTranslationUnitCursor(sources->units[i]), visit_call, program);
    for (size_t i = 0; i < layout->types->count; i++) {
        const struct input_parameter *type = &layout->types->parameters[i];
        bool given = false;
        for (size_t k = 0; k < request->value_count; k++)
            given |= gives(request->values[k], type->name);
        if (given && !input_layout_find(layout, type->name))
            input_layout_add(layout, type);
    }
}
