/* Runs another program to its end, with limits, and collects what it wrote. */
#ifndef PENUMBRA_BASE_PROCESS_H
#define PENUMBRA_BASE_PROCESS_H

#include "base/error.h"
#include "base/text.h"

#include <stdbool.h>
#include <sys/types.h>

struct process_limits {
    double seconds;           /* 0: no limit */
    double latest;            /* the moment (clock.h) at which it is stopped, however little it could do; 0: none */
    double processor_seconds; /* that it computes; 0: no limit */
    size_t memory_bytes; /* resident; 0: no limit. Watched, because RLIMIT_AS would refuse sanitizers' reservations */
    size_t output_bytes; /* captured per stream; what is beyond is read and dropped. 0: no limit */
};

struct process_result {
    int exit_status; /* -1 when a signal ended it */
    int signal;      /* 0 when it exited */
    bool timed_out;
    bool out_of_memory;
    bool too_many_processes;
    struct text output; /* standard output */
    struct text errors; /* standard error */
    /* Of programs under test (execute/server.h): what the runtime in it says, and files that it has left behind. */
    struct text results, left;
};

/* Runs argv[0] (looked up in PATH) with standard input from /dev/null. `environment` may be NULL (inherit) or hold
 * extra "NAME=value" strings, NULL-terminated, that are added (or replace one of that name). False only when the
 * program could not be started; how it ended is in the result. It runs in a process group of its own: whatever it
 * started and left running is killed when it ends, and so is everything when a limit is passed. The process is killed
 * too when the thread that started it ends. */
bool process_run(const char *const argv[], const char *const environment[], const struct process_limits *limits,
                 struct process_result *result, struct error *error);
/* Whether a limit ended it. */
bool process_passed_limit(const struct process_result *result);
void process_result_free(struct process_result *result);

/* The same in two steps, for work that runs beside other work. Limits are enforced, and output beyond what a pipe holds
 * is read, by process_finish only; the clock runs from process_start on. */
struct process;
struct process *process_start(const char *const argv[], const char *const environment[],
                              const struct process_limits *limits, struct error *error);
/* The group that it and what it starts belong to. */
pid_t process_group(const struct process *process);
/* Waits for the end, fills the result and frees the process. */
void process_finish(struct process *process, struct process_result *result);

/* In a child, after fork: it ends when `parent` does, and at once if that has ended already. */
void process_follow(pid_t parent);

/* Resident size of a running process in bytes, 0 when unknown. */
size_t process_resident_bytes(pid_t pid);

#endif
