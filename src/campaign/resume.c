#include "campaign/resume.h"
#include "base/clock.h"
#include "base/digest.h"
#include "base/file.h"
#include "base/places.h"
#include "campaign/journal.h"
#include "report/document.h"
#include "report/groups.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

static const double WAIT_SECONDS = 5; /* what a killed process has started dies with it, soon */

bool resume_lock(struct campaign *campaign, struct error *error)
{
    const char *directory = campaign->report.directory;
    int file = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC); /* open until the process ends */
    double end = clock_seconds() + WAIT_SECONDS;
    while (file >= 0 && flock(file, LOCK_EX | LOCK_NB)) {
        if (errno != EWOULDBLOCK && errno != EINTR)
            return true; /* nothing here can be locked */
        if (clock_seconds() > end) {
            close(file);
            return error_set(error, "another penumbra is at work in %s", directory);
        }
        usleep(20000);
    }
    return file >= 0 || error_set(error, "%s: %s", directory, strerror(errno));
}

static const char *string_of(const json_t *object, const char *key)
{
    const char *string = document_string(object, key);
    return string ? string : "";
}

static bool is_of(const json_t *record, const char *kind, const char *entry)
{
    return !strcmp(string_of(record, "record"), kind) && !strcmp(string_of(record, "entry"), entry);
}

/* ---- the campaign ---- */

bool resume_read(struct campaign *campaign, struct error *error)
{
    struct report *report = &campaign->report;
    campaign->earlier = journal_read(report->journal, error);
    unlink(arena_format(report->arena, "%s/report.json", report->directory)); /* it is of what was stopped */
    return campaign->earlier != NULL;
}

bool resume_is_finished(const struct campaign *campaign, const char *entry)
{
    size_t i;
    json_t *record;
    json_array_foreach (campaign->earlier, i, record) {
        if (is_of(record, RECORD_FINISHED, entry))
            return true;
    }
    return false;
}

bool resume_has_queue(const struct campaign *campaign, bool *has, struct error *error)
{
    size_t i, count = 0, others = 0;
    json_t *record;
    json_array_foreach (campaign->earlier, i, record) {
        if (strcmp(string_of(record, "state"), STATE_QUEUED))
            continue;
        others += count >= campaign->preparation.count ||
                  strcmp(string_of(record, "entry"), campaign->preparation.entries[count].label);
        count++;
    }
    *has = count > 0;
    return !count || (!others && count == campaign->preparation.count) ||
           error_set(error, "other functions have changed than when the campaign in %s began. Begin another one",
                     campaign->report.directory);
}

bool resume_finish(const struct campaign *campaign, const char *entry, struct error *error)
{
    if (interrupt_came())
        return true;
    return journal_append(campaign->report.journal, json_pack("{s:s, s:s*}", "record", RECORD_FINISHED, "entry", entry),
                          NULL, error);
}

/* ---- what is kept of a divergence ---- */

/* A digest, since the journal has text only. */
static void add_group_key(const struct report_divergence *divergence, struct text *text)
{
    struct text key = {0};
    char letters[DIGEST_LETTERS + 1];
    groups_add_key(divergence, &key);
    struct digest digest = digest_of(text_string(&key), key.length);
    digest_print(&digest, letters);
    text_add(text, letters);
    text_free(&key);
}

bool resume_is_kept(const struct report *report, const struct report_divergence *divergence)
{
    struct text key = {0};
    if (!report->kept)
        return false;
    add_group_key(divergence, &key);
    bool is_kept = set_find(report->kept, text_string(&key), key.length) < set_count(report->kept);
    text_free(&key);
    return is_kept;
}

/* By name: which inputs a program makes known by itself, and in which order, is for its runs to say. */
static json_t *inputs_of(const struct report *report, const struct report_divergence *divergence)
{
    json_t *inputs = json_object();
    for (size_t i = 0; i < report->layout->count; i++) {
        const struct input_parameter *one = &report->layout->parameters[i];
        json_object_set_new(
            inputs, one->name,
            document_hexadecimal(divergence->input + one->offset, one->element_size * one->element_count));
    }
    return inputs;
}

json_t *resume_describe(const struct report *report, const struct report_divergence *divergence)
{
    struct text key = {0}, input = {0};
    add_group_key(divergence, &key);
    input_print_briefly(report->layout, divergence->input, &input);
    json_t *kept = json_pack("{s:s, s:s, s:s, s:s, s:o}", "key", text_string(&key), "input", text_string(&input), "way",
                             report->way ? report->way : "", "path", places_hide(report->arena, divergence->path),
                             "inputs", inputs_of(report, divergence));
    text_free(&key), text_free(&input);
    return kept;
}

/* ---- an entry ---- */

/* Calls for what is kept of the entry's divergences, of each number the latest. */
typedef bool visit_kept(struct campaign *campaign, const json_t *record, void *context, struct error *error);

static bool is_kept_here(const struct report *report, const json_t *record)
{
    const json_t *kept = json_object_get(record, "kept");
    return kept && is_of(record, RECORD_DIVERGENCE, report->entry) &&
           !strcmp(string_of(kept, "way"), report->way ? report->way : "");
}

/* By record: whether it is to be visited. */
static bool *find_latest(const struct campaign *campaign)
{
    size_t count = json_array_size(campaign->earlier);
    bool *latest = calloc(count + 1, sizeof *latest);
    struct set *numbers = set_create();
    for (size_t i = count; i-- > 0;) {
        const json_t *record = json_array_get(campaign->earlier, i);
        json_int_t number = json_integer_value(json_object_get(record, "number"));
        latest[i] = is_kept_here(&campaign->report, record) && set_add(numbers, &number, sizeof number);
    }
    set_destroy(numbers);
    return latest;
}

