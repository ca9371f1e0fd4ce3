/* The report for people. */
#include "report/conditions.h"
#include "report/groups.h"
#include "report/report.h"
#include "report/values.h"

#include <string.h>

/* With these, a report fits one screen. */
enum { GROUPS_SHOWN_WHOLE = 4, GROUPS_SHOWN = 12 };
enum { LINES_SHOWN = 6, LINE_CHARACTERS = 72, CONDITION_CHARACTERS = 400, SHOWN_OF_A_KIND = 8 };

static const char *colour_of(enum check_class class)
{
    switch (class) {
    case CHECK_REGRESSION: return "\033[1;31m";
    case CHECK_FIX: return "\033[1;32m";
    case CHECK_OUTPUT:
    case CHECK_LEAK: return "\033[1;33m";
    case CHECK_UNREPRODUCED: return "\033[1;35m";
    default: return "\033[1m";
    }
}

static const char *explain(enum check_class class)
{
    switch (class) {
    case CHECK_REGRESSION: return "fails only in the new version";
    case CHECK_FIX: return "failed in the old version, no longer does";
    case CHECK_OUTPUT: return "the versions' outputs differ";
    case CHECK_LEAK: return "the versions lose other memory";
    case CHECK_SILENT: return "another path, the same output";
    case CHECK_BOTH_FAIL: return "both versions fail alike";
    case CHECK_UNREPRODUCED: return "native runs contradict the trace: please report this";
    }
    return "";
}

static const char *explain_kind(const struct report_divergence *divergence)
{
    const struct check_verdict *verdict = &divergence->verdict;
    if ((divergence->kind == FINDING_OLD_FAILS && !verdict->old_run.failed) ||
        (divergence->kind == FINDING_NEW_FAILS && !verdict->new_run.failed))
        return "what the versions leave behind differs"; /* one is not what the other's bounds say */
    if (*divergence->called && (divergence->kind == FINDING_DIFF_TRUE || divergence->kind == FINDING_DIFF_FALSE))
        return "the versions go different ways";
    switch (divergence->kind) {
    case FINDING_DIFF_TRUE: return "new takes the true branch, old the false one";
    case FINDING_DIFF_FALSE: return "new takes the false branch, old the true one";
    case FINDING_OLD_FAILS: return "a check fails in the old version only";
    case FINDING_NEW_FAILS: return "a check fails in the new version only";
    case FINDING_EARLY_EXIT: return "one version leaves here, the other goes on";
    case FINDING_EXTERNAL: return "data that differs leaves the program";
    case FINDING_OUTPUT: return "the same path, another output";
    case FINDING_COMMON: return "native runs differ where the trace does not: please report this";
    case FINDING_NATIVE: return "native runs of both versions differ";
    case FINDING_SEMANTIC: return "a semantic change";
    case FINDING_APART: return "the versions were explored apart";
    }
    return "";
}

static void print_line(const struct report *report, const char *line, size_t length, const char *other,
                       const char *separator, FILE *to)
{
    struct text text = {0};
    report_add_line(report, line, length, other, &text);
    const char *shown = text_string(&text);
    int count = text.length > LINE_CHARACTERS ? LINE_CHARACTERS : (int)text.length;
    while (count > 0 && (shown[count] & 0xc0) == 0x80) /* no character is cut in two */
        count--;
    fprintf(to, "%s%.*s%s", separator, count, shown, text.length > LINE_CHARACTERS ? "..." : "");
    text_free(&text);
}

/* `with 01 00`: the bytes that a callback was given, which other lines say as values. */
static bool is_call(const char *line, size_t length)
{
    size_t at = 4;
    if (length < 7 || strncmp(line, "with", 4))
        return false;
    while (at + 3 <= length && line[at] == ' ' && strspn(line + at + 1, "0123456789abcdef") >= 2)
        at += 3;
    return at == length;
}

/* A few lines that the other text does not have, and how many there are; `separator` comes before the first. */
static unsigned print_other_lines(const struct report *report, const char *text, const char *other,
                                  const char *separator, FILE *to)
{
    unsigned count = 0;
    for (const char *line = text; *line;) {
        size_t length = strcspn(line, "\n");
        bool is_other = !is_call(line, length) && !report_has_line(other, line, length);
        if (is_other && count++ < LINES_SHOWN)
            print_line(report, line, length, other, count > 1 ? "; " : separator, to);
        line += length + (line[length] == '\n');
    }
    return count;
}

