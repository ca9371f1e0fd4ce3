/* Gathering results. */
#include "campaign/results.h"
#include "base/file.h"
#include "base/set.h"
#include "campaign/journal.h"
#include "campaign/live.h"
#include "campaign/repro.h"
#include "campaign/resume.h"
#include "report/groups.h"
#include "report/source.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

const char *results_make_directory(struct arena *arena, const char *wanted, struct error *error)
{
    const char *name = arena_copy_string(arena, wanted);
    for (unsigned number = 1; mkdir(name, 0777); number++) {
        if (errno != EEXIST || number == 100000) {
            error_set(error, "%s cannot be made: %s; --out DIR chooses another place", name, strerror(errno));
            return NULL;
        }
        name = arena_format(arena, "%s-%u", wanted, number);
    }
    return name;
}

/* ---- one divergence ---- */

/* What the input says nothing of is zero. */
static void set_input(const struct report *report, struct report_divergence *divergence, const uint8_t *input,
                      size_t size)
{
    divergence->input = arena_allocate(report->arena, (size < report->layout->size ? report->layout->size : size) + 1);
    divergence->input_size = size;
    memcpy(divergence->input, input, size);
}

void results_fit_inputs(struct report *report)
{
    for (size_t i = 0; i < report->count; i++)
        if (report->divergences[i].input_size < report->layout->size)
            set_input(report, &report->divergences[i], report->divergences[i].input, report->divergences[i].input_size);
}

static const char *folder_of(const struct report *report, const struct report_divergence *divergence)
{
    return arena_format(report->arena, "%s/%03u", report->directory, divergence->number);
}

static bool write_input(const struct report *report, struct report_divergence *divergence, const char *name,
                        struct error *error)
{
    struct text content = {0};
    const char *directory = folder_of(report, divergence);
    divergence->input_path = arena_format(report->arena, "%s/%s", directory, name);
    input_print_file(report->layout, divergence->input, &content);
    bool good = file_make_directory(directory, error) &&
                file_write(divergence->input_path, text_string(&content), content.length, error);
    text_free(&content);
    return good;
}

static bool replay(const struct report *report, struct checker *checker, struct report_divergence *divergence,
                   struct error *error)
{
    struct text text = {0};
    input_print_file(report->layout, divergence->input, &text);
    bool good = check_try(checker, &text, 0, &divergence->verdict, error);
    text_free(&text);
    return good;
}

/* What a whole program has printed, byte by byte: a test of it expects that. */
static bool write_printed(const struct report *report, const struct report_divergence *divergence, const char *version,
                          const struct check_observation *run, struct error *error)
{
    const char *path = arena_format(report->arena, "%s/%s.stdout", folder_of(report, divergence), version);
    return file_write(path, text_string(&run->output), run->printed, error);
}

/* What did not end by itself gets a limit in the script too; what only our own checks see is run with them. */
static bool write_repro(const struct report *report, const struct subject *subject,
                        struct report_divergence *divergence, struct error *error)
{
    static const char *const names[] = {"old", "new"};
    const struct check_observation *runs[] = {&divergence->verdict.old_run, &divergence->verdict.new_run};
    struct repro repro = {.directory = folder_of(report, divergence)};
    for (size_t i = 0; i < 2; i++) {
        repro.seconds[i] = runs[i]->passed_limit ? subject->options->run_seconds : 0;
        repro.programs[i] = arena_format(report->arena, "native/%s%s", names[i],
                                         runs[i]->by_own_check && !subject->invocation ? "-checked" : "");
    }
    if (subject->invocation) {
        repro.working_directory = subject->options->world.directory;
        repro.root = subject->options->world.root.path;
        if (!write_printed(report, divergence, names[0], runs[0], error) ||
            !write_printed(report, divergence, names[1], runs[1], error))
            return false;
    }
    repro.run_seconds = subject->options->run_seconds;
    return repro_write(&repro, report->arena, &divergence->repro, error);
}

static void place_at_entry(struct report_divergence *divergence, const struct program *program)
{
    divergence->path = program->entry_path;
    divergence->file = program_file_name(program, divergence->path);
    divergence->line = program->entry_line;
    divergence->column = program->entry_column;
}

static bool is_in_harness(const struct subject *subject, const struct site *site)
{
    for (size_t i = 0; i < subject->request.unit_count; i++)
        if (!strcmp(subject->program.paths[i], site->file))
            return false;
    return !strncmp(basename(site->file), "harness-", 8);
}

/* What the harness does after the entry has returned is the entry's: it is where the outputs are looked at. */
static void place_at(struct report_divergence *divergence, const struct subject *subject, const struct site *site)
{
    if (is_in_harness(subject, site)) {
        place_at_entry(divergence, &subject->program);
        return;
    }
    divergence->path = site->file;
    divergence->file = program_file_name(&subject->program, site->file);
    divergence->line = site->line;
    divergence->column = site->column;
}

