#include "check/check.h"

#include "base/clock.h"
#include "base/file.h"
#include "check/native.h"
#include "check/observe.h"

#include <stdlib.h>
#include <string.h>

enum { OUTPUT_BYTES = 16 << 20 };

enum version { OLD, NEW, VERSIONS };

/* The second run is not served by the first one's process, or an address would be the same in both. */
enum purpose { FIRST_RUN, SECOND_RUN, FLAGS, PURPOSES };

static const enum native_sanitizer sanitizers[PURPOSES] = {
    [FIRST_RUN] = NATIVE_ADDRESS,
    [SECOND_RUN] = NATIVE_ADDRESS,
    [FLAGS] = NATIVE_UNDEFINED,
};

struct checker {
    double float_tolerance, latest;
    struct native_build *builds[VERSIONS];
    struct observed_program programs[VERSIONS][PURPOSES];
};

static bool start_build(struct checker *checker, enum version version, const struct program *program,
                        const char *const *harness, const struct checker_options *options, struct error *error)
{
    static const char *const names[] = {[OLD] = "OLD", [NEW] = "NEW"};
    struct process_limits limits = server_limits(options->run_seconds, options->run_memory_bytes);
    limits.output_bytes = OUTPUT_BYTES;
    struct native_build *build = native_start(program, harness, options->directory, names[version], error);
    checker->builds[version] = build;
    for (int purpose = 0; build && purpose < PURPOSES; purpose++)
        checker->programs[version][purpose] =
            (struct observed_program){.program = program,
                                      .executable = native_executable(build, sanitizers[purpose]),
                                      .world = options->world,
                                      .latest = options->latest,
                                      .limits = limits};
    return build;
}

struct checker *check_start(const struct program *program, const struct checker_options *options, struct error *error)
{
    struct checker *checker = calloc(1, sizeof *checker);
    if (!checker || !file_make_directory(options->directory, error)) {
        free(checker);
        return NULL;
    }
    checker->float_tolerance = options->float_tolerance;
    checker->latest = options->latest;
    const struct program *old = options->old_program ? options->old_program : program;
    const char *const *old_harness = options->old_program ? options->old_harness : options->harness;
    if (start_build(checker, OLD, old, old_harness, options, error) &&
        start_build(checker, NEW, program, options->harness, options, error))
        return checker;
    check_stop(checker);
    return NULL;
}

static bool run_native(struct checker *checker, enum version version, enum purpose purpose,
                       const struct observed_input *input, struct check_observation *observation, struct error *error)
{
    return native_wait(checker->builds[version], sanitizers[purpose], error) &&
           observe(&checker->programs[version][purpose], input, observation, error);
}

static struct check_observation copy_of(const struct check_observation *observation)
{
    struct check_observation copy = *observation;
    copy.output = copy.errors = (struct text){0};
    text_append(&copy.output, text_string(&observation->output), observation->output.length);
    text_append(&copy.errors, text_string(&observation->errors), observation->errors.length);
    return copy;
}

static void exchange(struct check_observation *one, struct check_observation *other)
{
    struct check_observation kept = *one;
    *one = *other;
    *other = kept;
}

/* Whether the versions did the same as far as failures go: what they wrote might vary from run to run. */
static bool may_vary(const struct check_verdict *verdict)
{
    const struct check_observation *old_run = &verdict->old_run, *new_run = &verdict->new_run;
    return verdict->class == CHECK_OUTPUT && old_run->failed == new_run->failed &&
           strcmp(old_run->failure, new_run->failure) == 0;
}

/* Outputs differ: is it the versions, or would they differ from themselves? Each is run a second time. */
static bool run_again(struct checker *checker, const struct observed_input *input, struct check_verdict *verdict,
                      struct error *error)
{
    struct check_observation old_again, new_again;
    if (!run_native(checker, OLD, SECOND_RUN, input, &old_again, error))
        return false;
    if (!run_native(checker, NEW, SECOND_RUN, input, &new_again, error)) {
        observation_free(&old_again);
        return false;
    }
    struct check_observation old_run = copy_of(&verdict->old_run), new_run = copy_of(&verdict->new_run);
    check_ignore_varying(&verdict->old_run, &old_again, &verdict->new_run);
    check_ignore_varying(&verdict->new_run, &new_again, &verdict->old_run);
    verdict->class = check_classify(&verdict->old_run, &verdict->new_run, verdict->float_tolerance);
    if (old_run.failed) { /* reports of failures have addresses: they stay whole */
        exchange(&verdict->old_run, &old_run);
        exchange(&verdict->new_run, &new_run);
    }
    observation_free(&old_again), observation_free(&new_again);
    observation_free(&old_run), observation_free(&new_run);
    return true;
}

