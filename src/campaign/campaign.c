/* The order of things: what is to be explored, reading it, exploring it, the report. */
#include "base/clock.h"
#include "base/file.h"
#include "base/log.h"
#include "base/places.h"
#include "campaign/accepted.h"
#include "campaign/fixed.h"
#include "campaign/journal.h"
#include "campaign/kept_test.h"
#include "campaign/live.h"
#include "campaign/others.h"
#include "campaign/resume.h"
#include "campaign/sources.h"
#include "campaign/state.h"
#include "campaign/ways.h"
#include "report/document.h"
#include "report/source.h"
#include "source/pool.h"
#include "source/statics.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool campaign_counts(enum check_class class, enum fail_on fail_on)
{
    switch (fail_on) {
    case FAIL_ON_REGRESSION: return class == CHECK_REGRESSION;
    case FAIL_ON_OUTPUT: return class == CHECK_REGRESSION || class == CHECK_OUTPUT;
    case FAIL_ON_ANY: return true;
    default: return check_class_is_difference(class);
    }
}

bool campaign_has_failed(const struct report *report, enum fail_on fail_on)
{
    for (size_t i = 0; i < report->group_count; i++)
        if (!report->groups[i].is_accepted && campaign_counts(report->groups[i].class, fail_on))
            return true;
    return false;
}

/* Nothing is found where the job was done; with --strict, where it was done to the end. */
enum campaign_status campaign_status(const struct campaign *campaign)
{
    const struct report *report = &campaign->report;
    if (campaign->is_refuted || campaign_has_failed(report, campaign->options->fail_on))
        return CAMPAIGN_DIFFERENT;
    bool is_accepted = report->verdict == VERDICT_DIFFERENT && !campaign_has_failed(report, FAIL_ON_DIFFERENCE);
    bool is_sure = report->verdict == VERDICT_EQUIVALENT || is_accepted;
    bool is_done = campaign->options->strict ? is_sure : report_is_done(report);
    return is_done ? CAMPAIGN_NOTHING : CAMPAIGN_NOT_DONE;
}

/* ---- what is told on disk ---- */

static json_t *make_header(const struct campaign *campaign)
{
    const struct report *report = &campaign->report;
    json_t *files = json_array(), *made = campaign->preparation.json;
    for (size_t i = 0; i < report->file_count; i++)
        json_array_append_new(files, json_string(report->files[i]));
    json_t *header = json_pack("{s:s, s:o, s:s?, s:s, s:s, s:f, s:s, s:b}", "record", RECORD_CAMPAIGN, "files", files,
                               "entry", report->entry, "mode", explore_mode_name(report->mode), "overflow",
                               campaign->options->subject.overflow == OVERFLOW_ASSUMED_NONE ? "assume-none" : "wrap",
                               "float_tolerance", report->float_tolerance, "directory", report->directory, "identical",
                               campaign->preparation.identical);
    if (made)
        json_object_update(header, made);
    return header;
}

/* Again when more is known. */
static bool write_header(struct campaign *campaign, struct error *error)
{
    json_decref(campaign->header);
    campaign->header = make_header(campaign);
    return journal_append(campaign->report.journal, json_incref(campaign->header), NULL, error);
}

static const char *place_of(const struct campaign *campaign)
{
    const struct program *program = &campaign->subject.program;
    return campaign->entry ? campaign->entry->place : program_file_name(program, program->paths[program->entry_file]);
}

/* The document of this entry alone, which one of several has, too. */
static json_t *make_document(const struct campaign *campaign, json_t *result, enum campaign_status status)
{
    const struct report *report = &campaign->report;
    json_t *header = json_copy(campaign->header), *records = json_pack("[o]", header);
    json_object_set_new(header, "directory", json_string(report->directory));
    json_object_del(header, "limits"); /* of all entries together */
    if (report->entry) {
        json_object_set_new(header, "entry", json_string(report->entry));
        json_array_append_new(records, document_entry(report->entry, report->place, STATE_BEGUN, NULL));
        json_array_append(records, result);
    }
    struct document_end end = {.exit_status = (int)status};
    json_t *document = document_make(records, &end);
    json_decref(records);
    return document;
}

/* Another way has shown a difference, and has told it: its records stand for the campaign. */
static bool write_other_report(struct campaign *campaign, struct error *error)
{
    struct document_end end = {.exit_status = CAMPAIGN_DIFFERENT};
    json_t *document = journal_make_document(campaign->report.journal, &end, error);
    bool good = document && journal_write_report(campaign->report.directory, document, error);
    json_decref(document);
    return good;
}

