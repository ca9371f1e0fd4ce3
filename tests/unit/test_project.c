/* What is understood of a compiler's command line, and which recorded starts are chosen. */
#include "project/call.h"
#include "project/starts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* The inputs that are C files, with a blank between them. */
static void check_call(const char *line, enum call_action action, const char *sources, const char *output)
{
    struct words words = {0};
    struct call call;
    struct error error = {0};
    char found[200] = "";
    words_split(&words, line);
    assert_true(call_read(&call, (char *const *)words.list, &error));
    assert_int_equal(call.action, action);
    for (size_t i = 0; i < call.count; i++)
        if (call.inputs[i].is_c) {
            strcat(found, *found ? " " : "");
            strcat(found, call.arguments.list[call.inputs[i].place]);
        }
    assert_string_equal(found, sources);
    assert_string_equal(call.output ? call.output : "", output);
    call_free(&call);
    words_free(&words);
}

static void calls_are_understood(void **state)
{
    (void)state;
    check_call("-c a.c", CALL_COMPILE, "a.c", "");
    check_call("-c -o out/a.o -I include -D X=a.c a.c", CALL_COMPILE, "a.c", "out/a.o");
    check_call("-oprogram a.c b.o -Llib -l m c.i", CALL_LINK, "a.c c.i", "program");
    check_call("a.o b.a", CALL_LINK, "", "");
    check_call("-x c text -x none a.o", CALL_LINK, "text", "");
    check_call("-xc++ a.c", CALL_LINK, "", "");
    check_call("a.cc b.S", CALL_LINK, "", "");
    check_call("-E a.c", CALL_OTHER, "a.c", "");
    check_call("-c -S a.c", CALL_OTHER, "a.c", "");
    check_call("-MM -c a.c", CALL_OTHER, "a.c", "");
    check_call("-c -MD -MF a.c -MT b.c a.x -x c d.y", CALL_COMPILE, "d.y", "");
    check_call("--version", CALL_OTHER, "", "");
    check_call("-Wl,--start-group a.c -Xlinker b.c", CALL_LINK, "a.c", "");
}

static void what_a_call_is_linked_with(void **state)
{
    (void)state;
    char *shared[] = {"-shared", "a.o", NULL}, *bare[] = {"-nostdlib", "-r", "a.o", "-flto=auto", NULL};
    struct call call;
    struct error error = {0};
    assert_true(call_read(&call, shared, &error));
    assert_true(call.is_shared && !call.is_relocatable && !call.has_no_library);
    call_free(&call);
    assert_true(call_read(&call, bare, &error));
    assert_true(!call.is_shared && call.is_relocatable && call.has_no_library);
    assert_int_equal(call.arguments.count, 3);
    call_free(&call);
}

static struct start_record record(const char *arguments, size_t size, bool touches)
{
    struct start_record start = {.size = size, .touches = touches};
    words_split(&start.arguments, arguments);
    return start;
}

static void small_and_different_starts_come_first(void **state)
{
    (void)state;
    size_t chosen[4];
    struct start_record list[] = {record("-a x", 9, true), record("-a y", 5, true), record("-b", 7, true),
                                  record("", 1, false), record("-b z", 6, true)};
    struct starts starts = {.list = list, .count = 5};
    assert_int_equal(starts_choose(&starts, 4, chosen), 4);
    assert_int_equal(chosen[0], 1);
    assert_int_equal(chosen[1], 4);
    assert_int_equal(chosen[2], 2);
    assert_int_equal(chosen[3], 0);
    for (size_t i = 0; i < starts.count; i++)
        list[i].touches = false;
    assert_int_equal(starts_choose(&starts, 2, chosen), 2);
    assert_int_equal(chosen[0], 3);
    assert_int_equal(chosen[1], 1);
    for (size_t i = 0; i < starts.count; i++)
        words_free(&list[i].arguments);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_are_understood),
        cmocka_unit_test(what_a_call_is_linked_with),
        cmocka_unit_test(small_and_different_starts_come_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