static void begin(const struct report *report, const struct subject *subject, const struct finding *finding,
                  unsigned number, struct report_divergence *divergence)
{
    *divergence = (struct report_divergence){
        .number = number,
        .kind = finding->kind,
        .phase = arena_copy_string(report->arena, finding->phase),
        .differs = "",
        .called = "",
        .path_condition = set_share_strings(report->texts, report->arena, finding->conditions),
    };
    place_at_entry(divergence, &subject->program);
    set_input(report, divergence, finding->input, finding->input_size);
}

bool results_prove(const struct report *report, const struct subject *subject, struct checker *checker,
                   const struct finding *finding, unsigned number, struct report_divergence *divergence,
                   struct error *error)
{
    begin(report, subject, finding, number, divergence);
    return replay(report, checker, divergence, error);
}

uint32_t results_site(const struct subject *subject, const struct finding *finding)
{
    const struct site *site = site_table_get(subject->sites, finding->site);
    return finding->change && is_in_harness(subject, site) ? finding->change : finding->site;
}

void results_place(const struct report *report, const struct subject *subject, const struct finding *finding,
                   struct report_divergence *divergence)
{
    const struct site *site = site_table_get(subject->sites, results_site(subject, finding));
    divergence->kind = finding->kind;
    divergence->path_condition = set_share_strings(report->texts, report->arena, finding->conditions);
    place_at(divergence, subject, site);
    if (site->calls_model)
        divergence->called = arena_copy_string(report->arena, site->what);
}

struct report_unproven results_unproven_at(const struct subject *subject, enum finding_kind kind, uint32_t site)
{
    struct report_divergence like = {0};
    place_at(&like, subject, site_table_get(subject->sites, site));
    return (struct report_unproven){.kind = kind, .file = like.file, .line = like.line, .column = like.column};
}

static bool is_known(const struct report *report, const struct report_divergence *divergence)
{
    struct text key = {0};
    groups_add_key(divergence, &key);
    bool known = report->shown && set_find(report->shown, text_string(&key), key.length) < set_count(report->shown);
    text_free(&key);
    return known;
}

/* What shows nothing new is run once only. */
bool results_add_another(struct report *report, struct subject *subject, struct checker *checker,
                         const struct finding *finding, unsigned number, struct error *error)
{
    struct report_divergence divergence;
    struct text text = {0};
    begin(report, subject, finding, number, &divergence);
    results_place(report, subject, finding, &divergence);
    input_print_file(report->layout, divergence.input, &text);
    bool good = check_try_once(checker, &text, &divergence.verdict, error);
    if (good && !is_known(report, &divergence)) {
        check_verdict_free(&divergence.verdict);
        good = check_try(checker, &text, 0, &divergence.verdict, error);
    }
    text_free(&text);
    return good && results_keep(report, subject, &divergence, error);
}

static bool make_divergence(const struct report *report, const struct subject *subject, struct checker *checker,
                            const struct finding *finding, struct report_divergence *divergence, struct error *error)
{
    if (!results_prove(report, subject, checker, finding, report->last_number + 1, divergence, error))
        return false;
    if (finding->kind == FINDING_SEMANTIC && finding->site) /* where the first change is executed */
        results_place(report, subject, finding, divergence);
    return true;
}

bool results_write(const struct report *report, const struct subject *subject, struct report_divergence *divergence,
                   struct error *error)
{
    if (!write_input(report, divergence, "input", error) || !write_repro(report, subject, divergence, error))
        return false;
    json_t *record = report_divergence_record(report, divergence);
    json_object_set_new(record, "kept", resume_describe(report, divergence));
    return journal_append(report->journal, record, report->way, error);
}

/* One folder for both: the script runs the small one, unless it is told to run the other. */
bool results_write_small(const struct report *report, const struct subject *subject,
                         struct report_divergence *divergence, struct error *error)
{
    struct report_divergence *small = divergence->small;
    if (!write_input(report, small, "input", error) || !write_repro(report, subject, small, error) ||
        !write_input(report, divergence, "found", error))
        return false;
    divergence->repro = repro_with_input(report->arena, small->repro, "found");
    return true;
}

static bool is_loud(const struct report_divergence *divergence)
{
    return check_class_is_difference(divergence->verdict.class);
}

/* What shows something new is on disk at once: it is not lost, whatever becomes of this process. */
static bool write_if_new(struct report *report, const struct subject *subject, struct report_divergence *divergence,
                         struct error *error)
{
    struct text key = {0};
    groups_add_key(divergence, &key);
    report->shown = report->shown ? report->shown : set_create();
    bool is_first = set_add(report->shown, text_string(&key), key.length);
    text_free(&key);
    report->has_difference |= is_loud(divergence);
    bool is_new = is_first && !resume_is_kept(report, divergence);
    report->told += is_first && is_loud(divergence);
    if (!(is_new || report->all || divergence->input_path))
        return true;
    if (!results_write(report, subject, divergence, error))
        return false;
    if (is_new)
        live_tell_found(report, divergence);
    return true;
}

