#include "cli/show.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void show_progress(void *context, const char *line)
{
    struct show *show = context;
    if (line)
        fprintf(stderr, "\r\033[K%s", line);
    else if (show->progress_shown)
        fputs("\r\033[K", stderr);
    show->progress_shown = line != NULL;
}

static void show_several(void *context, const struct preparation *preparation)
{
    const struct show *show = context;
    if (!show->json)
        fputs(text_string(&preparation->text), stdout);
}

static void show_names(const char *before, const struct words *names)
{
    for (size_t i = 0; i < names->count; i++)
        printf("%s%s()", i ? ", " : before, names->list[i]);
}

static void show_entry(void *context, const struct campaign_entry *entry)
{
    struct show *show = context;
    show->is_entry = true;
    if (!show->json) {
        printf("---- %s() at %s", entry->name, entry->place);
        show_names(", which leads to ", &entry->leads_to);
        puts(" ----");
    }
}

static void show_identical(void *context, const char *old, const char *new)
{
    const struct show *show = context;
    if (!show->json)
        printf("%s and %s are identical but for comments and layout: nothing was run\n", old, new);
}

/* JSON of several entries is one document, printed at the end. */
static void show_report(void *context, const struct report *report, const char *document)
{
    const struct show *show = context;
    if (!show->json)
        report_print(report, stdout, isatty(STDOUT_FILENO) && !getenv("NO_COLOR"));
    else if (!show->is_entry)
        puts(document);
    if (show->statistics) /* beside the document, not in it */
        report_print_statistics(report, show->json ? stderr : stdout);
}

static void show_result(const struct entry_result *result)
{
    printf("  %s() at %s: ", result->entry->name, result->entry->place);
    if (result->verdict) {
        puts(result->verdict);
        return;
    }
    printf("cannot be explored: %s", result->problem);
    show_names("\n    explored through ", &result->entry->through);
    puts("");
}

static void show_results(void *context, const struct several_results *results)
{
    const struct show *show = context;
    if (show->json) {
        puts(results->document);
        return;
    }
    printf("---- %zu of %zu changed function%s explored, %zu with differences ----\n", results->explored, results->all,
           results->all == 1 ? "" : "s", results->different);
    for (size_t i = 0; i < results->count; i++)
        show_result(&results->list[i]);
}

struct campaign_view show_view(struct show *show)
{
    return (struct campaign_view){
        .context = show,
        .progress = isatty(STDERR_FILENO) && !show->quiet ? show_progress : NULL,
        .several = show_several,
        .entry = show_entry,
        .identical = show_identical,
        .report = show_report,
        .results = show_results,
    };
}

/* ---- what a worker left behind ---- */

static const char *string_of(const json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}

static void show_divergence(const json_t *divergence)
{
    char *inputs = json_dumps(json_object_get(divergence, "inputs"), JSON_COMPACT);
    const char *entry = string_of(divergence, "entry");
    printf("\n[%lld] %s  %s%s%s\n    repro: %s\n", (long long)json_integer_value(json_object_get(divergence, "number")),
           string_of(divergence, "class"), entry ? entry : "", entry ? ": " : "", inputs,
           string_of(divergence, "repro"));
    free(inputs);
}

void show_salvaged(const struct salvaged *salvaged, bool as_json)
{
    const json_t *divergences = json_object_get(salvaged->report, "divergences");
    if (!salvaged->report) {
        fprintf(stderr, "penumbra: %s before anything was explored\n", salvaged->why);
        return;
    }
    if (as_json) {
        puts(salvaged->document);
        return;
    }
    for (size_t i = 0; i < json_array_size(divergences); i++)
        show_divergence(json_array_get(divergences, i));
    printf("\n%s\n  %s\n  results in %s\n", string_of(salvaged->report, "verdict"), salvaged->why,
           string_of(salvaged->report, "directory"));
}
