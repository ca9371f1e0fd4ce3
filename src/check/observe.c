#include "check/observe.h"
#include "base/file.h"

#include "check/line_table.h"
#include "check/serve.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ASSUMPTION_STATUS = 77, USAGE_STATUS = 64, NOT_LOADED_STATUS = 127 };

#define REPORT "ERROR: AddressSanitizer: "

/* How AddressSanitizer begins its report, and what we call it. Anything else is called by the report's first word. */
static const struct {
    const char *beginning, *failure;
} failures[] = {
    {"FPE ", "division by zero (SIGFPE)"},
    {"ABRT ", "abort"},
    {"ILL ", "illegal instruction (SIGILL)"},
    {"BUS ", "bus error (SIGBUS)"},
    {"TRAP ", "trap (SIGTRAP)"},
    {"attempting double-free ", "double-free"},
    {"attempting free ", "bad-free"},
    {"attempting to call malloc_usable_size", "bad-malloc-usable-size"},
    {"requested allocation size ", "allocation-size-too-big"},
    {"out of memory", "out-of-memory"},
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
    return strcmp(name, "replay_runtime.c") == 0 || strncmp(name, "harness-", 8) == 0;
}

static bool is_users(const struct program *program, const char *file)
{
    for (size_t i = 0; i < program->request->unit_count; i++)
        if (strcmp(program->paths[i], file) == 0)
            return true;
    return !is_ours(file);
}

/* Reads one frame, `    #1 0x55d4 (/dir/new+0x1234)`; true when it is in the program's own source. */
static bool locate_frame(const struct observed_program *observed, const char *frame, size_t length,
                         struct check_observation *observation)
{
    const char *module = memchr(frame, '(', length), *executable = strrchr(observed->executable, '/');
    executable = executable ? executable + 1 : observed->executable;
    const char *offset = module ? memmem(module, length - (size_t)(module - frame), "+0x", 3) : NULL;
    size_t name_length = strlen(executable);
    if (!offset || (size_t)(offset - module) <= name_length ||
        strncmp(offset - name_length, executable, name_length) != 0 || offset[-(ptrdiff_t)name_length - 1] != '/')
        return false;
    struct line_place place;
    if (!line_table_find(observed->executable, strtoull(offset + 1, NULL, 16), &place) ||
        !is_users(observed->program, place.file))
        return false;
    set_location(observed->program, place.file, place.line, place.column, observation->location,
                 sizeof observation->location);
    return true;
}

/* The first stack of a report is that of the failure; its frames are the lines up to an empty one. */
static void locate_failure(const struct observed_program *observed, const char *report,
                           struct check_observation *observation)
{
    bool in_stack = false;
    for (const char *line = report; *line;) {
        size_t length = strcspn(line, "\n");
        const char *text = line + strspn(line, " ");
        if (*text == '#') {
            in_stack = true;
            if (locate_frame(observed, line, length, observation))
                return;
        } else if (in_stack) {
            return;
        }
        line += length + (line[length] == '\n');
    }
}

/* glibc: "new: /dir/file.c:12: foo: Assertion `x > 0' failed." */
static void read_assertion(const struct observed_program *observed, const char *errors,
                           struct check_observation *observation)
{
    const char *text = strstr(errors, ": Assertion `");
    if (!text)
        return;
    set_failure(observation, "assertion", strlen("assertion"));
    const char *start = text;
    while (start > errors && start[-1] != '\n')
        start--;
    const char *path = memmem(start, (size_t)(text - start), ": ", 2);
    if (!path || observation->location[0])
        return;
    path += 2;
    const char *colon = path;
    while (colon < text && !(colon[0] == ':' && colon[1] >= '0' && colon[1] <= '9'))
        colon++;
    char *name = strndup(path, (size_t)(colon - path));
    if (name && colon < text)
        set_location(observed->program, name, (unsigned)strtoul(colon + 1, NULL, 10), 0, observation->location,
                     sizeof observation->location);
    free(name);
}

/* What the processor calls the same, the native program has told apart. */
static bool is_overflow(const char *errors, const char *report)
{
    const char *mark = strstr(errors, DIVISION_OVERFLOW);
    return mark && mark < report && strncmp(report, "FPE ", 4) == 0;
}

static void name_failure(const char *errors, const char *report, struct check_observation *observation)
{
    static const char overflow[] = "overflow in division (SIGFPE)";
    if (is_overflow(errors, report)) {
        set_failure(observation, overflow, sizeof overflow - 1);
        return;
    }
    for (size_t i = 0; i < sizeof failures / sizeof *failures; i++)
        if (strncmp(report, failures[i].beginning, strlen(failures[i].beginning)) == 0) {
            set_failure(observation, failures[i].failure, strlen(failures[i].failure));
            return;
        }
    if (strncmp(report, "SEGV ", 5) == 0) {
        const char *failure = strstr(report, "address points to the zero page") ? "null pointer access (SIGSEGV)"
                                                                                : "bad access (SIGSEGV)";
        set_failure(observation, failure, strlen(failure));
        return;
    }
    set_failure(observation, report, strcspn(report, " \n:"));
}

