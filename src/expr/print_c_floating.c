/* Floating-point operations as GNU C on bit patterns: a NaN that an operation makes is the one NaN. */
#include "expr/print.h"
#include "trace/mathematics.h"

#include <inttypes.h>

static const char *type_of(unsigned width)
{
    return width == 32 ? "float" : "double";
}

/* A variable that holds bits, as the number. */
static void print_number(struct text *text, expr_id id, unsigned width)
{
    text_format(text, "(union { uint%u_t u; %s f; }){(uint%u_t)t%" PRIu32 "}.f", width, type_of(width), width, id);
}

static void print_operands(const struct expr_table *table, const struct expr *node, const char *symbol,
                           struct text *text)
{
    unsigned width = expr_get(table, node->a)->width;
    print_number(text, node->a, width);
    text_format(text, " %s ", symbol);
    print_number(text, node->b, width);
}

static void print_call(const struct expr_table *table, const struct expr *node, const char *function, struct text *text)
{
    text_format(text, "__builtin_%s%s(", function, node->width == 32 ? "f" : "");
    for (unsigned i = 0; i < expr_arity[node->operation]; i++) {
        text_add(text, i ? ", " : "");
        print_number(text, expr_child(node, i), expr_get(table, node->a)->width);
    }
    text_add(text, ")");
}

static void write_library_call(const struct expr_table *table, const struct expr *node, struct text *text)
{
    unsigned width = expr_get(table, node->a)->width;
    enum pn_second_argument second = pn_function_second(node->c);
    text_format(text, "__builtin_%s%s(", pn_function_name(node->c), width == 32 ? "f" : "");
    print_number(text, node->a, width);
    if (second != PN_SECOND_NONE) {
        text_add(text, second == PN_SECOND_INTEGER ? ", (int)" : ", ");
        print_number(text, node->b, width);
    }
    text_add(text, ")");
}

/* What it sets errno to, which is as it was afterwards. */
static void write_error(const struct expr_table *table, const struct expr *node, struct text *text)
{
    text_add(text, "({ extern int *__errno_location(void); int before = *__errno_location(); *__errno_location() = 0; "
                   "volatile double x = ");
    write_library_call(table, node, text);
    text_add(text, "; (void)x; uint64_t set = (uint64_t)*__errno_location(); *__errno_location() = before; set; })");
}

static void print_result(const struct expr_table *table, const struct expr *node, struct text *text)
{
    static const char *const roundings[PN_ROUNDING_COUNT] = {[PN_TO_NEAREST_EVEN] = "rint",
                                                             [PN_TO_NEAREST_AWAY] = "round",
                                                             [PN_DOWN] = "floor",
                                                             [PN_UP] = "ceil",
                                                             [PN_TOWARDS_ZERO] = "trunc"};
    unsigned from = expr_get(table, node->a)->width;
    switch (node->operation) {
    case PN_FADD: print_operands(table, node, "+", text); break;
    case PN_FSUB: print_operands(table, node, "-", text); break;
    case PN_FMUL: print_operands(table, node, "*", text); break;
    case PN_FDIV: print_operands(table, node, "/", text); break;
    case PN_FMA: print_call(table, node, "fma", text); break;
    case PN_FSQRT: print_call(table, node, "sqrt", text); break;
    case PN_FCALL: write_library_call(table, node, text); break;
    case PN_FROUND: print_call(table, node, roundings[node->b], text); break;
    case PN_FCAST: print_number(text, node->a, from); break;
    case PN_SFLOAT: text_format(text, "((int64_t)(t%" PRIu32 " << %u) >> %u)", node->a, 64 - from, 64 - from); break;
    default: text_format(text, "t%" PRIu32, node->a); break;
    }
}

static void print_integer(const struct expr_table *table, const struct expr *node, struct text *text)
{
    const char *low = node->width == 32 ? "x > -0x1p31 - 1" : "x >= -0x1p63";
    text_add(text, "({ double x = ");
    print_number(text, node->a, expr_get(table, node->a)->width);
    text_format(text, "; %s && x < 0x1p%u ? (uint64_t)(int64_t)x : UINT64_C(1) << %u; })", low, node->width - 1,
                node->width - 1);
}

void print_c_floating(const struct expr_table *table, const struct expr *node, struct text *text)
{
    switch (node->operation) {
    case PN_FEQ: print_operands(table, node, "==", text); break;
    case PN_FLT: print_operands(table, node, "<", text); break;
    case PN_FLE: print_operands(table, node, "<=", text); break;
    case PN_FSINT: print_integer(table, node, text); break;
    case PN_FERROR: write_error(table, node, text); break;
    default:
        text_format(text, "({ union { %s f; uint%u_t u; } r = {(%s)(", type_of(node->width), node->width,
                    type_of(node->width));
        print_result(table, node, text);
        text_format(text, ")}; r.f != r.f ? UINT64_C(%" PRIu64 ") : r.u; })", pn_float_nan(node->width));
        break;
    }
}
