/* The report as a model: documents are made of records, and every beginning of a list of them makes one. */
#include "report/document.h"
#include "report/report.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static json_t *campaign(void)
{
    return json_pack("{s:s, s:[s,s], s:n, s:s, s:s, s:f, s:s, s:b}", "record", RECORD_CAMPAIGN, "files", "a.c", "b.c",
                     "entry", "mode", "complete", "overflow", "wrap", "float_tolerance", 0.0, "directory", "out",
                     "identical", 0);
}

static json_t *divergence(const char *entry, int number, const char *class)
{
    return json_pack("{s:s, s:s, s:i, s:s}", "record", RECORD_DIVERGENCE, "entry", entry, "number", number, "class",
                     class);
}

static json_t *done(const char *entry, const char *verdict, json_t *limits)
{
    json_t *counts = report_no_counts();
    json_object_set_new(counts, "paths", json_integer(2));
    json_object_set_new(counts, "peak_memory", json_integer(*entry));
    json_object_set_new(counts, "time_to_first_divergence", *entry == 'f' ? json_real(0.5) : json_null());
    return json_pack("{s:s, s:s, s:s, s:s, s:i, s:o, s:o, s:[{s:s, s:s}]}", "record", RECORD_ENTRY, "entry", entry,
                     "state", STATE_DONE, "verdict", verdict, "exit_status", 0, "counts", counts, "limits", limits,
                     "assumptions", "entry", entry, "kind", "overflow");
}

static json_t *document_of(json_t *records)
{
    struct document_end end = {0};
    json_t *document = document_make(records, &end);
    json_decref(records);
    return document;
}

static void assert_verdict(json_t *document, const char *wanted)
{
    assert_string_equal(document_string(document, "verdict"), wanted);
    json_decref(document);
}

static json_t *no_limits(void)
{
    return json_array();
}

static void the_whole_follows_from_its_parts(void **state)
{
    (void)state;
    assert_verdict(document_of(json_pack("[o,o,o]", campaign(), done("f", "equivalent", no_limits()),
                                         done("g", "equivalent", no_limits()))),
                   "equivalent");
    assert_verdict(document_of(json_pack("[o,o,o]", campaign(), done("f", "equivalent", no_limits()),
                                         done("g", "no-difference-found", no_limits()))),
                   "no-difference-found");
    assert_verdict(document_of(json_pack("[o,o,o]", campaign(), done("f", "equivalent", no_limits()),
                                         done("g", "different", no_limits()))),
                   "different");
    assert_verdict(document_of(json_pack("[o,o,o]", campaign(), done("f", "equivalent", no_limits()),
                                         document_entry("g", "a.c", STATE_DONE, "it has no body"))),
                   "no-difference-found");
    assert_verdict(document_of(json_pack("[o,o]", campaign(), document_entry("g", "a.c", STATE_DONE, "no body"))),
                   "not-explored");
    assert_verdict(document_of(json_pack("[o]", campaign())), "no-difference-found");
}

static void a_limit_of_the_whole_forbids_equivalence(void **state)
{
    (void)state;
    json_t *header = campaign();
    json_object_set_new(header, "limits",
                        json_pack("[o]", document_limit("", "not-a-function", "a.c", 1, true, "a.c: 't' differs")));
    json_t *document = document_of(json_pack("[o,o]", header, done("f", "equivalent", no_limits())));
    assert_int_equal(json_array_size(json_object_get(document, "limits")), 1);
    assert_verdict(document, "no-difference-found");
    header = campaign();
    json_object_set_new(header, "limits",
                        json_pack("[o]", document_limit("", "rejected-seed", "", 1, false, "1 seed ...")));
    assert_verdict(document_of(json_pack("[o,o]", header, done("f", "equivalent", no_limits()))), "equivalent");
}

static void identical_versions_need_no_entry(void **state)
{
    (void)state;
    json_t *header = campaign();
    json_object_set_new(header, "identical", json_true());
    assert_verdict(document_of(json_pack("[o]", header)), "equivalent");
}

