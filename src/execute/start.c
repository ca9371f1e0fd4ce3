#include "execute/start.h"
#include "base/arena.h"
#include "execute/confine.h"
#include "execute/failure.h"
#include "execute/keeper.h"
#include "execute/namespaces.h"
#include "execute/serve.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

/* Both ends of all that connects us with the program. All are closed on exec. */
struct ends {
    int streams[WATCH_STREAMS][2];
    int channel[2], keeper[2];
    int failure[2]; /* carries a struct failure when the program cannot be executed, and nothing when it can */
    int executable, input, results;
};

/* What the child needs to become the program. */
struct start {
    const struct server_request *request;
    const char *copy;
    struct ends *ends;
    char *const *arguments, *const *environment;
    struct failure failure;
};

static bool open_ends(struct ends *ends, const struct server_request *request)
{
    bool has_keeper = request->world->level == WORLD_NAMESPACES, good = true;
    memset(ends, -1, sizeof *ends);
    for (int i = 0; i < WATCH_STREAMS && good; i++)
        good = pipe2(ends->streams[i], O_CLOEXEC) == 0;
    return good && pipe2(ends->failure, O_CLOEXEC) == 0 &&
           socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends->channel) == 0 &&
           (!has_keeper || socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends->keeper) == 0) &&
           (ends->input = memfd_create("penumbra-input", MFD_CLOEXEC)) >= 0 &&
           (ends->results = server_make_memory("penumbra-results", SERVE_RESULTS_BYTES)) >= 0 &&
           (ends->executable = open(request->executable, O_RDONLY | O_CLOEXEC)) >= 0;
}

void start_close(int *descriptor)
{
    if (*descriptor >= 0)
        close(*descriptor);
    *descriptor = -1;
}

static void close_ends(struct ends *ends, int which)
{
    for (int i = 0; i < WATCH_STREAMS; i++)
        start_close(&ends->streams[i][which]);
    start_close(&ends->channel[which]);
    start_close(&ends->keeper[which]);
    start_close(&ends->failure[which]);
}

/* The variables that a program may need to start, and those that everything is the same by. */
static char **make_environment(const struct server_request *request, const char *copy)
{
    static const char *const kept[] = {"PATH", "LD_LIBRARY_PATH", "LD_PRELOAD", "TZ", "LANG", "LC_ALL", "LC_CTYPE"};
    static const struct {
        const char *name, *value;
    } places[] = {{"HOME", "/var/tmp"}, {"TMPDIR", "/tmp"}};
    enum { PLACES = sizeof places / sizeof *places };
    enum world_level level = request->world->level;
    size_t count = 0, capacity = 0;
    char **list = NULL;
    for (size_t i = 0; i < PLACES + sizeof kept / sizeof *kept; i++) {
        const char *name = i < PLACES ? places[i].name : kept[i - PLACES];
        const char *value = getenv(name);
        if (i < PLACES && level != WORLD_OPEN)
            value = level == WORLD_NAMESPACES ? places[i].value : copy;
        list = array_reserve(list, &capacity, count + 2, sizeof *list);
        if (value && asprintf(&list[count], "%s=%s", name, value) >= 0)
            count++;
    }
    for (const char *const *additions = request->environment; additions && *additions; additions++) {
        list = array_reserve(list, &capacity, count + 2, sizeof *list);
        list[count++] = strdup(*additions);
    }
    list[count] = NULL;
    return list;
}

