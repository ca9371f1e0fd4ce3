/* What the explorer finds, while it does: known from before or new, proven at once, waiting for its turn, or left.
 *
 * Exploring is faster than proving. Of findings that part the versions at one place in one way the first few are run
 * natively at once; the others wait until nothing else is to be done, and those come first of which the fewest were
 * run: what shows something new does not wait behind thousands that show the same. */
#include "base/clock.h"
#include "campaign/kept_test.h"
#include "campaign/state.h"

#include <stdlib.h>
#include <string.h>

enum { PROVEN_AT_ONCE = 3, IDLE_MILLISECONDS = 20, MOST_WAITING = 1 << 15 };

/* A finding that waits, with what the explorer said about it since. */
struct waiting {
    struct arena *arena; /* of all of it */
    struct waiting *next;
    size_t key;
    unsigned number;
    struct finding finding;
    const char *differs; /* NULL: nothing was said */
    const uint8_t *differing;
    size_t differing_size;
    bool can_differ;
};

void campaign_add_number(struct campaign *campaign, size_t number)
{
    campaign->numbers = array_reserve(campaign->numbers, &campaign->number_capacity, campaign->number_count + 1,
                                      sizeof *campaign->numbers);
    campaign->numbers[campaign->number_count++] = number;
}

void findings_free(struct campaign *campaign)
{
    free(campaign->taken);
    free(campaign->predictions);
    if (campaign->predicted)
        set_destroy(campaign->predicted);
}

/* What was found before a path killed the exploring process is found again by the next one: it is the same finding.
 * False: it is known. */
static bool take_key(struct campaign *campaign, const struct finding *finding, size_t *number)
{
    struct text key = {0};
    text_append(&key, (const char *)&finding->kind, sizeof finding->kind);
    text_append(&key, finding->key, finding->key_length);
    *number = set_find(campaign->keys, text_string(&key), key.length);
    bool is_new = set_add(campaign->keys, text_string(&key), key.length);
    text_free(&key);
    campaign_add_number(campaign, *number);
    if (!is_new)
        return false;
    campaign->taken = array_reserve(campaign->taken, &campaign->taken_capacity, *number + 1, sizeof *campaign->taken);
    campaign->taken[*number] = (struct taken_finding){.place = SIZE_MAX};
    return true;
}

static struct prediction *prediction_of(struct campaign *campaign, const struct finding *finding)
{
    uint32_t site = results_site(&campaign->subject, finding), key[] = {finding->kind, site, finding->part};
    if (!campaign->predicted)
        campaign->predicted = set_create();
    size_t number = set_find(campaign->predicted, key, sizeof key);
    if (!set_add(campaign->predicted, key, sizeof key))
        return &campaign->predictions[number];
    campaign->predictions =
        array_reserve(campaign->predictions, &campaign->prediction_capacity, number + 1, sizeof *campaign->predictions);
    campaign->predictions[number] = (struct prediction){.kind = finding->kind, .site = site};
    return &campaign->predictions[number];
}

bool campaign_has_enough(void *opaque)
{
    const struct campaign *campaign = opaque;
    const struct report *report = &campaign->report;
    enum fail_on wanted = campaign->options->fail_on;
    if (guesses_have_counted(campaign->guesses, wanted))
        return true;
    for (size_t i = 0; i < report->count && report->has_difference; i++)
        if (campaign_counts(report->divergences[i].verdict.class, wanted))
            return true;
    return false;
}

bool campaign_has_difference(const struct campaign *campaign)
{
    return campaign->report.has_difference || guesses_have_found(campaign->guesses);
}

bool campaign_is_decided(void *opaque)
{
    struct campaign *campaign = opaque;
    return campaign->report.is_proven || (campaign->options->first && campaign_has_enough(campaign));
}

/* What was found beyond the time is only proven as long as there is little, and for a short while: a run may take
 * seconds. */
static bool is_enough(struct campaign *campaign)
{
    if (campaign_is_decided(campaign))
        return true;
    bool is_late = clock_seconds() > campaign_end(campaign);
    return interrupt_came() || (is_late && campaign->report.count >= RESULTS_ENOUGH) || campaign_is_too_late(campaign);
}

