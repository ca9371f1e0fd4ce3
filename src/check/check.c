#include "check/check.h"

#include "base/file.h"
#include "check/native.h"
#include "check/observe.h"

#include <stdlib.h>

enum { OUTPUT_BYTES = 16 << 20 };

struct checker {
    const struct program *program;
    struct process_limits limits;
    struct native_build *old_build, *new_build;
};

struct checker *check_start(const struct program *program, const struct checker_options *options, struct error *error)
{
    struct checker *checker = calloc(1, sizeof *checker);
    if (!checker || !file_make_directory(options->directory, error)) {
        free(checker);
        return NULL;
    }
    checker->program = program;
    checker->limits = (struct process_limits){options->run_seconds, options->run_memory_bytes, OUTPUT_BYTES};
    checker->old_build = native_start(program, options->harness, options->directory, "OLD", error);
    if (checker->old_build)
        checker->new_build = native_start(program, options->harness, options->directory, "NEW", error);
    if (checker->new_build)
        return checker;
    check_stop(checker);
    return NULL;
}

static bool run_native(struct checker *checker, struct native_build *build, enum native_sanitizer sanitizer,
                       const char *input_path, struct check_observation *observation, struct error *error)
{
    struct observed_program observed = {checker->program, native_executable(build, sanitizer), checker->limits};
    return native_wait(build, sanitizer, error) && observe(&observed, input_path, observation, error);
}

/* Outputs differ: is it the versions, or would they differ from themselves? Each is run a second time. */
static bool run_again(struct checker *checker, const char *input_path, struct check_verdict *verdict,
                      struct error *error)
{
    struct check_observation old_again, new_again;
    if (!run_native(checker, checker->old_build, NATIVE_ADDRESS, input_path, &old_again, error))
        return false;
    if (!run_native(checker, checker->new_build, NATIVE_ADDRESS, input_path, &new_again, error)) {
        observation_free(&old_again);
        return false;
    }
    check_ignore_varying(&verdict->old_run, &old_again, &verdict->new_run);
    check_ignore_varying(&verdict->new_run, &new_again, &verdict->old_run);
    verdict->class = check_classify(&verdict->old_run, &verdict->new_run);
    observation_free(&old_again), observation_free(&new_again);
    return true;
}

bool check_replay(struct checker *checker, const char *input_path, struct check_verdict *verdict, struct error *error)
{
    *verdict = (struct check_verdict){0};
    if (run_native(checker, checker->old_build, NATIVE_ADDRESS, input_path, &verdict->old_run, error) &&
        run_native(checker, checker->new_build, NATIVE_ADDRESS, input_path, &verdict->new_run, error)) {
        verdict->class = check_classify(&verdict->old_run, &verdict->new_run);
        bool may_vary = verdict->class == CHECK_OUTPUT && !verdict->old_run.failed;
        if (!may_vary || run_again(checker, input_path, verdict, error))
            return true;
    }
    check_verdict_free(verdict);
    return false;
}

bool check_add_flags(struct checker *checker, const char *input_path, struct check_verdict *verdict,
                     struct error *error)
{
    struct native_build *builds[] = {checker->old_build, checker->new_build};
    for (size_t i = 0; i < 2; i++) {
        struct check_observation observation;
        if (!run_native(checker, builds[i], NATIVE_UNDEFINED, input_path, &observation, error))
            return false;
        observe_undefined(checker->program, text_string(&observation.errors), verdict);
        observation_free(&observation);
    }
    return true;
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
    return native_executable(side == PN_SIDE_OLD ? checker->old_build : checker->new_build, NATIVE_ADDRESS);
}

void check_stop(struct checker *checker)
{
    if (!checker)
        return;
    native_stop(checker->old_build);
    native_stop(checker->new_build);
    free(checker);
}
