/* What the phases share: running, asking, reporting, counting; and the order of the phases. */
#include "base/clock.h"
#include "explore/explorer.h"
#include "explore/tolerance.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* An expression takes some 130 bytes, with what the solver keeps of it. */
enum { MOST_EXPRESSIONS = 1 << 18 };

const char *explore_mode_name(enum explore_mode mode)
{
    static const char *const names[] = {
        [EXPLORE_CONCOLIC] = "concolic",
        [EXPLORE_BOUNDED] = "bounded",
        [EXPLORE_GENERATIONAL] = "generational",
        [EXPLORE_COMPLETE] = "complete",
    };
    return names[mode];
}

const char *finding_kind_name(enum finding_kind kind)
{
    static const char *const names[] = {
        [FINDING_DIFF_TRUE] = "diff-true", [FINDING_DIFF_FALSE] = "diff-false",  [FINDING_OLD_FAILS] = "old-fails",
        [FINDING_NEW_FAILS] = "new-fails", [FINDING_EXTERNAL] = "external-call", [FINDING_EARLY_EXIT] = "early-exit",
        [FINDING_OUTPUT] = "output",       [FINDING_COMMON] = "common",          [FINDING_APART] = "apart",
        [FINDING_NATIVE] = "native",       [FINDING_SEMANTIC] = "semantic",
    };
    return names[kind];
}

/* Ranges of inputs that the program made known only now. */
static void update_ranges(struct explorer *explorer)
{
    if (explorer->layout_known == explorer->layout->count && explorer->layout_known)
        return;
    explorer->always.count = 0;
    range_conditions(explorer->layout, explorer->options.ranges, explorer->options.range_count, explorer->table,
                     &explorer->always);
    explorer->layout_known = explorer->layout->count;
}

/* The expressions, and all that knows them by their ids. */
static void begin_expressions(struct explorer *explorer)
{
    const struct explore_options *options = &explorer->options;
    explorer->table = expr_table_create();
    explorer->reader = (struct trace_reader){.table = explorer->table,
                                             .alone = options->alone,
                                             .assume_no_overflow = options->assume_no_overflow,
                                             .tolerance = options->float_tolerance};
    explorer->solver = solver_create(explorer->table, options->solver_milliseconds);
    if (options->only_z3)
        solver_use(explorer->solver, SOLVE_WITH_Z3);
    solver_dump_to(explorer->solver, options->dump_directory);
    explorer->writer = expr_writer_create(explorer->table, explorer->layout);
    explorer->descriptions = descriptions_create();
    explorer->always = (struct conditions){0};
    explorer->layout_known = 0;
}

static void end_expressions(struct explorer *explorer)
{
    descriptions_destroy(explorer->descriptions);
    expr_writer_destroy(explorer->writer);
    free(explorer->always.list);
    trace_reader_free(&explorer->reader);
    solver_destroy(explorer->solver);
    expr_table_destroy(explorer->table);
}

bool explorer_is_large(const struct explorer *explorer, size_t before)
{
    return expr_count(explorer->table) > before + MOST_EXPRESSIONS && !explorer->options.dump_directory;
}

/* What the solver has learnt is lost, and learnt again: that costs time and nothing else. Questions that are written to
 * files are numbered by the solver, which stays then. */
void explorer_keep_to_time(struct explorer *explorer)
{
    double end = explorer->start + explorer->options.seconds;
    solver_stop_at(explorer->solver, end);
    if (explorer->target)
        target_stop_at(explorer->target, end);
}

void explorer_renew(struct explorer *explorer)
{
    if (!explorer_is_large(explorer, 0))
        return;
    struct solve_statistics before = *solver_statistics(explorer->solver);
    end_expressions(explorer);
    malloc_trim(0);
    begin_expressions(explorer);
    solver_begin_statistics(explorer->solver, &before);
    explorer_keep_to_time(explorer);
    update_ranges(explorer);
}