/* ---- what waits ---- */

static const uint8_t *copy_input(struct arena *arena, const uint8_t *input, size_t size)
{
    uint8_t *copy = arena_allocate(arena, size + 1);
    memcpy(copy, input, size);
    return copy;
}

static void wait_for_turn(struct campaign *campaign, struct prediction *prediction, const struct finding *finding,
                          size_t key)
{
    struct arena *arena = arena_create();
    struct waiting *waiting = arena_allocate(arena, sizeof *waiting);
    *waiting =
        (struct waiting){.arena = arena, .key = key, .number = ++campaign->report.last_number, .finding = *finding};
    waiting->finding.input = copy_input(arena, finding->input, finding->input_size);
    waiting->finding.conditions = set_share_strings(campaign->report.texts, arena, finding->conditions);
    waiting->finding.phase = arena_copy_string(arena, finding->phase);
    if (!prediction->first)
        prediction->last = &prediction->first;
    *prediction->last = waiting;
    prediction->last = &waiting->next;
    campaign->taken[key].waiting = waiting;
    campaign->waiting_count++;
}

static struct waiting *next_waiting(struct campaign *campaign)
{
    struct prediction *next = NULL;
    size_t count = campaign->predicted ? set_count(campaign->predicted) : 0;
    for (size_t i = 0; i < count; i++) {
        struct prediction *one = &campaign->predictions[i];
        if (one->first && (!next || one->proven < next->proven))
            next = one;
    }
    if (!next)
        return NULL;
    struct waiting *waiting = next->first;
    next->first = waiting->next;
    next->proven++;
    campaign->taken[waiting->key].waiting = NULL;
    campaign->waiting_count--;
    return waiting;
}

/* ---- proving ---- */

typedef bool way_to_add(struct report *report, struct subject *subject, struct checker *checker,
                        const struct finding *finding, unsigned number, struct error *error);

static bool prove(struct campaign *campaign, const struct finding *finding, size_t key, unsigned number,
                  way_to_add *add, struct error *error)
{
    struct report *report = &campaign->report;
    size_t place = report->count;
    if (!add(report, &campaign->subject, campaign->checker, finding, number, error)) {
        bool was_late = campaign_was_late(campaign, error);
        report->unproven += was_late;
        return was_late;
    }
    campaign->taken[key].place = place;
    if (report->has_difference && !kept_test_write(campaign, error))
        return false;
    if (report->seconds_to_first < 0 && report->divergences[place].verdict.class != CHECK_UNREPRODUCED)
        report->seconds_to_first = clock_seconds() - campaign->start;
    return true;
}

static bool add_difference(struct campaign *campaign, size_t place, const struct waiting *waiting, struct error *error)
{
    struct finding_difference difference = {.finding = place,
                                            .condition = waiting->differs,
                                            .input = waiting->differing,
                                            .input_size = waiting->differing_size};
    return !waiting->differs || place == SIZE_MAX ||
           results_add_difference(&campaign->report, &campaign->subject, campaign->checker, &difference, error);
}

static bool prove_next(struct campaign *campaign, struct error *error)
{
    const struct waiting *waiting = next_waiting(campaign);
    bool good = prove(campaign, &waiting->finding, waiting->key, waiting->number, results_add_another, error) &&
                add_difference(campaign, campaign->taken[waiting->key].place, waiting, error);
    arena_destroy(waiting->arena);
    return good;
}

int campaign_idle(void *opaque)
{
    struct campaign *campaign = opaque;
    struct error ignored = {0}; /* whoever proves the next one says it again */
    if (campaign_has_difference(campaign))
        campaign_stop_proof(campaign);
    if (campaign_is_proven(campaign))
        return IDLE_MILLISECONDS;
    bool can_prove = campaign->waiting_count && !is_enough(campaign) && check_is_ready(campaign->checker);
    bool is_turn_of_guesses = !campaign->report.has_difference && campaign->idle_calls++ % 2;
    if (!can_prove || is_turn_of_guesses) {
        int patience = guesses_try_next(campaign);
        return can_prove ? 0 : patience >= 0 ? patience : IDLE_MILLISECONDS;
    }
    campaign->report.unproven += !prove_next(campaign, &ignored);
    error_clear(&ignored);
    return 0;
}

