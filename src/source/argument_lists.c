#include "source/argument_lists.h"

#include "source/elements.h"
#include "source/make.h"
#include "source/pointer_tests.h"
#include "source/sizes.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_LISTS = 6, MOST_LISTED = 8, FORMAT_LENGTH = 4 };

/* What an argument is after the promotions of C. */
static const struct kind {
    char letter;
    const char *type;
    enum input_kind kind;
    unsigned size;
} kinds[] = {
    {'i', "int", INPUT_SIGNED, 4},      {'u', "unsigned", INPUT_UNSIGNED, 4},
    {'l', "long", INPUT_SIGNED, 8},     {'m', "unsigned long", INPUT_UNSIGNED, 8},
    {'d', "double", INPUT_FLOATING, 8}, {'s', "char *", INPUT_CHARACTER, 1}, /* a string */
    {'b', "void *", INPUT_UNSIGNED, 1},                                      /* bytes */
};

static const struct kind *kind_of(char letter)
{
    const struct kind *kind = kinds;
    while (kind->letter != letter)
        kind++;
    return kind;
}

/* 0: nothing that can be made here. */
static char letter_of(CXType type)
{
    type = clang_getCanonicalType(type);
    CXType pointee = clang_getCanonicalType(clang_getPointeeType(type));
    switch (type.kind) {
    case CXType_Bool:
    case CXType_Char_S:
    case CXType_SChar:
    case CXType_Char_U:
    case CXType_UChar:
    case CXType_Short:
    case CXType_UShort:
    case CXType_Enum:
    case CXType_Int: return 'i';
    case CXType_UInt: return 'u';
    case CXType_Long:
    case CXType_LongLong: return 'l';
    case CXType_ULong:
    case CXType_ULongLong: return 'm';
    case CXType_Float:
    case CXType_Double: return 'd';
    case CXType_ConstantArray: return element_is_text(clang_getArrayElementType(type)) ? 's' : 0;
    case CXType_Pointer: return element_is_text(pointee) ? 's' : pointee.kind == CXType_Void ? 'b' : 0;
    default: return 0;
    }
}

/* ---- what the files call it with ---- */

struct search {
    struct program *program;
    const char *entry;
    int fixed; /* parameters before the `...` */
    bool is_static;
};

static bool is_same(const char *one, const char *other)
{
    return one == other || (one && other && !strcmp(one, other));
}

static void add(struct program *program, const struct argument_list *list)
{
    struct argument_lists *lists = program->lists;
    for (size_t i = 0; i < lists->count; i++)
        if (is_same(lists->list[i].last, list->last) && is_same(lists->list[i].kinds, list->kinds) &&
            is_same(lists->list[i].end, list->end) && is_same(lists->list[i].only, list->only))
            return;
    if (list->place && lists->count == MOST_LISTS)
        return;
    lists->list = array_reserve(lists->list, &lists->capacity, lists->count + 1, sizeof *lists->list);
    lists->list[lists->count++] = *list;
}

static enum CXChildVisitResult take_last(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    *(CXCursor *)data = cursor;
    return CXChildVisit_Continue;
}

/* What is cast: before it, a cast may mention its type. */
static CXCursor without_casts(CXCursor expression)
{
    expression = source_bare(expression);
    while (clang_getCursorKind(expression) == CXCursor_CStyleCastExpr) {
        CXCursor operand = clang_getNullCursor();
        clang_visitChildren(expression, take_last, &operand);
        if (clang_Cursor_isNull(operand))
            break;
        expression = source_bare(operand);
    }
    return expression;
}

/* A string or an integer, as C writes it; NULL for anything else. */
static const char *literal_of(struct arena *arena, CXCursor argument)
{
    argument = without_casts(argument);
    enum CXCursorKind kind = clang_getCursorKind(argument);
    if (kind == CXCursor_StringLiteral) {
        const char *spelling = source_name(arena, argument);
        return spelling[0] == '"' ? spelling : NULL;
    }
    CXEvalResult value = clang_Cursor_Evaluate(argument);
    bool is_number = value && clang_EvalResult_getKind(value) == CXEval_Int;
    const char *text = is_number ? arena_format(arena, "%lld", clang_EvalResult_getAsLongLong(value)) : NULL;
    if (value)
        clang_EvalResult_dispose(value);
    return text;
}

/* What ends a list: NULL, or a number that is none of those that it lists. */
static const char *end_of(struct arena *arena, CXCursor argument)
{
    const char *literal = literal_of(arena, argument);
    bool is_pointer = clang_getCanonicalType(clang_getCursorType(argument)).kind == CXType_Pointer;
    if (is_pointer)
        return literal && !strcmp(literal, "0") ? "(void *)0" : NULL;
    return literal && (literal[0] == '-' || !strcmp(literal, "0")) ? literal : NULL;
}