static struct explorer *explorer_create(const struct exploration *exploration, struct error *error)
{
    const struct explore_options *options = exploration->options;
    struct explorer *explorer = calloc(1, sizeof *explorer);
    explorer->error = error;
    explorer->exploration = exploration;
    explorer->worker = exploration->worker;
    explorer->target =
        (exploration->is_library ? target_load : target_start)(exploration->program, &options->limits, error);
    explorer->seeds = calloc(exploration->seed_count + 1, sizeof *explorer->seeds);
    for (size_t i = 0; i < exploration->seed_count; i++)
        explorer->seeds[explorer->seed_count++] = exploration->seeds[i];
    explorer->seed_size = exploration->seed_size;
    explorer->layout = exploration->layout;
    explorer->sites = exploration->sites;
    explorer->options = *options;
    begin_expressions(explorer);
    explorer->paths = set_create();
    explorer->diff_paths.keys = set_create();
    explorer->outputs.keys = set_create();
    explorer->start = clock_seconds();
    explorer_keep_to_time(explorer);
    explorer->cpu_start = clock_cpu_seconds();
    return explorer;
}

static void explorer_destroy(struct explorer *explorer)
{
    if (!explorer)
        return;
    target_stop(explorer->target);
    for (size_t i = 0; i < explorer->point_count; i++)
        path_free(explorer->points[i].path);
    free(explorer->points);
    free(explorer->seeds);
    free(explorer->diff_paths.findings);
    free(explorer->outputs.findings);
    set_destroy(explorer->paths);
    set_destroy(explorer->diff_paths.keys);
    set_destroy(explorer->outputs.keys);
    end_expressions(explorer);
    free(explorer);
}

/* ---- limits and progress ---- */

double explorer_elapsed(const struct explorer *explorer)
{
    return clock_seconds() - explorer->start;
}

/* Of all workers together. */
static struct worker_counts count_all(struct explorer *explorer)
{
    const struct explore_statistics *statistics = &explorer->statistics;
    struct worker_counts *counted = &explorer->counted;
    struct worker_counts counts = {statistics->runs, statistics->paths, statistics->diff_paths};
    struct worker_counts more = {counts.runs - counted->runs, counts.paths - counted->paths,
                                 counts.diff_paths - counted->diff_paths};
    *counted = counts;
    return explorer->worker ? worker_count(explorer->worker, &more) : counts;
}

static void show_progress(struct explorer *explorer, double elapsed)
{
    if (!explorer->options.progress || elapsed < explorer->next_progress)
        return;
    explorer->next_progress = elapsed + 0.2;
    struct worker_counts counts = count_all(explorer);
    struct explore_progress progress = {elapsed, counts.runs, counts.paths, counts.diff_paths};
    if (!explorer->worker || explorer->worker->is_first)
        explorer->options.progress(explorer->options.context, &progress);
}

/* A user who interrupts means all workers. */
static bool is_interrupted(const struct explorer *explorer)
{
    bool interrupted = explorer->options.interrupted && *explorer->options.interrupted;
    if (interrupted && explorer->worker)
        worker_stop_all(explorer->worker);
    return interrupted || (explorer->worker && worker_must_stop(explorer->worker));
}

bool explorer_must_stop(struct explorer *explorer)
{
    struct explore_statistics *statistics = &explorer->statistics;
    double elapsed = clock_rough_seconds() - explorer->start;
    show_progress(explorer, elapsed);
    statistics->interrupted |= is_interrupted(explorer);
    statistics->out_of_time |= elapsed > explorer->options.seconds;
    statistics->path_limit |= explorer->options.maximum_paths && statistics->paths >= explorer->options.maximum_paths;
    statistics->had_enough |= explorer->options.is_enough && explorer->options.is_enough(explorer->options.context);
    return statistics->interrupted || statistics->out_of_time || statistics->path_limit || statistics->had_enough;
}

/* ---- sharing the work ---- */

bool explorer_should_split(const struct explorer *explorer, size_t count)
{
    return count > 1 && explorer->worker && worker_wants_another(explorer->worker);
}

