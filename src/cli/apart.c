/* Versions that cannot be merged: two programs, each explored by itself. Every input that leads along a path of one of
 * them is run natively on both, if there is time, and so is one for every two paths that can be taken together and do
 * not do the same. What differs is proven as it is elsewhere; that nothing does is never said. */
#include "base/clock.h"
#include "cli/context.h"

#include <stdlib.h>
#include <string.h>

void apart_free(struct context *context)
{
    if (context->old.program.layout == context->campaign.program.layout)
        context->old.program.layout = NULL;
    free(context->inputs);
}

/* The number of an input, whichever version it comes from. */
static size_t input_number(struct context *context, const struct finding *finding)
{
    size_t known = set_count(context->keys), number = set_find(context->keys, finding->input, finding->input_size);
    if (number < known)
        return number;
    set_add(context->keys, finding->input, finding->input_size);
    context->inputs = array_reserve(context->inputs, &context->input_capacity, known + 1, sizeof *context->inputs);
    context->inputs[known] = (struct apart_input){
        .waits = true, .place = SIZE_MAX, .conditions = arena_copy_strings(context->report.arena, finding->conditions)};
    return known;
}

/* Runs an input, once. With `may_be_left`, only if there is time. */
static bool run_input(struct context *context, const struct finding *finding, bool may_be_left, size_t *number,
                      struct error *error)
{
    struct report *report = &context->report;
    *number = input_number(context, finding);
    struct apart_input *input = &context->inputs[*number];
    size_t before = report->count;
    bool is_late = clock_seconds() > context_end(context);
    if (!input->waits || (may_be_left && (finding->many_wait || is_late)) || context_is_interrupted())
        return true;
    input->waits = false;
    if (!results_add_if_loud(report, &context->campaign, context->checker, finding, error))
        return false;
    if (report->count == before)
        return true;
    input->place = before;
    if (report->seconds_to_first < 0)
        report->seconds_to_first = clock_seconds() - context->start;
    return true;
}

static void count_unrun(struct context *context)
{
    for (size_t i = 0; i < set_count(context->keys); i++)
        context->report.unrun += context->inputs[i].waits;
}

/* Exploring is faster than running natively: of many paths some are tried, until the time is over. What the comparison
 * of paths says is always run. */
static bool take_path(void *opaque, const struct finding *finding, struct error *error)
{
    struct context *context = opaque;
    size_t key;
    if (!run_input(context, finding, true, &key, error))
        return false;
    context_add_number(context, key);
    return true;
}

/* Two paths were compared: the report has an input for it already, or gets the one that the comparison found. */
static bool take_difference(void *opaque, const struct finding_difference *difference, struct error *error)
{
    struct context *context = opaque;
    struct finding_difference here = *difference;
    size_t key = context->numbers[difference->finding];
    if (context->inputs[key].place == SIZE_MAX && here.input) {
        struct finding finding = {.kind = FINDING_APART,
                                  .phase = "complete",
                                  .input = here.input,
                                  .input_size = here.input_size,
                                  .conditions = context->inputs[key].conditions};
        if (!run_input(context, &finding, false, &key, error))
            return false;
    }
    here.finding = context->inputs[key].place;
    return here.finding == SIZE_MAX ||
           results_add_difference(&context->report, &context->campaign, context->checker, &here, error);
}

/* Two seeds may take one path: both are run. */
static bool run_seeds(struct context *context, struct error *error)
{
    const struct campaign *campaign = &context->campaign;
    bool good = true;
    for (size_t i = 0; i < campaign->seed_count && good; i++) {
        struct text text = {0};
        size_t ignored;
        uint8_t *whole = arena_allocate(context->report.arena, campaign->program.layout->size + 1);
        memcpy(whole, campaign->seeds[i], campaign->seed_size);
        input_print(campaign->program.layout, whole, &text);
        const char *const conditions[] = {text_string(&text), NULL};
        struct finding finding = {.kind = FINDING_APART,
                                  .phase = "seed",
                                  .input = campaign->seeds[i],
                                  .input_size = campaign->seed_size,
                                  .conditions = conditions};
        good = run_input(context, &finding, false, &ignored, error);
        text_free(&text);
    }
    return good;
}

/* Called in the process that explores, when it has seen the new version. */
static bool make_old(void *opaque, struct exchanged *exchanged, struct error *error)
{
    struct context *context = opaque;
    struct campaign *old = &context->old;
    const char *directory = arena_format(context->report.arena, "%s/old", context->scratch);
    site_table_destroy(old->sites);
    old->sites = site_table_create();
    bool good = campaign_make(old, directory, false, true, context->inside, old->sites, &exchanged->path, error);
    exchanged->sites = old->sites;
    exchanged->is_library = context->inside && !old->sites->lasting;
    return good;
}

static bool explore_both(struct context *context, const char *directory, struct error *error)
{
    struct explore_options options = context_explore_options(context, &context->campaign);
    options.alone = options.limits.alone = true;
    options.directed = false;
    options.report = take_path;
    options.difference = take_difference;
    options.exchange = make_old;
    return context_make_program(context, &context->campaign, directory, error) &&
           context_explore(context, &context->campaign, directory, &options, error);
}

bool apart_explore(struct context *context, struct error *error)
{
    struct campaign *old = &context->old, *new = &context->campaign;
    const char *old_directory = arena_format(context->report.arena, "%s/old", context->scratch);
    const char *new_directory = arena_format(context->report.arena, "%s/new", context->scratch);
    bool good = campaign_write_harness(old, old_directory, error) &&
                campaign_write_harness(new, new_directory, error) && context_start_checker(context, error) &&
                explore_both(context, new_directory, error) && run_seeds(context, error) &&
                results_finish(&context->report, context, error);
    results_drop_quiet(&context->report);
    count_unrun(context);
    return good;
}
