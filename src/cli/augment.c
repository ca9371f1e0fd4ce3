/* `penumbra augment`: what a test suite lacks. The seeds of an exploration of partitions are the tests that there are;
 * its semantic changes say which of them show each. Of the others tests are made. */
#include "campaign/export.h"
#include "campaign/journal.h"
#include "cli/cli.h"
#include "cli/options.h"
#include "cli/partition_text.h"

#include <stdio.h>
#include <unistd.h>

enum { MOST_OF_A_LINE = 300 }; /* report.json has all of it */

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

/* ---- what there is ---- */

static void print_numbers(const json_t *list)
{
    size_t i;
    json_t *number;
    json_array_foreach (list, i, number) {
        printf("%s%lld", i ? ", " : "", (long long)json_integer_value(number));
    }
}

static bool is_shown(const json_t *change)
{
    return json_array_size(json_object_get(change, "shown_by")) > 0;
}

static void print_place(const json_t *place)
{
    printf("%s:%lld", object_string(place, "file"), (long long)json_integer_value(json_object_get(place, "line")));
}

static bool is_same_place(const json_t *one, const json_t *other)
{
    return json_equal(json_object_get(one, "line"), json_object_get(other, "line")) &&
           json_equal(json_object_get(one, "file"), json_object_get(other, "file"));
}

/* Changes of one line are said once. */
static void print_executed(const json_t *places)
{
    size_t i;
    json_t *place;
    json_array_foreach (places, i, place) {
        bool is_said = false;
        for (size_t k = 0; k < i && !is_said; k++)
            is_said = is_same_place(json_array_get(places, k), place);
        if (is_said)
            continue;
        printf("%s", i ? ", then " : "    executes ");
        print_place(place);
    }
    printf("%s", json_array_size(places) ? "\n" : "");
}

static void print_status(const json_t *change)
{
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

static void print_condition(const json_t *change)
{
    struct text text = {0};
    add_conditions(json_object_get(change, "condition"), &text);
    print_cut("    when ", &text, MOST_OF_A_LINE);
    text_free(&text);
}

/* What differs in it from the other version. */
static void print_version(const json_t *change, const char *version, const char *other)
{
    char keys[4][16];
    struct text text = {0};
    snprintf(keys[0], sizeof *keys, "%s_ends", version);
    snprintf(keys[1], sizeof *keys, "%s_status", version);
    snprintf(keys[2], sizeof *keys, "%s_outputs", version);
    snprintf(keys[3], sizeof *keys, "%s_outputs", other);
    add_outcome(object_string(change, keys[0]), json_integer_value(json_object_get(change, keys[1])),
                json_object_get(change, keys[2]), json_object_get(change, keys[3]), &text);
    printf("    %s  ", version);
    print_cut("", &text, MOST_OF_A_LINE);
    text_free(&text);
}

static void print_change(const json_t *change, size_t number, bool with_entry)
{
    printf("%zu  %s%s%s\n", number, with_entry ? object_string(change, "entry") : "", with_entry ? ": " : "",
           object_string(change, "input"));
    print_condition(change);
    print_version(change, "old", "new");
    print_version(change, "new", "old");
    print_executed(json_object_get(change, "new_changes"));
    print_status(change);
}

static void print_changes(const json_t *document, const json_t *changes)
{
    size_t i;
    json_t *change;
    bool has_several = json_array_size(json_object_get(document, "entries")) > 1;
    json_array_foreach (changes, i, change) {
        print_change(change, i + 1, has_several);
    }
}

/* What is wrong with seeds, and what no run came to; and why there may be more changes than these. */
static void print_limits(const json_t *document)
{
    size_t i;
    json_t *limit, *entry;
    json_array_foreach (json_object_get(document, "entries"), i, entry) {
        if (*object_string(entry, "problem"))
            printf("there may be more: %s() cannot be explored: %s\n", object_string(entry, "entry"),
                   object_string(entry, "problem"));
    }
    json_array_foreach (json_object_get(document, "limits"), i, limit) {
        if (json_is_true(json_object_get(limit, "forbids_equivalence")))
            printf("there may be more: %s\n", object_string(limit, "text"));
        else
            printf("%s\n", object_string(limit, "text"));
    }
}

/* ---- changes that meet ---- */

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

/* Which semantic changes have them both, in this order. */
static void print_meeting(const json_t *changes, json_t *said, json_t *one, json_t *other)
{
    size_t i;
    json_t *change, *numbers;
    if (is_same_place(one, other) || was_said(said, one, other))
        return;
    json_array_append_new(said, json_pack("[O, O]", one, other));
    numbers = json_array();
    json_array_foreach (changes, i, change) {
        if (has_before(json_object_get(change, "new_changes"), one, other))
            json_array_append_new(numbers, json_integer((json_int_t)i + 1));
    }
    print_place(one);
    printf(" is executed, then ");
    print_place(other);
    printf(": they may interfere in ");
    print_numbers(numbers);
    printf("\n");
    json_decref(numbers);
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

static size_t skipped_lines(const char *text)
{
    size_t count = 0;
    for (; *text; text++)
        count += *text == '\n';
    return count;
}

static bool make_tests(const struct export_request *request, size_t missing, struct error *error)
{
    struct text skipped = {0};
    size_t count = 0;
    if (!access(request->directory, F_OK))
        return error_set(error, "%s is there already: --out DIR chooses another place", request->directory);
    bool good = export_tests(request, &count, &skipped, error);
    if (good)
        printf("%zu test%s in %s\n", count, count == 1 ? "" : "s", count ? request->directory : "all");
    if (good && count + skipped_lines(text_string(&skipped)) < missing)
        printf("of very many semantic changes the first have a test each, others only where the versions do something "
               "else\n");
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
        good = error_set(error,
                         "%s has no semantic changes: they come from a run with --explore cbpe-sd that came to its end",
                         request->results);
    size_t missing = 0;
    for (size_t i = 0; i < json_array_size(changes); i++)
        missing += !is_shown(json_array_get(changes, i));
    if (good) {
        print_changes(document, changes);
        print_interference(changes);
        print_limits(document);
        printf("%zu semantic change%s: the seeds show %zu, %zu missing\n", json_array_size(changes),
               json_array_size(changes) == 1 ? "" : "s", json_array_size(changes) - missing, missing);
        good = !request->directory || !missing || make_tests(request, missing, error);
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
