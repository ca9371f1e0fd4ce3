#include "campaign/shrink.h"
#include "base/clock.h"
#include "campaign/state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_TRIES = 200 };
static const double RUN_SECONDS = 0.5, MOST_SECONDS = 10;

struct shrinking {
    struct campaign *campaign;
    const struct input_layout *layout;
    uint8_t *input;
    struct check_verdict wanted; /* what it must go on to show */
    size_t tries;
    double end;
};

static bool run(struct shrinking *shrinking, struct check_verdict *verdict)
{
    struct text text = {0};
    struct error ignored = {0};
    input_print_file(shrinking->layout, shrinking->input, &text);
    bool good = check_try(shrinking->campaign->checker, &text, RUN_SECONDS, verdict, &ignored);
    text_free(&text);
    error_clear(&ignored);
    return good;
}

static bool is_same_end(const struct check_observation *one, const struct check_observation *other)
{
    return one->failed == other->failed && !strcmp(one->failure, other->failure) &&
           !strcmp(one->location, other->location) && one->exit_status == other->exit_status;
}

static bool still_shows_it(struct shrinking *shrinking)
{
    struct check_verdict verdict;
    shrinking->tries++;
    if (!run(shrinking, &verdict))
        return false;
    bool same = verdict.class == shrinking->wanted.class && is_same_end(&verdict.old_run, &shrinking->wanted.old_run) &&
                is_same_end(&verdict.new_run, &shrinking->wanted.new_run);
    check_verdict_free(&verdict);
    return same;
}

static bool may_try(const struct shrinking *shrinking)
{
    return shrinking->tries < MOST_TRIES && clock_seconds() < shrinking->end;
}

static const struct input_range *range_of(const struct shrinking *shrinking, const struct input_parameter *parameter)
{
    const struct subject *subject = &shrinking->campaign->subject;
    for (size_t i = 0; i < subject->range_count; i++)
        if (&shrinking->layout->parameters[subject->ranges[i].parameter] == parameter)
            return &subject->ranges[i];
    return NULL;
}

/* ---- one number ---- */

static __int128 smallest(const struct shrinking *shrinking, const struct input_parameter *parameter)
{
    const struct input_range *range = range_of(shrinking, parameter);
    return range ? input_nearest_to_zero(parameter, range) : 0;
}

/* Whether it shows the same with another value, which then stays. */
static bool take(struct shrinking *shrinking, const struct input_parameter *parameter, size_t element, __int128 value)
{
    const struct input_range *range = range_of(shrinking, parameter);
    __int128 before = input_element(parameter, shrinking->input, element);
    if (before == value)
        return true;
    if (!may_try(shrinking) || value < input_lowest(parameter) || value > input_highest(parameter) ||
        (range && !input_is_in_range(parameter, range, value)))
        return false;
    input_set_element(parameter, shrinking->input, element, value);
    if (still_shows_it(shrinking))
        return true;
    input_set_element(parameter, shrinking->input, element, before);
    return false;
}

/* Between a value that does not show it, and one that does. */
static void come_nearer(struct shrinking *shrinking, const struct input_parameter *parameter, size_t element)
{
    __int128 not_enough = smallest(shrinking, parameter);
    while (may_try(shrinking)) {
        __int128 value = input_element(parameter, shrinking->input, element);
        __int128 middle = not_enough + (value - not_enough) / 2;
        if (middle == value || middle == not_enough)
            return;
        if (!take(shrinking, parameter, element, middle))
            not_enough = middle;
    }
}

static void shrink_element(struct shrinking *shrinking, const struct input_parameter *parameter, size_t element)
{
    static const char letters[] = "a0 ";
    if (take(shrinking, parameter, element, smallest(shrinking, parameter)) || parameter->kind == INPUT_FLOATING)
        return;
    if (parameter->kind == INPUT_CHARACTER) {
        for (const char *letter = letters; *letter; letter++)
            if (take(shrinking, parameter, element, *letter))
                return;
        return;
    }
    come_nearer(shrinking, parameter, element);
}

/* ---- arrays ---- */

static void set_rest(struct shrinking *shrinking, const struct input_parameter *parameter, size_t first)
{
    for (size_t i = first; i < parameter->element_count; i++)
        input_set_element(parameter, shrinking->input, i, smallest(shrinking, parameter));
}

/* As much as possible from the end. */
static void shorten(struct shrinking *shrinking, const struct input_parameter *parameter)
{
    size_t size = parameter->element_size * parameter->element_count, low = 0, high = parameter->element_count;
    uint8_t *at = shrinking->input + parameter->offset, *before = malloc(size);
    while (low < high && may_try(shrinking)) {
        size_t middle = (low + high) / 2;
        memcpy(before, at, size);
        set_rest(shrinking, parameter, middle);
        if (still_shows_it(shrinking)) {
            high = middle;
        } else {
            memcpy(at, before, size);
            low = middle + 1;
        }
    }
    free(before);
}

static void shrink_parameter(struct shrinking *shrinking, const struct input_parameter *parameter)
{
    if (parameter->element_count > 1)
        shorten(shrinking, parameter);
    for (size_t i = 0; i < parameter->element_count && may_try(shrinking); i++)
        shrink_element(shrinking, parameter, i);
}

void shrink_input(struct campaign *campaign, uint8_t *input)
{
    struct shrinking shrinking = {.campaign = campaign,
                                  .layout = campaign->subject.program.layout,
                                  .input = input,
                                  .end = fmin(clock_seconds() + MOST_SECONDS, campaign_end(campaign))};
    if (!run(&shrinking, &shrinking.wanted))
        return;
    for (size_t i = 0; i < shrinking.layout->count; i++)
        shrink_parameter(&shrinking, &shrinking.layout->parameters[i]);
    check_verdict_free(&shrinking.wanted);
}
