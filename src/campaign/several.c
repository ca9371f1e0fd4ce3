/* Several entries: a queue of work, taken by as many processes as there may be. Each entry has a process of its own, so
 * that what it does to the tool harms no other, and adds what came of it to the journal. */
#include "base/clock.h"
#include "base/file.h"
#include "campaign/journal.h"
#include "campaign/resume.h"
#include "campaign/state.h"
#include "campaign/ways.h"
#include "report/document.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MEGABYTES_OF_A_JOB = 1000 /* what exploring usually stays below */, LOOK_MILLISECONDS = 500 };
static const double SHORTEST_SECONDS = 0.01;

struct job {
    pid_t process; /* 0: none is at work */
    int ending;    /* readable at its end */
    size_t entry;
};

struct several {
    struct campaign *campaign;
    struct job jobs[INTERRUPT_MOST];
    size_t job_count;
    size_t next;  /* entry in the queue */
    bool *ended;  /* by entry */
    size_t shown; /* of them, in their order */
};

/* ---- the process of an entry ---- */

/* What cannot be explored is done, too. */
bool campaign_write_problem(const struct campaign *campaign, const struct campaign_entry *entry, const char *problem,
                            struct error *error)
{
    json_t *record = document_entry(entry->label, entry->place, STATE_DONE, problem);
    json_object_set_new(record, "exit_status", json_integer(CAMPAIGN_ERROR));
    return journal_append(campaign->report.journal, record, NULL, error);
}

static enum campaign_status explore_entry(struct campaign *campaign, const struct campaign_entry *entry)
{
    struct error error = {0}, ignored = {0};
    struct report *report = &campaign->report;
    const struct campaign_view *view = campaign->request->view;
    campaign_take_entry(campaign, entry);
    report->directory = arena_format(report->arena, "%s/%s", report->directory, entry->results);
    campaign->start = clock_seconds();
    bool good = campaign_read(campaign, &error);
    if (good && view->entry)
        view->entry(view->context, entry);
    good = good && file_make_directory(report->directory, &error);
    if (good && ways_apply(campaign))
        return ways_explore(campaign);
    if (good && campaign_finish(campaign, &error))
        return campaign_status(campaign);
    campaign_write_problem(campaign, entry, error.message ? error.message : "unknown error", &ignored);
    return CAMPAIGN_ERROR;
}

static _Noreturn void be_entry(struct campaign *campaign, const struct campaign_entry *entry)
{
    for (size_t i = 0; i < INTERRUPT_MOST; i++)
        interrupt_pass_to(i, 0); /* the others are not ours */
    enum campaign_status status = explore_entry(campaign, entry);
    fflush(NULL);
    _exit((int)status);
}

/* ---- the queue ---- */

size_t campaign_processors(const struct campaign *campaign)
{
    const struct campaign_options *options = campaign->options;
    cpu_set_t processors;
    double count = options->jobs, memory = options->memory_all_megabytes / MEGABYTES_OF_A_JOB;
    if (count < 1)
        count = fmin(sched_getaffinity(0, sizeof processors, &processors) ? 1 : CPU_COUNT(&processors), memory);
    return (size_t)fmin(fmax(count, 1), INTERRUPT_MOST);
}

static size_t choose_job_count(const struct campaign *campaign)
{
    size_t processors = campaign_processors(campaign), entries = campaign->preparation.count;
    return entries < 1 ? 1 : entries < processors ? entries : processors;
}

/* An equal share of the time that is left, for those that are still to come. */
static void share_time(struct several *several)
{
    struct campaign *campaign = several->campaign;
    size_t waiting = 0;
    for (size_t i = several->next; i < campaign->preparation.count; i++)
        waiting += !several->ended[i];
    double rounds = ceil((double)waiting / (double)several->job_count);
    campaign->seconds = 0;
    if (campaign->options->has_time)
        campaign->seconds = fmax(campaign_end(campaign) - clock_seconds(), SHORTEST_SECONDS) / rounds;
}

