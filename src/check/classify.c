#include "check/check.h"

#include "base/arena.h"
#include "check/channel.h"
#include "check/observe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool check_class_is_difference(enum check_class class)
{
    return class == CHECK_REGRESSION || class == CHECK_FIX || class == CHECK_OUTPUT || class == CHECK_LEAK;
}

const char *check_class_name(enum check_class class)
{
    static const char *const names[] = {
        [CHECK_REGRESSION] = "regression",
        [CHECK_FIX] = "fix",
        [CHECK_OUTPUT] = "output",
        [CHECK_LEAK] = "leak",
        [CHECK_SILENT] = "silent",
        [CHECK_BOTH_FAIL] = "both-fail",
        [CHECK_UNREPRODUCED] = "unreproduced",
    };
    return names[class];
}

/* ---- what differs from run to run ---- */

/* Marks lines by their number where the other text has another line there. */
static bool *mark_varying(struct part one, struct part other, size_t *count)
{
    size_t capacity = 0;
    bool *varies = NULL;
    *count = 0;
    while (one.at < one.end && other.at < other.end) {
        size_t length = part_line_length(&one), other_length = part_line_length(&other);
        varies = array_reserve(varies, &capacity, *count + 1, sizeof *varies);
        varies[(*count)++] = length != other_length || memcmp(one.at, other.at, length);
        one.at += length;
        other.at += other_length;
    }
    return varies;
}

static void keep_unmarked(struct part part, const bool *varies, size_t count, struct text *kept)
{
    size_t length;
    for (size_t number = 0; (length = part_line_length(&part)); number++, part.at += length)
        if (number >= count || !varies[number])
            text_append(kept, part.at, length);
}

static void add_line(struct lines *lines, struct line line)
{
    lines->list = array_reserve(lines->list, &lines->capacity, lines->count + 1, sizeof *lines->list);
    lines->list[lines->count++] = line;
}

/* Outputs whose name has another value in the other lines; some names may be left out there. A file that is not there
 * the next time has a name that varies. */
static struct lines varying_names(struct part one, struct part other, bool are_files)
{
    struct lines a = part_lines_by_name(one), b = part_lines_by_name(other), varying = {0};
    for (size_t i = 0, k = 0; i < a.count;) {
        int order = k < b.count ? line_compare_names(&a.list[i], &b.list[k]) : -1;
        bool varies = order == 0 ? !line_is_same(&a.list[i], &b.list[k], 0) : order < 0 && are_files;
        if (varies)
            add_line(&varying, a.list[i]);
        i += order <= 0, k += order >= 0;
    }
    free(a.list), free(b.list);
    return varying;
}

static bool has_name(const struct lines *names, const struct line *line)
{
    for (size_t i = 0; i < names->count; i++)
        if (!line_compare_names(&names->list[i], line))
            return true;
    return false;
}

static void keep_other_names(struct part part, const struct lines *names, struct text *kept)
{
    for (struct line line; (line = part_first_line(part)).length; part.at += line.length)
        if (!has_name(names, &line))
            text_append(kept, part.at, line.length);
}

/* What varies of a version, by channel. */
struct varying {
    bool *lines[CHANNEL_KINDS]; /* of a stream, by number */
    size_t counts[CHANNEL_KINDS];
    struct lines names[CHANNEL_KINDS]; /* which lie in the run's text */
};

static struct varying find_varying(const struct check_observation *run, const struct check_observation *again)
{
    struct varying varying = {0};
    for (enum channel_kind i = 0; i < CHANNEL_KINDS; i++) {
        struct part one = channel_part(run, i), other = channel_part(again, i);
        if (channels[i].form == FORM_STREAM)
            varying.lines[i] = mark_varying(one, other, &varying.counts[i]);
        else if (channels[i].form == FORM_NAMED)
            varying.names[i] = varying_names(one, other, i == CHANNEL_FILES);
    }
    return varying;
}

static void varying_free(struct varying *varying)
{
    for (enum channel_kind i = 0; i < CHANNEL_KINDS; i++)
        free(varying->lines[i]), free(varying->names[i].list);
}

static void keep_steady(const struct check_observation *run, const struct varying *varying, enum channel_kind kind,
                        struct text *kept)
{
    struct part part = channel_part(run, kind);
    if (channels[kind].form == FORM_STREAM)
        keep_unmarked(part, varying->lines[kind], varying->counts[kind], kept);
    else
        keep_other_names(part, &varying->names[kind], kept);
}

