#include "check/observe.h"
#include "base/clock.h"

#include "check/line_table.h"
#include "execute/serve.h"

#include <ctype.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The sanitizer's words for failures, where we have others. */
static const struct {
    const char *word, *failure;
} failures[] = {
    {"calloc-overflow", "allocation-size-too-big"},
    {"reallocarray-overflow", "allocation-size-too-big"},
};

/* Its words for accesses outside of an object, near it or far away. */
static const char *const outside[] = {
    "heap-buffer-overflow",
    "stack-buffer-overflow",
    "stack-buffer-underflow",
    "dynamic-stack-buffer-overflow",
    "global-buffer-overflow",
    "container-overflow",
    "intra-object-overflow",
    "unknown-crash",
    "wild-addr",
    "wild-addr-read",
    "wild-addr-write",
};

/* A signal that the sanitizer has no more to say about. */
static const struct {
    int signal;
    const char *failure;
} signals[] = {
    {SIGFPE, "division by zero (SIGFPE)"}, {SIGABRT, "abort"},          {SIGILL, "illegal instruction (SIGILL)"},
    {SIGBUS, "bus error (SIGBUS)"},        {SIGTRAP, "trap (SIGTRAP)"}, {SIGSEGV, "bad access (SIGSEGV)"},
};

static void set_failure(struct check_observation *observation, const char *failure, size_t length)
{
    observation->failed = true;
    snprintf(observation->failure, sizeof observation->failure, "%.*s", (int)length, failure);
}

/* The program's name for `path`, with line and (where it is known) column. */
static void set_location(const struct program *program, const char *path, unsigned line, unsigned column,
                         char *location, size_t size)
{
    const char *name = program_file_name(program, path);
    if (column > 0)
        snprintf(location, size, "%s:%u:%u", name, line, column);
    else
        snprintf(location, size, "%s:%u", name, line);
}

/* What Penumbra itself added to the program is no place to point at. */
static bool is_ours(const char *file)
{
    const char *name = basename(file);
    return strncmp(name, "replay_", 7) == 0 || strncmp(name, "harness-", 8) == 0;
}

static bool is_users(const struct program *program, const char *file)
{
    for (size_t i = 0; i < program->request->unit_count; i++)
        if (strcmp(program->paths[i], file) == 0)
            return true;
    return !is_ours(file);
}

/* The innermost frame that is in the program's own source. */
static void locate_failure(const struct observed_program *observed, const struct serve_report *report,
                           struct check_observation *observation)
{
    struct line_place place;
    for (uint32_t i = 0; i < report->frame_count; i++)
        if (line_table_find(observed->executable, report->frames[i], &place) &&
            is_users(observed->program, place.file)) {
            set_location(observed->program, place.file, place.line, place.column, observation->location,
                         sizeof observation->location);
            return;
        }
}

static const char *name_signal(const struct serve_report *report)
{
    if (report->quotient_overflow)
        return "overflow in division (SIGFPE)";
    if (report->signal == SIGSEGV && !strcmp(report->failure, "null-deref"))
        return "null pointer access (SIGSEGV)";
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        if (signals[i].signal == report->signal)
            return signals[i].failure;
    return report->failure;
}

static const char *name_failure(const struct serve_report *report)
{
    for (size_t i = 0; i < sizeof failures / sizeof *failures; i++)
        if (!strcmp(report->failure, failures[i].word))
            return failures[i].failure;
    return report->failure;
}

static bool is_outside(const struct serve_report *report)
{
    for (size_t i = 0; i < sizeof outside / sizeof *outside; i++)
        if (!strcmp(report->failure, outside[i]))
            return true;
    /* memcpy(), strcpy() and the like of what overlaps: which of them it was is how a version is written */
    return strstr(report->failure, "-param-overlap") != NULL;
}

static void read_report(const struct observed_program *observed, const struct serve_report *report,
                        struct check_observation *observation)
{
    /* running out of stack is a signal, too, which the sanitizer tells apart */
    observation->out_of_stack = strcmp(report->failure, "stack-overflow") == 0;
    bool is_signal = report->signal && !observation->out_of_stack;
    if (report->failure[0] || report->signal) {
        const char *name = report->assertion_line ? "assertion"
                           : is_signal            ? name_signal(report)
                                                  : name_failure(report);
        set_failure(observation, name, strlen(name));
    }
    observation->left_object = is_outside(report);
    observation->leaked_blocks = report->leaked_blocks;
    observation->leaked_bytes = report->leaked_bytes;
    locate_failure(observed, report, observation);
    if (report->assertion_line && !observation->location[0])
        set_location(observed->program, report->assertion_file, report->assertion_line, 0, observation->location,
                     sizeof observation->location);
}

