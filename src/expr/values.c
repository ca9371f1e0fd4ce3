/* Sets of values. Of a byte all 256 are tried; of wider elements comparisons with constants are followed, also of
 * extensions and of sums with constants, through "and", "or", "not" and choices. */
#include "expr/values.h"

#include "expr/table.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { BYTE_VALUES = 256, MOST_LEVELS = 24 };

/* ---- sets ---- */

static bool add(struct value_set *set, uint64_t low, uint64_t high)
{
    if (set->count && set->intervals[set->count - 1].high + 1 == low) {
        set->intervals[set->count - 1].high = high;
        return true;
    }
    if (set->count == VALUES_MOST)
        return false;
    set->intervals[set->count].low = low;
    set->intervals[set->count++].high = high;
    return true;
}

bool values_intersect(const struct value_set *one, const struct value_set *other, struct value_set *both)
{
    struct value_set result = {.width = one->width};
    for (size_t i = 0, k = 0; i < one->count && k < other->count;) {
        uint64_t low =
            one->intervals[i].low > other->intervals[k].low ? one->intervals[i].low : other->intervals[k].low;
        bool ends = one->intervals[i].high < other->intervals[k].high;
        uint64_t high = ends ? one->intervals[i].high : other->intervals[k].high;
        if (low <= high && !add(&result, low, high))
            return false;
        i += ends, k += !ends;
    }
    *both = result;
    return true;
}

static bool complement(const struct value_set *set, struct value_set *others)
{
    struct value_set result = {.width = set->width};
    uint64_t next = 0, most = pn_mask(set->width);
    for (size_t i = 0; i < set->count; i++) {
        if (set->intervals[i].low > next && !add(&result, next, set->intervals[i].low - 1))
            return false;
        if (set->intervals[i].high == most) {
            *others = result;
            return true;
        }
        next = set->intervals[i].high + 1;
    }
    if (!add(&result, next, most))
        return false;
    *others = result;
    return true;
}

static bool unite(const struct value_set *one, const struct value_set *other, struct value_set *either)
{
    struct value_set a, b;
    return complement(one, &a) && complement(other, &b) && values_intersect(&a, &b, &a) && complement(&a, either);
}

bool values_are_all(const struct value_set *set)
{
    return set->count == 1 && set->intervals[0].low == 0 && set->intervals[0].high == pn_mask(set->width);
}

bool values_are_same(const struct value_set *one, const struct value_set *other)
{
    if (one->width != other->width || one->count != other->count)
        return false;
    for (size_t i = 0; i < one->count; i++)
        if (one->intervals[i].low != other->intervals[i].low || one->intervals[i].high != other->intervals[i].high)
            return false;
    return true;
}

bool values_have(const struct value_set *set, uint64_t value)
{
    for (size_t i = 0; i < set->count; i++)
        if (value >= set->intervals[i].low && value <= set->intervals[i].high)
            return true;
    return false;
}

/* ---- what a condition says of a wide element ---- */

static bool read_condition(const struct expr_table *table, expr_id id, uint32_t first, unsigned level,
                           struct value_set *set);

/* From `low` on upwards to `high`, beyond the largest number where that is smaller. */
static bool set_circle(unsigned width, uint64_t low, uint64_t high, struct value_set *set)
{
    *set = (struct value_set){.width = width};
    if (low <= high)
        return add(set, low, high);
    return add(set, 0, high) && add(set, low, pn_mask(width));
}

/* The values of the compared operand, of its own width. */
static bool compared(enum pn_operation operation, unsigned width, uint64_t constant, bool is_first,
                     struct value_set *set)
{
    bool is_signed = operation == PN_SLT || operation == PN_SLE, is_strict = operation == PN_ULT || operation == PN_SLT;
    uint64_t least = is_signed ? UINT64_C(1) << (width - 1) : 0, most = (least - 1) & pn_mask(width);
    *set = (struct value_set){.width = width};
    if (operation == PN_EQ)
        return add(set, constant, constant);
    if (is_strict && constant == (is_first ? least : most))
        return true; /* nothing is smaller, or larger */
    if (is_first)
        return set_circle(width, least, (constant - is_strict) & pn_mask(width), set);
    return set_circle(width, (constant + is_strict) & pn_mask(width), most, set);
}

