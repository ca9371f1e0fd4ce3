/* Labels across calls: the caller leaves them here, the callee takes them on entry; and back with the result. */
#include "runtime/runtime.h"

#include <string.h>

uint32_t __pn_arguments_present, __pn_results_present;
label __pn_argument_labels[PN_MAXIMUM_ARGUMENTS], __pn_result_labels[PN_MAXIMUM_ARGUMENTS];
label __pn_result_label;

/* Structs that were passed by value, and where they were copied from. */
static struct block {
    uint32_t index;
    uint64_t address;
} blocks[PN_MAXIMUM_ARGUMENTS];
static uint32_t block_count;

/* Arguments behind the named ones: a label, or a block with labels. */
enum { MAXIMUM_VARIABLE_ARGUMENTS = 256, SAVED_REGISTERS_BYTES = 176 };
static struct variable {
    bool in_memory;
    uint32_t offset;
    label label;
    uint64_t address, size; /* of a block */
} variables[MAXIMUM_VARIABLE_ARGUMENTS];
static uint32_t variable_count;
static uint64_t variable_bytes; /* in the caller's frame */

static void begin_arguments(void)
{
    if (__pn_arguments_present)
        return;
    memset(__pn_argument_labels, 0, sizeof __pn_argument_labels);
    block_count = variable_count = 0;
    variable_bytes = 0;
    __pn_arguments_present = 1;
}

void __pn_slow_pass(uint32_t index, label argument)
{
    begin_arguments();
    if (index < PN_MAXIMUM_ARGUMENTS)
        __pn_argument_labels[index] = argument;
}

label pn_take_argument(uint32_t index)
{
    return __pn_arguments_present ? __pn_argument_labels[index] : 0;
}

void pn_arguments_taken(void)
{
    __pn_arguments_present = 0;
}

void pn_forget_arguments(void)
{
    __pn_arguments_present = __pn_results_present = 0;
    __pn_result_label = 0;
}

void __pn_slow_return_part(uint32_t part, label result)
{
    if (!__pn_results_present)
        memset(__pn_result_labels, 0, sizeof __pn_result_labels);
    __pn_results_present = 1;
    __pn_result_labels[part] = result;
}

static void bind_argument(label argument, uint32_t site)
{
    if (argument)
        __pn_slow_external(argument, pn_node(argument)->new_value, pn_node(argument)->width, site);
}

void pn_bind_arguments(uint32_t site)
{
    if (!__pn_arguments_present)
        return;
    for (uint32_t i = 0; i < PN_MAXIMUM_ARGUMENTS; i++)
        bind_argument(__pn_argument_labels[i], site);
    for (uint32_t i = 0; i < block_count; i++)
        __pn_slow_external_memory(blocks[i].address, site);
    for (uint32_t i = 0; i < variable_count; i++) {
        bind_argument(variables[i].label, site);
        if (variables[i].size)
            __pn_slow_external_memory(variables[i].address, site);
    }
    __pn_arguments_present = 0;
}

/* ---- structs by value ---- */

void __pn_slow_pass_block(uint32_t index, uint64_t address, uint64_t size)
{
    if (!pn_memory_has_labels(address, size))
        return;
    begin_arguments();
    blocks[block_count++] = (struct block){index, address};
}

/* The bytes are there already; for the old version they are the new one's, until its own are put over them. */
static void copy_labels(uint64_t copy, uint64_t from, uint64_t size, enum pn_side side)
{
    if (side == PN_SIDE_BOTH || pn_diverged)
        pn_memory_copy_labels(copy, from, size);
    else
        __pn_side_copy(side, copy, 0, from, 0, size, 0, 0);
}

void __pn_slow_take_block(uint32_t index, uint64_t copy, uint64_t size, uint32_t side)
{
    pn_memory_forget(copy, size);
    for (uint32_t i = 0; __pn_arguments_present && i < block_count; i++)
        if (blocks[i].index == index)
            copy_labels(copy, blocks[i].address, size, (enum pn_side)side);
}

/* ---- lists of arguments ---- */

static void pass(struct variable variable)
{
    begin_arguments();
    if (variable_count < MAXIMUM_VARIABLE_ARGUMENTS)
        variables[variable_count++] = variable;
    else
        pn_lose(PN_LOSS_DATA);
}

void __pn_slow_pass_variable(uint32_t in_memory, uint32_t offset, label argument)
{
    pass((struct variable){.in_memory = in_memory, .offset = offset, .label = argument});
}

void __pn_slow_pass_variable_block(uint32_t offset, uint64_t address, uint64_t size)
{
    if (pn_memory_has_labels(address, size))
        pass((struct variable){.in_memory = true, .offset = offset, .address = address, .size = size});
}

void __pn_slow_variable_size(uint64_t bytes_in_memory)
{
    begin_arguments();
    variable_bytes = bytes_in_memory;
}

/* A va_list of x86-64. */
struct list {
    uint32_t general_offset, vector_offset;
    uint64_t memory, saved_registers;
};

void __pn_slow_take_variable(uint64_t address)
{
    const struct list *list = (const struct list *)(uintptr_t)address;
    pn_memory_forget(list->saved_registers, SAVED_REGISTERS_BYTES);
    if (!__pn_arguments_present)
        return;
    pn_memory_forget(list->memory, variable_bytes);
    for (uint32_t i = 0; i < variable_count; i++) {
        const struct variable *variable = &variables[i];
        uint64_t to = (variable->in_memory ? list->memory : list->saved_registers) + variable->offset;
        if (variable->label)
            pn_memory_label(to, (pn_node(variable->label)->width + 7u) / 8, variable->label);
        else
            copy_labels(to, variable->address, variable->size, pn_side);
    }
    __pn_arguments_present = 0;
}
