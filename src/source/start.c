#include "source/start.h"

#include "source/allocations.h"

#include <ctype.h>
#include <string.h>

/* The bytes as a C string literal. */
static void add_literal(struct text *code, const char *bytes, size_t length)
{
    text_add(code, "\"");
    for (size_t i = 0; i < length; i++)
        text_format(code, isalnum((unsigned char)bytes[i]) ? "%c" : "\\%03o", (unsigned char)bytes[i]);
    text_add(code, "\"");
}

static void add_string(struct text *code, const char *string)
{
    add_literal(code, string, strlen(string));
}

/* Room for the bytes of a channel, and behind them a zero. A variable's name and `=` lie before its value. */
static void declare_channel(struct text *code, const struct input_channel *channel, size_t number)
{
    bool is_variable = channel->kind == INPUT_CHANNEL_VARIABLE;
    size_t before = is_variable ? strlen(channel->path) + 1 : 0;
    text_format(code, "static char __pn_channel_%zu[%zu]", number, before + channel->capacity + 1);
    if (is_variable) {
        text_add(code, " = ");
        add_string(code, channel->path);
        text_add(code, " \"=\"");
    }
    text_add(code, ";\n");
    if (channel->length)
        text_format(code, "static unsigned __pn_length_%zu;\n", number);
}

static void declare(struct text *code, const struct invocation *invocation)
{
    text_add(code, "void __pn_give(const char *path, const char *bytes, const unsigned *length);\n"
                   "void __pn_set_variable(char *assignment);\n"
                   "void exit(int);\n"
                   "extern char **environ;\n"
                   "static char __pn_name[] = \"program\", __pn_locale[] = \"LC_ALL=C\";\n"
                   "static int __pn_argc = 1;\n");
    text_format(code, "static char *__pn_argv[%zu] = {__pn_name};\n", invocation->most_arguments + 2);
    for (size_t i = 0; i < invocation->count; i++)
        declare_channel(code, &invocation->channels[i], i);
    /* natively, each argument ends where its memory does */
    text_add(code, "#ifdef PENUMBRA_REPLAY\n"
                   "#define __pn_own(bytes) __builtin_strdup(bytes)\n"
                   "#else\n"
                   "#define __pn_own(bytes) (bytes)\n"
                   "#endif\n");
}

static void make_inputs(struct text *code, const struct input_channel *channel, size_t number)
{
    size_t before = channel->kind == INPUT_CHANNEL_VARIABLE ? strlen(channel->path) + 1 : 0;
    text_format(code, "    pn_symbolic(__pn_channel_%zu + %zu, %zu, ", number, before, channel->capacity);
    add_string(code, channel->name);
    text_add(code, ");\n");
    if (!channel->length)
        return;
    text_format(code, "    pn_symbolic(&__pn_length_%zu, sizeof __pn_length_%zu, ", number, number);
    add_string(code, channel->length);
    text_format(code, ");\n    pn_assume(__pn_length_%zu <= %zu);\n", number, channel->capacity);
}

static void give(struct text *code, const struct input_channel *channel, size_t number, size_t *argument)
{
    switch (channel->kind) {
    case INPUT_CHANNEL_ARGUMENT:
        ++*argument;
        text_format(code, "    if (__pn_argc > %zu)\n        __pn_argv[%zu] = __pn_own(__pn_channel_%zu);\n", *argument,
                    *argument, number);
        break;
    case INPUT_CHANNEL_VARIABLE: text_format(code, "    __pn_set_variable(__pn_channel_%zu);\n", number); break;
    case INPUT_CHANNEL_STREAM:
        text_format(code, "    __pn_give(0, __pn_channel_%zu, &__pn_length_%zu);\n", number, number);
        break;
    case INPUT_CHANNEL_FILE:
        text_add(code, "    __pn_give(");
        add_string(code, channel->path);
        text_format(code, ", __pn_channel_%zu, &__pn_length_%zu);\n", number, number);
        break;
    }
}

/* Arguments that are no inputs. */
static void fix_arguments(struct text *code, const struct invocation *invocation)
{
    size_t count = 0;
    for (; invocation->fixed[count]; count++) {
        text_format(code, "    static char __pn_fixed_%zu[] = ", count);
        add_string(code, invocation->fixed[count]);
        text_format(code, ";\n    __pn_argv[%zu] = __pn_own(__pn_fixed_%zu);\n", count + 1, count);
    }
    text_format(code, "    __pn_argc = %zu;\n", count + 1);
}

static void fix_input(struct text *code, const struct invocation *invocation)
{
    text_add(code, "    static const char __pn_fixed_input[] = ");
    add_literal(code, invocation->fixed_input, invocation->fixed_input_length);
    text_format(code, ";\n    static const unsigned __pn_fixed_length = %zu;\n", invocation->fixed_input_length);
    text_add(code, "    __pn_give(0, __pn_fixed_input, &__pn_fixed_length);\n");
}

void start_write(struct text *code, const struct program *program)
{
    static const char *const calls[] = {"", "__pn_argc", "__pn_argc, (void *)__pn_argv",
                                        "__pn_argc, (void *)__pn_argv, (void *)environ"};
    const struct invocation *invocation = program->request->invocation;
    size_t argument = 0;
    declare(code, invocation);
    allocations_define(program, code);
    text_add(code, "#undef main\n#undef exit\nvoid __pn_harness(void)\n{\n    __pn_set_variable(__pn_locale);\n");
    if (program->fails_allocations)
        text_add(code, "    pn_symbolic(&__pn_failing_allocation, 1, \"failing_allocation\");\n");
    if (invocation->fixed)
        fix_arguments(code, invocation);
    else
        text_format(code,
                    "    pn_symbolic(&__pn_argc, sizeof __pn_argc, \"argc\");\n"
                    "    pn_assume((unsigned)__pn_argc - 1 <= %zu);\n",
                    invocation->most_arguments);
    for (size_t i = 0; i < invocation->count; i++)
        make_inputs(code, &invocation->channels[i], i);
    for (size_t i = 0; i < invocation->count; i++)
        give(code, &invocation->channels[i], i, &argument);
    if (invocation->fixed_input)
        fix_input(code, invocation);
    text_format(code, program->returns_value ? "    exit((main)(%s));\n}\n" : "    (main)(%s);\n    exit(0);\n}\n",
                calls[program->main_count]);
}
