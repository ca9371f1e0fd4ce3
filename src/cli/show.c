#include "cli/show.h"

#include "base/clock.h"
#include "cli/cli.h"
#include "report/document.h"
#include "report/views.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { LIMITS_SHOWN = 8 };
static const double LINE_SECONDS = 3;

/* Forms of a report other than text are made of its document. */
typedef void print_document(const json_t *document, FILE *to);

static void print_json(const json_t *document, FILE *to)
{
    json_dumpf(document, to, JSON_INDENT(2));
    putc('\n', to);
}

/* NULL: it is text. */
static print_document *format_of(const struct show *show)
{
    return show->json ? print_json : NULL;
}

/* Where the text of this process goes. */
static FILE *text_of(const struct show *show)
{
    return show->to ? show->to : stdout;
}

/* Where lines stay, there is one every few seconds. */
static void show_line(struct show *show, const char *line)
{
    double now = clock_seconds();
    if (!line || now < show->next_line)
        return;
    show->next_line = now + LINE_SECONDS;
    fprintf(stderr, "penumbra: %s\n", line);
}

static void show_progress(void *context, const char *line)
{
    struct show *show = context;
    if (!isatty(STDERR_FILENO)) {
        show_line(show, line);
        return;
    }
    if (line)
        fprintf(stderr, "\r\033[K%s", line);
    else if (show->progress_shown)
        fputs("\r\033[K", stderr);
    show->progress_shown = line != NULL;
}

/* Several processes may have something to tell: a line is written at once. */
static void show_found(void *context, const struct report *report, const struct report_divergence *divergence)
{
    struct show *show = context;
    struct text line = {0};
    show_progress(show, NULL);
    text_format(&line, "penumbra: [%u] %s  %s() at %s:%u  ", divergence->number,
                check_class_name(divergence->verdict.class), report->entry, divergence->file, divergence->line);
    input_print_briefly(report->layout, divergence->input, &line);
    text_add(&line, "\n");
    fputs(text_string(&line), stderr);
    text_free(&line);
}

static void show_several(void *context, const struct preparation *preparation)
{
    struct show *show = context;
    show->texts = calloc(preparation->count + 1, sizeof *show->texts);
    if (!format_of(show))
        fputs(text_string(&preparation->text), stdout);
}

/* Entries may be explored at the same time: each writes into a file of its own, which lives in memory. */
static void show_begin(void *context, size_t number)
{
    struct show *show = context;
    int file = memfd_create("text", MFD_CLOEXEC);
    show->to = show->texts[number] = file < 0 ? NULL : fdopen(file, "w+");
}

static void show_entry(void *context, const struct campaign_entry *entry)
{
    struct show *show = context;
    FILE *to = text_of(show);
    show->is_entry = true;
    if (format_of(show))
        return;
    fprintf(to, "---- %s() at %s", entry->name, entry->place);
    for (size_t i = 0; i < entry->leads_to.count; i++)
        fprintf(to, "%s%s()", i ? ", " : ", which leads to ", entry->leads_to.list[i]);
    fputs(" ----\n", to);
    fflush(to);
    show->heading = ftell(to);
}

static void show_end(void *context, size_t number)
{
    struct show *show = context;
    FILE *text = show->texts[number];
    if (!text)
        return;
    rewind(text);
    for (int character; (character = getc(text)) != EOF;)
        putchar(character);
    fclose(text);
    fflush(stdout);
}

static void show_identical(void *context, const char *old, const char *new)
{
    const struct show *show = context;
    if (!format_of(show))
        printf("%s and %s are identical but for comments and layout: nothing was run\n", old, new);
}

/* Whatever becomes of it, the document itself is on disk. */
static void write_views(const struct show *show, const json_t *document)
{
    struct error error = {0};
    if (show->reports && !views_write(document, show->reports, document_string(document, "directory"), &error))
        cli_fail(&error);
}

/* Another way to explore the entry has shown more than the plain one, of which the text tells so far. */
static void forget_text(const struct show *show)
{
    if (fflush(show->to) || ftruncate(fileno(show->to), show->heading))
        return;
    fseek(show->to, show->heading, SEEK_SET);
}

