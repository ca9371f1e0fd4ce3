#include "campaign/supervise.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/process.h"
#include "campaign/scratch.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* The worker knows its time and stops by itself; these are for when it does not. */
static const double grace_share = 0.2, grace_seconds = 1.7, signal_seconds = 1.7, showing_seconds = 10;
enum { LOOK_MILLISECONDS = 100, MOST_CHILDREN = 4096 };

static volatile sig_atomic_t signal_received;
static volatile pid_t worker;

static void pass_on(int number)
{
    signal_received = number;
    if (worker > 0)
        kill(worker, number);
}

/* The processes that a process has started, as the kernel lists them. */
static size_t list_children(pid_t parent, pid_t children[MOST_CHILDREN])
{
    char path[64];
    size_t count = 0;
    int child;
    snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)parent, (int)parent);
    FILE *file = fopen(path, "re");
    while (file && count < MOST_CHILDREN && fscanf(file, "%d", &child) == 1)
        children[count++] = child;
    if (file)
        fclose(file);
    return count;
}

/* Of the worker and the processes of ours below it; programs under test have their own limit. */
static size_t resident_bytes(pid_t process, int depth)
{
    pid_t children[MOST_CHILDREN];
    size_t bytes = process_resident_bytes(process), count = depth ? list_children(process, children) : 0;
    for (size_t i = 0; i < count; i++)
        bytes += resident_bytes(children[i], depth - 1);
    return bytes;
}

/* Whatever the worker left behind has become our child. */
static void end_all(void)
{
    pid_t children[MOST_CHILDREN];
    for (size_t count; (count = list_children(getpid(), children));) {
        for (size_t i = 0; i < count; i++) {
            kill(-children[i], SIGKILL);
            kill(children[i], SIGKILL);
        }
        for (size_t i = 0; i < count; i++)
            while (waitpid(children[i], NULL, 0) < 0 && errno == EINTR)
                continue;
    }
}

static bool is_over_memory(const struct supervision *supervision)
{
    return supervision->memory_bytes && resident_bytes(worker, 3) > supervision->memory_bytes;
}

/* Why the worker must be ended now; WORKER_ENDED: it need not be. */
static enum worker_end find_reason(const struct supervision *supervision, const struct shared *shared, double start,
                                   double signalled)
{
    double now = clock_seconds() - (shared->is_showing ? showing_seconds : 0);
    if (signalled > 0 && now - signalled > signal_seconds)
        return WORKER_INTERRUPTED;
    if (supervision->seconds > 0 && now - start > supervision->seconds * (1 + grace_share) + grace_seconds)
        return WORKER_OUT_OF_TIME;
    return is_over_memory(supervision) ? WORKER_OUT_OF_MEMORY : WORKER_ENDED;
}

/* Waits for the worker's end, or ends it. */
static enum worker_end watch(const struct supervision *supervision, const struct shared *shared, int *status)
{
    double start = clock_seconds(), signalled = 0;
    int ending = (int)syscall(SYS_pidfd_open, worker, 0);
    enum worker_end reason = WORKER_ENDED;
    while (waitpid(worker, status, WNOHANG) != worker) {
        struct pollfd end = {ending, POLLIN, 0};
        poll(&end, 1, LOOK_MILLISECONDS);
        if (signal_received && !signalled)
            signalled = clock_seconds();
        if (reason == WORKER_ENDED && (reason = find_reason(supervision, shared, start, signalled)) != WORKER_ENDED)
            kill(worker, SIGKILL);
    }
    if (ending >= 0)
        close(ending);
    return reason;
}

static void listen(void)
{
    struct sigaction action = {.sa_handler = pass_on};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGHUP, &action, NULL);
}

/* Its temporary files lie below `scratch`, which is removed whatever becomes of it. */
static _Noreturn void be_worker(const struct supervision *supervision, struct shared *shared, const char *scratch,
                                pid_t parent)
{
    process_follow(parent);
    setenv("TMPDIR", scratch, 1);
    int status = supervision->work(supervision->context, shared);
    fflush(NULL);
    _exit(status);
}

bool supervise(const struct supervision *supervision, struct supervised *supervised, struct error *error)
{
    char scratch[256];
    struct shared *shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED)
        return error_set(error, "no memory to share with the worker: %s", strerror(errno));
    if (!scratch_make(scratch, error))
        return false;
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    fflush(NULL);
    pid_t parent = getpid();
    listen(); /* before there is a worker, so that no signal is lost */
    worker = fork();
    if (worker < 0)
        return error_set(error, "no process for the work: %s", strerror(errno));
    if (!worker)
        be_worker(supervision, shared, scratch, parent);
    int status = 0;
    enum worker_end end = watch(supervision, shared, &status);
    worker = 0;
    end_all();
    file_remove_tree(scratch);
    *supervised = (struct supervised){.end = end, .status = WEXITSTATUS(status), .shared = *shared};
    bool is_killed = end != WORKER_ENDED || WIFSIGNALED(status);
    if (shared->is_shown && is_killed) {
        supervised->end = WORKER_ENDED;
        supervised->status = shared->status;
    } else if (end == WORKER_ENDED && WIFSIGNALED(status)) {
        supervised->end = signal_received ? WORKER_INTERRUPTED : WORKER_CRASHED;
        supervised->status = WTERMSIG(status);
    }
    munmap(shared, sizeof *shared);
    return true;
}
