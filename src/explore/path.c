/* Reading a trace. Nodes are visited in the order of the table, children first, and become one expression for each
 * version; where no shadow is below a node the two are the same. */
#include "explore/path.h"

#include <stdlib.h>
#include <string.h>

/* For every node: what it is in the new and in the old version. */
struct versions {
    expr_id *in_new, *in_old;
};

static const unsigned char arity_of[] = {
#define ARITY(enumerator, name, arity, symbol) arity,
    PN_OPERATIONS(ARITY)
#undef ARITY
};

static expr_id make(struct expr_table *table, const struct pn_node *node, const expr_id *children)
{
    unsigned arity = arity_of[node->operation];
    uint32_t b = arity > 1 ? children[node->b] : node->b, c = arity > 2 ? children[node->c] : 0;
    return expr_make(table, node->operation, node->width, children[node->a], b, c);
}

static void read_node(const struct pn_node *nodes, uint32_t index, struct expr_table *table, struct versions *versions)
{
    const struct pn_node *node = &nodes[index];
    expr_id *in_new = &versions->in_new[index], *in_old = &versions->in_old[index];
    switch (node->operation) {
    case PN_CONSTANT:
    case PN_POINTER: *in_new = *in_old = expr_constant(table, node->width, node->new_value); break;
    case PN_INPUT: *in_new = *in_old = expr_input(table, node->a); break;
    case PN_SHADOW:
        *in_new = versions->in_new[node->b];
        *in_old = versions->in_old[node->a];
        break;
    case PN_OLD: *in_new = *in_old = versions->in_old[node->a]; break;
    case PN_NEW: *in_new = *in_old = versions->in_new[node->a]; break;
    default:
        *in_new = make(table, node, versions->in_new);
        *in_old = node->flags & PN_SHADOWED ? make(table, node, versions->in_old) : *in_new;
        break;
    }
}

static void read_nodes(struct pn_trace *trace, struct expr_table *table, struct versions *versions)
{
    const struct pn_node *nodes = pn_trace_nodes(trace);
    versions->in_new = calloc(trace->node_count, sizeof *versions->in_new);
    versions->in_old = calloc(trace->node_count, sizeof *versions->in_old);
    for (uint32_t i = 1; i < trace->node_count; i++)
        read_node(nodes, i, table, versions);
}

/* ---- signed operations that must not overflow ---- */

struct overflow_reader {
    struct path *path;
    struct expr_table *table;
    const struct versions *versions;
    const struct pn_node *nodes;
    uint32_t next, divergence_node; /* nodes from here on are the new version's alone */
    size_t capacity;
};

static void add_overflow(struct overflow_reader *reader, const struct pn_node *node, const expr_id *children)
{
    expr_id condition = expr_no_signed_overflow(reader->table, node->operation, children[node->a], children[node->b]);
    uint64_t value;
    struct path *path = reader->path;
    if (expr_is_constant(reader->table, condition, &value) && value)
        return;
    path->overflow = array_reserve(path->overflow, &reader->capacity, path->overflow_count + 1, sizeof *path->overflow);
    path->overflow[path->overflow_count++] = condition;
}

static void read_overflow_until(struct overflow_reader *reader, uint32_t end)
{
    for (; reader->next < end; reader->next++) {
        const struct pn_node *node = &reader->nodes[reader->next];
        if (!(node->flags & PN_NO_WRAP))
            continue;
        if (node->side != PN_SIDE_OLD)
            add_overflow(reader, node, reader->versions->in_new);
        if (node->side != PN_SIDE_NEW && node->flags & PN_SHADOWED && reader->next < reader->divergence_node)
            add_overflow(reader, node, reader->versions->in_old);
        else if (node->side == PN_SIDE_OLD)
            add_overflow(reader, node, reader->versions->in_old);
    }
}

/* ---- outputs ---- */

/* "Some byte differs": whole nodes are compared as wholes. */
static expr_id output_difference(const uint32_t *labels, size_t size, const struct pn_node *nodes,
                                 struct expr_table *table, const struct versions *versions)
{
    expr_id any = expr_constant(table, 1, 0);
    bool shadowed = false;
    for (size_t i = 0; i < size;) {
        uint32_t index = labels[i] >> 3, byte = labels[i] & 7;
        const struct pn_node *node = &nodes[index];
        size_t length = 1;
        if (!index || !(node->flags & PN_SHADOWED)) {
            i++;
            continue;
        }
        while (byte + length < node->width / 8u && i + length < size && labels[i + length] == labels[i] + length)
            length++;
        unsigned width = (unsigned)length * 8;
        expr_id in_new = expr_make(table, PN_EXTRACT, width, versions->in_new[index], byte * 8, 0);
        expr_id in_old = expr_make(table, PN_EXTRACT, width, versions->in_old[index], byte * 8, 0);
        any = expr_or(table, any, expr_not(table, expr_make(table, PN_EQ, 1, in_new, in_old, 0)));
        shadowed = true;
        i += length;
    }
    return shadowed ? any : 0;
}