static void read_report(const struct observed_program *observed, const char *errors,
                        struct check_observation *observation)
{
    const char *report = strstr(errors, REPORT);
    if (report) {
        report += strlen(REPORT);
        name_failure(errors, report, observation);
        locate_failure(observed, report, observation);
    }
    if (!report || strcmp(observation->failure, "abort") == 0)
        read_assertion(observed, errors, observation);
}

static void name_ending(const struct process_result *result, struct check_observation *observation)
{
    char name[64];
    observation->passed_limit = process_passed_limit(result);
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
    set_failure(observation, name, sizeof name);
}

/* Whether the program never got as far as the version's own code. */
static bool check_start_up(const struct observed_program *observed, const struct process_result *result,
                           struct error *error)
{
    const char *errors = text_string(&result->errors);
    if (result->exit_status == USAGE_STATUS && result->output.length == 0 && strstr(errors, "expected a line like"))
        return error_set(error, "%s", errors);
    if (result->exit_status == NOT_LOADED_STATUS && strstr(errors, "error while loading shared libraries"))
        return error_set(error, "%s does not start: %s", observed->executable, errors);
    if (strstr(errors, "ReserveShadowMemoryRange failed") || strstr(errors, "AddressSanitizer failed to allocate") ||
        strstr(errors, "Shadow memory range interleaves"))
        return error_set(error,
                         "%s: AddressSanitizer could not reserve its memory; is there a limit on virtual memory "
                         "(ulimit -v) or vm.overcommit_memory=2?",
                         observed->executable);
    return true;
}

/* Lines are found here, faster than the sanitizer's helper program finds them. */
static const char *const environment[] = {"ASAN_OPTIONS=symbolize=0", "UBSAN_OPTIONS=symbolize=0", NULL};

static bool run(struct observed_program *observed, const char *input_path, struct process_result *result,
                struct error *error)
{
    static const char *const arguments[] = {SERVE_ARGUMENT, NULL};
    struct server_request request = {.world = observed->world,
                                     .executable = observed->executable,
                                     .arguments = arguments,
                                     .environment = environment,
                                     .trace = -1};
    struct text input = {0};
    if (!observed->server)
        observed->server = server_start(&request, &observed->limits, error);
    bool good = observed->server && file_read(input_path, &input, error) &&
                server_run(observed->server, text_string(&input), input.length, &observed->limits, result, error);
    text_free(&input);
    return good;
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
    result->output = result->errors = (struct text){0};
    if (observation->printed && result->results.length + result->left.length &&
        observation->output.data[observation->printed - 1] != '\n')
        text_add(&observation->output, "\n");
    text_append(&observation->output, text_string(&result->results), result->results.length);
    text_append(&observation->output, text_string(&result->left), result->left.length);
}

bool observe(struct observed_program *observed, const char *input_path, struct check_observation *observation,
             struct error *error)
{
    *observation = (struct check_observation){0};
    struct process_result result;
    if (!run(observed, input_path, &result, error))
        return false;
    bool good = check_start_up(observed, &result, error);
    if (good) {
        read_report(observed, text_string(&result.errors), observation);
        name_ending(&result, observation);
        observation->assumption_failed =
            result.exit_status == ASSUMPTION_STATUS && strstr(text_string(&result.errors), "penumbra: the input");
        observation->exit_status = result.exit_status;
        take_output(&result, observation);
    }
    process_result_free(&result);
    return good;
}

static bool is_signed_overflow(const char *message, size_t length)
{
    static const char *const phrases[] = {"signed integer overflow: ", "negation of ", "division of "};
    for (size_t i = 0; i < sizeof phrases / sizeof *phrases; i++)
        if (strncmp(message, phrases[i], strlen(phrases[i])) == 0)
            return memmem(message, length, "cannot be represented", strlen("cannot be represented")) != NULL;
    return false;
}

/* A line of the report is `/dir/file.c:3:10: runtime error: signed integer overflow: ...`. */
static void read_undefined(const struct program *program, const char *line, size_t length,
                           struct check_verdict *verdict)
{
    static const char mark[] = ": runtime error: ";
    const char *place_end = memmem(line, length, mark, sizeof mark - 1);
    if (!place_end)
        return;
    const char *message = place_end + sizeof mark - 1;
    size_t message_length = length - (size_t)(message - line), path_length = strcspn(line, ":");
    if (is_signed_overflow(message, message_length)) {
        verdict->signed_overflow = true;
    } else if (!verdict->undefined[0]) {
        char path[4096];
        snprintf(path, sizeof path, "%.*s", (int)path_length, line);
        snprintf(verdict->undefined, sizeof verdict->undefined, "%s%.*s: %.*s", program_file_name(program, path),
                 (int)((size_t)(place_end - line) - path_length), line + path_length, (int)message_length, message);
    }
}

void observe_undefined(const struct program *program, const char *report, struct check_verdict *verdict)
{
    for (const char *line = report; *line;) {
        size_t length = strcspn(line, "\n");
        read_undefined(program, line, length, verdict);
        line += length + (line[length] == '\n');
    }
}

void observation_free(struct check_observation *observation)
{
    text_free(&observation->output);
    text_free(&observation->errors);
    *observation = (struct check_observation){0};
}
