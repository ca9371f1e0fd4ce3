#include "unify/patch.h"

#include "base/arena.h"
#include "base/file.h"
#include "unify/hunks.h"

#include <stdlib.h>
#include <string.h>

enum { CONTEXT = 3, MOST_LINES = 2000 };

struct side {
    struct text text;
    const char **lines; /* where each begins; one more for the end */
    size_t count, capacity;
};

static void read_side(const char *path, struct side *side)
{
    struct error ignored = {0};
    file_read(path, &side->text, &ignored);
    error_clear(&ignored);
    const char *at = text_string(&side->text), *end = at + side->text.length;
    for (;;) {
        side->lines = array_reserve(side->lines, &side->capacity, side->count + 1, sizeof *side->lines);
        side->lines[side->count] = at;
        if (at >= end)
            return;
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        at = newline ? newline + 1 : end;
        side->count++;
    }
}

static void add_lines(json_t *lines, char sign, const struct side *side, size_t first, size_t count)
{
    for (size_t i = first; i < first + count && i < side->count; i++) {
        struct text text = {0};
        size_t length = (size_t)(side->lines[i + 1] - side->lines[i]);
        while (length && strchr("\r\n", side->lines[i][length - 1]))
            length--;
        text_append(&text, &sign, 1);
        text_append(&text, side->lines[i], length);
        json_t *string = json_stringn(text_string(&text), text.length);
        json_array_append_new(lines, string ? string : json_stringn(&sign, 1)); /* no text in UTF-8 */
        text_free(&text);
    }
}

/* Hunks that are near each other are one, with what is between them. */
static size_t add_hunk(json_t *list, const struct side sides[2], const struct hunks *hunks, size_t first)
{
    const struct hunk *begin = &hunks->list[first];
    size_t before = begin->new_line < CONTEXT ? begin->new_line : CONTEXT, last = first;
    json_t *lines = json_array();
    add_lines(lines, ' ', &sides[1], begin->new_line - before, before);
    for (;; last++) {
        const struct hunk *hunk = &hunks->list[last], *next = hunk + 1;
        size_t end = hunk->new_line + hunk->new_count;
        add_lines(lines, '-', &sides[0], hunk->old_line, hunk->old_count);
        add_lines(lines, '+', &sides[1], hunk->new_line, hunk->new_count);
        bool is_joined = last + 1 < hunks->count && next->new_line - end <= 2 * CONTEXT;
        add_lines(lines, ' ', &sides[1], end, is_joined ? next->new_line - end : CONTEXT);
        if (!is_joined)
            break;
    }
    json_array_append_new(list,
                          json_pack("{s:I, s:I, s:o}", "old_line", (json_int_t)begin->old_line - (json_int_t)before + 1,
                                    "new_line", (json_int_t)begin->new_line - (json_int_t)before + 1, "lines", lines));
    return last + 1;
}

static size_t count_lines(const json_t *list)
{
    size_t i, count = 0;
    json_t *hunk;
    json_array_foreach (list, i, hunk) {
        count += json_array_size(json_object_get(hunk, "lines"));
    }
    return count;
}

json_t *patch_json(const char *names[2], const char *old_path, const char *new_path)
{
    struct side sides[2] = {0};
    struct hunks hunks = {0};
    json_t *list = json_array();
    read_side(old_path, &sides[0]), read_side(new_path, &sides[1]);
    hunks_find(&sides[0].text, &sides[1].text, &hunks);
    size_t next = 0;
    while (next < hunks.count && count_lines(list) < MOST_LINES)
        next = add_hunk(list, sides, &hunks, next);
    bool is_whole = next == hunks.count;
    free(hunks.list);
    for (int i = 0; i < 2; i++)
        text_free(&sides[i].text), free(sides[i].lines);
    return json_pack("{s:s, s:s, s:b, s:o}", "file", names[1], "old_file", names[0], "whole", is_whole, "hunks", list);
}
