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

const char *report_verdict(const struct report *report)
{
    bool different = report_count_class(report, CHECK_REGRESSION) || report_count_class(report, CHECK_FIX) ||
                     report_count_class(report, CHECK_OUTPUT);
    return different ? "different" : "no-difference-found";
}

static void limit(struct text *text, size_t count, const char *of_one, const char *of_many)
{
    if (count)
        text_format(text, "%zu %s\n", count, count == 1 ? of_one : of_many);
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
    if (statistics->table_full)
        text_add(text, "a trace outgrew its tables: some values lost their labels\n");
    for (size_t i = 0; i < statistics->loss_count; i++)
        text_format(text, "precision lost at: %s x%zu\n", statistics->losses[i].what, statistics->losses[i].count);
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
