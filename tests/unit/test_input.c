#include "base/set.h"
#include "input/guess.h"
#include "input/input.h"
#include "input/recorded.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct input_layout *layout_of_every_kind(void)
{
    static const struct input_parameter parameters[] = {
        {.name = "x", .type = "int", .kind = INPUT_SIGNED, .is_signed = true, .element_size = 4, .element_count = 1},
        {.name = "small", .type = "unsigned char", .kind = INPUT_UNSIGNED, .element_size = 1, .element_count = 1},
        {.name = "flag", .type = "_Bool", .kind = INPUT_BOOL, .element_size = 1, .element_count = 1},
        {.name = "c",
         .type = "char",
         .kind = INPUT_CHARACTER,
         .is_signed = true,
         .element_size = 1,
         .element_count = 1},
        {.name = "s",
         .type = "char *",
         .kind = INPUT_CHARACTER,
         .is_signed = true,
         .is_array = true,
         .is_pointer = true,
         .element_size = 1,
         .element_count = 8},
        {.name = "a",
         .type = "short[3]",
         .kind = INPUT_SIGNED,
         .is_signed = true,
         .is_array = true,
         .element_size = 2,
         .element_count = 3},
        {.name = "big", .type = "unsigned long", .kind = INPUT_UNSIGNED, .element_size = 8, .element_count = 1},
        {.name = "low", .type = "long", .kind = INPUT_SIGNED, .is_signed = true, .element_size = 8, .element_count = 1},
        {.name = "many",
         .type = "int *",
         .kind = INPUT_SIGNED,
         .is_signed = true,
         .is_array = true,
         .is_pointer = true,
         .element_size = 4,
         .element_count = 40},
    };
    struct input_layout *layout = input_layout_create();
    for (size_t i = 0; i < sizeof parameters / sizeof *parameters; i++)
        input_layout_add(layout, &parameters[i]);
    return layout;
}

static __int128 element_of(const struct input_layout *layout, const char *name, const uint8_t *bytes, size_t element)
{
    return input_element(input_layout_find(layout, name), bytes, element);
}

static void add_named(struct input_layout *layout, unsigned number, enum input_kind kind)
{
    char name[32];
    snprintf(name, sizeof name, "p[%u].x", number);
    input_layout_add(layout, &(struct input_parameter){
                                 .name = name, .type = "int", .kind = kind, .element_size = 4, .element_count = 1});
}

/* Names that were taken away are gone, and others may have their places; of two that are alike the first is found. */
static void parameters_are_found_by_name(void **state)
{
    (void)state;
    enum { MANY = 3000, KEPT = 1000 };
    struct input_layout *layout = input_layout_create();
    assert_null(input_layout_find(layout, "p[0].x"));
    for (unsigned i = 0; i < MANY; i++)
        add_named(layout, i, INPUT_SIGNED);
    for (unsigned i = 0; i < MANY; i++)
        assert_ptr_equal(input_layout_find(layout, layout->parameters[i].name), &layout->parameters[i]);
    input_layout_truncate(layout, KEPT);
    assert_null(input_layout_find(layout, "p[2000].x"));
    add_named(layout, 5000, INPUT_SIGNED);
    add_named(layout, 7, INPUT_UNSIGNED);
    assert_ptr_equal(input_layout_find(layout, "p[5000].x"), &layout->parameters[KEPT]);
    assert_ptr_equal(input_layout_find(layout, "p[7].x"), &layout->parameters[7]);
    assert_null(input_layout_find(layout, "p[1001].x"));
    input_layout_destroy(layout);
}

static void layout_places_parameters_one_after_the_other(void **state)
{
    (void)state;
    struct input_layout *layout = layout_of_every_kind();
    assert_int_equal(layout->size, 4 + 1 + 1 + 1 + 8 + 6 + 8 + 8 + 160);
    assert_int_equal(input_layout_find(layout, "s")->offset, 7);
    assert_null(input_layout_find(layout, "nobody"));
    size_t element = 99;
    assert_string_equal(input_layout_at(layout, 0, &element)->name, "x");
    assert_int_equal(element, 0);
    assert_string_equal(input_layout_at(layout, 20, &element)->name, "a");
    assert_int_equal(element, 2);
    assert_null(input_layout_at(layout, layout->size, &element));
    input_layout_destroy(layout);
}

