/* The shortest edit script by the greedy algorithm: work grows with the difference, not with the texts. */
#include "unify/hunks.h"

#include "base/arena.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_STEPS = 4000 }; /* texts that differ by more lines are taken to differ in all lines between */

struct line {
    const char *text;
    size_t length;
};

struct lines {
    struct line *list;
    size_t count, capacity;
};

static void split(const struct text *text, struct lines *lines)
{
    const char *at = text_string(text), *end = at + text->length;
    while (at < end) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        const char *next = newline ? newline + 1 : end;
        lines->list = array_reserve(lines->list, &lines->capacity, lines->count + 1, sizeof *lines->list);
        lines->list[lines->count++] = (struct line){at, (size_t)(next - at)};
        at = next;
    }
}

static bool same(const struct line *one, const struct line *other)
{
    return one->length == other->length && !memcmp(one->text, other->text, one->length);
}

/* How far each diagonal reaches after so many steps. */
struct search {
    const struct line *old, *new;
    long old_count, new_count;
    long **reached; /* by step: 2 * step + 1 diagonals */
};

static long come_to(const struct search *search, long step, long diagonal)
{
    const long *before = step ? search->reached[step - 1] + (step - 1) : NULL;
    long x = 0;
    if (before) {
        bool down = diagonal == -step || (diagonal != step && before[diagonal - 1] < before[diagonal + 1]);
        x = down ? before[diagonal + 1] : before[diagonal - 1] + 1;
    }
    while (x < search->old_count && x - diagonal < search->new_count &&
           same(&search->old[x], &search->new[x - diagonal]))
        x++;
    return x;
}

static long find_steps(struct search *search)
{
    for (long step = 0; step <= MOST_STEPS; step++) {
        search->reached[step] = calloc((size_t)(2 * step + 3), sizeof(long));
        for (long diagonal = -step; diagonal <= step; diagonal += 2) {
            long x = come_to(search, step, diagonal);
            search->reached[step][diagonal + step] = x;
            if (x >= search->old_count && x - diagonal >= search->new_count)
                return step;
        }
    }
    return -1;
}

static struct hunk *add_hunk(struct hunks *hunks)
{
    hunks->list = array_reserve(hunks->list, &hunks->capacity, hunks->count + 1, sizeof *hunks->list);
    hunks->list[hunks->count] = (struct hunk){0};
    return &hunks->list[hunks->count++];
}

static void reverse(struct hunks *hunks)
{
    for (size_t i = 0; i < hunks->count / 2; i++) {
        struct hunk *other = &hunks->list[hunks->count - 1 - i], kept = *other;
        *other = hunks->list[i];
        hunks->list[i] = kept;
    }
}

/* Back along the script: steps with nothing in common between them are one hunk. */
static void find_hunks(const struct search *search, long steps, struct hunks *hunks)
{
    long x = search->old_count, y = search->new_count;
    struct hunk *hunk = NULL;
    for (long step = steps; step > 0; step--) {
        const long *before = search->reached[step - 1] + (step - 1);
        long diagonal = x - y;
        bool down = diagonal == -step || (diagonal != step && before[diagonal - 1] < before[diagonal + 1]);
        long from = down ? before[diagonal + 1] : before[diagonal - 1], to = down ? from : from + 1;
        if (x > to || !hunk) /* lines in common */
            hunk = add_hunk(hunks);
        x = from;
        y = x - (down ? diagonal + 1 : diagonal - 1);
        hunk->old_line = (size_t)x, hunk->new_line = (size_t)y;
        hunk->old_count += !down, hunk->new_count += down;
    }
    reverse(hunks);
}

void hunks_find(const struct text *old, const struct text *new, struct hunks *hunks)
{
    struct lines before = {0}, after = {0};
    split(old, &before), split(new, &after);
    struct search search = {before.list, after.list, (long)before.count, (long)after.count,
                            calloc(MOST_STEPS + 1, sizeof(long *))};
    long steps = find_steps(&search);
    if (steps >= 0)
        find_hunks(&search, steps, hunks);
    else
        *add_hunk(hunks) = (struct hunk){.old_count = before.count, .new_count = after.count};
    for (long i = 0; i <= MOST_STEPS; i++)
        free(search.reached[i]);
    free(search.reached), free(before.list), free(after.list);
}

void hunks_count(const struct text *old, const struct text *new, size_t *hunks, size_t *lines)
{
    struct hunks found = {0};
    hunks_find(old, new, &found);
    *hunks = found.count, *lines = 0;
    for (size_t i = 0; i < found.count; i++)
        *lines += found.list[i].old_count + found.list[i].new_count;
    free(found.list);
}
