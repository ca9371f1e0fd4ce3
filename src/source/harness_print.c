/* The harness for people. It has the parts of the one that is compiled (harness.c), without what compares: its
 * variables stand at file scope, where every run finds them. They are called pn_... instead of __pn_..., which are the
 * names of the runtime's functions. */
#include "source/argument_lists.h"
#include "source/program.h"
#include "source/statics.h"

#include <ctype.h>
#include <string.h>

/* Functions of the runtime that its text may call, beside those of penumbra.h. */
static const struct {
    const char *name, *declaration, *meaning;
} functions[] = {
    {"pn_pointer", "void pn_pointer(void *pointer, void *object, const char *name);",
     "the pointer is NULL or leads to the object: an input"},
    {"__pn_make_block", "void *__pn_make_block(unsigned long size);", "zeros; free() may be called for it"},
    {"__pn_find_static", "void *__pn_find_static(const char *symbol);", "a static variable in a function"},
    {"__pn_open_stream",
     "void *__pn_open_stream(unsigned number, const char *name, const char *mode, const char *bytes, const unsigned "
     "*length);",
     "a FILE over these bytes"},
    {"pn_stream_state", "void pn_stream_state(void *file, long *state);", "closed, position, end and error seen"},
    {"__pn_output_written", "void __pn_output_written(const char *name, void *file);",
     "what was written to it is compared"},
    {"__pn_called", "int __pn_called(unsigned long callback, const char *name);", "the order of calls is compared"},
    {"__pn_called_with", "void __pn_called_with(const void *argument, unsigned long size);", "and so are arguments"},
    {"__pn_readable", "unsigned long __pn_readable(const void *pointer, unsigned long most, unsigned long *more);",
     "how many bytes can be read there"},
    {"__pn_unseen", "void __pn_unseen(void);", "something is not compared: there will be no `equivalent`"},
};

enum { FUNCTIONS = sizeof functions / sizeof *functions };

static bool is_part_of_name(char letter)
{
    return isalnum((unsigned char)letter) || letter == '_';
}

static bool is_function(const char *name, size_t length)
{
    for (size_t i = 0; i < FUNCTIONS; i++)
        if (strlen(functions[i].name) == length && !strncmp(functions[i].name, name, length))
            return true;
    return false;
}

/* Renames variables. Strings stay as they are. */
static void add_renamed(struct text *code, const char *line, size_t length)
{
    bool in_string = false;
    for (size_t i = 0; i < length;) {
        size_t name = i;
        while (!in_string && name < length && is_part_of_name(line[name]))
            name++;
        if (name > i) {
            bool is_ours = name - i > 5 && !strncmp(line + i, "__pn_", 5) && !is_function(line + i, name - i);
            text_append(code, line + i + (is_ours ? 2 : 0), name - i - (is_ours ? 2 : 0));
            i = name;
            continue;
        }
        if (line[i] == '\\' && i + 1 < length)
            text_append(code, line + i++, 1);
        else if (line[i] == '"')
            in_string = !in_string;
        text_append(code, line + i++, 1);
    }
    text_add(code, "\n");
}

/* Without the names of objects, which whoever runs it knows by their variables. */
static void add_lines(struct text *code, const char *lines)
{
    while (*lines) {
        size_t length = strcspn(lines, "\n");
        const char *known = strstr(lines, " __pn_known_");
        if (!known || known > lines + length)
            add_renamed(code, lines, length);
        lines += length + (lines[length] == '\n');
    }
}

static bool calls(const char *code, const char *function)
{
    size_t length = strlen(function);
    for (const char *at = code; (at = strstr(at, function)); at++)
        if (at[length] == '(' && (at == code || !is_part_of_name(at[-1])))
            return true;
    return false;
}

static void declare_functions(struct text *code, const char *body)
{
    for (size_t i = 0; i < FUNCTIONS; i++)
        if (calls(body, functions[i].name))
            text_format(code, "/* %s */\n%s\n", functions[i].meaning, functions[i].declaration);
    text_add(code, "\n");
}

static void add_arguments(struct text *code, const struct program_parameter parameters[], size_t count)
{
    for (size_t i = 0; i < count; i++)
        text_format(code, "%s%s", i ? ", " : "", parameters[i].variable);
    text_add(code, ");\n");
}