static void limits_follow_type(void **state)
{
    (void)state;
    struct input_layout *layout = layout_of_every_kind();
    const struct input_parameter *x = input_layout_find(layout, "x"), *big = input_layout_find(layout, "big");
    const struct input_parameter *low = input_layout_find(layout, "low"), *flag = input_layout_find(layout, "flag");
    assert_true(input_lowest(x) == INT32_MIN && input_highest(x) == INT32_MAX);
    assert_true(input_lowest(big) == 0 && input_highest(big) == (__int128)UINT64_MAX);
    assert_true(input_lowest(low) == INT64_MIN && input_highest(low) == INT64_MAX);
    assert_true(input_lowest(flag) == 0 && input_highest(flag) == 1);
    input_layout_destroy(layout);
}

static void seeds_are_read(void **state)
{
    (void)state;
    struct input_layout *layout = layout_of_every_kind();
    uint8_t *bytes = malloc(layout->size);
    memset(bytes, 0xee, layout->size);
    struct error error = {0};
    assert_true(input_parse(layout,
                            " x = -2147483648 ,small=0xff,flag=true, c='\\n', s=\"a,\\x41\\\"}\", a={1, -2},"
                            "big=18446744073709551615, low=-9223372036854775808, many={7,...}",
                            bytes, &error));
    assert_true(element_of(layout, "x", bytes, 0) == INT32_MIN);
    assert_true(element_of(layout, "small", bytes, 0) == 255);
    assert_true(element_of(layout, "flag", bytes, 0) == 1);
    assert_true(element_of(layout, "c", bytes, 0) == '\n');
    assert_memory_equal(bytes + 7, "a,A\"}\0\0\0", 8);
    assert_true(element_of(layout, "a", bytes, 1) == -2 && element_of(layout, "a", bytes, 2) == 0);
    assert_true(element_of(layout, "big", bytes, 0) == (__int128)UINT64_MAX);
    assert_true(element_of(layout, "low", bytes, 0) == INT64_MIN);
    assert_true(element_of(layout, "many", bytes, 0) == 7 && element_of(layout, "many", bytes, 39) == 0);

    assert_true(input_parse(layout, "", bytes, &error));
    for (size_t i = 0; i < layout->size; i++)
        assert_int_equal(bytes[i], 0);
    assert_true(input_parse(layout, "c='\\xff',s=\"12345678\",a={}", bytes, &error));
    assert_true(element_of(layout, "c", bytes, 0) == -1);
    free(bytes);
    input_layout_destroy(layout);
}

static void bad_seeds_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *seed, *message;
    } cases[] = {
        {"y=1", "there are: x, small, flag"},
        {"smal=1", "did you mean 'small'?"},
        {"x", "expected NAME=VALUE at 'x'"},
        {"=3", "expected NAME=VALUE"},
        {"x=", "expected a number for 'x' (int)"},
        {"x=1,", "expected NAME=VALUE"},
        {"x=1 2", "expected ',' or the end at '2'"},
        {"x=0x", "expected a number"},
        {"x=1,x=2", "'x' is given twice"},
        {"x=2147483648", "2147483648 is out of the range of 'x' (int): -2147483648..2147483647"},
        {"small=-1", "-1 is out of the range of 'small' (unsigned char): 0..255"},
        {"flag=2", "2 is out of the range of 'flag' (_Bool): 0..1"},
        {"big=18446744073709551616", "out of the range of 'big'"},
        {"big=999999999999999999999999999999999999999999999999", "999 is out of the range"},
        {"a=5", "'a' (short[3]) has 3 elements: write a={1,2}"},
        {"s=5", "or a string in double quotes"},
        {"a={1,2,3,4}", "'a' has 3 elements, here are more"},
        {"s=\"123456789\"", "'s' has 8 elements, here are more; --size changes that"},
        {"s=\"abc", "does not end"},
        {"s=\"\\q\"", "unknown escape"},
        {"a={1,99999}", "99999 is out of the range of 'a'"},
        {"a={1", "expected ',' or '}'"},
        {"x={1}", "is no array: write x=NUMBER"},
        {"x=\"1\"", "'x' (int) is no string"},
        {"c='ab'", "expected a character like 'c'"},
    };
    struct input_layout *layout = layout_of_every_kind();
    uint8_t *bytes = malloc(layout->size);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct error error = {0};
        assert_false(input_parse(layout, cases[i].seed, bytes, &error));
        if (!strstr(error.message, cases[i].message) || strncmp(error.message, "seed '", 6) != 0)
            fail_msg("'%s' should say '%s', but says: %s", cases[i].seed, cases[i].message, error.message);
        error_clear(&error);
    }
    free(bytes);
    input_layout_destroy(layout);
}