static void want_flags(struct checker *checker)
{
    for (int version = 0; version < VERSIONS; version++)
        native_want(checker->builds[version], NATIVE_UNDEFINED);
}

static bool compare_once(struct checker *checker, const struct observed_input *input, struct check_verdict *verdict,
                         struct error *error)
{
    *verdict = (struct check_verdict){.float_tolerance = checker->float_tolerance};
    if (!run_native(checker, OLD, FIRST_RUN, input, &verdict->old_run, error) ||
        !run_native(checker, NEW, FIRST_RUN, input, &verdict->new_run, error)) {
        check_verdict_free(verdict);
        return false;
    }
    verdict->class = check_classify(&verdict->old_run, &verdict->new_run, verdict->float_tolerance);
    if (check_class_is_difference(verdict->class)) /* its flags will be asked for */
        want_flags(checker);
    return true;
}

static bool compare(struct checker *checker, const struct observed_input *input, struct check_verdict *verdict,
                    struct error *error)
{
    if (!compare_once(checker, input, verdict, error))
        return false;
    if (!may_vary(verdict) || run_again(checker, input, verdict, error))
        return true;
    check_verdict_free(verdict);
    return false;
}

static bool add_flags(struct checker *checker, const struct observed_input *input, struct check_verdict *verdict,
                      struct error *error)
{
    for (int version = 0; version < VERSIONS; version++) {
        struct check_observation observation;
        if (!run_native(checker, (enum version)version, FLAGS, input, &observation, error))
            return false;
        verdict->signed_overflow |= observation.signed_overflow;
        if (!verdict->undefined[0])
            memcpy(verdict->undefined, observation.undefined, sizeof verdict->undefined);
        observation_free(&observation);
    }
    return true;
}

typedef bool use_of_input(struct checker *checker, const struct observed_input *input, struct check_verdict *verdict,
                          struct error *error);

static bool with_file(const char *path, use_of_input *use, struct checker *checker, struct check_verdict *verdict,
                      struct error *error)
{
    struct text text = {0};
    bool good = file_read(path, &text, error);
    struct observed_input input = {.name = path, .text = text_string(&text), .length = text.length};
    good = good && use(checker, &input, verdict, error);
    text_free(&text);
    return good;
}

bool check_replay(struct checker *checker, const char *input_path, struct check_verdict *verdict, struct error *error)
{
    return with_file(input_path, compare, checker, verdict, error);
}

bool check_add_flags(struct checker *checker, const char *input_path, struct check_verdict *verdict,
                     struct error *error)
{
    return with_file(input_path, add_flags, checker, verdict, error);
}

bool check_try(struct checker *checker, const struct text *text, double seconds, struct check_verdict *verdict,
               struct error *error)
{
    struct observed_input input = {
        .name = "an input", .text = text_string(text), .length = text->length, .seconds = seconds};
    return compare(checker, &input, verdict, error);
}

bool check_try_once(struct checker *checker, const struct text *text, struct check_verdict *verdict,
                    struct error *error)
{
    struct observed_input input = {.name = "an input", .text = text_string(text), .length = text->length};
    return compare_once(checker, &input, verdict, error);
}

bool check_try_flags(struct checker *checker, const struct text *text, struct check_verdict *verdict,
                     struct error *error)
{
    struct observed_input input = {.name = "an input", .text = text_string(text), .length = text->length};
    return add_flags(checker, &input, verdict, error);
}

bool check_is_late(const struct checker *checker)
{
    return clock_has_passed(checker->latest);
}

bool check_is_ready(struct checker *checker)
{
    return native_is_ready(checker->builds[OLD], NATIVE_ADDRESS) &&
           native_is_ready(checker->builds[NEW], NATIVE_ADDRESS);
}

bool check_input(struct checker *checker, const char *input_path, struct check_verdict *verdict, struct error *error)
{
    if (!check_replay(checker, input_path, verdict, error))
        return false;
    if (check_add_flags(checker, input_path, verdict, error))
        return true;
    check_verdict_free(verdict);
    return false;
}

const char *check_executable(const struct checker *checker, enum pn_side side)
{
    return checker->programs[side == PN_SIDE_OLD ? OLD : NEW][FIRST_RUN].executable;
}

void check_stop(struct checker *checker)
{
    if (!checker)
        return;
    for (int version = 0; version < VERSIONS; version++) {
        for (int purpose = 0; purpose < PURPOSES; purpose++)
            observe_stop(&checker->programs[version][purpose]);
        native_stop(checker->builds[version]);
    }
    free(checker);
}
