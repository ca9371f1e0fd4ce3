/* The parts of a report that all forms share: the verdict, the counts, the limits. */
#include "report/report.h"

#include <stdlib.h>
#include <string.h>

size_t report_count_class(const struct report *report, enum check_class class)
{
    size_t count = 0;
    for (size_t i = 0; i < report->count; i++)
        count += report->divergences[i].verdict.class == class;
    return count;
}

bool report_is_different(const struct report *report)
{
    for (size_t i = 0; i < report->count; i++)
        if (check_class_is_difference(report->divergences[i].verdict.class))
            return true;
    return false;
}

const char *report_verdict(const struct report *report)
{
    struct text limits = {0};
    report_limits(report, &limits);
    bool complete = !strcmp(report->mode, "complete") && report->statistics->exhausted && !limits.length;
    text_free(&limits);
    return report_is_different(report) ? "different" : complete ? "equivalent" : "no-difference-found";
}

static void limit(struct text *text, size_t count, const char *of_one, const char *of_many)
{
    if (count)
        text_format(text, "%zu %s\n", count, count == 1 ? of_one : of_many);
}

/* Predicted to differ for some input of the path, and yet no native run shows it. */
static size_t count_unconfirmed(const struct report *report)
{
    size_t count = 0;
    for (size_t i = 0; i < report->count; i++) {
        enum check_class class = report->divergences[i].verdict.class;
        const char *differs = report->divergences[i].differs;
        count += (class == CHECK_SILENT || class == CHECK_BOTH_FAIL) && *differs && strcmp(differs, "0");
    }
    return count;
}

const char *const *report_assumed(const struct report *report)
{
    static const char *const none[] = {NULL};
    return report->sites && report->sites->assumed.count ? report->sites->assumed.list : none;
}

/* Whatever keeps the complete mode from being complete. */
static void complete_limits(const struct report *report, struct text *text)
{
    const struct explore_statistics *statistics = report->statistics;
    limit(text, statistics->cut_by_depth, "decision beyond the depth that is explored (--max-depth gives more)",
          "decisions beyond the depth that is explored (--max-depth gives more)");
    limit(text, statistics->cut_by_loop, "decision of a loop beyond the bound (--max-loop gives more)",
          "decisions of loops beyond the bound (--max-loop gives more)");
    limit(text, statistics->cut_by_values, "value with more alternatives than are tried (--max-values gives more)",
          "values with more alternatives than are tried (--max-values gives more)");
    limit(text, statistics->cut_pairs, "diff path that was not compared with the old version (--time gives more)",
          "diff paths that were not compared with the old version (--time gives more)");
    limit(text, statistics->uncovered, "diff path with inputs for which the old version's behaviour is not known",
          "diff paths with inputs for which the old version's behaviour is not known");
    limit(text, statistics->stale_labels, "label that did not fit its value and was dropped",
          "labels that did not fit their values and were dropped");
    limit(text, count_unconfirmed(report), "predicted difference that native runs do not show",
          "predicted differences that native runs do not show");
    if (!statistics->change_reached && *report_assumed(report))
        text_add(text, "no path reaches a change, with the variables that have their first values\n");
    if (statistics->path_limit)
        text_add(text, "the limit of paths was reached (--max-paths gives more)\n");
    text_add(text, report->notes);
}

void report_limits(const struct report *report, struct text *text)
{
    const struct explore_statistics *statistics = report->statistics;
    if (statistics->interrupted)
        text_add(text, "interrupted: what was found up to then is here\n");
    if (statistics->out_of_time)
        text_add(text, "the time was used up (--time gives more)\n");
    limit(text, statistics->points_cut, "divergence point was not explored to the end (--time gives more)",
          "divergence points were not explored to the end (--time gives more)");
    limit(text, report->solver->unknown, "question the solver could not answer in time (--solver-time gives more)",
          "questions the solver could not answer in time (--solver-time gives more)");
    limit(text, statistics->mispredictions, "input that did not go the predicted way",
          "inputs that did not go the predicted way");
    limit(text, statistics->time_outs, "run that was stopped at the time limit (--run-time gives more)",
          "runs that were stopped at the time limit (--run-time gives more)");
    limit(text, statistics->memory_limits, "run that was stopped at the memory limit (--memory gives more)",
          "runs that were stopped at the memory limit (--memory gives more)");
    limit(text, statistics->rejected_seeds, "seed for which an assumption does not hold",
          "seeds for which an assumption does not hold");
    limit(text, statistics->seeds_without_change, "seed that does not reach a change",
          "seeds that do not reach a change");
    if (report->apart)
        text_format(text, "explored apart: %s\n", report->apart);
    if (statistics->table_full)
        text_add(text, "a trace outgrew its tables: some values lost their labels\n");
    for (size_t i = 0; i < statistics->loss_count; i++)
        text_format(text, "precision lost at: %s x%zu\n",
                    *statistics->losses[i].what ? statistics->losses[i].what : "a value that must be concrete",
                    statistics->losses[i].count);
    limit(text, report->unproven, "divergence that was found and not run natively any more (--time gives more)",
          "divergences that were found and not run natively any more (--time gives more)");
    limit(text, report->unrun, "path with an input that was not run natively",
          "paths with inputs that were not run natively");
    if (!strcmp(report->mode, "complete"))
        complete_limits(report, text);
    limit(text, report->unseen_failures,
          "run that failed, and does not natively: a defect of penumbra, please report it",
          "runs that failed, and do not natively: a defect of penumbra, please report it");
    limit(text, report_count_class(report, CHECK_UNREPRODUCED),
          "divergence that native runs contradict: a defect of penumbra, please report it",
          "divergences that native runs contradict: a defect of penumbra, please report it");
}

static int seriousness(enum check_class class)
{
    static const int order[] = {
        [CHECK_REGRESSION] = 0, [CHECK_OUTPUT] = 1, [CHECK_FIX] = 2,
        [CHECK_BOTH_FAIL] = 3,  [CHECK_SILENT] = 4, [CHECK_UNREPRODUCED] = 5,
    };
    return order[class];
}

static int compare_divergences(const void *one, const void *other)
{
    const struct report_divergence *a = one, *b = other;
    int difference = seriousness(a->verdict.class) - seriousness(b->verdict.class);
    if (!difference)
        difference = (int)check_signed_overflow(&a->verdict) - (int)check_signed_overflow(&b->verdict);
    return difference ? difference : a->number < b->number ? -1 : a->number > b->number;
}

void report_sort(struct report *report)
{
    if (report->count)
        qsort(report->divergences, report->count, sizeof *report->divergences, compare_divergences);
}
