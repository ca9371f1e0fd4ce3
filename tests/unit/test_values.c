/* Sets of values, at random against evaluation: what a condition on one element is true for, what is printed for a set,
 * and that a path's conditions say the same when some are left out. */
#include "base/chance.h"
#include "explore/condense.h"
#include "explore/known.h"

#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { ELEMENTS = 4, ROUNDS = 20000, POINTS = 24 };

/* int x, unsigned short u, char s[1], long y */
struct fixture {
    struct expr_table *table;
    struct input_layout *layout;
    expr_id variables[ELEMENTS];
    struct chance chance;
};

static const struct {
    const char *name;
    enum input_kind kind;
    bool is_signed, is_array;
    unsigned size;
} elements[ELEMENTS] = {
    {"x", INPUT_SIGNED, true, false, 4},
    {"u", INPUT_UNSIGNED, false, false, 2},
    {"s", INPUT_CHARACTER, true, true, 1},
    {"y", INPUT_SIGNED, true, false, 8},
};

static struct fixture begin(void)
{
    struct fixture f = {.table = expr_table_create(), .layout = input_layout_create(), .chance = CHANCE_START};
    uint32_t at = 0;
    for (size_t i = 0; i < ELEMENTS; i++) {
        input_layout_add(f.layout, &(struct input_parameter){.name = elements[i].name,
                                                             .type = "",
                                                             .kind = elements[i].kind,
                                                             .is_signed = elements[i].is_signed,
                                                             .is_array = elements[i].is_array,
                                                             .element_size = elements[i].size,
                                                             .element_count = 1});
        for (unsigned byte = 0; byte < elements[i].size; byte++, at++) {
            expr_id next = expr_input(f.table, at);
            f.variables[i] = byte ? expr_make(f.table, PN_CONCAT, 8 * byte + 8, next, f.variables[i], 0) : next;
        }
    }
    return f;
}

static void end(struct fixture *f)
{
    expr_table_destroy(f->table);
    input_layout_destroy(f->layout);
}

static uint64_t some_number(struct fixture *f, unsigned width)
{
    static const uint64_t corners[] = {0, 1, 9, '0', '9', 'a', 127, 128, 255};
    uint64_t number = corners[chance_below(&f->chance, sizeof corners / sizeof *corners)];
    switch (chance_below(&f->chance, 4)) {
    case 0: number = -number; break;
    case 1: number = (UINT64_C(1) << (width - 1)) - number; break;
    default: break;
    }
    return number & pn_mask(width);
}

static expr_id some_operand(struct fixture *f, expr_id variable)
{
    unsigned width = expr_get(f->table, variable)->width;
    expr_id operand = variable;
    if (chance_below(&f->chance, 3) == 0)
        operand = expr_make(f->table, PN_ADD, width, operand, expr_constant(f->table, width, some_number(f, width)), 0);
    if (width < 64 && chance_below(&f->chance, 3) == 0)
        operand = expr_make(f->table, chance_below(&f->chance, 2) ? PN_ZEXT : PN_SEXT, 64, operand, 0, 0);
    return operand;
}

static expr_id some_comparison(struct fixture *f, expr_id variable)
{
    static const enum pn_operation operations[] = {PN_EQ, PN_ULT, PN_ULE, PN_SLT, PN_SLE};
    expr_id operand = some_operand(f, variable);
    unsigned width = expr_get(f->table, operand)->width;
    expr_id constant = expr_constant(f->table, width, some_number(f, width));
    bool is_first = chance_below(&f->chance, 2);
    return expr_make(f->table, operations[chance_below(&f->chance, 5)], 1, is_first ? operand : constant,
                     is_first ? constant : operand, 0);
}

static expr_id some_condition(struct fixture *f, expr_id variable, unsigned depth)
{
    if (!depth || chance_below(&f->chance, 3) == 0)
        return some_comparison(f, variable);
    expr_id a = some_condition(f, variable, depth - 1), b = some_condition(f, variable, depth - 1);
    switch (chance_below(&f->chance, 6)) {
    case 0: return expr_and(f->table, a, b);
    case 1: return expr_or(f->table, a, b);
    case 2: return expr_not(f->table, a);
    case 3: return expr_make(f->table, PN_XOR, 1, a, b, 0);
    case 4: return expr_make(f->table, PN_EQ, 1, a, b, 0);
    default: return expr_make(f->table, PN_ITE, 1, a, b, some_condition(f, variable, depth - 1));
    }
}

