/* Signatures and semantic changes, kept while versions are explored and compared, and written as JSON. */
#include "explore/semantic.h"
#include "base/file.h"
#include "explore/small.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* As much of a path as a signature tells. */
struct partition {
    struct kept_path kept;
    const char *ends;
    int status;
    bool unchanged;
    const struct site *const *changes;
    size_t change_count;
    uint32_t first_change; /* its site */
};

struct signature {
    struct partition *list;
    size_t count, capacity;
};

/* Where the versions differ in the source. */
struct places {
    const struct site **list;
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
    struct keeper keeper;
    struct signature old, new;
    struct change *changes;
    size_t count, capacity;
    struct change *unsure; /* pairs of which only native runs can tell whether they differ */
    size_t unsure_count, unsure_capacity;
    size_t unknown;       /* pairs */
    struct places places; /* of both versions */
    bool has_more_places; /* than a partition keeps */
    bool has_changes;     /* there is one that a run could execute, or it is not known where they are */
};

struct semantics *semantics_create(struct explorer *explorer)
{
    struct semantics *semantics = calloc(1, sizeof *semantics);
    semantics->explorer = explorer;
    semantics->keeper = keeper_create();
    return semantics;
}

void semantics_destroy(struct semantics *semantics)
{
    if (!semantics)
        return;
    free(semantics->old.list);
    free(semantics->new.list);
    free(semantics->changes);
    free(semantics->unsure);
    free(semantics->places.list);
    keeper_destroy(&semantics->keeper);
    free(semantics);
}

/* ---- keeping ---- */

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

size_t semantics_add(struct semantics *semantics, enum pn_side version, const struct path *path)
{
    struct explorer *explorer = semantics->explorer;
    struct signature *signature = version == PN_SIDE_OLD ? &semantics->old : &semantics->new;
    struct partition partition = {
        .ends = path_end_name(path), .status = path->exit_status, .unchanged = path->unchanged};
    bool with_outputs = !path->unchanged && explorer->options.partitions != PARTITION_REACH;
    partition.kept = keeper_take(&semantics->keeper, path, path->conditions, with_outputs);
    copy_changes(explorer, semantics->keeper.arena, &partition, path);
    semantics->has_more_places |= path->change_count > PATH_CHANGES;
    signature->list =
        array_reserve(signature->list, &signature->capacity, signature->count + 1, sizeof *signature->list);
    signature->list[signature->count] = partition;
    return signature->count++;
}

const struct kept_path *semantics_kept(const struct semantics *semantics, enum pn_side version, size_t number)
{
    return &(version == PN_SIDE_OLD ? &semantics->old : &semantics->new)->list[number].kept;
}

