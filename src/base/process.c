#include "base/process.h"
#include "base/clock.h"
#include "base/confine.h"

#include "base/arena.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MEMORY_INTERVAL_MS = 50, FALLBACK_INTERVAL_MS = 10, ENDING_MS = 200, PIPE_BYTES = 1 << 20 };

struct process {
    pid_t pid;
    int ending; /* readable when the process has ended; -1 where the kernel has no pidfd: then it is polled for */
    int output, errors, results; /* results: -1 where there are none */
    struct process_limits limits;
    double deadline; /* 0: none */
};

size_t process_resident_bytes(pid_t pid)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/statm", (int)pid);
    FILE *file = fopen(path, "re");
    if (!file)
        return 0;
    size_t total = 0, resident = 0;
    int fields = fscanf(file, "%zu %zu", &total, &resident);
    fclose(file);
    return fields == 2 ? resident * (size_t)sysconf(_SC_PAGESIZE) : 0;
}

/* Whether `addition` ("NAME=value") names the variable of `entry`. */
static bool same_variable(const char *entry, const char *addition)
{
    size_t length = strcspn(addition, "=") + 1;
    return strncmp(entry, addition, length) == 0;
}

/* An environment with the additions, in an array (of strings that are not copied) that the caller frees. */
static char **make_environment(char **base, const char *const additions[])
{
    size_t count = 0, capacity = 0;
    char **result = NULL;
    for (char **entry = base; *entry; entry++) {
        bool replaced = false;
        for (size_t i = 0; additions && additions[i]; i++)
            replaced = replaced || same_variable(*entry, additions[i]);
        if (replaced)
            continue;
        result = array_reserve(result, &capacity, count + 1, sizeof *result);
        result[count++] = *entry;
    }
    for (size_t i = 0; additions && additions[i]; i++) {
        result = array_reserve(result, &capacity, count + 1, sizeof *result);
        result[count++] = (char *)additions[i];
    }
    result = array_reserve(result, &capacity, count + 1, sizeof *result);
    result[count] = NULL;
    return result;
}

/* The child's ends of the pipes, and the ends that the parent keeps. All are closed on exec. */
struct pipes {
    int output[2], errors[2], results[2];
    int failure[2]; /* carries errno when exec fails, and nothing when it does not */
    int channel[2]; /* of a server only: commands one way, answers the other */
};

static void close_both(int ends[2])
{
    for (int i = 0; i < 2; i++)
        if (ends[i] >= 0)
            close(ends[i]);
}

static void close_pipes(struct pipes *pipes)
{
    close_both(pipes->output);
    close_both(pipes->errors);
    close_both(pipes->results);
    close_both(pipes->failure);
    close_both(pipes->channel);
}

static bool open_pipes(struct pipes *pipes, bool with_results, bool with_channel)
{
    *pipes = (struct pipes){{-1, -1}, {-1, -1}, {-1, -1}, {-1, -1}, {-1, -1}};
    if (pipe2(pipes->output, O_CLOEXEC) == 0 && pipe2(pipes->errors, O_CLOEXEC) == 0 &&
        (!with_results || pipe2(pipes->results, O_CLOEXEC) == 0) && pipe2(pipes->failure, O_CLOEXEC) == 0 &&
        (!with_channel || socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pipes->channel) == 0))
        return true;
    int reason = errno;
    close_pipes(pipes);
    errno = reason;
    return false;
}

/* In the child. Only calls that are safe after fork in a program with threads. */
static _Noreturn void become(const char *const argv[], char **environment, const char *scratch, struct pipes *pipes,
                             pid_t parent)
{
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) /* it died before the line above took effect */
        _exit(127);
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    signal(SIGPIPE, SIG_DFL); /* ignored signals and blocked ones would be inherited */
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    int input = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (input >= 0 && dup2(input, STDIN_FILENO) >= 0 && dup2(pipes->output[1], STDOUT_FILENO) >= 0 &&
        dup2(pipes->errors[1], STDERR_FILENO) >= 0 &&
        (pipes->results[1] < 0 || dup2(pipes->results[1], PROCESS_RESULTS) >= 0) &&
        (pipes->channel[1] < 0 || dup2(pipes->channel[1], PROCESS_CHANNEL) >= 0) && (!scratch || confine_self(scratch)))
        execvpe(argv[0], (char *const *)argv, environment);
    int reason = errno;
    if (write(pipes->failure[1], &reason, sizeof reason) < 0)
        _exit(126);
    _exit(127);
}