static bool holds(struct fixture *f, expr_id condition, const struct element *element, uint64_t value)
{
    uint8_t input[64] = {0};
    memcpy(input + element->first, &value, element->parameter->element_size);
    return expr_evaluate(f->table, condition, input, sizeof input);
}

/* Corners of the set, and others. */
static uint64_t some_point(struct fixture *f, const struct value_set *set, unsigned number)
{
    uint64_t point = some_number(f, set->width) + chance_below(&f->chance, 3) - 1;
    if (number % 2 && set->count) {
        size_t which = chance_below(&f->chance, set->count);
        point = (number % 4 == 1 ? set->intervals[which].low : set->intervals[which].high) +
                chance_below(&f->chance, 3) - 1;
    }
    return point & pn_mask(set->width);
}

static void sets_are_what_evaluation_says(void **state)
{
    struct fixture f = begin();
    unsigned known = 0;
    (void)state;
    for (unsigned round = 0; round < ROUNDS; round++) {
        struct value_set set;
        struct element element;
        expr_id condition = some_condition(&f, f.variables[chance_below(&f.chance, ELEMENTS)], 3);
        if (!values_of(f.table, condition, f.layout, &element, &set))
            continue;
        known++;
        for (unsigned i = 0; i < POINTS; i++) {
            uint64_t point = some_point(&f, &set, i);
            assert_int_equal(values_have(&set, point), holds(&f, condition, &element, point));
        }
    }
    assert_true(known > ROUNDS / 2);
    end(&f);
}

/* ---- what is printed, read again ---- */

