/* The C text around the program: what it declares it calls by names that begin with __pn_. */
#include "source/harness.h"
#include "base/file.h"
#include "base/places.h"
#include "source/allocations.h"
#include "source/argument_lists.h"
#include "source/outputs.h"
#include "source/start.h"
#include "source/statics.h"

#include <string.h>

static bool is_main(const struct program *program)
{
    return strcmp(program->entry, "main") == 0;
}

/* Not every file declares all of them, and the compiler would complain. */
static void add_weak_symbols(struct text *code, const struct program *program, size_t file)
{
    text_add(code, "#pragma clang diagnostic push\n#pragma clang diagnostic ignored \"-Weverything\"\n");
    if (file != program->entry_file)
        text_add(code, "#pragma weak __pn_program_main\n");
    for (size_t i = 0; i < program->unreached_count; i++)
        text_format(code, "#pragma weak %s\n", program->unreached[i]);
    for (size_t i = 0; i < program->duplicate_count; i++)
        if (program->duplicates[i].file == file)
            text_format(code, "#pragma weak %s\n", program->duplicates[i].name);
    text_add(code, "#ifdef PENUMBRA_REPLAY\n");
    for (size_t i = 0; i < program->inline_count; i++)
        if (program->inlines[i].file == file)
            text_format(code, "#pragma weak %s\n", program->inlines[i].name);
    text_add(code, "#endif\n#pragma clang diagnostic pop\n");
}

/* Native programs are built without the optimiser, so they need the bodies that others are content to inline: each file
 * has its own, weak, by declarations that make an inline function one of the file, in C99 and in GNU C. */
static void add_inlines(struct text *code, const struct program *program, size_t file)
{
    text_add(code, "#ifdef PENUMBRA_REPLAY\n");
    for (size_t i = 0; i < program->inline_count; i++) {
        const char *name = program->inlines[i].name;
        if (program->inlines[i].file == file)
            text_format(code,
                        "#pragma push_macro(\"%s\")\n#undef %s\n"
                        "extern __typeof__(%s) %s;\ninline __typeof__(%s) %s;\n"
                        "#pragma pop_macro(\"%s\")\n",
                        name, name, name, name, name, name, name);
    }
    text_add(code, "#endif\n");
}

void harness_declare_runtime(struct text *code)
{
    text_add(code,
             "void pn_symbolic(void *pointer, unsigned long size, const char *name);\n"
             "void pn_assume(int condition);\n"
             "void pn_output(const char *name, const void *pointer, unsigned long size);\n"
             "void __pn_output_floating(const char *name, const void *pointer, unsigned long size, unsigned long "
             "element);\n"
             "void pn_pointer(void *pointer, void *object, const char *name);\n"
             "void pn_output_pointer(const char *name, const void *pointer, unsigned target, unsigned long element, "
             "const char *type, unsigned long *extent);\n"
             "void __pn_output_block(const char *name, const void *pointer, unsigned long size, unsigned long "
             "element);\n"
             "const char *__pn_element_name(char *buffer, const char *pointer, unsigned long count, unsigned long "
             "index);\n"
             "void __pn_unseen(void);\n"
             "void __pn_watch_leaks(void);\n"
             "void __pn_output_leaks(const void *result, unsigned long size);\n"
             "int __pn_is_there(const void *pointer);\n"
             "void *__pn_make_block(unsigned long size);\n"
             "void *__pn_find_static(const char *symbol);\n"
             "int __pn_is_kept(const char *name, const void *pointer);\n"
             "void *__pn_open_stream(unsigned number, const char *name, const char *mode, const char *bytes, const "
             "unsigned *length);\n"
             "void pn_stream_state(void *file, long *state);\n"
             "void __pn_output_written(const char *name, void *file);\n"
             "void __pn_entry_returned(void);\n"
             "int __pn_called(unsigned long callback, const char *name);\n"
             "void __pn_called_with(const void *argument, unsigned long size);\n"
             "unsigned long __pn_readable(const void *pointer, unsigned long most, unsigned long *more);\n"
             "void __pn_output_place(const char *name, const void *pointer, const unsigned long *length);\n"
             "void __pn_output_passed(const char *name, const void *kept, unsigned long size, const unsigned long "
             "*length);\n"
             "int __pn_holds_pointers(const void *bytes, unsigned long size);\n"
             "const char *__pn_join_name(char *buffer, const char *before, const char *whole, const char *after);\n"
             "struct __pn_known {\n    const char *name;\n    const void *object;\n    unsigned long size;\n    "
             "unsigned long given;\n};\n\n");
}

