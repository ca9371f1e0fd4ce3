#include "campaign/fixed.h"
#include "base/clock.h"
#include "campaign/state.h"
#include "report/groups.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* ---- that version's program: the new one's, of files that lie elsewhere ---- */

static const char *absolute(struct arena *arena, const char *path)
{
    char real[PATH_MAX];
    return arena_copy_string(arena, realpath(path, real) ? real : path);
}

/* The text with `from` replaced by `to` wherever a path begins with it. */
static const char *replace(struct arena *arena, const char *string, const char *from, const char *to)
{
    struct text text = {0};
    size_t length = strlen(from);
    for (const char *at = string; *at;) {
        bool is_it = !strncmp(at, from, length) && strchr("/ '\"", at[length]);
        text_append(&text, is_it ? to : at, is_it ? strlen(to) : 1);
        at += is_it ? length : 1;
    }
    const char *result = arena_copy_string(arena, text_string(&text));
    text_free(&text);
    return result;
}

static const char *moved(const struct campaign *campaign, const char *path)
{
    struct arena *arena = campaign->report.arena;
    const char *from = absolute(arena, campaign->preparation.new_version);
    const char *to = absolute(arena, campaign->preparation.fixed_version);
    return replace(arena, absolute(arena, path), from, to);
}

static void move_units(const struct campaign *campaign, struct units *units)
{
    struct arena *arena = campaign->report.arena;
    const struct units *new = &campaign->entry->new;
    for (size_t i = 0; i < new->count; i++) {
        struct unit unit = new->list[i];
        unit.name = unit_name(&unit);
        unit.file = moved(campaign, unit.file);
        if (unit.cflags)
            unit.cflags = replace(arena, unit.cflags, absolute(arena, campaign->preparation.new_version),
                                  absolute(arena, campaign->preparation.fixed_version));
        units_add(units, unit);
    }
}

/* ---- the witnesses ---- */

static enum report_fixed ask(struct report *report, struct checker *checker, const struct report_group *group,
                             struct error *error)
{
    struct text text = {0};
    struct check_verdict verdict;
    input_print_file(report->layout, groups_witness(report, group)->input, &text);
    bool good = check_try(checker, &text, 0, &verdict, error);
    text_free(&text);
    if (!good)
        return FIXED_UNKNOWN;
    bool is_as_old = !check_class_is_difference(verdict.class);
    check_verdict_free(&verdict);
    return is_as_old ? FIXED_TAKES_IT_BACK : FIXED_KEEPS_IT;
}

static bool run_all(struct campaign *campaign, struct subject *fixed, struct error *error)
{
    struct report *report = &campaign->report;
    const char *directory = arena_format(report->arena, "%s/fixed", campaign->scratch);
    if (!subject_write_harness(fixed, directory, error))
        return false;
    const char *native = arena_format(report->arena, "%s/fixed-native", campaign->scratch);
    struct checker_options options = campaign_checker_options(campaign, fixed, native);
    struct checker *checker = check_start(&fixed->program, &options, error);
    for (size_t i = 0; i < report->group_count && checker && !error->message; i++)
        if (check_class_is_difference(report->groups[i].class))
            report->groups[i].fixed = ask(report, checker, &report->groups[i], error);
    check_stop(checker);
    return checker && !error->message;
}

void fixed_try(struct campaign *campaign)
{
    struct report *report = &campaign->report;
    struct subject fixed = {0};
    struct subject_options options;
    struct units units = {0};
    struct error error = {0};
    if (!campaign->preparation.fixed_version || !campaign->entry || !report->group_count || !campaign->checker)
        return;
    for (size_t i = 0; i < report->group_count; i++)
        if (check_class_is_difference(report->groups[i].class))
            report->groups[i].fixed = FIXED_UNKNOWN;
    if (clock_seconds() > campaign_end(campaign)) {
        report->fixed_problem = "no time was left (raise --time)";
        return;
    }
    move_units(campaign, &units);
    campaign_version_options(campaign, &units, moved(campaign, campaign->entry->new_path), &options);
    bool good = subject_read_program(&fixed, &options, &error) && run_all(campaign, &fixed, &error);
    if (!good)
        report->fixed_problem = arena_copy_string(report->arena, error.message ? error.message : "it was not built");
    error_clear(&error);
    subject_free(&fixed);
    units_free(&units);
}
