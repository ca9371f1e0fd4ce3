/* Floating point as a person would write it: `x * 0.5 < y`, `sqrt(x)`, `isnan(x)`. Where bits are meant and not the
 * number, they are called bits(x); where bits are used as a number, as_double(n). */
#include "expr/print.h"
#include "input/floating.h"
#include "trace/mathematics.h"

bool is_floating_value(const struct printer *printer, expr_id id)
{
    struct input_part part;
    if (find_input_part(printer->table, printer->layout, id, &part))
        return part.parameter->kind == INPUT_FLOATING && is_whole_element(&part);
    return pn_makes_float(node_of(printer->table, id)->operation);
}

static void print_number(struct printer *printer, uint64_t bits, unsigned width)
{
    struct text text = {0};
    floating_print(bits, width / 8, &text);
    print_text(printer, text_string(&text));
    text_free(&text);
}

static struct wanted as_floating(enum precedence precedence)
{
    return (struct wanted){.precedence = precedence, .reading = READ_FLOATING};
}

static void print_call(struct printer *printer, const char *function, unsigned width, expr_id argument)
{
    print_text(printer, function);
    print_text(printer, width == 32 ? "f(" : "(");
    print_expression(printer, argument, as_floating(LOWEST));
    print_text(printer, ")");
}

static void print_bits_as_floating(struct printer *printer, expr_id id)
{
    print_text(printer, node_of(printer->table, id)->width == 32 ? "as_float(" : "as_double(");
    print_sub(printer, id, LOWEST);
    print_text(printer, ")");
}

static void print_floating_choice(struct printer *printer, const struct expr *expr, struct wanted wanted)
{
    print_open(printer, wanted.precedence > CHOICE);
    print_sub(printer, expr->a, CHOICE + 1);
    print_text(printer, " ? ");
    print_expression(printer, expr->b, as_floating(CHOICE + 1));
    print_text(printer, " : ");
    print_expression(printer, expr->c, as_floating(CHOICE));
    print_close(printer, wanted.precedence > CHOICE);
}

void print_as_floating(struct printer *printer, expr_id id, struct wanted wanted)
{
    const struct expr *expr = node_of(printer->table, id);
    uint64_t constant = 0, sign = pn_float_sign(expr->width);
    if (expr->operation == PN_CONSTANT) {
        print_number(printer, expr->value, expr->width);
    } else if (expr->operation == PN_ITE) {
        print_floating_choice(printer, expr, wanted);
    } else if (expr->operation == PN_XOR && expr_is_constant(printer->table, expr->b, &constant) && constant == sign) {
        print_open(printer, wanted.precedence > UNARY);
        print_text(printer, "-");
        print_expression(printer, expr->a, as_floating(UNARY));
        print_close(printer, wanted.precedence > UNARY);
    } else if (expr->operation == PN_AND && expr_is_constant(printer->table, expr->b, &constant) &&
               constant == sign - 1) {
        print_call(printer, "fabs", expr->width, expr->a);
    } else {
        print_bits_as_floating(printer, id);
    }
}

/* Of all numbers only the zeros and the NaNs are said with several bit patterns. */
bool print_floating_equality(struct printer *printer, const struct expr *expr, bool equal, struct wanted wanted)
{
    uint64_t constant;
    unsigned width = node_of(printer->table, expr->a)->width;
    if (!is_floating_value(printer, expr->a) || !expr_is_constant(printer->table, expr->b, &constant) ||
        pn_float_number(constant, width) == 0 || pn_float_is_nan(constant, width))
        return false;
    print_open(printer, wanted.precedence > EQUALITY);
    print_expression(printer, expr->a, as_floating(EQUALITY + 1));
    print_text(printer, equal ? " == " : " != ");
    print_number(printer, constant, width);
    print_close(printer, wanted.precedence > EQUALITY);
    return true;
}

/* `isnan(x)`, in the condition's own form. */
static bool is_nan_of(const struct printer *printer, expr_id condition, expr_id number)
{
    const struct expr *negation = node_of(printer->table, condition);
    uint64_t constant;
    if (negation->operation != PN_XOR || !expr_is_constant(printer->table, negation->b, &constant))
        return false;
    const struct expr *equality = node_of(printer->table, negation->a);
    return equality->operation == PN_FEQ && equality->a == number && equality->b == number;
}

