/* Signatures and semantic changes, kept while versions are explored and compared, and written as JSON. */
#include "explore/semantic.h"
#include "base/file.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* As much of a path as a signature tells. */
struct partition {
    struct conditions conditions;
    struct path_output *outputs; /* in the arena of the semantics */
    size_t output_count;
    const char *ends;
    int status;
    bool unchanged;
    const struct site *const *changes;
    size_t change_count;
    uint32_t first_change; /* its site */
    const uint8_t *input;
    size_t size;
};

struct signature {
    struct partition *list;
    size_t count, capacity;
};

struct change {
    size_t in_new, in_old;
    expr_id differs;
    const uint8_t *input;
    size_t size;
};

struct semantics {
    struct explorer *explorer;
    struct arena *arena;
    struct signature old, new;
    struct change *changes;
    size_t count, capacity;
    struct change *unsure; /* pairs of which only native runs can tell whether they differ */
    size_t unsure_count, unsure_capacity;
    size_t unknown; /* pairs */
};

struct semantics *semantics_create(struct explorer *explorer)
{
    struct semantics *semantics = calloc(1, sizeof *semantics);
    semantics->explorer = explorer;
    semantics->arena = arena_create();
    return semantics;
}

static void signature_free(struct signature *signature)
{
    for (size_t i = 0; i < signature->count; i++)
        free(signature->list[i].conditions.list);
    free(signature->list);
}

void semantics_destroy(struct semantics *semantics)
{
    if (!semantics)
        return;
    signature_free(&semantics->old);
    signature_free(&semantics->new);
    free(semantics->changes);
    free(semantics->unsure);
    arena_destroy(semantics->arena);
    free(semantics);
}

/* ---- keeping ---- */

static void *copy(struct arena *arena, const void *bytes, size_t size)
{
    void *to = arena_allocate(arena, size + 1);
    return size ? memcpy(to, bytes, size) : to;
}

static void copy_outputs(struct arena *arena, struct partition *partition, const struct path *path)
{
    partition->output_count = path->output_count;
    partition->outputs = copy(arena, path->outputs, path->output_count * sizeof *path->outputs);
    for (size_t i = 0; i < path->output_count; i++) {
        struct path_output *output = &partition->outputs[i];
        output->name = arena_copy_string(arena, output->name);
        output->parts = copy(arena, output->parts, output->part_count * sizeof *output->parts);
    }
}

/* Places of the changes, which the table of the version's sites keeps only as long as that version is explored. */
static void copy_changes(const struct explorer *explorer, struct arena *arena, struct partition *partition,
                         const struct path *path)
{
    partition->change_count = path->change_count < PATH_CHANGES ? path->change_count : PATH_CHANGES;
    const struct site **changes = arena_allocate(arena, (partition->change_count + 1) * sizeof *changes);
    for (size_t i = 0; i < partition->change_count; i++)
        changes[i] = site_table_get(explorer->sites, path->changes[i]);
    partition->changes = changes;
    partition->first_change = path->changes[0];
}

static const char *ending_name(const struct path *path)
{
    if (path->timed_out || path->out_of_memory)
        return "limit";
    if (path->signal || path->ending == PN_CHECK_FAILED)
        return "failure";
    return path->ending == PN_EXITED ? "exit" : "return";
}

size_t semantics_add(struct semantics *semantics, enum pn_side version, const struct path *path)
{
    struct explorer *explorer = semantics->explorer;
    struct signature *signature = version == PN_SIDE_OLD ? &semantics->old : &semantics->new;
    struct partition partition = {.ends = ending_name(path),
                                  .status = path->exit_status,
                                  .unchanged = path->unchanged,
                                  .input = copy(semantics->arena, path->input, path->input_size),
                                  .size = path->input_size};
    for (size_t i = 0; i < path->count; i++)
        decision_conditions(&path->decisions[i], explorer->table, &partition.conditions);
    if (!path->unchanged && explorer->options.partitions != PARTITION_REACH)
        copy_outputs(semantics->arena, &partition, path);
    copy_changes(explorer, semantics->arena, &partition, path);
    signature->list =
        array_reserve(signature->list, &signature->capacity, signature->count + 1, sizeof *signature->list);
    signature->list[signature->count] = partition;
    return signature->count++;
}

/* ---- one partition, as JSON ---- */

static json_t *take_string(struct text *text)
{
    json_t *string = json_string(text_string(text));
    text_free(text);
    return string;
}

static json_t *print(const struct explorer *explorer, expr_id id)
{
    struct text text = {0};
    expr_print(explorer->table, id, explorer->layout, &text);
    return take_string(&text);
}

static json_t *print_conditions(const struct explorer *explorer, const struct conditions *conditions)
{
    json_t *list = json_array();
    for (size_t i = 0; i < conditions->count; i++)
        json_array_append_new(list, print(explorer, conditions->list[i]));
    return list;
}

static json_t *print_exactly(const struct explorer *explorer, const struct conditions *conditions)
{
    struct text text = {0};
    expr_write_c(explorer->writer, conditions->list, conditions->count, &text);
    return take_string(&text);
}

