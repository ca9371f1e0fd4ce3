/* Limits, from the statistics of the exploration and the report's own counts. */
#include "report/report.h"

#include <stdlib.h>
#include <string.h>

/* A limit that is counted. */
struct row {
    const char *kind, *of_one, *of_many;
    bool allows; /* "equivalent" all the same */
};

enum row_number {
    POINTS,
    SOLVER,
    MISPREDICTED,
    RUN_TIME,
    RUN_MEMORY,
    THREADED,
    DAMAGED,
    REJECTED_SEEDS,
    SEEDS_WITHOUT_CHANGE,
    FAILING_SEEDS,
    UNPROVEN,
    UNRUN,
    DEPTH,
    LOOP,
    VALUES,
    PAIRS,
    UNCOVERED,
    STALE,
    BEYOND,
    UNCONFIRMED,
    UNCONFIRMED_CHANGES,
    UNSEEN_FAILURES,
    UNREPRODUCED,
};

static const struct row rows[] = {
    [POINTS] = {"divergence-points", "divergence point was not explored to the end (raise --time)",
                "divergence points were not explored to the end (raise --time)", false},
    [SOLVER] = {"solver", "question the solver could not answer in time (raise --solver-time)",
                "questions the solver could not answer in time (raise --solver-time)", false},
    [MISPREDICTED] = {"mispredicted", "input that did not go the predicted way",
                      "inputs that did not go the predicted way", false},
    [RUN_TIME] = {"run-time", "run stopped at the time limit (raise --run-time)",
                  "runs stopped at the time limit (raise --run-time)", false},
    [RUN_MEMORY] = {"run-memory", "run stopped at the memory limit (raise --memory)",
                    "runs stopped at the memory limit (raise --memory)", false},
    [THREADED] =
        {"threads",
         "run that started threads: they ran one after the other as far as they could, no other order was tried",
         "runs that started threads: they ran one after the other as far as they could, no other order was "
         "tried",
         false},
    [DAMAGED] = {"damaged-trace", "run that wrote over the record of itself: nothing is known of its path",
                 "runs that wrote over the record of themselves: nothing is known of their paths", false},
    [REJECTED_SEEDS] = {"rejected-seed", "seed for which an assumption does not hold",
                        "seeds for which an assumption does not hold", true},
    [SEEDS_WITHOUT_CHANGE] = {"seed-without-change", "seed that does not reach a change",
                              "seeds that do not reach a change", true},
    [FAILING_SEEDS] = {"failing-seed", "seed with which both versions fail (start from one that works)",
                       "seeds with which both versions fail (start from ones that work)", true},
    [UNPROVEN] = {"unproven", "divergence found, but not run natively (--all runs every one, if --time is enough)",
                  "divergences found, but not run natively (--all runs every one, if --time is enough)", false},
    [UNRUN] = {"unrun", "path with an input that was not run natively", "paths with inputs that were not run natively",
               false},
    [DEPTH] = {"depth", "decision beyond the depth that is explored (raise --max-depth)",
               "decisions beyond the depth that is explored (raise --max-depth)", false},
    [LOOP] = {"loop", "decision of a loop beyond the bound (raise --max-loop)",
              "decisions of loops beyond the bound (raise --max-loop)", false},
    [VALUES] = {"values", "value with more alternatives than are tried (raise --max-values)",
                "values with more alternatives than are tried (raise --max-values)", false},
    [PAIRS] = {"pairs", "diff path that was not compared with the old version (raise --time)",
               "diff paths that were not compared with the old version (raise --time)", false},
    [UNCOVERED] = {"uncovered", "diff path with inputs for which the old version's behaviour is not known",
                   "diff paths with inputs for which the old version's behaviour is not known", false},
    [STALE] = {"stale-label", "stale label dropped", "stale labels dropped", false},
    [BEYOND] = {"size",
                "run beyond the end of what a pointer was given, of which a caller may have more (raise --size)",
                "runs beyond the end of what a pointer was given, of which a caller may have more (raise --size)",
                false},
    [UNCONFIRMED] = {"unconfirmed", "predicted difference that native runs do not show",
                     "predicted differences that native runs do not show", false},
    [UNCONFIRMED_CHANGES] = {"unconfirmed-change", "semantic change that native runs do not show",
                             "semantic changes that native runs do not show", false},
    [UNSEEN_FAILURES] = {"unseen-failure",
                         "run that failed, and does not natively: a defect of penumbra, please report it",
                         "runs that failed, and do not natively: a defect of penumbra, please report it", false},
    [UNREPRODUCED] = {"unreproduced", "divergence that native runs contradict: a defect of penumbra, please report it",
                      "divergences that native runs contradict: a defect of penumbra, please report it", false},
};