static bool visit_all(struct campaign *campaign, visit_kept *visit, void *context, struct error *error)
{
    size_t i;
    json_t *record;
    bool good = true, *latest = find_latest(campaign);
    json_array_foreach (campaign->earlier, i, record) {
        if (good && latest[i])
            good = visit(campaign, record, context, error);
    }
    free(latest);
    return good;
}

static unsigned number_of(const json_t *record)
{
    return (unsigned)json_integer_value(json_object_get(record, "number"));
}

static bool take_number(struct campaign *campaign, const json_t *record, void *context, struct error *error)
{
    struct report *report = &campaign->report;
    const char *key = string_of(json_object_get(record, "kept"), "key");
    (void)context, (void)error;
    if (number_of(record) > report->last_number)
        report->last_number = number_of(record);
    set_add(report->kept, key, strlen(key));
    return true;
}

void resume_begin_entry(struct campaign *campaign)
{
    if (!campaign->earlier)
        return;
    campaign->report.kept = set_create();
    visit_all(campaign, take_number, NULL, NULL);
}

/* FINDING_KINDS where there is none. */
static int kind_of(const char *name)
{
    int kind = 0;
    while (kind < FINDING_KINDS && strcmp(finding_kind_name((enum finding_kind)kind), name))
        kind++;
    return kind;
}

static void read_hexadecimal(const char *letters, uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < size && letters[2 * i]; i++) {
        const char two[] = {letters[2 * i], letters[2 * i + 1], '\0'};
        bytes[i] = (uint8_t)strtoul(two, NULL, 16);
    }
}

static void read_inputs(struct campaign *campaign, const json_t *kept, struct finding *finding)
{
    struct input_layout *layout = campaign->subject.program.layout;
    json_t *inputs = json_object_get(kept, "inputs"), *value;
    const char *name;
    json_object_foreach (inputs, name, value) {
        if (!input_layout_find(layout, name))
            input_layout_learn(layout, name, json_string_length(value) / 2);
    }
    uint8_t *bytes = arena_allocate(campaign->report.arena, layout->size + 1);
    json_object_foreach (inputs, name, value) {
        const struct input_parameter *one = input_layout_find(layout, name);
        read_hexadecimal(json_string_value(value), bytes + one->offset, one->element_size * one->element_count);
    }
    finding->input = bytes;
    finding->input_size = layout->size;
}

static const char **conditions_of(const json_t *record, struct arena *arena)
{
    const json_t *conditions = json_object_get(record, "path_condition");
    size_t count = json_array_size(conditions);
    const char **list = arena_allocate(arena, (count + 1) * sizeof *list);
    for (size_t i = 0; i < count; i++)
        list[i] = arena_copy_string(arena, json_string_value(json_array_get(conditions, i)));
    list[count] = NULL;
    return list;
}

static void place(struct report_divergence *divergence, const json_t *record, struct arena *arena)
{
    const json_t *location = json_object_get(record, "location");
    divergence->path = places_show(arena, arena_copy_string(arena, string_of(json_object_get(record, "kept"), "path")));
    divergence->file = arena_copy_string(arena, string_of(location, "file"));
    divergence->line = (unsigned)json_integer_value(json_object_get(location, "line"));
    divergence->column = (unsigned)json_integer_value(json_object_get(location, "column"));
    divergence->called = arena_copy_string(arena, string_of(location, "called"));
}

/* What was guessed only counts where the exploration came to nothing of the kind (guesses.h). */
static bool is_wanted(const struct report *report, const struct set *found, const json_t *record)
{
    const char *key = string_of(json_object_get(record, "kept"), "key");
    if (!document_is_difference(record) || set_find(found, key, strlen(key)) < set_count(found))
        return false;
    return kind_of(string_of(record, "kind")) != FINDING_NATIVE || !report_is_different(report);
}

static bool add_kept(struct campaign *campaign, const json_t *record, void *found, struct error *error)
{
    struct report *report = &campaign->report;
    struct report_divergence divergence;
    int kind = kind_of(string_of(record, "kind"));
    struct finding finding = {.kind = (enum finding_kind)kind, .phase = string_of(record, "phase")};
    if (kind == FINDING_KINDS || !is_wanted(report, found, record))
        return true;
    finding.conditions = (const char *const *)conditions_of(record, report->arena);
    read_inputs(campaign, json_object_get(record, "kept"), &finding);
    if (!results_prove(report, &campaign->subject, campaign->checker, &finding, number_of(record), &divergence, error))
        return false;
    place(&divergence, record, report->arena);
    divergence.differs = arena_copy_string(report->arena, string_of(record, "differs"));
    return results_keep(report, &campaign->subject, &divergence, error);
}

bool resume_add_kept(struct campaign *campaign, struct error *error)
{
    const struct report *report = &campaign->report;
    if (!campaign->earlier)
        return true;
    struct set *found = set_create();
    for (size_t i = 0; i < report->count; i++) {
        struct text key = {0};
        add_group_key(&report->divergences[i], &key);
        set_add(found, text_string(&key), key.length);
        text_free(&key);
    }
    bool good = visit_all(campaign, add_kept, found, error);
    set_destroy(found);
    return good;
}

static bool remove_folder(struct campaign *campaign, const json_t *record, void *context, struct error *error)
{
    const struct report *report = &campaign->report;
    (void)context, (void)error;
    for (size_t i = 0; i < report->count; i++)
        if (report->divergences[i].number == number_of(record))
            return true;
    file_remove_tree(arena_format(report->arena, "%s/%03u", report->directory, number_of(record)));
    return true;
}

void resume_remove_folders(struct campaign *campaign)
{
    if (campaign->earlier)
        visit_all(campaign, remove_folder, NULL, NULL);
}