/* What was counted and found before is the other one's. */
static bool begin_part(struct explorer *explorer)
{
    const struct exploration *exploration = explorer->exploration;
    struct explore_outcome before = {.statistics = explorer->statistics};
    explorer->statistics = (struct explore_statistics){.change_reached = before.statistics.change_reached};
    explore_outcome_free(&before);
    explorer->counted = (struct worker_counts){0};
    explorer->cpu_start = clock_cpu_seconds();
    solver_begin_statistics(explorer->solver, &(struct solve_statistics){0});
    if (!exploration->is_library) /* the server answers the other one */
        explorer->target = target_start(exploration->program, &explorer->options.limits, explorer->error);
    explorer_keep_to_time(explorer);
    return explorer->target;
}

enum split explorer_split(struct explorer *explorer)
{
    enum split split = worker_split(explorer->worker);
    if (split == SPLIT_BEGINS && !begin_part(explorer))
        _exit(1); /* whoever waits for it sees that its part was not done */
    return split;
}

/* ---- running ---- */

void explorer_lose(struct explorer *explorer, const char *what)
{
    explore_losses_add(&explorer->statistics, what, 1);
}

void explorer_lose_at(struct explorer *explorer, const struct decision *decision)
{
    explorer_lose(explorer, site_table_get(explorer->sites, decision_place(explorer->sites, decision))->what);
}

static bool is_new(struct set *seen, const struct path *path)
{
    struct text key = {0};
    path_key(path, &key);
    bool added = set_add(seen, text_string(&key), key.length);
    text_free(&key);
    return added;
}

bool explorer_is_new_path(struct explorer *explorer, const struct path *path)
{
    struct text key = {0};
    path_key(path, &key);
    bool is_first = set_add(explorer->paths, text_string(&key), key.length) &&
                    (!explorer->worker || worker_sees_first(explorer->worker, text_string(&key), key.length));
    text_free(&key);
    return is_first;
}

/* Whether it failed behind the end of an object of which a caller may have more. */
static bool path_went_beyond(const struct path *path)
{
    const struct decision *last = path->count ? &path->decisions[path->count - 1] : NULL;
    return path->ending == PN_CHECK_FAILED && last && last->kind == PN_EVENT_CHECK && last->part == PN_CHECK_BEYOND;
}

static void count_run(struct explorer *explorer, const struct path *path)
{
    struct explore_statistics *statistics = &explorer->statistics;
    bool complete = explorer->options.mode == EXPLORE_COMPLETE; /* which counts paths itself */
    statistics->runs++;
    if (!complete && explorer_is_new_path(explorer, path))
        statistics->paths++;
    statistics->stale_labels += path->stale_labels;
    statistics->time_outs += path->timed_out;
    statistics->memory_limits += path->out_of_memory;
    statistics->threaded_runs += path->threads != 0;
    statistics->beyond += path_went_beyond(path);
    for (size_t i = 0; i < 2; i++)
        statistics->given_used[i] |= path->given_used[i];
    statistics->table_full |= (path->lost & ~(uint32_t)PN_LOSS_DAMAGED) != 0;
    statistics->damaged_traces += (path->lost & PN_LOSS_DAMAGED) != 0;
    statistics->change_reached |= path->change_reached;
    for (size_t i = 0; i < path->count && path->may_lose; i++) {
        const struct decision *decision = &path->decisions[i];
        bool loses = (decision->kind == PN_EVENT_CONCRETISE && !complete) || decision->kind == PN_EVENT_UNMODELLED ||
                     decision->kind == PN_EVENT_EXTERNAL;
        statistics->concretisations += decision->kind == PN_EVENT_CONCRETISE;
        if (loses)
            explorer_lose_at(explorer, decision);
    }
}

struct path *explorer_run(struct explorer *explorer, const uint8_t *input, size_t size)
{
    struct run run;
    if (!target_run(explorer->target, explorer->layout, input, size, &run, explorer->error))
        return NULL;
    update_ranges(explorer);
    struct path *path = path_read(&explorer->reader, &run);
    count_run(explorer, path);
    return path;
}

/* ---- asking ---- */

