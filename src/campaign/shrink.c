#include "campaign/shrink.h"
#include "base/clock.h"
#include "campaign/state.h"
#include "input/seeds.h"
#include "report/groups.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { EASILY_READ = 100 };
static const double RUN_SECONDS = 0.5, SHARE_OF_TIME = 0.15;

static const struct {
    size_t tries;
    double seconds;
} efforts[] = {[SHRINK_QUICKLY] = {100, 3}, [SHRINK_WELL] = {200, 10}};
enum { TIMES_OF_PROGRAMS = 3 }; /* whose arguments and files have more to be left out */

struct shrinking {
    struct campaign *campaign;
    const struct input_layout *layout;
    uint8_t *input;
    struct text wanted; /* what it must go on to show: the key of a group */
    enum shrinking_effort effort;
    size_t tries, most_tries;
    double end;
};

static bool run(struct shrinking *shrinking, double seconds, struct check_verdict *verdict)
{
    struct text text = {0};
    struct error ignored = {0};
    input_print_file(shrinking->layout, shrinking->input, &text);
    bool good = check_try(shrinking->campaign->checker, &text, seconds, verdict, &ignored);
    text_free(&text);
    error_clear(&ignored);
    return good;
}

/* False: there was no run. */
static bool add_what_it_shows(struct shrinking *shrinking, double seconds, struct text *key)
{
    struct report_divergence here = {.file = "", .called = ""}; /* where the versions part is asked at the end */
    if (!run(shrinking, seconds, &here.verdict))
        return false;
    groups_add_key(&here, key);
    check_verdict_free(&here.verdict);
    return true;
}

static bool still_shows_it(struct shrinking *shrinking)
{
    struct text key = {0};
    shrinking->tries++;
    bool same =
        add_what_it_shows(shrinking, RUN_SECONDS, &key) && !strcmp(text_string(&key), text_string(&shrinking->wanted));
    text_free(&key);
    return same;
}

