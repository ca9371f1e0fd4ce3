#include "explore/received.h"
#include "expr/expr.h"
#include "trace/mathematics.h"

#include <string.h>

/* ---- nodes ---- */

struct widths {
    unsigned own, a, b, c;
};

static bool is_float_width(unsigned width)
{
    return width == 32 || width == 64;
}

static bool has_sound_constants(struct pn_trace *trace, uint32_t word)
{
    uint64_t header = offsetof(struct pn_constants, values) / sizeof(uint64_t);
    return word + header <= trace->constants_size &&
           word + header + pn_trace_constants(trace, word)->count <= trace->constants_size;
}

static bool has_sound_widths(const struct pn_node *node, struct widths is)
{
    switch ((enum pn_operation)node->operation) {
    case PN_ADD ... PN_ASHR: return is.a == is.own && is.b == is.own;
    case PN_EQ ... PN_SLE: return is.own == 1 && is.a == is.b;
    case PN_ZEXT:
    case PN_SEXT: return is.a <= is.own;
    case PN_EXTRACT: return node->b < 64 && node->b + is.own <= is.a;
    case PN_CONCAT: return is.a + is.b == is.own;
    case PN_ITE: return is.a == 1 && is.b == is.own && is.c == is.own;
    case PN_FADD ... PN_FDIV: return is_float_width(is.own) && is.a == is.own && is.b == is.own;
    case PN_FMA: return is_float_width(is.own) && is.a == is.own && is.b == is.own && is.c == is.own;
    case PN_FSQRT: return is_float_width(is.own) && is.a == is.own;
    case PN_FROUND: return is_float_width(is.own) && is.a == is.own && node->b < PN_ROUNDING_COUNT;
    case PN_FCALL: return is_float_width(is.own) && is.a == is.own && is.b == is.own && node->c < PN_FUNCTION_COUNT;
    case PN_FERROR: return is.own == 32 && is_float_width(is.a) && is.b == is.a && node->c < PN_FUNCTION_COUNT;
    case PN_FEQ ... PN_FLE: return is.own == 1 && is_float_width(is.a) && is.b == is.a;
    case PN_FCAST:
    case PN_FSINT: return is_float_width(is.own) && is_float_width(is.a);
    case PN_SFLOAT:
    case PN_UFLOAT: return is_float_width(is.own);
    case PN_SHADOW: return is.a == is.own && is.b == is.own;
    case PN_OLD:
    case PN_NEW: return is.a == is.own;
    default: return true;
    }
}

static bool is_sound_node(struct pn_trace *trace, uint32_t index)
{
    const struct pn_node *nodes = pn_trace_nodes(trace), *node = &nodes[index];
    if (node->operation == PN_NONE || node->operation >= PN_OPERATION_COUNT || node->width < 1 || node->width > 64)
        return false;
    unsigned arity = expr_arity[node->operation];
    const uint32_t children[] = {node->a, node->b, node->c};
    struct widths widths = {.own = node->width};
    unsigned *const of_child[] = {&widths.a, &widths.b, &widths.c};
    for (unsigned i = 0; i < arity; i++) {
        if (!children[i] || children[i] >= index)
            return false;
        *of_child[i] = nodes[children[i]].width;
    }
    if (node->operation == PN_INPUT)
        return node->a < PN_INPUT_BYTES && node->width == 8;
    if (node->operation == PN_LOOKUP)
        return has_sound_constants(trace, node->b);
    return has_sound_widths(node, widths);
}

/* ---- events ---- */

