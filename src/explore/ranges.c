/* Ranges as conditions over the input bytes. */
#include "explore/explore.h"

static expr_id element_expression(const struct input_parameter *parameter, size_t element, struct expr_table *table)
{
    uint32_t first = (uint32_t)(parameter->offset + element * parameter->element_size);
    expr_id value = expr_input(table, first);
    for (unsigned i = 1; i < parameter->element_size; i++)
        value = expr_make(table, PN_CONCAT, (i + 1) * 8, expr_input(table, first + i), value, 0);
    return value;
}

static void bound_element(const struct input_parameter *parameter, size_t element, __int128 low, __int128 high,
                          struct expr_table *table, struct conditions *conditions)
{
    unsigned width = parameter->element_size * 8;
    enum pn_operation at_most = parameter->is_signed ? PN_SLE : PN_ULE;
    expr_id value = element_expression(parameter, element, table);
    conditions_add(conditions, table,
                   expr_make(table, at_most, 1, expr_constant(table, width, (uint64_t)low), value, 0), true);
    conditions_add(conditions, table,
                   expr_make(table, at_most, 1, value, expr_constant(table, width, (uint64_t)high), 0), true);
}

/* No NaN lies in a range, and a zero at its end stands for both. */
static void bound_floating(const struct input_parameter *parameter, size_t element, uint64_t low, uint64_t high,
                           struct expr_table *table, struct conditions *conditions)
{
    unsigned width = parameter->element_size * 8;
    expr_id value = element_expression(parameter, element, table);
    expr_id least = expr_constant(table, width, low), greatest = expr_constant(table, width, high);
    conditions_add(conditions, table, expr_make(table, PN_FLE, 1, least, value, 0), true);
    conditions_add(conditions, table, expr_make(table, PN_FLE, 1, value, greatest, 0), true);
}

void range_conditions(const struct input_layout *layout, const struct input_range *ranges, size_t count,
                      struct expr_table *table, struct conditions *conditions)
{
    for (size_t i = 0; i < layout->count; i++) {
        const struct input_parameter *parameter = &layout->parameters[i];
        bool is_bounded = parameter->kind == INPUT_BOOL || parameter->kind == INPUT_NULL || parameter->bits;
        for (size_t element = 0; is_bounded && element < parameter->element_count; element++)
            bound_element(parameter, element, input_lowest(parameter), input_highest(parameter), table, conditions);
    }
    for (size_t i = 0; i < count; i++) {
        const struct input_parameter *parameter = &layout->parameters[ranges[i].parameter];
        for (size_t element = 0; element < parameter->element_count; element++)
            if (parameter->kind == INPUT_FLOATING)
                bound_floating(parameter, element, (uint64_t)ranges[i].low, (uint64_t)ranges[i].high, table,
                               conditions);
            else
                bound_element(parameter, element, ranges[i].low, ranges[i].high, table, conditions);
    }
}
