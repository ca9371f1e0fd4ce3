/* Of a group, the witness is asked. Where its difference comes of another change than that at which the versions part,
 * or of several, the change there may still make one of its own: that is looked for among the others of the group, and
 * then by other numbers in the input. */
#include "campaign/causes.h"
#include "base/clock.h"
#include "base/log.h"
#include "campaign/mixed.h"
#include "campaign/state.h"
#include "campaign/witnesses.h"
#include "check/channel.h"
#include "check/observe.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double SHARE_OF_TIME = 0.05, MOST_SECONDS = 10;
enum { MOST_ASKED = 64 /* of a group */, MOST_CHANGED_INPUTS = 150, MOST_ELEMENTS = 4 };

struct causes {
    struct campaign *campaign;
    struct mixed *mixed;
    double end;
};

/* ---- what a change does ---- */

/* The text of both has the new version's lines, and columns of its own. */
static bool is_same_place(const char *one, const char *other)
{
    const char *column = strrchr(one, ':');
    return !strncmp(one, other, column ? (size_t)(column - one) + 1 : strlen(one) + 1);
}

static bool is_same_output(const struct check_observation *one, const struct check_observation *other, double tolerance)
{
    for (int i = 0; i < CHANNEL_KINDS; i++)
        if (!channel_is_same(one, other, (enum channel_kind)i, tolerance))
            return false;
    return true;
}

static bool does_the_same(const struct report_divergence *divergence, enum pn_side side,
                          const struct check_observation *other)
{
    const struct check_observation *one =
        side == PN_SIDE_OLD ? &divergence->verdict.old_run : &divergence->verdict.new_run;
    if (one->failed != other->failed || one->assumption_failed != other->assumption_failed)
        return false;
    if (one->failed)
        return !strcmp(one->failure, other->failure) &&
               (side == PN_SIDE_OLD || is_same_place(one->location, other->location));
    return is_same_output(one, other, divergence->verdict.float_tolerance);
}

static bool has_time(const struct causes *causes)
{
    return clock_seconds() < causes->end && !interrupt_came();
}

/* Whether the divergence's input does what that version does with this change alone; NULL for none. */
static bool makes(struct causes *causes, const struct report_divergence *divergence, const struct change *change,
                  enum pn_side side)
{
    struct check_observation observation;
    if (!has_time(causes) || !mixed_run(causes->mixed, divergence->input, change, &observation))
        return false;
    bool same = does_the_same(divergence, side, &observation);
    observation_free(&observation);
    return same;
}

static bool is_as_old(struct causes *causes, const struct report_divergence *divergence)
{
    return makes(causes, divergence, NULL, PN_SIDE_OLD);
}

static bool is_at(const struct change *change, const char *file, unsigned line)
{
    return !strcmp(change->file, basename(file)) && line >= change->first && line <= change->last;
}

static const struct change *change_at(const struct causes *causes, const char *file, unsigned line)
{
    for (size_t i = 0; i < mixed_count(causes->mixed); i++)
        if (is_at(mixed_change(causes->mixed, i), file, line))
            return mixed_change(causes->mixed, i);
    return NULL;
}

/* ---- which change ---- */

static bool is_made_here(struct causes *causes, struct report_divergence *divergence)
{
    const struct change *change = change_at(causes, divergence->file, divergence->line);
    if (!change || !makes(causes, divergence, change, PN_SIDE_NEW))
        return false;
    divergence->cause_file = change->file;
    divergence->cause_line = divergence->line;
    return true;
}

static bool is_made_elsewhere(struct causes *causes, struct report_divergence *divergence)
{
    for (size_t i = 0; i < mixed_count(causes->mixed); i++) {
        const struct change *change = mixed_change(causes->mixed, i);
        if (is_at(change, divergence->file, divergence->line) || !makes(causes, divergence, change, PN_SIDE_NEW))
            continue;
        divergence->cause_file = change->file;
        divergence->cause_line = change->first;
        return true;
    }
    return false;
}

/* What native runs do not show of themselves, or takes as long as a run may, is not asked. */
static bool can_be_asked(const struct report_divergence *divergence)
{
    const struct check_observation *runs[] = {&divergence->verdict.old_run, &divergence->verdict.new_run};
    for (size_t i = 0; i < 2; i++)
        if (runs[i]->by_own_check || runs[i]->passed_limit || runs[i]->out_of_stack)
            return false;
    return divergence->kind != FINDING_SEMANTIC;
}

/* ---- others of the group ---- */

/* Some of them, from all parts of what was explored. */
static bool ask_others(struct causes *causes, size_t number)
{
    struct report *report = &causes->campaign->report;
    size_t every = report->groups[number].count / MOST_ASKED + 1;
    for (size_t i = 0; i < report->count && has_time(causes); i++) {
        struct report_divergence *divergence = &report->divergences[i];
        if (divergence->group != number || divergence->rank % every || !can_be_asked(divergence))
            continue;
        if (is_as_old(causes, divergence) && is_made_here(causes, divergence))
            return true;
    }
    return false;
}

/* ---- other numbers ---- */

static bool differs_here(struct causes *causes, const uint8_t *input, const struct change *change)
{
    struct check_observation without, with;
    if (!has_time(causes) || !mixed_run(causes->mixed, input, NULL, &without))
        return false;
    bool differs = !without.failed && mixed_run(causes->mixed, input, change, &with);
    if (differs) {
        differs = !with.failed && !is_same_output(&without, &with, causes->campaign->options->subject.float_tolerance);
        observation_free(&with);
    }
    observation_free(&without);
    return differs;
}