static json_t *print_input(const struct explorer *explorer, const uint8_t *input, size_t size)
{
    struct text text = {0};
    uint8_t *whole = calloc(explorer->layout->size + 1, 1);
    memcpy(whole, input, size < explorer->layout->size ? size : explorer->layout->size);
    input_print(explorer->layout, whole, &text);
    free(whole);
    return take_string(&text);
}

/* An output is a list of pieces, mostly one: for people, and exactly. */
static json_t *print_outputs(const struct explorer *explorer, const struct partition *partition)
{
    json_t *list = json_array();
    for (size_t i = 0; i < partition->output_count; i++) {
        const struct path_output *output = &partition->outputs[i];
        json_t *pieces = json_array(), *exact = json_array(), *sizes = json_array();
        for (size_t k = 0; k < output->part_count; k++) {
            struct text text = {0};
            expr_write_c_value(explorer->writer, output->parts[k], &text);
            json_array_append_new(exact, take_string(&text));
            json_array_append_new(pieces, print(explorer, output->parts[k]));
            json_array_append_new(sizes, json_integer(expr_get(explorer->table, output->parts[k])->width / 8));
        }
        json_array_append_new(list, json_pack("{s:s, s:o, s:o, s:o}", "name", output->name, "value", pieces, "exact",
                                              exact, "sizes", sizes));
    }
    return list;
}

static json_t *print_changes(const struct partition *partition)
{
    json_t *list = json_array();
    for (size_t i = 0; i < partition->change_count; i++)
        json_array_append_new(list, json_pack("{s:s, s:i}", "file", partition->changes[i]->file, "line",
                                              (int)partition->changes[i]->line));
    return list;
}

static json_t *print_partition(const struct explorer *explorer, const struct partition *partition)
{
    return json_pack(
        "{s:o, s:o, s:b, s:s, s:i, s:o, s:o, s:o}", "condition", print_conditions(explorer, &partition->conditions),
        "exact", print_exactly(explorer, &partition->conditions), "changed", !partition->unchanged, "ends",
        partition->ends, "status", partition->status, "outputs", print_outputs(explorer, partition), "changes",
        print_changes(partition), "input", print_input(explorer, partition->input, partition->size));
}

/* ---- pairs ---- */

void semantics_pair(void *context, const struct explorer_pair *pair)
{
    struct semantics *semantics = context;
    struct change change = {
        .in_new = pair->in_new, .in_old = pair->in_old, .differs = pair->differs, .size = pair->size};
    change.input = copy(semantics->arena, pair->input, pair->size);
    if (pair->is_unsure) {
        semantics->unsure = array_reserve(semantics->unsure, &semantics->unsure_capacity, semantics->unsure_count + 1,
                                          sizeof *semantics->unsure);
        semantics->unsure[semantics->unsure_count++] = change;
    } else if (pair->answer == SOLVE_SATISFIABLE) {
        semantics->changes =
            array_reserve(semantics->changes, &semantics->capacity, semantics->count + 1, sizeof *semantics->changes);
        semantics->changes[semantics->count++] = change;
    } else {
        semantics->unknown += pair->answer == SOLVE_UNKNOWN;
    }
}

/* For people; what both say, once. */
static json_t *both_conditions(const struct semantics *semantics, const struct change *change)
{
    const struct conditions *new = &semantics->new.list[change->in_new].conditions;
    const struct conditions *old = &semantics->old.list[change->in_old].conditions;
    struct conditions all = {0};
    for (size_t i = 0; i < new->count + old->count; i++) {
        expr_id condition = i < new->count ? new->list[i] : old->list[i - new->count];
        bool is_said = false;
        for (size_t k = 0; k < all.count && !is_said; k++)
            is_said = all.list[k] == condition;
        if (!is_said)
            conditions_add(&all, semantics->explorer->table, condition, true);
    }
    json_t *list = print_conditions(semantics->explorer, &all);
    free(all.list);
    return list;
}

static bool report_pair(struct semantics *semantics, const struct change *change, enum finding_kind kind,
                        const char *phase)
{
    const struct explore_options *options = &semantics->explorer->options;
    const struct partition *in_new = &semantics->new.list[change->in_new];
    json_t *conditions = both_conditions(semantics, change);
    const char **lines = calloc(json_array_size(conditions) + 1, sizeof *lines);
    for (size_t i = 0; i < json_array_size(conditions); i++)
        lines[i] = json_string_value(json_array_get(conditions, i));
    struct finding finding = {.kind = kind,
                              .site = in_new->change_count ? in_new->first_change : 0,
                              .phase = phase,
                              .input = change->input,
                              .input_size = change->size,
                              .conditions = lines,
                              .key = ""};
    bool good = options->report(options->context, &finding, semantics->explorer->error);
    free(lines);
    json_decref(conditions);
    return good;
}

bool semantics_report(struct semantics *semantics, const char *phase)
{
    bool good = true;
    for (size_t i = 0; i < semantics->count && good; i++)
        good = report_pair(semantics, &semantics->changes[i], FINDING_SEMANTIC, phase);
    for (size_t i = 0; i < semantics->unsure_count && good; i++)
        good = report_pair(semantics, &semantics->unsure[i], FINDING_APART, phase);
    return good;
}

