/* Groups of divergences: what is in one, their order, their witnesses, and that many are grouped quickly. */
#include "base/arena.h"
#include "base/clock.h"
#include "report/conditions.h"
#include "report/groups.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct report_divergence *add(struct report *report, enum check_class class, unsigned line)
{
    report->divergences =
        array_reserve(report->divergences, &report->capacity, report->count + 1, sizeof *report->divergences);
    struct report_divergence *divergence = &report->divergences[report->count++];
    *divergence =
        (struct report_divergence){.number = (unsigned)report->count, .file = "a.c", .line = line, .called = ""};
    divergence->verdict.class = class;
    divergence->verdict.old_run.failed = class == CHECK_FIX;
    divergence->verdict.new_run.failed = class == CHECK_REGRESSION;
    if (class == CHECK_OUTPUT) {
        text_add(&divergence->verdict.old_run.output, "return = 01 00 00 00  # 1\n");
        text_add(&divergence->verdict.new_run.output, "return = 02 00 00 00  # 2\n");
    }
    return divergence;
}

static void group(struct report *report)
{
    report_sort(report);
    groups_make(report);
}

static void clean(struct report *report)
{
    for (size_t i = 0; i < report->count; i++)
        check_verdict_free(&report->divergences[i].verdict);
    free(report->divergences);
    free(report->groups);
}

static void assert_group(const struct report *report, size_t number, enum check_class class, size_t count,
                         unsigned witness)
{
    assert_true(number < report->group_count);
    assert_int_equal(report->groups[number].class, class);
    assert_int_equal(report->groups[number].count, count);
    assert_int_equal(report->divergences[report->groups[number].witness].number, witness);
}

static void most_serious_first(void **state)
{
    struct report report = {0};
    (void)state;
    add(&report, CHECK_UNREPRODUCED, 9);
    add(&report, CHECK_SILENT, 1);
    add(&report, CHECK_SILENT, 2);
    add(&report, CHECK_FIX, 3);
    add(&report, CHECK_OUTPUT, 4);
    add(&report, CHECK_OUTPUT, 4);
    add(&report, CHECK_OUTPUT, 5);
    add(&report, CHECK_REGRESSION, 6);
    group(&report);
    assert_int_equal(report.group_count, 6);
    assert_group(&report, 0, CHECK_REGRESSION, 1, 8);
    assert_group(&report, 1, CHECK_OUTPUT, 2, 5);
    assert_group(&report, 2, CHECK_OUTPUT, 1, 7);
    assert_group(&report, 3, CHECK_FIX, 1, 4);
    assert_group(&report, 4, CHECK_SILENT, 2, 2); /* wherever they are */
    assert_group(&report, 5, CHECK_UNREPRODUCED, 1, 1);
    clean(&report);
}

/* What each version does counts: how and where it fails, and where outputs differ. */
static void what_the_versions_do(void **state)
{
    struct report report = {0};
    (void)state;
    strcpy(add(&report, CHECK_REGRESSION, 1)->verdict.new_run.location, "a.c:7:1");
    strcpy(add(&report, CHECK_REGRESSION, 1)->verdict.new_run.location, "a.c:8:1");
    strcpy(add(&report, CHECK_REGRESSION, 1)->verdict.new_run.location, "a.c:8:1");
    struct check_verdict *prints = &add(&report, CHECK_OUTPUT, 1)->verdict;
    text_truncate(&prints->old_run.output, 0);
    text_add(&prints->old_run.output, "hello\n");
    prints->old_run.printed = prints->old_run.output.length;
    add(&report, CHECK_OUTPUT, 1);
    group(&report);
    assert_int_equal(report.group_count, 4);
    assert_group(&report, 0, CHECK_REGRESSION, 1, 1);
    assert_group(&report, 1, CHECK_REGRESSION, 2, 2);
    clean(&report);
}

/* Of two witnesses, the one that needs no undefined behaviour. */
static void the_plain_one_is_shown(void **state)
{
    struct report report = {0};
    (void)state;
    struct report_divergence *first = add(&report, CHECK_OUTPUT, 1);
    first->is_flagged = first->verdict.signed_overflow = true;
    add(&report, CHECK_OUTPUT, 1);
    add(&report, CHECK_OUTPUT, 1)->is_flagged = true;
    group(&report);
    assert_group(&report, 0, CHECK_OUTPUT, 3, 3);
    clean(&report);
}