/* Waits until the child has become the program; returns 0, or the errno of why it could not. */
static int exec_failure(int descriptor)
{
    int reason = 0;
    ssize_t count;
    do
        count = read(descriptor, &reason, sizeof reason);
    while (count < 0 && errno == EINTR);
    return count == (ssize_t)sizeof reason ? reason : 0;
}

static void prepare_reading(int descriptor)
{
    fcntl(descriptor, F_SETFL, O_NONBLOCK);
    /* A process that was started and not yet finished can write this much without waiting for us. */
    fcntl(descriptor, F_SETPIPE_SZ, PIPE_BYTES);
}

static void set_limits(struct process *process, const struct process_limits *limits)
{
    process->limits = *limits;
    process->deadline = limits->seconds > 0 ? clock_seconds() + limits->seconds : 0;
}

/* Starts the program with its ends of the pipes, and closes these. 0: it could not be started. */
static pid_t start(const char *const argv[], const char *const environment[], const char *scratch, struct pipes *pipes,
                   struct error *error)
{
    char *own[3] = {NULL}; /* of a confined program: what it takes for its own places */
    if (scratch && (asprintf(&own[0], "TMPDIR=%s", scratch) < 0 || asprintf(&own[1], "HOME=%s", scratch) < 0))
        own[0] = own[1] = NULL;
    char **common = make_environment(environ, (const char *const *)own);
    char **complete_environment = make_environment(common, environment);
    pid_t parent = getpid(), pid = fork();
    if (pid == 0)
        become(argv, complete_environment, scratch, pipes, parent);
    int reason = pid < 0 ? errno : 0;
    free(complete_environment);
    free(common);
    free(own[0]), free(own[1]);
    int *const theirs[] = {&pipes->output[1], &pipes->errors[1], &pipes->results[1], &pipes->failure[1],
                           &pipes->channel[1]};
    for (size_t i = 0; i < sizeof theirs / sizeof *theirs; i++) {
        if (*theirs[i] >= 0)
            close(*theirs[i]);
        *theirs[i] = -1;
    }
    if (pid > 0) {
        reason = exec_failure(pipes->failure[0]);
        if (reason)
            waitpid(pid, NULL, 0);
    }
    if (reason) {
        error_set(error, "cannot run %s: %s", argv[0], strerror(reason));
        return 0;
    }
    prepare_reading(pipes->output[0]);
    prepare_reading(pipes->errors[0]);
    if (pipes->results[0] >= 0)
        prepare_reading(pipes->results[0]);
    return pid;
}

struct process *process_start(const char *const argv[], const char *const environment[],
                              const struct process_limits *limits, struct error *error)
{
    struct pipes pipes;
    struct process *process = calloc(1, sizeof *process);
    if (!process || !open_pipes(&pipes, limits && limits->with_results, false)) {
        free(process);
        error_set(error, "cannot run %s: %s", argv[0], strerror(errno));
        return NULL;
    }
    process->pid = start(argv, environment, limits ? limits->scratch : NULL, &pipes, error);
    if (!process->pid) {
        free(process);
        close_pipes(&pipes);
        return NULL;
    }
    close(pipes.failure[0]);
    process->ending = (int)syscall(SYS_pidfd_open, process->pid, 0);
    process->output = pipes.output[0];
    process->errors = pipes.errors[0];
    process->results = pipes.results[0];
    if (limits)
        set_limits(process, limits);
    return process;
}

/* Reads up to `most` bytes of what is there and keeps what the limit allows. False at the end of the stream. */
static bool read_available(int descriptor, struct text *text, size_t limit, size_t most)
{
    char buffer[64 * 1024];
    while (most > 0) {
        ssize_t count = read(descriptor, buffer, sizeof buffer);
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return errno == EAGAIN;
        if (count == 0)
            return false;
        size_t keep = (size_t)count;
        if (limit > 0 && keep > limit - text->length)
            keep = limit - text->length;
        if (keep > 0)
            text_append(text, buffer, keep);
        most -= (size_t)count < most ? (size_t)count : most;
    }
    return true;
}