void semantics_add_places(struct semantics *semantics)
{
    const struct site_table *sites = semantics->explorer->sites;
    const struct dependences *dependences = sites->dependences;
    struct places *places = &semantics->places;
    semantics->has_changes |= !dependences || dependences->unknown || dependences->changed_always;
    for (uint32_t i = 0; dependences && i < dependences->criterion_count; i++) {
        if (!(dependences->criteria[i].kinds & CRITERION_CHANGE))
            continue;
        places->list = array_reserve(places->list, &places->capacity, places->count + 1, sizeof *places->list);
        places->list[places->count++] = site_table_get(sites, dependences->criteria[i].site);
        semantics->has_changes = true;
    }
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

/* What is printed is text: names of streams have spaces, those of variables none. A zero is part of a number. */
static bool is_text(const struct path_output *output, uint64_t bytes, unsigned count)
{
    bool has_zero = false;
    for (unsigned i = 0; i < count; i++)
        has_zero |= !(bytes >> 8 * i & 0xff);
    return strchr(output->name, ' ') && !has_zero;
}

/* `"abc"`, of a constant; its lowest byte is the first. */
static json_t *print_characters(uint64_t bytes, unsigned count)
{
    struct text text = {0};
    text_add(&text, "\"");
    for (unsigned i = 0; i < count; i++) {
        unsigned char character = (unsigned char)(bytes >> 8 * i);
        if (character == '\n')
            text_add(&text, "\\n");
        else if (character == '"' || character == '\\')
            text_format(&text, "\\%c", character);
        else if (character < ' ' || character > '~')
            text_format(&text, "\\%03o", character);
        else
            text_format(&text, "%c", character);
    }
    text_add(&text, "\"");
    return take_string(&text);
}

static json_t *print_piece(const struct explorer *explorer, const struct path_output *output, expr_id piece)
{
    uint64_t bytes;
    unsigned count = expr_get(explorer->table, piece)->width / 8;
    if (expr_is_constant(explorer->table, piece, &bytes) && is_text(output, bytes, count))
        return print_characters(bytes, count);
    return print(explorer, piece);
}

/* An output is a list of pieces, mostly one: for people, and exactly. */
static json_t *print_outputs(const struct explorer *explorer, const struct partition *partition, bool exactly)
{
    json_t *list = json_array();
    for (size_t i = 0; i < partition->kept.output_count; i++) {
        const struct path_output *output = &partition->kept.outputs[i];
        json_t *pieces = json_array(), *exact = json_array(), *sizes = json_array();
        for (size_t k = 0; k < output->part_count; k++) {
            struct text text = {0};
            if (exactly)
                expr_write_c_value(explorer->writer, output->parts[k], &text);
            json_array_append_new(exact, take_string(&text));
            json_array_append_new(pieces, print_piece(explorer, output, output->parts[k]));
            json_array_append_new(sizes, json_integer(expr_get(explorer->table, output->parts[k])->width / 8));
        }
        json_array_append_new(list, json_pack("{s:s, s:o, s:o, s:o}", "name", output->name, "value", pieces, "exact",
                                              exact, "sizes", sizes));
    }
    return list;
}

static json_t *print_place(const struct site *site)
{
    return json_pack("{s:s, s:i}", "file", site->file, "line", (int)site->line);
}

static json_t *print_changes(const struct partition *partition)
{
    json_t *list = json_array();
    for (size_t i = 0; i < partition->change_count; i++)
        json_array_append_new(list, print_place(partition->changes[i]));
    return list;
}

static json_t *print_partition(const struct explorer *explorer, const struct partition *partition, bool exactly)
{

    return json_pack("{s:o, s:o, s:b, s:s, s:i, s:o, s:o, s:o}", "condition",
                     print_conditions(explorer, &partition->kept.conditions), "exact",
                     exactly ? print_exactly(explorer, &partition->kept.conditions) : json_string(""), "changed",
                     !partition->unchanged, "ends", partition->ends, "status", partition->status, "outputs",
                     print_outputs(explorer, partition, exactly), "changes", print_changes(partition), "input",
                     explorer_print_input(explorer, partition->kept.input, partition->kept.input_size));
}

/* ---- pairs ---- */

/* The witness becomes as small as it can be while it shows the same change. */
static void make_small(const struct semantics *semantics, const struct change *change, uint8_t *input)
{
    struct explorer *explorer = semantics->explorer;
    struct conditions all = {0};
    conditions_add_all(&all, explorer->table, &explorer->always);
    conditions_add_all(&all, explorer->table, &semantics->new.list[change->in_new].kept.conditions);
    conditions_add_all(&all, explorer->table, &semantics->old.list[change->in_old].kept.conditions);
    conditions_add(&all, explorer->table, change->differs, true);
    explorer_make_small(explorer, &all, input, change->size);
    free(all.list);
}

void semantics_pair(void *context, const struct explorer_pair *pair)
{
    struct semantics *semantics = context;
    semantics->unknown += !pair->is_unsure && pair->answer == SOLVE_UNKNOWN;
    if (!pair->is_unsure && pair->answer != SOLVE_SATISFIABLE)
        return;
    uint8_t *input = memcpy(arena_allocate(semantics->keeper.arena, pair->size + 1), pair->input, pair->size);
    struct change change = {pair->in_new, pair->in_old, pair->differs, input, pair->size};
    if (pair->is_unsure) {
        semantics->unsure = array_reserve(semantics->unsure, &semantics->unsure_capacity, semantics->unsure_count + 1,
                                          sizeof *semantics->unsure);
        semantics->unsure[semantics->unsure_count++] = change;
    } else {
        semantics->changes =
            array_reserve(semantics->changes, &semantics->capacity, semantics->count + 1, sizeof *semantics->changes);
        semantics->changes[semantics->count++] = change;
        make_small(semantics, &change, input);
    }
}

/* For people; what both say, once. */
static json_t *both_conditions(const struct semantics *semantics, const struct change *change)
{
    const struct conditions *new = &semantics->new.list[change->in_new].kept.conditions;
    const struct conditions *old = &semantics->old.list[change->in_old].kept.conditions;
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
        if (holds_all(explorer, &semantics->new.list[change->in_new].kept.conditions, seed, size) &&
            holds_all(explorer, &semantics->old.list[change->in_old].kept.conditions, seed, size) &&
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
    struct conditions all = {0};
    conditions_add_all(&all, explorer->table, &semantics->new.list[change->in_new].kept.conditions);
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
    return json_pack("{s:o, s:o, s:i, s:i, s:s, s:s, s:i, s:i, s:o, s:o, s:o, s:o, s:o, s:o}", "condition",
                     both_conditions(semantics, change), "exact", print_where(semantics, change), "old_partition",
                     (int)change->in_old + 1, "new_partition", (int)change->in_new + 1, "old_ends", old->ends,
                     "new_ends", new->ends, "old_status", old->status, "new_status", new->status, "old_outputs",
                     print_outputs(explorer, old, true), "new_outputs", print_outputs(explorer, new, true),
                     "old_changes", print_changes(old), "new_changes", print_changes(new), "input",
                     explorer_print_input(explorer, change->input, change->size), "shown_by",
                     shown_by(semantics, change, start));
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

/* A line. Lists of many are written one by one, since one document of all takes longer than exploring them. */
static bool write_line(FILE *file, json_t *json)
{
    bool good = json && !json_dumpf(json, file, JSON_COMPACT | JSON_PRESERVE_ORDER) && fputs("\n", file) >= 0;
    json_decref(json);
    return good;
}

static bool write_partitions(const struct explorer *explorer, const struct signature *signature, const char *version,
                             FILE *file)
{
    enum { MOST_WRITTEN = 5000, MOST_WRITTEN_EXACTLY = 500 };
    bool good =
        fprintf(file, "{\"version\": \"%s\", \"count\": %zu, \"partitions\": [\n", version, signature->count) > 0;
    for (size_t i = 0; i < signature->count && i < MOST_WRITTEN && good; i++)
        good = (!i || fputs(",", file) >= 0) &&
               write_line(file, print_partition(explorer, &signature->list[i], i < MOST_WRITTEN_EXACTLY));
    return good && fputs("]}\n", file) >= 0;
}

/* Of very many, only the first are written. */
static bool write_signature(const struct explorer *explorer, const struct signature *signature, const char *version,
                            const char *name)
{
    char *content = NULL;
    size_t length;
    struct text path = {0};
    FILE *file = open_memstream(&content, &length);
    bool good = file && write_partitions(explorer, signature, version, file);
    good = file && !fclose(file) && good;
    text_format(&path, "%s/%s", explorer->options.signatures, name);
    if (!good)
        error_set(explorer->error, "%s: no memory to write it", text_string(&path));
    good = good && file_write(text_string(&path), content, length, explorer->error);
    free(content);
    text_free(&path);
    return good;
}

static json_t *print_counts(const struct semantics *semantics)
{
    size_t changed_old = 0, changed_new = 0;
    for (size_t i = 0; i < semantics->old.count; i++)
        changed_old += !semantics->old.list[i].unchanged;
    for (size_t i = 0; i < semantics->new.count; i++)
        changed_new += !semantics->new.list[i].unchanged;
    size_t pairs = changed_old * changed_new, known = semantics->count + semantics->unknown;
    size_t cut = semantics->explorer->statistics.cut_pairs * changed_old; /* not compared with all of the old ones */
    size_t infeasible = pairs > known + cut ? pairs - known - cut : 0;
    return json_pack("{s:I, s:I, s:I, s:I}", "old_partitions", (json_int_t)semantics->old.count, "new_partitions",
                     (json_int_t)semantics->new.count, "infeasible", (json_int_t)infeasible, "unknown",
                     (json_int_t)(pairs - semantics->count - infeasible));
}

static bool is_same_place(const struct site *one, const struct site *other)
{
    return one->line == other->line && !strcmp(one->file, other->file);
}

static bool is_executed(const struct signature *signature, const struct site *place)
{
    for (size_t i = 0; i < signature->count; i++)
        for (size_t k = 0; k < signature->list[i].change_count; k++)
            if (is_same_place(signature->list[i].changes[k], place))
                return true;
    return false;
}

/* Changes that no run has executed, each place once. */
static json_t *print_unexecuted(const struct semantics *semantics)
{
    const struct places *places = &semantics->places;
    json_t *list = json_array();
    for (size_t i = 0; i < places->count && !semantics->has_more_places; i++) {
        bool is_said = is_executed(&semantics->new, places->list[i]) || is_executed(&semantics->old, places->list[i]);
        for (size_t k = 0; k < i && !is_said; k++)
            is_said = is_same_place(places->list[k], places->list[i]);
        if (!is_said)
            json_array_append_new(list, print_place(places->list[i]));
    }
    return list;
}

/* Whether some run comes to where outputs are compared. */
static bool reaches_output(const struct signature *signature)
{
    for (size_t i = 0; i < signature->count; i++) {
        const char *ends = signature->list[i].ends;
        if (!strcmp(ends, "return") || !strcmp(ends, "exit"))
            return true;
    }
    return !signature->count;
}

bool semantics_write(struct semantics *semantics, const struct suite *suite, const struct complete_start *start)
{
    struct explorer *explorer = semantics->explorer;
    json_t *changes = json_array();
    bool has_output = reaches_output(&semantics->new) && reaches_output(&semantics->old);
    for (size_t i = 0; i < semantics->count; i++)
        json_array_append_new(changes, print_change(semantics, &semantics->changes[i], start));
    return write_signature(explorer, &semantics->new, "new", "signature-new.json") &&
           write_signature(explorer, &semantics->old, "old", "signature-old.json") &&
           write_json(explorer, "semantic-changes.json",
                      json_pack("{s:o, s:o, s:o, s:o, s:b, s:b}", "counts", print_counts(semantics), "changes", changes,
                                "seeds", suite_print(suite, explorer, start), "unexecuted_changes",
                                print_unexecuted(semantics), "has_output", has_output, "has_changes",
                                semantics->has_changes));
}
