#include "campaign/journal.h"

#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool journal_append(const char *path, json_t *record, struct error *error)
{
    char *line = json_dumps(record, JSON_COMPACT);
    json_decref(record);
    int file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    struct text text = {0};
    text_format(&text, "%s\n", line);
    bool good = file >= 0 && file_write_to(file, text_string(&text), text.length); /* at once: others write, too */
    int reason = errno;
    if (file >= 0)
        close(file);
    text_free(&text);
    free(line);
    return good || error_set(error, "%s cannot be written: %s", path, strerror(reason));
}

json_t *journal_read(const char *path)
{
    struct text text = {0};
    struct error ignored = {0};
    json_t *records = json_array();
    if (!access(path, R_OK) && file_read(path, &text, &ignored))
        for (const char *line = text_string(&text), *end; (end = strchr(line, '\n')); line = end + 1) {
            json_t *record = json_loadb(line, (size_t)(end - line), 0, NULL);
            if (record)
                json_array_append_new(records, record);
        }
    error_clear(&ignored);
    text_free(&text);
    return records;
}

bool journal_write_report(const char *directory, const json_t *document, struct error *error)
{
    struct text path = {0};
    char *content = json_dumps(document, JSON_INDENT(2));
    text_format(&path, "%s/report.json", directory);
    bool good = file_write(text_string(&path), content, strlen(content), error);
    text_free(&path);
    free(content);
    return good;
}
