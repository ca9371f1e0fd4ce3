#include "execute/server.h"
#include "base/arena.h"
#include "base/file.h"
#include "base/watch.h"
#include "execute/confine.h"
#include "execute/failure.h"
#include "execute/keeper.h"
#include "execute/left.h"
#include "execute/namespaces.h"
#include "execute/serve.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { MOST_LISTED = 16 << 10 };

struct server {
    struct server_request request;
    char **environment;
    pid_t child; /* of ours: the program, or the keeper of its world */
    pid_t pid;   /* the program */
    int channel, keeper, input;
    struct serve_results *results; /* mapped */
    struct serve_report report;    /* of the last run */
    int streams[WATCH_STREAMS];
    char space[64];              /* its namespace for processes; "" */
    struct place place;          /* where there is no keeper: the scratch directory */
    bool has_copy;               /* of the working directory */
    bool has_ended;              /* before it served: */
    struct process_result first; /* what it wrote before it served, and how it ended if it did not */
};

/* ---- starting ---- */

/* Both ends of all that connects us with the program. All are closed on exec. */
struct ends {
    int streams[WATCH_STREAMS][2];
    int channel[2], keeper[2];
    int failure[2]; /* carries a struct failure when the program cannot be executed, and nothing when it can */
    int executable, input, results;
};

/* What the child needs to become the program. */
struct start {
    const struct server *server;
    struct ends *ends;
    char *const *arguments;
    struct failure failure;
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

static bool open_ends(struct ends *ends, const struct server *server)
{
    bool has_keeper = server->request.world->level == WORLD_NAMESPACES, good = true;
    memset(ends, -1, sizeof *ends);
    for (int i = 0; i < WATCH_STREAMS && good; i++)
        good = pipe2(ends->streams[i], O_CLOEXEC) == 0;
    return good && pipe2(ends->failure, O_CLOEXEC) == 0 &&
           socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends->channel) == 0 &&
           (!has_keeper || socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends->keeper) == 0) &&
           (ends->input = memfd_create("penumbra-input", MFD_CLOEXEC)) >= 0 &&
           (ends->results = server_make_memory("penumbra-results", SERVE_RESULTS_BYTES)) >= 0 &&
           (ends->executable = open(server->request.executable, O_RDONLY | O_CLOEXEC)) >= 0;
}

static void close_one(int *descriptor)
{
    if (*descriptor >= 0)
        close(*descriptor);
    *descriptor = -1;
}

static void close_ends(struct ends *ends, int which)
{
    for (int i = 0; i < WATCH_STREAMS; i++)
        close_one(&ends->streams[i][which]);
    close_one(&ends->channel[which]);
    close_one(&ends->keeper[which]);
    close_one(&ends->failure[which]);
}

/* The variables that a program may need to start, and those that everything is the same by. */
static char **make_environment(const struct server *server)
{
    static const char *const kept[] = {"PATH", "LD_LIBRARY_PATH", "LD_PRELOAD", "TZ", "LANG", "LC_ALL", "LC_CTYPE"};
    static const struct {
        const char *name, *value;
    } places[] = {{"HOME", "/var/tmp"}, {"TMPDIR", "/tmp"}};
    enum { PLACES = sizeof places / sizeof *places };
    enum world_level level = server->request.world->level;
    size_t count = 0, capacity = 0;
    char **list = NULL;
    for (size_t i = 0; i < PLACES + sizeof kept / sizeof *kept; i++) {
        const char *name = i < PLACES ? places[i].name : kept[i - PLACES];
        const char *value = getenv(name);
        if (i < PLACES && level != WORLD_OPEN)
            value = level == WORLD_NAMESPACES ? places[i].value : server->place.name;
        list = array_reserve(list, &capacity, count + 2, sizeof *list);
        if (value && asprintf(&list[count], "%s=%s", name, value) >= 0)
            count++;
    }
    for (const char *const *additions = server->request.environment; additions && *additions; additions++) {
        list = array_reserve(list, &capacity, count + 2, sizeof *list);
        list[count++] = strdup(*additions);
    }
    list[count] = NULL;
    return list;
}

