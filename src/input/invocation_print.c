/* A start of a whole program, as a shell takes it. */
#include "input/invocation.h"

#include <ctype.h>
#include <string.h>

static bool is_plain_word(const char *word, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (!word[i] || (!isalnum((unsigned char)word[i]) && !strchr("-_=+,./:@%^", word[i])))
            return false;
    return length > 0;
}

/* As a shell takes it: in $'...' where it has to be. */
static void print_word(const char *word, size_t length, struct text *text)
{
    if (is_plain_word(word, length)) {
        text_append(text, word, length);
        return;
    }
    bool is_printable = true;
    for (size_t i = 0; i < length; i++)
        is_printable &= word[i] >= ' ' && word[i] <= '~' && word[i] != '\'';
    text_add(text, is_printable ? "'" : "$'");
    for (size_t i = 0; i < length; i++)
        if (word[i] < ' ' || word[i] > '~')
            text_format(text, "\\%03o", (unsigned char)word[i]);
        else if (!is_printable && (word[i] == '\'' || word[i] == '\\'))
            text_format(text, "\\%c", word[i]);
        else
            text_append(text, &word[i], 1);
    text_add(text, "'");
}

static void print_arguments(const struct invocation *invocation, const struct input_layout *layout,
                            const uint8_t *bytes, struct text *text)
{
    const struct input_parameter *argc = input_layout_find(layout, "argc");
    size_t count = argc ? (size_t)input_element(argc, bytes, 0) : 0;
    struct channel_content argument;
    for (size_t i = 0; invocation->fixed && invocation->fixed[i]; i++) {
        text_add(text, " ");
        print_word(invocation->fixed[i], strlen(invocation->fixed[i]), text);
    }
    for (size_t i = 1; i < count && invocation_argument(layout, i, bytes, &argument); i++) {
        text_add(text, " ");
        print_word((const char *)bytes + argument.offset, argument.length, text);
    }
}

static bool is_of_channel(const struct invocation *invocation, const char *name)
{
    for (size_t i = 0; i < invocation->count; i++) {
        const struct input_channel *channel = &invocation->channels[i];
        if (!strcmp(channel->name, name) || (channel->length && !strcmp(channel->length, name)))
            return true;
    }
    return !strcmp(name, "argc");
}

/* What is no part of the start: an allocation that fails, what memory holds that nobody has written. */
static void print_others(const struct invocation *invocation, const struct input_layout *layout, const uint8_t *bytes,
                         struct text *text)
{
    for (size_t i = 0; i < layout->count; i++) {
        const struct input_parameter *parameter = &layout->parameters[i];
        if (is_of_channel(invocation, parameter->name) || input_is_usual(parameter, bytes) ||
            (parameter->element_count == 1 && !input_element(parameter, bytes, 0)))
            continue;
        text_format(text, ", %s=", parameter->name);
        input_print_value(parameter, bytes, text);
    }
}

void invocation_print(const struct invocation *invocation, const struct input_layout *layout, const uint8_t *bytes,
                      struct text *text)
{
    text_add(text, "program");
    print_arguments(invocation, layout, bytes, text);
    for (size_t i = 0; i < invocation->count; i++) {
        const struct input_channel *channel = &invocation->channels[i];
        struct channel_content content;
        if (channel->kind == INPUT_CHANNEL_ARGUMENT || !invocation_content(layout, channel, bytes, &content) ||
            (channel->kind == INPUT_CHANNEL_STREAM && !content.length))
            continue;
        text_format(text, ", %s=", channel->name);
        print_word((const char *)bytes + content.offset, content.length, text);
    }
    print_others(invocation, layout, bytes, text);
}