static void what_was_not_run_is_counted_where_it_is_likely(void **state)
{
    struct report_unproven left = {.file = "a.c", .line = 2, .count = 40};
    struct report report = {.left = &left, .left_count = 1};
    (void)state;
    add(&report, CHECK_OUTPUT, 1);
    add(&report, CHECK_REGRESSION, 2);
    add(&report, CHECK_OUTPUT, 2);
    add(&report, CHECK_OUTPUT, 2);
    group(&report);
    assert_int_equal(report.groups[0].unproven, 0);
    assert_int_equal(report.groups[1].unproven, 0);
    assert_int_equal(report.groups[2].unproven, 40);
    clean(&report);
}

static void changes_that_make_the_difference_alone_count(void **state)
{
    struct report report = {0};
    (void)state;
    for (unsigned line = 1; line <= 4; line++)
        add(&report, CHECK_REGRESSION, line);
    add(&report, CHECK_REGRESSION, 2);
    for (unsigned i = 0; i < 3; i++) { /* the fourth is not known, the fifth comes of the change where it parts */
        report.divergences[i].cause_file = "a.c";
        report.divergences[i].cause_line = i == 2 ? 3 : 2;
    }
    group(&report);
    assert_int_equal(report.group_count, 3);
    assert_group(&report, 0, CHECK_REGRESSION, 3, 2);
    assert_group(&report, 1, CHECK_REGRESSION, 1, 3);
    assert_group(&report, 2, CHECK_REGRESSION, 1, 4);
    assert_true(groups_part_at_cause(&report.divergences[report.groups[0].witness]));
    group(&report); /* once more, as at the end of each stage */
    assert_int_equal(report.group_count, 3);
    clean(&report);
}

static void failures_of_both_are_one(void **state)
{
    struct report report = {0};
    (void)state;
    add(&report, CHECK_BOTH_FAIL, 1);
    add(&report, CHECK_SILENT, 2);
    add(&report, CHECK_BOTH_FAIL, 3);
    group(&report);
    assert_int_equal(report.group_count, 2);
    assert_group(&report, 0, CHECK_BOTH_FAIL, 2, 1);
    clean(&report);
}

static void many(void **state)
{
    struct report report = {0};
    (void)state;
    for (unsigned i = 0; i < 50000; i++)
        add(&report, i % 3 ? CHECK_OUTPUT : CHECK_REGRESSION, i % 50);
    double start = clock_seconds();
    group(&report);
    assert_true(clock_seconds() - start < 2);
    assert_int_equal(report.group_count, 100);
    size_t listed = 0;
    for (size_t i = 0; i < report.count; i++)
        listed += groups_are_listed(&report, i);
    assert_int_equal(listed, 100);
    clean(&report);
}

static void assert_reduced(const char *const *conditions, const char *wanted)
{
    struct arena *arena = arena_create();
    struct text text = {0};
    for (const char *const *list = conditions_reduce(conditions, arena); *list; list++)
        text_format(&text, "%s%s", text.length ? ", " : "", *list);
    assert_string_equal(text_string(&text), wanted);
    text_free(&text);
    arena_destroy(arena);
}

static void conditions_that_others_imply_are_left_out(void **state)
{
    (void)state;
    assert_reduced((const char *[]){"x <= 20", "x > 3", "x > 10", NULL}, "x <= 20, x > 10");
    assert_reduced((const char *[]){"m[0] <= 8", "m[0] >= 8", "m[0] != '\\0'", "m[0] > 7", NULL}, "m[0] == 8");
    assert_reduced((const char *[]){"s <= 1", "s != 1", "s == 0", "t != 5", NULL}, "s == 0, t != 5");
    assert_reduced((const char *[]){"x > 1", "x <= 2", NULL}, "x > 1, x <= 2"); /* it may be a fraction */
    assert_reduced((const char *[]){"x == y", "x > 3", "x == y", NULL}, "x == y, x > 3, x == y");
    assert_reduced((const char *[]){"x > 3 || y > 2", "x > 3", "(x > 3) == 1", NULL},
                   "x > 3 || y > 2, x > 3, (x > 3) == 1");
    assert_reduced((const char *[]){"x == 3", "x == 4", NULL}, "x == 3, x == 4");
    assert_reduced((const char *[]){"x + 1 > 3", "x + 1 > 2", "x > 2 ? 5 : 0", NULL}, "x + 1 > 3, x > 2 ? 5 : 0");
    assert_reduced((const char *[]){"c > ' '", "c > 'a'", "c != '('", NULL}, "c > 'a'");
    assert_reduced((const char *[]){NULL}, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(most_serious_first),
        cmocka_unit_test(what_the_versions_do),
        cmocka_unit_test(the_plain_one_is_shown),
        cmocka_unit_test(what_was_not_run_is_counted_where_it_is_likely),
        cmocka_unit_test(changes_that_make_the_difference_alone_count),
        cmocka_unit_test(failures_of_both_are_one),
        cmocka_unit_test(many),
        cmocka_unit_test(conditions_that_others_imply_are_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
