#include "report/document.h"
#include "base/hash.h"

#include "report/report.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

json_t *document_limit(const char *entry, const char *kind, const char *place, size_t count, bool forbids,
                       const char *text)
{
    return json_pack("{s:s, s:s, s:s, s:I, s:b, s:s}", "entry", entry, "kind", kind, "place", place, "count",
                     (json_int_t)count, "forbids_equivalence", forbids, "text", text);
}

json_t *document_entry(const char *entry, const char *place, const char *state, const char *problem)
{
    return json_pack("{s:s, s:s, s:s, s:s, s:s?}", "record", RECORD_ENTRY, "entry", entry, "place", place, "state",
                     state, "problem", problem);
}

static const char *string_of(const json_t *object, const char *key)
{
    const char *string = document_string(object, key);
    return string ? string : "";
}

static uint64_t add_to_hash(uint64_t hash, const char *string)
{
    hash = hash_bytes(hash, string, strlen(string));
    return hash_bytes(hash, "\xff", 1);
}

/* The same in another run, and in versions in which lines have moved: of what is written there, and of what happens. */
static json_t *make_id(const json_t *witness, const json_t *source)
{
    static const char *const keys[] = {"entry", "class", "kind"};
    uint64_t hash = HASH_START;
    size_t i;
    json_t *line;
    for (i = 0; i < sizeof keys / sizeof *keys; i++)
        hash = add_to_hash(hash, string_of(witness, keys[i]));
    hash = add_to_hash(hash, string_of(json_object_get(witness, "location"), "file"));
    hash = add_to_hash(hash, string_of(json_object_get(witness, "old"), "failure"));
    hash = add_to_hash(hash, string_of(json_object_get(witness, "new"), "failure"));
    json_array_foreach (source, i, line) {
        hash = add_to_hash(hash, string_of(line, "text"));
    }
    return json_sprintf("%016llx", (unsigned long long)hash);
}

/* Where nobody has written it for people. */
static json_t *inputs_text(const json_t *inputs)
{
    char *json = json_dumps(inputs, JSON_COMPACT | JSON_ENCODE_ANY);
    json_t *string = json_string(json ? json : "");
    free(json);
    return string;
}

json_t *document_group(json_t *witness, size_t count, size_t unproven, json_t *source)
{
    static const char *const keys[] = {"entry", "class", "kind"};
    json_t *group = json_object();
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        json_object_set(group, keys[i], json_object_get(witness, keys[i]));
    json_object_set(group, "place", json_object_get(witness, "location"));
    json_object_set(group, "when", json_object_get(witness, "path_condition"));
    json_object_set_new(group, "input", inputs_text(json_object_get(witness, "inputs")));
    json_object_set_new(group, "id", make_id(witness, source));
    json_object_set_new(group, "count", json_integer((json_int_t)count));
    json_object_set_new(group, "accepted", json_false());
    json_object_set_new(group, "fixed", json_null());
    json_object_set_new(group, "cause", json_null());
    json_object_set_new(group, "unproven", json_integer((json_int_t)unproven));
    json_object_set_new(group, "source", source ? source : json_array());
    json_object_set_new(group, "witness", witness);
    return group;
}

json_t *document_hexadecimal(const uint8_t *bytes, size_t size)
{
    struct text text = {0};
    for (size_t i = 0; i < size; i++)
        text_format(&text, "%02x", bytes[i]);
    json_t *string = json_string(text_string(&text));
    text_free(&text);
    return string;
}

const char *document_string(const json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}

static bool has_string(const json_t *object, const char *key, const char *value)
{
    const char *string = document_string(object, key);
    return string && !strcmp(string, value);
}

bool document_is_difference(const json_t *divergence)
{
    for (int i = CHECK_REGRESSION; i <= CHECK_UNREPRODUCED; i++)
        if (has_string(divergence, "class", check_class_name((enum check_class)i)))
            return check_class_is_difference((enum check_class)i);
    return false;
}

