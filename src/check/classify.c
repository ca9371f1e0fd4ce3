#include "check/check.h"

#include "base/arena.h"
#include "check/observe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool check_class_is_difference(enum check_class class)
{
    return class == CHECK_REGRESSION || class == CHECK_FIX || class == CHECK_OUTPUT;
}

const char *check_class_name(enum check_class class)
{
    static const char *const names[] = {
        [CHECK_REGRESSION] = "regression", [CHECK_FIX] = "fix",
        [CHECK_OUTPUT] = "output",         [CHECK_SILENT] = "silent",
        [CHECK_BOTH_FAIL] = "both-fail",   [CHECK_UNREPRODUCED] = "unreproduced",
    };
    return names[class];
}

/* A part of what a run wrote. Programs may write any bytes, zeros too. */
struct part {
    const char *at, *end;
};

static struct part whole(const struct text *text)
{
    const char *first = text_string(text);
    return (struct part){first, first + text->length};
}

static struct part printed_part(const struct check_observation *run)
{
    const char *first = text_string(&run->output);
    return (struct part){first, first + run->printed};
}

/* From its first output on. */
static struct part outputs_part(const struct check_observation *run)
{
    struct part part = whole(&run->output);
    part.at += run->printed;
    if (run->printed && part.at < part.end && part.at[-1] != '\n')
        part.at++;
    return part;
}

static bool same_bytes(struct part one, struct part other)
{
    size_t length = (size_t)(one.end - one.at);
    return length == (size_t)(other.end - other.at) && (!length || !memcmp(one.at, other.at, length));
}

/* The length of the current line, with its end; 0 behind the last one. */
static size_t line_length(const struct part *lines)
{
    size_t left = (size_t)(lines->end - lines->at);
    const char *newline = left ? memchr(lines->at, '\n', left) : NULL;
    return newline ? (size_t)(newline - lines->at) + 1 : left;
}

/* The type that a line of output names behind its bytes: `return = 00 00 80 3f  # float 1`; 0: none. */
static unsigned floating_width(const char *line, size_t length)
{
    static const char single[] = "  # float ", twice[] = "  # double ";
    if (memmem(line, length, single, sizeof single - 1))
        return 32;
    return memmem(line, length, twice, sizeof twice - 1) ? 64 : 0;
}

static bool read_number(const char **at, unsigned width, uint64_t *bits)
{
    *bits = 0;
    for (unsigned i = 0; i < width; i += 8) {
        unsigned byte;
        if (sscanf(*at, " %2x", &byte) != 1 || (*at)[0] != ' ')
            return false;
        *bits |= (uint64_t)byte << i;
        *at += 3;
    }
    return true;
}

/* Two lines with the same name, type and number of bytes. */
static bool same_numbers(const char *one, size_t one_length, const char *other, size_t other_length, double tolerance)
{
    unsigned width = floating_width(one, one_length);
    const char *first = memmem(one, one_length, " = ", 3), *second = memmem(other, other_length, " = ", 3);
    if (!width || width != floating_width(other, other_length) || !first || !second || first - one != second - other ||
        memcmp(one, other, (size_t)(first - one)))
        return false;
    for (first += 2, second += 2; first[1] != ' ';) {
        uint64_t a, b;
        if (!read_number(&first, width, &a) || !read_number(&second, width, &b) ||
            !pn_same_number(a, b, width, tolerance))
            return false;
    }
    return second[1] == ' ';
}

/* ---- outputs, by name ---- */

struct line {
    const char *at;
    size_t length, name_length;
    size_t number; /* in the order of the text */
};

struct lines {
    struct line *list;
    size_t count, capacity;
};

static int compare_names(const struct line *one, const struct line *other)
{
    size_t shorter = one->name_length < other->name_length ? one->name_length : other->name_length;
    int order = memcmp(one->at, other->at, shorter);
    return order ? order : (one->name_length > other->name_length) - (one->name_length < other->name_length);
}

/* Outputs of one name, such as elements of an array, stay in their order. */
static int compare_lines(const void *one, const void *other)
{
    const struct line *a = one, *b = other;
    int order = compare_names(a, b);
    return order ? order : (a->number > b->number) - (a->number < b->number);
}

/* Versions may declare their variables in another order: it is names that correspond. */
static struct lines sorted_lines(struct part part)
{
    struct lines lines = {0};
    for (size_t length; (length = line_length(&part)); part.at += length) {
        const char *equals = memmem(part.at, length, " = ", 3);
        lines.list = array_reserve(lines.list, &lines.capacity, lines.count + 1, sizeof *lines.list);
        lines.list[lines.count] =
            (struct line){part.at, length, equals ? (size_t)(equals - part.at) : length, lines.count};
        lines.count++;
    }
    if (lines.count)
        qsort(lines.list, lines.count, sizeof *lines.list, compare_lines);
    return lines;
}

