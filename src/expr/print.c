/* Expressions as a person would write them: C's operators and precedence, the inputs' names, casts only where the
 * operation reads the bits in another way than the variable's type does. */
#include "expr/print.h"
#include "expr/values.h"

#include <stdarg.h>
#include <stdio.h>

enum { MOST_CHARACTERS = 200, MOST_LEVELS = 16, MOST_ELEMENTS = 4 };

static print_operation print_constant, print_input, print_sum, print_difference, print_bitwise, print_xor,
    print_equality, print_order, print_extension, print_extract, print_concat, print_choice, print_lookup;

static const struct row rows[PN_OPERATION_COUNT] = {
    [PN_CONSTANT] = {print_constant, "", PRIMARY, READ_EITHER},
    [PN_INPUT] = {print_input, "", PRIMARY, READ_EITHER},
    [PN_ADD] = {print_sum, "+", SUM, READ_EITHER},
    [PN_SUB] = {print_difference, "-", SUM, READ_EITHER},
    [PN_MUL] = {print_binary, "*", PRODUCT, READ_EITHER},
    [PN_UDIV] = {print_binary, "/", PRODUCT, READ_UNSIGNED},
    [PN_SDIV] = {print_binary, "/", PRODUCT, READ_SIGNED},
    [PN_UREM] = {print_binary, "%", PRODUCT, READ_UNSIGNED},
    [PN_SREM] = {print_binary, "%", PRODUCT, READ_SIGNED},
    [PN_AND] = {print_bitwise, "&", BIT_AND, READ_EITHER},
    [PN_OR] = {print_bitwise, "|", BIT_OR, READ_EITHER},
    [PN_XOR] = {print_xor, "^", BIT_XOR, READ_EITHER},
    [PN_SHL] = {print_binary, "<<", SHIFT, READ_EITHER},
    [PN_LSHR] = {print_binary, ">>", SHIFT, READ_UNSIGNED},
    [PN_ASHR] = {print_binary, ">>", SHIFT, READ_SIGNED},
    [PN_EQ] = {print_equality, "==", EQUALITY, READ_EITHER},
    [PN_ULT] = {print_order, "<", ORDER, READ_UNSIGNED},
    [PN_ULE] = {print_order, "<=", ORDER, READ_UNSIGNED},
    [PN_SLT] = {print_order, "<", ORDER, READ_SIGNED},
    [PN_SLE] = {print_order, "<=", ORDER, READ_SIGNED},
    [PN_ZEXT] = {print_extension, "unsigned", UNARY, READ_UNSIGNED},
    [PN_SEXT] = {print_extension, "signed", UNARY, READ_SIGNED},
    [PN_EXTRACT] = {print_extract, "", UNARY, READ_EITHER},
    [PN_CONCAT] = {print_concat, "", PRIMARY, READ_EITHER},
    [PN_ITE] = {print_choice, "?", CHOICE, READ_EITHER},
    [PN_LOOKUP] = {print_lookup, "", PRIMARY, READ_EITHER},
    [PN_FADD] = {print_floating_sum, "+", SUM, READ_FLOATING},
    [PN_FSUB] = {print_binary, "-", SUM, READ_FLOATING},
    [PN_FMUL] = {print_binary, "*", PRODUCT, READ_FLOATING},
    [PN_FDIV] = {print_binary, "/", PRODUCT, READ_FLOATING},
    [PN_FMA] = {print_fused, "fma", PRIMARY, READ_FLOATING},
    [PN_FSQRT] = {print_function, "sqrt", PRIMARY, READ_FLOATING},
    [PN_FCALL] = {print_library_call, "", PRIMARY, READ_FLOATING},
    [PN_FROUND] = {print_rounding, "", PRIMARY, READ_FLOATING},
    [PN_FEQ] = {print_floating_comparison, "==", EQUALITY, READ_FLOATING},
    [PN_FLT] = {print_order, "<", ORDER, READ_FLOATING},
    [PN_FLE] = {print_order, "<=", ORDER, READ_FLOATING},
    [PN_FERROR] = {print_library_call, "", PRIMARY, READ_SIGNED},
    [PN_FCAST] = {print_floating_cast, "", UNARY, READ_FLOATING},
    [PN_SFLOAT] = {print_floating_cast, "", UNARY, READ_SIGNED},
    [PN_UFLOAT] = {print_floating_cast, "", UNARY, READ_UNSIGNED},
    [PN_FSINT] = {print_floating_cast, "", UNARY, READ_FLOATING},
};