struct collector {
    const struct report *report;
    struct arena *arena;
    struct limits *limits;
};

static void add(struct collector *collector, struct limit limit)
{
    struct limits *limits = collector->limits;
    limits->list = array_reserve(limits->list, &limits->capacity, limits->count + 1, sizeof *limits->list);
    limits->list[limits->count++] = limit;
}

static void add_counted(struct collector *collector, enum row_number number, size_t count)
{
    const struct row *row = &rows[number];
    if (!count)
        return;
    add(collector,
        (struct limit){.kind = row->kind,
                       .text = arena_format(collector->arena, "%zu %s", count, count == 1 ? row->of_one : row->of_many),
                       .place = "",
                       .count = count,
                       .forbids = !row->allows});
}

static void add_single(struct collector *collector, bool holds, const char *kind, const char *text)
{
    if (holds)
        add(collector, (struct limit){.kind = kind, .text = text, .place = "", .count = 1, .forbids = true});
}

static void add_losses(struct collector *collector)
{
    const struct explore_statistics *statistics = collector->report->statistics;
    for (size_t i = 0; i < statistics->loss_count; i++) {
        const struct explore_loss *loss = &statistics->losses[i];
        const char *what = *loss->what ? loss->what : "a value that must be concrete";
        add(collector,
            (struct limit){.kind = "precision",
                           .text = arena_format(collector->arena, "precision lost at: %s x%zu", what, loss->count),
                           .place = arena_copy_string(collector->arena, what),
                           .count = loss->count,
                           .forbids = true});
    }
}

/* Files that the user has named, and no run has opened. The runtime counts what it is given, channel by channel. */
static void add_unopened(struct collector *collector)
{
    const struct invocation *invocation = collector->report->layout->invocation;
    const uint64_t *used = collector->report->statistics->given_used;
    size_t given = 0;
    for (size_t i = 0; i < invocation->count; i++) {
        const struct input_channel *channel = &invocation->channels[i];
        if (channel->kind != INPUT_CHANNEL_STREAM && channel->kind != INPUT_CHANNEL_FILE)
            continue;
        bool is_used = used[given / 64] >> given % 64 & 1;
        given++;
        if (channel->is_asked_for && !is_used)
            add(collector, (struct limit){.kind = "unopened",
                                          .text = arena_format(collector->arena,
                                                               "%s is an input, but no run has opened it (see --file)",
                                                               channel->path),
                                          .place = channel->path,
                                          .count = 1,
                                          .forbids = false});
    }
}

/* What reading the program taught, a line each. */
static void add_lines(struct collector *collector, const char *lines)
{
    for (const char *line = lines; *line;) {
        size_t length = strcspn(line, "\n"), name = strcspn(line, ":\n");
        add(collector,
            (struct limit){.kind = "program",
                           .text = arena_format(collector->arena, "%.*s", (int)length, line),
                           .place = line[name] == ':' ? arena_format(collector->arena, "%.*s", (int)name, line) : "",
                           .count = 1,
                           .forbids = true});
        line += length + (line[length] == '\n');
    }
}

static void add_outside(struct collector *collector)
{
    const struct site_table *sites = collector->report->sites;
    for (size_t i = 0; sites && i < sites->outside.count; i++)
        add(collector, (struct limit){.kind = "outside",
                                      .text = arena_format(
                                          collector->arena,
                                          "%s comes from outside the program: only what it gives here is explored",
                                          sites->outside.list[i]),
                                      .place = sites->outside.list[i],
                                      .count = 1,
                                      .forbids = true});
}

/* Predicted to differ for some input of the path: with `tried`, such an input was run, and no native run shows it; else
 * none was. */
static size_t count_unconfirmed(const struct report *report, bool tried)
{
    size_t count = 0;
    for (size_t i = 0; i < report->count; i++) {
        const struct report_divergence *divergence = &report->divergences[i];
        enum check_class class = divergence->verdict.class;
        count +=
            (class == CHECK_SILENT || class == CHECK_BOTH_FAIL) && divergence->can_differ && divergence->tried == tried;
    }
    return count;
}

/* That nothing could be left out costs time and no truth. */
static void add_relevance(struct collector *collector)
{
    const char *what = collector->report->dependences_unknown;
    if (what)
        add(collector, (struct limit){.kind = "dependences",
                                      .text = arena_format(collector->arena,
                                                           "every branch counts as relevant: the program has %s", what),
                                      .place = "",
                                      .count = 1,
                                      .forbids = false});
}

