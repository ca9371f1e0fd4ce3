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

/* Bit patterns in the order of the numbers they stand for: those of negative ones are turned round. */
static expr_id in_order(struct expr_table *table, expr_id bits)
{
    unsigned width = expr_get(table, bits)->width;
    expr_id is_negative = expr_make(table, PN_ASHR, width, bits, expr_constant(table, width, width - 1), 0);
    expr_id magnitude =
        expr_make(table, PN_AND, width, is_negative, expr_constant(table, width, pn_mask(width) >> 1), 0);
    return expr_make(table, PN_XOR, width, bits, magnitude, 0);
}

/* Both zeros are the end where one is. */
static void bound_floating(const struct input_parameter *parameter, size_t element, uint64_t low, uint64_t high,
                           struct expr_table *table, struct conditions *conditions)
{
    unsigned width = parameter->element_size * 8;
    uint64_t minus_zero = UINT64_C(1) << (width - 1);
    expr_id value = in_order(table, element_expression(parameter, element, table));
    expr_id least = in_order(table, expr_constant(table, width, low == 0 ? minus_zero : low));
    expr_id greatest = in_order(table, expr_constant(table, width, high == minus_zero ? 0 : high));
    conditions_add(conditions, table, expr_make(table, PN_SLE, 1, least, value, 0), true);
    conditions_add(conditions, table, expr_make(table, PN_SLE, 1, value, greatest, 0), true);
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