void document_make_unique(json_t *groups)
{
    size_t i;
    json_t *group, *known = json_object();
    json_array_foreach (groups, i, group) {
        const char *id = document_string(group, "id");
        json_int_t count = json_integer_value(json_object_get(known, id)) + 1;
        json_object_set_new(known, id, json_integer(count));
        if (count > 1)
            json_object_set_new(group, "id", json_sprintf("%s-%lld", id, (long long)count));
    }
    json_decref(known);
}

const json_t *document_find_group(const json_t *document, const char *name)
{
    size_t i;
    json_t *group;
    json_array_foreach (json_object_get(document, "groups"), i, group) {
        const json_t *number = json_object_get(json_object_get(group, "witness"), "number");
        char text[32];
        snprintf(text, sizeof text, "%lld", (long long)json_integer_value(number));
        if (!strcmp(name, text) || has_string(group, "id", name))
            return group;
    }
    return NULL;
}

size_t document_count_verdict(const json_t *document, const char *verdict)
{
    size_t i, count = 0;
    json_t *entry;
    json_array_foreach (json_object_get(document, "entries"), i, entry) {
        count += has_string(entry, "verdict", verdict);
    }
    return count;
}

/* ---- records, one after the other ---- */

/* Every entry has these, whatever becomes of it. */
static json_t *new_entry(const char *name)
{
    return json_pack("{s:s, s:s, s:n, s:s, s:n, s:n, s:n, s:[], s:[], s:b, s:n, s:n, s:[]}", "entry", name, "place", "",
                     "directory", "state", STATE_QUEUED, "verdict", "exit_status", "problem", "leads_to", "through",
                     "inside", 0, "sandbox", "counts", "notes");
}

static json_t *entry_of(json_t *entries, const char *name)
{
    size_t i;
    json_t *entry;
    json_array_foreach (entries, i, entry) {
        if (has_string(entry, "entry", name))
            return entry;
    }
    json_array_append_new(entries, entry = new_entry(name));
    return entry;
}

/* In place of an earlier one of the same number. */
static void take_divergence(json_t *entry, json_t *divergence)
{
    size_t i;
    json_t *other, *list = json_object_get(entry, "divergences");
    if (!list)
        json_object_set_new(entry, "divergences", list = json_array());
    json_array_foreach (list, i, other) {
        if (!json_equal(json_object_get(other, "number"), json_object_get(divergence, "number")))
            continue;
        json_array_set(list, i, divergence);
        return;
    }
    json_array_append(list, divergence);
}

/* A campaign that goes on explores it again: what it had come to is open, what was proven stays. */
static void begin_again(json_t *entry)
{
    json_object_set_new(entry, "verdict", json_null());
    json_object_set_new(entry, "exit_status", json_null());
    json_object_del(entry, "limits");
}

static void take_record(json_t *header, json_t *entries, const json_t *record)
{
    json_t *fields = json_copy((json_t *)record);
    const char *name = document_string(record, "entry");
    json_object_del(fields, "record");
    if (has_string(record, "record", RECORD_CAMPAIGN))
        json_object_update(header, fields);
    if (name && has_string(record, "record", RECORD_ENTRY) && has_string(record, "state", STATE_BEGUN))
        begin_again(entry_of(entries, name));
    if (name && has_string(record, "record", RECORD_ENTRY))
        json_object_update(entry_of(entries, name), fields);
    else if (name && has_string(record, "record", RECORD_DIVERGENCE))
        take_divergence(entry_of(entries, name), fields);
    json_decref(fields);
}

/* ---- what follows from all of them ---- */

static bool has_difference(const json_t *entry)
{
    size_t i;
    json_t *one;
    json_array_foreach (json_object_get(entry, "divergences"), i, one) {
        if (document_is_difference(one))
            return true;
    }
    return false;
}

