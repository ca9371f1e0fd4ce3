/* `penumbra stats`: the statistics of a campaign, also of one that has not come to its end. */
#include "base/arena.h"
#include "campaign/journal.h"
#include "cli/cli.h"
#include "cli/options.h"
#include "report/document.h"
#include "report/views.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct arguments {
    struct words named;
    bool json;
};

#define RECORD struct arguments

static const struct option_row rows[] = {
    ON("json", json, "Print them as JSON: `entries`, each with its `counts`, `counts` of all, and `samples`"),
    TABLE_END,
};

static void check(struct argp_state *state, const struct command_line *line)
{
    if (line->files->count != 1)
        argp_error(state, "expected a results directory");
}

/* The columns that are numbers: of an entry that is done its counts, of another one the last sample. */
static const struct column {
    const char *title, *key;
    bool is_time;
} columns[] = {
    {"runs", "runs", false},
    {"paths", "paths", false},
    {"diff paths", "diff_paths", false},
    {"seconds", "seconds", true},
};

enum { COLUMNS = sizeof columns / sizeof *columns, WIDTH = 12 };

static const json_t *last_sample(const json_t *samples, const char *entry)
{
    for (size_t i = json_array_size(samples); i-- > 0;)
        if (!strcmp(view_string(json_array_get(samples, i), "entry"), entry))
            return json_array_get(samples, i);
    return NULL;
}

static size_t count_groups(const json_t *document, const char *entry)
{
    size_t i, count = 0;
    json_t *group;
    json_array_foreach (json_object_get(document, "groups"), i, group) {
        count += !entry || !strcmp(view_string(group, "entry"), entry);
    }
    return count;
}

static void print_numbers(const json_t *numbers, size_t groups)
{
    for (size_t i = 0; i < COLUMNS; i++) {
        const json_t *value = json_object_get(numbers, columns[i].key);
        if (!json_is_number(value))
            printf("%*s", WIDTH, "-");
        else
            printf("%*.*f", WIDTH, columns[i].is_time ? 2 : 0, json_number_value(value));
    }
    printf("%*zu\n", WIDTH, groups);
}

static void print_titles(void)
{
    printf("%-24s %-8s %-20s", "entry", "state", "verdict");
    for (size_t i = 0; i < COLUMNS; i++)
        printf("%*s", WIDTH, columns[i].title);
    printf("%*s\n", WIDTH, "groups");
}

/* Of all entries, as they are shown. */
static void add_numbers(json_t *all, const json_t *numbers)
{
    for (size_t i = 0; i < COLUMNS; i++) {
        double before = json_number_value(json_object_get(all, columns[i].key));
        json_object_set_new(all, columns[i].key,
                            json_real(before + json_number_value(json_object_get(numbers, columns[i].key))));
    }
}

static void print_table(const json_t *document, const json_t *samples)
{
    size_t i;
    json_t *entry, *all = json_object();
    print_titles();
    json_array_foreach (json_object_get(document, "entries"), i, entry) {
        const char *name = view_string(entry, "entry");
        const json_t *counts = json_object_get(entry, "counts");
        printf("%-24s %-8s %-20s", name, view_string(entry, "state"), view_string(entry, "verdict"));
        counts = json_is_object(counts) ? counts : last_sample(samples, name);
        print_numbers(counts, count_groups(document, name));
        add_numbers(all, counts);
    }
    printf("%-24s %-8s %-20s", "all", "", view_string(document, "verdict"));
    print_numbers(all, count_groups(document, NULL));
    json_decref(all);
}

static void print_json(const json_t *document, const json_t *samples)
{
    json_t *statistics = json_pack("{s:O, s:O, s:O}", "entries", json_object_get(document, "entries"), "counts",
                                   json_object_get(document, "counts"), "samples", samples);
    json_dumpf(statistics, stdout, JSON_INDENT(2));
    putchar('\n');
    json_decref(statistics);
}

int cli_stats(int argc, char **argv)
{
    struct arguments arguments = {0};
    struct error error = {0};
    struct command_line line = {
        .arguments = "DIR",
        .summary = "Show the statistics of a campaign, also of one that was stopped or is going on.\vOf an entry that "
                   "is not done, numbers are the last that were remembered. Nothing is run.",
        .sets = {{NULL, rows, &arguments}},
        .files = &arguments.named,
        .check = check,
    };
    options_parse(&line, argc, argv);
    struct arena *arena = arena_create();
    const char *directory = arguments.named.list[0];
    json_t *document = journal_read_report(directory, &error);
    json_t *samples = document ? journal_samples(arena_format(arena, "%s/" JOURNAL_NAME, directory), &error) : NULL;
    if (samples)
        (arguments.json ? print_json : print_table)(document, samples);
    int status = samples ? EXIT_NOTHING : cli_fail(&error);
    json_decref(document), json_decref(samples);
    arena_destroy(arena);
    words_free(&arguments.named);
    return status;
}
