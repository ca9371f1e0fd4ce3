#include "report/source.h"

#include "base/file.h"
#include "report/groups.h"

#include <stdlib.h>
#include <string.h>

enum version { OLD, NEW, VERSIONS };

/* What the versions do where they part. */
static const char *outcome(const struct report_divergence *divergence, enum version version)
{
    const struct check_verdict *verdict = &divergence->verdict;
    if (*divergence->called) /* it is decided in there, the line itself comes to something else */
        return "";
    switch (divergence->kind) {
    case FINDING_DIFF_TRUE: return version == NEW ? "true" : "false";
    case FINDING_DIFF_FALSE: return version == NEW ? "false" : "true";
    case FINDING_OLD_FAILS: return version == OLD && verdict->old_run.failed ? "fails" : "";
    case FINDING_NEW_FAILS: return version == NEW && verdict->new_run.failed ? "fails" : "";
    default: return "";
    }
}

static void add(json_t *list, const struct report_divergence *divergence, enum version version, const char *file,
                json_int_t line, const char *text)
{
    text += strspn(text, " \t");
    json_array_append_new(list,
                          json_pack("{s:s, s:s, s:I, s:s, s:s}", "version", version == OLD ? "old" : "new", "file",
                                    file, "line", line, "text", text, "outcome", outcome(divergence, version)));
}

/* ---- in the patch ---- */

/* A line of a hunk that is not in both versions, and the line of the other one that stands in its place. */
struct change {
    const char *texts[VERSIONS]; /* NULL: that version has none */
    json_int_t lines[VERSIONS];
    bool is_common;
};

static const char *line_of(const json_t *lines, size_t number)
{
    const char *text = json_string_value(json_array_get(lines, number));
    return text ? text : "";
}

/* The lines of `sign` around a place, and which of those of the other sign are opposite: first the old ones come, then
 * the new ones. */
static void find_opposite(const json_t *lines, size_t at, enum version version, struct change *change)
{
    char other = version == NEW ? '-' : '+';
    size_t first = at, offset, count = 0;
    while (first > 0 && *line_of(lines, first - 1) == *line_of(lines, at))
        first--;
    offset = at - first;
    size_t begin = version == NEW ? first : at;
    while (version == NEW && begin > 0 && *line_of(lines, begin - 1) == other)
        begin--, count++;
    while (version == OLD && *line_of(lines, begin) == '-')
        begin++;
    while (version == OLD && *line_of(lines, begin + count) == other)
        count++;
    if (!count)
        return;
    size_t opposite = begin + (offset < count ? offset : count - 1);
    enum version there = version == NEW ? OLD : NEW;
    change->texts[there] = line_of(lines, opposite) + 1;
    change->lines[there] +=
        version == NEW ? (json_int_t)opposite - (json_int_t)first : (json_int_t)opposite - (json_int_t)begin;
}

static bool find_in_hunk(const json_t *hunk, enum version version, json_int_t wanted, struct change *change)
{
    const json_t *lines = json_object_get(hunk, "lines");
    json_int_t at[VERSIONS] = {json_integer_value(json_object_get(hunk, "old_line")),
                               json_integer_value(json_object_get(hunk, "new_line"))};
    for (size_t i = 0; i < json_array_size(lines); i++) {
        const char *text = line_of(lines, i);
        bool has[VERSIONS] = {*text != '+', *text != '-'};
        if (has[version] && at[version] == wanted) {
            *change = (struct change){.is_common = *text == ' ', .lines = {at[OLD], at[NEW]}};
            for (int v = 0; v < VERSIONS; v++)
                change->texts[v] = has[v] ? text + 1 : NULL;
            if (!change->is_common)
                find_opposite(lines, i, version, change);
            return true;
        }
        at[OLD] += has[OLD], at[NEW] += has[NEW];
    }
    return false;
}

static bool ends_with(const char *path, const char *name)
{
    size_t length = strlen(path), end = strlen(name);
    return length >= end && !strcmp(path + length - end, name) && (length == end || path[length - end - 1] == '/');
}

static bool add_from_patch(const struct report *report, const struct report_divergence *divergence, json_t *list)
{
    size_t i, k;
    json_t *file, *hunk;
    json_array_foreach (report->patch, i, file) {
        const char *names[] = {json_string_value(json_object_get(file, "old_file")),
                               json_string_value(json_object_get(file, "file"))};
        enum version version = ends_with(divergence->file, names[NEW]) ? NEW : OLD;
        if (!ends_with(divergence->file, names[version]))
            continue;
        json_array_foreach (json_object_get(file, "hunks"), k, hunk) {
            struct change change;
            if (!find_in_hunk(hunk, version, divergence->line, &change))
                continue;
            for (int v = 0; v < VERSIONS; v++)
                if (change.texts[v])
                    add(list, divergence, (enum version)v, names[v], change.lines[v], change.texts[v]);
            return true;
        }
    }
    return false;
}

/* ---- in the file ---- */

static void add_from_file(const struct report_divergence *divergence, json_t *list)
{
    struct text text = {0};
    struct error ignored = {0};
    unsigned number = 1;
    if (divergence->path && file_read(divergence->path, &text, &ignored))
        for (char *line = (char *)text_string(&text), *next; *line; line = next, number++) {
            size_t length = strcspn(line, "\n");
            next = line + length + (line[length] == '\n');
            line[length] = '\0';
            if (number == divergence->line && json_array_size(list) == 0)
                for (int v = 0; v < VERSIONS; v++)
                    add(list, divergence, (enum version)v, divergence->file, number, line);
        }
    error_clear(&ignored);
    text_free(&text);
}

void source_add(struct report *report)
{
    for (size_t i = 0; i < report->group_count; i++) {
        const struct report_divergence *witness = groups_witness(report, &report->groups[i]);
        json_t *list = json_array();
        if (!add_from_patch(report, witness, list))
            add_from_file(witness, list);
        json_decref(report->groups[i].source);
        report->groups[i].source = list;
    }
}

void source_free(struct report *report)
{
    for (size_t i = 0; i < report->group_count; i++)
        json_decref(report->groups[i].source);
    free(report->groups);
    json_decref(report->group_objects);
}
