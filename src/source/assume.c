#include "source/assume.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* The name of the text that libclang is given; places inside the user's expression are in PLACE. */
#define FILE_NAME "/penumbra-assumption.c"
#define PLACE "--assume"
#define FUNCTION_NAME "__pn_assumption"

struct assumption {
    struct program *program;
    const struct sources *sources;
    struct error *error;
    const char *given;      /* as it stands on the command line */
    const char *expression; /* in one line */
    bool refused;
};

static bool refuse(struct assumption *assumption, const char *why)
{
    if (!assumption->refused)
        error_set(assumption->error, "--assume '%s': %s", assumption->given, why);
    assumption->refused = true;
    return false;
}

/* ---- the text that is parsed ---- */

/* What would end the expression before its text ends, and make the rest a statement or declaration of its own. */
static bool check_brackets(struct assumption *assumption)
{
    char open[64];
    size_t depth = 0;
    for (const char *at = assumption->expression; *at; at++) {
        if (*at == '"' || *at == '\'') {
            char quote = *at++;
            for (; *at && *at != quote; at++)
                at += *at == '\\' && at[1];
            if (!*at)
                return refuse(assumption, "a quotation mark is missing");
        } else if (strchr("([{", *at) && depth < sizeof open) {
            open[depth++] = *at == '(' ? ')' : *at == '[' ? ']' : '}';
        } else if (strchr("([{", *at) || (strchr(")]}", *at) && (!depth || open[--depth] != *at))) {
            return refuse(assumption, "the brackets do not match");
        } else if (*at == ';' || *at == '#') {
            return refuse(assumption, "it must be one C expression, without statements");
        }
    }
    return !depth || refuse(assumption, "the brackets do not match");
}

static const char *in_one_line(struct arena *arena, const char *given)
{
    char *line = arena_copy_string(arena, given);
    for (char *at = line; *at; at++)
        if (isspace((unsigned char)*at))
            *at = ' ';
    return line;
}

static void add_parameters(struct text *code, const struct program *program)
{
    for (size_t i = 0; i < program->parameter_count; i++)
        text_format(code, "%s%s %s", i ? ", " : "", program->parameters[i].type, program->parameters[i].name);
    if (!program->parameter_count)
        text_add(code, "void");
}

/* --global may name a variable that the entry's file does not declare. */
static void add_foreign_globals(struct text *code, const struct program *program)
{
    for (size_t i = 0; i < program->global_count; i++) {
        const struct program_global *global = &program->globals[i];
        bool is_shadowed = strcmp(global->name, global->shown_name) != 0;
        if (!global->is_symbolic || global->is_static || global->file == program->entry_file || is_shadowed)
            continue;
        text_format(code, "    extern __typeof__(%s) %s;\n", global->type, global->name);
    }
}

static CXTranslationUnit parse_assumption(const struct assumption *assumption)
{
    const struct program *program = assumption->program;
    const char *path = program->paths[program->entry_file];
    struct text code = {0};
    text_format(&code, strchr(path, '"') ? "#include <%s>\n" : "#include \"%s\"\n", path);
    text_add(&code, "static int " FUNCTION_NAME "(");
    add_parameters(&code, program);
    text_add(&code, ")\n{\n");
    add_foreign_globals(&code, program);
    text_format(&code, "    return !!(\n#line 1 \"" PLACE "\"\n%s\n);\n}\n", assumption->expression);
    CXTranslationUnit unit =
        source_parse_text(assumption->sources, program, FILE_NAME, text_string(&code), CXTranslationUnit_None);
    text_free(&code);
    return unit;
}

/* ---- what clang says about it ---- */

static const char *input_names(const struct program *program)
{
    struct text list = {0};
    for (size_t i = 0; i < program->layout->count; i++)
        text_format(&list, "%s%s", i ? ", " : "", program->layout->parameters[i].name);
    const char *names = arena_copy_string(program->arena, text_string(&list));
    text_free(&list);
    return names;
}

