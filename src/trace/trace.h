/* The trace: the only thing that the runtime (inside the program under test) and the explorer share.
 *
 * One file mapping, made by the explorer and inherited by the program, holds the input of the next run and everything
 * the run leaves behind. It survives a crash of the program: what was recorded before the crash is there.
 *
 *   header | inputs | events | nodes | objects | data | constants        (each region sparse, touched as far as used)
 *
 * - A *node* says how a value depends on the input and how it differs between the versions. Children have smaller
 *   indices than their parents, so a loop over the table visits children first. Index 0 means "concrete, the same in
 *   both versions" and is never stored.
 * - A *label* is what travels beside a value. In registers it is a node's index; in memory every byte has one,
 *   `node << 3 | byte`, saying which byte of the node's value it is.
 * - An *event* is something the explorer must know about, in order of execution: decisions, checks, assumptions,
 *   concretisations, outputs. */
#ifndef PENUMBRA_TRACE_TRACE_H
#define PENUMBRA_TRACE_TRACE_H

#include "trace/operation.h"

#include <stddef.h>
#include <stdint.h>

#define PN_TRACE_MAGIC UINT64_C(0x31617262756e6550) /* "Penubra1" */
enum pn_node_flags {
    PN_SYMBOLIC = 1, /* depends on the input */
    PN_SHADOWED = 2, /* a shadow node is below it (not hidden under PN_OLD or PN_NEW) */
};

struct pn_node {
    uint8_t operation; /* enum pn_operation */
    uint8_t width;     /* bits */
    uint8_t flags;
    uint8_t reserved;
    uint32_t a, b, c; /* children, or what the operation's row says */
    uint64_t new_value, old_value;
};

/* What a PN_LOOKUP chooses from. The operation's `b` says where in the region of constants it lies, in words. */
struct pn_constants {
    uint32_t count, hash;
    uint64_t values[];
};

static inline uint32_t pn_hash_constants(const uint64_t *values, uint32_t count)
{
    uint64_t hash = count;
    for (uint32_t i = 0; i < count; i++)
        hash = (hash ^ values[i]) * UINT64_C(0x9e3779b97f4a7c15);
    return (uint32_t)(hash >> 32);
}

/* Labels that go along with a call at most, one for each part of each argument. */
enum { PN_MAXIMUM_ARGUMENTS = 64 };

enum pn_side { PN_SIDE_BOTH = 0, PN_SIDE_OLD = 1, PN_SIDE_NEW = 2 };

enum pn_event_kind {
    PN_EVENT_BRANCH = 1, /* node: the condition, width 1 */
    PN_EVENT_CHECK,      /* node: "this operation is defined", width 1; outcome 0 is a failure */
    PN_EVENT_ASSUME,     /* node: the assumed condition; outcome 0 ends the run */
    PN_EVENT_SIGNED,     /* node: an addition, subtraction or multiplication that C leaves undefined on overflow */
    PN_EVENT_CONCRETISE, /* node: value == the run's value, width 1: from here on the path is bound to it */
    PN_EVENT_CHANGE,     /* a change() was reached, for the first time; node 0 */
    PN_EVENT_OUTPUT,     /* value: offset of a struct pn_output in the data region */
    PN_EVENT_EXTERNAL,   /* shadowed data left the program: a conservative divergence */
    PN_EVENT_LEAVE,      /* one version (part: enum pn_side) leaves its own code for another place: a divergence */
    PN_EVENT_EFFECT,     /* the versions are apart, and this one may have done something visible; node 0 */
    PN_EVENT_UNMODELLED, /* symbolic data left the program unseen: precision was lost here; node 0 */
};

struct pn_event {
    uint8_t kind;        /* enum pn_event_kind */
    uint8_t side;        /* enum pn_side: whose decision it is */
    uint8_t new_outcome; /* of the condition in the new version */
    uint8_t old_outcome; /* and in the old one */
    uint32_t site;       /* where in the source: index into the instrumenter's site table */
    uint32_t node;
    uint32_t part;   /* which of a site's several decisions: the case of a switch, the reason of a check */
    uint32_t object; /* the object a bounds check concerns, else 0 */
    uint64_t value;  /* of an output: where it is; else the site of the call, for events in models of the C library */
};

/* In `part`, with a target: which one the old version takes, decided before the versions' common chain of targets. */
enum { PN_OLD_TARGET = 1 << 24 };

/* Why a check fails: `part` of PN_EVENT_CHECK. */
enum pn_check {
    PN_CHECK_DIVISION = 1,
    PN_CHECK_BOUNDS,
    PN_CHECK_FREED,
    PN_CHECK_FAULT,   /* an address that cannot be read, a stack that is used up */
    PN_CHECK_ENDED,   /* abort, exit or a failed assertion in the old version's own code */
    PN_CHECK_ENDLESS, /* the old version's own code does not end */
    PN_CHECK_BEYOND,  /* bounds of an object of which a caller may have more */
};