static bool set_descriptors(const struct start *start, struct failure *failure)
{
    const struct server_request *request = &start->server->request;
    struct ends *ends = start->ends;
    int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    const int wanted[][2] = {
        {nothing, STDIN_FILENO},
        {request->is_silent ? nothing : ends->streams[0][1], STDOUT_FILENO},
        {ends->streams[1][1], STDERR_FILENO},
        {ends->results, SERVE_RESULTS},
        {ends->channel[1], SERVE_CHANNEL},
        {ends->input, SERVE_INPUT},
        {request->trace, SERVE_TRACE},
    };
    enum { COUNT = sizeof wanted / sizeof *wanted, ABOVE_ALL = 256 };
    int copies[COUNT];
    for (size_t i = 0; i < COUNT; i++) /* none of ours has the number that another one is to have */
        copies[i] = wanted[i][0] < 0 ? -1 : fcntl(wanted[i][0], F_DUPFD_CLOEXEC, ABOVE_ALL);
    for (size_t i = 0; i < COUNT; i++)
        if (wanted[i][0] >= 0 && dup2(copies[i], wanted[i][1]) < 0)
            return failure_note(failure, "hand over its descriptors to");
    return nothing >= 0 || failure_note(failure, "open /dev/null for");
}

static bool confine(const struct server *server, struct failure *failure)
{
    const struct world *world = server->request.world;
    char parent[sizeof world->directory];
    snprintf(parent, sizeof parent, "%s", world->directory);
    char *slash = strrchr(parent, '/');
    if (slash)
        slash[slash == parent] = '\0';
    /* A layer is another directory each time: what is allowed is its parent, which is read-only but for the layer. */
    const char *const places[] = {"/tmp", "/var/tmp", "/dev/shm", parent, NULL}, *const copy[] = {server->place.name,
                                                                                                  NULL};
    bool has_namespaces = world->level == WORLD_NAMESPACES;
    if (world->level == WORLD_OPEN)
        return true;
    confine_sizes(has_namespaces);
    if (has_namespaces)
        setrlimit(RLIMIT_NPROC, &(struct rlimit){NAMESPACES_PROCESSES, NAMESPACES_PROCESSES});
    if (!confine_rights())
        return failure_note(failure, "take away the rights of");
    if ((!has_namespaces || confine_version()) && !confine_files(has_namespaces ? places : copy))
        return failure_note(failure, "set up Landlock for");
    return confine_calls(has_namespaces) || failure_note(failure, "set up a filter of system calls for");
}

/* In the child. Only calls that are safe after fork in a program with threads. */
static void become(void *context)
{
    struct start *start = context;
    const struct server *server = start->server;
    sigset_t none;
    setpgid(0, 0); /* Ctrl-C is for us, who keep what was found */
    signal(SIGPIPE, server->request.is_silent ? SIG_IGN : SIG_DFL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    umask(022);
    const char *directory = server->has_copy ? server->place.name : server->request.world->directory;
    if (server->request.world->level != WORLD_OPEN && chdir(directory) && chdir("/"))
        failure_note(&start->failure, "enter the working directory of");
    else if (set_descriptors(start, &start->failure) && confine(server, &start->failure)) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        fexecve(start->ends->executable, start->arguments, server->environment);
        failure_note(&start->failure, "run");
    }
    (void)!write(start->ends->failure[1], &start->failure, sizeof start->failure);
    _exit(127);
}

/* In the keeper: the pipes are the program's. */
static void release(void *context)
{
    struct start *start = context;
    start->ends->keeper[1] = -1;
    close_ends(start->ends, 1);
    close_one(&start->ends->input);
    close_one(&start->ends->results);
    close_one(&start->ends->executable);
}

static int compare_numbers(const void *one, const void *other)
{
    return *(const int *)one - *(const int *)other;
}

