/* Reading a trace. Nodes are visited in the order of the table, children first, and become one expression for each
 * version; where no shadow is below a node the two are the same. */
#include "explore/path.h"

#include "base/digest.h"
#include "explore/tolerance.h"

#include <stdlib.h>
#include <string.h>

static expr_id make(struct expr_table *table, const struct pn_node *node, const expr_id *children)
{
    unsigned arity = expr_arity[node->operation];
    uint32_t b = arity > 1 ? children[node->b] : node->b, c = arity > 2 ? children[node->c] : node->c;
    return expr_make(table, node->operation, node->width, children[node->a], b, c);
}

/* Most lookups are in the table of the one before. */
static expr_id make_lookup(struct trace_reader *reader, struct pn_trace *trace, const struct pn_node *node,
                           expr_id index)
{
    if (!reader->constants_known || reader->trace_constants != node->b) {
        const struct pn_constants *constants = pn_trace_constants(trace, node->b);
        reader->constants = expr_add_constants(reader->table, constants->values, constants->count);
        reader->trace_constants = node->b;
        reader->constants_known = true;
    }
    return expr_make(reader->table, PN_LOOKUP, node->width, index, reader->constants, 0);
}

static void read_node(struct pn_trace *trace, uint32_t index, struct trace_reader *reader)
{
    const struct pn_node *node = &pn_trace_nodes(trace)[index];
    struct expr_table *table = reader->table;
    expr_id *in_new = &reader->in_new[index], *in_old = &reader->in_old[index];
    switch (node->operation) {
    case PN_CONSTANT:
    case PN_POINTER: *in_new = *in_old = expr_constant(table, node->width, node->new_value); break;
    case PN_INPUT: *in_new = *in_old = expr_input(table, node->a); break;
    case PN_SHADOW:
        *in_new = reader->in_new[node->b];
        *in_old = reader->in_old[node->a];
        break;
    case PN_OLD: *in_new = *in_old = reader->in_old[node->a]; break;
    case PN_NEW: *in_new = *in_old = reader->in_new[node->a]; break;
    case PN_LOOKUP:
        *in_new = make_lookup(reader, trace, node, reader->in_new[node->a]);
        *in_old = make_lookup(reader, trace, node, reader->in_old[node->a]);
        break;
    default:
        *in_new = make(table, node, reader->in_new);
        *in_old = node->flags & PN_SHADOWED ? make(table, node, reader->in_old) : *in_new;
        break;
    }
}

static void read_nodes(struct trace_reader *reader, const struct run *run)
{
    struct pn_trace *trace = run->trace;
    if (!run->nodes_persist || !reader->count) {
        reader->count = 1;
        reader->constants_known = false;
    }
    if (reader->count >= trace->node_count)
        return;
    reader->in_new = array_reserve(reader->in_new, &reader->new_capacity, trace->node_count, sizeof *reader->in_new);
    reader->in_old = array_reserve(reader->in_old, &reader->old_capacity, trace->node_count, sizeof *reader->in_old);
    for (; reader->count < trace->node_count; reader->count++)
        read_node(trace, (uint32_t)reader->count, reader);
}

void trace_reader_free(struct trace_reader *reader)
{
    free(reader->in_new);
    free(reader->in_old);
    free(reader->events);
    path_free(reader->spare);
}

/* ---- outputs ---- */

/* "Some byte differs": whole nodes are compared as wholes. */
static expr_id output_difference(const uint32_t *labels, size_t size, const struct pn_node *nodes,
                                 const struct trace_reader *reader)
{
    struct expr_table *table = reader->table;
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
        expr_id in_new = expr_make(table, PN_EXTRACT, width, reader->in_new[index], byte * 8, 0);
        expr_id in_old = expr_make(table, PN_EXTRACT, width, reader->in_old[index], byte * 8, 0);
        any = expr_or(table, any, expr_not(table, expr_make(table, PN_EQ, 1, in_new, in_old, 0)));
        shadowed = true;
        i += length;
    }
    return shadowed ? any : 0;
}

/* Some bytes of an output, in one version. */
static expr_id bytes_of(const struct path_output *output, size_t first, const uint32_t *labels,
                        const expr_id *in_version, struct expr_table *table)
{
    expr_id value = 0;
    for (size_t i = first; i < first + output->element; i++) {
        expr_id byte = labels[i] >> 3
                           ? expr_make(table, PN_EXTRACT, 8, in_version[labels[i] >> 3], (labels[i] & 7) * 8, 0)
                           : expr_constant(table, 8, output->new_bytes[i]);
        value = value ? expr_make(table, PN_CONCAT, (unsigned)(i - first + 1) * 8, byte, value, 0) : byte;
    }
    return value;
}

