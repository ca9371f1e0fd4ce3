#include "base/set.h"
#include "input/floating.h"
#include "input/input.h"
#include "trace/uninitialised.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct input_layout *input_layout_create(void)
{
    struct arena *arena = arena_create();
    struct input_layout *layout = arena_allocate(arena, sizeof *layout);
    layout->arena = arena;
    return layout;
}

void input_layout_destroy(struct input_layout *layout)
{
    if (!layout)
        return;
    input_layout_destroy(layout->types);
    free(layout->parameters);
    free(layout->first);
    set_destroy(layout->names);
    arena_destroy(layout->arena);
}

static const struct input_constant *copy_constants(struct arena *arena, const struct input_parameter *parameter)
{
    struct input_constant *copy = arena_allocate(arena, (parameter->constant_count + 1) * sizeof *copy);
    for (size_t i = 0; i < parameter->constant_count; i++)
        copy[i] = (struct input_constant){arena_copy_string(arena, parameter->constants[i].name),
                                          parameter->constants[i].value};
    return copy;
}

/* ---- by name ---- */

static size_t number_of(const struct input_layout *layout, const char *name)
{
    return layout->names ? set_find(layout->names, name, strlen(name)) : 0;
}

/* The parameter that was added first of those with that name; NULL when it was taken away again, or none ever had it.
 */
static struct input_parameter *first_of(const struct input_layout *layout, size_t number, const char *name)
{
    bool is_known = layout->names && number < set_count(layout->names) && layout->first[number] < layout->count;
    struct input_parameter *first = is_known ? &layout->parameters[layout->first[number]] : NULL;
    return first && strcmp(first->name, name) == 0 ? first : NULL;
}

/* The last parameter is new. */
static void index_last(struct input_layout *layout)
{
    const char *name = layout->parameters[layout->count - 1].name;
    layout->names = layout->names ? layout->names : set_create();
    set_add(layout->names, name, strlen(name));
    size_t number = number_of(layout, name), known = layout->first_capacity;
    layout->first =
        array_reserve(layout->first, &layout->first_capacity, set_count(layout->names), sizeof *layout->first);
    for (size_t i = known; i < layout->first_capacity; i++)
        layout->first[i] = SIZE_MAX;
    if (!first_of(layout, number, name))
        layout->first[number] = layout->count - 1;
}

void input_layout_add(struct input_layout *layout, const struct input_parameter *parameter)
{
    layout->parameters =
        array_reserve(layout->parameters, &layout->capacity, layout->count + 1, sizeof *layout->parameters);
    struct input_parameter *copy = &layout->parameters[layout->count++];
    *copy = *parameter;
    copy->name = arena_copy_string(layout->arena, parameter->name);
    copy->type = arena_copy_string(layout->arena, parameter->type);
    copy->constants = copy_constants(layout->arena, parameter);
    copy->offset = layout->size;
    layout->size += copy->element_size * copy->element_count;
    index_last(layout);
}

void input_layout_truncate(struct input_layout *layout, size_t count)
{
    if (count >= layout->count)
        return;
    layout->size = layout->parameters[count].offset;
    layout->count = count;
}

const struct input_parameter *input_layout_find(const struct input_layout *layout, const char *name)
{
    return first_of(layout, number_of(layout, name), name);
}

/* Calls of a stub are `f()`, `f()#2`, `f()#3`: of one type. */
static const struct input_parameter *find_type(const struct input_layout *types, const char *name, size_t size)
{
    for (size_t i = 0; types && i < types->count; i++) {
        const struct input_parameter *type = &types->parameters[i];
        size_t length = strlen(type->name);
        bool is_same = strncmp(type->name, name, length) == 0 && (!name[length] || name[length] == '#');
        if (is_same && type->element_size * type->element_count == size)
            return type;
    }
    return NULL;
}

void input_layout_learn(struct input_layout *layout, const char *name, size_t size)
{
    const struct input_parameter *type = find_type(layout->types, name, size);
    struct input_parameter parameter = {
        .type = "unsigned char[]", .kind = INPUT_UNSIGNED, .is_array = true, .element_size = 1, .element_count = size};
    if (type)
        parameter = *type;
    else if (size == PN_FRESH_SIZE && strcmp(name, PN_UNINITIALISED) == 0)
        parameter = (struct input_parameter){.type = "unsigned long",
                                             .kind = INPUT_UNSIGNED,
                                             .element_size = PN_FRESH_SIZE,
                                             .element_count = 1,
                                             .is_background = true};
    parameter.name = name;
    input_layout_add(layout, &parameter);
}