static void prefix_add(struct explorer *explorer, struct prefix *prefix, expr_id condition)
{
    if (condition >= prefix->known_capacity)
        prefix->known =
            array_reserve_zeroed(prefix->known, &prefix->known_capacity, expr_count(explorer->table) + 1, 1);
    if (prefix->known[condition])
        return;
    prefix->known[condition] = 1;
    conditions_add(&prefix->conditions, explorer->table, condition, true);
}

bool prefix_decides(struct explorer *explorer, const struct prefix *prefix, expr_id condition)
{
    expr_id opposite = expr_not(explorer->table, condition);
    return (condition < prefix->known_capacity && prefix->known[condition]) ||
           (opposite < prefix->known_capacity && prefix->known[opposite]);
}

void prefix_begin(struct explorer *explorer, struct prefix *prefix)
{
    *prefix = (struct prefix){0};
    for (size_t i = 0; i < explorer->always.count; i++)
        prefix_add(explorer, prefix, explorer->always.list[i]);
}

void prefix_pass(struct explorer *explorer, struct prefix *prefix, const struct decision *decision)
{
    struct conditions conditions = {0};
    decision_conditions(decision, explorer->table, &conditions);
    for (size_t i = 0; i < conditions.count; i++)
        prefix_add(explorer, prefix, conditions.list[i]);
    free(conditions.list);
}

void prefix_free(struct prefix *prefix)
{
    free(prefix->conditions.list);
    free(prefix->known);
}

static uint8_t *ask(struct explorer *explorer, const struct prefix *prefix, const struct conditions *goals,
                    const struct path *path)
{
    uint8_t *model = calloc(path->input_size + 1, 1);
    struct solve_query query = {
        .prefix = prefix->conditions.list,
        .prefix_count = prefix->conditions.count,
        .goals = goals->list,
        .goal_count = goals->count,
        .hint = path->input,
        .input_size = path->input_size,
    };
    if (solver_query(explorer->solver, &query, model) == SOLVE_SATISFIABLE)
        return model;
    free(model);
    return NULL;
}

bool explorer_try(struct explorer *explorer, const struct prefix *prefix, const struct conditions *goals,
                  const struct path *from, struct path **path)
{
    uint8_t *input = ask(explorer, prefix, goals, from);
    *path = input ? explorer_run(explorer, input, from->input_size) : NULL;
    bool good = !input || *path;
    free(input);
    return good;
}

/* ---- reporting ---- */

static enum finding_kind kind_of(const struct decision *decision)
{
    if (decision->kind == PN_EVENT_EXTERNAL)
        return FINDING_EXTERNAL;
    if (decision->kind == PN_EVENT_LEAVE)
        return FINDING_EARLY_EXIT;
    if (decision->kind == PN_EVENT_CHECK)
        return decision->new_outcome ? FINDING_OLD_FAILS : FINDING_NEW_FAILS;
    return decision->new_outcome ? FINDING_DIFF_TRUE : FINDING_DIFF_FALSE;
}

static size_t next_number(struct explorer *explorer)
{
    return explorer->worker ? worker_next_finding(explorer->worker) : explorer->finding_count++;
}

static bool report(struct explorer *explorer, struct finding finding, const struct path *path)
{
    struct text key = {0};
    path_key(path, &key);
    finding.number = explorer->latest_finding = next_number(explorer);
    finding.input = path->input;
    finding.input_size = path->input_size;
    finding.conditions = describe_conditions(explorer, path);
    finding.key = text_string(&key);
    finding.key_length = key.length;
    bool good = explorer->options.report(explorer->options.context, &finding, explorer->error);
    text_free(&key);
    return good;
}

/* Reports a path of which there is one report only. */
static bool report_once(struct explorer *explorer, struct reported *reported, struct finding finding,
                        const struct path *path, size_t *counter)
{
    if (path->rejected || !is_new(reported->keys, path))
        return true;
    size_t count = set_count(reported->keys);
    ++*counter;
    bool good = report(explorer, finding, path);
    reported->findings = array_reserve(reported->findings, &reported->capacity, count, sizeof *reported->findings);
    reported->findings[count - 1] = explorer->latest_finding;
    return good;
}