static enum CXChildVisitResult visit_call(CXCursor call, CXCursor parent, CXClientData data)
{
    (void)parent;
    struct search *search = data;
    struct arena *arena = search->program->arena;
    CXCursor function = clang_getCursorReferenced(call);
    int count = clang_getCursorKind(call) == CXCursor_CallExpr ? clang_Cursor_getNumArguments(call) : 0;
    if (count < search->fixed || clang_getCursorKind(function) != CXCursor_FunctionDecl ||
        strcmp(source_name(arena, function), search->entry) != 0 ||
        (clang_getCursorLinkage(function) == CXLinkage_Internal) != search->is_static)
        return CXChildVisit_Recurse;
    struct argument_list list = {.place = source_place(arena, call)};
    list.last = literal_of(arena, clang_Cursor_getArgument(call, (unsigned)search->fixed - 1));
    char letters[MOST_LISTED + 1] = "";
    for (int i = search->fixed; i < count; i++) {
        CXCursor argument = clang_Cursor_getArgument(call, (unsigned)i);
        list.end = i == count - 1 ? end_of(arena, argument) : NULL;
        char letter = letter_of(clang_getCursorType(argument));
        if (list.end)
            break;
        if (!letter || i - search->fixed == MOST_LISTED)
            return CXChildVisit_Recurse;
        letters[i - search->fixed] = letter;
    }
    list.kinds = arena_copy_string(arena, letters);
    if (list.last || list.end)
        add(search->program, &list);
    return CXChildVisit_Recurse;
}

/* ---- formats ---- */

// clang-format off
static const char *const formatting[] = {
    "vprintf", "vfprintf", "vsprintf", "vsnprintf", "vasprintf", "vdprintf", "vsyslog", "vwarn", "vwarnx", "verr", "verrx",
};
// clang-format on

static bool is_format(struct program *program, CXCursor parameter)
{
    const char *name = source_name(program->arena, parameter);
    CXType type = clang_getCanonicalType(clang_getCursorType(parameter));
    if (type.kind != CXType_Pointer || !element_is_text(clang_getPointeeType(type)))
        return false;
    for (size_t i = 0; i < program->lists->count; i++)
        if (program->lists->list[i].last && strchr(program->lists->list[i].last, '%'))
            return true;
    return strcasestr(name, "fmt") || strcasestr(name, "format") ||
           pointer_tests_given_to(program->pointer_tests, pointer_place(program->arena, parameter), formatting,
                                  sizeof formatting / sizeof *formatting);
}

/* The last two have a format that is an input, of conversions that the arguments serve for. */
static void add_formats(struct program *program)
{
    static const struct argument_list made_up[] = {
        {.last = "\"%d\"", .kinds = "i"},
        {.last = "\"%s\"", .kinds = "s"},
        {.last = "\"%c: %s %u\"", .kinds = "isu"},
        {.kinds = "llll", .only = "cdiouxXlhjztq"},
        {.kinds = "ssss", .only = "s"},
    };
    for (size_t i = 0; i < sizeof made_up / sizeof *made_up; i++)
        add(program, &made_up[i]);
}

/* ---- the harness ---- */

static const char *argument_variable(struct arena *arena, size_t list, size_t argument)
{
    return arena_format(arena, "__pn_list_%zu_%zu", list + 1, argument + 1);
}

static bool make_argument(struct maker *maker, size_t list, size_t number, char letter)
{
    struct arena *arena = maker->program->arena;
    const struct kind *kind = kind_of(letter);
    const char *variable = argument_variable(arena, list, number);
    bool is_array = letter == 's' || letter == 'b';
    struct spot spot = {0};
    struct input_parameter piece = {.name = arena_format(arena, "list_%zu#%zu", list + 1, number + 1),
                                    .type = kind->type,
                                    .kind = kind->kind,
                                    .is_signed = letter == 'i' || letter == 'l' || letter == 's',
                                    .is_array = is_array,
                                    .is_pointer = is_array,
                                    .is_string = letter == 's',
                                    .element_size = kind->size,
                                    .element_count = is_array ? (size_t)DEFAULT_ELEMENTS - (letter == 's') : 1};
    if (is_array)
        text_format(&maker->made->declarations, "static char %s[%d];\n", variable, DEFAULT_ELEMENTS);
    else
        text_format(&maker->made->declarations, "static %s %s;\n", kind->type, variable);
    if (!make_piece(maker, &spot, &piece))
        return false;
    make_symbolic(maker, &piece, is_array ? variable : arena_format(arena, "&%s", variable));
    return true;
}

static bool make_choice(struct maker *maker, size_t count)
{
    struct arena *arena = maker->program->arena;
    struct input_constant *constants = arena_allocate(arena, count * sizeof *constants);
    struct spot spot = {0};
    for (size_t i = 0; i < count; i++)
        constants[i] = (struct input_constant){arena_format(arena, "list_%zu", i + 1), (__int128)i};
    return make_alternative(maker, &spot, "variable arguments", "__pn_list", constants, count);
}

