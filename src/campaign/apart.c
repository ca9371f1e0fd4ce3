/* Versions that cannot be merged: two programs, each explored by itself. Every input that leads along a path of one of
 * them is run natively on both, if there is time, and so is one for every two paths that can be taken together and do
 * not do the same. What differs is proven as it is elsewhere; that nothing does is never said. */
#include "base/clock.h"
#include "campaign/state.h"

#include <stdlib.h>
#include <string.h>

void apart_free(struct campaign *campaign)
{
    if (campaign->old.program.layout == campaign->subject.program.layout)
        campaign->old.program.layout = NULL;
    free(campaign->inputs);
}

/* The number of an input, whichever version it comes from. */
static size_t input_number(struct campaign *campaign, const struct finding *finding)
{
    size_t known = set_count(campaign->keys), number = set_find(campaign->keys, finding->input, finding->input_size);
    if (number < known)
        return number;
    set_add(campaign->keys, finding->input, finding->input_size);
    campaign->inputs = array_reserve(campaign->inputs, &campaign->input_capacity, known + 1, sizeof *campaign->inputs);
    campaign->inputs[known] =
        (struct apart_input){.waits = true,
                             .place = SIZE_MAX,
                             .conditions = arena_copy_strings(campaign->report.arena, finding->conditions)};
    return known;
}

/* Runs an input, once. With `may_be_left`, only if there is time. */
static bool run_input(struct campaign *campaign, const struct finding *finding, bool may_be_left, size_t *number,
                      struct error *error)
{
    struct report *report = &campaign->report;
    *number = input_number(campaign, finding);
    struct apart_input *input = &campaign->inputs[*number];
    size_t before = report->count;
    bool is_late = clock_seconds() > campaign_end(campaign);
    if (!input->waits || (may_be_left && (finding->many_wait || is_late)) || interrupt_came())
        return true;
    input->waits = false;
    if (!results_add_if_loud(report, &campaign->subject, campaign->checker, finding, error))
        return input->waits = campaign_was_late(campaign, error);
    if (report->count == before)
        return true;
    input->place = before;
    if (report->seconds_to_first < 0)
        report->seconds_to_first = clock_seconds() - campaign->start;
    return true;
}

static void count_unrun(struct campaign *campaign)
{
    for (size_t i = 0; i < set_count(campaign->keys); i++)
        campaign->report.unrun += campaign->inputs[i].waits;
}

/* Exploring is faster than running natively: of many paths some are tried, until the time is over. What the comparison
 * of paths says is always run. */
static bool take_path(void *opaque, const struct finding *finding, struct error *error)
{
    struct campaign *campaign = opaque;
    size_t key;
    if (!run_input(campaign, finding, true, &key, error))
        return false;
    campaign_add_number(campaign, key);
    return true;
}

/* Two paths were compared: the report has an input for it already, or gets the one that the comparison found. */
static bool take_difference(void *opaque, const struct finding_difference *difference, struct error *error)
{
    struct campaign *campaign = opaque;
    struct finding_difference here = *difference;
    size_t key = campaign->numbers[difference->finding];
    if (campaign->inputs[key].place == SIZE_MAX && here.input) {
        struct finding finding = {.kind = FINDING_APART,
                                  .phase = "complete",
                                  .input = here.input,
                                  .input_size = here.input_size,
                                  .conditions = campaign->inputs[key].conditions};
        if (!run_input(campaign, &finding, false, &key, error))
            return false;
    }
    here.finding = campaign->inputs[key].place;
    return here.finding == SIZE_MAX ||
           results_add_difference(&campaign->report, &campaign->subject, campaign->checker, &here, error) ||
           campaign_was_late(campaign, error);
}

/* Two seeds may take one path: both are run. */
static bool run_seeds(struct campaign *campaign, struct error *error)
{
    const struct subject *subject = &campaign->subject;
    bool good = true;
    for (size_t i = 0; i < subject->seed_count && good; i++) {
        struct text text = {0};
        size_t ignored;
        uint8_t *whole = arena_allocate(campaign->report.arena, subject->program.layout->size + 1);
        memcpy(whole, subject->seeds[i], subject->seed_size);
        input_print(subject->program.layout, whole, &text);
        const char *const conditions[] = {text_string(&text), NULL};
        struct finding finding = {.kind = FINDING_APART,
                                  .phase = "seed",
                                  .input = subject->seeds[i],
                                  .input_size = subject->seed_size,
                                  .conditions = conditions};
        good = run_input(campaign, &finding, false, &ignored, error);
        text_free(&text);
    }
    return good;
}

/* Called in the process that explores, when it has seen the new version. */
static bool make_old(void *opaque, struct exchanged *exchanged, struct error *error)
{
    struct campaign *campaign = opaque;
    struct subject *old = &campaign->old;
    site_table_destroy(old->sites);
    old->sites = site_table_create();
    bool good = campaign_make_second(campaign, old->sites, &exchanged->path, error);
    exchanged->sites = old->sites;
    exchanged->is_library = campaign->inside && !old->sites->lasting;
    return good;
}

static bool explore_both(struct campaign *campaign, const char *directory, struct error *error)
{
    struct explore_options options = campaign_explore_options(campaign, &campaign->subject);
    options.alone = options.limits.alone = true;
    options.directed = false;
    options.report = take_path;
    options.difference = take_difference;
    options.exchange = make_old;
    const char *old_directory = arena_format(campaign->report.arena, "%s/old", campaign->scratch);
    return campaign_make_program(campaign, &campaign->subject, directory, error) &&
           campaign_prepare_second(campaign, &campaign->old, old_directory, false, error) &&
           campaign_explore(campaign, &campaign->subject, directory, &options, error);
}

bool apart_explore(struct campaign *campaign, struct error *error)
{
    struct subject *old = &campaign->old, *new = &campaign->subject;
    const char *old_directory = arena_format(campaign->report.arena, "%s/old", campaign->scratch);
    const char *new_directory = arena_format(campaign->report.arena, "%s/new", campaign->scratch);
    bool good = subject_write_harness(old, old_directory, error) && subject_write_harness(new, new_directory, error) &&
                campaign_start_checker(campaign, error) && explore_both(campaign, new_directory, error) &&
                run_seeds(campaign, error) && guesses_finish(campaign, error) &&
                results_finish(&campaign->report, campaign, error);
    results_drop_quiet(&campaign->report);
    count_unrun(campaign);
    return good;
}
