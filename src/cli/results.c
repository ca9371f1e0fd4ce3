/* `penumbra show`: the results of an earlier run, as text, as JSON, or in other forms. */
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
    const char *reports;
    bool json;
};

#define RECORD struct arguments

static const struct option_row rows[] = {
    ON("json", json, "Print the report as JSON"),
    TEXT("report", "LIST", reports,
         "Write the report in other forms into the directory: " VIEW_NAMES " (with commas between them)"),
    TABLE_END,
};

static void check(struct argp_state *state, const struct command_line *line)
{
    const struct arguments *arguments = line->sets[0].record;
    if (arguments->named.count < 1 || arguments->named.count > 2)
        argp_error(state, "expected a results directory, and perhaps a group of it");
}

static long long number_of(const json_t *group)
{
    return (long long)json_integer_value(json_object_get(json_object_get(group, "witness"), "number"));
}

static void print_group(const json_t *group)
{
    struct text text = {0};
    view_add_place(group, &text);
    printf("[%lld] %s x%zu  %s\n    %s: %s\n    id %s\n", number_of(group), view_string(group, "class"),
           view_count(group), view_string(group, "input"), view_class_sentence(view_string(group, "class")),
           text_string(&text), view_string(group, "id"));
    text_free(&text);
}

static void print_details(const json_t *group)
{
    size_t i;
    json_t *line;
    struct text text = {0};
    const json_t *witness = json_object_get(group, "witness"), *old_run = json_object_get(witness, "old"),
                 *new_run = json_object_get(witness, "new");
    json_array_foreach (json_object_get(group, "source"), i, line) {
        text_format(&text, "    %s %s:%lld  %s\n", view_string(line, "version"), view_string(line, "file"),
                    (long long)json_integer_value(json_object_get(line, "line")), view_string(line, "text"));
    }
    text_add(&text, "    old\n");
    view_add_output(old_run, new_run, "      ", &text);
    text_add(&text, "    new\n");
    view_add_output(new_run, old_run, "      ", &text);
    text_add(&text, "    when\n");
    json_array_foreach (json_object_get(group, "when"), i, line) {
        text_format(&text, "      %s\n", json_string_value(line));
    }
    text_format(&text, "    repro: %s\n", view_string(witness, "repro"));
    fputs(text_string(&text), stdout);
    text_free(&text);
}

static int print_one(const json_t *document, const char *name)
{
    const json_t *group = document_find_group(document, name);
    struct error error = {0};
    if (!group) {
        error_set(&error, "there is no group '%s': penumbra show without it lists them", name);
        return cli_fail(&error);
    }
    print_group(group);
    print_details(group);
    return EXIT_NOTHING;
}

static void print_all(const json_t *document)
{
    size_t i;
    json_t *one;
    json_array_foreach (json_object_get(document, "groups"), i, one) {
        print_group(one);
    }
    printf("%s\n", view_string(document, "verdict"));
    json_array_foreach (json_object_get(document, "limits"), i, one) {
        printf("  %s\n", view_string(one, "text"));
    }
}

static int show(const struct arguments *arguments, const json_t *document)
{
    struct error error = {0};
    const char *directory = arguments->named.list[0];
    if (arguments->reports && !views_write(document, arguments->reports, directory, &error))
        return cli_fail(&error);
    if (arguments->json) {
        json_dumpf(document, stdout, JSON_INDENT(2));
        putchar('\n');
    } else if (arguments->named.count > 1) {
        return print_one(document, arguments->named.list[1]);
    } else if (!arguments->reports) {
        print_all(document);
    }
    return EXIT_NOTHING;
}

int cli_show(int argc, char **argv)
{
    struct arguments arguments = {0};
    struct error error = {0};
    struct command_line line = {
        .arguments = "DIR [GROUP]",
        .summary =
            "Show the results of an earlier run.\vGROUP is the number or the id of a group: all that is known of it "
            "is shown then. Nothing is run.",
        .sets = {{NULL, rows, &arguments}},
        .files = &arguments.named,
        .check = check,
    };
    options_parse(&line, argc, argv);
    json_t *document = journal_read_report(arguments.named.list[0], &error);
    int status = document ? show(&arguments, document) : cli_fail(&error);
    json_decref(document);
    words_free(&arguments.named);
    return status;
}
