/* Making witnesses small: against native runs that are functions of this test. */
#include "campaign/state.h"
#include "check/check.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

/* Whether the versions differ on the input; and how often that was asked. */
static bool (*differ)(const uint8_t *input);
static const uint8_t *tried;
static size_t asked;

static bool try_input(bool (*judge)(const uint8_t *), struct check_verdict *verdict)
{
    asked++;
    *verdict = (struct check_verdict){.class = judge(tried) ? CHECK_OUTPUT : CHECK_SILENT};
    return true;
}

#define check_try(checker, text, seconds, verdict, error) ((void)(seconds), try_input(differ, verdict))
#define campaign_end(campaign) INFINITY
#include "campaign/shrink.c"

static uint8_t input[64];

static void shrink(const struct input_parameter *parameters, size_t count, bool (*judge)(const uint8_t *),
                   enum shrinking_effort effort)
{
    struct campaign campaign = {0};
    struct input_layout *layout = input_layout_create();
    for (size_t i = 0; i < count; i++)
        input_layout_add(layout, &parameters[i]);
    campaign.subject.program.layout = layout;
    differ = judge;
    tried = input;
    asked = 0;
    assert_true(judge(input));
    shrink_input(&campaign, input, effort);
    assert_true(judge(input)); /* it shows the same all the time */
    input_layout_destroy(layout);
}

static int32_t number_at(size_t index)
{
    int32_t number;
    memcpy(&number, input + 4 * index, sizeof number);
    return number;
}

static void put_number(size_t index, int32_t number)
{
    memcpy(input + 4 * index, &number, sizeof number);
}

static const struct input_parameter numbers[] = {
    {.name = "x", .type = "int", .kind = INPUT_SIGNED, .is_signed = true, .element_size = 4, .element_count = 1},
    {.name = "y", .type = "int", .kind = INPUT_SIGNED, .is_signed = true, .element_size = 4, .element_count = 1}};
static const struct input_parameter array = {.name = "a",
                                             .type = "int *",
                                             .kind = INPUT_SIGNED,
                                             .is_signed = true,
                                             .is_array = true,
                                             .element_size = 4,
                                             .element_count = 8};
static const struct input_parameter text = {.name = "s",
                                            .type = "char *",
                                            .kind = INPUT_CHARACTER,
                                            .is_signed = true,
                                            .is_array = true,
                                            .is_string = true,
                                            .element_size = 1,
                                            .element_count = 32};

static bool is_large(const uint8_t *bytes)
{
    (void)bytes;
    return number_at(0) > 1000 || number_at(0) < -70;
}

static void numbers_move_towards_zero(void **state)
{
    (void)state;
    put_number(0, 1234567);
    put_number(1, -99);
    shrink(numbers, 2, is_large, SHRINK_WELL);
    assert_int_equal(number_at(0), 1001);
    assert_int_equal(number_at(1), 0); /* it does not matter */
    put_number(0, -80);
    shrink(numbers, 2, is_large, SHRINK_WELL);
    assert_int_equal(number_at(0), -71);
    put_number(0, -80);
    shrink(numbers, 2, is_large, SHRINK_QUICKLY);
    assert_int_equal(number_at(0), -80); /* easily read as it is */
}

static bool third_is_seven(const uint8_t *bytes)
{
    (void)bytes;
    return number_at(2) == 7;
}

static void arrays_end_early(void **state)
{
    (void)state;
    for (size_t i = 0; i < 8; i++)
        put_number(i, 7);
    shrink(&array, 1, third_is_seven, SHRINK_WELL);
    for (size_t i = 0; i < 8; i++)
        assert_int_equal(number_at(i), i == 2 ? 7 : 0);
}

static bool has_option(const uint8_t *bytes)
{
    return strstr((const char *)bytes, "-x") != NULL && strchr((const char *)bytes, ';') != NULL;
}

static void texts_lose_what_does_not_matter(void **state)
{
    (void)state;
    memset(input, 0, sizeof input);
    strcpy((char *)input, "first word -x and; more");
    shrink(&text, 1, has_option, SHRINK_WELL);
    assert_string_equal((const char *)input, "-x;");
    assert_true(asked <= 201); /* and once before */
}

static bool never_again(const uint8_t *bytes)
{
    (void)bytes;
    return asked <= 1 && number_at(0) == 500;
}

/* What shows itself once only stays as it is. */
static void nothing_is_taken_that_shows_something_else(void **state)
{
    (void)state;
    put_number(0, 500);
    put_number(1, 500);
    struct campaign campaign = {0};
    struct input_layout *layout = input_layout_create();
    input_layout_add(layout, &numbers[0]);
    input_layout_add(layout, &numbers[1]);
    campaign.subject.program.layout = layout;
    differ = never_again;
    tried = input;
    asked = 0;
    shrink_input(&campaign, input, SHRINK_WELL);
    assert_int_equal(number_at(0), 500);
    assert_int_equal(number_at(1), 500);
    input_layout_destroy(layout);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_move_towards_zero),
        cmocka_unit_test(arrays_end_early),
        cmocka_unit_test(texts_lose_what_does_not_matter),
        cmocka_unit_test(nothing_is_taken_that_shows_something_else),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
