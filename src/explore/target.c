/* The explorer's end of the program: of its fork server, or of the library that runs in this process. */
#include "explore/target.h"
#include "base/clock.h"
#include "execute/serve.h"
#include "execute/server.h"
#include "explore/received.h"
#include "trace/inside.h"

#include <dlfcn.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
    OBJECT_CAPACITY = 1 << 16,
    DATA_CAPACITY = 1 << 28,
    CONSTANTS_CAPACITY = 1 << 24,
};

struct target {
    struct pn_trace *trace;
    char header[offsetof(struct pn_trace, input_region_count)]; /* of the trace, as it was made */
    size_t mapping_size;
    struct target_limits limits;
    struct server *server;
    /* where the program runs in this process */
    void *library;
    pn_run_inside *run_inside;
    size_t regions_written; /* of the layout, which only grows */
    double patience;        /* seconds for the next run */
    double latest;          /* when runs are stopped; 0: never */
    double longest;         /* run that has ended by itself */
};

/* ---- the shared mapping ---- */

static size_t place_region(uint64_t *offset, size_t end, size_t size)
{
    *offset = (end + 4095) & ~(size_t)4095;
    return *offset + size;
}

/* For a program in this process the memory is its own, so that a fork() makes another one of it; the file only says
 * where it is. */
static struct pn_trace *map(int file, size_t size, bool is_inside)
{
    return is_inside ? mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
                     : mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
}

/* Sparse: only what runs touch takes memory. */
static int make_mapping(struct target *target, bool is_inside, struct error *error)
{
    struct pn_trace header = {.magic = PN_TRACE_MAGIC,
                              .event_capacity = target->limits.event_capacity,
                              .node_capacity = target->limits.node_capacity,
                              .object_capacity = OBJECT_CAPACITY,
                              .data_capacity = DATA_CAPACITY,
                              .constants_capacity = CONSTANTS_CAPACITY,
                              .most_selected = target->limits.most_selected,
                              .alone = target->limits.alone};
    size_t end = place_region(&header.events_offset, sizeof header, header.event_capacity * sizeof(struct pn_event));
    end = place_region(&header.nodes_offset, end, header.node_capacity * sizeof(struct pn_node));
    end = place_region(&header.objects_offset, end, OBJECT_CAPACITY * sizeof(struct pn_object));
    end = place_region(&header.data_offset, end, DATA_CAPACITY);
    end = place_region(&header.constants_offset, end, CONSTANTS_CAPACITY * sizeof(uint64_t));
    header.mapping_size = target->mapping_size = end;
    int file = server_make_memory("penumbra-trace", end);
    if (file < 0) {
        error_set(error, "the trace's shared memory cannot be made: %s", strerror(errno));
        return -1;
    }
    target->trace = map(file, end, is_inside);
    if (target->trace == MAP_FAILED) {
        target->trace = NULL;
        close(file);
        error_set(error, "the trace's %zu MB of address space are refused: %s; allow them with 'ulimit -v unlimited'",
                  end >> 20, strerror(errno));
        return -1;
    }
    memcpy(target->trace, &header, offsetof(struct pn_trace, input_regions));
    memcpy(target->header, &header, sizeof target->header);
    header.mapped_at = (uintptr_t)target->trace;
    if (!is_inside || pwrite(file, &header, sizeof target->header, 0) == sizeof target->header)
        return file;
    close(file);
    error_set(error, "the trace's shared memory cannot be written: %s", strerror(errno));
    return -1;
}

/* ---- the server process ---- */

struct target *target_start(const char *executable, const struct target_limits *limits, struct error *error)
{
    struct target *target = calloc(1, sizeof *target);
    target->limits = *limits;
    target->patience = limits->run_seconds;
    int mapping = make_mapping(target, false, error);
    struct process_limits run_limits = server_limits(limits->run_seconds, limits->memory_bytes);
    struct server_request request = {.world = limits->world,
                                     .executable = executable,
                                     .trace = mapping,
                                     .keeps_addresses = true, /* conditions name them, and workers go on with these */
                                     .is_silent = true};
    if (mapping >= 0) {
        target->server = server_start(&request, &run_limits, error);
        close(mapping);
    }
    const struct process_result *end = target->server ? server_early_end(target->server) : NULL;
    if (end)
        error_set(error, "the instrumented program did not start: %s",
                  end->errors.length ? text_string(&end->errors) : "no reason given");
    else if (target->server)
        return target;
    target_stop(target);
    return NULL;
}

