#include "execute/server.h"
#include "base/file.h"
#include "base/watch.h"
#include "execute/keeper.h"
#include "execute/left.h"
#include "execute/serve.h"
#include "execute/start.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

struct server {
    struct server_request request;
    struct started started;
    pid_t pid;                     /* the program */
    struct serve_results *results; /* mapped */
    struct serve_report report;    /* of the last run */
    char space[64];                /* its namespace for processes; "" */
    char *copy;                    /* of the working directory, where there is no keeper; or NULL */
    struct place place;            /* that */
    bool has_ended;                /* before it served: */
    struct process_result first;   /* what it wrote before it served, and how it ended if it did not */
};

int server_make_memory(const char *name, size_t size)
{
    int file = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (file < 0 ||
        (!ftruncate(file, (off_t)size) && !fcntl(file, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL)))
        return file;
    int reason = errno;
    close(file);
    errno = reason;
    return -1;
}

struct process_limits server_limits(double run_seconds, size_t memory_bytes)
{
    enum { WAITING_FACTOR = 4 };
    return (struct process_limits){
        .seconds = WAITING_FACTOR * run_seconds, .processor_seconds = run_seconds, .memory_bytes = memory_bytes};
}

/* ---- messages ---- */

/* The sender's number, as it is here, comes with each message. */
static bool receive(const struct server *server, struct serve_message *message, pid_t *sender)
{
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(sizeof(struct ucred))];
    } control;
    struct iovec part = {message, sizeof *message};
    struct msghdr whole = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    ssize_t count;
    do
        count = recvmsg(server->started.channel, &whole, MSG_CMSG_CLOEXEC);
    while (count < 0 && errno == EINTR);
    struct cmsghdr *header = CMSG_FIRSTHDR(&whole);
    if (count != sizeof *message || !header || header->cmsg_type != SCM_CREDENTIALS)
        return false;
    struct ucred credentials;
    memcpy(&credentials, CMSG_DATA(header), sizeof credentials);
    *sender = credentials.pid;
    return true;
}

static struct watch make_watch(const struct server *server, pid_t pid, const struct process_limits *limits)
{
    struct watch watch = {
        .pid = pid, .ending = server->started.channel, .space = *server->space ? server->space : NULL};
    memcpy(watch.streams, server->started.streams, sizeof watch.streams);
    watch_set_limits(&watch, limits);
    return watch;
}

static int await_child(pid_t child)
{
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    return status;
}

/* Strings end, and counts are in bounds, whatever the program has made of them. */
static void take_report(struct server *server)
{
    struct serve_report *report = &server->report;
    *report = server->results->report;
    report->failure[sizeof report->failure - 1] = '\0';
    report->assertion_file[sizeof report->assertion_file - 1] = '\0';
    report->undefined[sizeof report->undefined - 1] = '\0';
    report->undefined_file[sizeof report->undefined_file - 1] = '\0';
    if (report->frame_count > SERVE_FRAMES)
        report->frame_count = 0;
}

/* The program has ended, or passed a limit, before it served. */
static void take_early_end(struct server *server, struct process_result *result)
{
    int status = 0;
    server->has_ended = true;
    if (server->started.keeper < 0) {
        kill(server->started.child, SIGKILL);
        status = await_child(server->started.child);
        server->started.child = 0;
    } else if (process_passed_limit(result) || !keeper_await_end(server->started.keeper, &status)) {
        status = SIGKILL;
    }
    watch_take_status(status, result);
    take_report(server);
}

static const double START_SECONDS = 60, START_PROCESSOR_SECONDS = 5;

