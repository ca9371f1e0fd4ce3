/* `penumbra seeds`: the starts that a test suite has made, as they were recorded, and what functions were called with.
 */
#include "campaign/journal.h"
#include "cli/cli.h"
#include "cli/options.h"
#include "project/starts.h"
#include "report/views.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct arguments {
    struct words named;
};

static const struct option_row rows[] = {TABLE_END};

static void check(struct argp_state *state, const struct command_line *line)
{
    if (line->files->count != 1)
        argp_error(state, "expected a results directory, or a directory of starts");
}

/* As a shell takes it, with what is not plain in quotes. */
static void print_word(const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=+,./:@%";
    if (*word && strspn(word, plain) == strlen(word)) {
        printf(" %s", word);
        return;
    }
    printf(" '");
    for (; *word; word++)
        printf(*word == '\'' ? "'\\''" : (unsigned char)*word < ' ' ? "?" : "%c", *word);
    printf("'");
}

static void print_start(const struct start_record *start, const char *directory, struct arena *arena)
{
    bool is_seed = !access(arena_format(arena, "%s/seeds/%s", directory, start->name), F_OK);
    printf("%s %c%c %6zu ", start->name, is_seed ? 's' : '-', start->touches ? 'c' : '-', start->size);
    for (size_t i = 0; i < start->arguments.count; i++)
        print_word(start->arguments.list[i]);
    printf("%s\n", start->input ? " < stdin" : "");
}

static void print_count(const json_t *recorded, const char *key, const char *noun)
{
    long long count = (long long)json_integer_value(json_object_get(recorded, key));
    printf("%lld %s%s", count, noun, count == 1 ? "" : "s");
}

static void print_calls(const json_t *entry, const json_t *recorded)
{
    size_t i;
    json_t *seed;
    printf("%s(): ", view_string(entry, "entry"));
    print_count(recorded, "calls", "call");
    printf(" in ");
    print_count(recorded, "starts", "start");
    printf(", ");
    print_count(recorded, "different", "different input");
    printf(", ");
    size_t count = json_array_size(json_object_get(recorded, "seeds"));
    printf("%zu seed%s\n", count, count == 1 ? "" : "s");
    json_array_foreach (json_object_get(recorded, "seeds"), i, seed) {
        printf("  %s\n", json_string_value(seed));
    }
}

/* Whether the directory has results of functions whose calls were looked for. */
static bool print_functions(const char *directory)
{
    size_t i;
    bool any = false;
    json_t *entry;
    struct error ignored = {0};
    json_t *document = journal_read_report(directory, &ignored);
    json_array_foreach (json_object_get(document, "entries"), i, entry) {
        const json_t *recorded = json_object_get(entry, "recorded");
        if (recorded)
            print_calls(entry, recorded);
        any |= recorded != NULL;
    }
    error_clear(&ignored);
    json_decref(document);
    return any;
}

int cli_seeds(int argc, char **argv)
{
    struct arguments arguments = {0};
    struct error error = {0};
    struct starts starts = {0};
    struct command_line line = {
        .arguments = "DIR",
        .summary =
            "List the starts of a program that its test suite has made, and what functions were called with (penumbra "
            "diff --test).\vEach line has the number of a start, s if it was a seed, c if it reaches a change, its "
            "size "
            "in bytes, and its arguments. Starts that are the same are listed once. Where functions were explored, "
            "each "
            "has a line that says how often the tests have called it, and below it the inputs that became seeds.",
        .sets = {{NULL, rows, &arguments}},
        .files = &arguments.named,
        .check = check,
    };
    options_parse(&line, argc, argv);
    const char *directory = arguments.named.list[0];
    char inside[4096];
    snprintf(inside, sizeof inside, "%s/starts", directory);
    bool good = starts_read(&starts, access(inside, F_OK) ? directory : inside, &error);
    for (size_t i = 0; i < starts.count && good; i++)
        print_start(&starts.list[i], directory, starts.arena);
    bool has_functions = good && print_functions(directory);
    if (good && !starts.count && !has_functions)
        good = error_set(&error, "%s holds no starts", directory);
    starts_free(&starts);
    words_free(&arguments.named);
    return good ? EXIT_NOTHING : cli_fail(&error);
}
