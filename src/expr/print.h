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

/* Whether people take a value's top bit for a sign, or all of it for a floating-point number. */
enum reading { READ_EITHER, READ_SIGNED, READ_UNSIGNED, READ_FLOATING };

bool find_input_part(const struct expr_table *table, const struct input_layout *layout, expr_id id,
                     struct input_part *part);
bool is_whole_element(const struct input_part *part);
/* `x`, `s[2]`, `x[byte 1]`, `x & 7`, `x >> 4 & 3`; nothing around them. */
void print_input_part(const struct input_part *part, struct text *text);
bool is_printed_as_operator(const struct input_part *part);

/* How the value is read where nothing else is said, judged by the first variable in it. */
enum reading reading_of(const struct expr_table *table, const struct input_layout *layout, expr_id id);

/* ---- print.c and print_floating.c ---- */

enum precedence {
    LOWEST,
    CHOICE,
    LOGICAL_OR,
    LOGICAL_AND,
    BIT_OR,
    BIT_XOR,
    BIT_AND,
    EQUALITY,
    ORDER,
    SHIFT,
    SUM,
    PRODUCT,
    UNARY,
    PRIMARY,
};

struct printer {
    struct expr_table *table;
    const struct input_layout *layout;
    struct text *text;
    size_t end; /* of the text: what is beyond is cut */
    bool cut;
    unsigned level;
};

/* How an operand is wanted. */
struct wanted {
    enum precedence precedence; /* at least this, or parentheses */
    enum reading reading;
    unsigned within;   /* the width of the operation that it is part of, if that is cut to it already */
    bool as_bits;      /* constants in hexadecimal */
    bool as_character; /* constants as 'a' */
    const struct input_parameter *beside; /* an element of an enumeration: constants by their names; or NULL */
};

typedef void print_operation(struct printer *printer, const struct expr *expr, struct wanted wanted);

struct row {
    print_operation *print;
    const char *symbol; /* C's */
    enum precedence precedence;
    enum reading reading; /* of the operands */
};

void print_expression(struct printer *printer, expr_id id, struct wanted wanted);
void print_sub(struct printer *printer, expr_id id, enum precedence precedence);
void print_binary(struct printer *printer, const struct expr *expr, struct wanted wanted);
void print_cast(struct printer *printer, const char *type, expr_id id, struct wanted wanted);
void print_text(struct printer *printer, const char *string);
void print_format(struct printer *printer, const char *format, ...) __attribute__((format(printf, 2, 3)));
void print_open(struct printer *printer, bool parentheses);
void print_close(struct printer *printer, bool parentheses);

/* print_floating.c */
/* Whether the value is one that people take for a floating-point number. */
bool is_floating_value(const struct printer *printer, expr_id id);
/* Other values that are used as one: constants, -x, fabs(x), choices, and bits. */
void print_as_floating(struct printer *printer, expr_id id, struct wanted wanted);
/* `x == 1.5` where the constant is the only number with its bits; false where that is not so. */
bool print_floating_equality(struct printer *printer, const struct expr *expr, bool equal, struct wanted wanted);
/* `same(x, y)` for an "or" that says that outputs are the same; false where it says something else. */
bool print_sameness(struct printer *printer, const struct expr *expr);
/* `isnan(x)`, `x != y`; false where the condition is no equality. */
bool print_floating_inequality(struct printer *printer, const struct expr *negated, struct wanted wanted);
print_operation print_floating_sum, print_floating_comparison, print_function, print_library_call, print_rounding,
    print_fused, print_floating_cast;

/* print_c_floating.c: an operation that reads or makes floating-point numbers, on operands that are called t1, t2, ...
 */
void print_c_floating(const struct expr_table *table, const struct expr *node, struct text *text);

#endif
