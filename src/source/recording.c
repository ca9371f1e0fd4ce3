/* The copy differs from the entry's file by a declaration behind the brace that opens the entry's body:
 *
 *     int f(struct packet *p, int n)
 *     { int __pn_recorded = (__pn_record_entry(2, &p, &n), 0);
 *
 * Lines stay where they are. The function takes addresses, so that its own declaration needs none of the file's types,
 * copies what is there into the variables of the harness, and has what their pointers lead to copied into its objects,
 * from the outside to the inside; what is read of them are the inputs (recorder/calls.c). */
#include "source/recording.h"

#include "base/file.h"
#include "base/places.h"
#include "source/harness.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static bool is_in_own_file(const struct program *program)
{
    char absolute[PATH_MAX];
    return *program->body_file && realpath(program->body_file, absolute) &&
           !strcmp(absolute, program->paths[program->entry_file]);
}

static bool check(const struct program *program, const struct text *source, struct error *error)
{
    if (!is_in_own_file(program))
        return error_set(error, "its body is not in the file that is compiled");
    if (program->body_offset >= source->length || source->data[program->body_offset] != '{')
        return error_set(error, "its body begins in a macro");
    for (size_t i = 0; i < program->parameter_count; i++)
        if (!*program->parameters[i].own_name)
            return error_set(error, "a parameter has no name");
    return true;
}

static void add_call(const struct program *program, struct text *code)
{
    text_format(code, " int __pn_recorded = (__pn_record_entry(%zu", program->parameter_count);
    for (size_t i = 0; i < program->parameter_count; i++)
        text_format(code, ", &%s", program->parameters[i].own_name);
    text_add(code, "), 0);");
}

static bool write_copy(const struct program *program, const char *path, struct error *error)
{
    struct text source = {0}, copy = {0};
    const char *name = program->paths[program->entry_file];
    bool good = file_read(name, &source, error) && check(program, &source, error);
    if (good) {
        size_t split = program->body_offset + 1;
        text_format(&copy, "#line 1 \"%s\"\n", name);
        text_append(&copy, source.data, split);
        add_call(program, &copy);
        text_append(&copy, source.data + split, source.length - split);
        good = file_write(path, text_string(&copy), copy.length, error);
    }
    text_free(&source);
    text_free(&copy);
    return good;
}

static void add_declarations(const struct program *program, struct text *code)
{
    for (size_t i = 0; i < program->parameter_count; i++)
        text_add(code, text_string(&program->parameters[i].made.declarations));
    text_add(code, "int __pn_record_begin(void);\n"
                   "void __pn_record(const void *bytes, unsigned long size, const char *name);\n"
                   "void __pn_reach(void *object, unsigned long size, const void *from);\n"
                   "void __pn_record_end(void);\n\n");
}

static void add_function(const struct program *program, struct text *code)
{
    text_add(code, "void __pn_record_entry(int __pn_count, ...)\n{\n    __builtin_va_list __pn_list;\n"
                   "    if (!__pn_record_begin())\n        return;\n"
                   "    __builtin_va_start(__pn_list, __pn_count);\n");
    for (size_t i = 0; i < program->parameter_count; i++)
        text_format(code, "    __builtin_memcpy((void *)&%s, __builtin_va_arg(__pn_list, void *), sizeof %s);\n",
                    program->parameters[i].variable, program->parameters[i].variable);
    text_add(code, "    __builtin_va_end(__pn_list);\n");
    for (size_t i = 0; i < program->parameter_count; i++)
        text_add(code, text_string(&program->parameters[i].made.record));
    text_add(code, "    __pn_record_end();\n}\n");
}

bool recording_write(const struct program *program, const char *path, struct error *error)
{
    struct text code = {0};
    const char *copy = arena_format(program->arena, "%s.copy.c", path);
    if (!write_copy(program, copy, error))
        return false;
    text_format(&code,
                "/* Written by Penumbra: the source, and what records its calls. */\n"
                "void __pn_record_entry(int, ...);\n#include \"%s\"\n"
                "#pragma clang diagnostic ignored \"-Weverything\"\n",
                places_hide(program->arena, copy));
    text_add(&code, "#pragma clang attribute push(__attribute__((weak)), apply_to = function)\n");
    harness_declare_runtime(&code); /* none of it is there: functions that are made for callbacks are never called */
    text_add(&code, "#pragma clang attribute pop\n");
    harness_add_followers(&code, program, program->entry_file);
    add_declarations(program, &code);
    add_function(program, &code);
    bool good = file_write(path, text_string(&code), code.length, error);
    text_free(&code);
    return good;
}

const char *recording_flag(const struct program *program)
{
    const char *path = program->paths[program->entry_file], *slash = strrchr(path, '/');
    return arena_format(program->arena, "-iquote%.*s", slash ? (int)(slash - path) : 1, slash ? path : ".");
}