static bool start_next(struct several *several, size_t slot, struct error *error)
{
    struct campaign *campaign = several->campaign;
    const struct campaign_view *view = campaign->request->view;
    size_t number = several->next;
    share_time(several);
    if (view->begin)
        view->begin(view->context, number);
    fflush(NULL); /* what a view has written is not written twice */
    pid_t process = fork();
    if (process < 0)
        return error_set(error, "cannot start a process: %s", strerror(errno));
    if (!process)
        be_entry(campaign, &campaign->preparation.entries[number]);
    several->jobs[slot] = (struct job){process, (int)syscall(SYS_pidfd_open, process, 0), number};
    interrupt_pass_to(slot, process);
    several->next++;
    campaign->seconds = 0;
    return true;
}

/* One that died has left no result. */
static bool take_end(struct several *several, size_t slot, int status, struct error *error)
{
    struct job *job = &several->jobs[slot];
    char problem[64];
    interrupt_pass_to(slot, 0);
    close(job->ending);
    several->ended[job->entry] = true;
    job->process = 0;
    if (!WIFSIGNALED(status))
        return resume_finish(several->campaign, several->campaign->preparation.entries[job->entry].label, error);
    snprintf(problem, sizeof problem, "the exploration was ended by signal %d", WTERMSIG(status));
    return campaign_write_problem(several->campaign, &several->campaign->preparation.entries[job->entry], problem,
                                  error);
}

/* Waits until one of the processes has ended. */
static bool take_ends(struct several *several, struct error *error)
{
    struct pollfd ends[INTERRUPT_MOST];
    bool good = true;
    for (size_t i = 0; i < several->job_count; i++)
        ends[i] = (struct pollfd){several->jobs[i].process ? several->jobs[i].ending : -1, POLLIN, 0};
    poll(ends, several->job_count, LOOK_MILLISECONDS);
    for (size_t i = 0; i < several->job_count; i++) {
        pid_t process = several->jobs[i].process;
        int status;
        if (process && waitpid(process, &status, WNOHANG) == process)
            good = take_end(several, i, status, error) && good;
    }
    return good;
}

/* Of a campaign that goes on: what is finished is in the journal. */
static void skip_finished(struct several *several)
{
    const struct preparation *preparation = &several->campaign->preparation;
    for (size_t i = 0; i < preparation->count; i++)
        several->ended[i] = resume_is_finished(several->campaign, preparation->entries[i].label);
}

/* The next entry in the queue that is to be explored; false when there is none. */
static bool find_next(struct several *several)
{
    const struct preparation *preparation = &several->campaign->preparation;
    while (several->next < preparation->count && several->ended[several->next])
        several->next++;
    return several->next < preparation->count;
}

static bool is_anybody_at_work(const struct several *several)
{
    for (size_t i = 0; i < several->job_count; i++)
        if (several->jobs[i].process)
            return true;
    return false;
}

static void show_ended(struct several *several)
{
    const struct campaign_view *view = several->campaign->request->view;
    for (; several->shown < several->next && several->ended[several->shown]; several->shown++)
        if (view->end)
            view->end(view->context, several->shown);
}

static void show_progress(const struct several *several)
{
    const struct campaign_view *view = several->campaign->request->view;
    size_t ended = 0, count = several->campaign->preparation.count;
    char line[80];
    for (size_t i = 0; i < count; i++)
        ended += several->ended[i];
    snprintf(line, sizeof line, "%zu of %zu functions explored", ended, count);
    if (view->progress && several->job_count > 1)
        view->progress(view->context, ended < count ? line : NULL);
}

static bool explore_all(struct several *several, struct error *error)
{
    bool good = true;
    skip_finished(several);
    do {
        for (size_t i = 0; i < several->job_count && find_next(several) && good; i++)
            if (!several->jobs[i].process && !interrupt_came())
                good = start_next(several, i, error);
        show_progress(several);
        if (is_anybody_at_work(several))
            good = take_ends(several, error) && good;
        show_ended(several);
    } while (is_anybody_at_work(several) || (good && find_next(several) && !interrupt_came()));
    show_progress(several);
    return good;
}

static json_t *names_of(const struct words *words)
{
    json_t *names = json_array();
    for (size_t i = 0; i < words->count; i++)
        json_array_append_new(names, json_string(words->list[i]));
    return names;
}