static int kind_of(const char *name, int character)
{
    static const struct {
        const char *name;
        int (*is)(int);
    } kinds[] = {{"isdigit(", isdigit}, {"isalpha(", isalpha}, {"isspace(", isspace},   {"isalnum(", isalnum},
                 {"isupper(", isupper}, {"islower(", islower}, {"isxdigit(", isxdigit}, {"ispunct(", ispunct},
                 {"isprint(", isprint}, {"isgraph(", isgraph}, {"isblank(", isblank},   {"iscntrl(", iscntrl}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (!strncmp(name, kinds[i].name, strlen(kinds[i].name)))
            return character >= 0 && character < 128 && kinds[i].is(character);
    fail_msg("unknown function in %s", name);
    return 0;
}

static long long read_number(const char *text)
{
    static const char escapes[] = "0\0n\nr\rt\t\\\\''";
    if (*text != '\'')
        return strtoll(text, NULL, 10);
    if (text[1] != '\\')
        return text[1];
    for (size_t i = 0; i + 1 < sizeof escapes; i += 2)
        if (escapes[i] == text[2])
            return escapes[i + 1];
    fail_msg("unknown escape in %s", text);
    return 0;
}

static bool text_holds(const char *text, long long value)
{
    const char *both = strstr(text, " && ");
    if (both)
        return text_holds(both + 4, value) && ({
                   char *first = strndup(text, (size_t)(both - text));
                   bool does = text_holds(first, value);
                   free(first);
                   does;
               });
    if (*text == '!')
        return !kind_of(text + 1, (int)value);
    if (!strncmp(text, "is", 2))
        return kind_of(text, (int)value);
    if (!strncmp(text, "tolower(", 8))
        value = value >= 0 ? tolower((int)value) : value;
    const char *sign = strpbrk(text, " ") + 1;
    long long number = read_number(strchr(sign, ' ') + 1);
    bool or_equal = sign[1] == '=';
    switch (*sign) {
    case '=': return value == number;
    case '!': return value != number;
    case '<': return value < number || (or_equal && value == number);
    default: return value > number || (or_equal && value == number);
    }
}

static long long as_number(const struct element *element, const struct value_set *set, uint64_t point)
{
    return element->parameter->is_signed ? pn_signed(point, set->width) : (long long)point;
}

static void what_is_printed_is_true_for_the_same_values(void **state)
{
    struct fixture f = begin();
    unsigned printed = 0;
    (void)state;
    for (unsigned round = 0; round < ROUNDS; round++) {
        struct value_set set;
        struct element element;
        struct text text = {0};
        expr_id condition = some_condition(&f, f.variables[chance_below(&f.chance, ELEMENTS)], 2);
        if (values_of(f.table, condition, f.layout, &element, &set) &&
            values_print(&set, &element, round % 2 ? "x < 9 && x > 127 && s[0] >= 'a'" : "", &text)) {
            printed++;
            for (unsigned i = 0; i < POINTS; i++) {
                uint64_t point = some_point(&f, &set, i);
                if (text_holds(text_string(&text), as_number(&element, &set, point)) != values_have(&set, point))
                    fail_msg("%s is wrong for %llu", text_string(&text), (unsigned long long)point);
            }
        }
        text_free(&text);
    }
    assert_true(printed > ROUNDS / 4);
    end(&f);
}

static void conditions_say_the_same_when_condensed(void **state)
{
    enum { CONDITIONS = 6 };
    struct fixture f = begin();
    struct arena *arena = arena_create();
    size_t left_out = 0;
    (void)state;
    for (unsigned round = 0; round < ROUNDS / 4; round++) {
        struct value_set sets[CONDITIONS], all;
        struct condensed list[CONDITIONS];
        struct element element;
        size_t count = 0;
        expr_id variable = f.variables[chance_below(&f.chance, ELEMENTS)];
        arena_reset(arena);
        while (count < CONDITIONS) {
            struct text text = {0};
            expr_id condition = some_comparison(&f, variable);
            if (values_of(f.table, condition, f.layout, &element, &sets[count]) &&
                values_print(&sets[count], &element, "", &text)) {
                list[count] = (struct condensed){arena_copy_string(arena, text_string(&text)), &sets[count], element};
                all = sets[count++];
            }
            text_free(&text);
        }
        bool is_known = true;
        for (size_t i = 0; i < count; i++)
            is_known = is_known && values_intersect(&all, &sets[i], &all);
        condense(list, count, arena);
        for (unsigned i = 0; i < POINTS && is_known; i++) {
            uint64_t point = some_point(&f, i % 3 ? &all : &sets[i % CONDITIONS], i);
            bool does = true;
            for (size_t k = 0; k < count; k++)
                does = does && (!list[k].text || text_holds(list[k].text, as_number(&element, &all, point)));
            assert_int_equal(does, values_have(&all, point));
        }
        for (size_t k = 0; k < count; k++)
            left_out += !list[k].text;
    }
    assert_true(left_out > ROUNDS / 4);
    arena_destroy(arena);
    end(&f);
}

/* ---- what is settled ---- */

/* Conditions on all elements, with one of them settled, against evaluation. */
static void settled_elements_are_put_into_conditions(void **state)
{
    struct fixture f = begin();
    struct known known = {0};
    size_t smaller = 0;
    (void)state;
    for (unsigned round = 0; round < ROUNDS / 4; round++) {
        struct value_set set;
        struct element element;
        uint8_t input[64];
        expr_id variable = f.variables[chance_below(&f.chance, ELEMENTS)];
        unsigned width = expr_get(f.table, variable)->width;
        uint64_t value = some_number(&f, width);
        expr_id is_value = expr_make(f.table, PN_EQ, 1, variable, expr_constant(f.table, width, value), 0);
        expr_id condition = f.variables[0];
        for (unsigned i = 0; i < ELEMENTS; i++) {
            expr_id more = some_condition(&f, f.variables[i], 2);
            condition = i ? expr_make(f.table, PN_ITE, 1, more, condition, expr_not(f.table, condition)) : more;
        }
        assert_true(values_of(f.table, is_value, f.layout, &element, &set));
        known_clear(&known);
        known_add(&known, &element, &set);
        expr_id put = known_put(&known, f.table, condition);
        smaller += put != condition;
        for (unsigned i = 0; i < POINTS; i++) {
            for (size_t byte = 0; byte < sizeof input; byte++)
                input[byte] = (uint8_t)some_number(&f, 8);
            uint64_t without = expr_evaluate(f.table, put, input, sizeof input);
            memcpy(input + element.first, &value, width / 8);
            assert_int_equal(expr_evaluate(f.table, put, input, sizeof input), without); /* it is not in it any more */
            assert_int_equal(expr_evaluate(f.table, condition, input, sizeof input), without);
        }
    }
    assert_true(smaller > ROUNDS / 8);
    known_free(&known);
    end(&f);
}

/* ---- examples ---- */

static void condenses_to(const char *const *texts, expr_id *conditions, struct fixture *f, const char *expected)
{
    struct arena *arena = arena_create();
    struct condensed list[8];
    struct value_set sets[8];
    struct text text = {0};
    size_t count = 0;
    for (; texts[count]; count++) {
        list[count] = (struct condensed){.text = texts[count]};
        if (values_of(f->table, conditions[count], f->layout, &list[count].element, &sets[count]))
            list[count].values = &sets[count];
    }
    condense(list, count, arena);
    for (size_t i = 0; i < count; i++)
        if (list[i].text)
            text_format(&text, "%s%s", text.length ? " && " : "", list[i].text);
    assert_string_equal(text_string(&text), expected);
    text_free(&text);
    arena_destroy(arena);
}

static expr_id compare(struct fixture *f, enum pn_operation operation, expr_id a, uint64_t b)
{
    return expr_make(f->table, operation, 1, a, expr_constant(f->table, expr_get(f->table, a)->width, b), 0);
}

static void paths_are_said_shortly(void **state)
{
    struct fixture f = begin();
    struct expr_table *t = f.table;
    expr_id x = f.variables[0], s = f.variables[2];
    expr_id wide = expr_make(t, PN_ZEXT, 32, s, 0, 0);
    expr_id digit = compare(&f, PN_ULE, expr_make(t, PN_SUB, 32, wide, expr_constant(t, 32, '0'), 0), 9);
    (void)state;
    condenses_to((const char *[]){"x >= 3", "x != 3", NULL},
                 (expr_id[]){expr_not(t, compare(&f, PN_SLT, x, 3)), expr_not(t, compare(&f, PN_EQ, x, 3))}, &f,
                 "x > 3");
    condenses_to((const char *[]){"x <= 20", "x > 10", NULL},
                 (expr_id[]){compare(&f, PN_SLE, x, 20), expr_not(t, compare(&f, PN_SLE, x, 10))}, &f,
                 "x <= 20 && x > 10"); /* as the source has it */
    condenses_to((const char *[]){"s[0] != '\\0'", "s[0] != ' '", "s[0] == '\\t'", NULL},
                 (expr_id[]){expr_not(t, compare(&f, PN_EQ, s, 0)), expr_not(t, compare(&f, PN_EQ, s, ' ')),
                             compare(&f, PN_EQ, s, '\t')},
                 &f, "s[0] == '\\t'");
    condenses_to(
        (const char *[]){"(unsigned char)s[0] + 128 < 384", "(unsigned char)s[0] - 48 <= 9", NULL},
        (expr_id[]){compare(&f, PN_ULT, expr_make(t, PN_ADD, 32, wide, expr_constant(t, 32, 128), 0), 384), digit}, &f,
        "isdigit(s[0])");
    end(&f);
}

static void prints_as(struct fixture *f, expr_id id, const char *expected)
{
    struct text text = {0};
    expr_print(f->table, id, f->layout, &text);
    assert_string_equal(text_string(&text), expected);
    text_free(&text);
}

/* As models/ctype.c computes them. */
static void functions_have_their_names(void **state)
{
    struct fixture f = begin();
    struct expr_table *t = f.table;
    expr_id wide = expr_make(t, PN_ZEXT, 32, f.variables[2], 0, 0);
    expr_id from_a = expr_make(t, PN_SUB, 32, wide, expr_constant(t, 32, 'A'), 0);
    expr_id upper = expr_make(t, PN_ZEXT, 32, compare(&f, PN_ULE, from_a, 25), 0, 0);
    expr_id lowered = expr_make(t, PN_ADD, 32, wide, expr_make(t, PN_SHL, 32, upper, expr_constant(t, 32, 5), 0), 0);
    expr_id is_upper = expr_make(t, PN_SHL, 32, upper, expr_constant(t, 32, 8), 0);
    (void)state;
    prints_as(&f, expr_make(t, PN_ADD, 32, lowered, f.variables[0], 0), "x + tolower(s[0])");
    prints_as(&f, compare(&f, PN_EQ, lowered, 'x'), "tolower(s[0]) == 'x'");
    prints_as(&f, compare(&f, PN_SLT, expr_make(t, PN_ADD, 32, is_upper, f.variables[0], 0), 3),
              "x + isupper(s[0]) < 3");
    static const struct input_constant colours[] = {{"RED", 0}, {"GREEN", 1}};
    input_layout_add(f.layout, &(struct input_parameter){.name = "colour",
                                                         .type = "",
                                                         .kind = INPUT_UNSIGNED,
                                                         .element_size = 1,
                                                         .element_count = 1,
                                                         .constants = colours,
                                                         .constant_count = 2});
    expr_id colour = expr_input(t, 15);
    prints_as(&f, compare(&f, PN_EQ, colour, 1), "colour == GREEN");
    prints_as(&f, expr_not(t, compare(&f, PN_EQ, colour, 7)), "colour != 7");
    end(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sets_are_what_evaluation_says),
        cmocka_unit_test(what_is_printed_is_true_for_the_same_values),
        cmocka_unit_test(conditions_say_the_same_when_condensed),
        cmocka_unit_test(settled_elements_are_put_into_conditions),
        cmocka_unit_test(paths_are_said_shortly),
        cmocka_unit_test(functions_have_their_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
