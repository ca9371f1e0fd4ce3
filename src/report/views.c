#include "report/views.h"

#include "base/file.h"
#include "report/document.h"
#include "report/values.h"

#include <string.h>

static const struct {
    const char *name, *file;
    view_write *write;
} views[] = {
    {"html", "report.html", view_html},
    {"sarif", "report.sarif", view_sarif},
    {"junit", "report.xml", view_junit},
    {"md", "report.md", view_markdown},
};
enum { VIEWS = sizeof views / sizeof *views };

static size_t find_view(const char *name, size_t length)
{
    size_t i = 0;
    while (i < VIEWS && (strlen(views[i].name) != length || strncmp(views[i].name, name, length)))
        i++;
    return i;
}

bool views_are_known(const char *list, struct error *error)
{
    for (const char *at = list; *at;) {
        size_t length = strcspn(at, ",");
        if (find_view(at, length) == VIEWS)
            return error_set(error, "there is no report '%.*s': known are " VIEW_NAMES, (int)length, at);
        at += length + (at[length] == ',');
    }
    return *list || error_set(error, "no report is named: known are " VIEW_NAMES);
}

static bool write_view(const json_t *document, size_t view, const char *directory, struct error *error)
{
    struct text text = {0}, path = {0};
    views[view].write(document, &text);
    text_format(&path, "%s/%s", directory, views[view].file);
    bool good = file_write(text_string(&path), text_string(&text), text.length, error);
    text_free(&text), text_free(&path);
    return good;
}

bool views_write(const json_t *document, const char *list, const char *directory, struct error *error)
{
    bool good = views_are_known(list, error);
    for (const char *at = list; *at && good;) {
        size_t length = strcspn(at, ",");
        good = write_view(document, find_view(at, length), directory, error);
        at += length + (at[length] == ',');
    }
    return good;
}

/* ---- what several of them need ---- */

const char *view_string(const json_t *object, const char *key)
{
    const char *string = document_string(object, key);
    return string ? string : "";
}

const char *view_class_sentence(const char *class)
{
    static const char *const sentences[][2] = {
        {"regression", "fails only in the new version"},
        {"output", "the versions' outputs differ"},
        {"fix", "failed in the old version only"},
        {"silent", "another path, the same output"},
        {"leak", "the versions lose other memory"},
        {"both-fail", "both versions fail alike"},
        {"unreproduced", "native runs contradict the prediction"},
    };
    for (size_t i = 0; i < sizeof sentences / sizeof *sentences; i++)
        if (!strcmp(sentences[i][0], class))
            return sentences[i][1];
    return "";
}

void view_add_place(const json_t *group, struct text *text)
{
    const json_t *place = json_object_get(group, "place");
    text_format(text, "%s:%lld:%lld", view_string(place, "file"), json_integer_value(json_object_get(place, "line")),
                json_integer_value(json_object_get(place, "column")));
}

size_t view_count(const json_t *group)
{
    return (size_t)(json_integer_value(json_object_get(group, "count")) +
                    json_integer_value(json_object_get(group, "unproven")));
}

void view_add_end(const json_t *run, struct text *text)
{
    const char *location = view_string(run, "location");
    if (json_is_true(json_object_get(run, "failed")))
        text_format(text, "%s%s%s", view_string(run, "failure"), *location ? " at " : "", location);
    else
        text_format(text, "exit status %lld", json_integer_value(json_object_get(run, "exit_status")));
}

/* `name = 07 00 00 00  # 7` is `name = 7`. */
static void add_readable(const char *line, size_t length, struct text *text)
{
    const char *equals = memmem(line, length, " = ", 3), *mark = memmem(line, length, "  # ", 4);
    if (!equals || !mark || mark < equals) {
        text_append(text, line, length);
        return;
    }
    text_append(text, line, (size_t)(equals + 3 - line));
    text_append(text, mark + 4, length - (size_t)(mark + 4 - line));
}

void view_add_output(const json_t *run, const json_t *other, const char *indent, struct text *text)
{
    const char *there = json_is_true(json_object_get(other, "failed")) ? "" : view_string(other, "output");
    for (const char *line = view_string(run, "output"); *line;) {
        size_t length = strcspn(line, "\n");
        if (!report_has_line(there, line, length)) {
            text_add(text, indent);
            add_readable(line, length, text);
            text_add(text, "\n");
        }
        line += length + (line[length] == '\n');
    }
    if (json_is_true(json_object_get(run, "failed")) || json_is_true(json_object_get(other, "failed")) ||
        !json_equal(json_object_get(run, "exit_status"), json_object_get(other, "exit_status"))) {
        text_add(text, indent);
        view_add_end(run, text);
        text_add(text, "\n");
    }
}