static bool check_diagnostics(struct assumption *assumption, CXTranslationUnit unit)
{
    struct arena *arena = assumption->program->arena;
    for (unsigned i = 0; i < clang_getNumDiagnostics(unit); i++) {
        CXDiagnostic diagnostic = clang_getDiagnostic(unit, i);
        if (clang_getDiagnosticSeverity(diagnostic) >= CXDiagnostic_Error) {
            const char *message = source_string(arena, clang_getDiagnosticSpelling(diagnostic));
            if (strstr(message, "argument type")) /* of the ! that is put before it */
                message = "it has no value that is true or false";
            else if (strstr(message, "undeclared"))
                message = arena_format(arena, "%s; the inputs are: %s", message, input_names(assumption->program));
            refuse(assumption, message);
        }
        clang_disposeDiagnostic(diagnostic);
    }
    return !assumption->refused;
}

/* ---- side effects ---- */

static bool has_body(const struct assumption *assumption, const char *name)
{
    for (size_t i = 0; i < assumption->sources->count; i++)
        if (source_defines(assumption->program->arena, assumption->sources->units[i], name))
            return true;
    return false;
}

static void check_call(struct assumption *assumption, CXCursor call)
{
    CXCursor callee = clang_getCursorReferenced(call);
    struct arena *arena = assumption->program->arena;
    if (clang_getCursorKind(callee) != CXCursor_FunctionDecl)
        refuse(assumption, "it calls a function through a pointer, and what that changes cannot be known");
    else if (has_body(assumption, source_name(arena, callee)))
        refuse(assumption, arena_format(arena, "it calls '%s', a function of the program, and must not change anything",
                                        source_name(arena, callee)));
}

static bool is_assignment(CXCursor cursor)
{
    enum CXBinaryOperatorKind binary = clang_getCursorBinaryOperatorKind(cursor);
    enum CXUnaryOperatorKind unary = clang_getCursorUnaryOperatorKind(cursor);
    return (binary >= CXBinaryOperator_Assign && binary <= CXBinaryOperator_OrAssign) ||
           (unary >= CXUnaryOperator_PostInc && unary <= CXUnaryOperator_PreDec);
}

static enum CXChildVisitResult check_effects(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    struct assumption *assumption = data;
    if (clang_getCursorKind(cursor) == CXCursor_CallExpr)
        check_call(assumption, cursor);
    else if (clang_getCursorKind(cursor) == CXCursor_StmtExpr)
        refuse(assumption, "it must be one C expression, without statements");
    else if (is_assignment(cursor))
        refuse(assumption, "it assigns to something, and must not change anything (for equality write ==)");
    return assumption->refused ? CXChildVisit_Break : CXChildVisit_Recurse;
}

/* ---- without branches ----
 *
 * An expression is evaluated in every run: each && and || in it would be a branch, and each way through it a path of
 * its own. The parts of a conjunction are assumed one after the other; elsewhere, where the right operand may be
 * evaluated in any case, `a || b` becomes `(!!(a) | !!(b))`. */

struct range {
    size_t begin, end; /* in the expression */
};

/* False when the cursor is in a macro's text: then it is left as it is. */
static bool range_of(CXCursor cursor, struct range *range)
{
    CXSourceRange extent = clang_getCursorExtent(cursor);
    CXSourceLocation ends[] = {clang_getRangeStart(extent), clang_getRangeEnd(extent)};
    size_t *offsets[] = {&range->begin, &range->end};
    for (size_t i = 0; i < 2; i++) {
        CXString file;
        unsigned line, column, spelled, expanded;
        clang_getPresumedLocation(ends[i], &file, &line, &column);
        bool is_inside = strcmp(clang_getCString(file), PLACE) == 0 && line == 1;
        clang_disposeString(file);
        clang_getSpellingLocation(ends[i], NULL, NULL, NULL, &spelled);
        clang_getExpansionLocation(ends[i], NULL, NULL, NULL, &expanded);
        if (!is_inside || spelled != expanded)
            return false;
        *offsets[i] = column - 1;
    }
    return true;
}

/* The operands of an operator; those of a conversion or of brackets: one. */
struct operands {
    CXCursor list[3];
    unsigned count;
};

static enum CXChildVisitResult add_operand(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    struct operands *operands = data;
    if (operands->count < 3)
        operands->list[operands->count++] = cursor;
    return CXChildVisit_Continue;
}

static struct operands operands_of(CXCursor cursor)
{
    struct operands operands = {0};
    clang_visitChildren(cursor, add_operand, &operands);
    return operands;
}