/* ---- writing ---- */

static bool holds_all(struct explorer *explorer, const struct conditions *conditions, const uint8_t *input, size_t size)
{
    for (size_t i = 0; i < conditions->count; i++)
        if (!expr_evaluate(explorer->table, conditions->list[i], input, size))
            return false;
    return true;
}

/* Numbers of the seeds, from 1, that show the change. */
static json_t *shown_by(struct semantics *semantics, const struct change *change, const struct complete_start *start)
{
    struct explorer *explorer = semantics->explorer;
    json_t *list = json_array();
    for (size_t i = 0; i < start->seed_count; i++) {
        size_t size = explorer->layout->size > start->size ? explorer->layout->size : start->size;
        uint8_t *seed = calloc(size + 1, 1);
        memcpy(seed, start->seeds[i], start->size);
        if (holds_all(explorer, &semantics->new.list[change->in_new].conditions, seed, size) &&
            holds_all(explorer, &semantics->old.list[change->in_old].conditions, seed, size) &&
            expr_evaluate(explorer->table, change->differs, seed, size))
            json_array_append_new(list, json_integer((json_int_t)i + 1));
        free(seed);
    }
    return list;
}

/* Where the versions differ on inputs of both partitions. */
static json_t *print_where(struct semantics *semantics, const struct change *change)
{
    struct explorer *explorer = semantics->explorer;
    const struct conditions *new = &semantics->new.list[change->in_new].conditions;
    struct conditions all = {0};
    for (size_t i = 0; i < new->count; i++)
        conditions_add(&all, explorer->table, new->list[i], true);
    conditions_add(&all, explorer->table, change->differs, true);
    json_t *string = print_exactly(explorer, &all);
    free(all.list);
    return string;
}

static json_t *print_change(struct semantics *semantics, const struct change *change,
                            const struct complete_start *start)
{
    struct explorer *explorer = semantics->explorer;
    const struct partition *new = &semantics->new.list[change->in_new], *old = &semantics->old.list[change->in_old];
    return json_pack(
        "{s:o, s:o, s:i, s:i, s:o, s:o, s:o, s:o, s:o, s:o}", "condition", both_conditions(semantics, change), "exact",
        print_where(semantics, change), "old_partition", (int)change->in_old + 1, "new_partition",
        (int)change->in_new + 1, "old_outputs", print_outputs(explorer, old), "new_outputs",
        print_outputs(explorer, new), "old_changes", print_changes(old), "new_changes", print_changes(new), "input",
        print_input(explorer, change->input, change->size), "shown_by", shown_by(semantics, change, start));
}

static bool write_json(const struct explorer *explorer, const char *name, json_t *json)
{
    struct text path = {0};
    text_format(&path, "%s/%s", explorer->options.signatures, name);
    char *content = json_dumps(json, JSON_INDENT(1) | JSON_PRESERVE_ORDER);
    bool good = content && file_write(text_string(&path), content, strlen(content), explorer->error);
    free(content);
    text_free(&path);
    json_decref(json);
    return good;
}

/* Of very many, only the first are written. */
static bool write_signature(const struct explorer *explorer, const struct signature *signature, const char *version,
                            const char *name)
{
    enum { MOST_WRITTEN = 5000 };
    json_t *list = json_array();
    for (size_t i = 0; i < signature->count && i < MOST_WRITTEN; i++)
        json_array_append_new(list, print_partition(explorer, &signature->list[i]));
    return write_json(
        explorer, name,
        json_pack("{s:s, s:I, s:o}", "version", version, "count", (json_int_t)signature->count, "partitions", list));
}

static json_t *print_counts(const struct semantics *semantics)
{
    size_t changed_old = 0, changed_new = 0;
    for (size_t i = 0; i < semantics->old.count; i++)
        changed_old += !semantics->old.list[i].unchanged;
    for (size_t i = 0; i < semantics->new.count; i++)
        changed_new += !semantics->new.list[i].unchanged;
    size_t pairs = changed_old * changed_new, infeasible = pairs - semantics->count - semantics->unknown;
    return json_pack("{s:I, s:I, s:I, s:I}", "old_partitions", (json_int_t)semantics->old.count, "new_partitions",
                     (json_int_t)semantics->new.count, "infeasible", (json_int_t)infeasible, "unknown",
                     (json_int_t)semantics->unknown);
}

bool semantics_write(struct semantics *semantics, const struct complete_start *start)
{
    struct explorer *explorer = semantics->explorer;
    json_t *changes = json_array();
    for (size_t i = 0; i < semantics->count; i++)
        json_array_append_new(changes, print_change(semantics, &semantics->changes[i], start));
    return write_signature(explorer, &semantics->new, "new", "signature-new.json") &&
           write_signature(explorer, &semantics->old, "old", "signature-old.json") &&
           write_json(explorer, "semantic-changes.json",
                      json_pack("{s:o, s:o}", "counts", print_counts(semantics), "changes", changes));
}