static bool is_sound_output(struct pn_trace *trace, uint64_t offset)
{
    if (offset % 4 || offset > trace->data_size || trace->data_size - offset < sizeof(struct pn_output))
        return false;
    const struct pn_output *output = (const struct pn_output *)(pn_trace_data(trace) + offset);
    uint64_t labels_at = (sizeof *output + output->name_length + 2 * (uint64_t)output->size + 3) & ~UINT64_C(3);
    if (labels_at + 4 * (uint64_t)output->size > trace->data_size - offset)
        return false;
    if (output->element && (!is_float_width(8 * output->element) || output->size % output->element))
        return false;
    const uint32_t *labels = (const uint32_t *)((const char *)output + labels_at);
    const struct pn_node *nodes = pn_trace_nodes(trace);
    for (uint32_t i = 0; i < output->size; i++) {
        uint32_t node = labels[i] >> 3;
        if (node && (node >= trace->node_count || 8 * (labels[i] & 7) + 8 > nodes[node].width))
            return false;
    }
    return true;
}

static bool is_sound_event(struct pn_trace *trace, const struct pn_event *event)
{
    const struct pn_node *node = &pn_trace_nodes(trace)[event->node];
    if (event->kind < PN_EVENT_BRANCH || event->kind > PN_EVENT_UNMODELLED || event->side > PN_SIDE_NEW ||
        event->new_outcome > 1 || event->old_outcome > 1 || event->object >= trace->object_count)
        return false;
    if (event->kind == PN_EVENT_OUTPUT)
        return is_sound_output(trace, event->value);
    if (!event->node)
        return true;
    if (event->node >= trace->node_count)
        return false;
    return event->kind == PN_EVENT_SIGNED
               ? node->operation == PN_ADD || node->operation == PN_SUB || node->operation == PN_MUL
               : node->width == 1 || event->kind > PN_EVENT_CONCRETISE;
}

/* ---- the whole ---- */

static bool has_sound_counts(const struct pn_trace *trace)
{
    return trace->event_count <= trace->event_capacity && trace->node_count >= 1 &&
           trace->node_count <= trace->node_capacity && trace->object_count >= 1 &&
           trace->object_count <= trace->object_capacity && trace->data_size <= trace->data_capacity &&
           trace->constants_size <= trace->constants_capacity && trace->diverged <= trace->event_count &&
           trace->ending <= PN_ASSUMPTION_FAILED && trace->input_size <= PN_INPUT_BYTES &&
           trace->input_region_count <= PN_INPUT_REGIONS;
}

static bool has_sound_regions(const struct pn_trace *trace)
{
    for (uint32_t i = 0; i < trace->input_region_count; i++) {
        const struct pn_input_region *region = &trace->input_regions[i];
        if (!memchr(region->name, '\0', sizeof region->name) || region->size > PN_INPUT_BYTES ||
            region->offset > PN_INPUT_BYTES - region->size)
            return false;
    }
    return true;
}

/* Leaves nothing. */
static void drop_all(struct pn_trace *trace)
{
    trace->event_count = trace->data_size = trace->constants_size = trace->diverged = trace->stale_labels = 0;
    trace->threads = 0;
    trace->node_count = trace->object_count = 1;
    trace->input_region_count = trace->input_size = 0;
}

static uint32_t count_sound_nodes(struct pn_trace *trace)
{
    uint32_t count = 1;
    while (count < trace->node_count && is_sound_node(trace, count))
        count++;
    return count;
}

static uint32_t count_sound_events(struct pn_trace *trace)
{
    uint32_t count = 0;
    while (count < trace->event_count && is_sound_event(trace, &pn_trace_events(trace)[count]))
        count++;
    return count;
}

bool received_cut(struct pn_trace *trace)
{
    uint32_t nodes = trace->node_count, events = trace->event_count;
    bool is_sound = has_sound_counts(trace) && has_sound_regions(trace);
    if (!is_sound)
        drop_all(trace);
    trace->node_count = count_sound_nodes(trace);
    trace->event_count = count_sound_events(trace);
    if (is_sound && trace->node_count == nodes && trace->event_count == events)
        return true;
    trace->ending = PN_RUNNING;
    trace->lost = PN_LOSS_DAMAGED;
    if (trace->diverged > trace->event_count)
        trace->diverged = 0;
    return false;
}
