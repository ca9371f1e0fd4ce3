/* Gathering results. */
#include "campaign/results.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/places.h"
#include "campaign/journal.h"
#include "campaign/repro.h"
#include "campaign/state.h"
#include "check/own.h"

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

static bool write_input(const struct report *report, struct report_divergence *divergence, struct error *error)
{
    struct text content = {0};
    const char *directory = arena_format(report->arena, "%s/%03u", report->directory, divergence->number);
    divergence->input_path = arena_format(report->arena, "%s/input", directory);
    input_print_file(report->layout, divergence->input, &content);
    bool good = file_make_directory(directory, error) &&
                file_write(divergence->input_path, text_string(&content), content.length, error);
    text_free(&content);
    return good;
}

static const char *checked_program(const struct report *report, const struct checker *checker, enum pn_side side)
{
    return arena_format(report->arena, "%s-checked", check_executable(checker, side));
}

/* What did not end by itself gets a limit in the script too; what only our own checks see is run with them. */
static bool write_repro(const struct report *report, const struct subject *subject,
                        struct report_divergence *divergence, struct error *error)
{
    static const char *const names[] = {"old", "new"};
    const struct check_observation *runs[] = {&divergence->verdict.old_run, &divergence->verdict.new_run};
    struct repro repro = {.directory = arena_format(report->arena, "%s/%03u", report->directory, divergence->number)};
    for (size_t i = 0; i < 2; i++) {
        repro.seconds[i] = runs[i]->passed_limit ? subject->options->run_seconds : 0;
        repro.programs[i] = arena_format(report->arena, "native/%s%s", names[i],
                                         runs[i]->by_own_check && !subject->invocation ? "-checked" : "");
    }
    if (subject->invocation)
        repro.working_directory = subject->options->world.directory;
    repro.run_seconds = subject->options->run_seconds;
    return repro_write(&repro, report->arena, &divergence->repro, error);
}

static void place_at_entry(struct report_divergence *divergence, const struct program *program)
{
    divergence->file = program_file_name(program, program->paths[program->entry_file]);
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
    divergence->file = program_file_name(&subject->program, site->file);
    divergence->line = site->line;
    divergence->column = site->column;
}

bool results_prove(const struct report *report, const struct subject *subject, struct checker *checker,
                   const struct finding *finding, unsigned number, struct report_divergence *divergence,
                   struct error *error)
{
    *divergence = (struct report_divergence){
        .number = number,
        .kind = finding->kind,
        .phase = arena_copy_string(report->arena, finding->phase),
        .differs = "",
        .repro = "",
        .called = "",
        .path_condition = arena_copy_strings(report->arena, finding->conditions),
    };
    place_at_entry(divergence, &subject->program);
    set_input(report, divergence, finding->input, finding->input_size);
    return write_input(report, divergence, error) &&
           check_replay(checker, divergence->input_path, &divergence->verdict, error) &&
           write_repro(report, subject, divergence, error);
}

void results_place(const struct report *report, const struct subject *subject, const struct finding *finding,
                   struct report_divergence *divergence)
{
    const struct site *site = site_table_get(subject->sites, finding->site);
    divergence->kind = finding->kind;
    divergence->path_condition = arena_copy_strings(report->arena, finding->conditions);
    place_at(divergence, subject, site);
    if (site->calls_model)
        divergence->called = arena_copy_string(report->arena, site->what);
}

static bool make_divergence(const struct report *report, const struct subject *subject, struct checker *checker,
                            const struct finding *finding, struct report_divergence *divergence, struct error *error)
{
    return results_prove(report, subject, checker, finding, (unsigned)report->count + 1, divergence, error);
}

bool results_record(const struct report *report, const struct report_divergence *divergence, struct error *error)
{
    return journal_append(report->journal, report_divergence_record(report, divergence), error);
}

/* In the report, and on disk at once: nothing that was proven is lost, whatever becomes of this process. */
bool results_keep(struct report *report, struct report_divergence *divergence, struct error *error)
{
    if (divergence->input_size < report->layout->size) /* runs may have made more inputs known */
        set_input(report, divergence, divergence->input, divergence->input_size);
    report->divergences =
        array_reserve(report->divergences, &report->capacity, report->count + 1, sizeof *report->divergences);
    report->divergences[report->count++] = *divergence;
    return results_record(report, divergence, error);
}

bool results_add(struct report *report, struct subject *subject, struct checker *checker, const struct finding *finding,
                 struct error *error)
{
    struct report_divergence divergence;
    bool good = make_divergence(report, subject, checker, finding, &divergence, error);
    results_place(report, subject, finding, &divergence);
    return results_keep(report, &divergence, error) && good;
}

static bool is_loud(const struct report_divergence *divergence)
{
    return check_class_is_difference(divergence->verdict.class);
}

void results_drop(const struct report *report, struct report_divergence *divergence)
{
    check_verdict_free(&divergence->verdict);
    file_remove_tree(arena_format(report->arena, "%s/%03u", report->directory, divergence->number));
}

static bool keep_if(bool wanted, struct report *report, struct report_divergence *divergence, struct error *error)
{
    if (wanted)
        return results_keep(report, divergence, error);
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
    return keep_if(is_loud(&divergence) || may_be_seen, report, &divergence, error);
}

bool results_add_if_contradicted(struct report *report, struct subject *subject, struct checker *checker,
                                 const struct finding *finding, struct error *error)
{
    struct report_divergence divergence;
    if (!make_divergence(report, subject, checker, finding, &divergence, error))
        return false;
    const struct check_verdict *verdict = &divergence.verdict;
    report->unseen_failures += finding->failed && verdict->class == CHECK_SILENT;
    return keep_if(is_loud(&divergence) && !(verdict->old_run.failed && verdict->new_run.failed), report, &divergence,
                   error);
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
    return write_input(report, divergence, error) &&
           check_replay(checker, divergence->input_path, &divergence->verdict, error) &&
           write_repro(report, subject, divergence, error) && results_record(report, divergence, error);
}