/* An input of the group in which the change at its place shows, as the witness of a divergence; false where it is not.
 */
static bool take_input(struct causes *causes, struct report_divergence *divergence, const uint8_t *input)
{
    if (!witnesses_take(causes->campaign, divergence, input))
        return false;
    if (is_as_old(causes, divergence->small) && is_made_here(causes, divergence->small)) {
        divergence->cause_file = divergence->small->cause_file;
        divergence->cause_line = divergence->small->cause_line;
        return true;
    }
    check_verdict_free(&divergence->small->verdict);
    divergence->small = NULL;
    return false;
}

static bool try_number(struct causes *causes, struct report_divergence *divergence, const struct change *change,
                       const struct input_parameter *parameter, size_t element, uint8_t *input, size_t *tried)
{
    static const int values[] = {1, 2, 100, -1};
    __int128 before = input_element(parameter, input, element);
    for (size_t i = 0; i < sizeof values / sizeof *values && *tried < MOST_CHANGED_INPUTS; i++) {
        if (values[i] == before || values[i] < input_lowest(parameter) || values[i] > input_highest(parameter))
            continue;
        ++*tried;
        input_set_element(parameter, input, element, values[i]);
        if (differs_here(causes, input, change) && take_input(causes, divergence, input))
            return true;
    }
    input_set_element(parameter, input, element, before);
    return false;
}

/* One that may have any value. */
static bool is_free_number(const struct causes *causes, size_t number)
{
    const struct subject *subject = &causes->campaign->subject;
    const struct input_parameter *parameter = &causes->campaign->report.layout->parameters[number];
    for (size_t i = 0; i < subject->range_count; i++)
        if (subject->ranges[i].parameter == number)
            return false;
    return parameter->kind <= INPUT_CHARACTER && !parameter->is_allocation && !parameter->is_background;
}

/* Products and sums are zero where all of their parts are. */
static bool try_without_zeros(struct causes *causes, struct report_divergence *divergence, const struct change *change,
                              const struct input_layout *layout, uint8_t *input)
{
    for (size_t i = 0; i < layout->count; i++) {
        const struct input_parameter *parameter = &layout->parameters[i];
        if (is_free_number(causes, i) && !parameter->is_array && !input_element(parameter, input, 0))
            input_set_element(parameter, input, 0, parameter->kind == INPUT_BOOL ? 1 : 2);
    }
    return differs_here(causes, input, change) && take_input(causes, divergence, input);
}

static bool try_numbers(struct causes *causes, struct report_divergence *divergence)
{
    const struct input_layout *layout = causes->campaign->report.layout;
    const struct change *change = change_at(causes, divergence->file, divergence->line);
    size_t tried = 0;
    if (!change || divergence->verdict.class != CHECK_OUTPUT || divergence->input_size < layout->size)
        return false;
    uint8_t *input = arena_allocate(causes->campaign->report.arena, layout->size + 1);
    memcpy(input, divergence->input, layout->size);
    for (size_t i = 0; i < layout->count; i++) {
        const struct input_parameter *parameter = &layout->parameters[i];
        for (size_t k = 0; is_free_number(causes, i) && k < parameter->element_count && k < MOST_ELEMENTS; k++)
            if (try_number(causes, divergence, change, parameter, k, input, &tried))
                return true;
    }
    return try_without_zeros(causes, divergence, change, layout, input);
}

/* ---- groups ---- */

static void ask(struct causes *causes, size_t number)
{
    struct report *report = &causes->campaign->report;
    struct report_divergence *witness = &report->divergences[report->groups[number].witness];
    if (!can_be_asked(witness) || !is_as_old(causes, witness) || is_made_here(causes, witness))
        return;
    if (!ask_others(causes, number) && !try_numbers(causes, witness))
        is_made_elsewhere(causes, witness);
}

static bool is_wanted(const struct campaign *campaign)
{
    const struct report *report = &campaign->report;
    size_t differences = 0;
    for (size_t i = 0; i < report->group_count; i++)
        differences += check_class_is_difference(report->groups[i].class);
    return differences > 1 && !report->apart && campaign->native_old;
}

struct causes *causes_find(struct campaign *campaign)
{
    struct report *report = &campaign->report;
    if (!is_wanted(campaign))
        return NULL;
    struct causes *causes = arena_allocate(report->arena, sizeof *causes);
    struct error error = {0};
    double now = clock_seconds(), all = campaign_end(campaign) - campaign->start;
    causes->campaign = campaign;
    causes->end = now + fmin(fmax(campaign_end(campaign) - now, SHARE_OF_TIME * all), MOST_SECONDS);
    causes->mixed = mixed_start(campaign, causes->end, &error);
    if (!causes->mixed)
        log_line(LOG_INFO, "which change makes which difference is not known: %s", error.message);
    error_clear(&error);
    for (size_t i = 0; i < report->group_count && causes->mixed && has_time(causes); i++)
        if (check_class_is_difference(report->groups[i].class))
            ask(causes, i);
    return causes->mixed ? causes : NULL;
}

bool causes_confirm(struct causes *causes, const struct report_divergence *divergence)
{
    if (!causes || !divergence->cause_file)
        return true;
    const struct change *change = change_at(causes, divergence->cause_file, divergence->cause_line);
    return change && is_as_old(causes, divergence) && makes(causes, divergence, change, PN_SIDE_NEW);
}

void causes_stop(struct causes *causes)
{
    if (causes)
        mixed_stop(causes->mixed);
}
