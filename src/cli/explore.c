/* From the command line to a campaign in a process of its own, and to what is shown of it. */
#include "cli/explore.h"

#include "campaign/accepted.h"
#include "cli/cli.h"
#include "cli/show.h"
#include "report/views.h"

#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

/* What the rows below fill. */
struct arguments {
    struct campaign_options campaign;
    struct show show;
};

#define RECORD struct arguments

static const struct option_row rows[] = {
    CHOICE("mode", EXPLORE_MODES, campaign.mode,
           "concolic: look beside the seeds' own paths; bounded: also go on from each divergence (default of run); "
           "generational: also try inputs made of others (default for whole programs); complete: explore everything "
           "and give a verdict (default of diff)"),
    CHOICE("explore", PARTITION_KINDS, campaign.partitions,
           "Complete mode: explore every path (default), or partitions of the inputs: by the changes that are reached "
           "(reach), by the output (peso), by both (cbpe), or by both in each version, compared (cbpe-sd)"),
    NUMBER("time", "SECONDS", campaign.seconds, 0.1, 0,
           "Limit for everything (default: $PENUMBRA_TIME, or 60; with several entries, as much for each)"),
    NUMBER("jobs", "N", campaign.jobs, 1, 0,
           "Explore with this many processes (default: what processors and memory allow)"),
    NUMBER("memory-all", "MB", campaign.memory_all_megabytes, 64, 0,
           "Limit for the memory of everything but the programs under test (default: most of the machine's)"),
    ON("first", campaign.first, "Stop at the first difference that --fail-on counts"),
    NUMBER("native-runs", "N", campaign.native_runs, 0, 1000,
           "Complete mode: run both versions on up to N guessed inputs while exploring, 0 for none"),
    NUMBER("solver-time", "SECONDS", campaign.solver_seconds, 0.001, 5, "Limit for one question to the solver"),
    NUMBER("max-paths", "N", campaign.maximum_paths, 1, 0, "Stop after this many paths"),
    NUMBER("max-depth", "N", campaign.maximum_depth, 0, 10000,
           "Complete mode: most decisions on a path, 0 for no limit"),
    NUMBER("max-loop", "N", campaign.maximum_loop, 0, 100, "Complete mode: most decisions of one branch on a path"),
    NUMBER("max-values", "N", campaign.maximum_values, 0, 256,
           "Complete mode: most values of something that must be concrete"),
    CHOICE("order", EXPLORE_ORDERS, campaign.order, "Complete mode: which path comes next (default mixed)"),
    OFF("directed", campaign.undirected, "Complete mode: go only where a change can be reached (default)"),
    ON("no-directed", campaign.undirected, "Complete mode: also explore what cannot reach a change"),
    ON("process-per-run", campaign.process_per_run, "Complete mode: a fresh process for every run, which is slower"),
    ON("no-proofs", campaign.no_proofs,
       "diff: explore even if the optimiser makes the same of both versions; --mode, --seed and --stats imply this"),
    ON("dump-queries", campaign.dump_queries,
       "Write the questions to the solver into the results, as SMT-LIB: to report a problem with one"),
    ON(".only-z3", campaign.only_z3, "Ask Z3 every question: for measurements"),
    ON("stats", show.statistics, "Print states, paths, diff paths, time and memory in one line"),
    ON("all", campaign.all, "Prove, keep and show every divergence, not only one of each group"),
    TEXT("out", "DIR", campaign.out, "Where results go (default penumbra-out, with a number if it exists)"),
    TEXT("accepted", "FILE", campaign.accepted,
         "Differences that were accepted as intended (penumbra accept) and are not reported (default " ACCEPTED_FILE
         ")"),
    ON("json", show.json, "Print the report as JSON"),
    TEXT("report", "LIST", show.reports,
         "Also write the report in these forms, beside report.json: " VIEW_NAMES " (separated by commas)"),
    CHOICE("fail-on", "regression|output|any", campaign.fail_on,
           "Exit with 1 only for regressions, also for other outputs, or also for any divergence of paths"),
    ON("strict", campaign.strict, "Exit with 3 unless the versions are different or equivalent"),
    ON("progress", show.progress,
       "Report progress and what was proven even if standard error is not a terminal: a line now and then"),
    ON("quiet", show.quiet, "Do not report progress"),
    TEXT(".resume", "DIR", campaign.resume, "Go on with the campaign there: for penumbra resume"),
    TABLE_END,
};

static void check(struct argp_state *state, const struct command_line *line)
{
    const struct arguments *arguments = line->sets[0].record;
    options_check_program(state, &arguments->campaign.subject);
}

/* ---- the worker ---- */

struct job {
    const struct explore_command *command;
    struct arguments *arguments;
};

