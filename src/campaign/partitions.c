/* Partitions of the inputs instead of paths (docs/augment.md): each version is a program of its own, made of the same
 * text as the merged one and built with marks where the versions differ. Tests of partitions, and a witness of every
 * semantic change, are run natively. */
#include "base/clock.h"
#include "base/file.h"
#include "campaign/state.h"

#include <string.h>

/* ---- what the explorer tells ---- */

/* In place of a place in the report: native runs show no difference; there was no time for them. */
static const size_t NOT_SHOWN = SIZE_MAX, NOT_RUN = SIZE_MAX - 1;

/* Runs a test, or the witness of a semantic change, if there is time; where it went in the report. */
static bool run_test(struct campaign *campaign, const struct finding *finding, size_t *place, struct error *error)
{
    struct report *report = &campaign->report;
    size_t before = report->count;
    bool is_late = clock_seconds() > campaign_end(campaign);
    bool may_wait = finding->kind != FINDING_SEMANTIC && finding->many_wait;
    *place = NOT_RUN;
    report->unrun += is_late || may_wait || interrupt_came();
    if (is_late || may_wait || interrupt_came())
        return true;
    if (!results_add_if_loud(report, &campaign->subject, campaign->checker, finding, error)) {
        bool was_late = campaign_was_late(campaign, error);
        report->unrun += was_late;
        return was_late;
    }
    *place = report->count > before ? before : NOT_SHOWN;
    if (report->count > before && report->seconds_to_first < 0)
        report->seconds_to_first = clock_seconds() - campaign->start;
    return true;
}

/* The number of a semantic change leads to its place in the report. Of very many, the first have a group each; the
 * others are grouped as divergences are elsewhere. */
static bool take_finding(void *opaque, const struct finding *finding, struct error *error)
{
    enum { MOST_GROUPS = 100 };
    struct campaign *campaign = opaque;
    struct finding here = *finding;
    size_t place;
    if (finding->kind == FINDING_COMMON) {
        common_take(campaign, finding);
        return true;
    }
    if (finding->kind == FINDING_SEMANTIC && campaign->number_count >= MOST_GROUPS)
        here.kind = FINDING_APART;
    if (!run_test(campaign, &here, &place, error))
        return false;
    if (finding->kind == FINDING_SEMANTIC)
        campaign_add_number(campaign, place);
    return true;
}

static bool take_difference(void *opaque, const struct finding_difference *difference, struct error *error)
{
    (void)opaque, (void)difference, (void)error; /* pairs of partitions are findings of their own */
    return true;
}

/* Called in the process that explores, when it has seen the new version. */
static bool make_old(void *opaque, struct exchanged *exchanged, struct error *error)
{
    struct campaign *campaign = opaque;
    site_table_destroy(campaign->exchanged_sites);
    campaign->exchanged_sites = site_table_create();
    bool good = campaign_make_second(campaign, campaign->exchanged_sites, &exchanged->path, error);
    exchanged->sites = campaign->exchanged_sites;
    exchanged->is_library = campaign->inside && !campaign->exchanged_sites->lasting;
    return good;
}

/* ---- semantic changes ---- */

/* Whether the seeds are tests that somebody has: there is a first input in any case. */
static bool has_tests(const struct campaign *campaign)
{
    return campaign->options->subject.seeds.count || campaign->subject.invocation;
}

/* What native runs say of one. */
static void add_class(struct campaign *campaign, size_t number, json_t *change)
{
    struct report *report = &campaign->report;
    size_t place = number < campaign->number_count ? campaign->numbers[number] : NOT_RUN;
    bool is_shown = place < report->count;
    json_object_set_new(change, "entry", json_string(report->entry));
    json_object_set_new(change, "class",
                        is_shown ? json_string(check_class_name(report->divergences[place].verdict.class))
                                 : json_null());
    json_object_set_new(change, "divergence",
                        is_shown ? json_integer((json_int_t)report->divergences[place].number) : json_null());
    if (!has_tests(campaign))
        json_array_clear(json_object_get(change, "shown_by"));
    report->unconfirmed_changes += place == NOT_SHOWN;
}