static CXCursor without_wrapping(CXCursor cursor)
{
    for (;;) {
        enum CXCursorKind kind = clang_getCursorKind(cursor);
        struct operands operands = operands_of(cursor);
        if ((kind != CXCursor_ParenExpr && kind != CXCursor_UnexposedExpr) || operands.count != 1)
            return cursor;
        cursor = operands.list[0];
    }
}

/* `s[3]` where `s` is an input of at least four elements. */
static bool is_inside_input(const struct assumption *assumption, CXCursor subscript)
{
    struct operands operands = operands_of(subscript);
    if (operands.count != 2)
        return false;
    const char *name = source_name(assumption->program->arena, without_wrapping(operands.list[0]));
    const struct input_parameter *parameter = input_layout_find(assumption->program->layout, name);
    CXEvalResult value = clang_Cursor_Evaluate(operands.list[1]);
    bool is_inside = parameter && parameter->is_array && value && clang_EvalResult_getKind(value) == CXEval_Int &&
                     clang_EvalResult_getAsLongLong(value) >= 0 &&
                     (size_t)clang_EvalResult_getAsLongLong(value) < parameter->element_count;
    if (value)
        clang_EvalResult_dispose(value);
    return is_inside;
}

struct safety {
    const struct assumption *assumption;
    bool may_fail;
};

static enum CXChildVisitResult check_safety(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    struct safety *safety = data;
    enum CXBinaryOperatorKind binary = clang_getCursorBinaryOperatorKind(cursor);
    switch (clang_getCursorKind(cursor)) {
    case CXCursor_BinaryOperator:
        safety->may_fail |= binary == CXBinaryOperator_Div || binary == CXBinaryOperator_Rem;
        break;
    case CXCursor_UnaryOperator:
        safety->may_fail |= clang_getCursorUnaryOperatorKind(cursor) == CXUnaryOperator_Deref;
        break;
    case CXCursor_ArraySubscriptExpr: safety->may_fail |= !is_inside_input(safety->assumption, cursor); break;
    case CXCursor_CallExpr:
    case CXCursor_MemberRefExpr: safety->may_fail = true; break;
    default: break;
    }
    return safety->may_fail ? CXChildVisit_Break : CXChildVisit_Recurse;
}

static bool may_fail(const struct assumption *assumption, CXCursor cursor)
{
    struct safety safety = {.assumption = assumption};
    if (check_safety(cursor, cursor, &safety) == CXChildVisit_Recurse)
        clang_visitChildren(cursor, check_safety, &safety);
    return safety.may_fail;
}

/* A piece of text that takes the place of a range of the expression. */
struct edit {
    struct range range;
    const char *text;
};

struct edits {
    const struct assumption *assumption;
    struct edit *list;
    size_t count, capacity;
};

static void add_edit(struct edits *edits, size_t begin, size_t end, const char *text)
{
    edits->list = array_reserve(edits->list, &edits->capacity, edits->count + 1, sizeof *edits->list);
    edits->list[edits->count++] = (struct edit){{begin, end}, text};
}

static enum CXChildVisitResult find_edits(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    struct edits *edits = data;
    enum CXBinaryOperatorKind kind = clang_getCursorBinaryOperatorKind(cursor);
    struct operands operands = operands_of(cursor);
    struct range whole, left, right;
    if ((kind != CXBinaryOperator_LAnd && kind != CXBinaryOperator_LOr) || operands.count != 2 ||
        !range_of(cursor, &whole) || !range_of(operands.list[0], &left) || !range_of(operands.list[1], &right) ||
        may_fail(edits->assumption, operands.list[1]))
        return CXChildVisit_Recurse;
    add_edit(edits, whole.begin, whole.begin, "(!!(");
    clang_visitChildren(cursor, find_edits, edits);
    add_edit(edits, left.end, right.begin, kind == CXBinaryOperator_LAnd ? ") & !!(" : ") | !!(");
    add_edit(edits, whole.end, whole.end, "))");
    return CXChildVisit_Continue;
}

/* By place; brackets that open at one place keep the order in which they were found, and so do those that close. */
static void sort_edits(struct edits *edits)
{
    for (size_t i = 1; i < edits->count; i++)
        for (size_t k = i; k > 0 && edits->list[k - 1].range.begin > edits->list[k].range.begin; k--) {
            struct edit later = edits->list[k - 1];
            edits->list[k - 1] = edits->list[k];
            edits->list[k] = later;
        }
}

