/* The inputs of a whole program's start: `argc`, and for each channel its bytes and its length. */
#include "input/invocation.h"

#include "input/seeds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void invocation_free(struct invocation *invocation)
{
    if (!invocation)
        return;
    for (size_t i = 0; i < invocation->seed_count; i++)
        free(invocation->seeds[i].contents);
    free(invocation->seeds);
    free(invocation->channels);
    text_free(&invocation->notes);
    words_free(&invocation->names);
    arena_destroy(invocation->arena);
}

struct input_channel *invocation_channel(const struct invocation *invocation, const char *name)
{
    for (size_t i = 0; i < invocation->count; i++)
        if (!strcmp(invocation->channels[i].name, name))
            return &invocation->channels[i];
    return NULL;
}

static void add_length(const struct input_channel *channel, struct input_layout *layout)
{
    struct input_parameter length = {
        .name = channel->length, .type = "unsigned", .kind = INPUT_UNSIGNED, .element_size = 4, .element_count = 1};
    if (channel->length)
        input_layout_add(layout, &length);
}

void invocation_add_inputs(const struct invocation *invocation, struct input_layout *layout)
{
    struct input_parameter count = {
        .name = "argc", .type = "int", .kind = INPUT_SIGNED, .is_signed = true, .element_size = 4, .element_count = 1};
    layout->invocation = invocation;
    if (!invocation->fixed)
        input_layout_add(layout, &count);
    for (size_t i = 0; i < invocation->count; i++) {
        const struct input_channel *channel = &invocation->channels[i];
        struct input_parameter bytes = {.name = channel->name,
                                        .type = "char[]",
                                        .kind = INPUT_CHARACTER,
                                        .is_signed = true,
                                        .is_array = true,
                                        .is_string = !channel->length,
                                        .element_size = 1,
                                        .element_count = channel->capacity};
        input_layout_add(layout, &bytes);
        add_length(channel, layout);
    }
}

static void set_number(const struct input_layout *layout, const char *name, size_t value, uint8_t *bytes)
{
    const struct input_parameter *parameter = name ? input_layout_find(layout, name) : NULL;
    if (parameter)
        input_set_element(parameter, bytes, 0, (__int128)value);
}

void invocation_fill(const struct invocation *invocation, size_t number, const struct input_layout *layout,
                     uint8_t *bytes)
{
    const struct seed *seed = &invocation->seeds[number];
    set_number(layout, "argc", seed->argument_count + 1, bytes);
    for (size_t i = 0; i < seed->count; i++) {
        const struct seed_content *content = &seed->contents[i];
        const struct input_channel *channel = invocation_channel(invocation, content->name);
        const struct input_parameter *parameter = input_layout_find(layout, content->name);
        if (!channel || !parameter)
            continue;
        memcpy(bytes + parameter->offset, content->bytes, content->length);
        set_number(layout, channel->length, content->length, bytes);
    }
}

/* ---- what an input has in a channel ---- */

bool invocation_content(const struct input_layout *layout, const struct input_channel *channel, const uint8_t *bytes,
                        struct channel_content *content)
{
    const struct input_parameter *parameter = input_layout_find(layout, channel->name);
    if (!parameter)
        return false;
    *content = (struct channel_content){.offset = parameter->offset, .capacity = parameter->element_count};
    if (channel->length)
        content->length_input = input_layout_find(layout, channel->length);
    content->length = content->length_input ? (size_t)input_element(content->length_input, bytes, 0)
                                            : strnlen((const char *)bytes + content->offset, content->capacity);
    if (content->length > content->capacity)
        content->length = content->capacity;
    return true;
}

bool invocation_argument(const struct input_layout *layout, size_t number, const uint8_t *bytes,
                         struct channel_content *content)
{
    char name[32];
    snprintf(name, sizeof name, "argv[%zu]", number);
    struct input_channel channel = {.kind = INPUT_CHANNEL_ARGUMENT, .name = name};
    return invocation_content(layout, &channel, bytes, content);
}