static bool write_report(struct campaign *campaign, struct error *error)
{
    struct report *report = &campaign->report;
    const struct campaign_view *view = campaign->request->view;
    report->seconds = clock_seconds() - campaign->start;
    results_fit_inputs(report);
    bool good = results_group(report, &campaign->subject, error);
    report->patch = json_object_get(campaign->header, "patch");
    source_add(report);
    fixed_try(campaign);
    report_make_groups(report);
    good = accepted_mark(report, campaign->options->accepted, error) && others_write(report, error) && good;
    campaign->is_refuted = ways_conclude(campaign);
    if (campaign->is_refuted)
        return (campaign->is_plain_way || write_other_report(campaign, error)) && good;
    enum campaign_status status = campaign_status(campaign);
    json_t *result = report->entry ? report_entry_record(report, (int)status) : NULL;
    json_t *document = make_document(campaign, result, status);
    journal_add_timeline(report->journal, report->entry, document);
    bool is_told = !campaign->is_another_way || status == CAMPAIGN_DIFFERENT;
    good = (!result || journal_append(report->journal, result, report->way, error)) &&
           journal_write_report(report->directory, document, error) && good;
    resume_remove_folders(campaign);
    campaign->shared->is_showing = true;
    if (view->report && is_told)
        view->report(view->context, report, document);
    campaign->shared->is_showing = false;
    json_decref(document);
    return good;
}

/* A compiler that was killed a moment ago may still write into it. */
static void remove_directory(struct campaign *campaign)
{
    enum { TRIES = 50, PAUSE_MICROSECONDS = 20000 };
    if (campaign->options->resume)
        return;
    file_remove_tree(campaign->report.directory);
    for (int i = 0; i < TRIES && !access(campaign->report.directory, F_OK); i++) {
        usleep(PAUSE_MICROSECONDS);
        file_remove_tree(campaign->report.directory);
    }
    if (!strcmp(campaign->shared->directory, campaign->report.directory)) /* it is not that of one of several entries */
        *campaign->shared->directory = '\0';
}

/* Where results are is known to whoever watches. */
static bool make_directory(struct campaign *campaign, struct error *error)
{
    struct report *report = &campaign->report;
    const struct campaign_options *options = campaign->options;
    report->directory = options->resume ? options->resume : results_make_directory(report->arena, options->out, error);
    if (!report->directory || !resume_lock(campaign, error))
        return false;
    report->journal = arena_format(report->arena, "%s/" JOURNAL_NAME, report->directory);
    if (!(options->resume ? resume_read(campaign, error) : journal_create(report->journal, options->asked, error))) {
        remove_directory(campaign);
        return false;
    }
    places_add("results", report->directory);
    snprintf(campaign->shared->directory, sizeof campaign->shared->directory, "%s", report->directory);
    return write_header(campaign, error);
}

/* Who goes on has read what was read before; that is looked at once. */
static bool take_sources(const struct campaign *campaign, struct error *error)
{
    bool is_first = !set_count(campaign->sources);
    return (!campaign->earlier || !is_first || sources_check(campaign, error)) && sources_add(campaign, error);
}

/* Not every user has a program that holds both versions: it is made from what was given then. */
static bool prepare(struct campaign *campaign, struct preparation *preparation, struct error *error)
{
    struct report *report = &campaign->report;
    const struct campaign_request *request = campaign->request;
    struct subject_options *given = &campaign->options->subject;
    if (!request->prepare)
        return true;
    if (!make_directory(campaign, error) ||
        !request->prepare(request->input, given, report->arena, report->directory, preparation, error))
        return false;
    report->files = preparation->origins;
    report->file_count = 2;
    given->origins = preparation->origins;
    if (preparation->seed_directory)
        given->seed_directory = preparation->seed_directory;
    return take_sources(campaign, error) && write_header(campaign, error);
}

/* Two texts that say the same need not be run to be known as equivalent. */
static bool report_identical(struct campaign *campaign, struct error *error)
{
    static const struct explore_statistics statistics = {.exhausted = true};
    static const struct solve_statistics solver;
    struct report *report = &campaign->report;
    const struct campaign_view *view = campaign->request->view;
    report->statistics = &statistics;
    report->solver = &solver;
    report->notes = report->sizes = "";
    report->place = "";
    report->mode = EXPLORE_COMPLETE;
    if (view->identical)
        view->identical(view->context, report->files[0], report->files[1]);
    return write_report(campaign, error);
}

