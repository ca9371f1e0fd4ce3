/* Conditions as C that a compiler takes: a statement expression in which every node is a variable, so that what is
 * shared is written once. All values are uint64_t, cut to their width. */
#include "expr/print.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* `(p && p->next ? `: what lies behind a NULL is not looked at. */
static bool print_guard(const struct input_parameter *parameter, const struct input_layout *layout, struct text *text)
{
    const struct input_parameter *choices[64];
    size_t count = 0;
    for (; parameter->under && count < sizeof choices / sizeof *choices; count++)
        parameter = choices[count] = &layout->parameters[parameter->under - 1];
    for (size_t i = count; i-- > 0;) {
        int length = (int)(strstr(choices[i]->name, " == NULL") - choices[i]->name);
        text_format(text, "%s%.*s", i + 1 == count ? "(" : " && ", length, choices[i]->name);
    }
    if (count)
        text_add(text, " ? ");
    return count;
}

/* One element as a number: of a floating one, the bits. */
static void print_element(const struct input_parameter *parameter, size_t element, const struct input_layout *layout,
                          struct text *text)
{
    bool is_guarded = print_guard(parameter, layout, text);
    bool is_floating = parameter->kind == INPUT_FLOATING;
    if (is_floating)
        text_format(text, "(union { %s f; uint%u_t u; }){", parameter->element_size == 4 ? "float" : "double",
                    parameter->element_size * 8);
    else
        text_add(text, "(uint64_t)");
    input_print_name(parameter, element, text);
    if (is_floating)
        text_add(text, "}.u");
    if (is_guarded)
        text_add(text, " : 0)");
}

/* The byte of an input, taken out of the parameter that holds it. */
static void print_input(uint32_t byte, const struct input_layout *layout, struct text *text)
{
    for (size_t i = 0; i < layout->count; i++) {
        const struct input_parameter *parameter = &layout->parameters[i];
        size_t size = parameter->element_size * parameter->element_count;
        if (byte < parameter->offset || byte - parameter->offset >= size)
            continue;
        size_t element = (byte - parameter->offset) / parameter->element_size;
        size_t shift = (byte - parameter->offset) % parameter->element_size * 8;
        print_element(parameter, element, layout, text);
        text_format(text, " >> %zu & 0xff", shift);
        return;
    }
    text_add(text, "0");
}

static void print_signed(struct text *text, expr_id id, unsigned width)
{
    text_format(text, "(int64_t)(t%" PRIu32 " << %u) >> %u", id, 64 - width, 64 - width);
}

static void print_signed_division(const struct expr *node, struct text *text)
{
    bool quotient = node->operation == PN_SDIV;
    text_add(text, "({ int64_t a = ");
    print_signed(text, node->a, node->width);
    text_add(text, ", b = ");
    print_signed(text, node->b, node->width);
    text_add(text, quotient
                       ? "; (uint64_t)(b == 0 ? a >= 0 ? -1 : 1 : b == -1 ? (int64_t)(0 - (uint64_t)a) : a / b); })"
                       : "; (uint64_t)(b == 0 ? a : b == -1 ? 0 : a % b); })");
}

static void print_comparison(const struct expr_table *table, const struct expr *node, struct text *text)
{
    unsigned width = expr_get(table, node->a)->width;
    text_add(text, "(");
    print_signed(text, node->a, width);
    text_add(text, node->operation == PN_SLT ? ") < (" : ") <= (");
    print_signed(text, node->b, width);
    text_add(text, ")");
}

/* The parameter of which the expression is one whole element. */
static const struct input_parameter *variable_of(const struct expr_table *table, expr_id id,
                                                 const struct input_layout *layout, size_t *element)
{
    uint32_t first;
    if (!expr_is_variable(table, id, &first))
        return NULL;
    const struct input_parameter *parameter = input_layout_at(layout, first, element);
    bool is_whole = parameter && parameter->element_size * 8 == expr_get(table, id)->width &&
                    first == parameter->offset + *element * parameter->element_size;
    return is_whole ? parameter : NULL;
}

static void print_lookup(const struct expr_table *table, const struct expr *node, struct text *text)
{
    const struct expr_constants *constants = expr_constants(table, node->b);
    text_format(text, "t%" PRIu32 " < %" PRIu32 " ? ((const uint64_t[]){", node->a, constants->count);
    for (uint32_t i = 0; i < constants->count; i++)
        text_format(text, i ? ", %" PRIu64 "u" : "%" PRIu64 "u", constants->values[i]);
    text_format(text, "})[t%" PRIu32 "] : 0", node->a);
}