/* Whether a branch in the line of a change, behind it, depends on the version: the change is part of a condition. */
static bool is_of_condition(const struct explorer *explorer, const struct path *path, size_t change)
{
    const struct site *site = site_table_get(explorer->sites, path->decisions[change].site);
    for (size_t i = change + 1; i < path->count; i++) {
        const struct decision *decision = &path->decisions[i];
        const struct site *other = site_table_get(explorer->sites, decision->site);
        if (decision->kind == PN_EVENT_BRANCH && decision->shadowed && other->line == site->line &&
            !strcmp(other->file, site->file))
            return true;
    }
    return false;
}

/* On a path that both versions take, conditions have come to the same, whatever was changed in them. What differs in
 * the end comes from another change, most likely the last one. */
static uint32_t find_cause(const struct explorer *explorer, const struct path *path)
{
    uint32_t last = 0;
    for (size_t i = path->count; i > 0; i--) {
        const struct decision *decision = &path->decisions[i - 1];
        if (decision->kind != PN_EVENT_CHANGE)
            continue;
        if (!is_of_condition(explorer, path, i - 1))
            return decision->site;
        last = last ? last : decision->site;
    }
    return last;
}

bool explorer_report(struct explorer *explorer, const struct path *path, const char *phase)
{
    const struct decision *at = &path->decisions[path->divergence];
    struct finding finding = {.kind = kind_of(at),
                              .site = decision_place(explorer->sites, at),
                              .part = at->part,
                              .change = find_cause(explorer, path),
                              .phase = phase};
    return report_once(explorer, &explorer->diff_paths, finding, path, &explorer->statistics.diff_paths);
}

size_t explorer_finding(const struct explorer *explorer, const struct path *path)
{
    const struct reported *reported = path->diverged ? &explorer->diff_paths : &explorer->outputs;
    struct text key = {0};
    path_key(path, &key);
    size_t number = set_find(reported->keys, text_string(&key), key.length);
    text_free(&key);
    return number < set_count(reported->keys) ? reported->findings[number] : SIZE_MAX;
}

bool explorer_report_output(struct explorer *explorer, const struct path *path, const char *phase)
{
    struct finding finding = {.kind = FINDING_OUTPUT, .site = find_cause(explorer, path), .phase = phase};
    return report_once(explorer, &explorer->outputs, finding, path, &explorer->statistics.output_differences);
}

bool explorer_report_common(struct explorer *explorer, const struct path *path, const char *phase)
{
    return report(explorer, (struct finding){.kind = FINDING_COMMON, .phase = phase, .failed = path->signal}, path);
}

bool explorer_report_path(struct explorer *explorer, const struct path *path, const char *phase)
{
    bool failed = path->ending == PN_RUNNING || path->ending == PN_CHECK_FAILED;
    return report(explorer, (struct finding){.kind = FINDING_APART, .phase = phase, .failed = failed}, path);
}

bool explorer_report_difference(struct explorer *explorer, size_t finding, const struct conditions *conditions,
                                const uint8_t *input, size_t input_size)
{
    struct text text = {0};
    if (finding == SIZE_MAX)
        return true;
    if (conditions)
        expr_write_c(explorer->writer, conditions->list, conditions->count, &text);
    else
        text_add(&text, "0");
    struct finding_difference difference = {.finding = finding,
                                            .condition =
                                                text.length > EXPLORE_LONGEST_CONDITION ? "" : text_string(&text),
                                            .input = input,
                                            .input_size = input_size};
    bool good = explorer->options.difference(explorer->options.context, &difference, explorer->error);
    text_free(&text);
    return good;
}

bool outputs_differ(const struct path *path)
{
    for (size_t i = 0; i < path->output_count; i++)
        if (output_bytes_differ(&path->outputs[i]))
            return true;
    return false;
}