static bool make_world(struct campaign *campaign, struct error *error)
{
    struct subject_options *given = &campaign->options->subject;
    bool good = subject_make_world(given, campaign->subject.invocation, campaign->scratch, error);
    campaign->old_options.world = campaign->new_options.world = given->world;
    campaign->report.sandbox = world_level_name(given->world.level);
    campaign->report.is_weakly_confined = !given->no_sandbox && given->world.level != given->sandbox;
    return good;
}

static bool make_queries(struct campaign *campaign, struct error *error)
{
    if (!campaign->options->dump_queries)
        return true;
    campaign->queries = arena_format(campaign->report.arena, "%s/queries", campaign->report.directory);
    return file_make_directory(campaign->queries, error);
}

static bool explore_versions(struct campaign *campaign, struct error *error)
{
    if (campaign->options->partitions)
        return partitions_explore(campaign, error);
    return campaign->report.apart ? apart_explore(campaign, error) : campaign_explore_program(campaign, error);
}

/* A proof that comes late stands for an exploration that has decided nothing, or was not possible. */
static bool decide(struct campaign *campaign, struct error *error)
{
    struct report *report = &campaign->report;
    if (campaign_prove(campaign))
        return true;
    bool good = explore_versions(campaign, error);
    if (report->statistics)
        report_conclude(report);
    if ((!report->statistics || report->verdict == VERDICT_NO_DIFFERENCE_FOUND) && campaign_await_proof(campaign)) {
        error_clear(error);
        good = true;
    }
    campaign_stop_proof(campaign);
    return good;
}

/* As docs/json.md has it; NULL where there are no programs to record calls in. */
static json_t *describe_recorded(const struct campaign *campaign)
{
    const struct subject *subject = &campaign->subject;
    const struct recorded *recorded = &campaign->recorded;
    if (!recorded->is_done)
        return NULL;
    json_t *seeds = json_array();
    for (size_t i = subject->seed_count - subject->recorded_count; i < subject->seed_count; i++) {
        struct text text = {0};
        input_print_briefly(subject->program.layout, subject->seeds[i], &text);
        json_array_append_new(seeds, json_string(text_string(&text)));
        text_free(&text);
    }
    return json_pack("{s:I, s:I, s:I, s:o}", "calls", (json_int_t)recorded->calls, "starts",
                     (json_int_t)recorded->starts, "different", (json_int_t)recorded->distinct, "seeds", seeds);
}

bool campaign_finish(struct campaign *campaign, struct error *error)
{
    struct report *report = &campaign->report;
    pool_empty(); /* everything is read */
    report->layout = campaign->subject.program.layout;
    report->outputs = campaign->subject.program.outputs;
    report->pointers = campaign->subject.program.never_null.list;
    report->pointer_count = campaign->subject.program.never_null.count;
    report->callbacks = campaign->subject.program.callbacks.list;
    report->callback_count = campaign->subject.program.callbacks.count;
    report->object_count = campaign->subject.program.object_count;
    report->notes = text_string(&campaign->subject.program.notes);
    report->sizes = text_string(&campaign->subject.program.sizes);
    report->has_state = campaign->options->subject.all_globals;
    json_decref(report->recorded);
    report->recorded = describe_recorded(campaign);
    report->recorded_notes = campaign->recorded.note;
    if (!report->directory && !make_directory(campaign, error))
        return false;
    if (!take_sources(campaign, error) || !file_make_scratch(campaign->scratch, error))
        return false;
    resume_begin_entry(campaign);
    places_add("scratch", campaign->scratch);
    report->place = place_of(campaign);
    if (!journal_append(report->journal, document_entry(report->entry, report->place, STATE_BEGUN, NULL), report->way,
                        error))
        return false;
    if (!make_world(campaign, error) || !make_queries(campaign, error))
        return false;
    bool good = decide(campaign, error);
    if (report_is_different(report))
        good = kept_test_write(campaign, error) && good;
    check_stop(campaign->checker); /* whose builds write into the directory */
    if (report->statistics)        /* whatever went wrong after this, what was found is shown */
        good = write_report(campaign, error) && good;
    else
        remove_directory(campaign);
    file_remove_tree(campaign->scratch);
    return good;
}