/* What a version that has no line of its own did. */
static const char *without_lines(const struct text *output)
{
    if (!output[0].length)
        return "no output";
    for (const char *line = text_string(&output[1]); *line;) {
        size_t length = strcspn(line, "\n");
        if (!report_has_line(text_string(&output[0]), line, length))
            return "nothing of that, otherwise the same";
        line += length + (line[length] == '\n');
    }
    return "the same lines in another order or number";
}

/* What a version did, as far as it is not what the other one did, of which `output` and `errors` are readable too. */
static void print_end(const struct report *report, const struct check_observation *run,
                      const struct check_observation *other, const struct text *output, const struct text *errors,
                      FILE *to)
{
    /* Of one that failed it is not of interest what it printed before. */
    const char *other_output = other->failed ? "" : text_string(&output[1]);
    bool same_output = !strcmp(text_string(&output[0]), other_output);
    bool other_errors = same_output && !other->failed && strcmp(text_string(&errors[0]), text_string(&errors[1]));
    unsigned shown = other_errors ? print_other_lines(report, text_string(&errors[0]), text_string(&errors[1]),
                                                      "on standard error: ", to)
                                  : print_other_lines(report, text_string(&output[0]), other_output, "", to);
    if (!other->failed && run->exit_status != other->exit_status)
        fprintf(to, "%sexit status %d", shown ? "; " : "", run->exit_status);
    else if (!shown && other_errors)
        fputs("nothing else on standard error", to);
    else if (!shown && (other->failed || !same_output))
        fputs(without_lines(output), to);
    else if (!shown)
        fputs("same output", to);
    fputs(shown > LINES_SHOWN ? "; ...\n" : "\n", to);
}

static void print_observation(const struct report *report, const char *version, const struct check_observation *run,
                              const struct check_observation *other, FILE *to)
{
    fprintf(to, "    %s  ", version);
    if (run->failed) {
        fprintf(to, "%s%s%s%s\n", run->failure, *run->location ? " at " : "", run->location,
                run->by_own_check ? " (seen by penumbra's object checks; AddressSanitizer misses it)" : "");
        return;
    }
    if (run->leaked_blocks != other->leaked_blocks)
        fprintf(to, "leaks %llu block%s, %llu bytes; ", (unsigned long long)run->leaked_blocks,
                run->leaked_blocks == 1 ? "" : "s", (unsigned long long)run->leaked_bytes);
    struct text output[2] = {0}, errors[2] = {0};
    const struct check_observation *both[] = {run, other};
    for (int i = 0; i < 2; i++) {
        report_add_readable(&both[i]->output, &output[i]);
        report_add_readable(&both[i]->errors, &errors[i]);
    }
    print_end(report, run, other, output, errors, to);
    for (int i = 0; i < 2; i++) {
        text_free(&output[i]);
        text_free(&errors[i]);
    }
}

/* The last conditions say most: they are nearest to the divergence. All of them are in the JSON report. */
static void print_condition(const char *const *condition, FILE *to)
{
    size_t count = 0, length = 0;
    while (condition[count])
        count++;
    size_t first = count;
    while (first > 0 && (first == count || length + strlen(condition[first - 1]) < CONDITION_CHARACTERS))
        length += strlen(condition[--first]) + 4;
    fputs(count ? "    when " : "    when always", to);
    if (first)
        fprintf(to, "(%zu conditions more) && ", first);
    for (size_t i = first; i < count; i++) {
        bool parentheses = count > 1 && condition_is_loose(condition[i]);
        fprintf(to, "%s%s%s%s", i > first ? " && " : "", parentheses ? "(" : "", condition[i], parentheses ? ")" : "");
    }
    fputc('\n', to);
}

