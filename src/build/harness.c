/* The C text around the program: what it declares it calls by names that begin with __pn_. */
#include "base/file.h"
#include "build/assume.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The element type by size and sign. It need not be the source's: the harness itself never reads or writes elements. */
static const char *element_type(const struct input_parameter *parameter)
{
    static const char *const types[2][4] = {{"unsigned char", "unsigned short", "unsigned int", "unsigned long"},
                                            {"signed char", "short", "int", "long"}};
    if (parameter->kind == INPUT_BOOL)
        return "_Bool";
    unsigned size = parameter->element_size;
    if (parameter->kind == INPUT_FLOATING)
        return size == 4 ? "float" : "double";
    return types[parameter->is_signed][size == 1 ? 0 : size == 2 ? 1 : size == 4 ? 2 : 3];
}

static bool is_main(const struct program *program)
{
    return strcmp(program->request->entry, "main") == 0;
}

/* The runtime has a main of its own, so the program's gets another symbol. As the entry it must stay `main` to the
 * compiler, which then lets it end without a return. */
static void add_source(struct text *code, const struct program *program, size_t file)
{
    bool keeps_main = is_main(program) && file == program->entry_file;
    /* AddressSanitizer puts its redzones behind variables: the guards give the first of each section one before it. */
    text_add(code, "/* Written by Penumbra: the source, and what calls it. */\n"
                   "#ifdef PENUMBRA_REPLAY\n"
                   "__attribute__((used)) static char __pn_guard_of_zeros[4096];\n"
                   "__attribute__((used)) static char __pn_guard_of_data[4096] = {1};\n"
                   "__attribute__((used)) static const char __pn_guard_of_constants[4096] = {1};\n"
                   "#endif\n");
    if (keeps_main)
        text_format(code, "%s main(void) __asm__(\"__pn_program_main\");\n", program->returns_value ? "int" : "void");
    else
        text_add(code, "#define main __pn_program_main\n");
    /* In an #include nothing can be escaped, but there are two kinds of quotes. */
    text_format(code, strchr(program->paths[file], '"') ? "#include <%s>\n" : "#include \"%s\"\n",
                program->paths[file]);
    text_add(code, keeps_main ? "\n" : "#undef main\n\n");
    text_add(code, "#pragma clang diagnostic ignored \"-Weverything\"\n"
                   "void pn_symbolic(void *pointer, unsigned long size, const char *name);\n"
                   "void pn_assume(int condition);\n"
                   "void pn_output(const char *name, const void *pointer, unsigned long size);\n"
                   "void __pn_output_floating(const char *name, const void *pointer, unsigned long size, unsigned long "
                   "element);\n\n");
}

static void add_stubs(struct text *code, const struct program *program, size_t file)
{
    size_t count = 0;
    for (size_t i = 0; i < program->stub_count; i++) {
        if (program->stubs[i].file != file)
            continue;
        if (count++ == 0)
            text_add(code, "/* \"f()\", \"f()#2\", \"f()#3\" */\n"
                           "static const char *__pn_call_name(char *buffer, const char *function, unsigned call)\n"
                           "{\n"
                           "    char *end = buffer;\n"
                           "    while (*function)\n"
                           "        *end++ = *function++;\n"
                           "    *end++ = '(';\n"
                           "    *end++ = ')';\n"
                           "    if (call > 1) {\n"
                           "        *end++ = '#';\n"
                           "        unsigned power = 1;\n"
                           "        while (call / power >= 10)\n"
                           "            power *= 10;\n"
                           "        for (; power > 0; power /= 10)\n"
                           "            *end++ = (char)('0' + call / power % 10);\n"
                           "    }\n"
                           "    *end = 0;\n"
                           "    return buffer;\n"
                           "}\n\n");
        text_format(code, "%s\n", program->stubs[i].definition);
    }
}

/* Makes the bytes at `address` the input. */
static void add_symbolic(struct text *code, const struct input_parameter *parameter, const char *address)
{
    text_format(code, "    pn_symbolic((void *)%s, %zu, \"%s\");\n", address,
                parameter->element_size * parameter->element_count, parameter->name);
    if (parameter->kind != INPUT_BOOL)
        return;
    if (parameter->is_array)
        text_format(code, "    for (unsigned long __pn_index = 0; __pn_index < %zu; __pn_index++)\n    ",
                    parameter->element_count);
    text_format(code, "    pn_assume(((unsigned char *)%s)[%s] <= 1);\n", address,
                parameter->is_array ? "__pn_index" : "0");
}

static void add_symbolic_global(struct text *code, const struct program *program, const struct program_global *global)
{
    const struct input_parameter *parameter = input_layout_find(program->layout, global->shown_name);
    char address[512];
    if (parameter->is_pointer)
        snprintf(address, sizeof address, "__pn_memory_of_%s", global->name);
    else
        snprintf(address, sizeof address, "&%s", global->name);
    add_symbolic(code, parameter, address);
    if (parameter->is_pointer)
        text_format(code, "    %s = (void *)%s;\n", global->name, address);
}

/* Whether the file has globals of this kind; they are then dealt with by a function behind the file's text. */
static bool has_globals(const struct program *program, size_t file, bool symbolic)
{
    for (size_t i = 0; i < program->global_count; i++)
        if (program->globals[i].file == file && (!symbolic || program->globals[i].is_symbolic))
            return true;
    return false;
}

static void add_global_declarations(struct text *code, const struct program *program, size_t file)
{
    for (size_t i = 0; i < program->global_count; i++) {
        const struct program_global *global = &program->globals[i];
        if (global->file != file)
            continue;
        text_format(code, "#undef %s\n", global->name);
        const struct input_parameter *parameter =
            global->is_symbolic ? input_layout_find(program->layout, global->shown_name) : NULL;
        if (parameter && parameter->is_pointer)
            text_format(code, "static %s __pn_memory_of_%s[%zu];\n", element_type(parameter), global->name,
                        parameter->element_count);
    }
}

