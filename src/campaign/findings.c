/* What the explorer finds, while it does: known from before or new, proven or left, as there is time. */
#include "base/clock.h"
#include "campaign/state.h"

#include <stdlib.h>
#include <string.h>

void campaign_add_number(struct campaign *campaign, size_t number)
{
    campaign->numbers = array_reserve(campaign->numbers, &campaign->number_capacity, campaign->number_count + 1,
                                      sizeof *campaign->numbers);
    campaign->numbers[campaign->number_count++] = number;
}

/* What was found before a path killed the exploring process is found again by the next one: it is the same finding. */
static size_t number_of(struct campaign *campaign, const struct finding *finding)
{
    struct text key = {0};
    text_append(&key, (const char *)&finding->kind, sizeof finding->kind);
    text_append(&key, finding->key, finding->key_length);
    size_t number = set_find(campaign->keys, text_string(&key), key.length);
    set_add(campaign->keys, text_string(&key), key.length);
    text_free(&key);
    campaign_add_number(campaign, number);
    return number;
}

bool campaign_has_enough(void *opaque)
{
    const struct campaign *campaign = opaque;
    enum fail_on wanted = campaign->options->fail_on;
    bool any_will_do = wanted != FAIL_ON_REGRESSION && wanted != FAIL_ON_OUTPUT;
    bool has_guess = any_will_do
                         ? guesses_have_found(campaign->guesses)
                         : guesses_have_class(campaign->guesses, CHECK_REGRESSION) ||
                               (wanted == FAIL_ON_OUTPUT && guesses_have_class(campaign->guesses, CHECK_OUTPUT));
    return has_guess || campaign_has_failed(&campaign->report, wanted);
}

/* Exploring is faster than proving. What was found beyond the time is only proven as long as there is little. */
static bool is_enough(struct campaign *campaign)
{
    if (campaign->options->first && campaign_has_enough(campaign))
        return true;
    bool is_late = clock_seconds() > campaign_end(campaign);
    return interrupt_came() || (is_late && campaign->report.count >= RESULTS_ENOUGH);
}

bool campaign_take_finding(void *opaque, const struct finding *finding, struct error *error)
{
    struct campaign *campaign = opaque;
    struct report *report = &campaign->report;
    if (finding->kind == FINDING_COMMON) {
        common_take(campaign, finding);
        campaign_add_number(campaign, SIZE_MAX);
        return true;
    }
    if (number_of(campaign, finding) < report->count)
        return true;
    if (report->unproven || is_enough(campaign)) {
        report->unproven++;
        return true;
    }
    if (!results_add(report, &campaign->subject, campaign->checker, finding, error))
        return false;
    if (report->seconds_to_first < 0 && report->divergences[report->count - 1].verdict.class != CHECK_UNREPRODUCED)
        report->seconds_to_first = clock_seconds() - campaign->start;
    return true;
}

bool campaign_take_difference(void *opaque, const struct finding_difference *difference, struct error *error)
{
    struct campaign *campaign = opaque;
    struct finding_difference here = *difference;
    here.finding = campaign->numbers[difference->finding];
    if (here.finding >= campaign->report.count || interrupt_came())
        return true;
    bool is_left = here.input && is_enough(campaign) && report_is_different(&campaign->report);
    if (is_left)
        here.input = NULL;
    bool good = results_add_difference(&campaign->report, &campaign->subject, campaign->checker, &here, error);
    campaign->report.divergences[here.finding].tried &= !is_left;
    return good;
}