/* Of a long line, what is around the first difference to the other one. */
static void print_part(const char *text, const char *other, FILE *to)
{
    enum { BEFORE = LINE_CHARACTERS / 3 };
    size_t length = strlen(text), same = 0, first = 0;
    while (other[same] && text[same] == other[same])
        same++;
    if (length > LINE_CHARACTERS && same > LINE_CHARACTERS - BEFORE)
        first = same - BEFORE < length - LINE_CHARACTERS ? same - BEFORE : length - LINE_CHARACTERS;
    while ((text[first] & 0xc0) == 0x80) /* no character is cut in two */
        first++;
    size_t count = length - first < LINE_CHARACTERS ? length - first : LINE_CHARACTERS;
    while (first + count < length && (text[first + count] & 0xc0) == 0x80)
        count--;
    fprintf(to, "%s%.*s%s", first ? "..." : "", (int)count, text + first, first + count < length ? "..." : "");
}

/* `- if (days > 10)  -> true` */
static void print_source(const json_t *source, enum finding_kind kind, FILE *to)
{
    size_t i;
    json_t *line;
    json_array_foreach (source, i, line) {
        const char *outcome = json_string_value(json_object_get(line, "outcome"));
        const char *text = json_string_value(json_object_get(line, "text"));
        const json_t *other = json_array_get(source, 1 - i);
        bool is_same = other && !strcmp(text, json_string_value(json_object_get(other, "text")));
        if (is_same && i > 0)
            continue;
        bool is_old = !strcmp(json_string_value(json_object_get(line, "version")), "old");
        fputs(is_same ? "      " : is_old ? "    - " : "    + ", to);
        print_part(text, other ? json_string_value(json_object_get(other, "text")) : "", to);
        if (kind == FINDING_OUTPUT) {
            fputs(is_same || i > 0 ? "  (the last change on the way)\n" : "\n", to);
            continue;
        }
        const char *other_outcome = other ? json_string_value(json_object_get(other, "outcome")) : "";
        if (is_same && *outcome && *other_outcome)
            fprintf(to, "  -> old %s, new %s\n", outcome, other_outcome);
        else if (is_same && (*outcome || *other_outcome))
            fprintf(to, "  -> %s %s\n", *outcome ? "old" : "new", *outcome ? outcome : other_outcome);
        else
            fprintf(to, *outcome ? "  -> %s\n" : "\n", outcome);
    }
}

static void print_divergence(const struct report *report, const struct report_divergence *divergence,
                             const json_t *source, FILE *to, bool colours)
{
    const struct check_verdict *verdict = &divergence->verdict;
    struct text input = {0};
    input_print_briefly(report->layout, divergence->input, &input);
    fprintf(to, "\n[%u] %s%s%s  %s\n", divergence->number, colours ? colour_of(verdict->class) : "",
            check_class_name(verdict->class), colours ? "\033[0m" : "", text_string(&input));
    fprintf(to, "    %s: %s:%u:%u, ", explain(verdict->class), divergence->file, divergence->line, divergence->column);
    if (*divergence->called)
        fprintf(to, "in %s(), ", divergence->called);
    fprintf(to, "%s%s\n", explain_kind(divergence), strcmp(divergence->phase, "bounded") ? "" : " (bounded phase)");
    print_source(source, divergence->kind, to);
    if (divergence->cause_file && !groups_part_at_cause(divergence))
        fprintf(to, "    made by the change at %s:%u alone\n", divergence->cause_file, divergence->cause_line);
    print_observation(report, "old", &verdict->old_run, &verdict->new_run, to);
    print_observation(report, "new", &verdict->new_run, &verdict->old_run, to);
    if (check_signed_overflow(verdict))
        fprintf(to, "    needs a signed overflow\n");
    if (*check_undefined(verdict))
        fprintf(to, "    undefined behaviour on the way: %s\n", check_undefined(verdict));
    print_condition(conditions_reduce(divergence->path_condition, report->arena), to);
    if (divergence->repro)
        fprintf(to, "    repro: %s\n", divergence->repro);
    text_free(&input);
}

/* ---- groups ---- */