/* Other servers have their ends here too: who keeps a copy of them keeps them from ending. */
static void close_others(const struct start *start)
{
    const struct ends *ends = start->ends;
    int kept[] = {
        STDERR_FILENO,   ends->streams[0][1], ends->streams[1][1], ends->results, ends->channel[1],
        ends->keeper[1], ends->failure[1],    ends->executable,    ends->input,   start->server->request.trace};
    enum { COUNT = sizeof kept / sizeof *kept };
    qsort(kept, COUNT, sizeof *kept, compare_numbers);
    for (int i = 0; i < COUNT; i++) {
        unsigned from = (unsigned)kept[i] + 1, to = i + 1 < COUNT ? (unsigned)kept[i + 1] : ~0U;
        if (kept[i] >= STDERR_FILENO && from < to)
            close_range(from, to - 1, 0);
    }
}

static _Noreturn void be_child(struct start *start, pid_t parent)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) /* it died before the line above took effect */
        _exit(127);
    setpgid(0, 0);
    close_others(start);
    if (start->server->request.world->level != WORLD_NAMESPACES)
        become(start);
    for (int signal_number = 1; signal_number < NSIG; signal_number++)
        signal(signal_number, SIG_DFL);
    keeper_be(start->server->request.world, start->ends->keeper[1], become, release, start, &start->failure);
    (void)!write(start->ends->failure[1], &start->failure, sizeof start->failure);
    _exit(127);
}

static bool start_child(struct server *server, struct ends *ends, struct error *error)
{
    const struct server_request *request = &server->request;
    char *arguments[8] = {(char *)request->executable};
    for (int i = 0; i < 6 && request->arguments && request->arguments[i]; i++)
        arguments[i + 1] = (char *)request->arguments[i];
    struct start start = {.server = server, .ends = ends, .arguments = arguments};
    pid_t parent = getpid();
    server->child = fork();
    if (server->child == 0)
        be_child(&start, parent);
    close_ends(ends, 1);
    if (server->child < 0)
        return error_set(error, "cannot run %s: %s", request->executable, strerror(errno));
    ssize_t count;
    do
        count = read(ends->failure[0], &start.failure, sizeof start.failure);
    while (count < 0 && errno == EINTR);
    if (count != sizeof start.failure)
        return true;
    return error_set(error, "cannot %s %s: %s", start.failure.step, request->executable,
                     strerror(start.failure.reason));
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
        count = recvmsg(server->channel, &whole, MSG_CMSG_CLOEXEC);
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
    struct watch watch = {.pid = pid, .ending = server->channel, .space = *server->space ? server->space : NULL};
    memcpy(watch.streams, server->streams, sizeof watch.streams);
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
    if (server->keeper < 0) {
        kill(server->child, SIGKILL);
        status = await_child(server->child);
        server->child = 0;
    } else if (process_passed_limit(result) || !keeper_await_end(server->keeper, &status)) {
        status = SIGKILL;
    }
    watch_take_status(status, result);
    take_report(server);
}

/* Reads on while the program starts, so that it never waits for us. */
static void await_readiness(struct server *server, const struct process_limits *limits)
{
    struct serve_message message;
    struct watch watch = make_watch(server, server->child, limits);
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
    ssize_t length = server->keeper < 0 ? 0 : readlink(path, server->space, sizeof server->space - 1);
    server->space[length > 0 ? length : 0] = '\0';
}

