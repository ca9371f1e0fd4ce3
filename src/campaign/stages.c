/* The stages of one exploration: native programs in the background, the instrumented one, the explorer. */
#include "base/clock.h"
#include "base/file.h"
#include "base/log.h"
#include "campaign/live.h"
#include "campaign/state.h"

#include <math.h>

static const double LEAST_FOR_OTHERS = 2;

double campaign_end(const struct campaign *campaign)
{
    return campaign->start + (campaign->seconds > 0 ? campaign->seconds : campaign->options->seconds);
}

/* What has begun in time may take so long. */
static double campaign_latest(const struct campaign *campaign)
{
    const double share = 0.1, seconds = 1;
    double end = campaign_end(campaign);
    return end + share * (end - campaign->start) + seconds;
}

bool campaign_was_late(const struct campaign *campaign, struct error *error)
{
    bool was_late = check_is_late(campaign->checker);
    if (was_late)
        error_clear(error);
    return was_late;
}

bool campaign_is_too_late(const struct campaign *campaign)
{
    return clock_seconds() > campaign_latest(campaign);
}

/* What is left then is for making witnesses small. */
static double exploring_end(const struct campaign *campaign)
{
    const double share = 0.08, most = 10;
    double end = campaign_end(campaign);
    return end - fmin(share * (end - campaign->start), most);
}

double campaign_others_end(const struct campaign *campaign)
{
    double explored = campaign->explored > 0 ? campaign->explored : clock_seconds();
    if (campaign->options->all || !campaign->report.has_difference)
        return campaign_end(campaign);
    return fmin(exploring_end(campaign), explored + fmax(LEAST_FOR_OTHERS, explored - campaign->start));
}

/* Called in the process that explores. */
static bool make_exchanged(void *opaque, struct exchanged *exchanged, struct error *error)
{
    struct campaign *campaign = opaque;
    campaign->exchanged_sites = site_table_create();
    *exchanged = (struct exchanged){.sites = campaign->exchanged_sites, .is_library = campaign->inside};
    return campaign_make_second(campaign, campaign->exchanged_sites, &exchanged->path, error);
}

bool campaign_prepare_second(struct campaign *campaign, struct subject *subject, const char *directory, bool exchange,
                             struct error *error)
{
    struct second_program *second = &campaign->second;
    *second = (struct second_program){
        .subject = subject, .directory = directory, .exchange = exchange, .as_library = campaign->inside};
    return subject_prepare(subject, directory, exchange, campaign->inside, &second->prepared, error);
}

/* Where a path has killed the process that explores, another kind of program is needed. */
bool campaign_make_second(struct campaign *campaign, struct site_table *sites, const char **path, struct error *error)
{
    struct second_program *second = &campaign->second;
    if (second->prepared.build && second->as_library == campaign->inside)
        return subject_make_prepared(&second->prepared, sites, path, error);
    build_stop(second->prepared.build); /* it may be at work still, in the same directory */
    second->prepared.build = NULL;
    return subject_make(second->subject, second->directory, second->exchange, true, campaign->inside, sites, path,
                        error);
}

struct checker_options campaign_checker_options(const struct campaign *campaign, const struct subject *new,
                                                const char *directory)
{
    const struct subject *old = campaign->native_old;
    const struct subject_options *given = &campaign->options->subject;
    return (struct checker_options){
        .run_seconds = given->run_seconds,
        .latest = campaign_latest(campaign),
        .run_memory_bytes = (size_t)(given->memory_megabytes * 1e6),
        .world = &given->world,
        .harness = new->harness,
        .old_program = &old->program,
        .old_harness = old->harness,
        .directory = directory,
        .float_tolerance = given->float_tolerance,
    };
}

bool campaign_start_checker(struct campaign *campaign, struct error *error)
{
    const struct subject *new = campaign->native_new;
    const char *native = arena_format(campaign->report.arena, "%s/native", campaign->report.directory);
    struct checker_options options = campaign_checker_options(campaign, new, native);
    if (!file_make_directory(native, error))
        return false;
    campaign->checker = check_start(&new->program, &options, error);
    return campaign->checker != NULL;
}
bool campaign_make_program(struct campaign *campaign, struct subject *subject, const char *directory,
                           struct error *error)
{
    bool complete = campaign->options->mode == EXPLORE_COMPLETE; /* which must know of every failure */
    bool as_library = complete && !campaign->options->process_per_run;
    subject->sites = site_table_create();
    bool good =
        subject_make(subject, directory, false, complete, as_library, subject->sites, &campaign->program, error);
    campaign->inside = as_library && good && !subject->sites->lasting;
    return good;
}

/* Each version's harness is compiled with the version's own files. */
static bool write_version_harnesses(struct campaign *campaign, struct error *error)
{
    struct arena *arena = campaign->report.arena;
    if (campaign->native_old == &campaign->subject)
        return true;
    return subject_write_harness(&campaign->old, arena_format(arena, "%s/old", campaign->scratch), error) &&
           subject_write_harness(&campaign->new, arena_format(arena, "%s/new", campaign->scratch), error);
}

bool campaign_build(struct campaign *campaign, struct error *error)
{
    struct subject *subject = &campaign->subject;
    log_line(LOG_INFO, "building what is explored, and the native programs beside it");
    live_show(campaign, arena_format(campaign->report.arena, "building the programs of %s()", campaign->report.entry));
    return subject_write_harness(subject, campaign->scratch, error) && write_version_harnesses(campaign, error) &&
           campaign_start_checker(campaign, error) &&
           campaign_make_program(campaign, subject, campaign->scratch, error);
}

