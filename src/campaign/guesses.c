#include "campaign/guesses.h"
#include "base/clock.h"
#include "base/log.h"
#include "campaign/explain.h"
#include "campaign/kept_test.h"
#include "campaign/shrink.h"
#include "campaign/state.h"
#include "input/guess.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A guess is worth little time: one that never ends must not take that of the others. */
static const double RUN_SECONDS = 0.2, SHARE_OF_TIME = 0.25;
enum { MOST_LONG_RUNS = 2, WAIT_MILLISECONDS = 5, TO_CONFIRM = 32 };

struct guesses {
    struct guesser *guesser;
    size_t tried, long_runs;
    double seconds; /* that were used */
    bool is_over, has_found;
    struct report_divergence found;
};

struct guesses *guesses_create(struct campaign *campaign)
{
    const struct subject *subject = &campaign->subject;
    if (campaign->options->native_runs < 1)
        return NULL;
    struct guess_request request = {
        .layout = subject->program.layout,
        .ranges = subject->ranges,
        .range_count = subject->range_count,
        .seeds = (const uint8_t *const *)subject->seeds,
        .seed_count = subject->seed_count,
        .seed_size = subject->seed_size,
        .recorded_count = subject->recorded_count,
        .numbers = &subject->sites->numbers,
        .texts = &subject->sites->texts,
    };
    struct guesses *guesses = calloc(1, sizeof *guesses);
    guesses->guesser = guesser_create(&request);
    return guesses;
}

void guesses_destroy(struct guesses *guesses)
{
    if (!guesses)
        return;
    guesser_destroy(guesses->guesser);
    if (guesses->has_found)
        check_verdict_free(&guesses->found.verdict);
    free(guesses);
}

/* ---- one guess ---- */

/* Not where memory, time or the stack ran out only because a guess was too large for this machine. */
static bool is_shown(const struct check_verdict *verdict)
{
    const struct check_observation *old_run = &verdict->old_run, *new_run = &verdict->new_run;
    return check_class_is_difference(verdict->class) && !old_run->passed_limit && !new_run->passed_limit &&
           !old_run->out_of_stack && !new_run->out_of_stack;
}

static bool only_one_hangs(const struct check_verdict *verdict)
{
    const struct check_observation *old_run = &verdict->old_run, *new_run = &verdict->new_run;
    return old_run->timed_out != new_run->timed_out && !old_run->out_of_stack && !new_run->out_of_stack;
}

/* With --overflow assume-none, an input that overflows is of no interest. */
static bool is_of_interest(struct campaign *campaign, const struct text *text, struct error *error)
{
    struct check_verdict verdict = {0};
    if (campaign->options->subject.overflow != OVERFLOW_ASSUMED_NONE)
        return true;
    return check_try_flags(campaign->checker, text, &verdict, error) && !verdict.signed_overflow;
}

enum suspicion { ALIKE, DIFFERS, ONE_HANGS };

static enum suspicion suspect(struct campaign *campaign, const struct check_verdict *verdict)
{
    if (only_one_hangs(verdict))
        return campaign->guesses->long_runs++ < MOST_LONG_RUNS ? ONE_HANGS : ALIKE;
    return is_shown(verdict) ? DIFFERS : ALIKE;
}

static enum suspicion try_input(struct campaign *campaign, const uint8_t *input, struct error *error)
{
    struct text text = {0};
    struct check_verdict verdict;
    enum suspicion suspicion = ALIKE;
    input_print_file(campaign->subject.program.layout, input, &text);
    if (check_try(campaign->checker, &text, RUN_SECONDS, &verdict, error)) {
        suspicion = suspect(campaign, &verdict);
        check_verdict_free(&verdict);
    }
    if (suspicion != ALIKE && !is_of_interest(campaign, &text, error))
        suspicion = ALIKE;
    text_free(&text);
    return suspicion;
}

/* With the limits that all other runs have. What hangs is not made small before: each such run takes all of its time.
 */
static bool prove(struct campaign *campaign, const struct finding *finding, enum suspicion suspicion,
                  struct error *error)
{
    struct report *report = &campaign->report;
    struct report_divergence *found = &campaign->guesses->found;
    if (!results_prove(report, &campaign->subject, campaign->checker, finding, report->kept ? ++report->last_number : 0,
                       found, error))
        return false;
    if (suspicion != ONE_HANGS || only_one_hangs(&found->verdict))
        return true;
    check_verdict_free(&found->verdict);
    return false;
}

