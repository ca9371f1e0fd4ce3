/* `penumbra augment`: what a test suite lacks. The seeds of an exploration of partitions are the tests that there are;
 * its semantic changes say which of them show each. Of the others tests are made. */
#include "campaign/export.h"
#include "campaign/journal.h"
#include "cli/cli.h"
#include "cli/options.h"

#include <stdio.h>
#include <unistd.h>

struct arguments {
    struct words named;
    struct export_request request;
};

#define RECORD struct arguments
static const struct option_row rows[] = {
    CHOICE("format", EXPORT_FORMATS, request.format, "Of the tests, as penumbra export has them (default c)"),
    CHOICE("expect", "usual|old|new", request.expect, "Whose behaviour passes, as in penumbra export"),
    TEXT("out", "DIR", request.directory, "Where the missing tests go: a new directory (default: none are made)"),
    TABLE_END,
};

static void check(struct argp_state *state, const struct command_line *line)
{
    const struct arguments *arguments = line->sets[0].record;
    if (arguments->named.count != 1)
        argp_error(state, "expected a results directory");
}

static const char *string_of(const json_t *object, const char *key)
{
    const char *string = json_string_value(json_object_get(object, key));
    return string ? string : "";
}

/* ---- what there is ---- */

static void print_numbers(const json_t *list)
{
    size_t i;
    json_t *number;
    json_array_foreach (list, i, number) {
        printf("%s%lld", i ? ", " : "", (long long)json_integer_value(number));
    }
}

static void print_condition(const json_t *change)
{
    size_t i;
    json_t *condition;
    json_array_foreach (json_object_get(change, "condition"), i, condition) {
        printf("%s%s", i ? " && " : "", json_string_value(condition));
    }
    printf("\n");
}

static bool is_shown(const json_t *change)
{
    return json_array_size(json_object_get(change, "shown_by")) > 0;
}

static void print_changes(const json_t *changes)
{
    size_t i;
    json_t *change;
    json_array_foreach (changes, i, change) {
        printf("%zu  %s\n    when ", i + 1, string_of(change, "input"));
        print_condition(change);
        if (is_shown(change)) {
            printf("    shown by seed ");
            print_numbers(json_object_get(change, "shown_by"));
            printf("\n");
        } else {
            printf("    missing%s\n", json_is_null(json_object_get(change, "class"))
                                          ? "; native runs do not show it: no test can be made of it"
                                          : "");
        }
    }
}

/* ---- changes that meet ---- */

static bool is_same_place(const json_t *one, const json_t *other)
{
    return json_equal(json_object_get(one, "line"), json_object_get(other, "line")) &&
           json_equal(json_object_get(one, "file"), json_object_get(other, "file"));
}

/* In one partition, one change is executed and then another. */
static bool has_before(const json_t *list, const json_t *one, const json_t *other)
{
    size_t i;
    json_t *place;
    bool was_there = false;
    json_array_foreach (list, i, place) {
        if (was_there && is_same_place(place, other))
            return true;
        was_there |= is_same_place(place, one);
    }
    return false;
}

static bool was_said(const json_t *pairs, const json_t *one, const json_t *other)
{
    size_t i;
    json_t *pair;
    json_array_foreach (pairs, i, pair) {
        if (is_same_place(json_array_get(pair, 0), one) && is_same_place(json_array_get(pair, 1), other))
            return true;
    }
    return false;
}

/* How many semantic changes have them both, in this order. */
static size_t count_meetings(const json_t *changes, const json_t *one, const json_t *other)
{
    size_t i, count = 0;
    json_t *change;
    json_array_foreach (changes, i, change) {
        count += has_before(json_object_get(change, "new_changes"), one, other);
    }
    return count;
}

static void print_meeting(const json_t *changes, json_t *said, json_t *one, json_t *other)
{
    if (is_same_place(one, other) || was_said(said, one, other))
        return;
    json_array_append_new(said, json_pack("[O, O]", one, other));
    printf("%s:%lld, then %s:%lld: executed one after the other in %zu of the semantic changes\n",
           string_of(one, "file"), (long long)json_integer_value(json_object_get(one, "line")),
           string_of(other, "file"), (long long)json_integer_value(json_object_get(other, "line")),
           count_meetings(changes, one, other));
}

static void print_interference(const json_t *changes)
{
    size_t i, k, m;
    json_t *change, *one, *other, *said = json_array();
    json_array_foreach (changes, i, change) {
        const json_t *list = json_object_get(change, "new_changes");
        json_array_foreach (list, k, one) {
            for (m = k + 1; m < json_array_size(list); m++) {
                other = json_array_get(list, m);
                print_meeting(changes, said, one, other);
            }
        }
    }
    json_decref(said);
}

/* ---- the whole ---- */

static bool make_tests(const struct export_request *request, struct error *error)
{
    struct text skipped = {0};
    size_t count = 0;
    if (!access(request->directory, F_OK))
        return error_set(error, "%s is there already: --out DIR chooses another place", request->directory);
    bool good = export_tests(request, &count, &skipped, error);
    if (good)
        printf("%zu test%s in %s\n", count, count == 1 ? "" : "s", count ? request->directory : "all");
    if (skipped.length)
        fprintf(stderr, "no test was made of:\n%s", text_string(&skipped));
    text_free(&skipped);
    return good;
}

static int augment(const struct export_request *request, struct error *error)
{
    json_t *document = journal_read_report(request->results, error);
    json_t *changes = json_object_get(document, "semantic_changes");
    bool good = document != NULL;
    if (good && !changes)
        good = error_set(error, "%s has no semantic changes: they come from a run with --explore cbpe-sd",
                         request->results);
    size_t missing = 0;
    for (size_t i = 0; i < json_array_size(changes); i++)
        missing += !is_shown(json_array_get(changes, i));
    if (good) {
        print_changes(changes);
        print_interference(changes);
        printf("%zu semantic change%s: the seeds show %zu, %zu missing\n", json_array_size(changes),
               json_array_size(changes) == 1 ? "" : "s", json_array_size(changes) - missing, missing);
        good = !request->directory || !missing || make_tests(request, error);
    }
    json_decref(document);
    return good ? (missing ? EXIT_DIFFERENT : EXIT_NOTHING) : cli_fail(error);
}

int cli_augment(int argc, char **argv)
{
    struct arguments arguments = {.request = {.only_missing = true}};
    struct error error = {0};
    struct command_line line = {
        .arguments = "DIR",
        .summary =
            "Tell what a test suite lacks: which semantic changes its tests show, and which they do not.\vDIR has the "
            "results of a run with --explore cbpe-sd, whose seeds are the tests (--seed). With --out, a test is made "
            "of every change that is missing. Changes in several places that are executed one after the other are "
            "named. Exit status: 0 nothing is missing, 1 something is, 2 trouble.",
        .sets = {{NULL, rows, &arguments}},
        .files = &arguments.named,
        .check = check,
    };
    options_parse(&line, argc, argv);
    arguments.request.results = arguments.named.list[0];
    int status = augment(&arguments.request, &error);
    words_free(&arguments.named);
    return status;
}