/* The runtime has a main of its own, so the program's gets another symbol. As the entry it must stay `main` to the
 * compiler, which then lets it end without a return. Files of several programs may each have one: it is that of the
 * entry's file then. */
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
    /* The instrumenter asks for it: the old version is the one that runs natively. */
    text_add(code, "#ifdef PENUMBRA_EXCHANGE\n"
                   "__attribute__((used)) static const char __pn_exchanged = 1;\n"
                   "#endif\n");
    add_weak_symbols(code, program, file);
    allocations_declare(program, code);
    if (keeps_main && program->main_type)
        text_format(code, "%s __asm__(\"__pn_program_main\");\n", program->main_type);
    else if (keeps_main)
        text_format(code, "%s main(void) __asm__(\"__pn_program_main\");\n", program->returns_value ? "int" : "void");
    else
        text_add(code, "#define main __pn_program_main\n");
    /* In an #include nothing can be escaped, but there are two kinds of quotes. */
    const char *path = places_hide(program->arena, program->paths[file]);
    text_format(code, strchr(path, '"') ? "#include <%s>\n" : "#include \"%s\"\n", path);
    text_add(code, keeps_main ? "\n" : "#undef main\n\n");
    /* What is undefined from here to the end of the file would be ours, not the program's. */
    text_add(code, "#pragma clang diagnostic ignored \"-Weverything\"\n");
    add_inlines(code, program, file);
    text_add(code, "#pragma clang attribute push(__attribute__((no_sanitize(\"undefined\"))), apply_to = function)\n");
    harness_declare_runtime(code);
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

void harness_add_followers(struct text *code, const struct program *program, size_t file)
{
    for (size_t i = 0; i < program->follower_count; i++)
        if (program->followers[i].file == file)
            text_add(code, program->followers[i].declaration);
    for (size_t i = 0; i < program->follower_count; i++)
        if (program->followers[i].file == file)
            text_add(code, program->followers[i].definition);
}

/* Whether the file has globals of this kind; they are then dealt with by a function behind the file's text. */
static bool has_globals(const struct program *program, size_t file, bool symbolic)
{
    for (size_t i = 0; i < program->global_count; i++) {
        const struct program_global *global = &program->globals[i];
        if (global->file == file && (global->is_symbolic || (!symbolic && *global->outputs)))
            return true;
    }
    for (size_t i = 0; i < program->static_count; i++)
        if (program->statics[i].file == file)
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
        if (program->outputs_pointers && global->has_address)
            outputs_add_known(program, code,
                              &(struct known_row){"global", i, global->shown_name, global->name, false, false});
        text_add(code, text_string(&global->made.declarations));
    }
}

/* Statements that make too long a function for the optimiser, which takes more than proportionally longer then, become
 * several: between two of them, outside of all blocks. They speak of variables at file scope only. */
enum { LONGEST_FUNCTION = 4000 /* characters */ };

