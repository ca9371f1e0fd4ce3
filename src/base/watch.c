#include "base/watch.h"
#include "base/clock.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MEMORY_INTERVAL_MS = 20, FALLBACK_INTERVAL_MS = 10, COUNT_INTERVAL_MS = 200, MOST_PROCESSES = 512 };

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

/* Processor time that a running process has used, 0 when unknown. */
static double process_cpu_seconds(pid_t pid)
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

/* For how long it could have run, and others did; 0 when unknown. */
static double delay_of(pid_t pid)
{
    char path[64];
    unsigned long long nanoseconds = 0;
    snprintf(path, sizeof path, "/proc/%d/schedstat", (int)pid);
    FILE *file = fopen(path, "re");
    if (!file)
        return 0;
    if (fscanf(file, "%*u %llu", &nanoseconds) != 1)
        nanoseconds = 0;
    fclose(file);
    return (double)nanoseconds / 1e9;
}

/* ---- a whole namespace ---- */

struct usage {
    double processor_seconds;
    size_t resident_bytes;
};

static bool is_in_space(const char *process, const char *space)
{
    char path[64], name[64];
    snprintf(path, sizeof path, "/proc/%.20s/ns/pid", process);
    ssize_t length = readlink(path, name, sizeof name - 1);
    return length > 0 && (size_t)length == strlen(space) && memcmp(name, space, (size_t)length) == 0;
}

/* The kernel counts processes among the links of /proc: one call, however many there are. */
static size_t count_processes(void)
{
    struct stat status;
    return stat("/proc", &status) ? 0 : status.st_nlink;
}

/* A process that starts others without end must be stopped before they are too many to be counted one by one. */
static bool is_crowded(const struct watch *watch)
{
    return watch->space && count_processes() > watch->processes + MOST_PROCESSES;
}

/* What all the processes use together. To look at each of the machine's takes a while: in between, only the first one
 * counts. */
static struct usage usage_of(struct watch *watch)
{
    double now = clock_seconds();
    bool is_time = watch->space && now >= watch->next_count;
    if (is_time)
        watch->next_count = now + COUNT_INTERVAL_MS / 1000.0;
    struct usage usage = {process_cpu_seconds(watch->pid), process_resident_bytes(watch->pid)};
    DIR *processes = is_time ? opendir("/proc") : NULL;
    for (struct dirent *entry; processes && (entry = readdir(processes));) {
        pid_t pid = (pid_t)strtol(entry->d_name, NULL, 10);
        if (pid <= 0 || pid == watch->pid || !is_in_space(entry->d_name, watch->space))
            continue;
        usage.processor_seconds += process_cpu_seconds(pid);
        usage.resident_bytes += process_resident_bytes(pid);
    }
    if (processes)
        closedir(processes);
    return usage;
}

/* ---- one process ---- */

void watch_prepare(int descriptor)
{
    fcntl(descriptor, F_SETFL, O_NONBLOCK);
    /* A process that was started and not yet finished can write this much without waiting for us. */
    fcntl(descriptor, F_SETPIPE_SZ, WATCH_PIPE_BYTES);
}

void watch_set_limits(struct watch *watch, const struct process_limits *limits)
{
    watch->limits = *limits;
    watch->deadline = limits->seconds > 0 ? clock_seconds() + limits->seconds : 0;
    watch->processes = watch->space ? count_processes() : 0;
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

static bool has_ended(const struct watch *watch, short events)
{
    siginfo_t ended = {0};
    if (watch->ending >= 0)
        return events != 0;
    return waitid(P_PID, (id_t)watch->pid, &ended, WEXITED | WNOHANG | WNOWAIT) != 0 || ended.si_pid != 0;
}

/* Limits that nobody tells us of when they are passed. */
static bool has_watched_limits(const struct watch *watch)
{
    return watch->limits.memory_bytes || watch->limits.processor_seconds > 0;
}

/* How long poll may sleep, in milliseconds; -1: until something happens. */
static int poll_timeout(const struct watch *watch)
{
    int timeout = -1;
    if (watch->deadline > 0) {
        double left = (watch->deadline - clock_seconds()) * 1000 + 1;
        timeout = left <= 0 ? 0 : left > 60000 ? 60000 : (int)left;
    }
    int interval = watch->ending < 0 ? FALLBACK_INTERVAL_MS : has_watched_limits(watch) ? MEMORY_INTERVAL_MS : -1;
    return interval >= 0 && (timeout < 0 || interval < timeout) ? interval : timeout;
}

/* A busy machine is no reason to end it. */
static bool is_past_deadline(struct watch *watch)
{
    if (watch->deadline <= 0 || clock_seconds() < watch->deadline)
        return false;
    double delay = delay_of(watch->pid);
    if (delay > watch->delay) {
        watch->deadline += delay - watch->delay;
        watch->delay = delay;
    }
    return clock_seconds() >= watch->deadline;
}

static bool exceeds_limit(struct watch *watch, struct process_result *result)
{
    const struct process_limits *limits = &watch->limits;
    result->timed_out = is_past_deadline(watch) || clock_has_passed(limits->latest);
    if (is_crowded(watch)) {
        result->too_many_processes = true;
    } else if (has_watched_limits(watch)) {
        struct usage usage = usage_of(watch);
        result->timed_out |= limits->processor_seconds > 0 && usage.processor_seconds > limits->processor_seconds;
        result->out_of_memory = limits->memory_bytes && usage.resident_bytes > limits->memory_bytes;
    }
    return process_passed_limit(result);
}

/* A process that writes all the time is looked at as often as one that is silent. */
static bool is_time_to_look(struct watch *watch, bool is_silent)
{
    double now = clock_seconds();
    if (!is_silent && now < watch->next_look)
        return false;
    watch->next_look = now + MEMORY_INTERVAL_MS / 1000.0;
    return true;
}

static struct text *stream_text(struct process_result *result, size_t stream)
{
    struct text *const texts[WATCH_STREAMS] = {&result->output, &result->errors};
    return texts[stream];
}

void watch_until_end(struct watch *watch, struct process_result *result)
{
    struct pollfd polled[WATCH_STREAMS + 1] = {{watch->ending, POLLIN, 0}};
    for (size_t i = 0; i < WATCH_STREAMS; i++)
        polled[i + 1] = (struct pollfd){watch->streams[i], POLLIN, 0};
    for (;;) {
        int count = poll(polled, WATCH_STREAMS + 1, poll_timeout(watch));
        for (size_t i = 0; i < WATCH_STREAMS; i++)
            if (polled[i + 1].revents &&
                !read_available(polled[i + 1].fd, stream_text(result, i), watch->limits.output_bytes, WATCH_PIPE_BYTES))
                polled[i + 1].fd = -1;
        if (has_ended(watch, polled[0].revents))
            return;
        if (is_time_to_look(watch, count == 0) && exceeds_limit(watch, result))
            return;
    }
}

void watch_read_rest(const struct watch *watch, struct process_result *result)
{
    for (size_t i = 0; i < WATCH_STREAMS; i++)
        if (watch->streams[i] >= 0)
            read_available(watch->streams[i], stream_text(result, i), watch->limits.output_bytes, WATCH_PIPE_BYTES);
}

void watch_take_status(int status, struct process_result *result)
{
    result->exit_status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    result->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}