/* What is on disk before the end is the first divergence of its group. */
static void add_groups(json_t *entry)
{
    size_t i;
    json_t *one, *groups = json_array();
    json_array_foreach (json_object_get(entry, "divergences"), i, one) {
        const char *input = document_string(json_object_get(one, "kept"), "input");
        json_t *group = document_group(json_incref(one), 1, 0, NULL);
        if (input)
            json_object_set_new(group, "input", json_string(input));
        json_array_append_new(groups, group);
    }
    document_make_unique(groups);
    json_object_set_new(entry, "groups", groups);
}

static void forget_kept(json_t *entry)
{
    size_t i;
    json_t *one;
    json_array_foreach (json_object_get(entry, "divergences"), i, one) {
        json_object_del(one, "kept");
    }
}

/* Of an entry that has no result, because the campaign was stopped or because it cannot be explored. */
static void conclude_entry(json_t *entry)
{
    bool is_begun = has_string(entry, "state", STATE_BEGUN);
    if (document_string(entry, "verdict"))
        return;
    add_groups(entry);
    enum verdict verdict = has_difference(entry) ? VERDICT_DIFFERENT
                           : is_begun            ? VERDICT_NO_DIFFERENCE_FOUND
                                                 : VERDICT_NOT_EXPLORED;
    json_object_set_new(entry, "verdict", json_string(verdict_name(verdict)));
}

/* Moves what an entry has of this kind to the list of all. */
static void gather(json_t *entries, const char *key, json_t *all)
{
    size_t i;
    json_t *entry;
    json_array_foreach (entries, i, entry) {
        json_array_extend(all, json_object_get(entry, key));
        json_object_del(entry, key);
    }
}

static bool some_have(const json_t *entries, const char *key)
{
    size_t i;
    json_t *entry;
    json_array_foreach (entries, i, entry) {
        if (json_object_get(entry, key))
            return true;
    }
    return false;
}

static bool forbids_equivalence(const json_t *limits)
{
    size_t i;
    json_t *limit;
    json_array_foreach (limits, i, limit) {
        if (json_is_true(json_object_get(limit, "forbids_equivalence")))
            return true;
    }
    return false;
}

/* Nothing is equivalent as a whole but what is in all its parts. */
static enum verdict find_verdict(const json_t *document)
{
    size_t count = json_array_size(json_object_get(document, "entries"));
    if (document_count_verdict(document, verdict_name(VERDICT_DIFFERENT)))
        return VERDICT_DIFFERENT;
    if (json_is_true(json_object_get(document, "identical")))
        return VERDICT_EQUIVALENT;
    if (count && document_count_verdict(document, verdict_name(VERDICT_NOT_EXPLORED)) == count)
        return VERDICT_NOT_EXPLORED;
    if (count && document_count_verdict(document, verdict_name(VERDICT_EQUIVALENT)) == count &&
        !forbids_equivalence(json_object_get(document, "limits")))
        return VERDICT_EQUIVALENT;
    return VERDICT_NO_DIFFERENCE_FOUND;
}

/* ---- counts ---- */

enum joining { SUM, LARGEST, SMALLEST };

static enum joining joining_of(const char *key)
{
    if (!strcmp(key, "peak_memory"))
        return LARGEST;
    return !strcmp(key, "time_to_first_divergence") ? SMALLEST : SUM;
}

static json_t *join_numbers(const json_t *one, const json_t *other, enum joining joining)
{
    if (!json_is_number(one) || !json_is_number(other))
        return json_incref((json_t *)(json_is_number(one) ? one : other)); /* the other one is null */
    bool is_larger = json_number_value(one) > json_number_value(other);
    if (joining != SUM)
        return json_incref((json_t *)(is_larger == (joining == LARGEST) ? one : other));
    if (json_is_integer(one) && json_is_integer(other))
        return json_integer(json_integer_value(one) + json_integer_value(other));
    return json_real(json_number_value(one) + json_number_value(other));
}

static void add_counts(json_t *all, json_t *counts)
{
    const char *key;
    json_t *value;
    json_object_foreach (counts, key, value) {
        json_t *known = json_object_get(all, key);
        if (json_is_object(known))
            add_counts(known, value);
        else
            json_object_set_new(all, key, join_numbers(known, value, joining_of(key)));
    }
}