static void seed_for_program_without_inputs_is_refused(void **state)
{
    (void)state;
    struct input_layout *layout = input_layout_create();
    struct error error = {0};
    uint8_t none[1];
    assert_false(input_parse(layout, "x=1", none, &error));
    assert_non_null(strstr(error.message, "the entry has no parameters"));
    error_clear(&error);
    input_layout_destroy(layout);
}

static void ranges_are_read(void **state)
{
    (void)state;
    struct input_layout *layout = layout_of_every_kind();
    struct input_range ranges[20];
    size_t count = 0;
    struct error error = {0};
    assert_true(input_parse_range(layout, " x = -100 .. 100 ", ranges, &count, &error));
    assert_int_equal(count, 1);
    assert_int_equal(ranges[0].parameter, 0);
    assert_true(ranges[0].low == -100 && ranges[0].high == 100);
    assert_true(input_parse_range(layout, "c='a'..'z'", ranges, &count, &error));
    assert_int_equal(count, 2);
    assert_true(ranges[1].low == 'a' && ranges[1].high == 'z');

    static const struct {
        const char *text, *message;
    } cases[] = {{"y=0..1", "there is no input called 'y'"},
                 {"x=5", "expected x=LOW..HIGH"},
                 {"x=5..", "expected a number"},
                 {"x=3..2", "no value is left"},
                 {"x=0..1 z", "expected x=LOW..HIGH"},
                 {"small=0..300", "300 is out of the range of 'small'"},
                 {"small=-4..3", "'small=-4..3': -4 is out"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        count = 0;
        assert_false(input_parse_range(layout, cases[i].text, ranges, &count, &error));
        if (!strstr(error.message, cases[i].message))
            fail_msg("'%s' should say '%s', but says: %s", cases[i].text, cases[i].message, error.message);
        error_clear(&error);
    }
    input_layout_destroy(layout);
}

static void assert_prints(const struct input_layout *layout, const char *seed, const char *expected)
{
    uint8_t *bytes = calloc(1, layout->size), *again = calloc(1, layout->size);
    struct error error = {0};
    struct text text = {0};
    assert_true(input_parse(layout, seed, bytes, &error));
    input_print(layout, bytes, &text);
    if (!strstr(text_string(&text), expected))
        fail_msg("'%s' should print '%s', but prints: %s", seed, expected, text_string(&text));
    assert_true(input_parse(layout, text_string(&text), again, &error));
    assert_memory_equal(bytes, again, layout->size);
    text_free(&text);
    free(bytes);
    free(again);
}

static void printed_inputs_read_back(void **state)
{
    (void)state;
    struct input_layout *layout = layout_of_every_kind();
    assert_prints(layout, "", "x=0, small=0, flag=false, c=0, s=\"\\0\", a={0,0,0}, big=0, low=0, many={...}");
    assert_prints(layout, "x=-7,flag=1,c=65", "x=-7, small=0, flag=true, c='A'");
    assert_prints(layout, "c=39", "c=39");
    assert_prints(layout, "s=\"ab\"", "s=\"ab\\0\"");
    assert_prints(layout, "s=\"12345678\"", "s=\"12345678\", a=");
    assert_prints(layout, "s=\"a\\0001\\n\\\"\"", "s=\"a\\0001\\n\\\"\\0\"");
    assert_prints(layout, "s={-1,2}", "s={-1,2,0,0,0,0,0,0}");
    assert_prints(layout, "a={1,-2,3}", "a={1,-2,3}");
    assert_prints(layout, "many={1,2}", "many={1,2,...}");
    assert_prints(layout, "big=18446744073709551615,low=-9223372036854775808",
                  "big=18446744073709551615, low=-9223372036854775808");
    input_layout_destroy(layout);
}

/* What structures, enumerations and pointers that may be NULL are made of. */
static struct input_layout *layout_of_members(void)
{
    static const struct input_constant colours[] = {{"RED", 1}, {"GREEN", 2}, {"NONE", -1}};
    static const struct input_parameter parameters[] = {
        {.name = "p == NULL", .type = "struct s *", .kind = INPUT_NULL, .element_size = 1, .element_count = 1},
        {.name = "p->colour",
         .type = "enum colour",
         .kind = INPUT_SIGNED,
         .is_signed = true,
         .element_size = 4,
         .element_count = 1,
         .under = 1,
         .constants = colours,
         .constant_count = 3},
        {.name = "p->bits",
         .type = "int",
         .kind = INPUT_SIGNED,
         .is_signed = true,
         .bits = 5,
         .element_size = 1,
         .element_count = 1,
         .under = 1},
        {.name = "p->next == NULL",
         .type = "struct s *",
         .kind = INPUT_NULL,
         .element_size = 1,
         .element_count = 1,
         .under = 1},
        {.name = "p->next->flags",
         .type = "unsigned",
         .kind = INPUT_UNSIGNED,
         .bits = 3,
         .element_size = 1,
         .element_count = 1,
         .under = 4},
        {.name = "s",
         .type = "char *",
         .kind = INPUT_CHARACTER,
         .is_signed = true,
         .is_array = true,
         .is_pointer = true,
         .is_string = true,
         .element_size = 1,
         .element_count = 7},
        {.name = "v[0].x",
         .type = "int",
         .kind = INPUT_SIGNED,
         .is_signed = true,
         .element_size = 4,
         .element_count = 1},
        {.name = "v[11].x",
         .type = "int",
         .kind = INPUT_SIGNED,
         .is_signed = true,
         .element_size = 4,
         .element_count = 1},
        {.name = "*row",
         .type = "int *",
         .kind = INPUT_SIGNED,
         .is_signed = true,
         .is_array = true,
         .is_pointer = true,
         .element_size = 4,
         .element_count = 2},
    };
    struct input_layout *layout = input_layout_create();
    for (size_t i = 0; i < sizeof parameters / sizeof *parameters; i++)
        input_layout_add(layout, &parameters[i]);
    return layout;
}

static void members_are_read_and_printed(void **state)
{
    (void)state;
    struct input_layout *layout = layout_of_members();
    assert_prints(layout, "p->colour=GREEN, p->bits=-16, p->next->flags=7",
                  "p->colour=GREEN(2), p->bits=-16, p->next->flags=7");
    assert_prints(layout, "p->colour=NONE(-1)", "p->colour=NONE(-1)");
    assert_prints(layout, "p->colour=7", "p->colour=7");
    assert_prints(layout, "p=NULL", "p=NULL, s=\"\", v[0].x=0");
    assert_prints(layout, "p->next=NULL, s=\"ab\"", "p->bits=0, p->next=NULL, s=\"ab\", v[0].x=0");
    assert_prints(layout, "v[11].x=-5, *row={1,2}, ...", "v[11].x=-5, *row={1,2}");
    struct text text = {0};
    input_print_name(input_layout_find(layout, "*row"), 1, &text);
    assert_string_equal(text_string(&text), "(*row)[1]");
    text_free(&text);
    static const struct {
        const char *seed, *message;
    } cases[] = {
        {"p->colour=REED",
         "expected a number or an enumerator for 'p->colour' (enum colour) at 'REED'; did you mean 'RED'?"},
        {"p->colour=RED(2)", "the number behind 'RED' is not its own"},
        {"p->bits=16", "16 is out of the range of 'p->bits' (int): -16..15"},
        {"p->next->flags=8", "out of the range of 'p->next->flags' (unsigned): 0..7"},
        {"p=1", "'p' has members: write p->colour=VALUE"},
        {"v=1", "'v' has members: write v[0].x=VALUE"},
        {"s=NULL", "'s' is never NULL: --null=s lets it be"},
        {"s=\"12345678\"", "'s' has 7 elements"},
        {"p=NULL,p=NULL", "'p == NULL' is given twice"},
        {"p->colour=1, ..., p->bits=1", "expected ',' or the end"},
    };
    uint8_t *bytes = malloc(layout->size);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct error error = {0};
        assert_false(input_parse(layout, cases[i].seed, bytes, &error));
        if (!strstr(error.message, cases[i].message))
            fail_msg("'%s' should say '%s', but says: %s", cases[i].seed, cases[i].message, error.message);
        error_clear(&error);
    }
    free(bytes);
    struct input_range ranges[20];
    size_t count = 0;
    struct error error = {0};
    assert_true(input_parse_range(layout, "v[].x=RED", ranges, &count, &error) == false);
    error_clear(&error);
    count = 0;
    assert_true(input_parse_range(layout, "v[].x=0..9", ranges, &count, &error));
    assert_int_equal(count, 2);
    assert_string_equal(layout->parameters[ranges[1].parameter].name, "v[11].x");
    input_layout_destroy(layout);
}

