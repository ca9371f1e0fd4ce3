/* The witnesses of groups, made small: an input that shows the same as the one that was found, at the same place, and
 * is easier to read. It is run natively as every other, and followed by the instrumented program for its path. */
#include "campaign/witnesses.h"
#include "base/clock.h"
#include "campaign/causes.h"
#include "campaign/explain.h"
#include "campaign/shrink.h"
#include "campaign/state.h"
#include "report/groups.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_WITNESSES = 20 };
static const double SHARE_OF_TIME = 0.1;

/* What a limit stopped would take as long again; what sanitizers do not see is not seen by native runs. */
static bool can_be_shrunk(const struct report_divergence *divergence)
{
    const struct check_observation *runs[] = {&divergence->verdict.old_run, &divergence->verdict.new_run};
    for (size_t i = 0; i < 2; i++)
        if (runs[i]->passed_limit || runs[i]->by_own_check || runs[i]->out_of_stack)
            return false;
    return check_class_is_difference(divergence->verdict.class) && divergence->kind != FINDING_NATIVE &&
           divergence->kind != FINDING_SEMANTIC && /* a smaller one may show another */
           divergence->kind != FINDING_COMMON;
}

static bool are_in_one_group(const struct report_divergence *one, const struct report_divergence *other)
{
    struct text keys[2] = {0};
    groups_add_key(one, &keys[0]);
    groups_add_key(other, &keys[1]);
    bool same = !strcmp(text_string(&keys[0]), text_string(&keys[1]));
    text_free(&keys[0]), text_free(&keys[1]);
    return same;
}

static bool is_same_path(const struct report_divergence *one, const struct report_divergence *other)
{
    size_t i = 0;
    while (one->path_condition[i] && other->path_condition[i] &&
           !strcmp(one->path_condition[i], other->path_condition[i]))
        i++;
    return !one->path_condition[i] && !other->path_condition[i];
}

/* Runs the small input as every witness is. */
static bool prove(struct campaign *campaign, struct report_divergence *small)
{
    struct text text = {0};
    struct error ignored = {0};
    input_print_file(campaign->report.layout, small->input, &text);
    bool good = check_try(campaign->checker, &text, 0, &small->verdict, &ignored);
    small->is_flagged = good && check_try_flags(campaign->checker, &text, &small->verdict, &ignored);
    text_free(&text);
    error_clear(&ignored);
    return good;
}

static bool is_good(struct campaign *campaign, const struct report_divergence *divergence,
                    struct report_divergence *small)
{
    bool is_placed = divergence->kind == FINDING_APART || explain(campaign, small);
    return is_placed && are_in_one_group(small, divergence) &&
           check_signed_overflow(&small->verdict) <= check_signed_overflow(&divergence->verdict);
}

bool witnesses_take(struct campaign *campaign, struct report_divergence *divergence, const uint8_t *input)
{
    size_t size = campaign->subject.program.layout->size;
    struct report_divergence small = *divergence;
    small.input = arena_allocate(campaign->report.arena, size + 1);
    small.input_size = size;
    small.input_path = small.repro = NULL;
    small.small = NULL;
    memcpy(small.input, input, size);
    if (!prove(campaign, &small))
        return false;
    if (!is_good(campaign, divergence, &small)) {
        check_verdict_free(&small.verdict);
        return false;
    }
    if (!is_same_path(&small, divergence))
        small.differs = "";
    divergence->small = arena_allocate(campaign->report.arena, sizeof small);
    *divergence->small = small;
    return true;
}

static void make_small(struct campaign *campaign, struct causes *causes, struct report_divergence *divergence)
{
    size_t size = campaign->subject.program.layout->size;
    struct report_divergence *before = divergence->small;
    const struct report_divergence *shown = before ? before : divergence;
    if (shown->input_size < size)
        return;
    uint8_t *input = arena_allocate(campaign->report.arena, size + 1);
    memcpy(input, shown->input, size);
    shrink_input(campaign, input, SHRINK_QUICKLY);
    if (!memcmp(input, shown->input, size) || !witnesses_take(campaign, divergence, input))
        return;
    struct report_divergence *after = divergence->small;
    bool is_kept = causes_confirm(causes, after);
    struct report_divergence *dropped = is_kept ? before : after;
    divergence->small = is_kept ? after : before;
    if (dropped)
        check_verdict_free(&dropped->verdict);
}

void witnesses_make_small(struct campaign *campaign, struct causes *causes)
{
    struct report *report = &campaign->report;
    double end = clock_seconds() + SHARE_OF_TIME * (campaign_end(campaign) - campaign->start);
    end = fmin(end, campaign_end(campaign));
    for (size_t i = 0; i < report->group_count && i < MOST_WITNESSES && clock_seconds() < end && !interrupt_came();
         i++) {
        struct report_divergence *witness = &report->divergences[report->groups[i].witness];
        if (can_be_shrunk(witness))
            make_small(campaign, causes, witness);
    }
}