static bool has_ended(const struct process *process, short events)
{
    siginfo_t ended = {0};
    if (process->ending >= 0)
        return events != 0;
    return waitid(P_PID, (id_t)process->pid, &ended, WEXITED | WNOHANG | WNOWAIT) != 0 || ended.si_pid != 0;
}

/* How long poll may sleep, in milliseconds; -1: until something happens. */
static int poll_timeout(const struct process *process)
{
    int timeout = -1;
    if (process->deadline > 0) {
        double left = (process->deadline - clock_seconds()) * 1000 + 1;
        timeout = left <= 0 ? 0 : left > 60000 ? 60000 : (int)left;
    }
    int interval = process->ending < 0 ? FALLBACK_INTERVAL_MS : process->limits.memory_bytes ? MEMORY_INTERVAL_MS : -1;
    return interval >= 0 && (timeout < 0 || interval < timeout) ? interval : timeout;
}

static bool exceeds_limit(const struct process *process, struct process_result *result)
{
    const struct process_limits *limits = &process->limits;
    result->timed_out = process->deadline > 0 && clock_seconds() >= process->deadline;
    result->out_of_memory = limits->memory_bytes && process_resident_bytes(process->pid) > limits->memory_bytes;
    return result->timed_out || result->out_of_memory;
}

/* Reads until the process ends or passes a limit; it is not reaped here, so its group's number stays ours to kill. */
static void watch(struct process *process, struct process_result *result)
{
    size_t limit = process->limits.output_bytes;
    struct pollfd streams[] = {{process->output, POLLIN, 0},
                               {process->errors, POLLIN, 0},
                               {process->results, POLLIN, 0},
                               {process->ending, POLLIN, 0}};
    struct text *const texts[] = {&result->output, &result->errors, &result->results};
    for (;;) {
        poll(streams, 4, poll_timeout(process));
        for (size_t i = 0; i < 3; i++)
            if (streams[i].revents && !read_available(streams[i].fd, texts[i], limit, PIPE_BYTES))
                streams[i].fd = -1;
        if (has_ended(process, streams[3].revents) || exceeds_limit(process, result))
            return;
    }
}

