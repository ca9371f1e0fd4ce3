#include "campaign/journal.h"

#include "base/file.h"
#include "report/document.h"

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

static json_t *read_document(const char *path, struct error *error)
{
    json_error_t problem;
    json_t *document = json_load_file(path, 0, &problem);
    const char *schema = document ? document_string(document, "schema") : NULL;
    if (schema && !strcmp(schema, DOCUMENT_SCHEMA))
        return document;
    if (schema)
        error_set(error, "%s is of another version of penumbra: it is %s, this version reads " DOCUMENT_SCHEMA, path,
                  schema);
    else
        error_set(error, "%s is damaged: %s", path, document ? "it is no report" : problem.text);
    json_decref(document);
    return NULL;
}

json_t *journal_read_report(const char *directory, struct error *error)
{
    struct text path = {0}, journal = {0};
    json_t *document = NULL;
    struct document_end stopped = {3, "interrupted", "it has not come to its end"};
    text_format(&path, "%s/report.json", directory);
    text_format(&journal, "%s/" JOURNAL_NAME, directory);
    if (!access(text_string(&path), F_OK)) {
        document = read_document(text_string(&path), error);
    } else if (!access(text_string(&journal), F_OK)) {
        json_t *records = journal_read(text_string(&journal));
        document = document_make(records, &stopped);
        json_decref(records);
    } else {
        error_set(error, "%s is no results directory: it has neither report.json nor " JOURNAL_NAME, directory);
    }
    text_free(&path), text_free(&journal);
    return document;
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
