#include "campaign/live.h"
#include "base/clock.h"
#include "campaign/journal.h"

#include <stdio.h>

static const double SAMPLE_SECONDS = 0.5, LONGEST_SHARE = 0.01; /* between two samples, of the time so far */

void live_show(const struct campaign *campaign, const char *line)
{
    const struct campaign_view *view = campaign->request->view;
    if (view->progress && !campaign->is_beside)
        view->progress(view->context, line);
}

/* Where it cannot be remembered, results cannot either, and who writes these says so. */
static void remember(struct campaign *campaign, const struct explore_progress *progress)
{
    const struct report *report = &campaign->report;
    double seconds = clock_seconds() - campaign->start;
    struct error ignored = {0};
    if (seconds < campaign->next_sample || report->way)
        return;
    double pause = seconds * LONGEST_SHARE;
    campaign->next_sample = seconds + (pause > SAMPLE_SECONDS ? pause : SAMPLE_SECONDS);
    json_t *sample = json_pack("{s:f, s:I, s:I, s:I, s:I}", "seconds", seconds, "runs", (json_int_t)progress->runs,
                               "paths", (json_int_t)progress->paths, "diff_paths", (json_int_t)progress->diff_paths,
                               "groups", (json_int_t)report->told);
    journal_add_sample(report->journal, report->entry, sample, &ignored);
    error_clear(&ignored);
}

void live_take_progress(void *opaque, const struct explore_progress *progress)
{
    struct campaign *campaign = opaque;
    char line[200];
    double left = campaign_end(campaign) - clock_seconds();
    snprintf(line, sizeof line, "%.0f s: %zu runs, %zu paths, %zu diff paths, %zu groups, %.0f s left",
             progress->seconds, progress->runs, progress->paths, progress->diff_paths, campaign->report.told,
             left > 0 ? left : 0);
    live_show(campaign, line);
    remember(campaign, progress);
}

void live_take_end(struct campaign *campaign)
{
    const struct explore_statistics *statistics = &campaign->outcome.statistics;
    struct explore_progress progress = {0, statistics->runs, statistics->paths, statistics->diff_paths};
    live_show(campaign, NULL);
    campaign->next_sample = 0;
    remember(campaign, &progress);
}

void live_tell_found(const struct report *report, const struct report_divergence *divergence)
{
    if (report->tell && check_class_is_difference(divergence->verdict.class))
        report->tell(report->tell_context, report, divergence);
}
