#include "campaign/explain.h"
#include "campaign/state.h"

#include <string.h>

static const double EXPLAIN_SECONDS = 2;

/* What the instrumented program says of the input. */
struct explanation {
    struct campaign *campaign;
    struct report_divergence *divergence;
    bool has_path;
};

static bool take_path(void *opaque, const struct finding *finding, struct error *error)
{
    struct explanation *explanation = opaque;
    struct report_divergence *divergence = explanation->divergence;
    (void)error;
    if (explanation->has_path || finding->input_size < divergence->input_size ||
        memcmp(finding->input, divergence->input, divergence->input_size))
        return true;
    explanation->has_path = true;
    results_place(&explanation->campaign->report, &explanation->campaign->subject, finding, divergence);
    return true;
}

static bool ignore_difference(void *opaque, const struct finding_difference *difference, struct error *error)
{
    (void)opaque, (void)difference, (void)error;
    return true;
}

bool explain(struct campaign *campaign, struct report_divergence *divergence)
{
    struct subject *subject = &campaign->subject;
    struct explanation explanation = {campaign, divergence, false};
    struct explore_options options = campaign_explore_options(campaign, subject);
    struct explore_outcome outcome = {0};
    struct error ignored = {0};
    bool died;
    options.mode = EXPLORE_CONCOLIC;
    options.maximum_paths = 1; /* the input's own */
    options.seconds = EXPLAIN_SECONDS;
    options.idle = NULL;
    options.is_enough = NULL;
    options.progress = NULL;
    options.report = take_path;
    options.difference = ignore_difference;
    options.context = &explanation;
    const uint8_t *seeds[] = {divergence->input};
    struct exploration exploration = {
        .program = campaign->program,
        .is_library = campaign->inside,
        .layout = subject->program.layout,
        .sites = subject->sites,
        .seeds = seeds,
        .seed_count = 1,
        .seed_size = divergence->input_size,
        .options = &options,
    };
    explore_beside(&exploration, &outcome, &died, &ignored);
    explore_outcome_free(&outcome);
    error_clear(&ignored);
    return explanation.has_path;
}