static bool may_try(const struct shrinking *shrinking)
{
    return shrinking->tries < shrinking->most_tries && clock_seconds() < shrinking->end;
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

/* Flags that do not matter: of -257 that shows it because of one bit, 16 is left. */
static void drop_bits(struct shrinking *shrinking, const struct input_parameter *parameter, size_t element)
{
    unsigned bits = parameter->element_size * 8;
    __int128 mask = bits < 128 ? ((__int128)1 << bits) - 1 : -1;
    for (unsigned bit = 0; bit < bits && may_try(shrinking); bit++) { /* one bit alone says most */
        __int128 value = input_element(parameter, shrinking->input, element) & mask;
        if (value >> bit & 1 && take(shrinking, parameter, element, (__int128)1 << bit))
            return;
    }
    for (unsigned bit = bits; bit-- > 0 && may_try(shrinking);) {
        __int128 value = input_element(parameter, shrinking->input, element) & mask;
        if (value >> bit & 1)
            take(shrinking, parameter, element, value & ~((__int128)1 << bit));
    }
}

static bool is_small(const struct shrinking *shrinking, const struct input_parameter *parameter, size_t element)
{
    __int128 value = input_element(parameter, shrinking->input, element), least = smallest(shrinking, parameter);
    return value - least < EASILY_READ && least - value < EASILY_READ;
}

/* Whether nothing but zero would be easier to read. */
static bool is_easily_read(const struct shrinking *shrinking, const struct input_parameter *parameter, size_t element)
{
    __int128 value = input_element(parameter, shrinking->input, element);
    if (shrinking->effort != SHRINK_QUICKLY)
        return false;
    if (parameter->kind == INPUT_CHARACTER)
        return value >= ' ' && value <= '~';
    return is_small(shrinking, parameter, element);
}

static void shrink_element(struct shrinking *shrinking, const struct input_parameter *parameter, size_t element)
{
    static const char letters[] = "a0 ";
    if (take(shrinking, parameter, element, smallest(shrinking, parameter)) || parameter->kind == INPUT_FLOATING ||
        is_easily_read(shrinking, parameter, element))
        return;
    if (parameter->kind == INPUT_CHARACTER) {
        for (const char *letter = letters; *letter; letter++)
            if (take(shrinking, parameter, element, *letter))
                return;
        return;
    }
    come_nearer(shrinking, parameter, element);
    if (!is_small(shrinking, parameter, element) && !range_of(shrinking, parameter))
        drop_bits(shrinking, parameter, element);
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

/* ---- texts ---- */

/* Characters that count, up to a zero or to a length that is an input of its own, `number`, or NULL. */
struct span {
    const struct input_parameter *number;
    uint8_t *bytes;
    size_t length;
};

static struct span span_of(const struct shrinking *shrinking, const struct input_parameter *parameter)
{
    const struct invocation *invocation = shrinking->layout->invocation;
    const struct input_channel *channel = invocation ? invocation_channel(invocation, parameter->name) : NULL;
    struct span span = {.bytes = shrinking->input + parameter->offset};
    if (channel && channel->length)
        span.number = input_layout_find(shrinking->layout, channel->length);
    span.length = strnlen((const char *)span.bytes, parameter->element_count);
    if (span.number)
        span.length = (size_t)input_element(span.number, shrinking->input, 0);
    if (span.length > parameter->element_count)
        span.length = 0; /* no input that a run can have */
    return span;
}

static void set_length(struct shrinking *shrinking, struct span *span, size_t length)
{
    span->length = length;
    if (span->number)
        input_set_element(span->number, shrinking->input, 0, (__int128)length);
}

/* Whether it shows the same without some characters, which are then gone. */
static bool leave_out(struct shrinking *shrinking, struct span *span, size_t first, size_t count)
{
    size_t before = span->length, behind = before - first - count;
    uint8_t *copy = malloc(before + 1);
    memcpy(copy, span->bytes, before);
    memmove(span->bytes + first, span->bytes + first + count, behind);
    memset(span->bytes + first + behind, 0, count);
    set_length(shrinking, span, before - count);
    bool good = still_shows_it(shrinking);
    if (!good) {
        memcpy(span->bytes, copy, before);
        set_length(shrinking, span, before);
    }
    free(copy);
    return good;
}

/* Halves, then quarters, down to single characters, wherever they stand. */
static void thin_out(struct shrinking *shrinking, const struct input_parameter *parameter)
{
    struct span span = span_of(shrinking, parameter);
    for (size_t count = span.length; count && may_try(shrinking); count /= 2)
        for (size_t first = 0; first + count <= span.length && may_try(shrinking);)
            first += leave_out(shrinking, &span, first, count) ? 0 : count;
}

static bool is_text(const struct input_parameter *parameter)
{
    return parameter->kind == INPUT_CHARACTER && parameter->element_size == 1 && parameter->is_string;
}

static void shrink_parameter(struct shrinking *shrinking, const struct input_parameter *parameter)
{
    if (is_text(parameter) || span_of(shrinking, parameter).number)
        thin_out(shrinking, parameter);
    else if (parameter->element_count > 1)
        shorten(shrinking, parameter);
    for (size_t i = 0; i < parameter->element_count && may_try(shrinking); i++)
        shrink_element(shrinking, parameter, i);
}

void shrink_input(struct campaign *campaign, uint8_t *input, enum shrinking_effort effort)
{
    size_t times = campaign->subject.invocation ? TIMES_OF_PROGRAMS : 1;
    double all = campaign_end(campaign) - campaign->start; /* others wait meanwhile */
    double end = clock_seconds() + fmin(efforts[effort].seconds * (double)times, SHARE_OF_TIME * all);
    struct shrinking shrinking = {.campaign = campaign,
                                  .layout = campaign->subject.program.layout,
                                  .input = input,
                                  .effort = effort,
                                  .most_tries = efforts[effort].tries * times,
                                  .end = fmin(end, campaign_end(campaign))};
    bool good = add_what_it_shows(&shrinking, 0, &shrinking.wanted); /* with the usual limit */
    for (size_t i = 0; i < shrinking.layout->count && good; i++)
        shrink_parameter(&shrinking, &shrinking.layout->parameters[i]);
    text_free(&shrinking.wanted);
}