/* Values of the operand before it was extended. */
static bool before_extension(const struct value_set *wide, bool is_signed, unsigned width, struct value_set *set)
{
    uint64_t half = is_signed ? UINT64_C(1) << (width - 1) : 0;
    struct value_set low = {.width = wide->width}, high = low;
    uint64_t moved = (pn_mask(wide->width) & ~pn_mask(width)) | half; /* what the upper half has become */
    if (!is_signed) {
        add(&low, 0, pn_mask(width));
        if (!values_intersect(wide, &low, set))
            return false;
        set->width = width;
        return true;
    }
    add(&low, 0, half - 1), add(&high, moved, pn_mask(wide->width));
    if (!values_intersect(wide, &low, &low) || !values_intersect(wide, &high, &high))
        return false;
    *set = low;
    set->width = width;
    for (size_t i = 0; i < high.count; i++)
        if (!add(set, high.intervals[i].low & pn_mask(width), high.intervals[i].high & pn_mask(width)))
            return false;
    return true;
}

/* Values of the operand before a constant was added. */
static bool before_sum(const struct value_set *sums, uint64_t constant, struct value_set *set)
{
    uint64_t mask = pn_mask(sums->width);
    struct value_set result = {.width = sums->width};
    if (values_are_all(sums)) {
        *set = *sums;
        return true;
    }
    for (size_t i = 0; i < sums->count; i++) {
        struct value_set piece;
        if (!set_circle(sums->width, (sums->intervals[i].low - constant) & mask,
                        (sums->intervals[i].high - constant) & mask, &piece) ||
            !unite(&result, &piece, &result))
            return false;
    }
    *set = result;
    return true;
}

/* What the element itself is where an operand made of it is in a set. */
static bool before(const struct expr_table *table, expr_id id, uint32_t first, unsigned width, struct value_set *set)
{
    for (unsigned level = 0; level < MOST_LEVELS; level++) {
        const struct expr *expr = node_of(table, id);
        uint64_t constant;
        uint32_t at;
        if (expr_is_variable(table, id, &at))
            return at == first && expr->width == width;
        if (expr->operation == PN_ZEXT || expr->operation == PN_SEXT) {
            if (!before_extension(set, expr->operation == PN_SEXT, node_of(table, expr->a)->width, set))
                return false;
        } else if (expr->operation != PN_ADD || !expr_is_constant(table, expr->b, &constant) ||
                   !before_sum(set, constant, set)) {
            return false;
        }
        id = expr->a;
    }
    return false;
}

static bool read_comparison(const struct expr_table *table, const struct expr *expr, uint32_t first,
                            struct value_set *set)
{
    uint64_t constant;
    bool is_first = expr_is_constant(table, expr->b, &constant);
    if (!is_first && !expr_is_constant(table, expr->a, &constant))
        return false;
    expr_id operand = is_first ? expr->a : expr->b;
    unsigned width = set->width;
    return compared(expr->operation, node_of(table, operand)->width, constant, is_first, set) &&
           before(table, operand, first, width, set);
}

static bool combine(enum pn_operation operation, const struct value_set *a, const struct value_set *b,
                    struct value_set *set)
{
    struct value_set not_a, not_b, one, other;
    if (operation == PN_AND)
        return values_intersect(a, b, set);
    if (operation == PN_OR)
        return unite(a, b, set);
    return complement(a, &not_a) && complement(b, &not_b) && values_intersect(a, &not_b, &one) &&
           values_intersect(&not_a, b, &other) && unite(&one, &other, set);
}