/* Reads on while the program starts, so that it never waits for us. */
static void await_readiness(struct server *server, const struct process_limits *limits)
{
    struct serve_message message = {0};
    struct process_limits patient = *limits; /* a run's may be too short to start a program on a busy machine */
    patient.seconds = limits->seconds > 0 ? fmax(limits->seconds, START_SECONDS) : 0;
    patient.processor_seconds =
        limits->processor_seconds > 0 ? fmax(limits->processor_seconds, START_PROCESSOR_SECONDS) : 0;
    struct watch watch = make_watch(server, server->started.child, &patient);
    struct process_result *result = &server->first;
    char path[64];
    watch_until_end(&watch, result);
    bool is_over =
        process_passed_limit(result) || !receive(server, &message, &server->pid) || message.kind != SERVE_READY;
    watch_read_rest(&watch, result);
    if (is_over) {
        take_early_end(server, result);
        return;
    }
    snprintf(path, sizeof path, "/proc/%d/ns/pid", (int)server->pid);
    ssize_t length = server->started.keeper < 0 ? 0 : readlink(path, server->space, sizeof server->space - 1);
    server->space[length > 0 ? length : 0] = '\0';
}

static bool map_results(struct server *server, struct error *error)
{
    int *file = &server->started.results;
    server->results = mmap(NULL, SERVE_RESULTS_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, *file, 0);
    start_close(file);
    if (server->results != MAP_FAILED)
        return true;
    server->results = NULL;
    return error_set(error, "no address space for what %s says: %s", server->request.executable, strerror(errno));
}

static bool open_server(struct server *server, const struct process_limits *limits, struct error *error)
{
    struct started *started = &server->started;
    if (!start_program(&server->request, server->copy, started, error) || !map_results(server, error))
        return false;
    for (int i = 0; i < WATCH_STREAMS; i++)
        watch_prepare(started->streams[i]);
    await_readiness(server, limits);
    if (server->request.is_silent) /* what was to be said was said when it started */
        for (int i = 0; i < WATCH_STREAMS; i++)
            start_close(&started->streams[i]);
    return true;
}