static void print_node(const struct expr_table *table, expr_id id, const struct input_layout *layout, struct text *text)
{
    static const char *const infix[PN_OPERATION_COUNT] = {
        [PN_ADD] = "+", [PN_SUB] = "-", [PN_MUL] = "*", [PN_AND] = "&",  [PN_OR] = "|",
        [PN_XOR] = "^", [PN_EQ] = "==", [PN_ULT] = "<", [PN_ULE] = "<=",
    };
    const struct expr *node = expr_get(table, id);
    unsigned a = node->a, b = node->b, width = node->width;
    size_t element;
    const struct input_parameter *variable = variable_of(table, id, layout, &element);
    if (variable) {
        print_element(variable, element, layout, text);
        return;
    }
    if (pn_makes_float(node->operation) || pn_reads_float(node->operation)) {
        print_c_floating(table, node, text);
        return;
    }
    switch (node->operation) {
    case PN_CONSTANT: text_format(text, "UINT64_C(%" PRIu64 ")", node->value); break;
    case PN_INPUT: print_input(node->a, layout, text); break;
    case PN_UDIV: text_format(text, "t%u ? t%u / t%u : UINT64_MAX", b, a, b); break;
    case PN_UREM: text_format(text, "t%u ? t%u %% t%u : t%u", b, a, b, a); break;
    case PN_SDIV:
    case PN_SREM: print_signed_division(node, text); break;
    case PN_SHL: text_format(text, "t%u < %u ? t%u << t%u : 0", b, width, a, b); break;
    case PN_LSHR: text_format(text, "t%u < %u ? t%u >> t%u : 0", b, width, a, b); break;
    case PN_ASHR:
        text_add(text, "(uint64_t)((");
        print_signed(text, a, width);
        text_format(text, ") >> (t%u < %u ? t%u : %u))", b, width, b, width - 1);
        break;
    case PN_SLT:
    case PN_SLE: print_comparison(table, node, text); break;
    case PN_ZEXT: text_format(text, "t%u", a); break;
    case PN_SEXT:
        text_add(text, "(uint64_t)(");
        print_signed(text, a, expr_get(table, a)->width);
        text_add(text, ")");
        break;
    case PN_EXTRACT: text_format(text, "t%u >> %u", a, b); break;
    case PN_CONCAT: text_format(text, "t%u << %u | t%u", a, expr_get(table, b)->width, b); break;
    case PN_ITE: text_format(text, "t%u ? t%u : t%u", a, b, node->c); break;
    case PN_LOOKUP: print_lookup(table, node, text); break;
    default: text_format(text, "t%u %s t%u", a, infix[node->operation], b); break;
    }
}

/* ---- writing ---- */

/* `uint64_t t12 = (...) & ...; `, made when it is asked for first. */
struct line {
    const char *text; /* NULL: not made yet */
    uint32_t length, name_length;
    uint32_t wanted; /* the number of the latest condition in which it is */
};

static const char before_name[] = "uint64_t ";

struct expr_writer {
    struct expr_table *table;
    const struct input_layout *layout;
    struct arena *arena; /* the lines' texts */
    struct line *lines;  /* by expression */
    size_t line_capacity;
    uint32_t written;
    expr_id *wanted; /* what the condition consists of */
    size_t wanted_count, wanted_capacity;
};

struct expr_writer *expr_writer_create(struct expr_table *table, const struct input_layout *layout)
{
    struct expr_writer *writer = calloc(1, sizeof *writer);
    writer->table = table;
    writer->layout = layout;
    writer->arena = arena_create();
    return writer;
}

void expr_writer_destroy(struct expr_writer *writer)
{
    if (!writer)
        return;
    arena_destroy(writer->arena);
    free(writer->lines);
    free(writer->wanted);
    free(writer);
}

static const struct line *line_of(struct expr_writer *writer, expr_id id)
{
    struct line *line = &writer->lines[id];
    struct text text = {0};
    if (line->text)
        return line;
    text_format(&text, "%st%" PRIu32, before_name, id);
    line->name_length = (uint32_t)(text.length - strlen(before_name));
    text_add(&text, " = (");
    print_node(writer->table, id, writer->layout, &text);
    text_format(&text, ") & UINT64_C(%" PRIu64 "); ", pn_mask(expr_get(writer->table, id)->width));
    line->text = arena_copy_string(writer->arena, text_string(&text));
    line->length = (uint32_t)text.length;
    text_free(&text);
    return line;
}

static void want(struct expr_writer *writer, expr_id id)
{
    if (writer->lines[id].wanted == writer->written)
        return;
    writer->lines[id].wanted = writer->written;
    writer->wanted =
        array_reserve(writer->wanted, &writer->wanted_capacity, writer->wanted_count + 1, sizeof *writer->wanted);
    writer->wanted[writer->wanted_count++] = id;
}

/* The conditions, and what is below them, once each. Ids of children are smaller than those of their parents: in
 * ascending order everything is there before it is used. */
static void want_all(struct expr_writer *writer, const expr_id *conditions, size_t count)
{
    size_t element;
    writer->lines = array_reserve_zeroed(writer->lines, &writer->line_capacity, expr_count(writer->table) + 1,
                                         sizeof *writer->lines);
    writer->written++;
    writer->wanted_count = 0;
    for (size_t i = 0; i < count; i++)
        want(writer, conditions[i]);
    for (size_t at = 0; at < writer->wanted_count; at++) { /* the list grows meanwhile */
        const struct expr *expr = expr_get(writer->table, writer->wanted[at]);
        bool is_leaf = variable_of(writer->table, writer->wanted[at], writer->layout, &element) != NULL;
        for (unsigned i = 0; i < expr_arity[expr->operation] && !is_leaf; i++)
            want(writer, expr_child(expr, i));
    }
    expr_sort(writer->wanted, writer->wanted_count);
}

static void write_lines(struct expr_writer *writer, const expr_id *values, size_t count, struct text *text)
{
    want_all(writer, values, count);
    text_add(text, "({ ");
    for (size_t i = 0; i < writer->wanted_count; i++) {
        const struct line *line = line_of(writer, writer->wanted[i]);
        text_append(text, line->text, line->length);
    }
}

void expr_write_c_value(struct expr_writer *writer, expr_id value, struct text *text)
{
    write_lines(writer, &value, 1, text);
    const struct line *line = line_of(writer, value);
    text_append(text, line->text + strlen(before_name), line->name_length);
    text_add(text, "; })");
}

void expr_write_c(struct expr_writer *writer, const expr_id *conditions, size_t count, struct text *text)
{
    write_lines(writer, conditions, count, text);
    text_add(text, "1");
    for (size_t i = 0; i < count; i++) {
        const struct line *line = line_of(writer, conditions[i]);
        text_add(text, " && ");
        text_append(text, line->text + strlen(before_name), line->name_length);
    }
    text_add(text, "; })");
}