/* Outputs are the same when their bits are, or when both are NaN. */
bool print_sameness(struct printer *printer, const struct expr *expr)
{
    const struct expr *a = node_of(printer->table, expr->a), *b = node_of(printer->table, expr->b);
    const struct expr *equality = a->operation == PN_EQ ? a : b, *both = a->operation == PN_EQ ? b : a;
    if (equality->operation != PN_EQ || both->operation != PN_AND ||
        !((is_nan_of(printer, both->a, equality->a) && is_nan_of(printer, both->b, equality->b)) ||
          (is_nan_of(printer, both->a, equality->b) && is_nan_of(printer, both->b, equality->a))))
        return false;
    print_text(printer, "same(");
    print_expression(printer, equality->a, as_floating(LOWEST));
    print_text(printer, ", ");
    print_expression(printer, equality->b, as_floating(LOWEST));
    print_text(printer, ")");
    return true;
}

static void compare(struct printer *printer, const struct expr *expr, bool equal, struct wanted wanted)
{
    if (expr->a == expr->b) {
        print_text(printer, equal ? "!isnan(" : "isnan(");
        print_expression(printer, expr->a, as_floating(LOWEST));
        print_text(printer, ")");
        return;
    }
    print_open(printer, wanted.precedence > EQUALITY);
    print_expression(printer, expr->a, as_floating(EQUALITY + 1));
    print_text(printer, equal ? " == " : " != ");
    print_expression(printer, expr->b, as_floating(EQUALITY + 1));
    print_close(printer, wanted.precedence > EQUALITY);
}

bool print_floating_inequality(struct printer *printer, const struct expr *negated, struct wanted wanted)
{
    if (negated->operation != PN_FEQ)
        return false;
    compare(printer, negated, false, wanted);
    return true;
}

void print_floating_comparison(struct printer *printer, const struct expr *expr, struct wanted wanted)
{
    compare(printer, expr, true, wanted);
}

/* x + -8.0 is written x - 8.0 */
void print_floating_sum(struct printer *printer, const struct expr *expr, struct wanted wanted)
{
    uint64_t constant, sign = pn_float_sign(expr->width);
    if (!expr_is_constant(printer->table, expr->b, &constant) || !(constant & sign) ||
        pn_float_is_nan(constant, expr->width)) {
        print_binary(printer, expr, wanted);
        return;
    }
    print_open(printer, wanted.precedence > SUM);
    print_expression(printer, expr->a, as_floating(SUM));
    print_text(printer, " - ");
    print_number(printer, constant ^ sign, expr->width);
    print_close(printer, wanted.precedence > SUM);
}

void print_function(struct printer *printer, const struct expr *expr, struct wanted wanted)
{
    (void)wanted;
    print_call(printer, "sqrt", expr->width, expr->a);
}

/* Of two numbers; the errno of a call is said in words: there is no short way to write it in C. */
void print_library_call(struct printer *printer, const struct expr *expr, struct wanted wanted)
{
    bool is_error = expr->operation == PN_FERROR;
    enum pn_second_argument second = pn_function_second(expr->c);
    (void)wanted;
    print_text(printer, is_error ? "errno_of(" : "");
    print_text(printer, pn_function_name(expr->c));
    print_text(printer, node_of(printer->table, expr->a)->width == 32 ? "f(" : "(");
    print_expression(printer, expr->a, as_floating(LOWEST));
    if (second != PN_SECOND_NONE) {
        print_text(printer, ", ");
        print_expression(printer, expr->b, as_floating(LOWEST));
    }
    print_text(printer, is_error ? "))" : ")");
}

void print_rounding(struct printer *printer, const struct expr *expr, struct wanted wanted)
{
    static const char *const names[PN_ROUNDING_COUNT] = {[PN_TO_NEAREST_EVEN] = "rint",
                                                         [PN_TO_NEAREST_AWAY] = "round",
                                                         [PN_DOWN] = "floor",
                                                         [PN_UP] = "ceil",
                                                         [PN_TOWARDS_ZERO] = "trunc"};
    (void)wanted;
    print_call(printer, names[expr->b], expr->width, expr->a);
}

void print_fused(struct printer *printer, const struct expr *expr, struct wanted wanted)
{
    (void)wanted;
    print_text(printer, expr->width == 32 ? "fmaf(" : "fma(");
    for (unsigned i = 0; i < 3; i++) {
        print_text(printer, i ? ", " : "");
        print_expression(printer, expr_child(expr, i), as_floating(LOWEST));
    }
    print_text(printer, ")");
}

void print_floating_cast(struct printer *printer, const struct expr *expr, struct wanted wanted)
{
    bool to_integer = expr->operation == PN_FSINT;
    const char *type =
        to_integer ? (expr->width == 32 ? "(int)" : "(long)") : (expr->width == 32 ? "(float)" : "(double)");
    print_open(printer, wanted.precedence > UNARY);
    print_text(printer, type);
    if (to_integer || expr->operation == PN_FCAST)
        print_expression(printer, expr->a, as_floating(UNARY));
    else
        print_sub(printer, expr->a, UNARY);
    print_close(printer, wanted.precedence > UNARY);
}