/* Several entries have one document, printed at the end. */
static void show_report(void *context, const struct report *report, const json_t *document)
{
    const struct show *show = context;
    print_document *print = format_of(show);
    if (!show->is_entry)
        write_views(show, document);
    if (report->way && show->to)
        forget_text(show);
    if (!print)
        report_print(report, text_of(show), isatty(STDOUT_FILENO) && !getenv("NO_COLOR"));
    else if (!show->is_entry)
        print(document, stdout);
    if (show->statistics) /* beside the document, not in it */
        report_print_statistics(report, print ? stderr : text_of(show));
    fflush(stdout); /* from here on, somebody may end the process */
}

/* Limits of the whole, which no entry has; some of them. */
static void show_limits(const json_t *document)
{
    size_t i, shown = 0;
    json_t *limit;
    json_array_foreach (json_object_get(document, "limits"), i, limit) {
        if (!*document_string(limit, "entry")) {
            if (shown++ < LIMITS_SHOWN)
                printf("  %s\n", document_string(limit, "text"));
        }
    }
    if (shown > LIMITS_SHOWN)
        printf("  ... (all are in %s/report.json)\n", document_string(document, "directory"));
}

static void show_result(const json_t *entry)
{
    const char *verdict = document_string(entry, "verdict"), *problem = document_string(entry, "problem");
    bool is_explored = strcmp(verdict, verdict_name(VERDICT_NOT_EXPLORED));
    const char *name = document_string(entry, "entry"), *colon = strrchr(name, ':');
    printf("  %s() at %s: ", colon ? colon + 1 : name, document_string(entry, "place"));
    if (is_explored || !problem) {
        printf("%s\n", verdict);
        return;
    }
    const json_t *through = json_object_get(entry, "through");
    printf("cannot be explored: %s", problem);
    for (size_t i = 0; i < json_array_size(through); i++)
        printf("%s%s()", i ? ", " : "\n    explored through ", json_string_value(json_array_get(through, i)));
    putchar('\n');
}

static void show_results(void *context, const json_t *document)
{
    const struct show *show = context;
    const json_t *entries = json_object_get(document, "entries");
    size_t i, all = json_array_size(entries);
    json_t *entry;
    free(show->texts);
    write_views(show, document);
    if (format_of(show)) {
        format_of(show)(document, stdout);
        fflush(stdout);
        return;
    }
    printf("---- %zu of %zu changed function%s explored, %zu with differences ----\n",
           all - document_count_verdict(document, verdict_name(VERDICT_NOT_EXPLORED)), all, all == 1 ? "" : "s",
           document_count_verdict(document, verdict_name(VERDICT_DIFFERENT)));
    json_array_foreach (entries, i, entry) {
        show_result(entry);
    }
    printf("%s\n", document_string(document, "verdict"));
    show_limits(document);
    fflush(stdout);
}

struct campaign_view show_view(struct show *show)
{
    bool is_live = (isatty(STDERR_FILENO) || show->progress) && !show->quiet;
    return (struct campaign_view){
        .context = show,
        .progress = is_live ? show_progress : NULL,
        .found = is_live ? show_found : NULL,
        .several = show_several,
        .begin = show_begin,
        .entry = show_entry,
        .end = show_end,
        .identical = show_identical,
        .report = show_report,
        .results = show_results,
    };
}

/* ---- what a worker left behind ---- */

static void show_group(const json_t *group)
{
    const json_t *witness = json_object_get(group, "witness");
    struct text place = {0};
    view_add_place(group, &place);
    printf("\n[%lld] %s  %s\n    %s: %s() at %s\n    repro: %s\n",
           (long long)json_integer_value(json_object_get(witness, "number")), document_string(group, "class"),
           document_string(group, "input"), view_class_sentence(document_string(group, "class")),
           document_string(group, "entry"), text_string(&place), document_string(witness, "repro"));
    text_free(&place);
}

void show_salvaged(const struct show *show, const struct salvaged *salvaged)
{
    const json_t *document = salvaged->document;
    size_t i;
    json_t *group;
    if (!document) {
        fprintf(stderr, "penumbra: %s before anything was explored\n", salvaged->why);
        return;
    }
    write_views(show, document);
    if (format_of(show)) {
        format_of(show)(document, stdout);
        return;
    }
    json_array_foreach (json_object_get(document, "groups"), i, group) {
        show_group(group);
    }
    printf("\n%s\n", document_string(document, "verdict"));
    show_limits(document);
    printf("  results in %s\n", document_string(document, "directory"));
}