/* What was written before the end is still in the pipes. More than a pipe holds would come from a survivor. */
static void finish_result(const struct process *process, int status, struct process_result *result)
{
    read_available(process->output, &result->output, process->limits.output_bytes, PIPE_BYTES);
    read_available(process->errors, &result->errors, process->limits.output_bytes, PIPE_BYTES);
    if (process->results >= 0)
        read_available(process->results, &result->results, process->limits.output_bytes, PIPE_BYTES);
    result->exit_status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    result->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

void process_finish(struct process *process, struct process_result *result)
{
    *result = (struct process_result){0};
    watch(process, result);
    /* Everything that it started goes with it, or a forgotten child could hold the pipes open forever. */
    kill(-process->pid, SIGKILL);
    int status = 0;
    while (waitpid(process->pid, &status, 0) < 0 && errno == EINTR)
        continue;
    finish_result(process, status, result);
    close(process->output);
    close(process->errors);
    if (process->results >= 0)
        close(process->results);
    if (process->ending >= 0)
        close(process->ending);
    free(process);
}

bool process_run(const char *const argv[], const char *const environment[], const struct process_limits *limits,
                 struct process_result *result, struct error *error)
{
    *result = (struct process_result){0};
    struct process *process = process_start(argv, environment, limits, error);
    if (!process)
        return false;
    process_finish(process, result);
    return true;
}

void process_result_free(struct process_result *result)
{
    text_free(&result->output);
    text_free(&result->errors);
    text_free(&result->results);
}

/* ---- servers ---- */

struct process_server {
    pid_t pid;
    int output, errors, results; /* the server's, and so its children's */
    int channel;
    struct text first_output, first_errors; /* what the program writes before it serves: each run would write it */
};

static bool receive(const struct process_server *server, int32_t *answer)
{
    ssize_t count;
    do
        count = read(server->channel, answer, sizeof *answer);
    while (count < 0 && errno == EINTR);
    return count == (ssize_t)sizeof *answer;
}

/* Reads on while the program starts, so that it never waits for us. */
static bool await_readiness(struct process_server *server, const struct process_limits *limits)
{
    struct process start = {.pid = server->pid,
                            .ending = server->channel,
                            .output = server->output,
                            .errors = server->errors,
                            .results = server->results};
    struct process_result result = {0};
    int32_t ready;
    set_limits(&start, limits);
    watch(&start, &result);
    if (result.timed_out || result.out_of_memory || !receive(server, &ready)) {
        process_result_free(&result);
        return false;
    }
    finish_result(&start, 0, &result);
    server->first_output = result.output;
    server->first_errors = result.errors;
    return true;
}

struct process_server *process_server_start(const char *const argv[], const char *const environment[],
                                            const struct process_limits *limits, struct error *error)
{
    struct pipes pipes;
    struct process_server *server = calloc(1, sizeof *server);
    if (!server || !open_pipes(&pipes, limits->with_results, true)) {
        free(server);
        error_set(error, "cannot run %s: %s", argv[0], strerror(errno));
        return NULL;
    }
    server->pid = start(argv, environment, limits->scratch, &pipes, error);
    close(pipes.failure[0]);
    server->output = pipes.output[0];
    server->errors = pipes.errors[0];
    server->results = pipes.results[0];
    server->channel = pipes.channel[0];
    if (server->pid && await_readiness(server, limits))
        return server;
    if (server->pid)
        error_set(error, "%s does not serve", argv[0]);
    process_server_stop(server);
    return NULL;
}

bool process_server_run(struct process_server *server, const char *command, const struct process_limits *limits,
                        struct process_result *result)
{
    *result = (struct process_result){0};
    struct process run = {
        .ending = server->channel, .output = server->output, .errors = server->errors, .results = server->results};
    set_limits(&run, limits);
    int32_t child, status;
    ssize_t length = (ssize_t)strlen(command);
    if (send(server->channel, command, (size_t)length, MSG_NOSIGNAL) != length || !receive(server, &child))
        return false;
    run.pid = child;
    text_append(&result->output, text_string(&server->first_output), server->first_output.length);
    text_append(&result->errors, text_string(&server->first_errors), server->first_errors.length);
    watch(&run, result);
    if (result->timed_out || result->out_of_memory)
        kill(-child, SIGKILL); /* the server leaves it unreaped until the next command: the number is still its own */
    if (!receive(server, &status)) {
        process_result_free(result);
        return false;
    }
    finish_result(&run, status, result);
    return true;
}

/* A server that is no longer needed reaps its last child and ends. */
static void await_end(pid_t server)
{
    for (int i = 0; i < ENDING_MS; i++) {
        if (waitpid(server, NULL, WNOHANG) != 0)
            return;
        usleep(1000);
    }
    kill(-server, SIGKILL);
    while (waitpid(server, NULL, 0) < 0 && errno == EINTR)
        continue;
}

void process_server_stop(struct process_server *server)
{
    if (!server)
        return;
    shutdown(server->channel, SHUT_RDWR);
    if (server->pid)
        await_end(server->pid);
    close(server->output);
    close(server->errors);
    if (server->results >= 0)
        close(server->results);
    close(server->channel);
    text_free(&server->first_output);
    text_free(&server->first_errors);
    free(server);
}

double process_cpu_seconds(pid_t pid)
{
    char path[64], line[1024];
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    FILE *file = fopen(path, "r");
    if (!file)
        return 0;
    char *got = fgets(line, sizeof line, file);
    fclose(file);
    /* The name may hold anything, also spaces and brackets: the fields behind it count from its last bracket. */
    const char *behind = got ? strrchr(line, ')') : NULL;
    unsigned long user, system;
    if (!behind || sscanf(behind, ") %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user, &system) != 2)
        return 0;
    return (double)(user + system) / (double)sysconf(_SC_CLK_TCK);
}
