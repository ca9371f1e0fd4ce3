#include "report/groups.h"

#include "base/set.h"
#include "check/channel.h"

#include <stdlib.h>
#include <string.h>

enum { DIVERGENCES_LISTED = 100 };

/* ---- what a group is ---- */

static void add_end(const struct check_observation *run, struct text *key)
{
    if (run->failed)
        text_format(key, "%s at %s|", run->failure, run->location);
    else
        text_format(key, "%d|", run->exit_status);
}

static void add_channels(const struct check_verdict *verdict, struct text *key)
{
    for (int i = 0; i < CHANNEL_KINDS; i++)
        text_add(key,
                 channel_is_same(&verdict->old_run, &verdict->new_run, (enum channel_kind)i, verdict->float_tolerance)
                     ? "="
                     : "x");
}

/* What each version does in the end. */
static void add_behaviour(const struct check_verdict *verdict, struct text *key)
{
    add_end(&verdict->old_run, key);
    add_end(&verdict->new_run, key);
    if (!verdict->old_run.failed && !verdict->new_run.failed)
        add_channels(verdict, key);
}

void groups_add_key(const struct report_divergence *divergence, struct text *key)
{
    const struct check_verdict *verdict = &divergence->verdict;
    text_format(key, "%s|", check_class_name(verdict->class));
    if (verdict->class == CHECK_SILENT || verdict->class == CHECK_BOTH_FAIL)
        return;
    text_format(key, "%s|%s:%u:%u|%s|", finding_kind_name(divergence->kind), divergence->file, divergence->line,
                divergence->column, divergence->called);
    for (size_t i = 0; divergence->kind == FINDING_SEMANTIC && divergence->path_condition[i]; i++)
        text_format(key, "%s|", divergence->path_condition[i]); /* each semantic change is one */
    add_behaviour(verdict, key);
}

/* ---- witnesses ---- */

/* One that needs no failing allocation is better, and one that needs no undefined behaviour; where that was not asked,
 * nobody knows. */
static int plainness(const struct report_divergence *divergence)
{
    if (divergence->small) /* it was chosen before */
        return -1;
    int failure = divergence->fails_allocation ? 3 : 0;
    return failure + (!divergence->is_flagged ? 1 : check_signed_overflow(&divergence->verdict) ? 2 : 0);
}

bool groups_part_at_cause(const struct report_divergence *divergence)
{
    return divergence->cause_file && divergence->line == divergence->cause_line &&
           !strcmp(basename(divergence->file), divergence->cause_file);
}

static bool is_better(const struct report_divergence *one, const struct report_divergence *other)
{
    if (groups_part_at_cause(one) != groups_part_at_cause(other))
        return groups_part_at_cause(one);
    int difference = plainness(one) - plainness(other);
    return difference ? difference < 0 : one->number < other->number;
}

static void take(struct report *report, size_t number, size_t place)
{
    struct report_divergence *divergence = &report->divergences[place];
    divergence->group = number;
    if (number == report->group_count) {
        report->groups =
            array_reserve(report->groups, &report->group_capacity, report->group_count + 1, sizeof *report->groups);
        report->groups[report->group_count++] =
            (struct report_group){.class = divergence->verdict.class, .witness = place};
    }
    struct report_group *group = &report->groups[number];
    divergence->rank = group->count++;
    if (is_better(divergence, &report->divergences[group->witness]))
        group->witness = place;
}

static bool is_of_place(const struct report_divergence *divergence, const struct report_unproven *left)
{
    return divergence->kind == left->kind && divergence->line == left->line && divergence->column == left->column &&
           !strcmp(divergence->file, left->file);
}

/* What was not run most likely does what most of those do that part there. */
static void add_unproven(struct report *report, const struct report_unproven *left)
{
    struct report_group *likely = NULL;
    for (size_t i = 0; i < report->group_count; i++) {
        struct report_group *group = &report->groups[i];
        if (is_of_place(&report->divergences[group->witness], left) && (!likely || group->count > likely->count))
            likely = group;
    }
    if (likely)
        likely->unproven += left->count;
}

/* ---- groups of one cause ---- */

/* The number that the group has among those that are left, of which `known` are known by their causes. */
static size_t joined_number(struct report *report, const struct report_group *group, struct set *keys, size_t *known,
                            size_t left)
{
    const struct report_divergence *witness = &report->divergences[group->witness];
    struct text key = {0};
    if (!witness->cause_file)
        return left;
    text_format(&key, "%s|%s:%u|%d|", check_class_name(group->class), witness->cause_file, witness->cause_line,
                check_signed_overflow(&witness->verdict));
    add_behaviour(&witness->verdict, &key);
    size_t number = set_find(keys, text_string(&key), key.length);
    if (set_add(keys, text_string(&key), key.length))
        known[number] = left;
    text_free(&key);
    return known[number];
}

static void join_causes(struct report *report)
{
    struct set *keys = set_create();
    size_t *known = calloc(report->group_count + 1, sizeof *known), left = 0;
    size_t *numbers = calloc(report->group_count + 1, sizeof *numbers);
    for (size_t i = 0; i < report->group_count; i++) {
        struct report_group group = report->groups[i];
        numbers[i] = joined_number(report, &group, keys, known, left);
        struct report_group *into = &report->groups[numbers[i]];
        if (numbers[i] == left)
            report->groups[left++] = group;
        else if (is_better(&report->divergences[group.witness], &report->divergences[into->witness]))
            into->witness = group.witness;
    }
    for (size_t i = 0; i < left; i++)
        report->groups[i].count = 0;
    for (size_t i = 0; i < report->count; i++) {
        struct report_divergence *divergence = &report->divergences[i];
        divergence->group = numbers[divergence->group];
        divergence->rank = report->groups[divergence->group].count++;
    }
    report->group_count = left;
    set_destroy(keys);
    free(known), free(numbers);
}

/* ---- all of them ---- */

void groups_make(struct report *report)
{
    struct set *keys = set_create();
    struct text key = {0};
    for (size_t i = 0; i < report->group_count; i++)
        json_decref(report->groups[i].source);
    report->group_count = 0;
    for (size_t i = 0; i < report->count; i++) {
        text_truncate(&key, 0);
        groups_add_key(&report->divergences[i], &key);
        take(report, set_find(keys, text_string(&key), key.length), i);
        set_add(keys, text_string(&key), key.length);
    }
    join_causes(report);
    for (size_t i = 0; i < report->left_count; i++)
        add_unproven(report, &report->left[i]);
    text_free(&key);
    set_destroy(keys);
}

const struct report_divergence *groups_witness(const struct report *report, const struct report_group *group)
{
    const struct report_divergence *witness = &report->divergences[group->witness];
    return witness->small ? witness->small : witness;
}

bool groups_are_listed(const struct report *report, size_t divergence)
{
    if (report->all || report->count <= DIVERGENCES_LISTED)
        return true;
    const struct report_group *group = &report->groups[report->divergences[divergence].group];
    return group->witness == divergence ||
           report->divergences[divergence].rank < DIVERGENCES_LISTED / report->group_count;
}