const struct input_parameter *input_layout_find_null(const struct input_layout *layout, const char *name)
{
    struct text whole = {0};
    text_format(&whole, "%s == NULL", name);
    const struct input_parameter *parameter = input_layout_find(layout, text_string(&whole));
    text_free(&whole);
    return parameter && parameter->kind == INPUT_NULL ? parameter : NULL;
}

bool input_name_matches(const char *pattern, const char *name)
{
    for (; *pattern && *pattern == *name; pattern++, name++) {
        if (pattern[0] != '[' || pattern[1] != ']')
            continue;
        name += strspn(name + 1, "0123456789");
    }
    return *pattern == *name;
}

bool input_is_there(const struct input_layout *layout, const struct input_parameter *parameter, const uint8_t *bytes)
{
    while (parameter->under) {
        parameter = &layout->parameters[parameter->under - 1];
        if (bytes[parameter->offset])
            return false;
    }
    return true;
}

const struct input_parameter *input_layout_at(const struct input_layout *layout, size_t offset, size_t *element)
{
    for (size_t i = 0; i < layout->count; i++) {
        const struct input_parameter *parameter = &layout->parameters[i];
        size_t size = parameter->element_size * parameter->element_count;
        if (offset >= parameter->offset && offset - parameter->offset < size) {
            *element = (offset - parameter->offset) / parameter->element_size;
            return parameter;
        }
    }
    return NULL;
}

bool input_is_usual(const struct input_parameter *parameter, const uint8_t *bytes)
{
    return parameter->is_background && !input_element(parameter, bytes, 0);
}

static bool is_yes_or_no(const struct input_parameter *parameter)
{
    return parameter->kind == INPUT_BOOL || parameter->kind == INPUT_NULL;
}

static unsigned bits_of(const struct input_parameter *parameter)
{
    return parameter->bits ? parameter->bits : 8 * parameter->element_size;
}

__int128 input_lowest(const struct input_parameter *parameter)
{
    if (!parameter->is_signed || is_yes_or_no(parameter))
        return 0;
    return -((__int128)1 << (bits_of(parameter) - 1));
}

__int128 input_highest(const struct input_parameter *parameter)
{
    if (is_yes_or_no(parameter))
        return 1;
    return ((__int128)1 << (bits_of(parameter) - (parameter->is_signed ? 1 : 0))) - 1;
}

__int128 input_element(const struct input_parameter *parameter, const uint8_t *bytes, size_t element)
{
    uint64_t value = 0;
    memcpy(&value, bytes + parameter->offset + element * parameter->element_size, parameter->element_size);
    unsigned shift = 64 - 8 * parameter->element_size;
    return parameter->is_signed ? (__int128)((int64_t)(value << shift) >> shift) : (__int128)value;
}

void input_set_element(const struct input_parameter *parameter, uint8_t *bytes, size_t element, __int128 value)
{
    uint64_t low = (uint64_t)value;
    memcpy(bytes + parameter->offset + element * parameter->element_size, &low, parameter->element_size);
}

bool input_is_in_range(const struct input_parameter *parameter, const struct input_range *range, __int128 value)
{
    if (parameter->kind == INPUT_FLOATING)
        return floating_is_between((uint64_t)value, (uint64_t)range->low, (uint64_t)range->high,
                                   parameter->element_size);
    return value >= range->low && value <= range->high;
}

__int128 input_nearest_to_zero(const struct input_parameter *parameter, const struct input_range *range)
{
    if (input_is_in_range(parameter, range, 0))
        return 0;
    bool is_above = parameter->kind == INPUT_FLOATING
                        ? floating_value((uint64_t)range->low, parameter->element_size) > 0
                        : range->low > 0;
    return is_above ? range->low : range->high;
}

static const struct input_parameter *find_allocation(const struct input_layout *layout)
{
    for (size_t i = 0; i < layout->count; i++)
        if (layout->parameters[i].is_allocation)
            return &layout->parameters[i];
    return NULL;
}

bool input_layout_fails_allocations(const struct input_layout *layout)
{
    return find_allocation(layout);
}

bool input_fails_allocation(const struct input_layout *layout, const uint8_t *bytes)
{
    const struct input_parameter *allocation = find_allocation(layout);
    return allocation && input_element(allocation, bytes, 0);
}