static json_t *all_counts(const json_t *entries)
{
    size_t i;
    json_t *entry, *all = report_no_counts();
    json_array_foreach (entries, i, entry) {
        add_counts(all, json_object_get(entry, "counts"));
    }
    return all;
}

/* ---- the document ---- */

/* Of the campaign: its own, null where it did not come to know it. */
static void copy_asked(json_t *document, const json_t *header)
{
    static const char *const keys[] = {"files",           "entry",     "mode",     "overflow",
                                       "float_tolerance", "directory", "identical"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        json_t *value = json_object_get(header, keys[i]);
        json_object_set(document, keys[i], value ? value : json_null());
    }
}

/* How runs were made, which is the same for all entries unless one had to be run otherwise. */
static void join_runs(json_t *document, const json_t *entries)
{
    size_t i;
    bool inside = false, outside = false;
    json_t *entry, *sandbox = json_null(), *notes = json_array();
    json_array_foreach (entries, i, entry) {
        bool has_run = json_is_object(json_object_get(entry, "counts"));
        inside |= has_run && json_is_true(json_object_get(entry, "inside"));
        outside |= has_run && !json_is_true(json_object_get(entry, "inside"));
        if (json_is_null(sandbox))
            sandbox = json_object_get(entry, "sandbox");
        json_array_extend(notes, json_object_get(entry, "notes"));
    }
    json_object_set_new(document, "inside", json_boolean(inside && !outside));
    json_object_set(document, "sandbox", sandbox);
    json_object_set_new(document, "notes", notes);
}

static json_t *assemble(const json_t *header, json_t *entries, const struct document_end *end)
{
    json_t *document = json_pack("{s:s, s:s, s:n, s:i}", "schema", DOCUMENT_SCHEMA, "version", PENUMBRA_VERSION_STRING,
                                 "verdict", "exit_status", end->exit_status);
    json_t *limits = json_array(), *assumptions = json_array(), *divergences = json_array(), *groups = json_array();
    json_t *unification = json_object_get(header, "unification");
    json_t *patch = json_object_get(header, "patch"), *starts = json_object_get(header, "starts");
    if (end->kind)
        json_array_append_new(limits, document_limit("", end->kind, "", 1, true, end->text));
    json_array_extend(limits, json_object_get(header, "limits"));
    gather(entries, "limits", limits);
    gather(entries, "assumptions", assumptions);
    gather(entries, "divergences", divergences);
    gather(entries, "groups", groups);
    copy_asked(document, header);
    join_runs(document, entries);
    json_object_set_new(document, "counts", all_counts(entries));
    json_object_set_new(document, "limits", limits);
    json_object_set_new(document, "assumptions", assumptions);
    json_object_set_new(document, "groups", groups);
    json_object_set_new(document, "divergences", divergences);
    if (some_have(entries, "semantic_changes")) {
        json_t *changes = json_array();
        gather(entries, "semantic_changes", changes);
        json_object_set_new(document, "semantic_changes", changes);
    }
    json_object_set(document, "entries", entries);
    json_object_set(document, "patch", patch ? patch : json_null());
    json_object_set(document, "unification", unification ? unification : json_null());
    if (starts)
        json_object_set(document, "starts", starts);
    json_object_set_new(document, "verdict", json_string(verdict_name(find_verdict(document))));
    return document;
}

json_t *document_make(const json_t *records, const struct document_end *end)
{
    size_t i;
    json_t *record, *entry, *header = json_object(), *entries = json_array();
    json_array_foreach (records, i, record) {
        take_record(header, entries, record);
    }
    json_array_foreach (entries, i, entry) {
        conclude_entry(entry);
        forget_kept(entry);
    }
    json_t *document = assemble(header, entries, end);
    json_decref(header);
    json_decref(entries);
    return document;
}