static void later_records_are_in_place_of_earlier_ones(void **state)
{
    (void)state;
    json_t *document =
        document_of(json_pack("[o,o,o,o,o]", campaign(), document_entry("f", "a.c", STATE_BEGUN, NULL),
                              divergence("f", 1, "silent"), divergence("f", 2, "output"), divergence("f", 1, "fix")));
    json_t *found = json_object_get(document, "divergences");
    assert_int_equal(json_array_size(found), 2);
    assert_string_equal(document_string(json_array_get(found, 0), "class"), "fix");
    assert_verdict(document, "different");
    document = document_of(
        json_pack("[o,o,o]", campaign(), divergence("f", 1, "silent"), done("f", "no-difference-found", no_limits())));
    assert_verdict(document, "no-difference-found");
}

static void what_was_stopped_says_so(void **state)
{
    (void)state;
    struct document_end end = {.exit_status = 3, .kind = "time", .text = "time limit reached (raise --time)"};
    json_t *records = json_pack("[o,o,o]", campaign(), document_entry("f", "a.c", STATE_BEGUN, NULL),
                                document_entry("g", "a.c", STATE_QUEUED, NULL));
    json_t *document = document_make(records, &end), *entries = json_object_get(document, "entries");
    assert_string_equal(document_string(json_array_get(json_object_get(document, "limits"), 0), "kind"), "time");
    assert_string_equal(document_string(json_array_get(entries, 0), "verdict"), "no-difference-found");
    assert_string_equal(document_string(json_array_get(entries, 1), "verdict"), "not-explored");
    assert_int_equal(json_integer_value(json_object_get(document, "exit_status")), 3);
    json_decref(records);
    assert_verdict(document, "no-difference-found");
}

static void counts_are_joined(void **state)
{
    (void)state;
    json_t *document = document_of(
        json_pack("[o,o,o]", campaign(), done("f", "equivalent", no_limits()), done("g", "equivalent", no_limits())));
    const json_t *counts = json_object_get(document, "counts");
    assert_int_equal(json_integer_value(json_object_get(counts, "paths")), 4);
    assert_int_equal(json_integer_value(json_object_get(counts, "peak_memory")), 'g');
    assert_true(json_real_value(json_object_get(counts, "time_to_first_divergence")) == 0.5);
    assert_int_equal(json_array_size(json_object_get(document, "assumptions")), 2);
    json_decref(document);
}

/* A campaign that goes on: what was proven stays, what it had come to is open. */
static void an_entry_begins_again(void **state)
{
    (void)state;
    json_t *document =
        document_of(json_pack("[o,o,o,o]", campaign(), divergence("f", 1, "regression"),
                              done("f", "equivalent", no_limits()), document_entry("f", "a.c", STATE_BEGUN, NULL)));
    const json_t *entry = json_array_get(json_object_get(document, "entries"), 0);
    assert_string_equal(document_string(entry, "state"), STATE_BEGUN);
    assert_string_equal(document_string(entry, "verdict"), "different");
    assert_true(json_is_null(json_object_get(entry, "exit_status")));
    json_decref(document);
}

/* Whatever was the last line before a process died. */
static void every_beginning_makes_a_document(void **state)
{
    (void)state;
    json_t *records = json_pack("[o,o,o,o,o,o]", campaign(), document_entry("f", "a.c", STATE_QUEUED, NULL),
                                document_entry("f", "a.c", STATE_BEGUN, NULL), divergence("f", 1, "silent"),
                                divergence("f", 2, "regression"), done("f", "different", no_limits()));
    struct document_end end = {0};
    json_t *whole = document_make(records, &end);
    for (; json_array_size(records); json_array_remove(records, json_array_size(records) - 1)) {
        const char *key;
        json_t *document = document_make(records, &end), *ignored;
        json_object_foreach (whole, key, ignored)
            assert_non_null(json_object_get(document, key));
        assert_int_equal(json_object_size(document), json_object_size(whole));
        json_decref(document);
    }
    json_decref(records);
    json_decref(whole);
}