/* The memory that was made for a pointer. */
static void add_output(struct text *code, const struct input_parameter *parameter, const char *prefix, const char *name)
{
    bool is_floating = parameter->kind == INPUT_FLOATING;
    text_format(code, "    %s(\"%s\", %s%s, sizeof %s%s", is_floating ? "__pn_output_floating" : "pn_output",
                parameter->name, prefix, name, prefix, name);
    if (is_floating)
        text_format(code, ", %u", parameter->element_size);
    text_add(code, ");\n");
}

static void add_global_functions(struct text *code, const struct program *program, size_t file)
{
    add_global_declarations(code, program, file);
    if (has_globals(program, file, true)) {
        text_format(code, "void __pn_symbolic_globals_%zu(void)\n{\n", file);
        for (size_t i = 0; i < program->global_count; i++)
            if (program->globals[i].file == file && program->globals[i].is_symbolic)
                add_symbolic_global(code, program, &program->globals[i]);
        text_add(code, "}\n\n");
    }
    if (!has_globals(program, file, false))
        return;
    text_format(code, "void __pn_output_globals_%zu(void)\n{\n", file);
    for (size_t i = 0; i < program->global_count; i++) {
        const struct program_global *global = &program->globals[i];
        if (global->file != file)
            continue;
        text_add(code, global->outputs);
        if (global->is_symbolic && !*global->outputs)
            add_output(code, input_layout_find(program->layout, global->shown_name), "__pn_memory_of_", global->name);
    }
    text_add(code, "}\n\n");
}

static void add_variables(struct text *code, const struct input_layout *layout)
{
    for (size_t i = 0; i < layout->count; i++) {
        const struct input_parameter *parameter = &layout->parameters[i];
        if (parameter->is_global)
            continue;
        text_format(code, "static %s __pn_parameter_%s", element_type(parameter), parameter->name);
        if (parameter->is_array)
            text_format(code, "[%zu]", parameter->element_count);
        text_add(code, ";\n");
    }
}

static void add_call(struct text *code, const struct program *program)
{
    text_format(code, "    %s(%s)(", program->returns_value ? "__auto_type __pn_result = " : "",
                program->request->entry);
    const struct input_layout *layout = program->layout;
    for (size_t i = 0; i < layout->count && !layout->parameters[i].is_global; i++)
        text_format(code, "%s%s__pn_parameter_%s", i > 0 ? ", " : "", layout->parameters[i].is_array ? "(void *)" : "",
                    layout->parameters[i].name);
    text_add(code, ");\n");
}

/* The entry's parameters under their own names, for expressions that the user wrote. */
static void add_assumptions(struct text *code, const struct program *program)
{
    const struct input_layout *layout = program->layout;
    if (!*program->assumptions)
        return;
    text_add(code, "    {\n");
    for (size_t i = 0; i < layout->count; i++) {
        const struct input_parameter *parameter = &layout->parameters[i];
        if (!parameter->is_global)
            text_format(code, "    __typeof__(%s) %s = %s__pn_parameter_%s;\n",
                        assumption_type(program->arena, parameter), parameter->name,
                        parameter->is_array ? "(void *)" : "", parameter->name);
    }
    text_format(code, "%s    }\n", program->assumptions);
}

/* Calls, per file that has them, the functions of add_global_functions(). */
static void add_global_calls(struct text *code, const struct program *program, bool symbolic)
{
    for (size_t file = 0; file < program->request->file_count; file++)
        if (has_globals(program, file, symbolic))
            text_format(code, "    __pn_%s_globals_%zu();\n", symbolic ? "symbolic" : "output", file);
}

static void add_harness(struct text *code, const struct program *program)
{
    const struct input_layout *layout = program->layout;
    for (size_t file = 0; file < program->request->file_count; file++)
        text_format(code, "void __pn_symbolic_globals_%zu(void);\nvoid __pn_output_globals_%zu(void);\n", file, file);
    add_variables(code, layout);
    text_format(code, "#undef %s\nvoid __pn_harness(void)\n{\n", program->request->entry);
    for (size_t i = 0; i < layout->count; i++) {
        const struct input_parameter *parameter = &layout->parameters[i];
        char address[512];
        snprintf(address, sizeof address, "&__pn_parameter_%s", parameter->name);
        if (!parameter->is_global)
            add_symbolic(code, parameter, address);
    }
    add_global_calls(code, program, true);
    add_assumptions(code, program);
    add_call(code, program);
    if (program->returns_value)
        text_add(code, program->result_outputs);
    for (size_t i = 0; i < layout->count; i++) {
        const struct input_parameter *parameter = &layout->parameters[i];
        if (!parameter->is_global && parameter->is_array)
            add_output(code, parameter, "__pn_parameter_", parameter->name);
    }
    add_global_calls(code, program, false);
    text_add(code, "}\n");
}

bool harness_write(struct program *program, const char *directory, const char **paths, struct error *error)
{
    if (!file_make_directory(directory, error))
        return false;
    bool good = true;
    for (size_t file = 0; file < program->request->file_count && good; file++) {
        struct text code = {0};
        add_source(&code, program, file);
        add_stubs(&code, program, file);
        add_global_functions(&code, program, file);
        if (file == program->entry_file)
            add_harness(&code, program);
        paths[file] = arena_format(program->arena, "%s/harness-%zu.c", directory, file);
        good = file_write(paths[file], text_string(&code), code.length, error);
        text_free(&code);
    }
    return good;
}