static bool read_choice(const struct expr_table *table, const struct expr *expr, uint32_t first, unsigned level,
                        struct value_set *set)
{
    struct value_set chooser, others, on_true, on_false;
    return read_condition(table, expr->a, first, level, &chooser) && complement(&chooser, &others) &&
           read_condition(table, expr->b, first, level, &on_true) &&
           read_condition(table, expr->c, first, level, &on_false) && values_intersect(&chooser, &on_true, &on_true) &&
           values_intersect(&others, &on_false, &on_false) && unite(&on_true, &on_false, set);
}

/* `set->width` is that of the element. */
static bool read_condition(const struct expr_table *table, expr_id id, uint32_t first, unsigned level,
                           struct value_set *set)
{
    const struct expr *expr = node_of(table, id);
    struct value_set a = {.width = set->width}, b = a;
    if (level == MOST_LEVELS || expr->width != 1)
        return false;
    switch (expr->operation) {
    case PN_CONSTANT: set->count = 0; return !expr->value || add(set, 0, pn_mask(set->width));
    case PN_EQ:
        if (node_of(table, expr->a)->width > 1)
            return read_comparison(table, expr, first, set);
        return read_condition(table, expr->a, first, level + 1, &a) &&
               read_condition(table, expr->b, first, level + 1, &b) && combine(PN_XOR, &a, &b, &a) &&
               complement(&a, set);
    case PN_ULT:
    case PN_ULE:
    case PN_SLT:
    case PN_SLE: return read_comparison(table, expr, first, set);
    case PN_AND:
    case PN_OR:
    case PN_XOR:
        return read_condition(table, expr->a, first, level + 1, &a) &&
               read_condition(table, expr->b, first, level + 1, &b) && combine(expr->operation, &a, &b, set);
    case PN_ITE: return read_choice(table, expr, first, level + 1, set);
    default: return false;
    }
}

/* ---- of a byte ---- */

static void try_bytes(struct expr_table *table, expr_id id, uint32_t byte, uint64_t *values)
{
    uint8_t *input = calloc(byte + 1, 1);
    for (unsigned i = 0; i < BYTE_VALUES; i++) {
        input[byte] = (uint8_t)i;
        values[i] = expr_evaluate(table, id, input, byte + 1);
    }
    free(input);
}

static bool read_byte(struct expr_table *table, expr_id condition, uint32_t byte, struct value_set *set)
{
    uint64_t values[BYTE_VALUES];
    try_bytes(table, condition, byte, values);
    for (unsigned i = 0; i < BYTE_VALUES; i++)
        if (values[i] && !add(set, i, i))
            return false;
    return true;
}

static bool find_element(struct expr_table *table, expr_id id, const struct input_layout *layout,
                         struct element *element)
{
    size_t count;
    const uint32_t *bytes = expr_support(table, id, &count);
    if (!layout || !count || count > sizeof(uint64_t))
        return false;
    element->parameter = input_layout_at(layout, bytes[0], &element->index);
    if (!element->parameter || element->parameter->bits)
        return false;
    unsigned size = element->parameter->element_size;
    element->first = (uint32_t)(element->parameter->offset + element->index * size);
    return bytes[count - 1] < element->first + size;
}

bool values_of(struct expr_table *table, expr_id condition, const struct input_layout *layout, struct element *element,
               struct value_set *set)
{
    if (node_of(table, condition)->width != 1 || !find_element(table, condition, layout, element))
        return false;
    enum input_kind kind = element->parameter->kind;
    if (kind != INPUT_SIGNED && kind != INPUT_UNSIGNED && kind != INPUT_CHARACTER)
        return false;
    *set = (struct value_set){.width = element->parameter->element_size * 8};
    return set->width == 8 ? read_byte(table, condition, element->first, set)
                           : read_condition(table, condition, element->first, 0, set);
}

/* ---- functions of <ctype.h> ---- */

