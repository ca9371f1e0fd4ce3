/* A solver's witness is any input; people read small numbers more easily. No run is needed: the conditions say whether
 * a smaller number still shows the same. Each number moves towards zero by itself, in steps that are halved. */
#include "explore/small.h"

struct attempt {
    struct explorer *explorer;
    const struct conditions *conditions;
    uint8_t *input;
    size_t size, left; /* left: evaluations that it may still cost */
};

static bool holds(struct attempt *attempt)
{
    struct expr_table *table = attempt->explorer->table;
    attempt->left--;
    for (size_t i = 0; i < attempt->conditions->count; i++)
        if (!expr_evaluate(table, attempt->conditions->list[i], attempt->input, attempt->size))
            return false;
    return true;
}

static bool try_number(struct attempt *attempt, const struct input_parameter *parameter, size_t element, __int128 value)
{
    __int128 before = input_element(parameter, attempt->input, element);
    if (!attempt->left || value < input_lowest(parameter) || value > input_highest(parameter))
        return false;
    input_set_element(parameter, attempt->input, element, value);
    if (holds(attempt))
        return true;
    input_set_element(parameter, attempt->input, element, before);
    return false;
}

/* Zero; the same without its sign; then down by less and less. */
static void make_number_small(struct attempt *attempt, const struct input_parameter *parameter, size_t element)
{
    __int128 value = input_element(parameter, attempt->input, element);
    if (!value || try_number(attempt, parameter, element, 0))
        return;
    if (value < 0)
        try_number(attempt, parameter, element, -value);
    value = input_element(parameter, attempt->input, element);
    __int128 sign = value < 0 ? -1 : 1;
    for (__int128 step = value * sign - 1; step > 0; step /= 2)
        if (step < value * sign && try_number(attempt, parameter, element, value - sign * step))
            value -= sign * step;
}

/* Characters are left as they are: those near zero are no easier to read. So are bits of floating point, and whether
 * pointers are NULL. */
static bool is_plain_number(const struct input_parameter *parameter)
{
    return parameter->kind == INPUT_SIGNED || parameter->kind == INPUT_UNSIGNED;
}

void explorer_make_small(struct explorer *explorer, const struct conditions *conditions, uint8_t *input, size_t size)
{
    enum { MOST_TRIED = 2000 };
    const struct input_layout *layout = explorer->layout;
    struct attempt attempt = {explorer, conditions, input, size, MOST_TRIED};
    for (size_t i = 0; i < layout->count && !layout->invocation; i++) {
        const struct input_parameter *parameter = &layout->parameters[i];
        bool is_inside = parameter->offset + parameter->element_count * parameter->element_size <= size;
        for (size_t k = 0; is_inside && is_plain_number(parameter) && k < parameter->element_count; k++)
            make_number_small(&attempt, parameter, k);
    }
}
