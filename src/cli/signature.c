/* `penumbra signature`: the partial semantic signatures that an exploration of partitions has left in its results. */
#include "cli/cli.h"
#include "cli/options.h"
#include "cli/partition_text.h"

#include <jansson.h>
#include <stdio.h>
#include <unistd.h>

struct arguments {
    struct words named;
    unsigned version;
};

#define RECORD struct arguments
static const struct option_row rows[] = {
    CHOICE("version", "both|old|new", version, "Whose signature is shown (default both)"),
    TABLE_END,
};

static void check(struct argp_state *state, const struct command_line *line)
{
    const struct arguments *arguments = line->sets[0].record;
    if (arguments->named.count != 1)
        argp_error(state, "expected a results directory");
}

/* `i > 0  ->  return = i + 5` */
static void print_partition(const json_t *partition)
{
    struct text text = {0};
    add_conditions(json_object_get(partition, "condition"), &text);
    text_add(&text, "  ->  ");
    if (json_is_true(json_object_get(partition, "changed")))
        add_outcome(object_string(partition, "ends"), json_integer_value(json_object_get(partition, "status")),
                    json_object_get(partition, "outputs"), NULL, &text);
    else
        text_add(&text, "no change is reached");
    printf("  %s\n", text_string(&text));
    text_free(&text);
}

static bool show(const char *directory, const char *version, struct error *error)
{
    struct text path = {0};
    json_error_t problem;
    size_t i;
    json_t *partition;
    text_format(&path, "%s/signature-%s.json", directory, version);
    json_t *signature = json_load_file(text_string(&path), 0, &problem);
    if (access(text_string(&path), F_OK) != 0)
        error_set(error,
                  "%s is not there: --explore cbpe-sd leaves it in its results; of several entries, each has a "
                  "directory of its own there",
                  text_string(&path));
    else if (!signature)
        error_set(error, "%s: %s", text_string(&path), problem.text);
    text_free(&path);
    if (!signature)
        return false;
    long long count = json_integer_value(json_object_get(signature, "count"));
    printf("%s version, %lld partition%s:\n", version, count, count == 1 ? "" : "s");
    json_array_foreach (json_object_get(signature, "partitions"), i, partition) {
        print_partition(partition);
    }
    json_decref(signature);
    return true;
}

int cli_signature(int argc, char **argv)
{
    struct arguments arguments = {0};
    struct error error = {0};
    struct command_line line = {
        .arguments = "DIR",
        .summary = "Show the partial semantic signatures in a results directory.\vFor each partition of the inputs its "
                   "condition and what the outputs are then, as expressions over the inputs. They come from a run "
                   "with --explore cbpe-sd, or one of the other explorations of partitions.",
        .sets = {{NULL, rows, &arguments}},
        .files = &arguments.named,
        .check = check,
    };
    options_parse(&line, argc, argv);
    const char *directory = arguments.named.list[0];
    bool good = (arguments.version == 2 || show(directory, "old", &error)) &&
                (arguments.version == 1 || show(directory, "new", &error));
    words_free(&arguments.named);
    return good ? EXIT_NOTHING : cli_fail(&error);
}