static bool set_descriptors(const struct start *start, struct failure *failure)
{
    const struct server_request *request = start->request;
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

static bool confine(const struct start *start, struct failure *failure)
{
    const struct world *world = start->request->world;
    char parent[sizeof world->directory];
    snprintf(parent, sizeof parent, "%s", world->directory);
    char *slash = strrchr(parent, '/');
    if (slash)
        slash[slash == parent] = '\0';
    /* A layer is another directory each time: what is allowed is its parent, which is read-only but for the layer. A
     * root of the user's own has several. */
    const char *const places[] = {"/tmp", "/var/tmp", "/dev/shm", world->root.count ? "/" : parent, NULL};
    const char *const copy[] = {start->copy, NULL};
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

/* A process that was forked while the program was written still has it open for writing, until it executes another. */
static void execute_when_written(const struct start *start)
{
    enum { TRIES = 1000, MICROSECONDS = 5000 };
    for (int i = 0; i < TRIES; i++) {
        fexecve(start->ends->executable, start->arguments, start->environment);
        if (errno != ETXTBSY)
            return;
        usleep(MICROSECONDS);
    }
}

static const unsigned long ASK_PERSONALITY = 0xffffffff;

/* In the child. Only calls that are safe after fork in a program with threads. */
static void become(void *context)
{
    struct start *start = context;
    const struct world *world = start->request->world;
    sigset_t none;
    setpgid(0, 0); /* Ctrl-C is for us, who keep what was found */
    signal(SIGPIPE, start->request->is_silent ? SIG_IGN : SIG_DFL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    umask(022);
    if (start->request->keeps_addresses)
        personality((unsigned long)personality(ASK_PERSONALITY) | ADDR_NO_RANDOMIZE);
    const char *directory = start->copy ? start->copy : world->directory;
    if (world->level != WORLD_OPEN && chdir(directory) && chdir("/"))
        failure_note(&start->failure, "enter the working directory of");
    else if (set_descriptors(start, &start->failure) && confine(start, &start->failure)) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        execute_when_written(start);
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
    start_close(&start->ends->input);
    start_close(&start->ends->results);
    start_close(&start->ends->executable);
}

static int compare_numbers(const void *one, const void *other)
{
    return *(const int *)one - *(const int *)other;
}

/* Other servers have their ends here too: who keeps a copy of them keeps them from ending. */
static void close_others(const struct start *start)
{
    const struct ends *ends = start->ends;
    int kept[] = {STDERR_FILENO,   ends->streams[0][1], ends->streams[1][1], ends->results, ends->channel[1],
                  ends->keeper[1], ends->failure[1],    ends->executable,    ends->input,   start->request->trace};
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
    process_follow(parent);
    setpgid(0, 0);
    close_others(start);
    if (start->request->world->level != WORLD_NAMESPACES)
        become(start);
    for (int signal_number = 1; signal_number < NSIG; signal_number++)
        signal(signal_number, SIG_DFL);
    keeper_be(start->request->world, start->ends->keeper[1], become, release, start, &start->failure);
    (void)!write(start->ends->failure[1], &start->failure, sizeof start->failure);
    _exit(127);
}

/* Waits until it has become the program. */
static bool await_start(struct start *start, struct error *error)
{
    ssize_t count;
    do
        count = read(start->ends->failure[0], &start->failure, sizeof start->failure);
    while (count < 0 && errno == EINTR);
    if (count != sizeof start->failure)
        return true;
    return error_set(error, "cannot %s %s: %s", start->failure.step, start->request->executable,
                     strerror(start->failure.reason));
}

static void free_environment(char **environment)
{
    for (char **entry = environment; *entry; entry++)
        free(*entry);
    free(environment);
}

static bool start_child(struct start *start, struct started *started, struct error *error)
{
    const struct server_request *request = start->request;
    char *arguments[8] = {(char *)request->executable};
    for (int i = 0; i < 6 && request->arguments && request->arguments[i]; i++)
        arguments[i + 1] = (char *)request->arguments[i];
    char **environment = make_environment(request, start->copy);
    start->arguments = arguments;
    start->environment = environment;
    pid_t parent = getpid();
    started->child = fork();
    if (started->child == 0)
        be_child(start, parent);
    int reason = errno;
    free_environment(environment);
    close_ends(start->ends, 1);
    if (started->child < 0)
        return error_set(error, "cannot run %s: %s", request->executable, strerror(reason));
    return await_start(start, error);
}

bool start_program(const struct server_request *request, const char *copy, struct started *started, struct error *error)
{
    struct ends ends;
    struct start start = {.request = request, .copy = copy, .ends = &ends};
    bool good =
        open_ends(&ends, request) || error_set(error, "cannot run %s: %s", request->executable, strerror(errno));
    setsockopt(ends.channel[0], SOL_SOCKET, SO_PASSCRED, &(int){1}, sizeof(int));
    good = good && start_child(&start, started, error);
    close_ends(&ends, 1);
    start_close(&ends.executable);
    start_close(&ends.failure[0]);
    started->channel = ends.channel[0];
    started->keeper = ends.keeper[0];
    started->input = ends.input;
    started->results = ends.results;
    for (int i = 0; i < WATCH_STREAMS; i++)
        started->streams[i] = ends.streams[i][0];
    return good;
}