static void add_function(struct text *code, const char *name, const char *statements)
{
    struct text calls = {0};
    const char *start = statements;
    int depth = 0;
    unsigned count = 0;
    for (const char *at = statements; strlen(start) > LONGEST_FUNCTION && *at;) {
        size_t length = strcspn(at, "\n");
        for (size_t i = 0; i < length; i++)
            depth += (at[i] == '{') - (at[i] == '}');
        bool is_end = length > 0 && (at[length - 1] == ';' || at[length - 1] == '}');
        at += length + (at[length] == '\n');
        if (depth || !is_end || at - start < LONGEST_FUNCTION)
            continue;
        text_format(code, "__attribute__((noinline)) static void %s_part_%u(void)\n{\n%.*s}\n\n", name, ++count,
                    (int)(at - start), start);
        text_format(&calls, "    %s_part_%u();\n", name, count);
        start = at;
    }
    text_format(code, "void %s(void)\n{\n%s%s}\n\n", name, text_string(&calls), start);
    text_free(&calls);
}

static void add_global_functions(struct text *code, const struct program *program, size_t file)
{
    struct text symbolic = {0}, outputs = {0};
    add_global_declarations(code, program, file);
    for (size_t i = 0; i < program->global_count; i++) {
        const struct program_global *global = &program->globals[i];
        if (global->file != file)
            continue;
        text_add(&symbolic, text_string(&global->made.statements));
        text_format(&outputs, "%s%s", global->outputs, text_string(&global->made.outputs));
    }
    for (size_t i = 0; i < program->static_count; i++) {
        const struct made_input *made = &program->statics[i].made;
        if (program->statics[i].file != file)
            continue;
        text_add(code, text_string(&made->declarations));
        text_add(&symbolic, text_string(&made->statements));
        text_add(&outputs, text_string(&made->outputs));
    }
    if (has_globals(program, file, true))
        add_function(code, arena_format(program->arena, "__pn_symbolic_globals_%zu", file), text_string(&symbolic));
    if (has_globals(program, file, false))
        add_function(code, arena_format(program->arena, "__pn_output_globals_%zu", file), text_string(&outputs));
    text_free(&symbolic);
    text_free(&outputs);
}

static void add_parameters(const struct program_parameter parameters[], size_t count, struct text *code,
                           struct text *symbolic, struct text *outputs)
{
    for (size_t i = 0; i < count; i++) {
        const struct made_input *made = &parameters[i].made;
        text_add(code, text_string(&made->declarations));
        text_add(symbolic, text_string(&made->statements));
        text_add(outputs, text_string(&made->outputs));
        text_add(outputs, text_string(&made->left));
    }
}

static void add_parameter_functions(struct text *code, const struct program *program)
{
    struct text symbolic = {0}, outputs = {0};
    add_parameters(program->parameters, program->parameter_count, code, &symbolic, &outputs);
    add_parameters(program->before, program->before_count, code, &symbolic, &outputs);
    if (program->lists) {
        text_add(code, text_string(&program->lists->made.declarations));
        text_add(&symbolic, text_string(&program->lists->made.statements));
    }
    add_function(code, "__pn_symbolic_parameters", text_string(&symbolic));
    add_function(code, "__pn_output_parameters", text_string(&outputs));
    text_free(&symbolic);
    text_free(&outputs);
}

static void add_arguments(struct text *code, const struct program_parameter parameters[], size_t count)
{
    for (size_t i = 0; i < count; i++)
        text_format(code, "%s%s", i > 0 ? ", " : "", parameters[i].variable);
    text_add(code, ");\n");
}

static void add_listed_calls(struct text *code, const struct program *program)
{
    if (program->request->twice)
        argument_lists_write_calls(program, "(void)", program->before, program->before_count, code);
    if (program->returns_value)
        text_format(code, "    __typeof_unqual__(%s) __pn_result = {0};\n",
                    program->result_type ? program->result_type : program->own_result);
    argument_lists_write_calls(program, program->returns_value ? "__pn_result = " : "", program->parameters,
                               program->parameter_count, code);
}

