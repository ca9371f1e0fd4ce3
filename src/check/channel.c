#include "check/channel.h"

#include "base/arena.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of a version that failed, standard error has the sanitizer's report, and the exit status is the sanitizer's. */
const struct channel channels[CHANNEL_KINDS] = {
    [CHANNEL_PRINTED] = {FORM_STREAM, true}, [CHANNEL_MEMORY] = {FORM_NAMED, true},
    [CHANNEL_FILES] = {FORM_NAMED, true},    [CHANNEL_ERRORS] = {FORM_STREAM, false},
    [CHANNEL_STATUS] = {FORM_NUMBER, false},
};

struct part channel_part(const struct check_observation *run, enum channel_kind kind)
{
    const struct text *text = kind == CHANNEL_ERRORS ? &run->errors : &run->output;
    const char *first = text_string(text), *end = first + text->length, *files = end - run->left;
    const char *memory = first + run->printed;
    if (run->printed && memory < end && memory[-1] != '\n') /* which stands between the channels */
        memory++;
    switch (kind) {
    case CHANNEL_PRINTED: return (struct part){first, first + run->printed};
    case CHANNEL_MEMORY: return (struct part){memory, files};
    case CHANNEL_FILES: return (struct part){files, end};
    default: return (struct part){first, end};
    }
}

static bool same_bytes(struct part one, struct part other)
{
    size_t length = (size_t)(one.end - one.at);
    return length == (size_t)(other.end - other.at) && (!length || !memcmp(one.at, other.at, length));
}

size_t part_line_length(const struct part *lines)
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

int line_compare_names(const struct line *one, const struct line *other)
{
    size_t shorter = one->name_length < other->name_length ? one->name_length : other->name_length;
    int order = memcmp(one->at, other->at, shorter);
    return order ? order : (one->name_length > other->name_length) - (one->name_length < other->name_length);
}

/* Outputs of one name, such as elements of an array, stay in their order. */
static int compare_lines(const void *one, const void *other)
{
    const struct line *a = one, *b = other;
    int order = line_compare_names(a, b);
    return order ? order : (a->number > b->number) - (a->number < b->number);
}

struct line part_first_line(struct part part)
{
    size_t length = part_line_length(&part);
    const char *equals = length ? memmem(part.at, length, " = ", 3) : NULL;
    return (struct line){part.at, length, equals ? (size_t)(equals - part.at) : length, 0};
}

struct lines part_lines_by_name(struct part part)
{
    struct lines lines = {0};
    for (struct line line; (line = part_first_line(part)).length; part.at += line.length) {
        lines.list = array_reserve(lines.list, &lines.capacity, lines.count + 1, sizeof *lines.list);
        line.number = lines.count;
        lines.list[lines.count++] = line;
    }
    if (lines.count)
        qsort(lines.list, lines.count, sizeof *lines.list, compare_lines);
    return lines;
}

bool line_is_same(const struct line *one, const struct line *other, double tolerance)
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
    if (line_is_same(one, other, tolerance))
        return;
    likeness->differ |= !agree(one, other);
    likeness->other_size |= before_size(one) != 0;
    likeness->reach_less |= !before_size(one);
}

/* A caller may never learn how large a block is that it is given: where the versions' blocks have different sizes, what
 * both have is compared. */
static bool same_names(struct part old_part, struct part new_part, double tolerance)
{
    struct lines one = part_lines_by_name(old_part), other = part_lines_by_name(new_part);
    struct likeness likeness = {0};
    for (size_t i = 0, j = 0; !likeness.differ && (i < one.count || j < other.count);) {
        int order = i == one.count ? 1 : j == other.count ? -1 : line_compare_names(&one.list[i], &other.list[j]);
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

bool channel_is_same(const struct check_observation *old_run, const struct check_observation *new_run,
                     enum channel_kind kind, double tolerance)
{
    struct part old_part = channel_part(old_run, kind), new_part = channel_part(new_run, kind);
    switch (channels[kind].form) {
    case FORM_STREAM: return same_bytes(old_part, new_part);
    case FORM_NAMED: return same_names(old_part, new_part, tolerance);
    default: return old_run->exit_status == new_run->exit_status;
    }
}