/* "Some number differs." */
static expr_id number_difference(const struct path_output *output, const uint32_t *labels, const struct pn_node *nodes,
                                 const struct trace_reader *reader)
{
    struct expr_table *table = reader->table;
    expr_id any = 0;
    for (size_t i = 0; i < output->size; i += output->element) {
        uint32_t flags = 0;
        for (size_t k = i; k < i + output->element; k++)
            flags |= nodes[labels[k] >> 3].flags;
        if (!(flags & PN_SHADOWED))
            continue;
        expr_id in_new = bytes_of(output, i, labels, reader->in_new, table);
        expr_id in_old = bytes_of(output, i, labels, reader->in_old, table);
        expr_id differs = numbers_differ(table, in_old, in_new, reader->tolerance);
        any = any ? expr_or(table, any, differs) : differs;
    }
    return any;
}

/* The new version's bytes as expressions: bytes of one node together, concrete ones in words. */
static void read_parts(struct path_output *output, const uint32_t *labels, const struct pn_node *nodes,
                       const struct trace_reader *reader, struct arena *arena)
{
    output->parts = arena_allocate(arena, (output->size + 1) * sizeof *output->parts);
    for (size_t i = 0, length; i < output->size; i += length) {
        uint32_t index = labels[i] >> 3, byte = labels[i] & 7;
        uint64_t value = output->new_bytes[i];
        for (length = 1; i + length < output->size && length < 8; length++) {
            if (index ? labels[i + length] != labels[i] + length || byte + length >= nodes[index].width / 8u
                      : labels[i + length] != 0)
                break;
            value |= (uint64_t)output->new_bytes[i + length] << 8 * length;
        }
        unsigned width = (unsigned)length * 8;
        output->parts[output->part_count++] =
            index ? expr_make(reader->table, PN_EXTRACT, width, reader->in_new[index], byte * 8, 0)
                  : expr_constant(reader->table, width, value);
    }
}

static void read_output(struct path *path, struct pn_trace *trace, uint64_t offset, const struct trace_reader *reader)
{
    const char *record = pn_trace_data(trace) + offset;
    const struct pn_output *header = (const struct pn_output *)record;
    const char *name = record + sizeof *header;
    uint64_t labels_at = (sizeof *header + header->name_length + 2 * (uint64_t)header->size + 3) & ~UINT64_C(3);
    struct path_output output = {.size = header->size, .element = header->element, .tolerance = reader->tolerance};
    char *name_copy = arena_allocate(path->arena, header->name_length + 1);
    output.name = memcpy(name_copy, name, header->name_length);
    uint8_t *bytes = arena_allocate(path->arena, 2 * (size_t)header->size + 1);
    memcpy(bytes, name + header->name_length, 2 * (size_t)header->size);
    output.new_bytes = bytes;
    output.old_bytes = bytes + header->size;
    const uint32_t *labels = (const uint32_t *)(record + labels_at);
    const struct pn_node *nodes = pn_trace_nodes(trace);
    output.differs = output.element ? number_difference(&output, labels, nodes, reader)
                                    : output_difference(labels, header->size, nodes, reader);
    if (trace->diverged || reader->alone)
        read_parts(&output, labels, nodes, reader, path->arena);
    path->outputs = array_reserve(path->outputs, &path->output_capacity, path->output_count + 1, sizeof output);
    path->outputs[path->output_count++] = output;
}

/* ---- the whole ---- */

static struct decision read_decision(const struct pn_event *event, const struct pn_node *nodes,
                                     const struct trace_reader *reader)
{
    const struct pn_node *node = &nodes[event->node];
    expr_id in_new = event->node ? reader->in_new[event->node] : 0;
    expr_id in_old = event->node ? reader->in_old[event->node] : 0;
    return (struct decision){
        .kind = event->kind,
        .side = event->side,
        .site = event->site,
        .part = event->part,
        .call = (uint32_t)event->value,
        .new_outcome = event->new_outcome,
        .old_outcome = event->old_outcome,
        .symbolic = node->flags & PN_SYMBOLIC,
        .shadowed = node->flags & PN_SHADOWED || event->side == PN_SIDE_OLD,
        .new_condition = event->side == PN_SIDE_OLD ? in_old : in_new, /* of a version that does not decide, nothing */
        .old_condition = event->side == PN_SIDE_NEW ? in_new : in_old,
    };
}