expr_id output_condition(struct explorer *explorer, const struct path *path)
{
    expr_id any = 0;
    for (size_t i = 0; i < path->output_count; i++) {
        expr_id differs = path->outputs[i].differs;
        any = !differs ? any : any ? expr_or(explorer->table, any, differs) : differs;
    }
    return any;
}

/* ---- the order of things ---- */

/* Seeds from `next` on are shared out; those before stay, for generations. The next one is returned. */
static size_t split_seeds(struct explorer *explorer, size_t next)
{
    enum split split = explorer_split(explorer);
    size_t kept = split == SPLIT_BEGINS ? 0 : next;
    if (split == SPLIT_NOT)
        return next;
    for (size_t i = next; i < explorer->seed_count; i++)
        if (split_keeps(split, i - next))
            explorer->seeds[kept++] = explorer->seeds[i];
    explorer->seed_count = kept;
    while (split == SPLIT_BEGINS && explorer->point_count)
        path_free(explorer->points[--explorer->point_count].path);
    return split == SPLIT_BEGINS ? 0 : next;
}

/* The same for divergences. All seeds stay where they were. */
static size_t split_points(struct explorer *explorer, size_t next)
{
    enum split split = explorer_split(explorer);
    size_t kept = 0;
    if (split == SPLIT_NOT)
        return next;
    for (size_t i = 0; i < explorer->point_count; i++) {
        if (i < next ? split == SPLIT_STAYS : split_keeps(split, i - next))
            explorer->points[kept++] = explorer->points[i];
        else
            path_free(explorer->points[i].path);
    }
    explorer->point_count = kept;
    if (split == SPLIT_STAYS)
        return next;
    explorer->seed_count = 0;
    return 0;
}

static bool run_concolic_phases(struct explorer *explorer)
{
    for (size_t i = 0; i < explorer->seed_count && !explorer_must_stop(explorer); i++) {
        if (explorer_should_split(explorer, explorer->seed_count - i))
            i = split_seeds(explorer, i);
        if (!concolic_phase(explorer, explorer->seeds[i], explorer->seed_size))
            return false;
    }
    return true;
}

/* Until `end`, in seconds from the beginning. */
static bool run_bounded_phases(struct explorer *explorer, double end)
{
    for (size_t i = 0; i < explorer->point_count && !explorer_must_stop(explorer); i++) {
        if (explorer_should_split(explorer, explorer->point_count - i))
            i = split_points(explorer, i);
        double left = end - explorer_elapsed(explorer);
        if (!bounded_phase(explorer, &explorer->points[i], left / (double)(explorer->point_count - i)))
            return false;
    }
    return true;
}

static void measure(struct explorer *explorer)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    explorer->statistics.explore_seconds = explorer_elapsed(explorer);
    explorer->statistics.cpu_seconds = clock_cpu_seconds() - explorer->cpu_start;
    explorer->statistics.peak_memory = (size_t)usage.ru_maxrss * 1024;
    explorer->statistics.workers = 1;
}

static bool explore_all(struct explorer *explorer, const struct exploration *exploration)
{
    if (explorer->options.mode == EXPLORE_COMPLETE)
        return explore_completely(explorer, exploration->seeds, exploration->seed_count, exploration->seed_size);
    if (!run_concolic_phases(explorer))
        return false;
    double left = explorer->options.seconds - explorer_elapsed(explorer);
    switch (explorer->options.mode) {
    case EXPLORE_BOUNDED: return run_bounded_phases(explorer, explorer->options.seconds);
    case EXPLORE_GENERATIONAL: /* which goes on from divergences, too: breadth first has a part of the time */
        return run_bounded_phases(explorer, explorer_elapsed(explorer) + left / 4) && generational_phase(explorer);
    default: return true;
    }
}

bool explore(const struct exploration *exploration, struct explore_outcome *outcome, struct error *error)
{
    struct explorer *explorer = explorer_create(exploration, error);
    bool good = explorer->target && explore_all(explorer, exploration);
    measure(explorer);
    outcome->statistics = explorer->statistics;
    outcome->solver = *solver_statistics(explorer->solver);
    explorer_destroy(explorer);
    return good;
}
