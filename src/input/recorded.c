#include "input/recorded.h"

static bool are_alike(const struct input_parameter *one, const struct input_parameter *other)
{
    bool is_floating = one->kind == INPUT_FLOATING;
    return is_floating == (other->kind == INPUT_FLOATING) && (one->kind == INPUT_NULL) == (other->kind == INPUT_NULL) &&
           (!is_floating || one->element_size == other->element_size);
}

static void convert(const struct input_parameter *from, const uint8_t *given, const struct input_parameter *to,
                    uint8_t *bytes)
{
    size_t count = from->element_count < to->element_count ? from->element_count : to->element_count;
    for (size_t i = 0; i < count; i++) {
        __int128 value = input_element(from, given, i);
        if (value >= input_lowest(to) && value <= input_highest(to))
            input_set_element(to, bytes, i, value);
    }
}

void recorded_convert(const struct recorded_inputs *recorded, size_t number, const struct input_layout *layout,
                      uint8_t *bytes)
{
    for (size_t i = 0; i < layout->count; i++) {
        const struct input_parameter *to = &layout->parameters[i],
                                     *from = input_layout_find(recorded->layout, to->name);
        if (from && are_alike(from, to))
            convert(from, recorded->list[number], to, bytes);
    }
}