static bool same_line(const struct line *one, const struct line *other, double tolerance)
{
    if (one->length == other->length && !memcmp(one->at, other->at, one->length))
        return true;
    return tolerance > 0 && same_numbers(one->at, one->length, other->at, other->length, tolerance);
}

/* `NAME = memory 3 + 4 of 16 bytes`: how much of it stands before the size; 0: the line is none of these. */
static size_t before_size(const struct line *line)
{
    static const char start[] = " = memory ", middle[] = " of ", ending[] = " bytes\n";
    size_t rest = line->length - line->name_length;
    const char *value = line->at + line->name_length;
    if (rest < sizeof start || memcmp(value, start, sizeof start - 1) != 0 ||
        memcmp(line->at + line->length - (sizeof ending - 1), ending, sizeof ending - 1) != 0)
        return 0;
    const char *of = memmem(value, rest, middle, sizeof middle - 1);
    return of ? (size_t)(of - line->at) : 0;
}

/* Where the bytes end that a line lists; a number may follow that they could be. */
static size_t bytes_end(const struct line *line)
{
    const char *comment = memmem(line->at, line->length, "  # ", 4);
    return comment ? (size_t)(comment - line->at) : line->length - (line->length && line->at[line->length - 1] == '\n');
}

/* Whether two lines say the same as far as both reach. */
static bool agree(const struct line *one, const struct line *other)
{
    size_t size_at = before_size(one), one_end = bytes_end(one), other_end = bytes_end(other);
    if (size_at)
        return before_size(other) == size_at && memcmp(one->at, other->at, size_at) == 0;
    size_t shorter = one_end < other_end ? one_end : other_end;
    const char *longer = one_end < other_end ? other->at : one->at;
    return one_end != other_end && memcmp(one->at, other->at, shorter) == 0 && longer[shorter] == ' ';
}

/* `count in next() = 05 00`: a static variable in a function. If the other version has none, nobody can miss it. */
static bool is_static(const struct line *line)
{
    return line->name_length > 2 && line->name_length < line->length &&
           memcmp(line->at + line->name_length - 2, "()", 2) == 0 && memmem(line->at, line->name_length, " in ", 4);
}

/* What is known so far of two lists of outputs. */
struct likeness {
    bool differ;
    bool other_size; /* of a block */
    bool reach_less; /* lines are shorter, or missing, in one version, which the size of a block could explain */
};

static void compare_line(const struct line *one, const struct line *other, double tolerance, struct likeness *likeness)
{
    if (same_line(one, other, tolerance))
        return;
    likeness->differ |= !agree(one, other);
    likeness->other_size |= before_size(one) != 0;
    likeness->reach_less |= !before_size(one);
}

/* A caller may never learn how large a block is that it is given: where the versions' blocks have different sizes, what
 * both have is compared. */
static bool same_outputs(const struct check_observation *old_run, const struct check_observation *new_run,
                         double tolerance)
{
    struct lines one = sorted_lines(outputs_part(old_run)), other = sorted_lines(outputs_part(new_run));
    struct likeness likeness = {0};
    for (size_t i = 0, j = 0; !likeness.differ && (i < one.count || j < other.count);) {
        int order = i == one.count ? 1 : j == other.count ? -1 : compare_names(&one.list[i], &other.list[j]);
        if (order == 0)
            compare_line(&one.list[i], &other.list[j], tolerance, &likeness);
        else
            likeness.reach_less |= !is_static(order < 0 ? &one.list[i] : &other.list[j]);
        i += order <= 0;
        j += order >= 0;
    }
    free(one.list), free(other.list);
    return !likeness.differ && (!likeness.reach_less || likeness.other_size);
}

/* ---- what differs from run to run ---- */