bool results_keep(struct report *report, const struct subject *subject, struct report_divergence *divergence,
                  struct error *error)
{
    if (divergence->input_size < report->layout->size) /* runs may have made more inputs known */
        set_input(report, divergence, divergence->input, divergence->input_size);
    report->divergences =
        array_reserve(report->divergences, &report->capacity, report->count + 1, sizeof *report->divergences);
    report->divergences[report->count] = *divergence;
    if (divergence->number > report->last_number)
        report->last_number = divergence->number;
    return write_if_new(report, subject, &report->divergences[report->count++], error);
}

bool results_add(struct report *report, struct subject *subject, struct checker *checker, const struct finding *finding,
                 unsigned number, struct error *error)
{
    struct report_divergence divergence;
    if (!results_prove(report, subject, checker, finding, number, &divergence, error))
        return false;
    results_place(report, subject, finding, &divergence);
    return results_keep(report, subject, &divergence, error);
}

void results_remove_folder(const struct report *report, struct report_divergence *divergence)
{
    if (divergence->input_path)
        file_remove_tree(folder_of(report, divergence));
    divergence->input_path = divergence->repro = NULL;
}

void results_drop(const struct report *report, struct report_divergence *divergence)
{
    check_verdict_free(&divergence->verdict);
    results_remove_folder(report, divergence);
}

static bool keep_if(bool wanted, struct report *report, const struct subject *subject,
                    struct report_divergence *divergence, struct error *error)
{
    if (wanted)
        return results_keep(report, subject, divergence, error);
    results_drop(report, divergence);
    return true;
}

bool results_add_if_loud(struct report *report, struct subject *subject, struct checker *checker,
                         const struct finding *finding, struct error *error)
{
    struct report_divergence divergence;
    if (!make_divergence(report, subject, checker, finding, &divergence, error))
        return false;
    bool may_be_seen = finding->failed && divergence.verdict.class == CHECK_SILENT; /* by our own checks */
    return keep_if(is_loud(&divergence) || may_be_seen, report, subject, &divergence, error);
}

bool results_add_if_contradicted(struct report *report, struct subject *subject, struct checker *checker,
                                 const struct finding *finding, struct error *error)
{
    struct report_divergence divergence;
    if (!make_divergence(report, subject, checker, finding, &divergence, error))
        return false;
    const struct check_verdict *verdict = &divergence.verdict;
    report->unseen_failures += finding->failed && verdict->class == CHECK_SILENT;
    return keep_if(is_loud(&divergence) && !(verdict->old_run.failed && verdict->new_run.failed), report, subject,
                   &divergence, error);
}

void results_drop_quiet(struct report *report)
{
    size_t kept = 0;
    for (size_t i = 0; i < report->count; i++) {
        if (is_loud(&report->divergences[i]))
            report->divergences[kept++] = report->divergences[i];
        else
            results_drop(report, &report->divergences[i]);
    }
    report->count = kept;
}

/* Another input of the same path, on which the versions behave differently. */
static bool replace_input(struct report *report, struct subject *subject, struct checker *checker,
                          struct report_divergence *divergence, const uint8_t *input, size_t size, struct error *error)
{
    set_input(report, divergence, input, size);
    check_verdict_free(&divergence->verdict);
    divergence->verdict = (struct check_verdict){0};
    return replay(report, checker, divergence, error) && write_if_new(report, subject, divergence, error);
}

const char *results_join(struct arena *arena, const char *before, bool can_differ, const char *condition)
{
    if (!can_differ)
        return arena_copy_string(arena, condition);
    if (!*before || !strcmp(condition, "0"))
        return before;
    if (!*condition || strlen(before) + strlen(condition) > EXPLORE_LONGEST_CONDITION)
        return "";
    return arena_format(arena, "%s || %s", before, condition);
}

bool results_add_difference(struct report *report, struct subject *subject, struct checker *checker,
                            const struct finding_difference *difference, struct error *error)
{
    if (difference->finding >= report->count)
        return true;
    struct report_divergence *divergence = &report->divergences[difference->finding];
    divergence->differs =
        results_join(report->arena, divergence->differs, divergence->can_differ, difference->condition);
    divergence->can_differ |= strcmp(difference->condition, "0") != 0;
    divergence->tried = true; /* without another input, by its own */
    if (!difference->input || is_loud(divergence))
        return true;
    return replace_input(report, subject, checker, divergence, difference->input, difference->input_size, error);
}

void results_free(struct report *report)
{
    for (size_t i = 0; i < report->count; i++) {
        check_verdict_free(&report->divergences[i].verdict);
        if (report->divergences[i].small)
            check_verdict_free(&report->divergences[i].small->verdict);
    }
    free(report->divergences);
    free(report->left);
    if (report->shown)
        set_destroy(report->shown);
    if (report->kept)
        set_destroy(report->kept);
    source_free(report);
    json_decref(report->recorded);
    json_decref(report->semantic_changes);
    json_decref(report->pair_counts);
    json_decref(report->seeds);
    json_decref(report->unexecuted_changes);
    report_free(report);
}