static uint64_t random_state = 88172645463325252u;

static uint64_t random_number(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state;
}

/* Values that a parameter can have: small ones, and its ends, more often than others. */
static void fill_at_random(const struct input_layout *layout, uint8_t *bytes)
{
    for (size_t i = 0; i < layout->count; i++) {
        const struct input_parameter *parameter = &layout->parameters[i];
        __int128 low = input_lowest(parameter), high = input_highest(parameter);
        for (size_t k = 0; k < parameter->element_count; k++) {
            __int128 value = (__int128)(random_number() % 5) - 2;
            if (random_number() % 3 == 0)
                value = low + (__int128)((unsigned __int128)random_number() % (unsigned __int128)(high - low + 1));
            if (random_number() % 8 == 0)
                value = random_number() % 2 ? low : high;
            input_set_element(parameter, bytes, k, value < low ? low : value > high ? high : value);
        }
    }
}

static void anything_printed_reads_back(void **state)
{
    (void)state;
    struct input_layout *layouts[] = {layout_of_every_kind(), layout_of_members()};
    for (size_t round = 0; round < 4000; round++) {
        struct input_layout *layout = layouts[round % 2];
        uint8_t *bytes = calloc(1, layout->size), *again = calloc(1, layout->size);
        struct text text = {0}, second = {0};
        struct error error = {0};
        fill_at_random(layout, bytes);
        input_print(layout, bytes, &text);
        if (!input_parse(layout, text_string(&text), again, &error))
            fail_msg("%s", error.message);
        for (size_t i = 0; i < layout->count; i++) {
            const struct input_parameter *parameter = &layout->parameters[i];
            if (input_is_there(layout, parameter, bytes))
                assert_memory_equal(bytes + parameter->offset, again + parameter->offset,
                                    parameter->element_size * parameter->element_count);
        }
        input_print(layout, again, &second);
        assert_string_equal(text_string(&text), text_string(&second));
        text_free(&text);
        text_free(&second);
        free(bytes);
        free(again);
    }
    input_layout_destroy(layouts[0]);
    input_layout_destroy(layouts[1]);
}

