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

static bool same_text(const struct text *a, const struct text *b)
{
    return a->length == b->length && (a->length == 0 || memcmp(a->data, b->data, a->length) == 0);
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

/* A text, line by line, each with its end. Programs may write any bytes, zeros too. */
struct lines {
    const char *at, *end;
};

static struct lines lines_of(const struct text *text)
{
    const char *first = text_string(text);
    return (struct lines){first, first + text->length};
}

/* Of the current line; 0 at the end. */
static size_t line_length(const struct lines *lines)
{
    size_t left = (size_t)(lines->end - lines->at);
    const char *newline = left ? memchr(lines->at, '\n', left) : NULL;
    return newline ? (size_t)(newline - lines->at) + 1 : left;
}

static bool same_within(const struct text *a, const struct text *b, double tolerance)
{
    struct lines one = lines_of(a), other = lines_of(b);
    while (one.at < one.end && other.at < other.end) {
        size_t one_length = line_length(&one), other_length = line_length(&other);
        bool equal = one_length == other_length && memcmp(one.at, other.at, one_length) == 0;
        if (!equal && !same_numbers(one.at, one_length, other.at, other_length, tolerance))
            return false;
        one.at += one_length;
        other.at += other_length;
    }
    return one.at == one.end && other.at == other.end;
}

/* Copies the lines of `from` whose numbers are not marked. */
static void keep_lines(struct text *text, const bool *varies, size_t count)
{
    struct text kept = {0};
    struct lines lines = lines_of(text);
    for (size_t number = 0; lines.at < lines.end; number++, lines.at += line_length(&lines))
        if (number >= count || !varies[number])
            text_append(&kept, lines.at, line_length(&lines));
    text_free(text);
    *text = kept;
}

static void ignore_varying_lines(struct text *run, const struct text *again, struct text *other)
{
    size_t count = 0, capacity = 0;
    bool *varies = NULL;
    struct lines one = lines_of(run), two = lines_of(again);
    while (one.at < one.end && two.at < two.end) {
        varies = array_reserve(varies, &capacity, count + 1, sizeof *varies);
        size_t length = line_length(&one), other_length = line_length(&two);
        varies[count++] = length != other_length || memcmp(one.at, two.at, length);
        one.at += length;
        two.at += other_length;
    }
    keep_lines(run, varies, count);
    keep_lines(other, varies, count);
    free(varies);
}

void check_ignore_varying(struct check_observation *run, const struct check_observation *again,
                          struct check_observation *other)
{
    ignore_varying_lines(&run->output, &again->output, &other->output);
    ignore_varying_lines(&run->errors, &again->errors, &other->errors);
}

enum check_class check_classify(const struct check_observation *old_run, const struct check_observation *new_run,
                                double tolerance)
{
    if (old_run->assumption_failed || new_run->assumption_failed)
        return CHECK_UNREPRODUCED;
    if (old_run->failed && new_run->failed)
        return strcmp(old_run->failure, new_run->failure) == 0 ? CHECK_BOTH_FAIL : CHECK_OUTPUT;
    if (old_run->failed)
        return CHECK_FIX;
    if (new_run->failed)
        return CHECK_REGRESSION;
    bool same_output = same_text(&old_run->output, &new_run->output) ||
                       (tolerance > 0 && same_within(&old_run->output, &new_run->output, tolerance));
    bool same =
        same_output && same_text(&old_run->errors, &new_run->errors) && old_run->exit_status == new_run->exit_status;
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