bool results_add_difference(struct report *report, struct subject *subject, struct checker *checker,
                            const struct finding_difference *difference, struct error *error)
{
    if (difference->finding >= report->count)
        return true;
    struct report_divergence *divergence = &report->divergences[difference->finding];
    bool first = !*divergence->differs || !strcmp(divergence->differs, "0");
    divergence->can_differ |= strcmp(difference->condition, "0") != 0;
    if (first)
        divergence->differs = arena_copy_string(report->arena, difference->condition);
    else if (strcmp(difference->condition, "0"))
        divergence->differs = arena_format(report->arena, "%s || %s", divergence->differs, difference->condition);
    divergence->tried = true; /* without another input, by its own */
    if (!difference->input || is_loud(divergence))
        return true;
    return replace_input(report, subject, checker, divergence, difference->input, difference->input_size, error);
}

/* ---- at the end ---- */

static const double LATE_SHARE = 0.05;

static bool keep_program(const char *from, const char *to, struct error *error)
{
    struct text content = {0};
    bool good = file_read(from, &content, error) && file_write(to, text_string(&content), content.length, error);
    text_free(&content);
    if (good && chmod(to, 0755))
        return error_set(error, "%s cannot be made a program: %s", to, strerror(errno));
    return good;
}

/* Building takes seconds: that is left when the user waits for the end. */
static bool is_too_late(const struct campaign *campaign)
{
    return interrupt_came() ||
           clock_seconds() > campaign_end(campaign) + LATE_SHARE * (campaign_end(campaign) - campaign->start);
}

/* The build that sees failures which sanitizers miss is kept where it has seen one: the report's command runs it. */
static bool confirm_side(struct report *report, struct campaign *campaign, enum pn_side side,
                         struct subject_build *built, struct error *error)
{
    struct subject *subject = side == PN_SIDE_OLD ? campaign->native_old : campaign->native_new;
    struct site_table *sites = site_table_create();
    struct target *target = subject_finish_version(subject, built, sites, error);
    bool good = target != NULL, any = false;
    for (size_t i = 0; i < report->count && good; i++) {
        struct report_divergence *divergence = &report->divergences[i];
        struct check_observation *run =
            side == PN_SIDE_OLD ? &divergence->verdict.old_run : &divergence->verdict.new_run;
        report->unconfirmed |= is_too_late(campaign);
        if (run->failed || report->unconfirmed)
            continue;
        good = own_check(target, sites, &subject->program, campaign->subject.program.layout, divergence->input,
                         divergence->input_size, side, &divergence->verdict, error);
        any |= run->by_own_check;
    }
    target_stop(target);
    site_table_destroy(sites);
    return good &&
           (!any || keep_program(built->request.executable, checked_program(report, campaign->checker, side), error));
}

/* Both are built beside each other. */
static bool confirm(struct report *report, struct campaign *campaign, const char *directory, struct error *error)
{
    struct subject_build old = {0}, new = {0};
    bool good = subject_start_version(campaign->native_old, directory, "OLD", &old, error) &&
                subject_start_version(campaign->native_new, directory, "NEW", &new, error) &&
                confirm_side(report, campaign, PN_SIDE_OLD, &old, error) &&
                confirm_side(report, campaign, PN_SIDE_NEW, &new, error);
    build_stop(old.build), build_stop(new.build);
    return good;
}

/* A failure that was predicted, and that native runs did not show. */
static bool is_missed(const struct report_divergence *divergence)
{
    bool fails = divergence->kind == FINDING_NEW_FAILS || divergence->kind == FINDING_OLD_FAILS;
    return fails && divergence->verdict.class != CHECK_REGRESSION && divergence->verdict.class != CHECK_FIX;
}

/* Our own checks need two more builds. Of a whole program they are made only where something speaks for it. */
static bool needs_own_checks(const struct report *report, const struct campaign *campaign)
{
    bool needs = !campaign->subject.invocation;
    for (size_t i = 0; i < report->count; i++)
        needs |= is_missed(&report->divergences[i]);
    return needs;
}

bool results_finish(struct report *report, struct campaign *campaign, struct error *error)
{
    char scratch[256];
    struct checker *checker = campaign->checker;
    double end = campaign_end(campaign);
    results_fit_inputs(report);
    if (!report->count)
        return true;
    for (size_t i = 0; i < report->count && (i < RESULTS_ENOUGH || clock_seconds() < end) && !is_too_late(campaign);
         i++)
        if (!check_add_flags(checker, report->divergences[i].input_path, &report->divergences[i].verdict, error))
            return false;
    if (is_too_late(campaign)) {
        report->unconfirmed = true;
        return true;
    }
    if (!needs_own_checks(report, campaign))
        return true;
    if (!file_make_scratch(scratch, error))
        return false;
    places_add("confirmed", scratch);
    bool good = confirm(report, campaign, scratch, error);
    file_remove_tree(scratch);
    for (size_t i = 0; i < report->count && good; i++) {
        const struct check_verdict *verdict = &report->divergences[i].verdict;
        if (verdict->old_run.by_own_check || verdict->new_run.by_own_check)
            good = write_repro(report, &campaign->subject, &report->divergences[i], error);
    }
    return good;
}

void results_free(struct report *report)
{
    for (size_t i = 0; i < report->count; i++)
        check_verdict_free(&report->divergences[i].verdict);
    free(report->divergences);
    report_free(report);
}