static struct input_layout *layout_of_floating_point(void)
{
    struct input_layout *layout = input_layout_create();
    input_layout_add(layout,
                     &(struct input_parameter){
                         .name = "f", .type = "float", .kind = INPUT_FLOATING, .element_size = 4, .element_count = 1});
    input_layout_add(layout,
                     &(struct input_parameter){
                         .name = "d", .type = "double", .kind = INPUT_FLOATING, .element_size = 8, .element_count = 1});
    input_layout_add(layout, &(struct input_parameter){.name = "v",
                                                       .type = "double *",
                                                       .kind = INPUT_FLOATING,
                                                       .is_array = true,
                                                       .is_pointer = true,
                                                       .element_size = 8,
                                                       .element_count = 3});
    return layout;
}

static void floating_point_is_read_and_printed(void **state)
{
    (void)state;
    struct input_layout *layout = layout_of_floating_point();
    assert_prints(layout, "f=1.5,d=-0.25", "f=1.5, d=-0.25, v={0.0,0.0,0.0}");
    assert_prints(layout, "f=3,d=0x1p-3", "f=3.0, d=0.125");
    assert_prints(layout, "f=0.1,d=0.1", "f=0.1, d=0.1");
    assert_prints(layout, "f=-0.0,d=-0.0", "f=-0.0, d=-0.0");
    assert_prints(layout, "f=inf,d=-inf", "f=inf, d=-inf");
    assert_prints(layout, "f=nan,d=-nan", "f=nan, d=-nan");
    assert_prints(layout, "f=nan(0x1),d=-nan(0x8000000000001)", "f=nan(0x1), d=-nan(0x8000000000001)");
    assert_prints(layout, "f=1e-45,d=5e-324", "f=1e-45, d=5e-324");
    assert_prints(layout, "f=3.4028235e38,d=1.7976931348623157e308", "f=3.4028235e+38, d=1.7976931348623157e+308");
    assert_prints(layout, "d=0.30000000000000004,v={1,-2.5e-3,...}", "d=0.30000000000000004, v={1.0,-0.0025,0.0}");
    input_layout_destroy(layout);
}

