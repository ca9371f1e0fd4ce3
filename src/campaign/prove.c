/* What need not be explored: the optimiser makes the same of both versions. */
#include "prove/prove.h"
#include "base/clock.h"
#include "base/log.h"
#include "campaign/state.h"

#include <math.h>

/* Of the time there is, and at most. */
static const double SHARE_OF_TIME = 0.25, MOST_SECONDS = 10;

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

bool campaign_prove(struct campaign *campaign)
{
    static const struct explore_statistics statistics = {.exhausted = true};
    static const struct solve_statistics solver;
    struct report *report = &campaign->report;
    struct error error = {0};
    struct proof proof = {.problem = ""};
    struct words uncompared = {0};
    if (!is_wanted(campaign))
        return false;
    add_uncompared(campaign, &uncompared);
    double left = fmax(campaign_end(campaign) - clock_seconds(), 0);
    log_line(LOG_INFO, "comparing what the optimiser makes of both versions");
    bool good = write_harnesses(campaign, &error);
    struct proof_request request = {
        .programs = {&campaign->native_old->program, &campaign->native_new->program},
        .harnesses = {campaign->native_old->harness, campaign->native_new->harness},
        .uncompared = &uncompared,
        .directory = campaign->scratch,
        .seconds = fmin(left * SHARE_OF_TIME, MOST_SECONDS),
    };
    good = good && prove_same(&request, report->arena, &proof, &error);
    words_free(&uncompared);
    log_line(LOG_INFO, "%s%s", proof.is_proven ? "proven equivalent" : "not proven: ",
             good            ? proof.problem
             : error.message ? error.message
                             : "");
    error_clear(&error); /* whoever builds it again says what is wrong */
    if (!proof.is_proven)
        return false;
    report->is_proven = true;
    report->apart = NULL;
    report->statistics = &statistics;
    report->solver = &solver;
    return true;
}