static bool cannot_be_input(const struct report *report, const char *name)
{
    return report->has_state || words_have(&report->never_inputs, name);
}

/* Of versions that would be equivalent otherwise: what they were so for only. A whole program begins with these. */
static void add_initial_values(struct collector *collector)
{
    const struct report *report = collector->report;
    const struct site_table *sites = report->sites;
    if (report->values != INITIAL_VALUES || report_is_program(report) || report_is_different(report) ||
        limits_forbid(collector->limits))
        return;
    for (size_t i = 0; sites && i < sites->assumed.count; i++) {
        const char *name = sites->assumed.list[i];
        const char *format =
            cannot_be_input(report, name)
                ? "%s keeps its initial value, and cannot be an input (an entry of your own can set it)"
                : "%s: other values than the initial one were not explored to the end (--globals makes "
                  "an input of it)";
        add(collector, (struct limit){.kind = "initial-value",
                                      .text = arena_format(collector->arena, format, name),
                                      .place = name,
                                      .count = 1,
                                      .forbids = true});
    }
}

static const char *string_of(const json_t *object, const char *key)
{
    const char *string = json_string_value(json_object_get(object, key));
    return string ? string : "";
}

static bool fails(const json_t *seed, const char *version)
{
    return !strcmp(string_of(seed, version), "failure") || !strcmp(string_of(seed, version), "limit");
}

/* Tests that say nothing of a change, each by its number and what it is. */
static void add_seeds(struct collector *collector)
{
    size_t i;
    json_t *seed;
    json_array_foreach (collector->report->seeds, i, seed) {
        bool is_rejected = json_is_true(json_object_get(seed, "rejected"));
        bool fails_in_both = fails(seed, "old") && fails(seed, "new");
        bool is_changed = json_is_true(json_object_get(seed, "changed"));
        const char *what = is_rejected     ? "an assumption does not hold for it"
                           : fails_in_both ? "both versions fail with it"
                           : !is_changed   ? "it does not reach a change"
                                           : NULL;
        if (what)
            add(collector, (struct limit){.kind = is_rejected     ? "rejected-seed"
                                                  : fails_in_both ? "failing-seed"
                                                                  : "seed-without-change",
                                          .text = arena_format(collector->arena, "seed %zu, %s: %s", i + 1,
                                                               string_of(seed, "input"), what),
                                          .place = arena_format(collector->arena, "%s", string_of(seed, "input")),
                                          .count = 1,
                                          .forbids = false});
    }
}

/* That no run executes a change, or comes to an output, is no loss where everything was explored: but hardly what
 * somebody wanted. */
static void add_unreached(struct collector *collector)
{
    size_t i;
    json_t *place;
    json_array_foreach (collector->report->unexecuted_changes, i, place) {
        const char *where = arena_format(collector->arena, "%s:%lld", string_of(place, "file"),
                                         (long long)json_integer_value(json_object_get(place, "line")));
        add(collector, (struct limit){.kind = "change-not-executed",
                                      .text = arena_format(collector->arena, "no run executes the change at %s", where),
                                      .place = where,
                                      .count = 1,
                                      .forbids = false});
    }
    if (collector->report->has_no_changes)
        add(collector,
            (struct limit){.kind = "change-not-executed",
                           .text = "no changed statement is left that a run could execute: each run counts as changed",
                           .place = "",
                           .count = 1,
                           .forbids = false});
    if (collector->report->has_no_output)
        add(collector, (struct limit){.kind = "no-output",
                                      .text = "no run reaches an output: each one of a version fails, or does not end",
                                      .place = "",
                                      .count = 1,
                                      .forbids = false});
}