void campaign_take_entry(struct campaign *campaign, const struct campaign_entry *entry)
{
    struct subject_options *given = &campaign->options->subject;
    given->entry = entry->name;
    campaign->report.entry = entry->label;
    given->entry_path = entry->path;
    given->limits = entry->limits;
    given->unreadable = entry->unreadable;
    given->made = &entry->units;
    given->common = &entry->common;
    campaign->entry = entry;
    if (entry->is_program) {
        given->is_program = true;
        if (campaign->options->mode == EXPLORE_COMPLETE && !campaign->options->partitions)
            campaign->options->mode = campaign->report.mode = EXPLORE_GENERATIONAL;
    }
    campaign->report.apart = entry->apart;
    given->is_one_version = entry->apart != NULL;
    for (size_t i = 0; i < entry->uncompared.count; i++)
        words_add(&given->uncompared, entry->uncompared.list[i]);
    for (size_t i = 0; i < entry->uncompared_members.count; i++)
        words_add(&given->uncompared_members, entry->uncompared_members.list[i]);
}

void campaign_version_options(const struct campaign *campaign, const struct units *units, const char *path,
                              struct subject_options *options)
{
    *options = campaign->options->subject;
    options->made = units;
    options->entry_path = path;
    options->is_one_version = true;
    options->limits = NULL;
    options->other_version = &campaign->subject.program;
}

/* What the explored program takes for an input would be something else in a version whose program does not: of a
 * variable that this version has, but that cannot be made in the same way there. */
static bool has_same_state(const struct program *explored, const struct program *version, struct error *error)
{
    for (size_t i = 0; i < explored->layout->count; i++) {
        const struct input_parameter *piece = &explored->layout->parameters[i];
        if (piece->is_global && !input_layout_find(version->layout, piece->name))
            return error_set(error, "'%s' cannot be an input: not every version has such a variable", piece->name);
    }
    return true;
}

/* What lies behind a pointer must be as much in each version, or outputs would differ where the versions do not. */
static bool has_same_sizes(const struct program *explored, const struct program *version, struct error *error)
{
    for (size_t i = 0; i < explored->layout->count; i++) {
        const struct input_parameter *piece = &explored->layout->parameters[i];
        const struct input_parameter *other = input_layout_find(version->layout, piece->name);
        if (piece->is_pointer && other && other->is_pointer && !strcmp(piece->type, other->type) &&
            piece->element_size * piece->element_count != other->element_size * other->element_count)
            return error_set(error, "'%s' is not of the same size in each version: --size %s=N says how many elements",
                             piece->name, piece->name);
    }
    return true;
}

/* The proof is made of the user's own files, never of the text that they were merged into. */
static bool read_versions(struct campaign *campaign, struct error *error)
{
    const struct campaign_entry *entry = campaign->entry;
    campaign_version_options(campaign, &entry->old, entry->old_path, &campaign->old_options);
    campaign_version_options(campaign, &entry->new, entry->new_path, &campaign->new_options);
    campaign->native_old = &campaign->old;
    campaign->native_new = &campaign->new;
    return subject_read_program(&campaign->old, &campaign->old_options, error) &&
           subject_read_program(&campaign->new, &campaign->new_options, error);
}

/* Static variables of functions that a version does not have are no inputs. Whether there are any. */
static bool leave_statics_out(struct campaign *campaign, const struct program *version)
{
    const struct program *explored = &campaign->subject.program;
    bool any = false;
    for (size_t i = 0; i < explored->static_count; i++) {
        const char *name = explored->statics[i].name;
        if (program_has_static(version, name))
            continue;
        words_add(&campaign->options->subject.uncompared, arena_copy_string(campaign->report.arena, name));
        any = true;
    }
    return any;
}

static bool read_both(struct campaign *campaign, struct error *error)
{
    return subject_read(&campaign->subject, &campaign->options->subject, error) &&
           (!campaign->entry || read_versions(campaign, error));
}

static bool read_again(struct campaign *campaign, struct error *error)
{
    subject_free(&campaign->old), subject_free(&campaign->new), subject_free(&campaign->subject);
    campaign->old = campaign->new = campaign->subject = (struct subject){0};
    return read_both(campaign, error);
}

/* The merged program and each version's own. */
static bool read_programs(struct campaign *campaign, struct error *error)
{
    const struct program *explored = &campaign->subject.program;
    campaign->native_old = campaign->native_new = &campaign->subject;
    if (!read_both(campaign, error))
        return false;
    if (!campaign->entry)
        return true;
    bool is_other = leave_statics_out(campaign, &campaign->old.program);
    is_other |= leave_statics_out(campaign, &campaign->new.program);
    if (is_other && !read_again(campaign, error))
        return false;
    const struct program *versions[] = {&campaign->old.program, &campaign->new.program};
    for (size_t i = 0; i < 2; i++)
        if (!has_same_state(explored, versions[i], error) || !has_same_sizes(explored, versions[i], error))
            return false;
    return true;
}