static int work(void *opaque, struct shared *shared)
{
    const struct job *job = opaque;
    struct campaign_view view = show_view(&job->arguments->show);
    struct campaign_request request = {.options = &job->arguments->campaign,
                                       .prepare = job->command->prepare,
                                       .input = job->command->input,
                                       .view = &view};
    struct error error = {0};
    enum campaign_status status = campaign_run(&request, shared, &error);
    if (error.message || status == CAMPAIGN_ERROR)
        cli_fail(&error);
    subject_options_free(&job->arguments->campaign.subject);
    return (int)status;
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

static int finish(const struct supervised *supervised, const struct show *show)
{
    struct salvaged salvaged;
    struct error error = {0};
    if (supervised->end == WORKER_ENDED)
        return supervised->status;
    bool good = salvage(supervised, &salvaged, &error);
    if (!good)
        cli_fail(&error);
    if (good || salvaged.document)
        show_salvaged(show, &salvaged);
    int status = good ? salvaged.exit_status : EXIT_ERROR;
    salvaged_free(&salvaged);
    return status;
}

/* Behind `--` are the arguments of a whole program, which begins at main(). */
static int take_program(struct subject_options *subject, int argc, char **argv)
{
    int end = 1;
    while (end < argc && strcmp(argv[end], "--"))
        end++;
    for (int i = end + 1; i < argc; i++)
        words_add(&subject->arguments, argv[i]);
    subject->is_program = end < argc;
    return end;
}

/* What `penumbra resume` needs to give the command again; a new reference. */
static json_t *describe(int argc, char **argv)
{
    char directory[PATH_MAX];
    json_t *command = json_array();
    const char *name = strchr(argv[0], ' '); /* penumbra NAME */
    bool good = !json_array_append_new(command, json_string(name ? name + 1 : argv[0]));
    for (int i = 1; i < argc; i++)
        good = !json_array_append_new(command, json_string(argv[i])) && good; /* no text: it cannot be given again */
    json_t *asked = json_pack("{s:s, s:s?, s:s?}", "version", PENUMBRA_VERSION_STRING, "directory",
                              getcwd(directory, sizeof directory), "time", getenv("PENUMBRA_TIME"));
    json_object_set_new(asked, "command", good ? json_incref(command) : json_null());
    json_decref(command);
    return asked;
}

/* What argp cannot know. */
static bool check_arguments(const struct arguments *arguments, struct error *error)
{
    const struct campaign_options *campaign = &arguments->campaign;
    if (campaign->subject.is_program && campaign->mode == EXPLORE_COMPLETE && !campaign->partitions)
        return error_set(error, "a whole program is explored from the starts that are given, never completely: choose "
                                "another --mode, partitions with --explore, or a function with --entry");
    if (campaign->partitions && campaign->mode != EXPLORE_COMPLETE)
        return error_set(error,
                         "--explore is a choice of the complete mode: leave --mode out, or give --mode complete");
    return !arguments->show.reports || views_are_known(arguments->show.reports, error);
}

/* In a process of its own; without a limit of time for all where each of several entries has one. */
static int run_supervised(const struct explore_command *command, struct arguments *arguments)
{
    struct campaign_options *campaign = &arguments->campaign;
    bool has_many = command->prepare && !campaign->subject.entry && !campaign->seconds;
    struct job job = {command, arguments};
    struct supervised supervised;
    struct error error = {0};
    campaign->has_time = campaign->seconds > 0;
    campaign->seconds = campaign->has_time ? campaign->seconds : usual_seconds();
    struct supervision supervision = {.seconds = has_many ? 0 : campaign->seconds,
                                      .memory_bytes = (size_t)(campaign->memory_all_megabytes * 1e6),
                                      .work = work,
                                      .context = &job};
    if (campaign->subject.no_sandbox || campaign->subject.sandbox == WORLD_OPEN)
        fprintf(stderr,
                "penumbra: warning: programs under test run with your own rights: they may change and remove your "
                "files\n");
    return supervise(&supervision, &supervised, &error) ? finish(&supervised, &arguments->show) : cli_fail(&error);
}

static int explore_asked(const struct explore_command *command, int argc, char **argv, const json_t *asked)
{
    enum { NOT_GIVEN = 1000 };
    struct arguments arguments = {.campaign = {.mode = (enum explore_mode)NOT_GIVEN,
                                               .fail_on = FAIL_ON_DIFFERENCE,
                                               .memory_all_megabytes = usual_memory(),
                                               .accepted = ACCEPTED_FILE,
                                               .asked = asked,
                                               .out = "penumbra-out"}};
    struct campaign_options *campaign = &arguments.campaign;
    struct error error = {0};
    struct command_line line = {
        .arguments = command->arguments,
        .summary = command->summary,
        .sets = {{NULL, rows, &arguments},
                 {"The program and its inputs:", subject_rows, &campaign->subject},
                 command->more},
        .files = &campaign->subject.files,
        .check = command->prepare ? NULL : check, /* the command finds files and entries itself */
    };
    argc = take_program(&campaign->subject, argc, argv);
    options_parse(&line, argc, argv);
    campaign->subject.is_program |= campaign->subject.input || campaign->subject.seed_directory;
    if (command->begin && !command->begin(command->input, &campaign->subject, arguments.show.quiet, &error)) {
        subject_options_free(&campaign->subject);
        return cli_fail(&error);
    }
    if (campaign->subject.is_program && !campaign->subject.entry)
        campaign->subject.entry = "main";
    if (campaign->partitions && (unsigned)campaign->mode == NOT_GIVEN)
        campaign->mode = EXPLORE_COMPLETE;
    bool has_mode = (unsigned)campaign->mode != NOT_GIVEN;
    if (!check_arguments(&arguments, &error)) {
        subject_options_free(&campaign->subject);
        return cli_fail(&error);
    }
    campaign->mode = has_mode ? campaign->mode : campaign->subject.is_program ? EXPLORE_GENERATIONAL : command->mode;
    bool wants_counts = has_mode || arguments.show.statistics; /* of paths as the papers count them */
    campaign->no_proofs |= wants_counts;
    campaign->subject.fold |= campaign->mode == EXPLORE_COMPLETE && !wants_counts && !campaign->subject.no_fold;
    int status = run_supervised(command, &arguments);
    subject_options_free(&campaign->subject);
    return status;
}

int explore_command(const struct explore_command *command, int argc, char **argv)
{
    json_t *asked = describe(argc, argv);
    int status = explore_asked(command, argc, argv, asked);
    json_decref(asked);
    return status;
}