static void add_parameters(const struct program_parameter parameters[], size_t count, struct text *declarations,
                           struct text *statements, struct text *left)
{
    for (size_t i = 0; i < count; i++) {
        text_add(declarations, text_string(&parameters[i].made.declarations));
        text_add(statements, text_string(&parameters[i].made.statements));
        text_add(left, text_string(&parameters[i].made.left));
    }
}

static void add_globals(const struct program *program, struct text *declarations, struct text *statements)
{
    for (size_t i = 0; i < program->global_count; i++) {
        const struct program_global *global = &program->globals[i];
        if (global->file != program->entry_file)
            continue;
        text_add(declarations, text_string(&global->made.declarations));
        text_add(statements, text_string(&global->made.statements));
    }
    for (size_t i = 0; i < program->static_count; i++) {
        const struct program_static *one = &program->statics[i];
        if (one->file != program->entry_file)
            continue;
        text_add(declarations, text_string(&one->made.declarations));
        text_add(statements, text_string(&one->made.statements));
    }
}

/* Parameters under their own names, for expressions that the user wrote. */
static void add_assumptions(const struct program *program, struct text *statements)
{
    if (!*program->assumptions)
        return;
    text_add(statements, "    {\n");
    for (size_t i = 0; i < program->parameter_count; i++)
        text_format(statements, "    %s %s = %s;\n", program->parameters[i].type, program->parameters[i].name,
                    program->parameters[i].variable);
    text_format(statements, "%s    }\n", program->assumptions);
}

static void add_listed_calls(const struct program *program, const struct text *left, struct text *statements)
{
    if (program->request->twice)
        argument_lists_write_calls(program, "(void)", program->before, program->before_count, statements);
    if (program->returns_value)
        text_format(statements, "    __typeof_unqual__(%s) __pn_result = {0};\n", program->own_result);
    argument_lists_write_calls(program, program->returns_value ? "__pn_result = " : "", program->parameters,
                               program->parameter_count, statements);
    text_format(statements, "%s%s", text_string(left), program->returns_value ? "    return __pn_result;\n" : "");
}

static void add_call(const struct program *program, const struct text *left, struct text *statements)
{
    const char *type = program->own_result;
    if (program->lists) {
        add_listed_calls(program, left, statements);
        return;
    }
    if (program->request->twice) {
        text_format(statements, "    (void)%s(", program->entry);
        add_arguments(statements, program->before, program->before_count);
    }
    if (!program->returns_value)
        text_format(statements, "    %s(", program->entry);
    else if (left->length)
        text_format(statements, "    %s __pn_result = %s(", type, program->entry);
    else
        text_format(statements, "    return %s(", program->entry);
    add_arguments(statements, program->parameters, program->parameter_count);
    text_add(statements, text_string(left));
    if (program->returns_value && left->length)
        text_add(statements, "    return __pn_result;\n");
}

void harness_print(struct program *program, const char *include, struct text *code, const char **function)
{
    struct text declarations = {0}, statements = {0}, left = {0}, body = {0};
    *function = arena_format(program->arena, "harness_%s", program->entry);
    add_parameters(program->parameters, program->parameter_count, &declarations, &statements, &left);
    add_parameters(program->before, program->before_count, &declarations, &statements, &left);
    if (program->lists) {
        text_add(&declarations, text_string(&program->lists->made.declarations));
        text_add(&statements, text_string(&program->lists->made.statements));
    }
    add_globals(program, &declarations, &statements);
    add_assumptions(program, &statements);
    statics_add_errno(program, &statements);
    add_call(program, &left, &statements);
    add_lines(&body, text_string(&declarations));
    text_format(&body, "\n%s %s(void)\n{\n", program->own_result, *function);
    add_lines(&body, text_string(&statements));
    text_add(&body, "}\n");
    text_format(code, strchr(include, '"') ? "#include <%s>\n" : "#include \"%s\"\n", include);
    text_add(code, "#include <penumbra.h>\n\n");
    declare_functions(code, text_string(&body));
    text_add(code, text_string(&body));
    text_free(&declarations), text_free(&statements), text_free(&left), text_free(&body);
}
