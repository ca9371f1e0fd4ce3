/* The end of a campaign's results: what need not be known while exploring, and which divergences are shown. */
#include "base/clock.h"
#include "base/file.h"
#include "base/places.h"
#include "campaign/causes.h"
#include "campaign/resume.h"
#include "campaign/state.h"
#include "campaign/witnesses.h"
#include "check/own.h"
#include "report/groups.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

static const double LATE_SHARE = 0.05;

/* Building takes seconds: that is left when the user waits for the end. */
static bool is_too_late(const struct campaign *campaign)
{
    return interrupt_came() ||
           clock_seconds() > campaign_end(campaign) + LATE_SHARE * (campaign_end(campaign) - campaign->start);
}

/* Witnesses come first. */
enum turn { WITNESSES, OTHERS, TURNS };

static bool is_its_turn(const struct report *report, size_t place, enum turn turn)
{
    bool is_witness = report->groups[report->divergences[place].group].witness == place;
    return is_witness == (turn == WITNESSES);
}

/* ---- undefined behaviour on the way ---- */

static bool add_flags(struct report *report, struct checker *checker, struct report_divergence *divergence,
                      struct error *error)
{
    struct text text = {0};
    input_print_file(report->layout, divergence->input, &text);
    divergence->is_flagged = check_try_flags(checker, &text, &divergence->verdict, error);
    text_free(&text);
    return divergence->is_flagged;
}

static bool flag(struct report *report, struct campaign *campaign, struct error *error)
{
    size_t count = 0;
    for (enum turn turn = WITNESSES; turn < TURNS; turn++)
        for (size_t i = 0; i < report->count && !is_too_late(campaign); i++) {
            bool has_time =
                turn == WITNESSES || count < RESULTS_ENOUGH || clock_seconds() < campaign_others_end(campaign);
            if (!is_its_turn(report, i, turn) || !has_time)
                continue;
            if (!add_flags(report, campaign->checker, &report->divergences[i], error))
                return campaign_was_late(campaign, error);
            count++;
        }
    return true;
}

/* ---- failures that sanitizers miss ---- */

static bool keep_program(const char *from, const char *to, struct error *error)
{
    struct text content = {0};
    bool good = file_read(from, &content, error) && file_write(to, text_string(&content), content.length, error);
    text_free(&content);
    if (good && chmod(to, 0755))
        return error_set(error, "%s cannot be made a program: %s", to, strerror(errno));
    return good;
}

/* What a verdict may hang on is looked at as long as there is time at all. */
static bool is_to_be_confirmed(const struct campaign *campaign, const struct report_divergence *divergence,
                               enum turn turn)
{
    return turn == WITNESSES || !check_class_is_difference(divergence->verdict.class) ||
           clock_seconds() < campaign_others_end(campaign);
}

static bool confirm_side_in_turn(struct report *report, struct campaign *campaign, enum turn turn, enum pn_side side,
                                 struct target *target, const struct site_table *sites, bool *any, struct error *error)
{
    const struct subject *subject = side == PN_SIDE_OLD ? campaign->native_old : campaign->native_new;
    bool good = true;
    for (size_t i = 0; i < report->count && good; i++) {
        struct report_divergence *divergence = &report->divergences[i];
        struct check_observation *run =
            side == PN_SIDE_OLD ? &divergence->verdict.old_run : &divergence->verdict.new_run;
        if (!is_its_turn(report, i, turn) || !is_to_be_confirmed(campaign, divergence, turn))
            continue;
        report->unconfirmed |= is_too_late(campaign);
        if (run->failed || report->unconfirmed)
            continue;
        good = own_check(target, sites, &subject->program, campaign->subject.program.layout, divergence->input,
                         divergence->input_size, side, &divergence->verdict, error);
        *any |= run->by_own_check;
    }
    return good;
}

