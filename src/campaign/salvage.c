#include "campaign/salvage.h"

#include "base/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FINDINGS "findings.jsonl"

bool salvage_keep(const struct report *report, const struct report_divergence *divergence, struct error *error)
{
    const char *path = arena_format(report->arena, "%s/" FINDINGS, report->directory);
    int file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (file < 0)
        return error_set(error, "%s cannot be written: %s", path, strerror(errno));
    char *line = report_divergence_json(report, divergence);
    struct text text = {0};
    text_format(&text, "%s\n", line);
    bool good = file_write_to(file, text_string(&text), text.length);
    text_free(&text);
    free(line);
    close(file);
    return good || error_set(error, "%s cannot be written: %s", path, strerror(errno));
}

/* ---- reading ---- */

static void replace_or_append(json_t *list, json_t *one)
{
    size_t i;
    json_t *other;
    json_array_foreach(list, i, other) if (json_equal(json_object_get(other, "number"), json_object_get(one, "number")))
    {
        json_array_set_new(list, i, one);
        return;
    }
    json_array_append_new(list, one);
}

/* The divergences that a directory has lines of; a last line that was not written to its end is left out. */
static json_t *read_findings(const char *directory)
{
    struct text path = {0}, text = {0};
    struct error ignored = {0};
    json_t *list = json_array();
    text_format(&path, "%s/" FINDINGS, directory);
    if (!access(text_string(&path), R_OK) && file_read(text_string(&path), &text, &ignored))
        for (const char *line = text_string(&text), *end; (end = strchr(line, '\n')); line = end + 1) {
            json_t *one = json_loadb(line, (size_t)(end - line), 0, NULL);
            if (one)
                replace_or_append(list, one);
        }
    error_clear(&ignored);
    text_free(&path), text_free(&text);
    return list;
}

static bool is_difference(const json_t *divergence)
{
    const char *class = json_string_value(json_object_get(divergence, "class"));
    for (int i = CHECK_REGRESSION; class && i <= CHECK_UNREPRODUCED; i++)
        if (!strcmp(class, check_class_name((enum check_class)i)))
            return check_class_is_difference((enum check_class)i);
    return false;
}

static bool has_difference(const json_t *divergences)
{
    size_t i;
    json_t *one;
    json_array_foreach(divergences, i, one) if (is_difference(one)) return true;
    return false;
}

/* ---- the report ---- */

static void write_reason(const struct supervised *supervised, char why[128])
{
    static const char *const reasons[] = {[WORKER_OUT_OF_TIME] = "time limit reached (raise --time)",
                                          [WORKER_OUT_OF_MEMORY] = "memory limit reached (raise --memory-all)",
                                          [WORKER_INTERRUPTED] = "interrupted"};
    const char *name = sigabbrev_np(supervised->status);
    if (supervised->end == WORKER_CRASHED)
        snprintf(why, 128, "ended by signal %d, SIG%s: a defect of penumbra, please report it", supervised->status,
                 name ? name : "?");
    else
        snprintf(why, 128, "%s", reasons[supervised->end]);
}

static const char *kind(enum worker_end end)
{
    static const char *const kinds[] = {[WORKER_OUT_OF_TIME] = "time",
                                        [WORKER_OUT_OF_MEMORY] = "memory",
                                        [WORKER_INTERRUPTED] = "interrupted",
                                        [WORKER_CRASHED] = "crashed"};
    return kinds[end];
}

static json_t *make_report(const struct supervised *supervised, json_t *divergences, const char *why)
{
    json_t *limit = json_pack("{s:s, s:s, s:i, s:b, s:s}", "kind", kind(supervised->end), "place", "", "count", 1,
                              "forbids_equivalence", 1, "text", why);
    return json_pack(
        "{s:s, s:s, s:s, s:s, s:[o], s:[], s:o}", "schema", REPORT_SCHEMA, "version", PENUMBRA_VERSION_STRING,
        "verdict", verdict_name(has_difference(divergences) ? VERDICT_DIFFERENT : VERDICT_NO_DIFFERENCE_FOUND),
        "directory", supervised->shared.directory, "limits", limit, "assumptions", "divergences", divergences);
}

/* Those of several entries are in directories of their own; what has a report is not salvaged. */
static void add_entries(const char *directory, json_t *divergences)
{
    DIR *list = opendir(directory);
    for (struct dirent *entry; list && (entry = readdir(list));) {
        struct text path = {0};
        size_t i;
        json_t *one, *found;
        if (entry->d_name[0] == '.' || entry->d_type != DT_DIR)
            continue;
        text_format(&path, "%s/%s", directory, entry->d_name);
        found = read_findings(text_string(&path));
        json_array_foreach(found, i, one)
        {
            json_object_set_new(one, "entry", json_string(entry->d_name));
            json_array_append(divergences, one);
        }
        json_decref(found);
        text_free(&path);
    }
    if (list)
        closedir(list);
}

bool salvage(const struct supervised *supervised, struct salvaged *salvaged, struct error *error)
{
    const char *directory = supervised->shared.directory;
    *salvaged = (struct salvaged){0};
    write_reason(supervised, salvaged->why);
    if (!*directory)
        return true;
    json_t *divergences = read_findings(directory);
    add_entries(directory, divergences);
    salvaged->different = has_difference(divergences);
    salvaged->report = make_report(supervised, divergences, salvaged->why);
    salvaged->document = json_dumps(salvaged->report, JSON_INDENT(2));
    struct text path = {0};
    text_format(&path, "%s/report.json", directory);
    bool good = file_write(text_string(&path), salvaged->document, strlen(salvaged->document), error);
    text_free(&path);
    return good;
}

void salvaged_free(struct salvaged *salvaged)
{
    free(salvaged->document);
    json_decref(salvaged->report);
}
