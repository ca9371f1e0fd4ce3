/* Printing, as its files see it: which piece of the input a value is, and how its bits are to be read. */
#ifndef PENUMBRA_EXPR_PRINT_H
#define PENUMBRA_EXPR_PRINT_H

#include "expr/table.h"

/* Consecutive bits of one element of the input. */
struct input_part {
    const struct input_parameter *parameter;
    size_t element;
    unsigned lowest, width; /* bits; the element is little-endian */
};

/* Whether people take a value's top bit for a sign. */
enum reading { READ_EITHER, READ_SIGNED, READ_UNSIGNED };

bool find_input_part(const struct expr_table *table, const struct input_layout *layout, expr_id id,
                     struct input_part *part);
bool is_whole_element(const struct input_part *part);
/* `x`, `s[2]`, `x[byte 1]`, `x & 7`, `x >> 4 & 3`; nothing around them. */
void print_input_part(const struct input_part *part, struct text *text);
bool is_printed_as_operator(const struct input_part *part);

/* How the value is read where nothing else is said, judged by the first variable in it. */
enum reading reading_of(const struct expr_table *table, const struct input_layout *layout, expr_id id);

#endif
