/* Several entries, each explored in a process of its own: what one of them does to the tool harms no other. */
#include "base/clock.h"
#include "base/file.h"
#include "campaign/state.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Explores one entry; what is wrong with it goes into the pipe. */
static enum campaign_status explore_entry(struct campaign *campaign, const struct campaign_entry *entry, int complaints)
{
    struct error error = {0};
    struct report *report = &campaign->report;
    const struct campaign_view *view = campaign->request->view;
    campaign_take_entry(campaign, entry);
    report->directory = arena_format(report->arena, "%s/%s", report->directory, entry->results);
    campaign->start = clock_seconds();
    bool good = campaign_read(campaign, &error);
    if (good && view->entry)
        view->entry(view->context, entry);
    if (good && file_make_directory(report->directory, &error) && campaign_finish(campaign, &error))
        return campaign_status(campaign);
    const char *message = error.message ? error.message : "unknown error";
    file_write_to(complaints, message, strlen(message));
    return CAMPAIGN_ERROR;
}

/* The child's status; `message` says why it could not explore. */
static enum campaign_status wait_for_entry(pid_t child, int complaints, struct text *message)
{
    char buffer[4096];
    int status;
    for (ssize_t length; (length = read(complaints, buffer, sizeof buffer)) > 0;)
        text_append(message, buffer, (size_t)length);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    if (WIFSIGNALED(status))
        text_format(message, "the exploration was ended by signal %d", WTERMSIG(status));
    return WIFEXITED(status) ? (enum campaign_status)WEXITSTATUS(status) : CAMPAIGN_ERROR;
}

static bool start_entry(struct campaign *campaign, const struct campaign_entry *entry, enum campaign_status *status,
                        struct text *message, struct error *error)
{
    int complaints[2];
    if (pipe(complaints))
        return error_set(error, "cannot make a pipe: %s", strerror(errno));
    fflush(NULL); /* what a view has written is not written twice */
    pid_t child = fork();
    if (child < 0)
        return error_set(error, "cannot start a process: %s", strerror(errno));
    if (!child) {
        close(complaints[0]);
        enum campaign_status result = explore_entry(campaign, entry, complaints[1]);
        fflush(NULL);
        _exit((int)result);
    }
    close(complaints[1]);
    interrupt_pass_to(child);
    *status = wait_for_entry(child, complaints[0], message);
    interrupt_pass_to(0);
    close(complaints[0]);
    return true;
}

static void set_names(json_t *report, const char *key, const struct words *names)
{
    json_t *array = json_array();
    for (size_t i = 0; i < names->count; i++)
        json_array_append_new(array, json_string(names->list[i]));
    if (names->count)
        json_object_set(report, key, array);
    json_decref(array);
}

/* What the entry's process left behind; when that is nothing, `message` says so. */
static json_t *entry_report(const struct campaign *campaign, const struct campaign_entry *entry,
                            enum campaign_status status, struct text *message)
{
    json_error_t ignored;
    json_t *report = json_load_file(
        arena_format(campaign->report.arena, "%s/%s/report.json", campaign->report.directory, entry->results), 0,
        &ignored);
    if (!report && !message->length)
        text_format(message, "its process ended with status %d and without a report", (int)status);
    report = report ? report : json_object();
    json_object_set_new(report, "entry", json_string(entry->name));
    set_names(report, "leads_to", &entry->leads_to);
    set_names(report, "through", &entry->through);
    if (message->length)
        json_object_set_new(report, "problem", json_string(text_string(message)));
    return report;
}

/* All entries, while they are explored. */
struct several {
    struct entry_result *list; /* by entry */
    size_t count, explored, different, done;
    json_t *reports;
};