static void print_others(const struct report_group *group, FILE *to)
{
    if (group->count > 1)
        fprintf(to, "    and %zu more like it", group->count - 1);
    if (group->unproven)
        fprintf(to, "%s%zu more here that %s not run", group->count > 1 ? ", " : "    and ", group->unproven,
                group->unproven == 1 ? "was" : "were");
    if (group->count > 1 || group->unproven)
        fputs(" (--all shows them)\n", to);
    if (group->fixed == FIXED_TAKES_IT_BACK)
        fputs("    the fixed version takes it back\n", to);
    else if (group->fixed == FIXED_KEEPS_IT)
        fputs("    it stays in the fixed version\n", to);
}

/* In one line. */
static void print_briefly(const struct report *report, const struct report_group *group, FILE *to)
{
    const struct report_divergence *witness = groups_witness(report, group);
    struct text input = {0};
    input_print_briefly(report->layout, witness->input, &input);
    fprintf(to, "[%u] %s x%zu at %s:%u:%u  %.60s\n", witness->number, check_class_name(group->class),
            group->count + group->unproven, witness->file, witness->line, witness->column, text_string(&input));
    text_free(&input);
}

/* Of what is no difference of behaviour. */
static bool is_only_counted(const struct report_group *group)
{
    return group->class == CHECK_SILENT || group->class == CHECK_BOTH_FAIL;
}

static void print_counted(const struct report *report, const struct report_group *group, FILE *to)
{
    const struct report_divergence *witness = groups_witness(report, group);
    size_t count = group->count + group->unproven;
    const char *what = group->class == CHECK_SILENT ? "silent" : "both-fail";
    const char *why = group->class == CHECK_SILENT ? "another path, the same output" : "both versions fail alike";
    if (count > 1)
        fprintf(to, "\n%zu %s divergences: %s; [%u] is one, at %s:%u:%u (--all shows them)\n", count, what, why,
                witness->number, witness->file, witness->line, witness->column);
    else
        fprintf(to, "\n1 %s divergence, [%u]: %s, at %s:%u:%u (--all shows it)\n", what, witness->number, why,
                witness->file, witness->line, witness->column);
}

static void print_groups(const struct report *report, FILE *to, bool colours)
{
    size_t shown = 0, accepted = 0;
    for (size_t i = 0; i < report->group_count; i++) {
        const struct report_group *group = &report->groups[i];
        accepted += group->is_accepted;
        if (group->is_accepted)
            continue;
        if (is_only_counted(group))
            print_counted(report, group, to);
        else if (shown < GROUPS_SHOWN_WHOLE) {
            print_divergence(report, groups_witness(report, group), group->source, to, colours);
            print_others(group, to);
        } else if (shown < GROUPS_SHOWN) {
            fputs(shown == GROUPS_SHOWN_WHOLE ? "\n" : "", to);
            print_briefly(report, group, to);
        }
        shown += !is_only_counted(group);
    }
    if (accepted)
        fprintf(to, "\n%zu group%s that %s accepted as intended %s not shown\n", accepted, accepted == 1 ? "" : "s",
                accepted == 1 ? "was" : "were", accepted == 1 ? "is" : "are");
    if (shown > GROUPS_SHOWN)
        fprintf(to, "... and %zu more groups: all are in %s/report.json\n", shown - GROUPS_SHOWN, report->directory);
}

static void print_indented(const char *lines, FILE *to)
{
    while (*lines) {
        size_t length = strcspn(lines, "\n");
        fprintf(to, "  %.*s\n", (int)length, lines);
        lines += length + (lines[length] == '\n');
    }
}

static void print_common(const struct report *report, FILE *to)
{
    struct text text = {0};
    report_add_common(report, &text);
    print_indented(text_string(&text), to);
    text_free(&text);
}

static void print_count(size_t count, const char *one, const char *many, FILE *to)
{
    fprintf(to, "%zu %s, ", count, count == 1 ? one : many);
}