/* Text and parentheses */

static bool is_full(struct printer *printer)
{
    printer->cut |= printer->text->length >= printer->end;
    return printer->cut;
}

void print_text(struct printer *printer, const char *string)
{
    if (!is_full(printer))
        text_add(printer->text, string);
}

void print_format(struct printer *printer, const char *format, ...)
{
    char string[64];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(string, sizeof string, format, arguments);
    va_end(arguments);
    print_text(printer, string);
}

void print_open(struct printer *printer, bool parentheses)
{
    if (parentheses)
        print_text(printer, "(");
}

void print_close(struct printer *printer, bool parentheses)
{
    if (parentheses)
        print_text(printer, ")");
}

static const char *type_name(unsigned width, enum reading reading)
{
    bool is_signed = reading == READ_SIGNED;
    switch (width) {
    case 8: return is_signed ? "signed char" : "unsigned char";
    case 16: return is_signed ? "short" : "unsigned short";
    case 32: return is_signed ? "int" : "unsigned";
    case 64: return is_signed ? "long" : "unsigned long";
    default: return NULL;
    }
}

/* Sums, products and shifts to the left are the same whether their operands are cut before or not. */
static unsigned width_within(const struct expr *expr)
{
    enum pn_operation operation = expr->operation;
    return operation == PN_ADD || operation == PN_SUB || operation == PN_MUL || operation == PN_SHL ? expr->width : 0;
}

/* C computes with int at least: a narrower result is cut, which a cast says. */
static const char *cut_to(const struct expr *expr, const struct wanted *wanted)
{
    unsigned width = width_within(expr);
    return width && width < 32 && wanted->within != width ? type_name(width, wanted->reading) : NULL;
}

static void print_node(struct printer *printer, const struct expr *expr, struct wanted wanted)
{
    const char *type = cut_to(expr, &wanted);
    bool parentheses = type && wanted.precedence > UNARY;
    print_open(printer, parentheses);
    if (type) {
        print_format(printer, "(%s)", type);
        wanted.precedence = UNARY;
    }
    rows[expr->operation].print(printer, expr, wanted);
    print_close(printer, parentheses);
}

/* `tolower(c)`, for what a model of that function computes. */
static bool print_call(struct printer *printer, expr_id id)
{
    struct element element;
    const char *function = values_function(printer->table, id, printer->layout, &element);
    if (!function)
        return false;
    print_format(printer, "%s(", function);
    input_print_name(element.parameter, element.index, printer->text);
    print_text(printer, ")");
    return true;
}

void print_expression(struct printer *printer, expr_id id, struct wanted wanted)
{
    struct input_part part;
    if (is_full(printer))
        return;
    if (printer->level == MOST_LEVELS) {
        print_text(printer, "...");
        return;
    }
    printer->level++;
    bool is_floating = is_floating_value(printer, id);
    if (is_floating && wanted.reading != READ_FLOATING) {
        print_text(printer, "bits(");
        print_expression(printer, id, (struct wanted){.precedence = LOWEST, .reading = READ_FLOATING});
        print_text(printer, ")");
    } else if (!is_floating && wanted.reading == READ_FLOATING) {
        print_as_floating(printer, id, wanted);
    } else if (find_input_part(printer->table, printer->layout, id, &part)) {
        bool parentheses = is_printed_as_operator(&part) && wanted.precedence > BIT_AND;
        print_open(printer, parentheses);
        print_input_part(&part, printer->text);
        print_close(printer, parentheses);
    } else if (!print_call(printer, id)) {
        print_node(printer, node_of(printer->table, id), wanted);
    }
    printer->level--;
}

