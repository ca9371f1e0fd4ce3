/* The parts of a report that all forms share: the verdict, the counts, the order. */
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

static enum verdict find_verdict(const struct report *report)
{
    if (report_is_different(report))
        return VERDICT_DIFFERENT;
    bool complete = report->is_proven || (report->mode == EXPLORE_COMPLETE && report->statistics->exhausted &&
                                          !limits_forbid(&report->limits));
    return complete ? VERDICT_EQUIVALENT : VERDICT_NO_DIFFERENCE_FOUND;
}

void report_conclude(struct report *report)
{
    report_free(report);
    limits_collect(report, report->arena, &report->limits);
    assumptions_collect(report, report->arena, &report->assumptions);
    report->verdict = find_verdict(report);
}

void report_free(struct report *report)
{
    limits_free(&report->limits);
    assumptions_free(&report->assumptions);
}

const char *verdict_name(enum verdict verdict)
{
    static const char *const names[] = {[VERDICT_DIFFERENT] = "different",
                                        [VERDICT_EQUIVALENT] = "equivalent",
                                        [VERDICT_NO_DIFFERENCE_FOUND] = "no-difference-found",
                                        [VERDICT_NOT_EXPLORED] = "not-explored"};
    return names[verdict];
}

bool report_is_program(const struct report *report)
{
    return report->layout && report->layout->invocation;
}

bool report_is_done(const struct report *report)
{
    const struct explore_statistics *statistics = report->statistics;
    return !statistics->interrupted &&
           (report->apart || statistics->change_reached || report->count || report->verdict == VERDICT_EQUIVALENT);
}

static int seriousness(enum check_class class)
{
    static const int order[] = {
        [CHECK_REGRESSION] = 0, [CHECK_OUTPUT] = 1, [CHECK_FIX] = 2,          [CHECK_LEAK] = 3,
        [CHECK_BOTH_FAIL] = 4,  [CHECK_SILENT] = 5, [CHECK_UNREPRODUCED] = 6,
    };
    return order[class];
}

/* What takes a failing allocation comes behind plain differences of output. */
static int place_of(const struct report_divergence *divergence)
{
    return 2 * seriousness(divergence->verdict.class) + (divergence->fails_allocation ? 3 : 0);
}

static int compare_divergences(const void *one, const void *other)
{
    const struct report_divergence *a = one, *b = other;
    int difference = place_of(a) - place_of(b);
    if (!difference)
        difference = (int)check_signed_overflow(&a->verdict) - (int)check_signed_overflow(&b->verdict);
    return difference ? difference : a->number < b->number ? -1 : a->number > b->number;
}

void report_sort(struct report *report)
{
    for (size_t i = 0; i < report->count; i++) {
        struct report_divergence *divergence = &report->divergences[i];
        divergence->fails_allocation = report->layout && divergence->input_size >= report->layout->size &&
                                       input_fails_allocation(report->layout, divergence->input);
    }
    if (report->count)
        qsort(report->divergences, report->count, sizeof *report->divergences, compare_divergences);
}
