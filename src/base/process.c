#include "base/process.h"
#include "base/arena.h"
#include "base/watch.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

struct process {
    struct watch watch;
};

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
    int output[2], errors[2];
    int failure[2]; /* carries errno when exec fails, and nothing when it does not */
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
    close_both(pipes->failure);
}

static bool open_pipes(struct pipes *pipes)
{
    *pipes = (struct pipes){{-1, -1}, {-1, -1}, {-1, -1}};
    if (pipe2(pipes->output, O_CLOEXEC) == 0 && pipe2(pipes->errors, O_CLOEXEC) == 0 &&
        pipe2(pipes->failure, O_CLOEXEC) == 0)
        return true;
    int reason = errno;
    close_pipes(pipes);
    errno = reason;
    return false;
}

void process_follow(pid_t parent)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) /* it died before the line above took effect */
        _exit(127);
}

/* In the child. Only calls that are safe after fork in a program with threads. */
static _Noreturn void become(const char *const argv[], char **environment, struct pipes *pipes, pid_t parent)
{
    setpgid(0, 0);
    process_follow(parent);
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    signal(SIGPIPE, SIG_DFL); /* ignored signals and blocked ones would be inherited */
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    int input = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (input >= 0 && dup2(input, STDIN_FILENO) >= 0 && dup2(pipes->output[1], STDOUT_FILENO) >= 0 &&
        dup2(pipes->errors[1], STDERR_FILENO) >= 0)
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

/* Starts the program with its ends of the pipes, and closes these. 0: it could not be started. */
static pid_t start(const char *const argv[], const char *const environment[], struct pipes *pipes, struct error *error)
{
    char **complete_environment = make_environment(environ, environment);
    pid_t parent = getpid(), pid = fork();
    if (pid == 0)
        become(argv, complete_environment, pipes, parent);
    int reason = pid < 0 ? errno : 0;
    free(complete_environment);
    int *const theirs[] = {&pipes->output[1], &pipes->errors[1], &pipes->failure[1]};
    for (size_t i = 0; i < sizeof theirs / sizeof *theirs; i++) {
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
    watch_prepare(pipes->output[0]);
    watch_prepare(pipes->errors[0]);
    return pid;
}

struct process *process_start(const char *const argv[], const char *const environment[],
                              const struct process_limits *limits, struct error *error)
{
    struct pipes pipes;
    struct process *process = calloc(1, sizeof *process);
    if (!process || !open_pipes(&pipes)) {
        free(process);
        error_set(error, "cannot run %s: %s", argv[0], strerror(errno));
        return NULL;
    }
    pid_t pid = start(argv, environment, &pipes, error);
    if (!pid) {
        free(process);
        close_pipes(&pipes);
        return NULL;
    }
    close(pipes.failure[0]);
    process->watch = (struct watch){
        .pid = pid, .ending = (int)syscall(SYS_pidfd_open, pid, 0), .streams = {pipes.output[0], pipes.errors[0]}};
    if (limits)
        watch_set_limits(&process->watch, limits);
    return process;
}

pid_t process_group(const struct process *process)
{
    return process->watch.pid;
}

void process_finish(struct process *process, struct process_result *result)
{
    struct watch *watch = &process->watch;
    *result = (struct process_result){0};
    watch_until_end(watch, result);
    /* Everything that it started goes with it, or a forgotten child could hold the pipes open forever. */
    kill(-watch->pid, SIGKILL);
    int status = 0;
    while (waitpid(watch->pid, &status, 0) < 0 && errno == EINTR)
        continue;
    watch_read_rest(watch, result);
    watch_take_status(status, result);
    for (size_t i = 0; i < WATCH_STREAMS; i++)
        if (watch->streams[i] >= 0)
            close(watch->streams[i]);
    if (watch->ending >= 0)
        close(watch->ending);
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

bool process_passed_limit(const struct process_result *result)
{
    return result->timed_out || result->out_of_memory || result->too_many_processes;
}

void process_result_free(struct process_result *result)
{
    text_free(&result->output);
    text_free(&result->errors);
    text_free(&result->results);
    text_free(&result->left);
}
