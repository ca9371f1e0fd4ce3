/* `penumbra run`: the whole way, from annotated source to proven divergences. */
#include "base/clock.h"
#include "base/file.h"
#include "cli/cli.h"
#include "cli/context.h"
#include "cli/salvage.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    KEY_MODE = 512,
    KEY_TIME,
    KEY_OUT,
    KEY_JSON,
    KEY_FAIL_ON,
    KEY_SOLVER,
    KEY_PATHS,
    KEY_QUIET,
    KEY_STRICT,
    KEY_MEMORY_ALL,
    KEY_DEPTH,
    KEY_LOOP,
    KEY_VALUES,
    KEY_ORDER,
    KEY_DIRECTED,
    KEY_UNDIRECTED,
    KEY_STATS,
    KEY_PROCESSES,
    KEY_ONLY_Z3
};

static const struct argp_option options[] = {
    {"mode", KEY_MODE, "concolic|bounded|complete", 0,
     "Only look beside the seeds' own paths, or go on from each divergence too (default), or explore everything and "
     "give a verdict",
     1},
    {"time", KEY_TIME, "SECONDS", 0,
     "Limit for everything (default $PENUMBRA_TIME, or 60; by default, each of several entries has as much)", 1},
    {"memory-all", KEY_MEMORY_ALL, "MB", 0,
     "Limit for the memory of everything but the programs under test (default: most of the machine's)", 1},
    {"solver-time", KEY_SOLVER, "SECONDS", 0, "Limit for one question to the solver (default 5)", 1},
    {"max-paths", KEY_PATHS, "N", 0, "Stop after this many paths", 1},
    {"max-depth", KEY_DEPTH, "N", 0, "Complete mode: decisions on a path (default 10000, 0 for no limit)", 1},
    {"max-loop", KEY_LOOP, "N", 0, "Complete mode: decisions of one branch on a path (default 100)", 1},
    {"max-values", KEY_VALUES, "N", 0, "Complete mode: values of what must be concrete (default 256)", 1},
    {"order", KEY_ORDER, "depth|breadth|random", 0, "Complete mode: which path is next (default depth)", 1},
    {"directed", KEY_DIRECTED, NULL, 0, "Complete mode: go only where a change can be reached (default)", 1},
    {"no-directed", KEY_UNDIRECTED, NULL, 0, "Complete mode: also explore what cannot reach a change", 1},
    {"process-per-run", KEY_PROCESSES, NULL, 0, "Complete mode: a fresh process for every run, which is slower", 1},
    {"only-z3", KEY_ONLY_Z3, NULL, OPTION_HIDDEN, "Ask Z3 every question: for measurements", 1},
    {"stats", KEY_STATS, NULL, 0, "Print states, paths, diff paths, time and memory in one line", 1},
    {"out", KEY_OUT, "DIR", 0, "Where results go (default penumbra-out; numbered when it is taken)", 1},
    {"json", KEY_JSON, NULL, 0, "Print the report as JSON", 1},
    {"fail-on", KEY_FAIL_ON, "regression|output|any", 0,
     "Exit with 1 only for regressions, for regressions and other outputs, or for any divergence of paths too", 1},
    {"strict", KEY_STRICT, NULL, 0, "Exit with 3 unless the versions are different or equivalent", 1},
    {"quiet", KEY_QUIET, NULL, 0, "No progress", 1},
    {0},
};

static int choose(struct argp_state *state, const char *option, const char *value, const char *const names[])
{
    for (int i = 0; names[i]; i++)
        if (!strcmp(names[i], value))
            return i;
    argp_error(state, "--%s does not know '%s'; --help lists what it takes", option, value);
    return 0;
}