static expr_id no_overflow(const struct trace_reader *reader, const struct pn_node *node, const expr_id *children)
{
    return expr_no_signed_overflow(reader->table, node->operation, children[node->a], children[node->b]);
}

/* The condition under which a signed operation does not overflow is an assumption. Nothing where it always holds. */
static bool read_signed(const struct path *path, const struct pn_event *event, const struct pn_node *nodes,
                        const struct trace_reader *reader, struct decision *decision)
{
    const struct pn_node *node = &nodes[event->node];
    uint64_t new_holds, old_holds;
    expr_id in_new = event->side != PN_SIDE_OLD ? no_overflow(reader, node, reader->in_new) : 0;
    expr_id in_old = event->side == PN_SIDE_NEW ? in_new
                     : event->side == PN_SIDE_OLD || node->flags & PN_SHADOWED
                         ? no_overflow(reader, node, reader->in_old)
                         : in_new;
    in_new = in_new ? in_new : in_old;
    if (expr_is_constant(reader->table, in_new, &new_holds) && new_holds &&
        expr_is_constant(reader->table, in_old, &old_holds) && old_holds)
        return false;
    bool holds = expr_evaluate(reader->table, in_new, path->input, path->input_size) &&
                 expr_evaluate(reader->table, in_old, path->input, path->input_size);
    *decision = (struct decision){
        .kind = PN_EVENT_ASSUME,
        .new_outcome = holds,
        .old_outcome = holds,
        .symbolic = true,
        .shadowed = in_new != in_old,
        .new_condition = in_new,
        .old_condition = in_old,
    };
    return true;
}

static struct path *take_spare(struct trace_reader *reader)
{
    struct path *path = reader->spare;
    if (!path) {
        path = calloc(1, sizeof *path);
        path->arena = arena_create();
    }
    reader->spare = NULL;
    return path;
}

/* How many decisions of the spare path are the new one's too. Events are the same where their bytes are, as long as
 * nodes keep their indices. */
static size_t count_shared(const struct trace_reader *reader, const struct run *run)
{
    const struct pn_event *events = pn_trace_events(run->trace);
    size_t count = reader->event_count < run->trace->event_count ? reader->event_count : run->trace->event_count;
    size_t shared = 0;
    if (!reader->spare || reader->spare != reader->latest || !run->nodes_persist)
        return 0;
    while (shared < count && !memcmp(&events[shared], &reader->events[shared], sizeof *events))
        shared++;
    return shared;
}

/* Keeps the events for the next run, from the first that may be another on. */
static void keep_events(struct trace_reader *reader, struct path *path, const struct pn_trace *trace)
{
    const struct pn_event *events = (const struct pn_event *)((const char *)trace + trace->events_offset);
    size_t count = path->shared;
    while (count < trace->event_count && events[count].kind != PN_EVENT_OUTPUT && events[count].kind != PN_EVENT_SIGNED)
        count++;
    reader->events = array_reserve(reader->events, &reader->event_capacity, count + 1, sizeof *reader->events);
    memcpy(reader->events + path->shared, events + path->shared, (count - path->shared) * sizeof *events);
    reader->event_count = count;
    reader->latest = path;
}

static struct path *make_path(struct trace_reader *reader, const struct run *run)
{
    const struct pn_trace *trace = run->trace;
    size_t shared = count_shared(reader, run);
    struct path *path = take_spare(reader);
    path->shared = shared;
    path->decisions =
        array_reserve(path->decisions, &path->decision_capacity, trace->event_count + 1, sizeof *path->decisions);
    path->count = shared; /* neither outputs nor signed operations are among them: each event is a decision */
    path->output_count = 0;
    path->diverged = trace->diverged;
    path->divergence = trace->diverged && trace->diverged <= shared ? trace->diverged - 1 : 0;
    path->ending = trace->ending;
    path->signal = run->signal;
    path->exit_status = run->exit_status;
    path->timed_out = run->timed_out;
    path->out_of_memory = run->out_of_memory;
    path->lost = trace->lost;
    path->stale_labels = trace->stale_labels;
    path->threads = trace->threads;
    memcpy(path->given_used, trace->given_used, sizeof path->given_used);
    path->complete = trace->ending == PN_COMPLETED && !trace->lost && !run->signal;
    path->input_size = trace->input_size;
    path->input = arena_allocate(path->arena, trace->input_size + 1);
    memcpy(path->input, trace->input, trace->input_size);
    return path;
}

