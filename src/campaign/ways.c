#include "campaign/ways.h"

#include "base/clock.h"
#include "base/file.h"
#include "campaign/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const double SHORTEST_SECONDS = 0.01;
static const double PLAIN_SHARE = 0.6;  /* of the time, where there are others */
static const double FEWEST_SECONDS = 2; /* in which a way could come to anything */
static const double LEAST_SECONDS = 10; /* of a way, if there are so many: building takes some */
static const double BRIEF_SECONDS = 5;  /* beside as many as the plain one took */

enum { LONGER_ELEMENTS = 24 };

/* A process tells by its exit status what came of it, and this. */
enum { IS_EQUIVALENT = 16, IS_KEPT_BY_STATE = 32, HAS_TRIED_STATE = 64 };

/* Another harness for the entry, tried where the plain one shows no difference. */
struct way {
    const char *name;
    bool is_brief; /* most entries have it: it may not take all the time, and nothing where versions are equivalent */
    bool (*applies)(const struct program *program, const struct subject_options *options);
    void (*choose)(struct subject_options *options);
};

static bool can_be_made(const struct program *program, const struct subject_options *options)
{
    return program->can_be_made && !options->made_by_library;
}

static void choose_made(struct subject_options *options)
{
    options->made_by_library = true;
}

static bool can_be_called_twice(const struct program *program, const struct subject_options *options)
{
    return program->keeps_state && !options->called_twice;
}

static void choose_twice(struct subject_options *options)
{
    options->called_twice = true;
}

static bool has_state(const struct program *program, const struct subject_options *options)
{
    return (program->state.count || program->uses_errno) && !options->all_globals;
}

static void choose_state(struct subject_options *options)
{
    options->all_globals = true;
}

static bool reads_numbers(const struct program *program, const struct subject_options *options)
{
    return program->has_numbers_as_text && !options->long_numbers;
}

static void choose_long_numbers(struct subject_options *options)
{
    options->long_numbers = true;
}

static bool may_lose_memory(const struct program *program, const struct subject_options *options)
{
    return !options->leaks && !options->allocations_succeed && (program->used_allocators || program->can_be_made);
}

static void choose_leaks(struct subject_options *options)
{
    options->leaks = true;
    options->made_by_library = true;
}

/* What nobody gave a size: a bug may need a longer string. */
static bool can_be_longer(const struct program *program, const struct subject_options *options)
{
    return program->has_usual_sizes && !program->has_numbers_as_text && !options->usual_elements;
}

static void choose_longer(struct subject_options *options)
{
    options->usual_elements = LONGER_ELEMENTS;
}

static const struct way ways[] = {
    {"numbers", false, reads_numbers, choose_long_numbers},
    {"made", false, can_be_made, choose_made}, /* by the library: source/constructors.h */
    {"twice", false, can_be_called_twice, choose_twice},
    {"globals", false, has_state, choose_state}, /* are inputs: states that calls before may or may not lead to */
    {"leaks", false, may_lose_memory, choose_leaks},
    {"longer", true, can_be_longer, choose_longer},
};

enum { WAYS = sizeof ways / sizeof *ways };

static bool way_applies(const struct campaign *campaign, size_t way)
{
    return !campaign->report.apart && campaign->options->mode == EXPLORE_COMPLETE &&
           ways[way].applies(&campaign->subject.program, &campaign->options->subject);
}

static size_t count_ways(const struct campaign *campaign)
{
    size_t count = 0;
    for (size_t i = 0; i < WAYS; i++)
        count += way_applies(campaign, i);
    return count;
}

/* WAYS where that does not apply. */
static size_t number_of_state(const struct campaign *campaign)
{
    size_t i = 0;
    while (i < WAYS && (ways[i].applies != has_state || !way_applies(campaign, i)))
        i++;
    return i;
}

/* Whether no change is reached while variables have their initial values. */
static bool is_kept_by_state(const struct report *report)
{
    return report->statistics && !report->statistics->change_reached && report->sites && report->sites->assumed.count;
}

static int explore_plain(struct campaign *campaign)
{
    struct error error = {0}, ignored = {0};
    campaign->is_plain_way = true;
    ways_keep_ready(campaign);
    if (campaign_finish(campaign, &error))
        return campaign_status(campaign) | (campaign->report.verdict == VERDICT_EQUIVALENT ? IS_EQUIVALENT : 0) |
               (is_kept_by_state(&campaign->report) ? IS_KEPT_BY_STATE : 0) |
               (campaign->has_tried_state ? HAS_TRIED_STATE : 0);
    campaign_write_problem(campaign, campaign->entry, error.message ? error.message : "unknown error", &ignored);
    return CAMPAIGN_ERROR;
}

