#include "campaign/accepted.h"
#include "base/file.h"
#include "campaign/journal.h"
#include "report/document.h"
#include "report/views.h"

#include <string.h>
#include <unistd.h>

/* Whether a line of the file begins with the id. */
static bool has_id(const struct text *content, const char *id)
{
    size_t length = strlen(id);
    for (const char *line = text_string(content); *line;) {
        if (!strncmp(line, id, length) && strchr(" \t\n", line[length]))
            return true;
        line += strcspn(line, "\n");
        line += *line == '\n';
    }
    return false;
}

static bool read_accepted(const char *path, struct text *content, struct error *error)
{
    return access(path, F_OK) != 0 || file_read(path, content, error);
}

bool accepted_mark(struct report *report, const char *path, struct error *error)
{
    struct text content = {0};
    bool good = read_accepted(path, &content, error);
    for (size_t i = 0; i < report->group_count && good; i++) {
        json_t *object = json_array_get(report->group_objects, i);
        report->groups[i].is_accepted = has_id(&content, document_string(object, "id"));
        json_object_set_new(object, "accepted", json_boolean(report->groups[i].is_accepted));
    }
    text_free(&content);
    return good;
}

static bool append(const char *path, const json_t *group, struct text *content, struct error *error)
{
    if (has_id(content, document_string(group, "id")))
        return error_set(error, "%s has it already", path);
    if (content->length && content->data[content->length - 1] != '\n')
        text_add(content, "\n");
    text_format(content, "%s %s ", document_string(group, "id"), view_string(group, "class"));
    view_add_place(group, content);
    text_format(content, "  # %s\n", view_string(group, "input"));
    return file_write(path, text_string(content), content->length, error);
}

bool accepted_add(const char *directory, const char *name, const char *path, struct error *error)
{
    json_t *document = journal_read_report(directory, error);
    struct text content = {0};
    bool good = document != NULL;
    if (good) {
        const json_t *group = document_find_group(document, name);
        good = group ? read_accepted(path, &content, error) && append(path, group, &content, error)
                     : error_set(error, "there is no group '%s' in %s: penumbra show lists them", name, directory);
    }
    text_free(&content);
    json_decref(document);
    return good;
}