/* What is left of a run: its texts alone. */
static struct check_observation steady(const struct check_observation *run, const struct varying *varying)
{
    struct check_observation kept = {0};
    keep_steady(run, varying, CHANNEL_PRINTED, &kept.output);
    kept.printed = kept.output.length;
    struct part memory = channel_part(run, CHANNEL_MEMORY), files = channel_part(run, CHANNEL_FILES);
    if (kept.printed && kept.output.data[kept.printed - 1] != '\n' && memory.at < files.end)
        text_add(&kept.output, "\n");
    keep_steady(run, varying, CHANNEL_MEMORY, &kept.output);
    kept.left = kept.output.length;
    keep_steady(run, varying, CHANNEL_FILES, &kept.output);
    kept.left = kept.output.length - kept.left;
    keep_steady(run, varying, CHANNEL_ERRORS, &kept.errors);
    return kept;
}

static void replace_texts(struct check_observation *run, const struct check_observation *other)
{
    text_free(&run->output), text_free(&run->errors);
    run->output = other->output, run->errors = other->errors;
    run->printed = other->printed, run->left = other->left;
}

void check_ignore_varying(struct check_observation *run, const struct check_observation *again,
                          struct check_observation *other)
{
    struct varying varying = find_varying(run, again);
    struct check_observation steady_run = steady(run, &varying), steady_other = steady(other, &varying);
    replace_texts(run, &steady_run);
    replace_texts(other, &steady_other);
    varying_free(&varying);
}

static bool is_same(const struct check_observation *old_run, const struct check_observation *new_run, double tolerance)
{
    bool has_failed = old_run->failed && new_run->failed, is_same = true;
    for (enum channel_kind i = 0; i < CHANNEL_KINDS && is_same; i++)
        is_same = (has_failed && !channels[i].is_after_failure) || channel_is_same(old_run, new_run, i, tolerance);
    return is_same;
}

/* An access outside of an object has many names, by what happens to lie there: another object's redzone, nothing that
 * is mapped, or something that only our own checks tell apart. So has a copy of what overlaps, by the function that
 * copies. Which of them it is says nothing of the version. */
static bool fail_in_one_way(const struct check_observation *old_run, const struct check_observation *new_run)
{
    return (old_run->left_object && new_run->left_object) || strcmp(old_run->failure, new_run->failure) == 0;
}

/* What was printed before a failure counts too; before a limit, as much was as there was time for. */
static bool fail_alike(const struct check_observation *old_run, const struct check_observation *new_run,
                       double tolerance)
{
    if (!fail_in_one_way(old_run, new_run))
        return false;
    return old_run->passed_limit || is_same(old_run, new_run, tolerance);
}

enum check_class check_classify(const struct check_observation *old_run, const struct check_observation *new_run,
                                double tolerance)
{
    if (old_run->assumption_failed || new_run->assumption_failed)
        return CHECK_UNREPRODUCED;
    if (old_run->failed && new_run->failed)
        return fail_alike(old_run, new_run, tolerance) ? CHECK_BOTH_FAIL : CHECK_OUTPUT;
    if (old_run->failed)
        return CHECK_FIX;
    if (new_run->failed)
        return CHECK_REGRESSION;
    if (!is_same(old_run, new_run, tolerance))
        return CHECK_OUTPUT;
    return old_run->leaked_blocks != new_run->leaked_blocks ? CHECK_LEAK : CHECK_SILENT;
}

bool check_signed_overflow(const struct check_verdict *verdict)
{
    return verdict->signed_overflow;
}

const char *check_undefined(const struct check_verdict *verdict)
{
    return verdict->undefined;
}

void check_note_failure(struct check_verdict *verdict, enum pn_side side, enum pn_check why, const char *location)
{
    struct check_observation *run = side == PN_SIDE_OLD ? &verdict->old_run : &verdict->new_run;
    if (!run->failed) {
        run->failed = run->by_own_check = true;
        run->left_object = why == PN_CHECK_BOUNDS || why == PN_CHECK_BEYOND;
        snprintf(run->failure, sizeof run->failure, "%s", pn_check_name(why));
        snprintf(run->location, sizeof run->location, "%s", location ? location : "");
    }
    verdict->class = check_classify(&verdict->old_run, &verdict->new_run, verdict->float_tolerance);
}

void check_verdict_free(struct check_verdict *verdict)
{
    observation_free(&verdict->old_run);
    observation_free(&verdict->new_run);
}
