/* Before the program starts: the reservation of shadow memory and the trace. Without an explorer (the program was
 * started by hand) the trace is private and nobody reads it. */
#include "execute/serve.h"
#include "runtime/runtime.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

struct pn_trace *pn_trace;
struct pn_node *pn_nodes;

static void give_up(const char *sentence)
{
    fprintf(stderr, "penumbra runtime: %s\n", sentence);
    syscall(SYS_exit_group, 2); /* _exit() may be the program's: see inside.c */
}

static void reserve(uint64_t base, uint64_t size)
{
    void *wanted = (void *)(uintptr_t)base;
    void *memory = mmap(wanted, size, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    if (memory != wanted && errno == EEXIST && pn_trace->shadow_reserved)
        return; /* another program in this process has it: they take turns */
    if (memory != wanted)
        give_up("the system refused to reserve 84 TiB of address space for labels; allow it with "
                "'ulimit -v unlimited' and vm.overcommit_memory 0 or 1");
    madvise(memory, size, MADV_DONTDUMP);
    madvise(memory, size, MADV_NOHUGEPAGE);
}

static struct pn_trace *map_shared_trace(void)
{
    struct stat status;
    if (fstat(SERVE_TRACE, &status) || status.st_size < (off_t)sizeof(struct pn_trace))
        return NULL;
    struct pn_trace *trace = mmap(NULL, (size_t)status.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, SERVE_TRACE, 0);
    if (trace == MAP_FAILED)
        give_up("the trace could not be mapped");
    close(SERVE_TRACE); /* or the program could write to it */
    struct pn_trace *here = (struct pn_trace *)(uintptr_t)trace->mapped_at;
    bool is_trace = trace->magic == PN_TRACE_MAGIC;
    if (is_trace && !here)
        return trace;
    munmap(trace, (size_t)status.st_size);
    return is_trace ? here : NULL;
}

/* Touched only as far as a run needs it. */
static struct pn_trace *make_private_trace(void)
{
    size_t header = (sizeof(struct pn_trace) + 4095) & ~(size_t)4095, region = 1 << 28;
    struct pn_trace *trace =
        mmap(NULL, header + 5 * region, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (trace == MAP_FAILED)
        give_up("not enough memory");
    trace->events_offset = header;
    trace->nodes_offset = header + region;
    trace->objects_offset = header + 2 * region;
    trace->data_offset = header + 3 * region;
    trace->event_capacity = (uint32_t)(region / sizeof(struct pn_event));
    trace->node_capacity = (uint32_t)(region / sizeof(struct pn_node));
    trace->object_capacity = (uint32_t)(region / sizeof(struct pn_object));
    trace->data_capacity = (uint32_t)region;
    trace->constants_offset = header + 4 * region;
    trace->constants_capacity = (uint32_t)(region / sizeof(uint64_t));
    trace->node_count = trace->object_count = 1;
    return trace;
}

static void note_exit(void)
{
    if (pn_trace->ending != PN_RUNNING)
        return;
    pn_compare_streams();
    pn_trace->ending = PN_EXITED;
}

__attribute__((constructor(101))) void pn_start(void)
{
    if (pn_trace)
        return;
    pn_trace = map_shared_trace();
    if (!pn_trace)
        pn_trace = make_private_trace();
    pn_nodes = pn_trace_nodes(pn_trace);
    pn_events_reset();
    pn_sort_globals();
    reserve(PN_LABELS_BASE, PN_LABELS_SIZE);
    reserve(PN_PRESENCE_BASE, PN_PRESENCE_SIZE);
    reserve(PN_BLOCKS_BASE, PN_BLOCKS_SIZE);
    atexit(note_exit);
    pn_watch_faults();
}