static inline const char *pn_check_name(uint32_t why)
{
    switch (why) {
    case PN_CHECK_DIVISION: return "division by zero";
    case PN_CHECK_FREED: return "use of a freed block";
    case PN_CHECK_FAULT: return "access to an address that is not there";
    case PN_CHECK_ENDED: return "abort";
    case PN_CHECK_ENDLESS: return "endless loop";
    default: return "out-of-bounds access";
    }
}

struct pn_output {
    uint32_t name_length, size;
    uint32_t element; /* 4 or 8: it consists of floating-point numbers of so many bytes; 0: of anything */
    /* followed by: name, new bytes [size], old bytes [size], padding to 4, memory labels [size] */
};

struct pn_object {
    uint64_t base, size;
    uint32_t kind; /* enum pn_object_kind */
    uint32_t reserved;
};

enum pn_object_kind { PN_OBJECT_GLOBAL = 1, PN_OBJECT_STACK, PN_OBJECT_HEAP };

/* A named piece of the input. The explorer fills in what it knows; a run that meets a name it was not given appends it
 * with the bytes that stood in the variable. */
struct pn_input_region {
    char name[116];
    uint32_t element_size; /* 1, 2, 4 or 8 bytes, read together as a rule */
    uint32_t offset, size;
};

enum { PN_INPUT_REGIONS = 4096, PN_INPUT_BYTES = 1 << 20 };

/* Blocks of a program that tells which of them it executes; a larger one does not tell. */
enum { PN_COVERED_BLOCKS = 1 << 16 };

/* How the run ended, as far as the program itself could tell: exit and signals are the fork server's to report. */
enum pn_ending {
    PN_RUNNING = 0,  /* still there when the process died: a crash */
    PN_COMPLETED,    /* the entry returned */
    PN_EXITED,       /* the program called exit */
    PN_CHECK_FAILED, /* the last event is the failed check, in the version that runs natively */
    PN_ASSUMPTION_FAILED,
};

/* A table ran full; or what the run has written is no trace. */
enum pn_loss { PN_LOSS_NODES = 1, PN_LOSS_EVENTS = 2, PN_LOSS_DATA = 4, PN_LOSS_OBJECTS = 8, PN_LOSS_DAMAGED = 16 };

struct pn_trace {
    uint64_t magic;
    uint64_t mapping_size;
    /* where the regions lie, as offsets from the header, and how much fits */
    uint64_t events_offset, nodes_offset, objects_offset, data_offset, constants_offset;
    uint32_t event_capacity, node_capacity, object_capacity, data_capacity;
    uint32_t constants_capacity; /* in words of eight bytes */
    uint32_t most_selected;      /* objects of more elements are not read as a whole through an address */
    uint32_t alone;              /* the program is one version only: there is no other that it could go along with */
    uint32_t shadow_reserved;    /* the process has the labels' memory already, from another program in it */
    uint64_t mapped_at;          /* where this process has the trace itself, of which the file is a copy; 0: nowhere */
    /* set by the explorer for each run */
    uint32_t input_region_count, input_size;
    /* set by the run */
    uint32_t event_count, node_count, object_count, data_size;
    uint32_t constants_size; /* kept from run to run together with the nodes */
    uint32_t ending;         /* enum pn_ending */
    uint32_t lost;           /* enum pn_loss, or-ed */
    uint32_t diverged;       /* 1 + index of the event at which the versions went apart; 0: they did not */
    uint32_t stale_labels;   /* labels dropped because the native value was another */
    uint32_t threads;        /* that were started */
    uint64_t given_used[2];  /* bits: which of what the run was given (__pn_give()) it has opened or asked about */
    struct pn_input_region input_regions[PN_INPUT_REGIONS];
    uint8_t input[PN_INPUT_BYTES];
    /* set by the run: blocks that were executed, in the order of the first time, and whether a block was */
    uint32_t covered_count;
    uint16_t covered_list[PN_COVERED_BLOCKS];
    uint8_t covered[PN_COVERED_BLOCKS];
};

static inline struct pn_event *pn_trace_events(struct pn_trace *trace)
{
    return (struct pn_event *)((char *)trace + trace->events_offset);
}
static inline struct pn_node *pn_trace_nodes(struct pn_trace *trace)
{
    return (struct pn_node *)((char *)trace + trace->nodes_offset);
}
static inline struct pn_object *pn_trace_objects(struct pn_trace *trace)
{
    return (struct pn_object *)((char *)trace + trace->objects_offset);
}
static inline struct pn_constants *pn_trace_constants(struct pn_trace *trace, uint32_t word)
{
    return (struct pn_constants *)((char *)trace + trace->constants_offset + word * UINT64_C(8));
}
static inline char *pn_trace_data(struct pn_trace *trace)
{
    return (char *)trace + trace->data_offset;
}

#endif