static bool fill_queue(const struct campaign *campaign, struct error *error)
{
    const struct preparation *preparation = &campaign->preparation;
    json_t *records = json_array();
    bool is_full;
    if (!resume_has_queue(campaign, &is_full, error))
        return false;
    for (size_t i = 0; i < preparation->count && !is_full; i++) {
        const struct campaign_entry *entry = &preparation->entries[i];
        json_t *record = document_entry(entry->label, entry->place, STATE_QUEUED, NULL);
        json_object_set_new(record, "leads_to", names_of(&entry->leads_to));
        json_object_set_new(record, "through", names_of(&entry->through));
        json_array_append_new(records, record);
    }
    return journal_append_all(campaign->report.journal, records, error);
}

/* ---- what came of all ---- */

/* A process that ended by itself, somewhere in the middle, has left no result either. */
static bool complete_records(const struct several *several, const json_t *document, struct error *error)
{
    const struct campaign *campaign = several->campaign;
    size_t i;
    json_t *entry;
    bool good = true;
    json_array_foreach (json_object_get(document, "entries"), i, entry) {
        bool is_done = !strcmp(document_string(entry, "state"), STATE_DONE);
        if (good && several->ended[i] && !is_done)
            good = campaign_write_problem(campaign, &campaign->preparation.entries[i],
                                          "its process ended without a report", error);
    }
    return good;
}

static json_t *read_document(const struct campaign *campaign, enum campaign_status status, struct error *error)
{
    struct document_end end = {.exit_status = (int)status};
    if (interrupt_came())
        end.kind = "interrupted", end.text = "interrupted: what was found up to then is here";
    return journal_make_document(campaign->report.journal, &end, error);
}

static size_t count_status(const json_t *document, enum campaign_status status)
{
    size_t i, count = 0;
    json_t *entry;
    json_array_foreach (json_object_get(document, "entries"), i, entry) {
        const json_t *known = json_object_get(entry, "exit_status");
        count += json_is_integer(known) && json_integer_value(known) == (json_int_t)status;
    }
    return count;
}

static enum campaign_status status_of(const struct campaign *campaign, const json_t *document)
{
    size_t done = count_status(document, CAMPAIGN_NOTHING);
    if (count_status(document, CAMPAIGN_DIFFERENT))
        return CAMPAIGN_DIFFERENT;
    bool is_enough = campaign->options->strict ? done == campaign->preparation.count : done > 0;
    return is_enough && !interrupt_came() ? CAMPAIGN_NOTHING : CAMPAIGN_NOT_DONE;
}

/* Why the first entry that could not be explored could not be. */
static bool say_problem(const json_t *document, struct error *error)
{
    size_t i;
    json_t *entry;
    json_array_foreach (json_object_get(document, "entries"), i, entry) {
        const char *problem = document_string(entry, "problem");
        if (problem)
            return error_set(error, "no changed function could be explored. %s(): %s", document_string(entry, "entry"),
                             problem);
    }
    return true;
}

static bool finish(const struct several *several, enum campaign_status *status, struct error *error)
{
    const struct campaign *campaign = several->campaign;
    const struct campaign_view *view = campaign->request->view;
    json_t *document = read_document(campaign, CAMPAIGN_NOTHING, error);
    if (!document)
        return false;
    bool good = complete_records(several, document, error);
    *status = status_of(campaign, document);
    json_decref(document);
    document = read_document(campaign, *status, error);
    if (!document)
        return false;
    good = journal_write_report(campaign->report.directory, document, error) && good;
    campaign->shared->is_showing = true;
    if (view->results)
        view->results(view->context, document);
    campaign->shared->is_showing = false;
    if (good && !strcmp(document_string(document, "verdict"), verdict_name(VERDICT_NOT_EXPLORED)) && !interrupt_came())
        good = say_problem(document, error);
    json_decref(document);
    return good;
}

bool several_explore(struct campaign *campaign, enum campaign_status *status, struct error *error)
{
    const struct campaign_view *view = campaign->request->view;
    struct several several = {.campaign = campaign,
                              .job_count = choose_job_count(campaign),
                              .ended = calloc(campaign->preparation.count + 1, sizeof *several.ended)};
    campaign->is_beside = several.job_count > 1;
    campaign->workers = campaign_processors(campaign) / several.job_count;
    if (view->several)
        view->several(view->context, &campaign->preparation);
    bool good = fill_queue(campaign, error);
    if (good) {
        good = explore_all(&several, error);
        good = finish(&several, status, error) && good;
    }
    free(several.ended);
    return good;
}