static void read_output(struct path *path, struct pn_trace *trace, uint64_t offset, struct expr_table *table,
                        const struct versions *versions, size_t *capacity)
{
    const char *record = pn_trace_data(trace) + offset;
    const struct pn_output *header = (const struct pn_output *)record;
    const char *name = record + sizeof *header;
    uint64_t labels_at = (sizeof *header + header->name_length + 2 * (uint64_t)header->size + 3) & ~UINT64_C(3);
    struct path_output output = {.size = header->size};
    output.name = arena_format(path->arena, "%.*s", (int)header->name_length, name);
    uint8_t *bytes = arena_allocate(path->arena, 2 * (size_t)header->size + 1);
    memcpy(bytes, name + header->name_length, 2 * (size_t)header->size);
    output.new_bytes = bytes;
    output.old_bytes = bytes + header->size;
    output.differs =
        output_difference((const uint32_t *)(record + labels_at), header->size, pn_trace_nodes(trace), table, versions);
    path->outputs = array_reserve(path->outputs, capacity, path->output_count + 1, sizeof output);
    path->outputs[path->output_count++] = output;
}

/* ---- the whole ---- */

static struct decision read_decision(const struct pn_event *event, const struct pn_node *nodes,
                                     const struct versions *versions, size_t overflow_count)
{
    const struct pn_node *node = &nodes[event->node];
    return (struct decision){
        .kind = event->kind,
        .side = event->side,
        .site = event->site,
        .part = event->part,
        .new_outcome = event->new_outcome,
        .old_outcome = event->old_outcome,
        .symbolic = node->flags & PN_SYMBOLIC,
        .shadowed = node->flags & PN_SHADOWED || event->side == PN_SIDE_OLD,
        .new_condition = event->node ? versions->in_new[event->node] : 0,
        .old_condition = event->node ? versions->in_old[event->node] : 0,
        .overflow_count = overflow_count,
    };
}

struct path *path_read(const struct run *run, struct expr_table *table, bool assume_no_overflow)
{
    struct pn_trace *trace = run->trace;
    const struct pn_event *events = pn_trace_events(trace);
    struct arena *arena = arena_create();
    struct path *path = arena_allocate(arena, sizeof *path);
    struct versions versions;
    size_t output_capacity = 0;
    *path = (struct path){.arena = arena,
                          .input_size = trace->input_size,
                          .ending = trace->ending,
                          .signal = run->signal,
                          .timed_out = run->timed_out,
                          .out_of_memory = run->out_of_memory,
                          .lost = trace->lost,
                          .stale_labels = trace->stale_labels};
    path->complete = trace->ending == PN_COMPLETED && !trace->lost && !run->signal;
    path->input = arena_allocate(arena, trace->input_size + 1);
    memcpy(path->input, trace->input, trace->input_size);
    path->decisions = arena_allocate(arena, trace->event_count * sizeof *path->decisions);
    read_nodes(trace, table, &versions);
    struct overflow_reader overflow = {
        .path = path,
        .table = table,
        .versions = &versions,
        .nodes = pn_trace_nodes(trace),
        .next = 1,
        .divergence_node = trace->diverged ? events[trace->diverged - 1].node_count : UINT32_MAX,
    };
    for (uint32_t i = 0; i < trace->event_count; i++) {
        if (events[i].kind == PN_EVENT_OUTPUT) {
            read_output(path, trace, events[i].value, table, &versions, &output_capacity);
            continue;
        }
        if (assume_no_overflow)
            read_overflow_until(&overflow, events[i].node_count);
        path->change_reached |= events[i].kind == PN_EVENT_CHANGE;
        if (trace->diverged == i + 1) {
            path->diverged = true;
            path->divergence = path->count;
        }
        path->decisions[path->count++] =
            read_decision(&events[i], pn_trace_nodes(trace), &versions, path->overflow_count);
    }
    if (assume_no_overflow)
        read_overflow_until(&overflow, trace->node_count);
    free(versions.in_new), free(versions.in_old);
    return path;
}

void path_free(struct path *path)
{
    if (!path)
        return;
    free(path->overflow);
    free(path->outputs);
    arena_destroy(path->arena);
}

void conditions_add(struct conditions *conditions, struct expr_table *table, expr_id condition, bool outcome)
{
    uint64_t value;
    expr_id holds = outcome ? condition : expr_not(table, condition);
    if (expr_is_constant(table, holds, &value) && value)
        return;
    conditions->list =
        array_reserve(conditions->list, &conditions->capacity, conditions->count + 1, sizeof *conditions->list);
    conditions->list[conditions->count++] = holds;
}

void decision_conditions(const struct decision *decision, struct expr_table *table, struct conditions *conditions)
{
    if (!decision->new_condition)
        return;
    if (decision->side != PN_SIDE_OLD)
        conditions_add(conditions, table, decision->new_condition, decision->new_outcome);
    if (decision->side != PN_SIDE_NEW &&
        (decision->side == PN_SIDE_OLD || decision->old_condition != decision->new_condition))
        conditions_add(conditions, table, decision->old_condition, decision->old_outcome);
}

void path_key(const struct path *path, struct text *key)
{
    for (size_t i = 0; i < path->count; i++) {
        const struct decision *decision = &path->decisions[i];
        if (decision->kind != PN_EVENT_BRANCH && decision->kind != PN_EVENT_CHECK &&
            decision->kind != PN_EVENT_EXTERNAL && decision->kind != PN_EVENT_LEAVE)
            continue;
        uint32_t step[] = {decision->site, decision->part,
                           (uint32_t)decision->new_outcome | (uint32_t)decision->old_outcome << 1};
        text_append(key, (const char *)step, sizeof step);
    }
    if (path->diverged)
        text_add(key, "d");
}
