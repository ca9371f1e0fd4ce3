/* What was found, as records: the parts of the document that docs/json.md describes. */
#include "input/floating.h"
#include "report/conditions.h"
#include "report/document.h"
#include "report/groups.h"
#include "report/report.h"

#include <string.h>

static json_t *number(__int128 value)
{
    if (value <= INT64_MAX && value >= INT64_MIN)
        return json_integer((json_int_t)value);
    struct text digits = {0}; /* an unsigned number that JSON readers would round */
    input_print_number(&digits, value);
    json_t *string = json_string(text_string(&digits));
    text_free(&digits);
    return string;
}

/* JSON has neither infinities nor NaN: they are strings. */
static json_t *floating(const struct input_parameter *parameter, const uint8_t *bytes, size_t element)
{
    json_t *real =
        json_real(floating_value((uint64_t)input_element(parameter, bytes, element), parameter->element_size));
    if (real)
        return real;
    struct text text = {0};
    input_print_element(parameter, bytes, element, &text);
    json_t *string = json_string(text_string(&text));
    text_free(&text);
    return string;
}

static json_t *element_value(const struct input_parameter *parameter, const uint8_t *bytes, size_t element)
{
    return parameter->kind == INPUT_FLOATING ? floating(parameter, bytes, element)
                                             : number(input_element(parameter, bytes, element));
}

static json_t *parameter_value(const struct input_parameter *parameter, const uint8_t *bytes)
{
    if (!parameter->is_array)
        return parameter->kind == INPUT_BOOL || parameter->kind == INPUT_NULL
                   ? json_boolean(input_element(parameter, bytes, 0) != 0)
                   : element_value(parameter, bytes, 0);
    json_t *elements = json_array();
    for (size_t i = 0; i < parameter->element_count; i++)
        json_array_append_new(elements, element_value(parameter, bytes, i));
    return elements;
}

static json_t *inputs(const struct report *report, const struct report_divergence *divergence)
{
    json_t *object = json_object();
    for (size_t i = 0; i < report->layout->count; i++) {
        const struct input_parameter *parameter = &report->layout->parameters[i];
        if (!input_is_usual(parameter, divergence->input))
            json_object_set_new(object, parameter->name, parameter_value(parameter, divergence->input));
    }
    return object;
}

/* Output of programs under test may be any bytes: those that are no text in UTF-8 are read as Latin-1. */
static json_t *bytes_as_string(const struct text *bytes)
{
    json_t *string = json_stringn(text_string(bytes), bytes->length);
    if (string)
        return string;
    struct text converted = {0};
    for (size_t i = 0; i < bytes->length; i++) {
        unsigned char byte = (unsigned char)bytes->data[i];
        char two[] = {(char)(0xc0 | byte >> 6), (char)(0x80 | (byte & 0x3f))};
        text_append(&converted, byte < 0x80 ? bytes->data + i : two, byte < 0x80 ? 1 : 2);
    }
    string = json_stringn(text_string(&converted), converted.length);
    text_free(&converted);
    return string;
}

static json_t *observation(const struct check_observation *run)
{
    return json_pack("{s:b, s:s, s:s, s:b, s:i, s:I, s:I, s:o}", "failed", run->failed, "failure", run->failure,
                     "location", run->location, "by_own_check", run->by_own_check, "exit_status", run->exit_status,
                     "leaked_blocks", (json_int_t)run->leaked_blocks, "leaked_bytes", (json_int_t)run->leaked_bytes,
                     "output", bytes_as_string(&run->output));
}

static json_t *strings(const char *const *list)
{
    json_t *array = json_array();
    for (size_t i = 0; list[i]; i++)
        json_array_append_new(array, json_string(list[i]));
    return array;
}

static json_t *divergence_object(const struct report *report, const struct report_divergence *divergence)
{
    const struct check_verdict *verdict = &divergence->verdict;
    json_t *location =
        json_pack("{s:s, s:i, s:i, s:s*}", "file", divergence->file, "line", (int)divergence->line, "column",
                  (int)divergence->column, "called", *divergence->called ? divergence->called : NULL);
    return json_pack("{s:s, s:i, s:s, s:o, s:o, s:s, s:s, s:b, s:s, s:o, s:s, s:o, s:o, s:s?, s:s?}", "entry",
                     report->entry, "number", (int)divergence->number, "class", check_class_name(verdict->class),
                     "inputs", inputs(report, divergence), "location", location, "kind",
                     finding_kind_name(divergence->kind), "phase", divergence->phase, "overflow",
                     check_signed_overflow(verdict), "undefined", check_undefined(verdict), "path_condition",
                     strings(divergence->path_condition), "differs", divergence->differs, "old",
                     observation(&verdict->old_run), "new", observation(&verdict->new_run), "input_file",
                     divergence->input_path, "repro", divergence->repro);
}

