#include "source/conversions.h"

#include "source/elements.h"

#include <string.h>

static bool is_one_number(const struct input_parameter *piece)
{
    return piece && !piece->is_array && piece->kind != INPUT_NULL && !piece->bits;
}

static bool is_same_number(const struct input_parameter *one, const struct input_parameter *other)
{
    return !strcmp(element_type(one), element_type(other));
}

/* NULL: neither holds what the other does. */
static const struct input_parameter *wider_of(const struct input_parameter *old, const struct input_parameter *new)
{
    if ((old->kind == INPUT_FLOATING) != (new->kind == INPUT_FLOATING))
        return NULL;
    if (old->kind == INPUT_BOOL || new->kind == INPUT_BOOL)
        return new->kind == INPUT_BOOL ? old : new;
    return old->element_size > new->element_size ? old : new;
}

static const struct input_parameter *convert(struct arena *arena, const char *name, const struct input_parameter *old,
                                             const struct input_parameter *new, struct text *text)
{
    if (!is_one_number(old) || !is_one_number(new) || is_same_number(old, new))
        return NULL;
    const struct input_parameter *wider = wider_of(old, new);
    if (!wider)
        return NULL;
    struct input_parameter *copy = arena_allocate(arena, sizeof *copy);
    *copy = (struct input_parameter){
        .kind = wider->kind, .is_signed = wider->is_signed, .element_size = wider->element_size, .element_count = 1};
    copy->type = element_type(copy);
    copy->name = arena_copy_string(arena, name);
    text_format(text, "%s'%s' is '%s' ('%s' before, '%s' now)", text->length ? ", " : "", name, copy->type, old->type,
                new->type);
    return copy;
}

const struct conversions *conversions_find(struct arena *arena, const struct program *old, const struct program *new)
{
    struct conversions *found = arena_allocate(arena, sizeof *found);
    struct text text = {0};
    *found = (struct conversions){0};
    if (old->parameter_count != new->parameter_count)
        return NULL;
    found->parameters = arena_allocate(arena, (new->parameter_count + 1) * sizeof *found->parameters);
    for (size_t i = 0; i < new->parameter_count; i++)
        found->parameters[i] =
            convert(arena, new->parameters[i].name, input_layout_find(old->layout, new->parameters[i].name),
                    input_layout_find(new->layout, new->parameters[i].name), &text);
    found->result = convert(arena, "return", input_layout_find(old->outputs, "return"),
                            input_layout_find(new->outputs, "return"), &text);
    found->text = arena_format(arena, "each version converts: %s", text_string(&text));
    bool has_some = text.length > 0;
    text_free(&text);
    return has_some ? found : NULL;
}