static bool open_server(struct server *server, const struct process_limits *limits, struct error *error)
{
    struct ends ends;
    if (!open_ends(&ends, server)) {
        int reason = errno;
        close_ends(&ends, 0), close_ends(&ends, 1);
        close_one(&ends.input), close_one(&ends.results), close_one(&ends.executable);
        return error_set(error, "cannot run %s: %s", server->request.executable, strerror(reason));
    }
    setsockopt(ends.channel[0], SOL_SOCKET, SO_PASSCRED, &(int){1}, sizeof(int));
    bool good = start_child(server, &ends, error);
    close_one(&ends.executable);
    close_one(&ends.failure[0]);
    server->results = mmap(NULL, SERVE_RESULTS_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, ends.results, 0);
    close_one(&ends.results);
    server->input = ends.input;
    server->channel = ends.channel[0];
    server->keeper = ends.keeper[0];
    for (int i = 0; i < WATCH_STREAMS; i++) {
        server->streams[i] = ends.streams[i][0];
        watch_prepare(server->streams[i]);
    }
    if (good && server->results == MAP_FAILED)
        good = error_set(error, "no address space for what %s says: %s", server->request.executable, strerror(errno));
    if (!good)
        return false;
    await_readiness(server, limits);
    if (server->request.is_silent) /* what was to be said was said when it started */
        for (int i = 0; i < WATCH_STREAMS; i++)
            close_one(&server->streams[i]);
    return true;
}

/* A working directory below the scratch directory, where there is no layer. */
static void make_copy(struct server *server)
{
    const struct world *world = server->request.world;
    static const char name[] = "work";
    char path[sizeof world->scratch + sizeof name + 1];
    if (world->level != WORLD_LANDLOCK)
        return;
    snprintf(path, sizeof path, "%s/%s", world->scratch, name);
    mkdir(path, 0755);
    server->place = (struct place){.name = strdup(path),
                                   .root = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC),
                                   .original = open(world->directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
    server->has_copy = server->place.root >= 0;
    if (server->has_copy)
        place_note(&server->place);
}

struct server *server_start(const struct server_request *request, const struct process_limits *limits,
                            struct error *error)
{
    struct server *server = calloc(1, sizeof *server);
    *server = (struct server){.request = *request, .channel = -1, .keeper = -1, .input = -1, .streams = {-1, -1}};
    make_copy(server);
    server->environment = make_environment(server);
    if (open_server(server, limits, error))
        return server;
    server_stop(server);
    return NULL;
}

/* ---- one run ---- */

static bool write_input(struct server *server, const void *input, size_t size)
{
    return !ftruncate(server->input, 0) && pwrite(server->input, input, size, 0) == (ssize_t)size;
}

/* A server that was stopped never answers. */
static bool await_message(const struct server *server)
{
    enum { PATIENCE_MS = 20000 };
    struct pollfd channel = {server->channel, POLLIN, 0};
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
    struct serve_message message;
    pid_t sender, child = 0;
    server->results->length = 0;
    memset(&server->results->report, 0, sizeof server->results->report);
    if (send(server->channel, "r", 1, MSG_NOSIGNAL) != 1 || !receive(server, &message, &child))
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
    close_one(&server->channel);
    close_one(&server->keeper);
    if (server->child > 0) {
        kill(server->child, SIGKILL); /* what it keeps ends with it */
        await_child(server->child);
        server->child = 0;
    }
    close_one(&server->input);
    if (server->results && server->results != MAP_FAILED)
        munmap(server->results, SERVE_RESULTS_BYTES);
    server->results = NULL;
    for (int i = 0; i < WATCH_STREAMS; i++)
        close_one(&server->streams[i]);
    process_result_free(&server->first);
    server->first = (struct process_result){0};
    server->has_ended = false;
}

static bool tidy(struct server *server, struct text *left)
{
    const struct place shown = {
        .name = ".", .root = server->place.root, .original = server->place.original, .before = server->place.before};
    if (server->keeper >= 0)
        return keeper_tidy(server->keeper, left);
    if (server->has_copy && left)
        place_list(&shown, MOST_LISTED, left);
    return true;
}

/* Where there is no keeper, every run begins with a fresh copy. */
static void prepare_place(struct server *server)
{
    if (server->has_copy) {
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
    if (server->channel < 0 || (input && !write_input(server, input, size)))
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
    if (server->has_copy) {
        place_empty(&server->place);
        close(server->place.root);
        if (server->place.original >= 0)
            close(server->place.original);
    }
    free((char *)server->place.name);
    for (char **entry = server->environment; entry && *entry; entry++)
        free(*entry);
    free(server->environment);
    free(server);
}