/* On disk at once, as number 0: those of the exploration count from 1. Where a campaign goes on, 0 may be taken. */
static void keep(struct campaign *campaign, const uint8_t *input, enum suspicion suspicion, struct error *error)
{
    struct report *report = &campaign->report;
    struct guesses *guesses = campaign->guesses;
    size_t size = campaign->subject.program.layout->size;
    uint8_t *small = arena_allocate(report->arena, size + 1);
    struct text text = {0};
    memcpy(small, input, size);
    if (suspicion != ONE_HANGS)
        shrink_input(campaign, small, SHRINK_WELL);
    input_print(campaign->subject.program.layout, small, &text);
    const char *const conditions[] = {text_string(&text), NULL};
    struct finding finding = {
        .kind = FINDING_NATIVE, .phase = "native", .input = small, .input_size = size, .conditions = conditions};
    guesses->has_found = prove(campaign, &finding, suspicion, error) &&
                         results_write(report, &campaign->subject, &guesses->found, error) &&
                         kept_test_write(campaign, error);
    text_free(&text);
    if (guesses->has_found)
        log_line(LOG_INFO, "input %zu that was guessed shows a difference", guesses->tried);
}

/* Starts of a whole program have more to be changed than a function's parameters. */
static size_t most_runs(const struct campaign *campaign)
{
    enum { OF_PROGRAMS = 10 };
    return (size_t)campaign->options->native_runs * (campaign->subject.invocation ? OF_PROGRAMS : 1);
}

static void try_next(struct campaign *campaign)
{
    struct guesses *guesses = campaign->guesses;
    struct error ignored = {0}; /* the exploration goes on without guesses then */
    double start = clock_seconds();
    const uint8_t *input = guesser_next(guesses->guesser);
    enum suspicion suspicion = input ? try_input(campaign, input, &ignored) : ALIKE;
    if (suspicion != ALIKE)
        keep(campaign, input, suspicion, &ignored);
    guesses->tried += input != NULL;
    guesses->seconds += clock_seconds() - start;
    guesses->is_over = !input || guesses->has_found || ignored.message || guesses->tried >= most_runs(campaign) ||
                       guesses->seconds > SHARE_OF_TIME * (campaign_end(campaign) - campaign->start);
    campaign->report.native_runs = guesses->tried;
    error_clear(&ignored);
}

int guesses_try_next(void *opaque)
{
    struct campaign *campaign = opaque;
    if (!campaign->guesses || campaign->guesses->is_over)
        return -1;
    if (!check_is_ready(campaign->checker))
        return WAIT_MILLISECONDS;
    try_next(campaign);
    return 0;
}

static void try_until(struct campaign *campaign, double end, size_t count)
{
    while (!campaign->guesses->is_over && campaign->guesses->tried < count && !interrupt_came() &&
           clock_seconds() < end)
        try_next(campaign);
}

bool guesses_have_found(const struct guesses *guesses)
{
    return guesses && guesses->has_found;
}

bool guesses_have_counted(const struct guesses *guesses, enum fail_on fail_on)
{
    return guesses_have_found(guesses) && campaign_counts(guesses->found.verdict.class, fail_on);
}

/* ---- at the end ---- */

/* A kind of difference that the exploration did not come to, or had no time for. */
static bool is_news(const struct campaign *campaign)
{
    const struct report *report = &campaign->report;
    const struct guesses *guesses = campaign->guesses;
    if (!guesses->has_found)
        return false;
    if (!report_is_different(report))
        return true;
    return !report->statistics->exhausted && !report_count_class(report, guesses->found.verdict.class);
}

/* Whether no guess could show anything: every path of the inputs was tried, and none leads to a change. */
static bool is_settled(const struct report *report)
{
    const struct explore_statistics *statistics = report->statistics;
    size_t left_out = statistics->cut_by_depth + statistics->cut_by_loop + statistics->cut_by_values +
                      statistics->loss_count + statistics->mispredictions + statistics->time_outs +
                      report->solver->unknown;
    return report->verdict == VERDICT_EQUIVALENT || (statistics->exhausted && !statistics->change_reached && !left_out);
}

bool guesses_finish(struct campaign *campaign, struct error *error)
{
    struct report *report = &campaign->report;
    struct guesses *guesses = campaign->guesses;
    if (!guesses)
        return true;
    report_conclude(report);                  /* as far as is known now */
    if (report->verdict != VERDICT_DIFFERENT) /* that nothing differs is only said when some runs do not contradict */
        try_until(campaign, campaign_end(campaign), is_settled(report) ? TO_CONFIRM : SIZE_MAX);
    if (!is_news(campaign)) {
        if (guesses->has_found)
            results_drop(report, &guesses->found);
        guesses->has_found = false;
        return true;
    }
    if (!report->apart)
        explain(campaign, &guesses->found);
    guesses->has_found = false; /* it is the report's */
    if (report->seconds_to_first < 0)
        report->seconds_to_first = clock_seconds() - campaign->start;
    return results_keep(report, &campaign->subject, &guesses->found, error);
}