static struct wanted plainly(enum precedence precedence)
{
    return (struct wanted){.precedence = precedence};
}

void print_sub(struct printer *printer, expr_id id, enum precedence precedence)
{
    print_expression(printer, id, plainly(precedence));
}

/* Casts */

void print_cast(struct printer *printer, const char *type, expr_id id, struct wanted wanted)
{
    print_open(printer, wanted.precedence > UNARY);
    print_text(printer, "(");
    print_text(printer, type);
    print_text(printer, ")");
    print_expression(printer, id, (struct wanted){.precedence = UNARY, .within = wanted.within});
    print_close(printer, wanted.precedence > UNARY);
}

/* An operand that must be read as signed or unsigned: a cast where it would not be. */
static void print_read(struct printer *printer, expr_id id, struct wanted wanted)
{
    enum reading natural = reading_of(printer->table, printer->layout, id);
    unsigned width = node_of(printer->table, id)->width;
    const char *type = type_name(width, wanted.reading);
    if (wanted.reading == READ_EITHER || natural == READ_EITHER || natural == wanted.reading || !type ||
        natural == READ_FLOATING || wanted.reading == READ_FLOATING)
        print_expression(printer, id, wanted);
    else
        print_cast(printer, type, id, (struct wanted){.precedence = wanted.precedence, .within = width});
}

/* Where no C type has this width, the operation's own symbol says how operands are read. */
static const char *symbol_of(const struct printer *printer, const struct expr *expr)
{
    static const char *const symbols[PN_OPERATION_COUNT] = {
#define SYMBOL(enumerator, name, arity, symbol) [enumerator] = symbol,
        PN_OPERATIONS(SYMBOL)
#undef SYMBOL
    };
    unsigned width = node_of(printer->table, expr->a)->width;
    bool plain = rows[expr->operation].reading == READ_EITHER || width == 1 || type_name(width, READ_SIGNED);
    return plain ? rows[expr->operation].symbol : symbols[expr->operation];
}

static void print_operator(struct printer *printer, const char *symbol)
{
    print_text(printer, " ");
    print_text(printer, symbol);
    print_text(printer, " ");
}

/* Leaves */

static const char *escape_of(uint64_t character)
{
    switch (character) {
    case '\0': return "'\\0'";
    case '\n': return "'\\n'";
    case '\r': return "'\\r'";
    case '\t': return "'\\t'";
    case '\\': return "'\\\\'";
    case '\'': return "'\\''";
    default: return NULL;
    }
}

static bool print_character(struct printer *printer, uint64_t value)
{
    const char *escape = escape_of(value);
    if (escape)
        print_text(printer, escape);
    else if (value >= ' ' && value <= '~')
        print_format(printer, "'%c'", (char)value);
    else
        return false;
    return true;
}

static void print_constant(struct printer *printer, const struct expr *expr, struct wanted wanted)
{
    const char *name = wanted.beside ? values_name(wanted.beside, expr->width, expr->value) : NULL;
    if (name) {
        print_text(printer, name);
        return;
    }
    if (wanted.as_character && print_character(printer, expr->value))
        return;
    if (wanted.as_bits && expr->value > 9)
        print_format(printer, "%#llx", (unsigned long long)expr->value);
    else if (expr->width == 1 || wanted.as_bits || wanted.reading == READ_UNSIGNED)
        print_format(printer, "%llu", (unsigned long long)expr->value);
    else
        print_format(printer, "%lld", (long long)pn_signed(expr->value, expr->width));
}

static void print_input(struct printer *printer, const struct expr *expr, struct wanted wanted)
{
    (void)wanted;
    print_format(printer, "input[%u]", expr->a);
}

/* Arithmetic */