struct explore_options campaign_explore_options(struct campaign *campaign, const struct subject *subject)
{
    const struct campaign_options *options = campaign->options;
    return (struct explore_options){
        .mode = options->mode,
        .assume_no_overflow = options->subject.overflow == OVERFLOW_ASSUMED_NONE,
        .float_tolerance = options->subject.float_tolerance,
        .seconds = fmax(exploring_end(campaign) - clock_seconds(), 0),
        .solver_milliseconds = (unsigned)(options->solver_seconds * 1000),
        .only_z3 = options->only_z3,
        .dump_directory = campaign->queries,
        .maximum_paths = (size_t)options->maximum_paths,
        .maximum_depth = (size_t)options->maximum_depth,
        .maximum_loop = (size_t)options->maximum_loop,
        .maximum_values = (size_t)options->maximum_values,
        .order = options->order,
        .directed = !options->undirected,
        .ranges = subject->ranges,
        .range_count = subject->range_count,
        .interrupted = interrupt_flag(),
        .progress = live_take_progress,
        .idle = campaign_idle,
        .is_enough = campaign_is_decided,
        .report = campaign_take_finding,
        .difference = campaign_take_difference,
        .context = campaign,
        .exchange = make_exchanged,
        .exchange_context = campaign,
        .limits = subject_limits(subject),
    };
}

/* It is built once for all workers: that begins before there are any. */
static bool prepare_second_again(struct campaign *campaign, struct error *error)
{
    struct second_program *second = &campaign->second;
    if (!second->prepared.build)
        return true;
    build_stop(second->prepared.build);
    return campaign_prepare_second(campaign, second->subject, second->directory, second->exchange, error);
}

/* Inside processes that load the program, as long as no path kills them; with a process for each run then. */
static bool explore_somewhere(struct campaign *campaign, struct subject *subject, const char *directory,
                              struct exploration *exploration, struct error *error)
{
    bool died = false;
    if (campaign->inside) {
        if (!explore_beside(exploration, &campaign->outcome, &died, error) || !died)
            return campaign->outcome.statistics.runs > 0 && !error->message;
        campaign->inside = false;
        campaign->number_count = campaign->common_count = 0;
        campaign->program = subject_make_executable(subject, directory, error);
        if (!campaign->program || !prepare_second_again(campaign, error))
            return false;
    }
    exploration->program = campaign->program;
    exploration->is_library = false;
    if (!campaign->program || !explore_beside(exploration, &campaign->outcome, &died, error))
        return false;
    return !died || error_set(error, "the exploring process ended unexpectedly: please report it");
}

/* What the verdict on partitions rests on, it does in each version, and each has a program of its own. The old one's
 * was built for the process that explored. */
static bool join_second(struct campaign *campaign, struct subject *subject, const struct explore_options *options,
                        struct error *error)
{
    struct build *build = campaign->second.prepared.build;
    if (!build || !options->partitions || !campaign->outcome.statistics.exhausted) /* then nothing is equivalent */
        return true;
    struct site_table *sites = site_table_create();
    campaign->second.prepared.build = NULL;
    bool good = build_finish(build, sites, error);
    if (good)
        site_table_join(subject->sites, sites);
    site_table_destroy(sites);
    return good;
}

bool campaign_explore(struct campaign *campaign, struct subject *subject, const char *directory,
                      const struct explore_options *options, struct error *error)
{
    struct exploration exploration = {
        .program = campaign->program,
        .is_library = campaign->inside,
        .workers = campaign->workers,
        .layout = subject->program.layout,
        .sites = subject->sites,
        .seeds = (const uint8_t *const *)subject->seeds,
        .seed_count = subject->seed_count,
        .seed_size = subject->seed_size,
        .options = options,
    };
    log_line(LOG_INFO, "exploring");
    if (options->mode == EXPLORE_COMPLETE || options->mode == EXPLORE_GENERATIONAL)
        campaign->guesses = guesses_create(campaign);
    bool good = explore_somewhere(campaign, subject, directory, &exploration, error);
    if (good || campaign->outcome.statistics.runs) { /* else there is nothing to report */
        campaign->report.statistics = &campaign->outcome.statistics;
        campaign->report.solver = &campaign->outcome.solver;
    }
    campaign->report.inside = campaign->inside;
    campaign->report.sites = subject->sites;
    live_take_end(campaign);
    campaign->explored = clock_seconds();
    good = good && join_second(campaign, subject, options, error);
    build_stop(campaign->second.prepared.build);
    campaign->second.prepared.build = NULL;
    log_line(LOG_INFO, "explored");
    return good;
}

/* What is left to do where the exploration has ended and no proof came before. */
static bool conclude(struct campaign *campaign, struct error *error)
{
    if (!findings_prove_waiting(campaign, error))
        return false;
    if (campaign->report.is_proven)
        return true;
    bool good = common_try(campaign, error) || campaign_was_late(campaign, error);
    return good && guesses_finish(campaign, error);
}

bool campaign_explore_program(struct campaign *campaign, struct error *error)
{
    if (!campaign_build(campaign, error))
        return false;
    if (campaign_is_proven(campaign))
        return true;
    if (campaign->options->mode == EXPLORE_COMPLETE &&
        !campaign_prepare_second(campaign, &campaign->subject, campaign->scratch, true, error))
        return false;
    struct explore_options options = campaign_explore_options(campaign, &campaign->subject);
    return campaign_explore(campaign, &campaign->subject, campaign->scratch, &options, error) &&
           conclude(campaign, error) && results_finish(&campaign->report, campaign, error);
}