/* A working directory below the scratch directory, where there is no layer. */
static bool make_copy(struct server *server, struct error *error)
{
    const struct world *world = server->request.world;
    if (world->level != WORLD_LANDLOCK)
        return true;
    if (asprintf(&server->copy, "%s/work", world->scratch) < 0)
        abort();
    if (!file_make_directory(server->copy, error))
        return false;
    server->place = (struct place){.name = ".",
                                   .root = open(server->copy, O_RDONLY | O_DIRECTORY | O_CLOEXEC),
                                   .original = open(world->directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
    if (server->place.root < 0)
        return error_set(error, "cannot open %s: %s", server->copy, strerror(errno));
    place_note(&server->place);
    return true;
}

struct server *server_start(const struct server_request *request, const struct process_limits *limits,
                            struct error *error)
{
    struct server *server = calloc(1, sizeof *server);
    server->request = *request;
    server->place.root = server->place.original = -1;
    server->started = (struct started){.channel = -1, .keeper = -1, .input = -1, .results = -1, .streams = {-1, -1}};
    if (make_copy(server, error) && open_server(server, limits, error))
        return server;
    server_stop(server);
    return NULL;
}

/* ---- one run ---- */

static bool write_input(struct server *server, const void *input, size_t size)
{
    return !ftruncate(server->started.input, 0) && pwrite(server->started.input, input, size, 0) == (ssize_t)size;
}

/* A server that was stopped never answers. */
static bool await_message(const struct server *server)
{
    enum { PATIENCE_MS = 20000 };
    struct pollfd channel = {server->started.channel, POLLIN, 0};
    int count;
    do
        count = poll(&channel, 1, PATIENCE_MS);
    while (count < 0 && errno == EINTR);
    return count > 0;
}

/* The length is the program's word, too. */
static void take_results(struct server *server, const struct process_limits *limits, struct process_result *result)
{
    uint64_t length = server->results->length, most = SERVE_RESULTS_BYTES - sizeof *server->results;
    if (limits->output_bytes && limits->output_bytes < most)
        most = limits->output_bytes;
    text_append(&result->results, server->results->bytes, length < most ? length : most);
}

/* A run that is over leaves a server that can be asked for the next one. */
static bool run_once(struct server *server, const struct process_limits *limits, struct process_result *result)
{
    struct serve_message message = {0};
    pid_t sender, child = 0;
    server->results->length = 0;
    memset(&server->results->report, 0, sizeof server->results->report);
    if (send(server->started.channel, "r", 1, MSG_NOSIGNAL) != 1 || !receive(server, &message, &child))
        return false;
    if (message.kind == SERVE_RUNNING) {
        struct watch watch = make_watch(server, child, limits);
        watch_until_end(&watch, result);
        if (process_passed_limit(result))
            kill(child, SIGKILL); /* the server ends the others */
        if (!await_message(server) || !receive(server, &message, &sender) || sender != server->pid)
            return false;
        watch_read_rest(&watch, result);
    }
    if (message.kind != SERVE_ENDED || message.value == -1)
        return false;
    watch_take_status(message.value, result);
    take_results(server, limits, result);
    take_report(server);
    return true;
}

static void close_server(struct server *server)
{
    start_close(&server->started.channel);
    start_close(&server->started.keeper);
    if (server->started.child > 0) {
        kill(server->started.child, SIGKILL); /* what it keeps ends with it */
        await_child(server->started.child);
        server->started.child = 0;
    }
    start_close(&server->started.input);
    start_close(&server->started.results);
    if (server->results)
        munmap(server->results, SERVE_RESULTS_BYTES);
    server->results = NULL;
    for (int i = 0; i < WATCH_STREAMS; i++)
        start_close(&server->started.streams[i]);
    process_result_free(&server->first);
    server->first = (struct process_result){0};
    server->has_ended = false;
}

static bool tidy(struct server *server, struct text *left)
{
    if (server->started.keeper >= 0)
        return keeper_tidy(server->started.keeper, left);
    if (server->copy && left)
        left_list(&server->place, LEFT_MOST, left);
    return true;
}

/* Where there is no keeper, every run begins with a fresh copy. */
static void prepare_place(struct server *server)
{
    if (server->copy) {
        place_empty(&server->place);
        place_copy(&server->place);
    }
}

static void copy_first(const struct server *server, struct process_result *result)
{
    const struct process_result *first = &server->first;
    text_append(&result->output, text_string(&first->output), first->output.length);
    text_append(&result->errors, text_string(&first->errors), first->errors.length);
    if (!server->has_ended)
        return;
    result->exit_status = first->exit_status;
    result->signal = first->signal;
    result->timed_out = first->timed_out;
    result->out_of_memory = first->out_of_memory;
    result->too_many_processes = first->too_many_processes;
}

static bool try_run(struct server *server, const void *input, size_t size, const struct process_limits *limits,
                    struct process_result *result)
{
    *result = (struct process_result){0};
    if (server->started.channel < 0 || (input && !write_input(server, input, size)))
        return false;
    copy_first(server, result);
    prepare_place(server);
    if (server->has_ended ||
        (run_once(server, limits, result) && tidy(server, server->request.is_silent ? NULL : &result->left)))
        return true;
    process_result_free(result);
    return false;
}

bool server_run(struct server *server, const void *input, size_t input_size, const struct process_limits *limits,
                struct process_result *result, struct error *error)
{
    if (try_run(server, input, input_size, limits, result))
        return true;
    close_server(server);
    if (!open_server(server, limits, error))
        return false;
    if (try_run(server, input, input_size, limits, result))
        return true;
    /* A run that ends its own server, and does so again. */
    close_server(server);
    *result = (struct process_result){.exit_status = -1, .signal = SIGKILL};
    return open_server(server, limits, error);
}

const struct serve_report *server_report(const struct server *server)
{
    return &server->report;
}

const struct process_result *server_early_end(const struct server *server)
{
    return server->has_ended ? &server->first : NULL;
}

void server_stop(struct server *server)
{
    if (!server)
        return;
    close_server(server);
    if (server->place.root >= 0)
        place_empty(&server->place);
    start_close(&server->place.root);
    start_close(&server->place.original);
    free(server->copy);
    free(server);
}
