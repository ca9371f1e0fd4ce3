/* What need not be explored: the optimiser makes the same of both versions. The proof begins before the exploration and
 * goes on beside it; whichever decides first ends the other. A difference that was shown natively stands. */
#include "prove/prove.h"
#include "base/clock.h"
#include "base/log.h"
#include "campaign/state.h"

#include <math.h>

/* How long it is waited for: at first, while nothing else is done, since most proofs come at once; and in all where
 * exploring decides nothing, of the time there is and at most. While exploring goes on it may take longer: so much of
 * the time is planned for. */
static const double SECONDS_ALONE = 1, SHARE_OF_TIME = 0.25, MOST_SECONDS = 10, SHARE_BESIDE = 0.75;

static bool write_harnesses(struct campaign *campaign, struct error *error)
{
    struct arena *arena = campaign->report.arena;
    return subject_write_harness(campaign->native_old, arena_format(arena, "%s/old", campaign->scratch), error) &&
           subject_write_harness(campaign->native_new, arena_format(arena, "%s/new", campaign->scratch), error);
}

/* Who asks for seeds, paths or counts wants to see them. */
static bool is_wanted(const struct campaign *campaign)
{
    const struct campaign_options *options = campaign->options;
    const struct campaign_entry *entry = campaign->entry;
    if (!entry || entry->is_uncertain || entry->unreadable) /* what is proven must be the program */
        return false;
    if (campaign->is_another_way) /* a proof is one for all inputs and states, and was tried */
        return false;
    bool is_usual = options->mode == (campaign->subject.invocation ? EXPLORE_GENERATIONAL : EXPLORE_COMPLETE);
    return !options->no_proofs && is_usual && !options->subject.seeds.count;
}

/* Variables that may mean another thing in each version. */
static void add_uncompared(const struct campaign *campaign, struct words *names)
{
    const struct program *old = &campaign->native_old->program;
    for (size_t i = 0; i < campaign->entry->uncompared.count; i++)
        words_add(names, campaign->entry->uncompared.list[i]);
    for (size_t i = 0; campaign->entry->apart && i < old->global_count; i++)
        if (!old->globals[i].is_constant && !*old->globals[i].outputs)
            words_add(names, old->globals[i].name);
}

static void start(struct campaign *campaign, double seconds, struct error *error)
{
    struct words uncompared = {0};
    add_uncompared(campaign, &uncompared);
    if (write_harnesses(campaign, error)) {
        struct proof_request request = {
            .programs = {&campaign->native_old->program, &campaign->native_new->program},
            .harnesses = {campaign->native_old->harness, campaign->native_new->harness},
            .uncompared = &uncompared,
            .directory = campaign->scratch,
            .seconds = seconds,
        };
        campaign->prover = prover_start(&request, campaign->report.arena, error);
    }
    words_free(&uncompared);
}

static bool take_proof(struct campaign *campaign)
{
    static const struct explore_statistics statistics = {.exhausted = true};
    static const struct solve_statistics solver;
    struct report *report = &campaign->report;
    report->is_proven = true;
    report->needs_stack = campaign->proof.needs_stack;
    report->apart = NULL;
    if (!report->statistics) {
        report->statistics = &statistics;
        report->solver = &solver;
    }
    return true;
}

/* Whether the versions are proven to be the same, now or at most at that moment. */
static bool wait_until(struct campaign *campaign, double moment)
{
    if (campaign->prover && prover_wait(campaign->prover, moment, &campaign->proof)) {
        campaign_stop_proof(campaign);
        log_line(LOG_INFO, "%s%s",
                 campaign->proof.is_proven ? "proven equivalent" : "not proven: ", campaign->proof.problem);
    }
    return campaign->proof.is_proven && !campaign_has_difference(campaign);
}

bool campaign_prove(struct campaign *campaign)
{
    struct error error = {0};
    if (!is_wanted(campaign))
        return false;
    double begin = clock_seconds(), left = fmax(campaign_end(campaign) - begin, 0);
    bool is_alone = campaign->report.apart || campaign->options->partitions; /* what these find says less */
    campaign->proof_end = begin + fmin(left * SHARE_OF_TIME, MOST_SECONDS);
    log_line(LOG_INFO, "comparing what the optimiser makes of both versions");
    start(campaign, is_alone ? campaign->proof_end - begin : left * SHARE_BESIDE, &error);
    if (error.message)
        log_line(LOG_INFO, "not proven: %s", error.message);
    error_clear(&error); /* whoever builds it again says what is wrong */
    return wait_until(campaign, is_alone ? campaign->proof_end : fmin(begin + SECONDS_ALONE, campaign->proof_end)) &&
           !campaign->proof.needs_stack && take_proof(campaign);
}

bool campaign_is_proven(struct campaign *campaign)
{
    if (campaign->report.is_proven)
        return true;
    return wait_until(campaign, 0) && !campaign->proof.needs_stack && take_proof(campaign);
}

/* A recursion that becomes a loop is the same only while the stack is enough for it, which it never is for one without
 * an end. So runs come first, and they must all have ended. */
static bool may_take_proof(const struct campaign *campaign)
{
    const struct explore_statistics *statistics = campaign->report.statistics;
    return !campaign->proof.needs_stack || (statistics && statistics->runs && !statistics->time_outs);
}

bool campaign_await_proof(struct campaign *campaign)
{
    if (campaign->report.is_proven)
        return true;
    return !campaign_has_difference(campaign) && !interrupt_came() && wait_until(campaign, campaign->proof_end) &&
           may_take_proof(campaign) && take_proof(campaign);
}

void campaign_stop_proof(struct campaign *campaign)
{
    prover_stop(campaign->prover);
    campaign->prover = NULL;
}
