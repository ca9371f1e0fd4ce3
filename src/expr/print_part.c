/* Finds the names in expressions: a concatenation of an element's bytes is the element. */
#include "expr/print.h"

/* Deeper than this, nobody guesses at signs any more. */
enum { MOST_STEPS = 64 };

static bool find_leaf_part(const struct expr_table *table, const struct input_layout *layout, expr_id id,
                           struct input_part *part)
{
    const struct expr *expr = node_of(table, id);
    unsigned lowest = 0, width = expr->width;
    if (expr->operation == PN_EXTRACT) {
        lowest = expr->b;
        expr = node_of(table, expr->a);
    }
    if (expr->operation != PN_INPUT || !layout)
        return false;
    part->parameter = input_layout_at(layout, expr->a, &part->element);
    if (!part->parameter)
        return false;
    size_t start = part->parameter->offset + part->element * part->parameter->element_size;
    part->lowest = (unsigned)(expr->a - start) * 8 + lowest;
    part->width = width;
    return true;
}

bool find_input_part(const struct expr_table *table, const struct input_layout *layout, expr_id id,
                     struct input_part *part)
{
    struct input_part below;
    const struct expr *expr = node_of(table, id);
    if (expr->operation != PN_CONCAT)
        return find_leaf_part(table, layout, id, part);
    if (!find_leaf_part(table, layout, expr->a, part))
        return false;
    for (bool more = true; more; expr = node_of(table, expr->b)) {
        more = node_of(table, expr->b)->operation == PN_CONCAT;
        expr_id next = more ? node_of(table, expr->b)->a : expr->b;
        if (!find_leaf_part(table, layout, next, &below) || below.parameter != part->parameter ||
            below.element != part->element || below.lowest + below.width != part->lowest)
            return false;
        part->lowest = below.lowest;
        part->width += below.width;
    }
    return true;
}

bool is_whole_element(const struct input_part *part)
{
    return part->width == part->parameter->element_size * 8 ||
           (part->lowest == 0 && part->width == part->parameter->bits);
}

static bool is_whole_bytes(const struct input_part *part)
{
    return is_whole_element(part) || (part->lowest % 8 == 0 && part->width % 8 == 0);
}

bool is_printed_as_operator(const struct input_part *part)
{
    return !is_whole_bytes(part);
}

void print_input_part(const struct input_part *part, struct text *text)
{
    input_print_name(part->parameter, part->element, text);
    unsigned first = part->lowest / 8, last = (part->lowest + part->width) / 8 - 1;
    if (is_whole_element(part))
        return;
    if (!is_whole_bytes(part)) {
        if (part->lowest > 0)
            text_format(text, " >> %u", part->lowest);
        text_format(text, " & %#llx", (unsigned long long)pn_mask(part->width));
    } else if (first == last) {
        text_format(text, "[byte %u]", first);
    } else {
        text_format(text, "[bytes %u-%u]", first, last);
    }
}

/* What an operation says about its result; where it says nothing, its first operand that is no constant is asked. */
static const uint8_t reading_of_operation[PN_OPERATION_COUNT] = {
    [PN_UDIV] = READ_UNSIGNED, [PN_UREM] = READ_UNSIGNED, [PN_LSHR] = READ_UNSIGNED, [PN_SDIV] = READ_SIGNED,
    [PN_SREM] = READ_SIGNED,   [PN_ASHR] = READ_SIGNED,   [PN_SEXT] = READ_SIGNED,   [PN_FSINT] = READ_SIGNED,
};

static expr_id first_variable(const struct expr_table *table, const struct expr *expr)
{
    for (unsigned i = expr->operation == PN_ITE; i < expr_arity[expr->operation]; i++)
        if (node_of(table, expr_child(expr, i))->operation != PN_CONSTANT)
            return expr_child(expr, i);
    return 0;
}

enum reading reading_of(const struct expr_table *table, const struct input_layout *layout, expr_id id)
{
    struct input_part part;
    for (unsigned step = 0; step < MOST_STEPS && id; step++) {
        const struct expr *expr = node_of(table, id);
        if (find_input_part(table, layout, id, &part)) {
            if (part.parameter->kind == INPUT_BOOL || part.parameter->kind == INPUT_NULL)
                return READ_EITHER;
            if (part.parameter->kind == INPUT_FLOATING && is_whole_element(&part))
                return READ_FLOATING;
            return part.parameter->is_signed && is_whole_element(&part) ? READ_SIGNED : READ_UNSIGNED;
        }
        if (expr->width == 1 || expr->operation == PN_ZEXT || expr->operation == PN_CONCAT)
            return READ_EITHER;
        if (pn_makes_float(expr->operation))
            return READ_FLOATING;
        if (reading_of_operation[expr->operation] != READ_EITHER)
            return reading_of_operation[expr->operation];
        id = first_variable(table, expr);
    }
    return READ_EITHER;
}