static void print_summary(const struct report *report, FILE *to)
{
    const struct explore_statistics *statistics = report->statistics;
    static const enum check_class classes[] = {CHECK_REGRESSION, CHECK_OUTPUT, CHECK_FIX,         CHECK_LEAK,
                                               CHECK_BOTH_FAIL,  CHECK_SILENT, CHECK_UNREPRODUCED};
    bool any = false;
    fprintf(to, "\n%s", verdict_name(report->verdict));
    if (report->float_tolerance > 0)
        fprintf(to, " (floating point within %g)", report->float_tolerance);
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++) {
        size_t count = report_count_class(report, classes[i]);
        if (count)
            fprintf(to, "%s%zu %s", any ? ", " : ": ", count, check_class_name(classes[i])), any = true;
    }
    fputc('\n', to);
    if (report->is_proven) {
        fprintf(to, "the optimiser makes the same of both versions, for all inputs: ");
        if (statistics->runs)
            fprintf(to, "%zu run%s until then", statistics->runs, statistics->runs == 1 ? "" : "s");
        else
            fprintf(to, "nothing was run");
        fprintf(to, "; %.2f s\n", report->seconds);
        return;
    }
    print_count(statistics->runs, "run", "runs", to);
    if (report->semantic_changes) {
        print_count(statistics->paths, "partition", "partitions", to);
        print_count(json_array_size(report->semantic_changes), "semantic change", "semantic changes", to);
    } else {
        print_count(statistics->paths, "path", "paths", to);
        print_count(statistics->diff_paths, "diff path", "diff paths", to);
        print_count(statistics->output_differences, "output difference on common paths",
                    "output differences on common paths", to);
    }
    print_count(report->solver->queries, "solver query", "solver queries", to);
    fprintf(to, "%.2f s; results in %s\n", report->seconds, report->directory);
}

/* Records of one kind come one after the other; of each kind, some are shown. `shown` counts those of the kind. */
static void print_some(const struct report *report, const char *kind, const char *before, const char *text,
                       const char *indent, size_t *shown, FILE *to)
{
    *shown = before && !strcmp(before, kind) ? *shown + 1 : 0;
    if (*shown < SHOWN_OF_A_KIND)
        fprintf(to, "%s%s\n", indent, text);
    else if (*shown == SHOWN_OF_A_KIND)
        fprintf(to, "%s... (all are in %s/report.json)\n", indent, report->directory);
}

static void print_limits(const struct report *report, FILE *to)
{
    const struct limit *list = report->limits.list;
    size_t shown = 0;
    for (size_t i = 0; i < report->limits.count; i++)
        print_some(report, list[i].kind, i ? list[i - 1].kind : NULL, list[i].text, "  ", &shown, to);
}

/* What the verdict rests on. */
static void print_assumptions(const struct report *report, FILE *to)
{
    const struct assumption *list = report->assumptions.list;
    size_t shown = 0;
    if (report->assumptions.count)
        fputs("  assumed:\n", to);
    for (size_t i = 0; i < report->assumptions.count; i++)
        print_some(report, list[i].kind, i ? list[i - 1].kind : NULL, list[i].text, "    ", &shown, to);
}

void report_print_statistics(const struct report *report, FILE *to)
{
    const struct explore_statistics *statistics = report->statistics;
    fprintf(to,
            "states %zu, paths %zu, diff paths %zu, output differences %zu, queries %zu, seconds %.3f, CPU seconds of "
            "the exploration %.3f, peak memory %.1f MB\n",
            statistics->states, statistics->paths, statistics->diff_paths, statistics->output_differences,
            report->solver->queries, report->seconds, statistics->cpu_seconds, (double)statistics->peak_memory / 1e6);
}

void report_print(const struct report *report, FILE *to, bool colours)
{
    if (!report->all)
        print_groups(report, to, colours);
    for (size_t i = 0; i < report->count && report->all; i++)
        print_divergence(report, &report->divergences[i], NULL, to, colours);
    print_summary(report, to);
    print_common(report, to);
    if (report->mode != EXPLORE_COMPLETE) { /* there they are limits */
        print_indented(report->sizes, to);
        print_indented(report->notes, to);
    }
    if (report->recorded_notes)
        print_indented(report->recorded_notes, to);
    print_limits(report, to);
    if (report->fixed_problem)
        fprintf(to, "  the fixed version was not run: %s\n", report->fixed_problem);
    if (report->is_weakly_confined)
        fputs("  programs under test had no namespaces of their own (penumbra doctor says why)\n", to);
    if (report->verdict != VERDICT_DIFFERENT)
        print_assumptions(report, to);
    else if (report_has_global_inputs(report))
        fprintf(to, "  %s\n", REPORT_STATE_TEXT);
}