static const struct {
    const char *name;
    int (*is)(int);
} kinds[] = {
    {"isdigit", isdigit}, {"isalpha", isalpha}, {"isspace", isspace},   {"isalnum", isalnum},
    {"isupper", isupper}, {"islower", islower}, {"isxdigit", isxdigit}, {"ispunct", ispunct},
    {"isprint", isprint}, {"isgraph", isgraph}, {"isblank", isblank},   {"iscntrl", iscntrl},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* In the "C" locale, which is ours too where it matters: no byte above 127 is of any kind. */
static bool is_of_kind(size_t kind, unsigned byte)
{
    return byte < 128 && kinds[kind].is((int)byte);
}

static bool is_other_case(const uint64_t *values, int (*function)(int))
{
    for (unsigned i = 0; i < 128; i++)
        if (values[i] != (uint64_t)function((int)i))
            return false;
    for (unsigned i = 128; i < BYTE_VALUES;
         i++) /* of a char that is negative, glibc makes the byte that it is, but of -1 */
        if (values[i] != i && !(i == 255 && values[i] == UINT32_MAX))
            return false;
    return true;
}

static bool is_kind(const uint64_t *values, size_t kind)
{
    uint64_t positive = 0;
    for (unsigned i = 0; i < BYTE_VALUES; i++) {
        if (!values[i] == is_of_kind(kind, i) || (values[i] && positive && values[i] != positive))
            return false;
        positive = values[i] ? values[i] : positive;
    }
    return positive > 1;
}

/* More than such a function would be made of: whoever prints a long expression asks for each part of it. */
static bool is_long(struct expr_table *table, expr_id value)
{
    enum { MOST_NODES = 200 };
    uint64_t before = expr_evaluation_work(table);
    expr_evaluate(table, value, NULL, 0);
    return expr_evaluation_work(table) - before > MOST_NODES;
}

const char *values_function(struct expr_table *table, expr_id value, const struct input_layout *layout,
                            struct element *element)
{
    uint64_t values[BYTE_VALUES];
    const struct expr *expr = node_of(table, value);
    if (expr->width != 32 || expr->operation == PN_ZEXT || expr->operation == PN_SEXT || expr->operation == PN_CONCAT ||
        !find_element(table, value, layout, element) || element->parameter->kind != INPUT_CHARACTER ||
        element->parameter->element_size != 1)
        return NULL;
    if (is_long(table, value))
        return NULL;
    try_bytes(table, value, element->first, values);
    if (is_other_case(values, tolower))
        return "tolower";
    if (is_other_case(values, toupper))
        return "toupper";
    for (size_t i = 0; i < KINDS; i++)
        if (is_kind(values, i))
            return kinds[i].name;
    return NULL;
}

/* ---- for people ---- */

static bool is_character(const struct element *element)
{
    const struct input_parameter *parameter = element->parameter;
    return parameter->kind == INPUT_CHARACTER && (parameter->is_signed || parameter->is_array);
}

const char *values_name(const struct input_parameter *parameter, unsigned width, uint64_t value)
{
    __int128 number = parameter->is_signed ? (__int128)pn_signed(value, width) : (__int128)value;
    for (size_t i = 0; i < parameter->constant_count; i++)
        if (parameter->constants[i].value == number)
            return parameter->constants[i].name;
    return NULL;
}

static void print_value(const struct element *element, unsigned width, uint64_t value, struct text *text)
{
    static const char escapes[][2] = {{'\0', '0'}, {'\n', 'n'}, {'\r', 'r'}, {'\t', 't'}, {'\\', '\\'}, {'\'', '\''}};
    for (size_t i = 0; i < sizeof escapes / sizeof *escapes && is_character(element); i++)
        if (value == (uint64_t)escapes[i][0]) {
            text_format(text, "'\\%c'", escapes[i][1]);
            return;
        }
    const char *name = values_name(element->parameter, width, value);
    if (name)
        text_add(text, name);
    else if (is_character(element) && value >= ' ' && value <= '~')
        text_format(text, "'%c'", (char)value);
    else if (element->parameter->is_signed)
        text_format(text, "%lld", (long long)pn_signed(value, width));
    else
        text_format(text, "%llu", (unsigned long long)value);
}

static void print_comparison(const struct element *element, const struct value_set *set, const char *sign,
                             uint64_t value, struct text *text)
{
    input_print_name(element->parameter, element->index, text);
    text_format(text, " %s ", sign);
    print_value(element, set->width, value, text);
}

/* A bound is said with the number that the source has: `x > 3` or `x >= 4`. */
static void print_bound(const struct element *element, const struct value_set *set, bool is_lower, uint64_t value,
                        const char *said, struct text *text)
{
    uint64_t beside = (is_lower ? value - 1 : value + 1) & pn_mask(set->width);
    struct text number = {0};
    print_value(element, set->width, beside, &number);
    const char *found = strstr(said, text_string(&number));
    bool is_said = found && !strchr("0123456789", found[number.length] ? found[number.length] : ' ') && found > said &&
                   found[-1] == ' ';
    print_comparison(element, set,
                     is_lower  ? (is_said ? ">" : ">=")
                     : is_said ? "<"
                               : "<=",
                     is_said ? beside : value, text);
    text_free(&number);
}

static bool is_one(const struct value_set *set)
{
    return set->count == 1 && set->intervals[0].low == set->intervals[0].high;
}

/* `tolower(c) == 'a'`; `c == 'a'` is said elsewhere. */
static bool print_either_case(const struct value_set *set, const struct element *element, const char *sign,
                              struct text *text)
{
    if (set->count != 2 || set->intervals[0].low != set->intervals[0].high ||
        set->intervals[1].low != set->intervals[1].high || set->intervals[0].low < 'A' || set->intervals[0].low > 'Z' ||
        set->intervals[1].low != (set->intervals[0].low | 32))
        return false;
    text_add(text, "tolower(");
    input_print_name(element->parameter, element->index, text);
    text_format(text, ") %s '%c'", sign, (char)set->intervals[1].low);
    return true;
}

static bool print_kind(const struct value_set *set, const struct element *element, struct text *text)
{
    for (size_t i = 0; i < KINDS; i++) {
        bool is_kind = true, is_other = true;
        for (unsigned byte = 0; byte < BYTE_VALUES && (is_kind || is_other); byte++) {
            bool has = values_have(set, byte);
            is_kind &= has == is_of_kind(i, byte);
            is_other &= has != is_of_kind(i, byte);
        }
        if (!is_kind && !is_other)
            continue;
        text_format(text, "%s%s(", is_kind ? "" : "!", kinds[i].name);
        input_print_name(element->parameter, element->index, text);
        text_add(text, ")");
        return true;
    }
    return false;
}

/* One interval, in the order of the element's type. */
static bool print_range(const struct value_set *set, const struct element *element, const char *said, struct text *text)
{
    bool is_signed = element->parameter->is_signed;
    uint64_t least = is_signed ? UINT64_C(1) << (set->width - 1) : 0, most = (least - 1) & pn_mask(set->width);
    uint64_t low = set->intervals[0].low, high = set->intervals[0].high;
    if (set->count == 2 && is_signed && low == 0 && high < least && set->intervals[1].low >= least &&
        set->intervals[1].high == pn_mask(set->width))
        low = set->intervals[1].low; /* through zero */
    else if (set->count != 1 || (is_signed && low < least && high >= least))
        return false;
    if (low != least)
        print_bound(element, set, true, low, said, text);
    if (low != least && high != most)
        text_add(text, " && ");
    if (high != most)
        print_bound(element, set, false, high, said, text);
    return true;
}

bool values_print(const struct value_set *set, const struct element *element, const char *said, struct text *text)
{
    struct value_set others;
    if (!set->count || values_are_all(set))
        return false;
    bool has_others = complement(set, &others);
    if (is_one(set)) {
        print_comparison(element, set, "==", set->intervals[0].low, text);
        return true;
    }
    if (has_others && is_one(&others)) {
        print_comparison(element, set, "!=", others.intervals[0].low, text);
        return true;
    }
    if (set->width == 8 && element->parameter->kind == INPUT_CHARACTER &&
        (print_kind(set, element, text) || print_either_case(set, element, "==", text) ||
         (has_others && print_either_case(&others, element, "!=", text))))
        return true;
    return print_range(set, element, said, text);
}