/* The build that sees failures which sanitizers miss is kept where it has seen one: the report's command runs it. */
static bool confirm_side(struct report *report, struct campaign *campaign, enum pn_side side,
                         struct subject_build *built, struct error *error)
{
    struct subject *subject = side == PN_SIDE_OLD ? campaign->native_old : campaign->native_new;
    struct site_table *sites = site_table_create();
    struct target *target = subject_finish_version(subject, built, sites, error);
    bool any = false;
    bool good = target && confirm_side_in_turn(report, campaign, WITNESSES, side, target, sites, &any, error) &&
                confirm_side_in_turn(report, campaign, OTHERS, side, target, sites, &any, error);
    target_stop(target);
    site_table_destroy(sites);
    const char *kept = arena_format(report->arena, "%s-checked", check_executable(campaign->checker, side));
    return good && (!any || keep_program(built->request.executable, kept, error));
}

/* Both are built beside each other. */
static bool confirm(struct report *report, struct campaign *campaign, const char *directory, struct error *error)
{
    struct subject_build old = {0}, new = {0};
    bool good = subject_start_version(campaign->native_old, directory, "OLD", &old, error) &&
                subject_start_version(campaign->native_new, directory, "NEW", &new, error) &&
                confirm_side(report, campaign, PN_SIDE_OLD, &old, error) &&
                confirm_side(report, campaign, PN_SIDE_NEW, &new, error);
    build_stop(old.build), build_stop(new.build);
    return good;
}

/* A failure that was predicted, and that native runs did not show. */
static bool is_missed(const struct report_divergence *divergence)
{
    bool fails = divergence->kind == FINDING_NEW_FAILS || divergence->kind == FINDING_OLD_FAILS;
    return fails && divergence->verdict.class != CHECK_REGRESSION && divergence->verdict.class != CHECK_FIX;
}

/* Our own checks need two more builds. Of a whole program they are made only where something speaks for it. */
static bool needs_own_checks(const struct report *report, const struct campaign *campaign)
{
    bool needs = !campaign->subject.invocation;
    for (size_t i = 0; i < report->count; i++)
        needs |= is_missed(&report->divergences[i]);
    return needs;
}

static bool confirm_somewhere(struct report *report, struct campaign *campaign, struct error *error)
{
    char scratch[256];
    if (!file_make_scratch(scratch, error))
        return false;
    places_add("confirmed", scratch);
    bool good = confirm(report, campaign, scratch, error);
    file_remove_tree(scratch);
    return good;
}

bool results_finish(struct report *report, struct campaign *campaign, struct error *error)
{
    if (!resume_add_kept(campaign, error))
        return false;
    results_fit_inputs(report);
    if (!report->count)
        return true;
    report_sort(report);
    groups_make(report);
    if (!flag(report, campaign, error))
        return false;
    if (is_too_late(campaign)) {
        report->unconfirmed = true;
        return true;
    }
    if (needs_own_checks(report, campaign) && !confirm_somewhere(report, campaign, error))
        return false;
    report_sort(report);
    groups_make(report);
    struct causes *causes = causes_find(campaign);
    groups_make(report);
    if (!report->all)
        witnesses_make_small(campaign, causes);
    causes_stop(causes);
    return true;
}

/* ---- which are shown ---- */

bool results_group(struct report *report, const struct subject *subject, struct error *error)
{
    bool good = true;
    report_sort(report);
    groups_make(report);
    for (size_t i = 0; i < report->count && good; i++) {
        struct report_divergence *divergence = &report->divergences[i];
        const struct check_verdict *verdict = &divergence->verdict;
        bool is_shown = report->all || report->groups[divergence->group].witness == i;
        bool is_new = !divergence->input_path || verdict->old_run.by_own_check || verdict->new_run.by_own_check;
        if (is_shown && divergence->small)
            good = results_write_small(report, subject, divergence, error);
        else if (is_shown && is_new)
            good = results_write(report, subject, divergence, error);
        else if (!is_shown)
            results_remove_folder(report, divergence);
    }
    return good;
}