static json_t *counts(const struct report *report)
{
    static const struct explore_statistics no_statistics;
    static const struct solve_statistics no_queries;
    const struct explore_statistics *statistics = report->statistics ? report->statistics : &no_statistics;
    const struct solve_statistics *solver = report->solver ? report->solver : &no_queries;
    json_t *queries = json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I}", "all", (json_int_t)solver->queries,
                                "evaluation", (json_int_t)solver->by_evaluation, "cache", (json_int_t)solver->by_cache,
                                "models", (json_int_t)solver->by_models, "ranges", (json_int_t)solver->by_ranges,
                                "search", (json_int_t)solver->by_search, "cadical", (json_int_t)solver->by_cadical,
                                "z3", (json_int_t)solver->by_z3);
    json_t *object = json_pack(
        "{s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:o, s:I, s:I, s:I, s:I, s:f, s:f, s:f, s:I, s:I}", "native_runs",
        (json_int_t)report->native_runs, "runs", (json_int_t)statistics->runs, "states", (json_int_t)statistics->states,
        "paths", (json_int_t)statistics->paths, "old_paths", (json_int_t)statistics->old_paths, "diff_paths",
        (json_int_t)statistics->diff_paths, "output_differences", (json_int_t)statistics->output_differences,
        "divergence_points", (json_int_t)statistics->divergence_points, "solver_queries", queries, "unknowns",
        (json_int_t)solver->unknown, "concretisations", (json_int_t)statistics->concretisations, "mispredictions",
        (json_int_t)statistics->mispredictions, "stale_labels", (json_int_t)statistics->stale_labels, "seconds",
        report->seconds, "explore_seconds", statistics->explore_seconds, "cpu_seconds", statistics->cpu_seconds,
        "peak_memory", (json_int_t)statistics->peak_memory, "workers", (json_int_t)statistics->workers);
    json_object_set_new(object, "time_to_first_divergence",
                        report->seconds_to_first < 0 ? json_null() : json_real(report->seconds_to_first));
    return object;
}

static void add_lines(json_t *array, const char *text)
{
    while (*text) {
        size_t length = strcspn(text, "\n");
        json_array_append_new(array, json_stringn(text, length));
        text += length + (text[length] == '\n');
    }
}

static json_t *notes_array(const struct report *report)
{
    json_t *array = json_array();
    add_lines(array, report->sizes);
    add_lines(array, report->notes);
    if (report->recorded_notes)
        add_lines(array, report->recorded_notes);
    return array;
}

static json_t *limits_array(const struct report *report)
{
    json_t *array = json_array();
    for (size_t i = 0; i < report->limits.count; i++) {
        const struct limit *limit = &report->limits.list[i];
        json_array_append_new(
            array, document_limit(report->entry, limit->kind, limit->place, limit->count, limit->forbids, limit->text));
    }
    return array;
}

static json_t *assumptions_array(const struct report *report)
{
    json_t *array = json_array();
    for (size_t i = 0; i < report->assumptions.count; i++) {
        const struct assumption *one = &report->assumptions.list[i];
        json_array_append_new(array, json_pack("{s:s, s:s, s:s, s:s}", "entry", report->entry, "kind", one->kind,
                                               "name", one->name, "text", one->text));
    }
    return array;
}

static json_t *divergences_array(const struct report *report)
{
    json_t *array = json_array();
    for (size_t i = 0; i < report->count; i++)
        if (groups_are_listed(report, i))
            json_array_append_new(array, divergence_object(report, &report->divergences[i]));
    return array;
}

static json_t *cause_object(const struct report_divergence *witness)
{
    return witness->cause_file ? json_pack("{s:s, s:i}", "file", witness->cause_file, "line", (int)witness->cause_line)
                               : json_null();
}

static json_t *group_object(const struct report *report, const struct report_group *group)
{
    const struct report_divergence *witness = groups_witness(report, group);
    json_t *object =
        document_group(divergence_object(report, witness), group->count, group->unproven, json_incref(group->source));
    struct text input = {0};
    input_print_briefly(report->layout, witness->input, &input);
    json_object_set_new(object, "when", strings(conditions_reduce(witness->path_condition, report->arena)));
    json_object_set_new(object, "input", json_string(text_string(&input)));
    json_object_set_new(object, "cause", cause_object(witness));
    if (group->fixed != FIXED_NOT_ASKED)
        json_object_set_new(object, "fixed", json_string(report_fixed_name(group->fixed)));
    text_free(&input);
    return object;
}

const char *report_fixed_name(enum report_fixed fixed)
{
    static const char *const names[] = {[FIXED_NOT_ASKED] = "",
                                        [FIXED_TAKES_IT_BACK] = "taken-back",
                                        [FIXED_KEEPS_IT] = "stays",
                                        [FIXED_UNKNOWN] = "unknown"};
    return names[fixed];
}

void report_make_groups(struct report *report)
{
    json_decref(report->group_objects);
    report->group_objects = json_array();
    for (size_t i = 0; i < report->group_count; i++)
        json_array_append_new(report->group_objects, group_object(report, &report->groups[i]));
    document_make_unique(report->group_objects);
}

json_t *report_no_counts(void)
{
    return counts(&(struct report){.seconds_to_first = -1});
}

json_t *report_divergence_record(const struct report *report, const struct report_divergence *divergence)
{
    json_t *record = divergence_object(report, divergence);
    json_object_set_new(record, "record", json_string(RECORD_DIVERGENCE));
    return record;
}

json_t *report_entry_record(const struct report *report, int exit_status)
{
    json_t *record = json_pack("{s:s, s:s, s:s, s:s, s:s, s:i, s:b, s:s?, s:o, s:o, s:o, s:o, s:o, s:o}", "record",
                               RECORD_ENTRY, "entry", report->entry, "directory", report->directory, "state",
                               STATE_DONE, "verdict", verdict_name(report->verdict), "exit_status", exit_status,
                               "inside", report->inside, "sandbox", report->sandbox, "counts", counts(report), "notes",
                               notes_array(report), "limits", limits_array(report), "assumptions",
                               assumptions_array(report), "divergences", divergences_array(report), "groups",
                               report->group_objects ? json_incref(report->group_objects) : json_array());
    if (report->recorded)
        json_object_set(record, "recorded", report->recorded);
    if (report->semantic_changes)
        json_object_set(record, "semantic_changes", report->semantic_changes);
    if (report->pair_counts)
        json_object_set(record, "pairs", report->pair_counts);
    if (report->seeds)
        json_object_set(record, "seeds", report->seeds);
    if (report->unexecuted_changes)
        json_object_set(record, "unexecuted_changes", report->unexecuted_changes);
    return record;
}