/* The second operand: without parentheses also where it is the same operation and that is associative. */
static enum precedence right_precedence(const struct printer *printer, const struct expr *expr)
{
    enum pn_operation operation = expr->operation;
    bool associative =
        operation == PN_ADD || operation == PN_MUL || operation == PN_AND || operation == PN_OR || operation == PN_XOR;
    bool same = node_of(printer->table, expr->b)->operation == operation;
    return rows[operation].precedence + !(associative && same);
}

void print_binary(struct printer *printer, const struct expr *expr, struct wanted wanted)
{
    const struct row *row = &rows[expr->operation];
    bool parentheses = wanted.precedence > row->precedence;
    print_open(printer, parentheses);
    print_read(printer, expr->a,
               (struct wanted){.precedence = row->precedence, .reading = row->reading, .within = width_within(expr)});
    print_operator(printer, symbol_of(printer, expr));
    bool is_distance = row->precedence == SHIFT;
    print_read(printer, expr->b,
               (struct wanted){.precedence = right_precedence(printer, expr),
                               .reading = is_distance ? READ_EITHER : row->reading,
                               .within = is_distance ? 0 : width_within(expr)});
    print_close(printer, parentheses);
}

/* x + -8 is written x - 8 */
static void print_sum(struct printer *printer, const struct expr *expr, struct wanted wanted)
{
    uint64_t constant;
    if (!expr_is_constant(printer->table, expr->b, &constant) || pn_signed(constant, expr->width) >= 0) {
        print_binary(printer, expr, wanted);
        return;
    }
    print_open(printer, wanted.precedence > SUM);
    print_expression(printer, expr->a, (struct wanted){.precedence = SUM, .within = expr->width});
    print_format(printer, " - %llu", (unsigned long long)((0 - constant) & pn_mask(expr->width)));
    print_close(printer, wanted.precedence > SUM);
}

static void print_prefixed(struct printer *printer, const char *symbol, expr_id id, struct wanted wanted)
{
    print_open(printer, wanted.precedence > UNARY);
    print_text(printer, symbol);
    print_sub(printer, id, UNARY);
    print_close(printer, wanted.precedence > UNARY);
}

static void print_difference(struct printer *printer, const struct expr *expr, struct wanted wanted)
{
    uint64_t constant;
    if (expr_is_constant(printer->table, expr->a, &constant) && constant == 0)
        print_prefixed(printer, "-", expr->b, wanted);
    else
        print_binary(printer, expr, wanted);
}

/* Conditions and bits */

static void print_bits(struct printer *printer, const struct expr *expr, struct wanted wanted)
{
    enum precedence precedence = rows[expr->operation].precedence;
    print_open(printer, wanted.precedence > precedence);
    print_expression(printer, expr->a, (struct wanted){.precedence = precedence, .as_bits = true});
    print_operator(printer, rows[expr->operation].symbol);
    print_expression(printer, expr->b, (struct wanted){.precedence = right_precedence(printer, expr), .as_bits = true});
    print_close(printer, wanted.precedence > precedence);
}

static void print_logical(struct printer *printer, const struct expr *expr, const char *symbol,
                          enum precedence precedence, struct wanted wanted)
{
    print_open(printer, wanted.precedence > precedence);
    print_sub(printer, expr->a, precedence);
    print_operator(printer, symbol);
    print_sub(printer, expr->b, precedence);
    print_close(printer, wanted.precedence > precedence);
}

static void print_bitwise(struct printer *printer, const struct expr *expr, struct wanted wanted)
{
    if (expr->width > 1)
        print_bits(printer, expr, wanted);
    else if (expr->operation == PN_AND)
        print_logical(printer, expr, "&&", LOGICAL_AND, wanted);
    else if (!print_sameness(printer, expr))
        print_logical(printer, expr, "||", LOGICAL_OR, wanted);
}

