#include "campaign/journal.h"

#include "base/file.h"
#include "campaign/database.h"
#include "report/document.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char tables[] =
    "CREATE TABLE asked(content TEXT NOT NULL);"
    "CREATE TABLE records(number INTEGER PRIMARY KEY, moment REAL NOT NULL, entry TEXT,"
    " way TEXT NOT NULL, record TEXT NOT NULL, content TEXT NOT NULL);"
    "CREATE TABLE sources(path TEXT PRIMARY KEY, digest TEXT NOT NULL);"
    "CREATE TABLE samples(number INTEGER PRIMARY KEY, moment REAL NOT NULL, content TEXT NOT NULL);";

/* ---- writing ---- */

/* Takes the value over, which is the first of the statement's. */
static bool write_json(const char *path, const char *statement, json_t *value, const char *more, struct error *error)
{
    char *content = json_dumps(value, JSON_COMPACT);
    const char *const values[] = {content, more, NULL};
    json_decref(value);
    bool good = database_write(path, statement, values, error);
    free(content);
    return good;
}

bool journal_create(const char *path, const json_t *asked, struct error *error)
{
    return database_create(path, tables, error) &&
           write_json(path, "INSERT INTO asked VALUES (?)", json_incref((json_t *)asked), NULL, error);
}

#define NOW "(julianday('now') - 2440587.5) * 86400"
#define INSERT_RECORDS "INSERT INTO records(moment, entry, way, record, content) SELECT " NOW ", "

bool journal_append(const char *path, json_t *record, const char *way, struct error *error)
{
    static const char statement[] = INSERT_RECORDS "?1 ->> 'entry', ?2, ?1 ->> 'record', ?1";
    return write_json(path, statement, record, way ? way : "", error);
}

bool journal_append_all(const char *path, json_t *records, struct error *error)
{
    static const char statement[] = INSERT_RECORDS "value ->> 'entry', '', value ->> 'record', value FROM json_each(?)";
    return write_json(path, statement, records, NULL, error);
}

bool journal_add_sources(const char *path, json_t *sources, struct error *error)
{
    static const char statement[] = "INSERT OR IGNORE INTO sources SELECT key, value FROM json_each(?)";
    return write_json(path, statement, sources, NULL, error);
}

bool journal_add_sample(const char *path, const char *entry, json_t *sample, struct error *error)
{
    json_object_set_new(sample, "entry", json_string(entry));
    return write_json(path, "INSERT INTO samples(moment, content) SELECT " NOW ", ?", sample, NULL, error);
}

/* ---- reading ---- */

static void take_json(void *context, sqlite3_stmt *row)
{
    json_t *value = json_loads((const char *)sqlite3_column_text(row, 0), JSON_ALLOW_NUL, NULL);
    if (value)
        json_array_append_new(context, value);
}

static json_t *read_list(const char *path, const char *statement, struct error *error)
{
    json_t *list = json_array();
    if (database_read(path, statement, NULL, take_json, list, error))
        return list;
    json_decref(list);
    return NULL;
}

json_t *journal_asked(const char *path, struct error *error)
{
    json_t *list = read_list(path, "SELECT content FROM asked", error);
    json_t *asked = list ? json_incref(json_array_get(list, 0)) : NULL;
    if (list && !asked)
        error_set(error, "%s is damaged: it does not say what was asked", path);
    json_decref(list);
    return asked;
}

json_t *journal_read(const char *path, struct error *error)
{
    return read_list(
        path,
        "SELECT content FROM records WHERE way = '' OR NOT EXISTS (SELECT 1 FROM records AS other WHERE other.record = "
        "'" RECORD_DROPPED "' AND other.entry = records.entry AND other.way = records.way AND "
        "other.number > records.number) ORDER BY number",
        error);
}

json_t *journal_samples(const char *path, struct error *error)
{
    return read_list(
        path,
        "SELECT json_set(content, '$.at', max(moment - (SELECT min(moment) FROM records), 0)) FROM samples "
        "ORDER BY number",
        error);
}

static void take_source(void *context, sqlite3_stmt *row)
{
    json_object_set_new(context, (const char *)sqlite3_column_text(row, 0),
                        json_string((const char *)sqlite3_column_text(row, 1)));
}

json_t *journal_sources(const char *path, struct error *error)
{
    json_t *sources = json_object();
    if (database_read(path, "SELECT path, digest FROM sources", NULL, take_source, sources, error))
        return sources;
    json_decref(sources);
    return NULL;
}

/* ---- reports ---- */

enum { MOST_SAMPLES = 400 };

/* Every second one, as often as it takes; the last says how it ended. */
static void thin(json_t *samples)
{
    while (json_array_size(samples) > MOST_SAMPLES)
        for (size_t i = 0; i + 1 < json_array_size(samples); i++)
            json_array_remove(samples, i);
}

void journal_add_timeline(const char *path, const char *entry, json_t *document)
{
    struct error ignored = {0}; /* a report without it is one */
    json_t *samples = journal_samples(path, &ignored), *timeline = json_array(), *sample;
    size_t i;
    json_array_foreach (samples, i, sample) {
        if (!entry || !strcmp(entry, document_string(sample, "entry")))
            json_array_append(timeline, sample);
    }
    thin(timeline);
    json_object_set_new(document, "timeline", timeline);
    json_decref(samples);
    error_clear(&ignored);
}

json_t *journal_make_document(const char *path, const struct document_end *end, struct error *error)
{
    json_t *records = journal_read(path, error);
    if (!records)
        return NULL;
    json_t *document = document_make(records, end);
    journal_add_timeline(path, NULL, document);
    json_decref(records);
    return document;
}

/* Whether what views go through is there. */
static bool has_lists(const json_t *document)
{
    static const char *const keys[] = {"groups", "divergences", "entries", "limits", "assumptions"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const json_t *list = json_object_get(document, keys[i]);
        if (!json_is_array(list))
            return false;
        for (size_t k = 0; k < json_array_size(list); k++)
            if (!json_is_object(json_array_get(list, k)))
                return false;
    }
    return true;
}

static json_t *read_document(const char *path, struct error *error)
{
    json_error_t problem;
    json_t *document = json_load_file(path, JSON_ALLOW_NUL, &problem);
    const char *schema = document ? document_string(document, "schema") : NULL;
    bool is_known = schema && !strcmp(schema, DOCUMENT_SCHEMA);
    if (is_known && has_lists(document))
        return document;
    if (schema && !is_known)
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
    struct document_end stopped = {3, "interrupted", "it has not come to its end (penumbra resume goes on)"};
    text_format(&path, "%s/report.json", directory);
    text_format(&journal, "%s/" JOURNAL_NAME, directory);
    if (!access(text_string(&path), F_OK)) {
        document = read_document(text_string(&path), error);
    } else if (!access(text_string(&journal), F_OK)) {
        document = journal_make_document(text_string(&journal), &stopped, error);
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