/* ---- what a verdict rests on, of one entry ---- */

static const struct explore_statistics exhausted = {.exhausted = true, .change_reached = true};
static const struct solve_statistics no_queries;

static struct report empty_report(const struct explore_statistics *statistics)
{
    return (struct report){.arena = arena_create(),
                           .entry = "f",
                           .directory = "out",
                           .mode = EXPLORE_COMPLETE,
                           .statistics = statistics,
                           .solver = &no_queries,
                           .notes = "",
                           .sizes = ""};
}

static enum verdict conclude(struct report *report)
{
    report_conclude(report);
    enum verdict verdict = report->verdict;
    report_free(report);
    arena_destroy(report->arena);
    return verdict;
}

static void verdict_comes_from_limits(void **state)
{
    (void)state;
    struct report report = empty_report(&exhausted);
    assert_int_equal(conclude(&report), VERDICT_EQUIVALENT);
    struct explore_statistics cut = exhausted;
    cut.cut_by_loop = 1;
    report = empty_report(&cut);
    assert_int_equal(conclude(&report), VERDICT_NO_DIFFERENCE_FOUND);
    report = empty_report(&exhausted);
    report.mode = EXPLORE_BOUNDED;
    assert_int_equal(conclude(&report), VERDICT_NO_DIFFERENCE_FOUND);
    report = empty_report(&exhausted);
    report.notes = "p: a string of up to 7 characters (--size p=N to change)";
    assert_int_equal(conclude(&report), VERDICT_NO_DIFFERENCE_FOUND);
    report = empty_report(&exhausted);
    report.sizes = "p: 8 elements (--size p=N to change)"; /* which were enough for every run */
    assert_int_equal(conclude(&report), VERDICT_EQUIVALENT);
    struct explore_statistics beyond = exhausted;
    beyond.beyond = 1;
    report = empty_report(&beyond);
    assert_int_equal(conclude(&report), VERDICT_NO_DIFFERENCE_FOUND);
    report = empty_report(&beyond);
    report.sizes = "p: 8 elements (--size p=N to change)";
    assert_int_equal(conclude(&report), VERDICT_NO_DIFFERENCE_FOUND);
    struct explore_statistics rejected = exhausted;
    rejected.rejected_seeds = 1; /* that is no loss */
    report = empty_report(&rejected);
    assert_int_equal(conclude(&report), VERDICT_EQUIVALENT);
}

static void divergences_decide_and_are_sorted(void **state)
{
    (void)state;
    struct report_divergence found[] = {{.number = 1, .verdict = {.class = CHECK_SILENT}},
                                        {.number = 2, .verdict = {.class = CHECK_OUTPUT}},
                                        {.number = 3, .verdict = {.class = CHECK_REGRESSION}}};
    struct report report = empty_report(&exhausted);
    report.divergences = found;
    report.count = 3;
    report_sort(&report);
    assert_int_equal(report.divergences[0].number, 3);
    assert_int_equal(report.divergences[2].number, 1);
    assert_int_equal(report_count_class(&report, CHECK_OUTPUT), 1);
    assert_int_equal(conclude(&report), VERDICT_DIFFERENT);
    report = empty_report(&exhausted);
    report.divergences = &found[2]; /* the silent one */
    report.count = 1;
    assert_false(report_is_different(&report));
    assert_int_equal(conclude(&report), VERDICT_EQUIVALENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_whole_follows_from_its_parts),
        cmocka_unit_test(a_limit_of_the_whole_forbids_equivalence),
        cmocka_unit_test(identical_versions_need_no_entry),
        cmocka_unit_test(later_records_are_in_place_of_earlier_ones),
        cmocka_unit_test(what_was_stopped_says_so),
        cmocka_unit_test(counts_are_joined),
        cmocka_unit_test(an_entry_begins_again),
        cmocka_unit_test(every_beginning_makes_a_document),
        cmocka_unit_test(verdict_comes_from_limits),
        cmocka_unit_test(divergences_decide_and_are_sorted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
