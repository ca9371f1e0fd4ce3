/* The explorer's end of the program: of its fork server, or of the library that runs in this process. */
#include "explore/target.h"
#include "base/clock.h"
#include "base/confine.h"
#include "base/file.h"
#include "base/process.h"
#include "trace/inside.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    EVENT_CAPACITY = 1 << 22,
    OBJECT_CAPACITY = 1 << 16,
    DATA_CAPACITY = 1 << 28,
    CONSTANTS_CAPACITY = 1 << 24,
    PATIENCE_MILLISECONDS = 20,
};

struct target {
    struct pn_trace *trace;
    size_t mapping_size;
    struct target_limits limits;
    pid_t server;
    int commands, answers; /* our ends of the pipes */
    /* where the program runs in this process */
    void *library;
    pn_run_inside *run_inside;
    size_t regions_written; /* of the layout, which only grows */
};

/* ---- the shared mapping ---- */

static size_t place_region(uint64_t *offset, size_t end, size_t size)
{
    *offset = (end + 4095) & ~(size_t)4095;
    return *offset + size;
}

/* Sparse: only what runs touch takes memory. */
static int make_mapping(struct target *target, struct error *error)
{
    struct pn_trace header = {.magic = PN_TRACE_MAGIC,
                              .event_capacity = EVENT_CAPACITY,
                              .node_capacity = target->limits.node_capacity,
                              .object_capacity = OBJECT_CAPACITY,
                              .data_capacity = DATA_CAPACITY,
                              .constants_capacity = CONSTANTS_CAPACITY,
                              .most_selected = target->limits.most_selected,
                              .alone = target->limits.alone};
    size_t end = place_region(&header.events_offset, sizeof header, EVENT_CAPACITY * sizeof(struct pn_event));
    end = place_region(&header.nodes_offset, end, header.node_capacity * sizeof(struct pn_node));
    end = place_region(&header.objects_offset, end, OBJECT_CAPACITY * sizeof(struct pn_object));
    end = place_region(&header.data_offset, end, DATA_CAPACITY);
    end = place_region(&header.constants_offset, end, CONSTANTS_CAPACITY * sizeof(uint64_t));
    header.mapping_size = target->mapping_size = end;
    int file = memfd_create("penumbra-trace", MFD_CLOEXEC);
    if (file < 0 || ftruncate(file, (off_t)end)) {
        error_set(error, "the trace's shared memory cannot be made: %s", strerror(errno));
        return -1;
    }
    target->trace = mmap(NULL, end, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (target->trace == MAP_FAILED) {
        target->trace = NULL;
        close(file);
        error_set(error, "the trace's %zu MB of address space are refused: %s; allow them with 'ulimit -v unlimited'",
                  end >> 20, strerror(errno));
        return -1;
    }
    memcpy(target->trace, &header, offsetof(struct pn_trace, input_regions));
    return file;
}

/* ---- the server process ---- */

/* In the child: the three descriptors to their agreed numbers, everything else away from the terminal. */
__attribute__((noreturn)) static void become_server(const char *executable, const char *scratch, int mapping,
                                                    int commands, int answers)
{
    struct rlimit no_core = {0, 0};
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setpgid(0, 0); /* Ctrl-C is for the explorer, which keeps what was found */
    setrlimit(RLIMIT_CORE, &no_core);
    int nothing = open("/dev/null", O_RDWR);
    dup2(nothing, STDIN_FILENO);
    dup2(nothing, STDOUT_FILENO);
    dup2(mapping, PN_TRACE_DESCRIPTOR);
    dup2(commands, PN_COMMAND_DESCRIPTOR);
    dup2(answers, PN_ANSWER_DESCRIPTOR);
    if (scratch) {
        setenv("TMPDIR", scratch, 1);
        setenv("HOME", scratch, 1);
    }
    if (scratch && !confine_self(scratch))
        perror("the program cannot be confined");
    else
        execl(executable, executable, (char *)NULL);
    _exit(127);
}

static bool read_answer(const struct target *target, int32_t *answer)
{
    return read(target->answers, answer, sizeof *answer) == sizeof *answer;
}

static bool start_server(struct target *target, const char *executable, int mapping, struct error *error)
{
    int commands[2], answers[2], complaints[2];
    if (pipe2(commands, O_CLOEXEC) || pipe2(answers, O_CLOEXEC) || pipe2(complaints, O_CLOEXEC))
        return error_set(error, "no pipe for the instrumented program: %s", strerror(errno));
    target->server = fork();
    if (target->server < 0)
        return error_set(error, "the instrumented program cannot be started: %s", strerror(errno));
    if (target->server == 0) {
        dup2(complaints[1], STDERR_FILENO);
        become_server(executable, target->limits.scratch, mapping, commands[0], answers[1]);
    }
    close(commands[0]), close(answers[1]), close(complaints[1]);
    target->commands = commands[1];
    target->answers = answers[0];
    int32_t ready;
    bool started = read_answer(target, &ready);
    if (!started) {
        char why[1024] = "";
        ssize_t length = read(complaints[0], why, sizeof why - 1);
        why[length > 0 ? length : 0] = '\0';
        error_set(error, "the instrumented program did not start: %s", *why ? why : "no reason given");
    }
    close(complaints[0]); /* what the program itself prints goes nowhere */
    return started;
}

struct target *target_start(const char *executable, const struct target_limits *limits, struct error *error)
{
    struct target *target = calloc(1, sizeof *target);
    target->limits = *limits;
    target->commands = target->answers = -1;
    signal(SIGPIPE, SIG_IGN);
    int mapping = make_mapping(target, error);
    bool good = mapping >= 0 && start_server(target, executable, mapping, error);
    if (mapping >= 0)
        close(mapping);
    if (good)
        return target;
    target_stop(target);
    return NULL;
}

/* ---- the library ---- */

static bool load(struct target *target, const char *library, int mapping, struct error *error)
{
    static bool loaded; /* the labels' memory is there once for all of them */
    target->trace->shadow_reserved = loaded;
    dup2(mapping, PN_TRACE_DESCRIPTOR);
    target->library = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    close(PN_TRACE_DESCRIPTOR);
    if (!target->library)
        return error_set(error, "the instrumented program cannot be loaded: %s", dlerror());
    loaded = true;
    *(void **)&target->run_inside = dlsym(target->library, PN_RUN_INSIDE);
    return target->run_inside || error_set(error, "%s lacks %s: rebuild penumbra", library, PN_RUN_INSIDE);
}

struct target *target_load(const char *library, const struct target_limits *limits, struct error *error)
{
    struct target *target = calloc(1, sizeof *target);
    target->limits = *limits;
    target->commands = target->answers = -1;
    int mapping = make_mapping(target, error);
    bool good = mapping >= 0 && load(target, library, mapping, error);
    if (mapping >= 0)
        close(mapping);
    if (good)
        return target;
    target_stop(target);
    return NULL;
}

void target_stop(struct target *target)
{
    if (!target)
        return;
    if (target->commands >= 0)
        close(target->commands);
    if (target->answers >= 0)
        close(target->answers);
    if (target->server > 0) {
        kill(target->server, SIGKILL);
        waitpid(target->server, NULL, 0);
    }
    if (target->trace)
        munmap(target->trace, target->mapping_size);
    free(target);
}

/* ---- one run ---- */

static void write_input(struct target *target, const struct input_layout *layout, const uint8_t *input)
{
    struct pn_trace *trace = target->trace;
    trace->input_region_count = (uint32_t)target->regions_written;
    for (size_t i = target->regions_written; i < layout->count && i < PN_INPUT_REGIONS; i++) {
        const struct input_parameter *parameter = &layout->parameters[i];
        struct pn_input_region *region = &trace->input_regions[trace->input_region_count++];
        memset(region, 0, sizeof *region);
        strncpy(region->name, parameter->name, sizeof region->name - 1);
        region->element_size = parameter->element_size;
        region->offset = (uint32_t)parameter->offset;
        region->size = (uint32_t)(parameter->element_size * parameter->element_count);
    }
    target->regions_written = trace->input_region_count;
    trace->input_size = (uint32_t)layout->size;
    memcpy(trace->input, input, layout->size);
}

/* Nodes stay where the next run can meet them again, until there are too many. */
static void reset(struct target *target)
{
    struct pn_trace *trace = target->trace;
    bool keep_nodes = target->run_inside && trace->node_count > 1 && trace->node_count < trace->node_capacity / 2;
    trace->event_count = trace->data_size = 0;
    trace->object_count = 1; /* 0 means none */
    trace->node_count = keep_nodes ? trace->node_count : 1;
    trace->constants_size = keep_nodes ? trace->constants_size : 0;
    trace->ending = PN_RUNNING;
    trace->lost = trace->diverged = trace->stale_labels = 0;
}

static void learn_regions(struct input_layout *layout, const struct pn_trace *trace)
{
    for (size_t i = layout->count; i < trace->input_region_count; i++) {
        const struct pn_input_region *region = &trace->input_regions[i];
        input_layout_learn(layout, region->name, region->size);
    }
}

/* The limit is of the run's own time, so that a busy machine decides nothing; a run that only waits has more of it. */
enum { WAITING_FACTOR = 4 };

/* Waits for the child's end, killing it when a limit is passed. */
static bool await_end(const struct target *target, pid_t child, struct run *run, int32_t *status)
{
    double deadline = clock_seconds() + WAITING_FACTOR * target->limits.run_seconds;
    struct pollfd answers = {target->answers, POLLIN, 0};
    bool killed = false;
    while (poll(&answers, 1, PATIENCE_MILLISECONDS) == 0 || !(answers.revents & (POLLIN | POLLHUP))) {
        if (killed)
            continue;
        run->timed_out = clock_seconds() > deadline || process_cpu_seconds(child) > target->limits.run_seconds;
        run->out_of_memory = process_resident_bytes(child) > target->limits.memory_bytes;
        killed = run->timed_out || run->out_of_memory;
        if (killed)
            kill(child, SIGKILL);
    }
    return read_answer(target, status);
}

static void run_here(struct target *target, struct run *run)
{
    struct pn_inside_run here = {.seconds = target->limits.run_seconds, .memory_bytes = target->limits.memory_bytes};
    run->nodes_persist = target->trace->node_count > 1;
    target->run_inside(&here);
    run->signal = here.signal;
    run->exit_status = here.exit_status;
    run->timed_out = here.timed_out;
    run->out_of_memory = here.out_of_memory;
}

bool target_run(struct target *target, struct input_layout *layout, const uint8_t *input, struct run *run,
                struct error *error)
{
    int32_t child, status;
    *run = (struct run){.trace = target->trace};
    if (layout->size > PN_INPUT_BYTES)
        return error_set(error, "the input has %zu bytes, more than the %d that fit: choose a smaller --size",
                         layout->size, PN_INPUT_BYTES);
    write_input(target, layout, input);
    reset(target);
    if (target->limits.scratch && !target->run_inside) /* every run begins in the same world */
        file_empty_directory(target->limits.scratch);
    if (target->run_inside) {
        run_here(target, run);
        learn_regions(layout, target->trace);
        return true;
    }
    if (write(target->commands, "r", 1) != 1 || !read_answer(target, &child) || !await_end(target, child, run, &status))
        return error_set(error, "the instrumented program's server has died");
    run->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    run->exit_status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    learn_regions(layout, target->trace);
    return true;
}