/* Takes what the exploring process has left into the report. */
static bool take_changes(struct campaign *campaign, struct error *error)
{
    struct report *report = &campaign->report;
    const char *path = arena_format(report->arena, "%s/semantic-changes.json", report->directory);
    json_error_t problem;
    json_t *written = json_load_file(path, 0, &problem), *list = json_object_get(written, "changes"), *change;
    size_t i;
    if (!written)
        return error_set(error, "%s: %s", path, problem.text);
    json_array_foreach (list, i, change) {
        add_class(campaign, i, change);
    }
    report->semantic_changes = json_incref(list);
    report->pair_counts = json_incref(json_object_get(written, "counts"));
    report->seeds = json_incref(json_object_get(written, "seeds"));
    report->unexecuted_changes = json_incref(json_object_get(written, "unexecuted_changes"));
    report->has_no_changes = !report->apart && json_is_false(json_object_get(written, "has_changes"));
    report->has_no_output = json_is_false(json_object_get(written, "has_output"));
    json_decref(written);
    file_remove_tree(path);
    return true;
}

/* ---- the whole ---- */

static struct explore_options make_options(struct campaign *campaign)
{
    struct explore_options options = campaign_explore_options(campaign, &campaign->subject);
    options.alone = options.limits.alone = true;
    options.partitions = campaign->options->partitions;
    options.signatures = campaign->report.directory;
    options.has_tests = has_tests(campaign);
    options.directed = false;
    options.report = take_finding;
    options.difference = take_difference;
    options.exchange = make_old;
    return options;
}

/* The old version is the same text, built otherwise; or a program of its own, where the versions are apart. It is built
 * while the new one is explored. */
static bool prepare_old(struct campaign *campaign, struct error *error)
{
    struct arena *arena = campaign->report.arena;
    struct subject *old = &campaign->old;
    const char *directory = arena_format(arena, "%s/old", campaign->scratch);
    if (!campaign->report.apart) {
        old = arena_allocate(arena, sizeof *old);
        *old = campaign->subject;
        old->version = "OLD";
        directory = campaign->scratch;
    }
    old->dependences = true;
    if (!campaign_prepare_second(campaign, old, directory, false, error))
        return false;
    build_want(campaign->second.prepared.build);
    return true;
}

static bool build(struct campaign *campaign, const char **directory, struct error *error)
{
    struct arena *arena = campaign->report.arena;
    const char *old_directory = arena_format(arena, "%s/old", campaign->scratch);
    campaign->subject.dependences = true;
    *directory = campaign->scratch;
    if (!campaign->report.apart) {
        campaign->subject.version = "NEW";
        return campaign_build(campaign, error);
    }
    *directory = arena_format(arena, "%s/new", campaign->scratch);
    return subject_write_harness(&campaign->old, old_directory, error) &&
           subject_write_harness(&campaign->subject, *directory, error) && campaign_start_checker(campaign, error) &&
           campaign_make_program(campaign, &campaign->subject, *directory, error);
}

bool partitions_explore(struct campaign *campaign, struct error *error)
{
    const char *directory;
    bool needs_old = campaign->options->partitions == PARTITION_CBPE_SD;
    if (!build(campaign, &directory, error) || (needs_old && !prepare_old(campaign, error)))
        return false;
    const struct dependences *dependences = campaign->subject.sites->dependences;
    campaign->report.dependences_unknown = dependences ? dependences->unknown : NULL;
    struct explore_options options = make_options(campaign);
    return campaign_explore(campaign, &campaign->subject, directory, &options, error) &&
           take_changes(campaign, error) && (common_try(campaign, error) || campaign_was_late(campaign, error)) &&
           guesses_finish(campaign, error) && results_finish(&campaign->report, campaign, error);
}