bool decision_can_flip(const struct decision *decision)
{
    return decision->symbolic && decision->side != PN_SIDE_OLD && decision->new_condition &&
           (decision->kind == PN_EVENT_BRANCH || decision->kind == PN_EVENT_CHECK ||
            decision->kind == PN_EVENT_CONCRETISE);
}

bool path_gets_to(const struct path *path, const struct path *from, size_t index)
{
    return path->count > index && path->decisions[index].site == from->decisions[index].site;
}

bool path_has_outputs(const struct path *path)
{
    return path->complete || (path->ending == PN_EXITED && !path->lost);
}

static unsigned marks_of(const struct decision *decision)
{
    switch (decision->kind) {
    case PN_EVENT_CHANGE: return MARK_CHANGE;
    case PN_EVENT_ASSUME: return decision->new_outcome ? 0 : MARK_REJECTED;
    case PN_EVENT_CONCRETISE: return MARK_LOSS | (decision->symbolic ? MARK_BOUND : 0);
    case PN_EVENT_UNMODELLED:
    case PN_EVENT_EXTERNAL: return MARK_LOSS;
    default: return 0;
    }
}

struct path *path_read(struct trace_reader *reader, const struct run *run)
{
    struct pn_trace *trace = run->trace;
    const struct pn_event *events = pn_trace_events(trace);
    const struct pn_node *nodes = pn_trace_nodes(trace);
    struct path *path = make_path(reader, run);
    read_nodes(reader, run);
    keep_events(reader, path, trace);
    unsigned marks = path->count ? path->decisions[path->count - 1].marks : 0;
    for (uint32_t i = (uint32_t)path->count; i < trace->event_count; i++) {
        struct decision *decision = &path->decisions[path->count];
        if (events[i].kind == PN_EVENT_OUTPUT) {
            read_output(path, trace, events[i].value, reader);
            continue;
        }
        if (events[i].kind != PN_EVENT_SIGNED)
            *decision = read_decision(&events[i], nodes, reader);
        else if (!reader->assume_no_overflow || !read_signed(path, &events[i], nodes, reader, decision))
            continue;
        decision->marks = (uint8_t)(marks |= marks_of(decision));
        if (trace->diverged == i + 1)
            path->divergence = path->count;
        path->count++;
    }
    path->change_reached = marks & MARK_CHANGE;
    path->rejected = marks & MARK_REJECTED;
    path->binds_values = marks & MARK_BOUND;
    path->may_lose = marks & MARK_LOSS;
    return path;
}

void path_free(struct path *path)
{
    if (!path)
        return;
    free(path->outputs);
    free(path->decisions);
    arena_destroy(path->arena);
    free(path);
}

void path_give_back(struct trace_reader *reader, struct path *path)
{
    if (reader->spare) {
        path_free(path);
        return;
    }
    arena_reset(path->arena);
    reader->spare = path;
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

void conditions_add_all(struct conditions *conditions, struct expr_table *table, const struct conditions *more)
{
    for (size_t i = 0; i < more->count; i++)
        conditions_add(conditions, table, more->list[i], true);
}

void conditions_sort(struct conditions *conditions)
{
    size_t kept = 0;
    expr_sort(conditions->list, conditions->count);
    for (size_t i = 0; i < conditions->count; i++)
        if (!kept || conditions->list[kept - 1] != conditions->list[i])
            conditions->list[kept++] = conditions->list[i];
    conditions->count = kept;
}

uint32_t decision_place(const struct site_table *sites, const struct decision *decision)
{
    return decision->call && site_table_get(sites, decision->site)->in_model ? decision->call : decision->site;
}

void decision_conditions(const struct decision *decision, struct expr_table *table, struct conditions *conditions)
{
    bool assumed = decision->kind == PN_EVENT_ASSUME; /* holds for every input of interest, if not for this one */
    if (!decision->new_condition)
        return;
    if (decision->side != PN_SIDE_OLD)
        conditions_add(conditions, table, decision->new_condition, assumed || decision->new_outcome);
    if (decision->side != PN_SIDE_NEW &&
        (decision->side == PN_SIDE_OLD || decision->old_condition != decision->new_condition))
        conditions_add(conditions, table, decision->old_condition, assumed || decision->old_outcome);
}

static void list_steps(const struct path *path, struct text *key)
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

void path_key(const struct path *path, struct text *key)
{
    enum { KEY_BYTES = 16 }; /* there are millions of paths */
    struct text steps = {0};
    list_steps(path, &steps);
    struct digest digest = digest_of(text_string(&steps), steps.length);
    text_append(key, (const char *)digest.bytes, KEY_BYTES);
    text_free(&steps);
}