static bool explore_next(struct campaign *campaign, struct several *several, struct error *error)
{
    struct arena *arena = campaign->report.arena;
    const struct campaign_entry *entry = &campaign->preparation.entries[several->count];
    struct text message = {0};
    enum campaign_status status = CAMPAIGN_ERROR;
    bool good = start_entry(campaign, entry, &status, &message, error);
    json_t *report = entry_report(campaign, entry, status, &message);
    const char *verdict = json_string_value(json_object_get(report, "verdict"));
    several->explored += verdict != NULL;
    several->done += verdict && status != CAMPAIGN_NOT_DONE;
    several->different += verdict && status == CAMPAIGN_DIFFERENT;
    several->list[several->count++] =
        (struct entry_result){.entry = entry,
                              .verdict = verdict ? arena_copy_string(arena, verdict) : NULL,
                              .problem = verdict ? NULL : arena_copy_string(arena, text_string(&message))};
    json_array_append_new(several->reports, report);
    text_free(&message);
    return good;
}

/* In the order of the entries, each with an equal share of the time that is left. */
static bool explore_all(struct campaign *campaign, struct several *several, struct error *error)
{
    size_t count = campaign->preparation.count;
    double end = campaign_end(campaign);
    bool good = true;
    while (several->count < count && good && !interrupt_came()) {
        if (campaign->options->has_time)
            campaign->seconds = fmax(end - clock_seconds(), 0) / (double)(count - several->count);
        good = explore_next(campaign, several, error);
    }
    return good;
}

/* Why the first entry that could not be explored could not be. */
static const char *first_problem(const struct several *several)
{
    for (size_t i = 0; i < several->count; i++)
        if (several->list[i].problem)
            return several->list[i].problem;
    return NULL;
}

/* The reports of all entries as one document; to be freed. */
static char *join_reports(const struct campaign *campaign, const struct several *several, const char *verdict)
{
    const json_t *preparation = campaign->preparation.json;
    json_t *all = preparation ? json_deep_copy(preparation) : json_object();
    json_object_set(all, "entries", several->reports);
    json_object_set_new(all, "verdict", json_string(verdict));
    char *document = json_dumps(all, JSON_INDENT(2));
    json_decref(all);
    return document;
}

static enum campaign_status status_of(const struct campaign *campaign, const struct several *several)
{
    if (several->different)
        return CAMPAIGN_DIFFERENT;
    bool is_enough = campaign->options->strict ? several->done == campaign->preparation.count : several->done > 0;
    return is_enough && !interrupt_came() ? CAMPAIGN_NOTHING : CAMPAIGN_NOT_DONE;
}

static bool finish(const struct campaign *campaign, const struct several *several, bool is_complete,
                   struct error *error)
{
    const struct campaign_view *view = campaign->request->view;
    const char *problem = several->explored || interrupt_came() ? NULL : first_problem(several);
    char *document = join_reports(campaign, several,
                                  several->different ? "different"
                                  : problem          ? "not-explored"
                                                     : "no-difference-found");
    const char *path = arena_format(campaign->report.arena, "%s/report.json", campaign->report.directory);
    bool good = is_complete && file_write(path, document, strlen(document), error);
    struct several_results results = {.list = several->list,
                                      .count = several->count,
                                      .all = campaign->preparation.count,
                                      .explored = several->explored,
                                      .different = several->different,
                                      .document = document};
    if (view->results)
        view->results(view->context, &results);
    free(document);
    if (good && problem)
        return error_set(error, "no changed function could be explored. %s(): %s",
                         campaign->preparation.entries[0].name, problem);
    return good;
}

bool several_explore(struct campaign *campaign, enum campaign_status *status, struct error *error)
{
    const struct campaign_view *view = campaign->request->view;
    struct several several = {.list = calloc(campaign->preparation.count + 1, sizeof *several.list),
                              .reports = json_array()};
    if (view->several)
        view->several(view->context, &campaign->preparation);
    bool is_complete = explore_all(campaign, &several, error);
    bool good = finish(campaign, &several, is_complete, error);
    *status = status_of(campaign, &several);
    json_decref(several.reports);
    free(several.list);
    return good;
}