static void add_call(struct text *code, const struct program *program)
{
    if (program->lists) {
        add_listed_calls(code, program);
        return;
    }
    const char *type = program->result_type ? program->result_type : "__auto_type";
    if (program->request->twice) {
        text_format(code, "    (void)(%s)(", program->entry);
        add_arguments(code, program->before, program->before_count);
    }
    if (program->returns_value)
        text_format(code, "    %s __pn_result = ", type);
    text_format(code, "    (%s)(", program->entry);
    add_arguments(code, program->parameters, program->parameter_count);
}

/* The entry's parameters under their own names, for expressions that the user wrote. */
static void add_assumptions(struct text *code, const struct program *program)
{
    if (!*program->assumptions)
        return;
    text_add(code, "    {\n");
    for (size_t i = 0; i < program->parameter_count; i++) {
        const struct program_parameter *parameter = &program->parameters[i];
        text_format(code, "    %s %s = %s;\n", parameter->type, parameter->name, parameter->variable);
    }
    text_format(code, "%s    }\n", program->assumptions);
}

/* Calls, per file that has them, the functions of add_global_functions(). */
static void add_global_calls(struct text *code, const struct program *program, bool symbolic)
{
    for (size_t file = 0; file < program->request->unit_count; file++)
        if (has_globals(program, file, symbolic))
            text_format(code, "    __pn_%s_globals_%zu();\n", symbolic ? "symbolic" : "output", file);
}

static void add_end(struct text *code, const struct program *program)
{
    for (size_t i = 0; i < program->parameter_count; i++)
        text_add(code, text_string(&program->parameters[i].made.ends));
    for (size_t i = 0; i < program->before_count; i++)
        text_add(code, text_string(&program->before[i].made.ends));
    text_add(code, program->returns_value ? "    __pn_output_leaks(&__pn_result, sizeof __pn_result);\n"
                                          : "    __pn_output_leaks(0, 0);\n");
}

static void add_harness(struct text *code, const struct program *program)
{
    for (size_t file = 0; file < program->request->unit_count; file++)
        text_format(code, "void __pn_symbolic_globals_%zu(void);\nvoid __pn_output_globals_%zu(void);\n", file, file);
    if (program->errno_is_input)
        text_add(code, "int *__errno_location(void);\n");
    add_parameter_functions(code, program);
    allocations_define(program, code);
    text_format(code, "#undef %s\nvoid __pn_harness(void)\n{\n%s    __pn_symbolic_parameters();\n", program->entry,
                program->request->leaks ? "    __pn_watch_leaks();\n" : "");
    add_global_calls(code, program, true);
    if (program->fails_allocations)
        text_add(code, "    pn_symbolic(&__pn_failing_allocation, 1, \"failing_allocation\");\n");
    add_assumptions(code, program);
    statics_add_errno(program, code);
    add_call(code, program);
    if (!is_main(program)) /* nobody looks at errno after that */
        text_add(code, "    __pn_entry_returned();\n");
    if (program->returns_value)
        text_add(code, program->result_outputs);
    text_add(code, "    __pn_output_parameters();\n");
    add_global_calls(code, program, false);
    if (program->request->leaks)
        add_end(code, program);
    text_add(code, "}\n");
}

bool harness_write(struct program *program, const char *directory, const char **paths, struct error *error)
{
    if (!file_make_directory(directory, error))
        return false;
    bool good = true;
    for (size_t file = 0; file < program->request->unit_count && good; file++) {
        struct text code = {0};
        add_source(&code, program, file);
        add_stubs(&code, program, file);
        harness_add_followers(&code, program, file);
        if (!program->main_type)
            add_global_functions(&code, program, file);
        if (file == program->entry_file)
            program->main_type ? start_write(&code, program) : add_harness(&code, program);
        text_add(&code, "#pragma clang attribute pop\n");
        paths[file] = arena_format(program->arena, "%s/harness-%zu.c", directory, file);
        good = file_write(paths[file], text_string(&code), code.length, error);
        text_free(&code);
    }
    return good;
}
