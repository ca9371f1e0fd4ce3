#include "project/command.h"

#include "base/process.h"

#include <signal.h>
#include <stdlib.h>

enum { MOST_AT_ONCE = 4, SIGNALLED = 128 };

struct command {
    struct process *process;
    size_t slot; /* in the list of groups */
};

/* The process groups of commands that run, for the handler; 0: none. */
static volatile pid_t groups[MOST_AT_ONCE];
static const int ends[] = {SIGINT, SIGTERM, SIGHUP};
static struct sigaction before[sizeof ends / sizeof *ends];

static void end_groups(int number)
{
    for (size_t i = 0; i < MOST_AT_ONCE; i++)
        if (groups[i])
            kill(-groups[i], SIGKILL);
    signal(number, SIG_DFL);
    raise(number);
}

static bool is_any_running(void)
{
    for (size_t i = 0; i < MOST_AT_ONCE; i++)
        if (groups[i])
            return true;
    return false;
}

/* The first command puts the handler there, the last one takes it away. */
static void watch_signals(bool on)
{
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (on)
            sigaction(ends[i], &(struct sigaction){.sa_handler = end_groups}, &before[i]);
        else
            sigaction(ends[i], &before[i], NULL);
}

struct command *command_start(const char *text, const char *directory, const char *log, const char *const *environment,
                              double seconds, struct error *error)
{
    static const char script[] = "cd \"$1\" && exec >\"$2\" 2>&1 </dev/null && eval \"$3\"";
    const char *const shell[] = {"sh", "-c", script, "sh", directory, log, text, NULL};
    struct command *command = calloc(1, sizeof *command);
    while (command->slot < MOST_AT_ONCE - 1 && groups[command->slot])
        command->slot++;
    if (!is_any_running())
        watch_signals(true);
    command->process = process_start(shell, environment, &(struct process_limits){.seconds = seconds}, error);
    if (command->process) {
        groups[command->slot] = process_group(command->process);
        return command;
    }
    if (!is_any_running())
        watch_signals(false);
    free(command);
    return NULL;
}

struct command_end command_finish(struct command *command)
{
    struct process_result result = {0};
    process_finish(command->process, &result);
    groups[command->slot] = 0;
    if (!is_any_running())
        watch_signals(false);
    struct command_end end = {.exit_status = result.signal ? SIGNALLED + result.signal : result.exit_status,
                              .timed_out = result.timed_out};
    process_result_free(&result);
    free(command);
    return end;
}