/* ---- the library ---- */

static bool load(struct target *target, const char *library, int mapping, struct error *error)
{
    static bool loaded; /* the labels' memory is there once for all of them */
    target->trace->shadow_reserved = loaded;
    dup2(mapping, SERVE_TRACE);
    target->library = dlopen(library, RTLD_NOW | RTLD_LOCAL);
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
    target->patience = limits->run_seconds;
    int mapping = make_mapping(target, true, error);
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
    server_stop(target->server);
    if (target->trace)
        munmap(target->trace, target->mapping_size);
    free(target);
}

const struct pn_trace *target_trace(const struct target *target)
{
    return target->trace;
}

/* ---- one run ---- */

static void write_input(struct target *target, const struct input_layout *layout, const uint8_t *input, size_t size)
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
    size = size < layout->size ? size : layout->size;
    memcpy(trace->input, input, size);
    memset(trace->input + size, 0, layout->size - size);
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
    for (uint32_t i = 0; i < trace->covered_count && i < PN_COVERED_BLOCKS; i++)
        trace->covered[trace->covered_list[i]] = 0;
    trace->covered_count = 0;
    trace->ending = PN_RUNNING;
    trace->lost = trace->diverged = trace->stale_labels = trace->threads = 0;
    trace->given_used[0] = trace->given_used[1] = 0;
}

static void learn_regions(struct input_layout *layout, const struct pn_trace *trace)
{
    for (size_t i = layout->count; i < trace->input_region_count; i++) {
        const struct pn_input_region *region = &trace->input_regions[i];
        input_layout_learn(layout, region->name, region->size);
    }
}

static void run_here(struct target *target, struct run *run)
{
    struct pn_inside_run here = {
        .seconds = target->patience, .latest = target->latest, .memory_bytes = target->limits.memory_bytes};
    run->nodes_persist = target->trace->node_count > 1;
    target->run_inside(&here);
    run->signal = here.signal;
    run->exit_status = here.exit_status;
    run->timed_out = here.timed_out;
    run->out_of_memory = here.out_of_memory;
}

void target_stop_at(struct target *target, double moment)
{
    target->latest = moment;
}

static bool run_there(struct target *target, struct run *run, struct error *error)
{
    struct process_limits limits = server_limits(target->patience, target->limits.memory_bytes);
    struct process_result result;
    limits.latest = target->latest;
    if (!server_run(target->server, NULL, 0, &limits, &result, error))
        return false;
    memcpy(target->trace, target->header, sizeof target->header);
    received_cut(target->trace);
    run->signal = result.signal;
    run->exit_status = result.exit_status;
    run->timed_out = result.timed_out;
    run->out_of_memory = result.out_of_memory || result.too_many_processes;
    process_result_free(&result);
    return true;
}

/* Where one run does not end, others will not: each costs half as much as the one before, down to a small share of the
 * limit, as long as that is far from what any run has needed that did end. */
static void learn_patience(struct target *target, const struct run *run, double seconds)
{
    const double least_share = 0.05, margin = 20, step = 0.5;
    double most = target->limits.run_seconds;
    if (!run->timed_out && seconds > target->longest)
        target->longest = seconds;
    if (run->timed_out)
        target->patience *= step;
    target->patience = fmin(fmax(target->patience, fmax(most * least_share, target->longest * margin)), most);
}

bool target_run(struct target *target, struct input_layout *layout, const uint8_t *input, size_t size, struct run *run,
                struct error *error)
{
    *run = (struct run){.trace = target->trace};
    if (layout->size > PN_INPUT_BYTES)
        return error_set(error, "the input has %zu bytes, more than the %d that fit: choose a smaller --size",
                         layout->size, PN_INPUT_BYTES);
    if (target->server) /* what the last run may have written over */
        target->regions_written = 0;
    write_input(target, layout, input, size);
    reset(target);
    double start = clock_seconds();
    if (target->run_inside)
        run_here(target, run);
    else if (!run_there(target, run, error))
        return false;
    learn_patience(target, run, clock_seconds() - start);
    if (target->trace->lost & PN_LOSS_DAMAGED)
        write_input(target, layout, input, size);
    else
        learn_regions(layout, target->trace);
    return true;
}