static void name_ending(const struct process_result *result, struct check_observation *observation)
{
    char name[64];
    observation->passed_limit = process_passed_limit(result);
    observation->timed_out = result->timed_out;
    const char *abbreviation = sigabbrev_np(result->signal);
    if (result->timed_out)
        snprintf(name, sizeof name, "time limit");
    else if (result->out_of_memory)
        snprintf(name, sizeof name, "memory limit");
    else if (result->too_many_processes)
        snprintf(name, sizeof name, "limit of processes");
    else if (result->signal && !observation->failed)
        snprintf(name, sizeof name, "signal SIG%s", abbreviation ? abbreviation : "?");
    else
        return;
    observation->left_object = false;
    set_failure(observation, name, sizeof name);
}

/* Whether the program never got as far as the version's own code. */
static bool check_start_up(const struct observed_program *observed, const char *name,
                           const struct process_result *result, struct error *error)
{
    const struct serve_report *report = server_report(observed->server);
    const char *errors = text_string(&result->errors);
    if (report->input_is_bad)
        return error_set(error, "%s: %s", name, errors);
    if (!server_early_end(observed->server) || report->has_started)
        return true;
    return error_set(error, "%s does not start: %s", observed->executable,
                     *errors ? errors : "no reason given; is there a limit on virtual memory (ulimit -v)?");
}

/* Lines are found here, faster than the sanitizer's helper program finds them. */
static const char *const environment[] = {"ASAN_OPTIONS=symbolize=0", "UBSAN_OPTIONS=symbolize=0", NULL};

static struct process_limits limits_of(const struct observed_program *observed, const struct observed_input *input)
{
    struct process_limits limits = observed->limits, own = server_limits(input->seconds, limits.memory_bytes);
    if (input->seconds > 0)
        limits.seconds = own.seconds, limits.processor_seconds = own.processor_seconds;
    limits.latest = observed->latest;
    return limits;
}

static bool run(struct observed_program *observed, const struct observed_input *input, struct process_result *result,
                struct error *error)
{
    static const char *const arguments[] = {SERVE_ARGUMENT, NULL};
    struct server_request request = {.world = observed->world,
                                     .executable = observed->executable,
                                     .arguments = arguments,
                                     .environment = environment,
                                     .trace = -1};
    if (clock_has_passed(observed->latest))
        return error_set(error, "%s: there was no time to run it", observed->executable);
    if (!observed->server)
        observed->server = server_start(&request, &observed->limits, error);
    struct process_limits limits = limits_of(observed, input);
    if (!observed->server || !server_run(observed->server, input->text, input->length, &limits, result, error))
        return false;
    if (!result->timed_out || !clock_has_passed(observed->latest))
        return true;
    process_result_free(result);
    return error_set(error, "%s: there was no time for the run to end", observed->executable);
}

void observe_stop(struct observed_program *observed)
{
    server_stop(observed->server);
    observed->server = NULL;
}

static void take_output(struct process_result *result, struct check_observation *observation)
{
    observation->output = result->output;
    observation->errors = result->errors;
    observation->printed = result->output.length;
    observation->left = result->left.length;
    result->output = result->errors = (struct text){0};
    if (observation->printed && result->results.length + result->left.length &&
        observation->output.data[observation->printed - 1] != '\n')
        text_add(&observation->output, "\n");
    text_append(&observation->output, text_string(&result->results), result->results.length);
    text_append(&observation->output, text_string(&result->left), result->left.length);
}

static void name_undefined(const struct program *program, const struct serve_report *report,
                           struct check_observation *observation)
{
    struct text text = {0};
    text_format(&text, "%s:%u:%u: %c%s", program_file_name(program, report->undefined_file), report->undefined_line,
                report->undefined_column, tolower((unsigned char)report->undefined[0]), report->undefined + 1);
    size_t most = sizeof observation->undefined - 1;
    memcpy(observation->undefined, text.data, text.length < most ? text.length : most);
    text_free(&text);
}

bool observe(struct observed_program *observed, const struct observed_input *input,
             struct check_observation *observation, struct error *error)
{
    *observation = (struct check_observation){0};
    struct process_result result;
    if (!run(observed, input, &result, error))
        return false;
    bool good = check_start_up(observed, input->name, &result, error);
    if (good) {
        const struct serve_report *report = server_report(observed->server);
        read_report(observed, report, observation);
        name_ending(&result, observation);
        observation->assumption_failed = report->assumption_failed;
        observation->signed_overflow = report->signed_overflow;
        if (report->undefined[0])
            name_undefined(observed->program, report, observation);
        observation->exit_status = result.exit_status;
        take_output(&result, observation);
    }
    process_result_free(&result);
    return good;
}

void observation_free(struct check_observation *observation)
{
    text_free(&observation->output);
    text_free(&observation->errors);
    *observation = (struct check_observation){0};
}