/* So many wait that the others would hardly have their turn: they are only counted. The complete mode, which may come
 * to the end, keeps all of them. */
static bool has_room(const struct campaign *campaign)
{
    return campaign->waiting_count < MOST_WAITING || campaign->options->all ||
           campaign->options->mode == EXPLORE_COMPLETE;
}

bool campaign_take_finding(void *opaque, const struct finding *finding, struct error *error)
{
    struct campaign *campaign = opaque;
    struct report *report = &campaign->report;
    size_t key;
    if (finding->kind == FINDING_COMMON) {
        common_take(campaign, finding);
        campaign_add_number(campaign, SIZE_MAX);
        return true;
    }
    if (!take_key(campaign, finding, &key))
        return true;
    struct prediction *prediction = prediction_of(campaign, finding);
    if (is_enough(campaign) || prediction->proven >= PROVEN_AT_ONCE) {
        if (has_room(campaign))
            wait_for_turn(campaign, prediction, finding, key);
        else
            prediction->left++;
        return true;
    }
    prediction->proven++;
    return prove(campaign, finding, key, ++report->last_number, results_add, error);
}

static void remember(struct waiting *waiting, const struct finding_difference *difference)
{
    struct arena *arena = waiting->arena;
    waiting->differs = results_join(arena, waiting->differs, waiting->can_differ, difference->condition);
    waiting->can_differ |= strcmp(difference->condition, "0") != 0;
    if (difference->input && !waiting->differing) {
        waiting->differing = copy_input(arena, difference->input, difference->input_size);
        waiting->differing_size = difference->input_size;
    }
}

bool campaign_take_difference(void *opaque, const struct finding_difference *difference, struct error *error)
{
    struct campaign *campaign = opaque;
    size_t key = campaign->numbers[difference->finding];
    if (key == SIZE_MAX || interrupt_came())
        return true;
    struct finding_difference here = *difference;
    here.finding = campaign->taken[key].place;
    if (campaign->taken[key].waiting)
        remember(campaign->taken[key].waiting, difference);
    if (here.finding == SIZE_MAX)
        return true;
    bool is_left = here.input && is_enough(campaign) && campaign->report.has_difference;
    if (is_left)
        here.input = NULL;
    bool good = results_add_difference(&campaign->report, &campaign->subject, campaign->checker, &here, error);
    if (!good)
        good = is_left = campaign_was_late(campaign, error);
    campaign->report.divergences[here.finding].tried &= !is_left;
    return good;
}

/* ---- at the end ---- */

static void leave(struct campaign *campaign)
{
    struct report *report = &campaign->report;
    size_t count = campaign->predicted ? set_count(campaign->predicted) : 0;
    for (size_t i = 0; i < count; i++) {
        struct prediction *prediction = &campaign->predictions[i];
        struct report_unproven left = results_unproven_at(&campaign->subject, prediction->kind, prediction->site);
        left.count = prediction->left;
        for (struct waiting *waiting = prediction->first, *next; waiting; waiting = next) {
            next = waiting->next;
            campaign->taken[waiting->key].waiting = NULL;
            arena_destroy(waiting->arena);
            left.count++;
        }
        prediction->first = NULL;
        prediction->left = 0;
        if (!left.count)
            continue;
        report->left =
            array_reserve(report->left, &report->left_capacity, report->left_count + 1, sizeof *report->left);
        report->left[report->left_count++] = left;
        report->unproven += left.count;
    }
    campaign->waiting_count = 0;
}

bool findings_prove_waiting(struct campaign *campaign, struct error *error)
{
    bool good = true;
    while (good && campaign->waiting_count && !is_enough(campaign) &&
           (clock_seconds() < campaign_others_end(campaign) || campaign->report.count < RESULTS_ENOUGH))
        good = prove_next(campaign, error);
    leave(campaign);
    return good;
}