static void every_floating_point_number_reads_back(void **state)
{
    (void)state;
    struct input_layout *layout = layout_of_floating_point();
    uint8_t bytes[36], again[36];
    uint64_t random = 1;
    struct error error = {0};
    for (int round = 0; round < 5000; round++) {
        for (size_t i = 0; i < sizeof bytes; i++) {
            random = random * UINT64_C(6364136223846793005) + 1442695040888963407;
            bytes[i] = (uint8_t)(random >> 56);
        }
        struct text text = {0};
        input_print(layout, bytes, &text);
        assert_true(input_parse(layout, text_string(&text), again, &error));
        assert_memory_equal(bytes, again, sizeof bytes);
        text_free(&text);
    }
    input_layout_destroy(layout);
}

static void floating_point_ranges(void **state)
{
    (void)state;
    struct input_layout *layout = layout_of_floating_point();
    const struct input_parameter *d = input_layout_find(layout, "d");
    uint8_t bytes[36];
    struct error error = {0};
    static const struct {
        const char *range, *seed;
        bool is_inside;
    } cases[] = {
        {"d=-1.5..2.5", "d=2.5", true},
        {"d=-1.5..2.5", "d=-1.5", true},
        {"d=-1.5..2.5", "d=-1.5000000000000002", false},
        {"d=-1.5..2.5", "d=nan", false},
        {"d=0..1", "d=-0.0", true},
        {"d=-1..-0.0", "d=0", true},
        {"d=1. .. 2.", "d=1.25", true},
        {"d=0x1p-1..1e0", "d=0.5", true},
        {"d=-inf..inf", "d=inf", true},
        {"d=-inf..inf", "d=nan", false},
        {"d=1e-5..1e5", "d=1e-6", false},
    };
    struct input_range range;
    size_t count = 0;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        count = 0;
        assert_true(input_parse_range(layout, cases[i].range, &range, &count, &error));
        assert_true(input_parse(layout, cases[i].seed, bytes, &error));
        if (input_is_in_range(d, &range, input_element(d, bytes, 0)) != cases[i].is_inside)
            fail_msg("%s in %s", cases[i].seed, cases[i].range);
    }
    static const char *const bad[] = {"d=2..1", "d=nan..1", "d=0..nan", "d=0..x", "d=0..1e999", "f=0..1e39", "d=1.5"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        count = 0;
        assert_false(input_parse_range(layout, bad[i], &range, &count, &error));
        error_clear(&error);
    }
    assert_false(input_parse(layout, "f=1e39", bytes, &error));
    assert_non_null(strstr(error.message, "1e39 is out of the range of 'f' (float): -3.4028235e+38..3.4028235e+38"));
    error_clear(&error);
    assert_false(input_parse(layout, "d=1.5.2", bytes, &error));
    error_clear(&error);
    input_layout_destroy(layout);
}

