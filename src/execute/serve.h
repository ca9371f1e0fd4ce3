/* A program under test as a server of runs: it is started once and forks a child for each run, which spares the start.
 * This is the program's own end, included by what is linked into it (on top of libc alone); server.h is the other.
 *
 * Messages are an int32_t kind and an int32_t value. The server sends SERVE_READY when it has started. A byte asks for
 * a run; the child sends SERVE_RUNNING before it does anything else (the system adds its process number), the server
 * SERVE_ENDED, with the wait status, when the child and all that it started have ended. */
#ifndef PENUMBRA_EXECUTE_SERVE_H
#define PENUMBRA_EXECUTE_SERVE_H

#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define SERVE_ARGUMENT "--serve" /* how a program is asked to be a server that can be run by hand, too */

/* What a program under test finds open beside its standard streams. */
enum { SERVE_INPUT = 196, SERVE_TRACE = 197, SERVE_RESULTS = 198, SERVE_CHANNEL = 199 };

/* SERVE_RESULTS is a file to be mapped: what is said of the program, not by it, so that it is there whatever the
 * program does with its descriptors. */
enum { SERVE_RESULTS_BYTES = 1 << 28 /* of the file, mostly empty */, SERVE_FRAMES = 32 };

/* How a native program failed. */
struct serve_report {
    uint32_t has_started; /* what it is linked with was loaded, and its own code is about to run */
    uint32_t input_is_bad, assumption_failed;
    int32_t signal; /* that was raised; 0: none */
    uint32_t quotient_overflow, signed_overflow;
    uint32_t frame_count;
    uint64_t frames[SERVE_FRAMES]; /* of the failure, innermost first, as offsets in the program's image */
    char failure[64];              /* the sanitizer's word for it */
    char assertion_file[1024];
    uint32_t assertion_line;
    uint64_t leaked_blocks, leaked_bytes;      /* where that is looked for */
    char undefined[256], undefined_file[1024]; /* the first undefined behaviour that is no signed overflow */
    uint32_t undefined_line, undefined_column;
};

struct serve_results {
    struct serve_report report;
    uint64_t length;
    char bytes[];
};

enum serve_kind { SERVE_READY = 1, SERVE_RUNNING, SERVE_ENDED };

struct serve_message {
    int32_t kind, value;
};

static inline bool serve_send(enum serve_kind kind, int32_t value)
{
    struct serve_message message = {kind, value};
    return write(SERVE_CHANNEL, &message, sizeof message) == sizeof message;
}

/* Those that have left the run's group are ours since their parents ended. */
static inline void serve_end_children(void)
{
    char path[64], numbers[4096];
    snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
    int file = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t length = file >= 0 ? read(file, numbers, sizeof numbers - 1) : 0;
    if (file >= 0)
        close(file);
    numbers[length > 0 ? length : 0] = '\0';
    for (char *at = numbers, *end; *at; at = end) {
        long number = strtol(at, &end, 10);
        if (end == at)
            break;
        if (number > 0)
            kill((pid_t)number, SIGKILL);
    }
}

/* Nothing that a run has started is left. The first process of a namespace can end all the others at once. */
static inline int32_t serve_end(pid_t child)
{
    int status = 0;
    waitpid(child, &status, 0);
    if (getpid() == 1) {
        kill(-1, SIGKILL);
        while (waitpid(-1, NULL, 0) > 0)
            continue;
        return status;
    }
    kill(-child, SIGKILL);
    while (waitpid(-1, NULL, WNOHANG) >= 0) {
        serve_end_children();
        usleep(100);
    }
    return status;
}

/* Returns true in each child, and false when there is nobody to serve. Signals are for the children: whatever they send
 * their parent stays without effect. */
static inline bool serve(void)
{
    static char directory[PATH_MAX];
    sigset_t all, before;
    char command;
    if (!getcwd(directory, sizeof directory))
        *directory = '\0';
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &before);
    if (!serve_send(SERVE_READY, 0)) {
        sigprocmask(SIG_SETMASK, &before, NULL);
        return false;
    }
    while (read(SERVE_CHANNEL, &command, 1) == 1) {
        pid_t child = _Fork(); /* none of the handlers by which sanitizers clean up after other threads */
        if (child == 0) {
            setpgid(0, 0);
            prctl(PR_SET_PDEATHSIG, SIGKILL);
            serve_send(SERVE_RUNNING, 0);
            close(SERVE_CHANNEL);
            /* what is mounted there may have changed since the server started */
            if (*directory && chdir(directory))
                _exit(127);
            sigprocmask(SIG_SETMASK, &before, NULL);
            return true;
        }
        if (!serve_send(SERVE_ENDED, child < 0 ? -1 : serve_end(child)))
            break;
    }
    _exit(0);
}

#endif