static error_t parse(int key, char *value, struct argp_state *state)
{
    static const char *const modes[] = {"concolic", "bounded", "complete", NULL};
    static const char *const orders[] = {"depth", "breadth", "random", NULL};
    static const char *const failures[] = {"difference", "regression", "output", "any", NULL};
    struct arguments *arguments = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &arguments->campaign;
        state->child_inputs[1] = arguments->input;
        break;
    case KEY_MODE: arguments->mode = (enum explore_mode)choose(state, "mode", value, modes); break;
    case KEY_FAIL_ON: arguments->fail_on = (enum fail_on)choose(state, "fail-on", value, failures); break;
    case KEY_TIME: arguments->seconds = campaign_number(state, "time", value, 0.1); break;
    case KEY_MEMORY_ALL: arguments->memory_all_megabytes = campaign_number(state, "memory-all", value, 64); break;
    case KEY_SOLVER: arguments->solver_seconds = campaign_number(state, "solver-time", value, 0.001); break;
    case KEY_PATHS: arguments->maximum_paths = campaign_number(state, "max-paths", value, 1); break;
    case KEY_DEPTH: arguments->maximum_depth = campaign_number(state, "max-depth", value, 0); break;
    case KEY_LOOP: arguments->maximum_loop = campaign_number(state, "max-loop", value, 0); break;
    case KEY_VALUES: arguments->maximum_values = campaign_number(state, "max-values", value, 0); break;
    case KEY_ORDER: arguments->order = (enum explore_order)choose(state, "order", value, orders); break;
    case KEY_DIRECTED: arguments->undirected = false; break;
    case KEY_UNDIRECTED: arguments->undirected = true; break;
    case KEY_PROCESSES: arguments->process_per_run = true; break;
    case KEY_ONLY_Z3: arguments->only_z3 = true; break;
    case KEY_STATS: arguments->statistics = true; break;
    case KEY_OUT: arguments->out = value; break;
    case KEY_JSON: arguments->json = true; break;
    case KEY_QUIET: arguments->quiet = true; break;
    case KEY_STRICT: arguments->strict = true; break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

/* ---- while it runs ---- */

static volatile sig_atomic_t interrupted;
static volatile pid_t explores_entry; /* the process that does, or 0 */

static void note_interrupt(int signal)
{
    interrupted = 1;
    if (explores_entry)
        kill(explores_entry, signal);
}

static void show_progress(void *opaque, const char *line)
{
    struct context *context = opaque;
    fprintf(stderr, "\r\033[K%s", line);
    context->progress_shown = true;
}

static void hide_progress(struct context *context)
{
    if (context->progress_shown)
        fputs("\r\033[K", stderr);
    context->progress_shown = false;
}

double context_end(const struct context *context)
{
    return context->start + (context->seconds > 0 ? context->seconds : context->arguments->seconds);
}

bool context_is_interrupted(void)
{
    return interrupted;
}

void context_add_number(struct context *context, size_t number)
{
    context->numbers =
        array_reserve(context->numbers, &context->number_capacity, context->number_count + 1, sizeof *context->numbers);
    context->numbers[context->number_count++] = number;
}

/* What was found before a path killed the exploring process is found again by the next one: it is the same finding. */
static size_t number_of(struct context *context, const struct finding *finding)
{
    struct text key = {0};
    text_append(&key, (const char *)&finding->kind, sizeof finding->kind);
    text_append(&key, finding->key, finding->key_length);
    size_t number = set_find(context->keys, text_string(&key), key.length);
    set_add(context->keys, text_string(&key), key.length);
    text_free(&key);
    context_add_number(context, number);
    return number;
}

/* Exploring is faster than proving. What was found beyond the time is only proven as long as there is little. */
static bool is_enough(const struct context *context)
{
    bool is_late = clock_seconds() > context_end(context);
    return interrupted || (is_late && context->report.count >= RESULTS_ENOUGH);
}

static bool take_finding(void *opaque, const struct finding *finding, struct error *error)
{
    struct context *context = opaque;
    struct report *report = &context->report;
    if (finding->kind == FINDING_COMMON) {
        common_take(context, finding);
        context_add_number(context, SIZE_MAX);
        return true;
    }
    if (number_of(context, finding) < report->count)
        return true;
    if (report->unproven || is_enough(context)) {
        report->unproven++;
        return true;
    }
    if (!results_add(report, &context->campaign, context->checker, finding, error))
        return false;
    if (report->seconds_to_first < 0 && report->divergences[report->count - 1].verdict.class != CHECK_UNREPRODUCED)
        report->seconds_to_first = clock_seconds() - context->start;
    return true;
}

static bool take_difference(void *opaque, const struct finding_difference *difference, struct error *error)
{
    struct context *context = opaque;
    struct finding_difference here = *difference;
    here.finding = context->numbers[difference->finding];
    if (here.finding >= context->report.count || interrupted)
        return true;
    if (is_enough(context) && report_is_different(&context->report))
        here.input = NULL;
    return results_add_difference(&context->report, &context->campaign, context->checker, &here, error);
}

/* Called in the process that explores. */
static bool make_exchanged(void *opaque, struct exchanged *exchanged, struct error *error)
{
    struct context *context = opaque;
    context->exchanged_sites = site_table_create();
    *exchanged = (struct exchanged){.sites = context->exchanged_sites, .is_library = context->inside};
    return campaign_make(&context->campaign, context->scratch, true, true, context->inside, context->exchanged_sites,
                         &exchanged->path, error);
}

/* ---- the stages ---- */

bool context_start_checker(struct context *context, struct error *error)
{
    const struct campaign *old = context->native_old, *new = context->native_new;
    const struct campaign_options *given = &context->arguments->campaign;
    const char *native = arena_format(context->report.arena, "%s/native", context->report.directory);
    struct checker_options checker_options = {
        .run_seconds = given->run_seconds,
        .run_memory_bytes = (size_t)(given->memory_megabytes * 1e6),
        .scratch = given->world,
        .harness = new->harness,
        .old_program = &old->program,
        .old_harness = old->harness,
        .directory = native,
        .float_tolerance = given->float_tolerance,
    };
    if (!file_make_directory(native, error))
        return false;
    context->checker = check_start(&new->program, &checker_options, error);
    return context->checker != NULL;
}

bool context_make_program(struct context *context, struct campaign *campaign, const char *directory,
                          struct error *error)
{
    bool complete = context->arguments->mode == EXPLORE_COMPLETE; /* which must know of every failure */
    bool as_library = complete && !context->arguments->process_per_run;
    campaign->sites = site_table_create();
    bool good =
        campaign_make(campaign, directory, false, complete, as_library, campaign->sites, &context->program, error);
    context->inside = as_library && good && !campaign->sites->lasting;
    return good;
}

/* Each version's harness is compiled with the version's own files. */
static bool write_version_harnesses(struct context *context, struct error *error)
{
    struct arena *arena = context->report.arena;
    if (context->native_old == &context->campaign)
        return true;
    return campaign_write_harness(&context->old, arena_format(arena, "%s/old", context->scratch), error) &&
           campaign_write_harness(&context->new, arena_format(arena, "%s/new", context->scratch), error);
}

static bool build(struct context *context, struct error *error)
{
    struct campaign *campaign = &context->campaign;
    return campaign_write_harness(campaign, context->scratch, error) && write_version_harnesses(context, error) &&
           context_start_checker(context, error) && context_make_program(context, campaign, context->scratch, error);
}

struct explore_options context_explore_options(struct context *context, const struct campaign *campaign)
{
    const struct arguments *arguments = context->arguments;
    return (struct explore_options){
        .mode = arguments->mode,
        .assume_no_overflow = arguments->campaign.assume_no_overflow,
        .float_tolerance = arguments->campaign.float_tolerance,
        .seconds = fmax(context_end(context) - clock_seconds(), 0),
        .solver_milliseconds = (unsigned)(arguments->solver_seconds * 1000),
        .only_z3 = arguments->only_z3,
        .maximum_paths = (size_t)arguments->maximum_paths,
        .maximum_depth = (size_t)arguments->maximum_depth,
        .maximum_loop = (size_t)arguments->maximum_loop,
        .maximum_values = (size_t)arguments->maximum_values,
        .order = arguments->order,
        .directed = !arguments->undirected,
        .ranges = campaign->ranges,
        .range_count = campaign->range_count,
        .interrupted = &interrupted,
        .progress = isatty(STDERR_FILENO) && !arguments->quiet ? show_progress : NULL,
        .report = take_finding,
        .difference = take_difference,
        .context = context,
        .exchange = make_exchanged,
        .exchange_context = context,
        .limits = campaign_limits(campaign),
    };
}

/* Inside a process that loads the program, as long as no path kills that; with a process for each run then. */
static bool explore_somewhere(struct context *context, struct campaign *campaign, const char *directory,
                              struct exploration *exploration, struct error *error)
{
    bool died = false;
    if (context->inside) {
        if (!explore_inside(exploration, &context->outcome, &died, error) || !died)
            return context->outcome.statistics.runs > 0 && !error->message;
        context->inside = false;
        context->number_count = context->common_count = 0;
        context->program = campaign_make_executable(campaign, directory, error);
    }
    if (context->program)
        campaign->target = target_start(context->program, &exploration->options->limits, error);
    exploration->target = campaign->target;
    return campaign->target && explore(exploration, &context->outcome, error);
}

bool context_explore(struct context *context, struct campaign *campaign, const char *directory,
                     const struct explore_options *options, struct error *error)
{
    struct exploration exploration = {
        .library = context->program,
        .layout = campaign->program.layout,
        .sites = campaign->sites,
        .seeds = (const uint8_t *const *)campaign->seeds,
        .seed_count = campaign->seed_count,
        .seed_size = campaign->seed_size,
        .options = options,
    };
    bool good = explore_somewhere(context, campaign, directory, &exploration, error);
    if (good || context->outcome.statistics.runs) { /* else there is nothing to report */
        context->report.statistics = &context->outcome.statistics;
        context->report.solver = &context->outcome.solver;
    }
    context->report.inside = context->inside;
    context->report.sites = campaign->sites;
    hide_progress(context);
    return good;
}

static bool explore_program(struct context *context, struct error *error)
{
    struct campaign *campaign = &context->campaign;
    struct explore_options options = context_explore_options(context, campaign);
    return context_explore(context, campaign, context->scratch, &options, error) && common_try(context, error) &&
           results_finish(&context->report, context, error);
}

static bool write_report(struct context *context, struct error *error)
{
    struct report *report = &context->report;
    char path[4096];
    report->seconds = clock_seconds() - context->start;
    results_fit_inputs(report);
    report_sort(report);
    char *json = report_json(report);
    snprintf(path, sizeof path, "%s/report.json", report->directory);
    bool good = file_write(path, json, strlen(json), error);
    if (context->is_silent)
        ;
    else if (context->arguments->json)
        puts(json);
    else
        report_print(report, stdout, isatty(STDOUT_FILENO) && !getenv("NO_COLOR"));
    if (context->arguments->statistics) /* beside the document, not in it */
        report_print_statistics(report, context->arguments->json ? stderr : stdout);
    free(json);
    return good;
}

static int found_status(const struct report *report, enum fail_on fail_on)
{
    size_t regressions = report_count_class(report, CHECK_REGRESSION);
    switch (fail_on) {
    case FAIL_ON_REGRESSION: return regressions ? EXIT_DIFFERENT : EXIT_NOTHING;
    case FAIL_ON_OUTPUT: return regressions + report_count_class(report, CHECK_OUTPUT) ? EXIT_DIFFERENT : EXIT_NOTHING;
    case FAIL_ON_ANY: return report->count ? EXIT_DIFFERENT : EXIT_NOTHING;
    default: return report_is_different(report) ? EXIT_DIFFERENT : EXIT_NOTHING;
    }
}

/* 3 where nothing was found because the job was not done; with --strict, because it was not done to the end. */
static int exit_status(const struct report *report, const struct arguments *arguments)
{
    int status = found_status(report, arguments->fail_on);
    if (status == EXIT_DIFFERENT)
        return status;
    bool is_good = arguments->strict ? report_verdict(report) == VERDICT_EQUIVALENT : report_is_done(report);
    return is_good ? status : EXIT_NOT_DONE;
}

/* Where results are is known to whoever watches. */
static bool make_directory(struct context *context, struct error *error)
{
    struct report *report = &context->report;
    report->directory = results_make_directory(report->arena, context->arguments->out, error);
    if (report->directory)
        snprintf(context->shared->directory, sizeof context->shared->directory, "%s", report->directory);
    return report->directory;
}

static void remove_directory(struct context *context)
{
    file_remove_tree(context->report.directory);
    if (!strcmp(context->shared->directory, context->report.directory)) /* it is not that of one of several entries */
        *context->shared->directory = '\0';
}

/* The program is made by the command from the files that it was given. */
static bool prepare(struct context *context, struct preparation *preparation, struct error *error)
{
    struct report *report = &context->report;
    struct campaign_options *given = &context->arguments->campaign;
    if (!context->command->prepare)
        return true;
    if (!make_directory(context, error) || !context->command->prepare(context->command->input, given, report->arena,
                                                                      report->directory, preparation, error))
        return false;
    report->files = preparation->origins;
    report->file_count = 2;
    given->origins = preparation->origins;
    return true;
}

/* Two texts that say the same need not be run to be known as equivalent. */
static bool report_identical(struct context *context, struct error *error)
{
    static const struct explore_statistics statistics = {.exhausted = true};
    static const struct solve_statistics solver;
    struct report *report = &context->report;
    report->statistics = &statistics;
    report->solver = &solver;
    report->notes = "";
    report->entry = report->entry ? report->entry : "";
    report->mode = EXPLORE_COMPLETE;
    if (!context->arguments->json)
        printf("%s and %s are identical but for comments and layout: nothing was run\n", report->files[0],
               report->files[1]);
    return write_report(context, error);
}

static bool make_world(struct context *context, struct error *error)
{
    struct campaign_options *given = &context->arguments->campaign;
    bool good = campaign_make_world(given, context->report.arena, context->scratch, error);
    context->old_options.world = context->new_options.world = given->world;
    return good;
}

static bool explore_campaign(struct context *context, struct error *error)
{
    struct report *report = &context->report;
    report->layout = context->campaign.program.layout;
    report->outputs = context->campaign.program.outputs;
    report->pointers = context->campaign.program.never_null.list;
    report->pointer_count = context->campaign.program.never_null.count;
    report->notes = text_string(&context->campaign.program.notes);
    if ((!report->directory && !make_directory(context, error)) || !file_make_scratch(context->scratch, error) ||
        !make_world(context, error))
        return false;
    bool good =
        report->apart ? apart_explore(context, error) : build(context, error) && explore_program(context, error);
    check_stop(context->checker); /* whose builds write into the directory */
    if (report->statistics)       /* whatever went wrong after this, what was found is shown */
        good = write_report(context, error) && good;
    else
        remove_directory(context);
    file_remove_tree(context->scratch);
    return good;
}

static void take_entry(struct context *context, const struct run_entry *entry)
{
    struct campaign_options *given = &context->arguments->campaign;
    given->entry = context->report.entry = entry->name;
    given->entry_path = entry->path;
    given->limits = entry->limits;
    given->unreadable = entry->unreadable;
    given->made = &entry->units;
    context->entry = entry;
    context->report.apart = entry->apart;
    given->is_one_version = entry->apart != NULL;
    for (size_t i = 0; i < entry->uncompared.count; i++)
        words_add(&given->uncompared, entry->uncompared.list[i]);
    for (size_t i = 0; i < entry->uncompared_members.count; i++)
        words_add(&given->uncompared_members, entry->uncompared_members.list[i]);
}

void context_version_options(const struct context *context, const struct units *units, const char *path,
                             struct campaign_options *options)
{
    *options = context->arguments->campaign;
    options->made = units;
    options->entry_path = path;
    options->is_one_version = true;
    options->limits = NULL;
    options->other_version = &context->campaign.program;
}

/* The proof is made of the user's own files, never of the text that they were merged into. */
static bool read_versions(struct context *context, struct error *error)
{
    const struct run_entry *entry = context->entry;
    context->native_old = context->native_new = &context->campaign;
    if (!entry)
        return true;
    context_version_options(context, &entry->old, entry->old_path, &context->old_options);
    context_version_options(context, &entry->new, entry->new_path, &context->new_options);
    context->native_old = &context->old;
    context->native_new = &context->new;
    return campaign_read_program(&context->old, &context->old_options, error) &&
           campaign_read_program(&context->new, &context->new_options, error);
}

static bool read_campaign(struct context *context, struct error *error)
{
    return campaign_read(&context->campaign, &context->arguments->campaign, error) &&
           (context->report.apart ? apart_read(context, error) : read_versions(context, error));
}

/* ---- several entries, each in a process of its own ---- */

/* Explores one entry; what is wrong with it goes into the pipe. */
static int run_entry(struct context *context, const struct run_entry *entry, int complaints)
{
    struct error error = {0};
    struct report *report = &context->report;
    take_entry(context, entry);
    report->directory = arena_format(report->arena, "%s/%s", report->directory, entry->results);
    context->start = clock_seconds();
    bool good = read_campaign(context, &error);
    if (good && !context->arguments->json)
        printf("---- %s() at %s ----\n", entry->name, entry->place);
    good = good && file_make_directory(report->directory, &error) && explore_campaign(context, &error);
    if (good)
        return exit_status(report, context->arguments);
    const char *message = error.message ? error.message : "unknown error";
    file_write_to(complaints, message, strlen(message));
    return EXIT_ERROR;
}

/* The child's exit status; `message` says why it could not explore. */
static int wait_for_entry(pid_t child, int complaints, struct text *message)
{
    char buffer[4096];
    int status;
    for (ssize_t length; (length = read(complaints, buffer, sizeof buffer)) > 0;)
        text_append(message, buffer, (size_t)length);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    if (WIFSIGNALED(status))
        text_format(message, "the exploration was ended by signal %d", WTERMSIG(status));
    return WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_ERROR;
}

static bool start_entry(struct context *context, const struct run_entry *entry, int *status, struct text *message,
                        struct error *error)
{
    int complaints[2];
    if (pipe(complaints))
        return error_set(error, "cannot make a pipe: %s", strerror(errno));
    fflush(stdout);
    pid_t child = fork();
    if (child < 0)
        return error_set(error, "cannot start a process: %s", strerror(errno));
    if (!child) {
        close(complaints[0]);
        context->is_silent = context->arguments->json;
        int result = run_entry(context, entry, complaints[1]);
        fflush(stdout);
        _exit(result);
    }
    close(complaints[1]);
    explores_entry = child;
    *status = wait_for_entry(child, complaints[0], message);
    explores_entry = 0;
    close(complaints[0]);
    return true;
}

/* What the entry's process left behind; when that is nothing, `message` says so. */
static json_t *entry_report(const struct context *context, const struct run_entry *entry, int status,
                            struct text *message)
{
    json_error_t ignored;
    json_t *report = json_load_file(
        arena_format(context->report.arena, "%s/%s/report.json", context->report.directory, entry->results), 0,
        &ignored);
    if (!report && !message->length)
        text_format(message, "its process ended with status %d and without a report", status);
    report = report ? report : json_object();
    json_object_set_new(report, "entry", json_string(entry->name));
    if (message->length)
        json_object_set_new(report, "problem", json_string(text_string(message)));
    return report;
}

static bool run_entries(struct context *context, struct error *error)
{
    struct preparation *preparation = &context->preparation;
    json_t *reports = json_array(), *all = preparation->json ? json_deep_copy(preparation->json) : json_object();
    size_t explored = 0, different = 0, done = 0;
    const char *problem = NULL; /* the first one */
    double end = context_end(context);
    struct text summary = {0};
    bool good = true;
    if (!context->arguments->json)
        fputs(text_string(&preparation->text), stdout);
    for (size_t i = 0; i < preparation->count && good && !interrupted; i++) {
        const struct run_entry *entry = &preparation->entries[i];
        struct text message = {0};
        int status = EXIT_ERROR;
        if (context->arguments->has_time)
            context->seconds = fmax(end - clock_seconds(), 0) / (double)(preparation->count - i);
        good = start_entry(context, entry, &status, &message, error);
        json_t *report = entry_report(context, entry, status, &message);
        const char *verdict = json_string_value(json_object_get(report, "verdict"));
        explored += verdict != NULL;
        done += verdict && status != EXIT_NOT_DONE;
        different += verdict && status == EXIT_DIFFERENT;
        if (verdict) {
            text_format(&summary, "  %s() at %s: %s\n", entry->name, entry->place, verdict);
        } else {
            text_format(&summary, "  %s() at %s: cannot be explored: %s\n", entry->name, entry->place,
                        text_string(&message));
            problem = problem ? problem : arena_copy_string(context->report.arena, text_string(&message));
        }
        json_array_append_new(reports, report);
        text_free(&message);
    }
    json_object_set_new(all, "entries", reports);
    bool nothing = problem && !explored && !interrupted;
    json_object_set_new(all, "verdict",
                        json_string(different ? "different"
                                    : nothing ? "not-explored"
                                              : "no-difference-found"));
    char *document = json_dumps(all, JSON_INDENT(2));
    const char *path = arena_format(context->report.arena, "%s/report.json", context->report.directory);
    good = good && file_write(path, document, strlen(document), error);
    if (context->arguments->json)
        puts(document);
    else
        printf("---- %zu of %zu changed function%s explored, %zu with differences ----\n%s", explored,
               preparation->count, preparation->count == 1 ? "" : "s", different, text_string(&summary));
    bool is_done = !interrupted && (context->arguments->strict ? done == preparation->count : done > 0);
    context->status = different ? EXIT_DIFFERENT : is_done ? EXIT_NOTHING : EXIT_NOT_DONE;
    free(document);
    json_decref(all);
    text_free(&summary);
    if (good && nothing)
        return error_set(error, "no changed function could be explored. %s(): %s", preparation->entries[0].name,
                         problem);
    return good;
}

static bool run(struct context *context, struct error *error)
{
    struct report *report = &context->report;
    struct preparation *preparation = &context->preparation;
    bool good = prepare(context, preparation, error);
    if (good && preparation->identical)
        return report_identical(context, error);
    if (good && context->command->prepare && !context->arguments->campaign.entry)
        return run_entries(context, error);
    if (good && preparation->count)
        take_entry(context, &preparation->entries[0]);
    good = good && read_campaign(context, error);
    if (!good && report->directory)
        remove_directory(context);
    return good && explore_campaign(context, error);
}

static void preparation_free(struct preparation *preparation)
{
    for (size_t i = 0; i < preparation->count; i++) {
        struct run_entry *entry = &preparation->entries[i];
        units_free(&entry->units), units_free(&entry->old), units_free(&entry->new);
        words_free(&entry->uncompared), words_free(&entry->uncompared_members);
    }
    free(preparation->entries);
    text_free(&preparation->text);
    json_decref(preparation->json);
}

/* What a command does once its arguments are known; see supervise.h. */
struct job {
    const struct run_command *command;
    struct arguments *arguments;
};

static void context_free(struct context *context)
{
    preparation_free(&context->preparation);
    results_free(&context->report);
    explore_outcome_free(&context->outcome);
    set_destroy(context->keys);
    free(context->numbers);
    free(context->common);
    site_table_destroy(context->exchanged_sites);
    apart_free(context);
    campaign_free(&context->old);
    campaign_free(&context->new);
    campaign_free(&context->campaign);
    arena_destroy(context->report.arena);
}

static int work(void *opaque, struct shared *shared)
{
    const struct job *job = opaque;
    struct arguments *arguments = job->arguments;
    struct error error = {0};
    struct context context = {.arguments = arguments,
                              .command = job->command,
                              .start = clock_seconds(),
                              .keys = set_create(),
                              .shared = shared,
                              .status = -1};
    context.report = (struct report){
        .arena = arena_create(),
        .files = arguments->campaign.files.list,
        .file_count = arguments->campaign.files.count,
        .entry = arguments->campaign.entry,
        .mode = arguments->mode,
        .overflow = arguments->campaign.assume_no_overflow ? "assume-none" : "wrap",
        .float_tolerance = arguments->campaign.float_tolerance,
        .seconds_to_first = -1,
    };
    signal(SIGINT, note_interrupt);
    signal(SIGTERM, note_interrupt);
    signal(SIGHUP, note_interrupt);
    bool good = run(&context, &error);
    int status = context.status; /* of several entries; where none of them could be explored, there is an error, too */
    if (!good)
        status = cli_fail(&error) && status == EXIT_NOT_DONE ? EXIT_NOT_DONE : EXIT_ERROR;
    else if (status < 0)
        status = exit_status(&context.report, arguments);
    context_free(&context);
    campaign_options_free(&arguments->campaign);
    return status;
}

/* The default of --time; several entries have it each. */
static double usual_seconds(void)
{
    const char *given = getenv("PENUMBRA_TIME");
    double seconds = given ? strtod(given, NULL) : 0;
    return seconds > 0 ? seconds : 60;
}

/* Of what this machine has, most. */
static double usual_memory(void)
{
    return (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE) * 0.6e-6;
}

int run_command(const struct run_command *command, int argc, char **argv)
{
    struct arguments arguments = {.mode = command->mode,
                                  .memory_all_megabytes = usual_memory(),
                                  .solver_seconds = 5,
                                  .maximum_depth = 10000,
                                  .maximum_loop = 100,
                                  .maximum_values = 256,
                                  .input = command->input,
                                  .campaign.makes_program = command->prepare != NULL,
                                  .out = "penumbra-out"};
    struct argp_child children[] = {{&campaign_argp, 0, "The program and its inputs:", 2}, {0}, {0}};
    if (command->more)
        children[1] = *command->more;
    struct argp parser = {options, parse, command->arguments, command->summary, children, NULL, NULL};
    argp_err_exit_status = EXIT_ERROR;
    argp_parse(&parser, argc, argv, 0, NULL, &arguments);
    bool has_many = command->prepare && !arguments.campaign.entry && !arguments.seconds;
    struct job job = {command, &arguments};
    struct supervised supervised;
    struct error error = {0};
    arguments.has_time = arguments.seconds > 0;
    arguments.seconds = arguments.has_time ? arguments.seconds : usual_seconds();
    struct supervision supervision = {.seconds = has_many ? 0 : arguments.seconds,
                                      .memory_bytes = (size_t)(arguments.memory_all_megabytes * 1e6),
                                      .work = work,
                                      .context = &job};
    bool good = supervise(&supervision, &supervised, &error);
    campaign_options_free(&arguments.campaign);
    if (!good)
        return cli_fail(&error);
    return supervised.end == WORKER_ENDED ? supervised.status : salvage(&supervised, arguments.json);
}

int cli_run(int argc, char **argv)
{
    static const struct run_command command = {
        .arguments = "FILE.c... --entry FUNCTION",
        .summary =
            "Find inputs on which the two versions in an annotated program behave differently, and prove each by "
            "running both natively.\vExit status: 0 nothing found, 1 differences found, 2 usage or build error, 3 the "
            "job was "
            "not done (interrupted, no change reached).",
        .mode = EXPLORE_BOUNDED,
    };
    return run_command(&command, argc, argv);
}