static void file_form_is_one_line_per_parameter(void **state)
{
    (void)state;
    struct input_layout *layout = input_layout_create();
    input_layout_add(layout, &(struct input_parameter){
                                 .name = "x", .type = "int", .is_signed = true, .element_size = 4, .element_count = 1});
    input_layout_add(layout, &(struct input_parameter){.name = "s",
                                                       .type = "char *",
                                                       .kind = INPUT_CHARACTER,
                                                       .is_array = true,
                                                       .element_size = 1,
                                                       .element_count = 3});
    uint8_t bytes[7];
    struct error error = {0};
    assert_true(input_parse(layout, "x=7,s=\"a\\n\"", bytes, &error));
    struct text text = {0};
    input_print_file(layout, bytes, &text);
    assert_string_equal(text_string(&text), "x = 07 00 00 00  # 7\ns = 61 0a 00  # \"a\\n\\0\"\n");
    text_free(&text);
    input_layout_destroy(layout);
}

static void nearest_names_are_found(void **state)
{
    (void)state;
    const char *names[] = {"compute_sum", "parse", "parser_main", "x", "print"};
    assert_string_equal(nearest_name("compute_sun", names, 5), "compute_sum");
    assert_string_equal(nearest_name("prase", names, 5), "parse");
    assert_string_equal(nearest_name("sum", names, 5), "compute_sum");
    assert_string_equal(nearest_name("PRINT", names, 5), "print");
    assert_null(nearest_name("quicksort", names, 5));
    assert_null(nearest_name("anything", names, 0));
    const char *found[2];
    assert_int_equal(nearest_names("pars", names, 5, found, 2), 2);
    assert_string_equal(found[0], "parse");
    char longest[400];
    memset(longest, 'a', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    assert_null(nearest_name(longest, names, 5));
}

/* ---- guesses ---- */

static void guesses_fit_and_never_come_twice(void **state)
{
    (void)state;
    enum { GUESSES = 3000 };
    struct input_layout *layout = layout_of_every_kind();
    struct input_range ranges[2];
    size_t range_count = 0, in_range = 0, is_known = 0;
    struct error error = {0};
    struct words numbers = {0}, texts = {0};
    words_add(&numbers, "48611");
    words_add(&numbers, "0x1.8p+1");
    words_add(&texts, "tiger");
    assert_true(input_parse_range(layout, "x=-3..70000", ranges, &range_count, &error));
    struct guess_request request = {
        .layout = layout, .ranges = ranges, .range_count = range_count, .numbers = &numbers, .texts = &texts};
    struct guesser *guesser = guesser_create(&request);
    struct set *seen = set_create();
    for (size_t i = 0; i < GUESSES; i++) {
        const uint8_t *bytes = guesser_next(guesser);
        assert_non_null(bytes);
        assert_true(set_add(seen, bytes, layout->size));
        __int128 x = input_element(input_layout_find(layout, "x"), bytes, 0);
        in_range += x >= -3 && x <= 70000;
        is_known += x == 48611;
        assert_in_range((size_t)input_element(input_layout_find(layout, "flag"), bytes, 0), 0, 1);
    }
    assert_int_equal(in_range, GUESSES);
    assert_in_range(is_known, 20, GUESSES / 2);
    set_destroy(seen);
    guesser_destroy(guesser);
    words_free(&numbers), words_free(&texts);
    input_layout_destroy(layout);
}

static void guesses_end_where_there_are_no_more(void **state)
{
    (void)state;
    struct input_layout *layout = input_layout_create();
    struct guess_request nothing = {.layout = layout};
    struct guesser *without = guesser_create(&nothing);
    assert_non_null(guesser_next(without)); /* a program without inputs can be run once */
    assert_null(guesser_next(without));
    guesser_destroy(without);
    input_layout_add(layout,
                     &(struct input_parameter){
                         .name = "flag", .type = "bool", .kind = INPUT_BOOL, .element_size = 1, .element_count = 1});
    struct guess_request request = {.layout = layout};
    struct guesser *guesser = guesser_create(&request);
    assert_non_null(guesser_next(guesser));
    assert_non_null(guesser_next(guesser));
    assert_null(guesser_next(guesser));
    guesser_destroy(guesser);
    input_layout_destroy(layout);
}

static void seeds_are_the_first_guesses(void **state)
{
    (void)state;
    struct input_layout *layout = layout_of_every_kind();
    uint8_t *seed = calloc(1, layout->size);
    const uint8_t *seeds[] = {seed};
    memset(seed, 0x11, 4);
    struct guess_request request = {.layout = layout, .seeds = seeds, .seed_count = 1, .seed_size = 4};
    struct guesser *guesser = guesser_create(&request);
    assert_memory_equal(guesser_next(guesser), seed, layout->size);
    guesser_destroy(guesser);
    free(seed);
    input_layout_destroy(layout);
}

/* Of another version: wider numbers, a longer string, other names. What does not fit stays zero. */
static void recorded_inputs_are_taken_over_by_name(void **state)
{
    (void)state;
    struct input_layout *from = input_layout_create(), *to = layout_of_every_kind();
    input_layout_add(from, &(struct input_parameter){.name = "s",
                                                     .type = "char *",
                                                     .kind = INPUT_CHARACTER,
                                                     .is_signed = true,
                                                     .is_array = true,
                                                     .element_size = 1,
                                                     .element_count = 12});
    static const char *const names[] = {"x", "small", "gone"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        input_layout_add(from, &(struct input_parameter){.name = names[i],
                                                         .type = "long",
                                                         .kind = INPUT_SIGNED,
                                                         .is_signed = true,
                                                         .element_size = 8,
                                                         .element_count = 1});
    input_layout_add(
        from, &(struct input_parameter){
                  .name = "big", .type = "double", .kind = INPUT_FLOATING, .element_size = 8, .element_count = 1});
    uint8_t *recorded = calloc(from->size, 1), *bytes = calloc(to->size, 1);
    assert_true(
        input_parse(from, "s=\"recorded tex\", x=-5, small=300, gone=1, big=1.5", recorded, &(struct error){0}));
    recorded_convert(&(struct recorded_inputs){from, &recorded, 1}, 0, to, bytes);
    assert_memory_equal(bytes + input_layout_find(to, "s")->offset, "recorded", 8);
    assert_int_equal(element_of(to, "x", bytes, 0), -5);
    assert_int_equal(element_of(to, "small", bytes, 0), 0);
    assert_int_equal(element_of(to, "big", bytes, 0), 0);
    free(recorded), free(bytes);
    input_layout_destroy(from);
    input_layout_destroy(to);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(layout_places_parameters_one_after_the_other),
        cmocka_unit_test(parameters_are_found_by_name),
        cmocka_unit_test(limits_follow_type),
        cmocka_unit_test(seeds_are_read),
        cmocka_unit_test(bad_seeds_are_refused),
        cmocka_unit_test(seed_for_program_without_inputs_is_refused),
        cmocka_unit_test(ranges_are_read),
        cmocka_unit_test(printed_inputs_read_back),
        cmocka_unit_test(members_are_read_and_printed),
        cmocka_unit_test(anything_printed_reads_back),
        cmocka_unit_test(floating_point_is_read_and_printed),
        cmocka_unit_test(every_floating_point_number_reads_back),
        cmocka_unit_test(floating_point_ranges),
        cmocka_unit_test(file_form_is_one_line_per_parameter),
        cmocka_unit_test(nearest_names_are_found),
        cmocka_unit_test(guesses_fit_and_never_come_twice),
        cmocka_unit_test(guesses_end_where_there_are_no_more),
        cmocka_unit_test(seeds_are_the_first_guesses),
        cmocka_unit_test(recorded_inputs_are_taken_over_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