/* A short format whose letters are among those that the arguments serve for. */
static void restrict_format(struct maker *maker, size_t number, const char *only)
{
    struct program *program = maker->program;
    const struct program_parameter *parameter = &program->parameters[program->parameter_count - 1];
    const char *format = parameter->variable;
    struct text *code = &maker->made->statements;
    size_t size = sizes_requested(program, parameter->name);
    int length = size && size <= FORMAT_LENGTH ? (int)size - 1 : FORMAT_LENGTH;
    text_format(code,
                "    if (__pn_list == %zu && %s) {\n"
                "        for (unsigned long __pn_index = 0; __pn_index < %d; __pn_index++) {\n"
                "            char __pn_letter = %s[__pn_index];\n"
                "            pn_assume((__pn_letter != '$') & (__pn_letter != '%c'));\n"
                "            pn_assume(((__pn_letter | 32) < 'a') | ((__pn_letter | 32) > 'z')",
                number, format, length, format, strchr(only, 's') ? '*' : '$');
    for (; *only; only++)
        text_format(code, " | (__pn_letter == '%c')", *only);
    text_format(code, ");\n        }\n        pn_assume(%s[%d] == 0);\n    }\n", format, length);
}

static void note_lists(struct program *program)
{
    struct text *notes = &program->notes;
    text_add(notes, "...: only these arguments are tried: ");
    for (size_t i = 0; i < program->lists->count; i++) {
        const struct argument_list *list = &program->lists->list[i];
        text_format(notes, "%slist_%zu ", i ? ", " : "", i + 1);
        if (list->only)
            text_format(notes, "is %zu %s behind a short format", strlen(list->kinds),
                        list->kinds[0] == 's' ? "strings" : "integers");
        else
            text_format(notes, "is behind %s", list->last ? list->last : "the parameters");
        if (list->place)
            text_format(notes, " (%s)", list->place);
    }
    text_add(notes, "\n");
}

static bool make_lists(struct program *program, CXCursor entry, struct error *error)
{
    struct input_root root = {
        .name = "...", .place = source_place(program->arena, entry), .declaration = entry, .file = program->entry_file};
    struct argument_lists *lists = program->lists;
    struct maker maker = {.program = program, .root = &root, .made = &lists->made, .error = error};
    bool good = make_choice(&maker, lists->count);
    for (size_t i = 0; i < lists->count && good; i++) {
        for (size_t k = 0; lists->list[i].kinds[k] && good; k++)
            good = make_argument(&maker, i, k, lists->list[i].kinds[k]);
        if (lists->list[i].only)
            restrict_format(&maker, i, lists->list[i].only);
    }
    note_lists(program);
    return good;
}

bool argument_lists_make(struct program *program, const struct sources *sources, CXCursor entry, struct error *error)
{
    const struct program *like = program->request->named_like;
    int fixed = clang_Cursor_getNumArguments(entry);
    struct search search = {.program = program,
                            .entry = program->entry,
                            .fixed = fixed,
                            .is_static = clang_getCursorLinkage(entry) == CXLinkage_Internal};
    program->lists = arena_allocate(program->arena, sizeof *program->lists);
    *program->lists = (struct argument_lists){0};
    for (size_t i = 0; like && like->lists && i < like->lists->count; i++)
        add(program, &like->lists->list[i]);
    for (size_t i = 0; i < sources->count && !like; i++)
        clang_visitChildren(clang_getTranslationUnitCursor(sources->units[i]), visit_call, &search);
    if (!like && is_format(program, clang_Cursor_getArgument(entry, (unsigned)fixed - 1)))
        add_formats(program);
    return program->lists->count && make_lists(program, entry, error);
}

void argument_lists_write_calls(const struct program *program, const char *target,
                                const struct program_parameter parameters[], size_t count, struct text *code)
{
    for (size_t i = 0; i < program->lists->count; i++) {
        const struct argument_list *list = &program->lists->list[i];
        text_format(code, "    if (__pn_list == %zu)\n        %s(%s)(", i, target, program->entry);
        for (size_t k = 0; k < count; k++)
            text_format(code, "%s%s", k ? ", " : "",
                        k + 1 == count && list->last ? list->last : parameters[k].variable);
        for (size_t k = 0; list->kinds[k]; k++)
            text_format(code, ", %s", argument_variable(program->arena, i, k));
        text_format(code, "%s%s);\n", list->end ? ", " : "", list->end ? list->end : "");
    }
}

void argument_lists_free(struct argument_lists *lists)
{
    if (!lists)
        return;
    free(lists->list);
    text_free(&lists->made.declarations), text_free(&lists->made.statements);
    text_free(&lists->made.outputs), text_free(&lists->made.left);
}