/* Whatever keeps the complete mode from being complete. */
static void add_complete(struct collector *collector)
{
    const struct report *report = collector->report;
    const struct explore_statistics *statistics = report->statistics;
    add_counted(collector, DEPTH, statistics->cut_by_depth);
    add_counted(collector, LOOP, statistics->cut_by_loop);
    add_counted(collector, VALUES, statistics->cut_by_values);
    add_counted(collector, PAIRS, statistics->cut_pairs);
    add_counted(collector, UNCOVERED, statistics->uncovered);
    add_counted(collector, STALE, statistics->stale_labels);
    add_counted(collector, BEYOND, *report->sizes ? 0 : statistics->beyond);
    add_counted(collector, UNCONFIRMED, count_unconfirmed(report, true));
    add_counted(collector, UNCONFIRMED_CHANGES, report->unconfirmed_changes);
    add_single(collector, statistics->one_version, "one-version",
               "only the new version was explored (--explore cbpe-sd compares both)");
    add_single(collector, statistics->runs && statistics->exhausted && !statistics->paths, "no-input",
               "no input meets all that is assumed of inputs: nothing was compared");
    add_relevance(collector);
    add_seeds(collector);
    add_unreached(collector);
    add_single(
        collector, report_is_program(report), "seeds",
        "explored from the given starts of the program: arguments, files and standard input are these, and others that "
        "are longer by no more than --grow");
    add_single(
        collector, !statistics->change_reached && report->sites && report->sites->assumed.count, "no-change",
        "no path reaches a change, while other globals keep their initial values (--globals makes inputs of them)");
    bool may_not_allocate = report->layout && input_layout_fails_allocations(report->layout);
    add_single(collector,
               !statistics->change_reached && report->sites &&
                   ((report->sites->allocates && !may_not_allocate) || report->sites->prints),
               "no-change",
               may_not_allocate
                   ? "no path reaches a change, while writing to streams never fails"
                   : "no path reaches a change, while allocating memory and writing to streams never fail");
    add_single(collector, statistics->path_limit, "paths", "path limit reached (raise --max-paths)");
    add_lines(collector, report->notes);
    if (statistics->beyond) /* else no caller's longer object would make a difference */
        add_lines(collector, report->sizes);
    if (!report_is_program(report)) /* there standard input is one of the inputs */
        add_outside(collector);
}

void limits_collect(const struct report *report, struct arena *arena, struct limits *limits)
{
    struct collector collector = {report, arena, limits};
    const struct explore_statistics *statistics = report->statistics;
    bool is_complete = report->mode == EXPLORE_COMPLETE;
    if (report->is_proven) /* for all inputs, of the versions as they are */
        return;
    add_single(&collector, statistics->interrupted, "interrupted", "interrupted: what was found up to then is here");
    add_single(&collector, statistics->had_enough, "first", "stopped at the first difference, as --first asks for");
    add_single(&collector, statistics->out_of_time, "time", "time limit reached (raise --time)");
    add_counted(&collector, POINTS, statistics->points_cut);
    add_counted(&collector, SOLVER, report->solver->unknown);
    add_counted(&collector, MISPREDICTED, statistics->mispredictions);
    add_counted(&collector, RUN_TIME, statistics->time_outs);
    add_counted(&collector, RUN_MEMORY, statistics->memory_limits);
    add_counted(&collector, THREADED, statistics->threaded_runs);
    add_counted(&collector, DAMAGED, statistics->damaged_traces);
    add_counted(&collector, REJECTED_SEEDS, statistics->rejected_seeds);
    add_counted(&collector, SEEDS_WITHOUT_CHANGE, statistics->seeds_without_change);
    add_counted(&collector, FAILING_SEEDS, statistics->failing_seeds);
    if (report->apart)
        add_single(&collector, true, "apart", arena_format(arena, "explored apart: %s", report->apart));
    add_single(&collector, statistics->table_full, "table-full",
               "a trace outgrew its tables: some values lost their labels");
    add_losses(&collector);
    add_counted(&collector, UNPROVEN, report->unproven + count_unconfirmed(report, false));
    add_counted(&collector, UNRUN, report->unrun);
    add_single(&collector, report->unconfirmed, "unconfirmed-failures",
               "failures that AddressSanitizer misses were not looked for any more (raise --time)");
    if (is_complete)
        add_complete(&collector);
    if (report_is_program(report))
        add_unopened(&collector);
    if (!is_complete && report_is_program(report))
        add_single(
            &collector, true, "seeds",
            "explored from the given starts of the program: what they do not lead to in this time was not tried");
    else if (!is_complete)
        add_single(&collector, true, "seeds",
                   "explored from the given seeds only: other paths were not tried (--mode complete needs no seed)");
    add_counted(&collector, UNSEEN_FAILURES, report->unseen_failures);
    add_counted(&collector, UNREPRODUCED, report_count_class(report, CHECK_UNREPRODUCED));
    if (is_complete)
        add_initial_values(&collector);
}

bool limits_forbid(const struct limits *limits)
{
    for (size_t i = 0; i < limits->count; i++)
        if (limits->list[i].forbids)
            return true;
    return false;
}

void limits_free(struct limits *limits)
{
    free(limits->list);
    *limits = (struct limits){0};
}