/* What came of it does not count, as if it had not been tried. */
static void drop(const struct campaign *campaign, const struct way *way)
{
    struct error ignored = {0};
    json_t *record = json_pack("{s:s, s:s}", "record", RECORD_DROPPED, "entry", campaign->report.entry);
    journal_append(campaign->report.journal, record, way->name, &ignored);
    error_clear(&ignored);
}

/* Reads the program again. What comes of it is told where it differs. */
static enum campaign_status explore_way(struct campaign *campaign, const struct way *way, const char *directory)
{
    struct error ignored = {0};
    struct report *report = &campaign->report;
    subject_free(&campaign->old), subject_free(&campaign->new), subject_free(&campaign->subject);
    campaign->old = campaign->new = campaign->subject = (struct subject){0};
    way->choose(&campaign->options->subject);
    campaign->is_another_way = true;
    report->directory = directory;
    report->way = way->name;
    bool good = file_make_directory(report->directory, &ignored) && campaign_read(campaign, &ignored) &&
                campaign_finish(campaign, &ignored);
    return good && campaign_status(campaign) == CAMPAIGN_DIFFERENT ? CAMPAIGN_DIFFERENT : CAMPAIGN_NOTHING;
}

/* Its exit status; below 0 where it has none. */
static int wait_for(pid_t process)
{
    int status = 0;
    interrupt_pass_to(0, process > 0 ? process : 0);
    while (process > 0 && waitpid(process, &status, 0) < 0 && errno == EINTR)
        continue;
    interrupt_pass_to(0, 0);
    return process > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* In a process of its own, after which this one is as it was. */
static int explore_apart_from_here(struct campaign *campaign, const struct way *way)
{
    fflush(NULL);
    pid_t process = fork();
    if (!process) {
        struct report *report = &campaign->report;
        const char *directory = way ? arena_format(report->arena, "%s-%s", report->directory, way->name) : NULL;
        int result = way ? (int)explore_way(campaign, way, directory) : explore_plain(campaign);
        fflush(NULL);
        _exit(result);
    }
    int status = wait_for(process);
    if (status >= 0)
        return status;
    struct error ignored = {0};
    if (!way)
        campaign_write_problem(campaign, campaign->entry, "its exploration ended without a report", &ignored);
    return way ? CAMPAIGN_NOTHING : CAMPAIGN_ERROR;
}

bool ways_apply(const struct campaign *campaign)
{
    return count_ways(campaign) > 0;
}

/* What is left after the plain way. */
struct others {
    int plain; /* what came of that */
    double plain_seconds, end;
    size_t tried;
};

static double seconds_for(const struct campaign *campaign, const struct others *others, const struct way *way)
{
    double left = others->end - campaign->start;
    double share = fmax(left / (double)(count_ways(campaign) - others->tried), fmin(left, LEAST_SECONDS));
    return way->is_brief ? fmin(share, others->plain_seconds + BRIEF_SECONDS) : share;
}

/* Whether it shows a difference. */
static bool try_way(struct campaign *campaign, struct others *others, size_t number)
{
    campaign->start = clock_seconds();
    if (number == WAYS || !way_applies(campaign, number) || interrupt_came() ||
        (ways[number].is_brief && (others->plain & IS_EQUIVALENT)) || others->end - campaign->start < FEWEST_SECONDS)
        return false;
    double seconds = seconds_for(campaign, others, &ways[number]);
    campaign->seconds = isfinite(seconds) ? seconds : 0;
    others->tried++;
    if (explore_apart_from_here(campaign, &ways[number]) == CAMPAIGN_DIFFERENT)
        return true;
    drop(campaign, &ways[number]);
    return false;
}

enum campaign_status ways_explore(struct campaign *campaign)
{
    struct others others = {.end = campaign->seconds > 0 ? campaign->start + campaign->seconds : INFINITY};
    campaign->seconds *= PLAIN_SHARE;
    others.plain = explore_apart_from_here(campaign, NULL);
    others.plain_seconds = clock_seconds() - campaign->start;
    enum campaign_status plain =
        (enum campaign_status)(others.plain & ~(IS_EQUIVALENT | IS_KEPT_BY_STATE | HAS_TRIED_STATE));
    if (plain == CAMPAIGN_DIFFERENT || plain == CAMPAIGN_ERROR)
        return plain;
    size_t first = others.plain & IS_KEPT_BY_STATE ? number_of_state(campaign) : WAYS;
    size_t tried = others.plain & HAS_TRIED_STATE ? number_of_state(campaign) : first;
    bool differs = try_way(campaign, &others, first);
    for (size_t i = 0; i < WAYS && !differs; i++)
        differs = i != tried && try_way(campaign, &others, i);
    return differs ? CAMPAIGN_DIFFERENT : plain;
}

/* ---- before `equivalent` is said ---- */

/* Variables that were no inputs there, a line each. */
static void tell_kept(const struct report *report, int to)
{
    struct text lines = {0};
    for (size_t i = 0; report->sites && i < report->sites->assumed.count; i++)
        text_format(&lines, "%s\n", report->sites->assumed.list[i]);
    size_t told = 0;
    for (ssize_t count = 1; told < lines.length && count > 0; told += count > 0 ? (size_t)count : 0)
        count = write(to, lines.data + told, lines.length - told);
    text_free(&lines);
}

/* The time that is left, in seconds, is what it waits for. */
static _Noreturn void be_ready(struct campaign *campaign, const struct way *way, int from, int to)
{
    int status = CAMPAIGN_NOTHING;
    struct report *report = &campaign->report;
    double seconds;
    if (read(from, &seconds, sizeof seconds) == (ssize_t)sizeof seconds) {
        campaign->start = clock_seconds();
        campaign->seconds = seconds;
        status = (int)explore_way(campaign, way, arena_format(report->arena, "%s/%s", report->directory, way->name));
        if (status != CAMPAIGN_DIFFERENT)
            drop(campaign, way);
        if (report->verdict == VERDICT_EQUIVALENT)
            status |= IS_EQUIVALENT;
        tell_kept(report, to);
        fflush(NULL);
    }
    _exit(status);
}

void ways_keep_ready(struct campaign *campaign)
{
    size_t number = number_of_state(campaign);
    int asked[2], told[2];
    /* who asks for counts wants those of the plain harness */
    if (number == WAYS || !campaign->options->subject.fold || !campaign->report.directory || pipe2(asked, O_CLOEXEC))
        return;
    if (pipe2(told, O_CLOEXEC)) {
        close(asked[0]), close(asked[1]);
        return;
    }
    fflush(NULL);
    pid_t process = fork();
    if (!process) {
        close(asked[1]), close(told[0]);
        be_ready(campaign, &ways[number], asked[0], told[1]);
    }
    close(asked[0]), close(told[1]);
    campaign->ready = (struct ready_way){process > 0 ? process : 0, asked[1], told[0]};
}

static bool rests_on_state(const struct report *report)
{
    return report->verdict == VERDICT_EQUIVALENT && !report->is_proven && report->sites && report->sites->assumed.count;
}

static void read_kept(struct report *report, int from)
{
    struct text lines = {0};
    char buffer[4096];
    ssize_t count;
    while ((count = read(from, buffer, sizeof buffer)) > 0 || (count < 0 && errno == EINTR))
        text_append(&lines, buffer, count > 0 ? (size_t)count : 0);
    for (const char *line = text_string(&lines); *line;) {
        size_t length = strcspn(line, "\n");
        words_add(&report->never_inputs, arena_format(report->arena, "%.*s", (int)length, line));
        line += length + (line[length] == '\n');
    }
    text_free(&lines);
}

/* Its exit status. */
static int ask(struct campaign *campaign, const struct ready_way *ready)
{
    double left = fmax(campaign_end(campaign) - clock_seconds(), SHORTEST_SECONDS);
    campaign->has_tried_state = rests_on_state(&campaign->report) && !interrupt_came() &&
                                write(ready->to, &left, sizeof left) == (ssize_t)sizeof left;
    close(ready->to);
    interrupt_pass_to(0, ready->process);
    read_kept(&campaign->report, ready->from);
    close(ready->from);
    int status = wait_for(ready->process);
    return status >= 0 && campaign->has_tried_state ? status : CAMPAIGN_NOTHING;
}

bool ways_conclude(struct campaign *campaign)
{
    struct ready_way ready = campaign->ready;
    struct report *report = &campaign->report;
    campaign->ready = (struct ready_way){0};
    report->values = ready.process ? OTHERS_AWAITED : INITIAL_VALUES;
    report_conclude(report);
    if (!ready.process)
        return false;
    int status = ask(campaign, &ready);
    report->values = status & IS_EQUIVALENT ? OTHERS_EXPLORED : INITIAL_VALUES;
    report_conclude(report);
    return (status & ~IS_EQUIVALENT) == CAMPAIGN_DIFFERENT;
}