/* The element whose type decides how a constant beside it is written. */
static bool find_element(const struct printer *printer, expr_id id, struct input_part *part)
{
    const struct expr *expr = node_of(printer->table, id);
    if (expr->operation == PN_ZEXT || expr->operation == PN_SEXT)
        id = expr->a;
    return find_input_part(printer->table, printer->layout, id, part) && is_whole_element(part);
}

static bool is_bool(const struct printer *printer, expr_id id)
{
    struct input_part part;
    return find_element(printer, id, &part) &&
           (part.parameter->kind == INPUT_BOOL || part.parameter->kind == INPUT_NULL);
}

/* A single unsigned char is a small number, most of the time. */
static bool is_character(const struct printer *printer, expr_id id)
{
    struct input_part part;
    return find_element(printer, id, &part) && part.parameter->kind == INPUT_CHARACTER &&
           (part.parameter->is_signed || part.parameter->is_array);
}

/* How a constant beside it is to be read; bits are compared, whatever they stand for. */
static enum reading reading_beside(const struct printer *printer, expr_id id)
{
    enum reading reading = reading_of(printer->table, printer->layout, id);
    return reading == READ_FLOATING ? READ_UNSIGNED : reading;
}

static void print_equality_as(struct printer *printer, const struct expr *expr, bool equal, struct wanted wanted)
{
    uint64_t constant;
    bool has_constant = expr_is_constant(printer->table, expr->b, &constant);
    if (has_constant && constant <= 1 && is_bool(printer, expr->a)) {
        if (equal == (constant == 1))
            print_expression(printer, expr->a, wanted);
        else
            print_prefixed(printer, "!", expr->a, wanted);
        return;
    }
    if (print_floating_equality(printer, expr, equal, wanted))
        return;
    struct element element;
    struct input_part part;
    const char *function = values_function(printer->table, expr->a, printer->layout, &element);
    if (function && has_constant && constant == 0) { /* isdigit(c) */
        if (equal)
            print_prefixed(printer, "!", expr->a, wanted);
        else
            print_sub(printer, expr->a, wanted.precedence);
        return;
    }
    print_open(printer, wanted.precedence > EQUALITY);
    print_sub(printer, expr->a, SHIFT); /* (a > 5) != (b > 5): few know which binds stronger */
    print_operator(printer, equal ? "==" : "!=");
    print_expression(printer, expr->b,
                     (struct wanted){.precedence = SHIFT,
                                     .reading = reading_beside(printer, expr->a),
                                     .as_character = function || is_character(printer, expr->a),
                                     .beside = find_element(printer, expr->a, &part) ? part.parameter : NULL});
    print_close(printer, wanted.precedence > EQUALITY);
}

static void print_equality(struct printer *printer, const struct expr *expr, struct wanted wanted)
{
    print_equality_as(printer, expr, true, wanted);
}

static void print_xor(struct printer *printer, const struct expr *expr, struct wanted wanted)
{
    uint64_t constant = 0;
    bool flips_all = expr_is_constant(printer->table, expr->b, &constant) && constant == pn_mask(expr->width);
    const struct expr *a = node_of(printer->table, expr->a);
    if (flips_all && expr->width == 1 && print_floating_inequality(printer, a, wanted))
        return;
    if (flips_all && expr->width == 1 && a->operation == PN_EQ)
        print_equality_as(printer, a, false, wanted);
    else if (flips_all)
        print_prefixed(printer, expr->width == 1 ? "!" : "~", expr->a, wanted);
    else if (expr->width == 1)
        print_equality_as(printer, expr, false, wanted);
    else
        print_bits(printer, expr, wanted);
}

/* A constant is written on the right: 4 <= x as x >= 4. */
static void print_order(struct printer *printer, const struct expr *expr, struct wanted wanted)
{
    const struct row *row = &rows[expr->operation];
    bool exchange = node_of(printer->table, expr->a)->operation == PN_CONSTANT;
    expr_id left = exchange ? expr->b : expr->a, right = exchange ? expr->a : expr->b;
    const char *symbol = symbol_of(printer, expr);
    print_open(printer, wanted.precedence > ORDER);
    struct wanted operand = {.precedence = ORDER + 1, .reading = row->reading};
    print_read(printer, left, operand);
    print_text(printer, exchange ? " >" : " <");
    print_text(printer, symbol + 1);
    print_text(printer, " ");
    operand.as_character = is_character(printer, left);
    print_read(printer, right, operand);
    print_close(printer, wanted.precedence > ORDER);
}