static void add_statement(struct assumption *assumption, CXCursor cursor, struct range range, struct text *code)
{
    struct edits edits = {.assumption = assumption};
    if (find_edits(cursor, cursor, &edits) == CXChildVisit_Recurse)
        clang_visitChildren(cursor, find_edits, &edits);
    sort_edits(&edits);
    text_add(code, "    pn_assume(!!(");
    size_t at = range.begin;
    for (size_t i = 0; i < edits.count; i++) {
        text_format(code, "%.*s%s", (int)(edits.list[i].range.begin - at), assumption->expression + at,
                    edits.list[i].text);
        at = edits.list[i].range.end;
    }
    text_format(code, "%.*s));\n", (int)(range.end - at), assumption->expression + at);
    free(edits.list);
}

/* One statement for each part of the conjunction. */
static void add_statements(struct assumption *assumption, CXCursor cursor, struct range range, struct text *code)
{
    CXCursor bare = without_wrapping(cursor);
    struct operands operands = operands_of(bare);
    struct range parts[2];
    if (clang_getCursorBinaryOperatorKind(bare) != CXBinaryOperator_LAnd || operands.count != 2 ||
        !range_of(operands.list[0], &parts[0]) || !range_of(operands.list[1], &parts[1])) {
        add_statement(assumption, cursor, range, code);
        return;
    }
    for (size_t i = 0; i < 2; i++)
        add_statements(assumption, operands.list[i], parts[i], code);
}

/* ---- all of it ---- */

static enum CXChildVisitResult find_function(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    CXCursor *found = data;
    CXString name = clang_getCursorSpelling(cursor);
    bool is_it = strcmp(clang_getCString(name), FUNCTION_NAME) == 0;
    clang_disposeString(name);
    if (is_it)
        *found = cursor;
    return is_it ? CXChildVisit_Break : CXChildVisit_Continue;
}

static enum CXChildVisitResult find_return(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    CXCursor *found = data;
    if (clang_getCursorKind(cursor) != CXCursor_ReturnStmt)
        return CXChildVisit_Recurse;
    *found = cursor;
    return CXChildVisit_Break;
}

/* Below `return !!(...)`. */
static CXCursor find_expression(CXTranslationUnit unit)
{
    CXCursor function = clang_getNullCursor(), at = clang_getNullCursor();
    clang_visitChildren(clang_getTranslationUnitCursor(unit), find_function, &function);
    clang_visitChildren(function, find_return, &at);
    while (clang_getCursorKind(at) != CXCursor_ParenExpr) {
        struct operands operands = operands_of(at);
        if (!operands.count)
            return clang_getNullCursor();
        at = operands.list[0];
    }
    return operands_of(at).list[0];
}

static bool read_assumption(struct assumption *assumption, struct text *code)
{
    if (!check_brackets(assumption))
        return false;
    CXTranslationUnit unit = parse_assumption(assumption);
    if (!unit)
        return refuse(assumption, "clang cannot read it");
    if (check_diagnostics(assumption, unit)) {
        CXCursor expression = find_expression(unit);
        if (clang_Cursor_isNull(expression))
            refuse(assumption, "clang cannot read it");
        else if (check_effects(expression, expression, assumption) == CXChildVisit_Recurse)
            clang_visitChildren(expression, check_effects, assumption);
        if (!assumption->refused)
            add_statements(assumption, expression, (struct range){0, strlen(assumption->expression)}, code);
    }
    clang_disposeTranslationUnit(unit);
    return !assumption->refused;
}

bool assumptions_read(struct program *program, const struct sources *sources, struct error *error)
{
    struct text code = {0};
    bool good = true;
    if (program->request->assumption_count)
        add_foreign_globals(&code, program);
    for (size_t i = 0; i < program->request->assumption_count && good; i++) {
        const char *given = program->request->assumptions[i];
        struct assumption assumption = {program, sources, error, given, in_one_line(program->arena, given), false};
        good = read_assumption(&assumption, &code);
    }
    program->assumptions = arena_copy_string(program->arena, text_string(&code));
    text_free(&code);
    return good;
}