/* Marks lines by their number where the other text has another line there. */
static bool *mark_varying(struct part one, struct part other, size_t *count)
{
    size_t capacity = 0;
    bool *varies = NULL;
    *count = 0;
    while (one.at < one.end && other.at < other.end) {
        size_t length = line_length(&one), other_length = line_length(&other);
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
    for (size_t number = 0; (length = line_length(&part)); number++, part.at += length)
        if (number >= count || !varies[number])
            text_append(kept, part.at, length);
}

/* Outputs whose name has another value in the other lines; some names may be left out there. */
static struct lines varying_names(struct part one, struct part other)
{
    struct lines a = sorted_lines(one), b = sorted_lines(other), varying = {0};
    for (size_t i = 0, k = 0; i < a.count && k < b.count;) {
        int order = compare_names(&a.list[i], &b.list[k]);
        if (order) {
            i += order < 0, k += order > 0;
            continue;
        }
        if (!same_line(&a.list[i++], &b.list[k++], 0)) {
            varying.list = array_reserve(varying.list, &varying.capacity, varying.count + 1, sizeof *varying.list);
            varying.list[varying.count++] = a.list[i - 1];
        }
    }
    free(a.list), free(b.list);
    return varying;
}

static bool has_name(const struct lines *names, const struct line *line)
{
    for (size_t i = 0; i < names->count; i++)
        if (!compare_names(&names->list[i], line))
            return true;
    return false;
}

static void keep_other_names(struct part part, const struct lines *names, struct text *kept)
{
    for (size_t length; (length = line_length(&part)); part.at += length) {
        const char *equals = memmem(part.at, length, " = ", 3);
        struct line line = {part.at, length, equals ? (size_t)(equals - part.at) : length, 0};
        if (!has_name(names, &line))
            text_append(kept, part.at, length);
    }
}

/* What is left of the output; `printed` becomes how much of that the program printed. */
static struct text steady_output(const struct check_observation *run, const bool *varies, size_t count,
                                 const struct lines *names, size_t *printed)
{
    struct text kept = {0};
    struct part outputs = outputs_part(run);
    keep_unmarked(printed_part(run), varies, count, &kept);
    *printed = kept.length;
    if (kept.length && kept.data[kept.length - 1] != '\n' && outputs.at < outputs.end)
        text_add(&kept, "\n");
    keep_other_names(outputs, names, &kept);
    return kept;
}

static struct text steady_errors(const struct check_observation *run, const bool *varies, size_t count)
{
    struct text kept = {0};
    keep_unmarked(whole(&run->errors), varies, count, &kept);
    return kept;
}

static void replace(struct text *text, struct text other)
{
    text_free(text);
    *text = other;
}

void check_ignore_varying(struct check_observation *run, const struct check_observation *again,
                          struct check_observation *other)
{
    size_t lines, error_lines, printed, other_printed;
    bool *varies = mark_varying(printed_part(run), printed_part(again), &lines);
    bool *errors_vary = mark_varying(whole(&run->errors), whole(&again->errors), &error_lines);
    struct lines names = varying_names(outputs_part(run), outputs_part(again)); /* which lie in the run's text */
    struct text output = steady_output(run, varies, lines, &names, &printed);
    struct text other_output = steady_output(other, varies, lines, &names, &other_printed);
    replace(&run->errors, steady_errors(run, errors_vary, error_lines));
    replace(&other->errors, steady_errors(other, errors_vary, error_lines));
    replace(&run->output, output);
    replace(&other->output, other_output);
    run->printed = printed;
    other->printed = other_printed;
    free(varies), free(errors_vary), free(names.list);
}

/* What was printed before a failure counts too; before a limit, as much was as there was time for. */
static bool fail_alike(const struct check_observation *old_run, const struct check_observation *new_run,
                       double tolerance)
{
    if (strcmp(old_run->failure, new_run->failure) != 0)
        return false;
    return old_run->passed_limit ||
           (same_bytes(printed_part(old_run), printed_part(new_run)) && same_outputs(old_run, new_run, tolerance));
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
    bool same = same_bytes(printed_part(old_run), printed_part(new_run)) && same_outputs(old_run, new_run, tolerance) &&
                same_bytes(whole(&old_run->errors), whole(&new_run->errors)) &&
                old_run->exit_status == new_run->exit_status;
    return same ? CHECK_SILENT : CHECK_OUTPUT;
}

bool check_signed_overflow(const struct check_verdict *verdict)
{
    return verdict->signed_overflow;
}

const char *check_undefined(const struct check_verdict *verdict)
{
    return verdict->undefined;
}

void check_note_failure(struct check_verdict *verdict, enum pn_side side, const char *failure, const char *location)
{
    struct check_observation *run = side == PN_SIDE_OLD ? &verdict->old_run : &verdict->new_run;
    if (!run->failed) {
        run->failed = run->by_own_check = true;
        snprintf(run->failure, sizeof run->failure, "%s", failure);
        snprintf(run->location, sizeof run->location, "%s", location ? location : "");
    }
    verdict->class = check_classify(&verdict->old_run, &verdict->new_run, verdict->float_tolerance);
}

void check_verdict_free(struct check_verdict *verdict)
{
    observation_free(&verdict->old_run);
    observation_free(&verdict->new_run);
}
