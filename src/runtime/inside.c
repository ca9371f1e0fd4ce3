/* Runs inside the explorer's process: the entry is called again and again. After each call everything it did is undone:
 * globals get their first bytes back, blocks and labels go away, the runtime forgets the run. Nodes stay, with their
 * indices: equal conditions are the same node in all runs.
 *
 * Whatever would end a process - a signal, abort(), exit(), a limit - jumps back here instead. That is only possible
 * while the program's own code runs: a library function that is left in the middle may hold a lock. Then the process
 * really ends, and the explorer goes on with a process for each run. */
#include "runtime/guard.h"
#include "runtime/leave.h"
#include "runtime/runtime.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { TICK_MICROSECONDS = 10000, TICKS_BETWEEN_LOOKS = 8, PATIENCE = 20 };

pn_run_inside __pn_run_inside;

static volatile uint64_t ticks; /* of the run, in its own time */
static pthread_t runner;

/* ---- what would end a process ---- */

void abort(void)
{
    pn_compare_streams();
    pn_leave_run(SIGABRT);
}

void __assert_fail(const char *assertion, const char *file, unsigned line, const char *function)
{
    (void)assertion, (void)file, (void)line, (void)function;
    abort();
}

void exit(int status)
{
    pn_compare_streams();
    pn_trace->ending = PN_EXITED;
    pn_current_run->exit_status = status & 0xff;
    pn_leave_run(0);
}

void _exit(int status)
{
    exit(status);
}

void _Exit(int status)
{
    exit(status);
}

/* ---- limits ---- */

static size_t resident_bytes(void)
{
    unsigned long pages = 0, ignored;
    FILE *file = fopen("/proc/self/statm", "re");
    if (file && fscanf(file, "%lu %lu", &ignored, &pages) != 2)
        pages = 0;
    if (file)
        fclose(file);
    return pages * 4096;
}

static bool is_too_late(double latest)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return latest > 0 && (double)now.tv_sec + (double)now.tv_nsec / 1e9 > latest;
}

static void tick(int signal, siginfo_t *info, void *context)
{
    (void)info;
    if (!pn_running || !pthread_equal(pthread_self(), runner))
        return;
    double seconds = (double)++ticks * TICK_MICROSECONDS / 1e6;
    pn_current_run->timed_out = seconds > pn_current_run->seconds || is_too_late(pn_current_run->latest);
    if (pn_current_run->timed_out && pn_is_program_code(context))
        pn_leave_run(SIGKILL);
    if (seconds <= pn_current_run->seconds * PATIENCE)
        return;
    struct sigaction plain = {.sa_handler = SIG_DFL}; /* it is nowhere where it could be left */
    sigaction(signal, &plain, NULL);
    raise(signal);
}

/* Memory that the program touches is its blocks and its stack: asked for when a run has lasted. */
static void look_at_memory(void)
{
    if (ticks >= TICKS_BETWEEN_LOOKS && resident_bytes() > pn_current_run->memory_bytes)
        pn_current_run->out_of_memory = true;
}

static void start_ticking(void)
{
    struct sigaction action = {.sa_sigaction = tick, .sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK | SA_NODEFER};
    struct itimerval interval = {{0, TICK_MICROSECONDS}, {0, TICK_MICROSECONDS}};
    sigaction(SIGPROF, &action, NULL);
    setitimer(ITIMER_PROF, &interval, NULL);
}

/* ---- globals ---- */

static char *first_bytes; /* of all variables, one behind the other */

static void take_globals(void)
{
    size_t size = 0;
    for (const struct pn_global *global = __start_pn_globals; global < __stop_pn_globals; global++)
        size += global->is_constant ? 0 : global->size;
    first_bytes = malloc(size + 1);
    char *at = first_bytes;
    for (const struct pn_global *global = __start_pn_globals; global < __stop_pn_globals; global++) {
        if (global->is_constant)
            continue;
        memcpy(at, (const void *)(uintptr_t)global->base, global->size);
        at += global->size;
    }
}

static void put_globals_back(void)
{
    const char *at = first_bytes;
    for (const struct pn_global *global = __start_pn_globals; global < __stop_pn_globals; global++) {
        if (global->is_constant)
            continue;
        memcpy((void *)(uintptr_t)global->base, at, global->size);
        at += global->size;
    }
}

/* ---- runs ---- */

static void begin(void)
{
    pn_inside = true;
    runner = pthread_self();
    take_globals();
    pn_blocks_inside();
    mprotect(pn_guard_of_data, sizeof pn_guard_of_data, PROT_NONE);
    mprotect(pn_guard_of_zeros, sizeof pn_guard_of_zeros, PROT_NONE);
    start_ticking();
    pthread_atfork(NULL, NULL,
                   start_ticking); /* an explorer that forks, to share its work, goes on in both processes */
}

/* Whatever the last run left behind goes before the next one. */
static void undo(void)
{
    put_globals_back();
    pn_memory_reset();
    pn_objects_reset();
    pn_sides_reset();
    pn_events_reset();
    pn_forget_arguments();
    pn_jumps_reset();
    pn_outside_reset();
    pn_streams_reset();
    pn_pointers_reset();
}

void __pn_run_inside(struct pn_inside_run *run)
{
    if (!pn_inside)
        begin();
    pn_current_run = run;
    run->signal = run->exit_status = 0;
    run->timed_out = run->out_of_memory = false;
    pn_run_number++;
    if (pn_trace->node_count == 1)
        pn_forget_nodes();
    ticks = 0;
    if (!sigsetjmp(pn_end_of_run, 0)) {
        pn_running = 1;
        pn_run_program();
    }
    pn_running = 0;
    look_at_memory();
    undo();
}