/* Before anything is read that strings may be longer in. */
static void record_calls(struct campaign *campaign)
{
    const double most = 20, least = 1, share = 0.15;
    double left = campaign_end(campaign) - clock_seconds();
    struct subject_options *given = &campaign->options->subject;
    if (campaign->entry)
        recording_take(campaign->preparation.recording, campaign->entry, fmin(most, fmax(share * left, least)), given,
                       &campaign->recorded);
}

bool campaign_read(struct campaign *campaign, struct error *error)
{
    log_line(LOG_INFO, "reading the program of %s()", campaign->options->subject.entry);
    live_show(campaign, "reading the program");
    record_calls(campaign);
    if (campaign->report.apart)
        return apart_read(campaign, error);
    return read_programs(campaign, error);
}

static bool run_one(struct campaign *campaign, enum campaign_status *status, struct error *error)
{
    if (campaign->preparation.count)
        campaign_take_entry(campaign, &campaign->preparation.entries[0]);
    bool good = campaign_read(campaign, error);
    if (!good && campaign->report.directory)
        remove_directory(campaign);
    good = good && (campaign->report.directory || make_directory(campaign, error));
    if (good)
        ways_keep_ready(campaign);
    good = good && campaign_finish(campaign, error);
    *status = good ? campaign_status(campaign) : CAMPAIGN_ERROR;
    return good;
}

static bool run(struct campaign *campaign, enum campaign_status *status, struct error *error)
{
    if (!prepare(campaign, &campaign->preparation, error)) {
        if (campaign->report.directory)
            remove_directory(campaign);
        return false;
    }
    if (campaign->preparation.identical) {
        bool good = report_identical(campaign, error);
        *status = campaign_status(campaign);
        return good;
    }
    bool has_several = campaign->request->prepare && !campaign->options->subject.entry;
    return has_several ? several_explore(campaign, status, error) : run_one(campaign, status, error);
}

static void preparation_free(struct preparation *preparation)
{
    for (size_t i = 0; i < preparation->count; i++) {
        struct campaign_entry *entry = &preparation->entries[i];
        units_free(&entry->units), units_free(&entry->old), units_free(&entry->new);
        words_free(&entry->uncompared), words_free(&entry->uncompared_members), words_free(&entry->common);
        words_free(&entry->leads_to), words_free(&entry->through);
    }
    free(preparation->entries);
    text_free(&preparation->text);
    json_decref(preparation->json);
}

static void campaign_free(struct campaign *campaign)
{
    preparation_free(&campaign->preparation);
    words_free(&campaign->report.never_inputs);
    results_free(&campaign->report);
    json_decref(campaign->header);
    json_decref(campaign->earlier);
    explore_outcome_free(&campaign->outcome);
    guesses_destroy(campaign->guesses);
    set_destroy(campaign->keys);
    set_destroy(campaign->sources);
    free(campaign->numbers);
    findings_free(campaign);
    free(campaign->common);
    site_table_destroy(campaign->exchanged_sites);
    apart_free(campaign);
    subject_free(&campaign->old);
    subject_free(&campaign->new);
    subject_free(&campaign->subject);
    recording_free(&campaign->recorded);
    set_destroy(campaign->report.texts);
    arena_destroy(campaign->report.arena);
}

/* Whatever becomes of this process now, the user is not told again. */
static void note_shown(struct campaign *campaign, enum campaign_status status)
{
    fflush(NULL); /* what a view has written is written */
    campaign->shared->status = (int)status;
    campaign->shared->is_shown = true;
}

enum campaign_status campaign_run(const struct campaign_request *request, struct shared *shared, struct error *error)
{
    struct campaign_options *options = request->options;
    struct campaign campaign = {.options = options,
                                .request = request,
                                .start = clock_seconds(),
                                .keys = set_create(),
                                .sources = set_create(),
                                .shared = shared};
    campaign.report = (struct report){
        .arena = arena_create(),
        .texts = set_create(),
        .files = options->subject.files.list,
        .file_count = options->subject.files.count,
        .entry = options->subject.entry,
        .mode = options->mode,
        .all = options->all,
        .float_tolerance = options->subject.float_tolerance,
        .tell = request->view->found,
        .tell_context = request->view->context,
        .seconds_to_first = -1,
    };
    enum campaign_status status = CAMPAIGN_ERROR;
    campaign.workers = campaign_processors(&campaign);
    interrupt_listen();
    bool good = run(&campaign, &status, error);
    good = good && resume_finish(&campaign, NULL, error);
    if (good)
        note_shown(&campaign, status);
    else if (status != CAMPAIGN_NOT_DONE)
        status = CAMPAIGN_ERROR;
    campaign_free(&campaign);
    return status;
}