/* Parts and choices */

/* C extends by itself, in the way of the operand's type. */
static void print_extension(struct printer *printer, const struct expr *expr, struct wanted wanted)
{
    unsigned narrow = node_of(printer->table, expr->a)->width;
    enum reading natural = reading_of(printer->table, printer->layout, expr->a);
    bool is_signed = expr->operation == PN_SEXT;
    const char *type = type_name(narrow, is_signed ? READ_SIGNED : READ_UNSIGNED);
    if (narrow == 1 && is_signed)
        print_prefixed(printer, "-", expr->a, wanted);
    else if (!type || (is_signed ? natural == READ_SIGNED : natural != READ_SIGNED))
        print_expression(printer, expr->a, wanted);
    else
        print_cast(printer, type, expr->a, wanted);
}

static void print_extract(struct printer *printer, const struct expr *expr, struct wanted wanted)
{
    enum reading natural = reading_of(printer->table, printer->layout, expr->a);
    const char *type = type_name(expr->width, natural == READ_UNSIGNED ? READ_UNSIGNED : READ_SIGNED);
    if (expr->b == 0 && type) {
        print_cast(printer, type, expr->a, wanted);
        return;
    }
    print_open(printer, wanted.precedence > BIT_AND);
    print_sub(printer, expr->a, SHIFT);
    if (expr->b > 0)
        print_format(printer, " >> %u", expr->b);
    print_format(printer, " & %#llx", (unsigned long long)pn_mask(expr->width));
    print_close(printer, wanted.precedence > BIT_AND);
}

static void print_concat(struct printer *printer, const struct expr *expr, struct wanted wanted)
{
    print_open(printer, wanted.precedence > BIT_OR);
    print_sub(printer, expr->a, SHIFT);
    print_format(printer, " << %u | ", node_of(printer->table, expr->b)->width);
    print_sub(printer, expr->b, BIT_OR);
    print_close(printer, wanted.precedence > BIT_OR);
}

static void print_choice(struct printer *printer, const struct expr *expr, struct wanted wanted)
{
    print_open(printer, wanted.precedence > CHOICE);
    print_sub(printer, expr->a, CHOICE + 1);
    print_text(printer, " ? ");
    print_sub(printer, expr->b, CHOICE + 1);
    print_text(printer, " : ");
    print_sub(printer, expr->c, CHOICE);
    print_close(printer, wanted.precedence > CHOICE);
}

/* A table has no name any more: its first elements tell which it is. */
static void print_lookup(struct printer *printer, const struct expr *expr, struct wanted wanted)
{
    const struct expr_constants *constants = expr_constants(printer->table, expr->b);
    print_text(printer, "{");
    for (uint32_t i = 0; i < constants->count && i < MOST_ELEMENTS; i++) {
        print_text(printer, i ? ", " : "");
        if (wanted.reading == READ_UNSIGNED)
            print_format(printer, "%llu", (unsigned long long)constants->values[i]);
        else
            print_format(printer, "%lld", (long long)pn_signed(constants->values[i], expr->width));
    }
    print_text(printer, constants->count > MOST_ELEMENTS ? ", ...}[" : "}[");
    print_sub(printer, expr->a, LOWEST);
    print_text(printer, "]");
}

void expr_print(struct expr_table *table, expr_id id, const struct input_layout *layout, struct text *text)
{
    struct printer printer = {.table = table, .layout = layout, .text = text, .end = text->length + MOST_CHARACTERS};
    print_expression(&printer, id, plainly(LOWEST));
    if (printer.cut)
        text_add(text, "...");
}
