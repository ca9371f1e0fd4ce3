/* The node table: append-only, hash-consed, in the trace's mapping. The hash table beside it is private to the process.
 * A node that is met again in a later run of the same process has that run's values from then on. */
#include "runtime/runtime.h"

#include <stddef.h>
#include <string.h>
#include <sys/mman.h>

uint32_t __pn_active;

static uint32_t *slots; /* open addressing over node indices; 0: free */
static uint32_t slot_count;

/* What says which node it is: everything but the values, in two words. */
struct identity {
    uint64_t operation_and_a, b_and_c;
};
_Static_assert(offsetof(struct pn_node, new_value) == sizeof(struct identity), "the values come last");

static inline struct identity identity_of(const struct pn_node *node)
{
    struct identity identity;
    __builtin_memcpy(&identity, node, sizeof identity);
    return identity;
}

/* A constant is its value. */
static inline bool has_fixed_value(const struct pn_node *node)
{
    return node->operation == PN_CONSTANT || node->operation == PN_POINTER;
}

static inline uint32_t hash_node(const struct pn_node *node)
{
    struct identity identity = identity_of(node);
    uint64_t hash = identity.operation_and_a * UINT64_C(0x9e3779b97f4a7c15);
    hash ^= (identity.b_and_c << 32 | identity.b_and_c >> 32) * UINT64_C(0xff51afd7ed558ccd);
    if (has_fixed_value(node))
        hash ^= node->new_value * UINT64_C(0xc4ceb9fe1a85ec53);
    /* low bits of a product know low bits of its factors only */
    return (uint32_t)((hash ^ hash >> 32) * UINT64_C(0xd6e8feb86659fd93) >> 32);
}

static inline bool same_node(const struct pn_node *one, const struct pn_node *other)
{
    struct identity a = identity_of(one), b = identity_of(other);
    return a.operation_and_a == b.operation_and_a && a.b_and_c == b.b_and_c &&
           (one->new_value == other->new_value || !has_fixed_value(one));
}

static uint32_t *map_slots(uint32_t count)
{
    void *memory = mmap(NULL, count * sizeof(uint32_t), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

/* Where a node is looked for. Most nodes are made right after the youngest of their children: the slots of one line of
 * the cache belong to eight neighbours by that, so that a long run of a program walks through the table instead of
 * jumping about in it. Where a line is full, a hash of everything says where to go on. Slots never become free again,
 * so the first free one says that the node is not there. */
enum { LINE = 16, NEIGHBOURS = LINE / 2 };

struct probe {
    uint32_t hash, line, count;
};

static inline struct probe begin_probe(const struct pn_node *node)
{
    uint32_t youngest = node->a > node->b ? node->a : node->b;
    youngest = youngest > node->c ? youngest : node->c;
    /* constants and pointers have no children: in one line they would all meet */
    return (struct probe){
        .hash = hash_node(node), .line = youngest / NEIGHBOURS * LINE, .count = has_fixed_value(node) ? LINE : 0};
}

static inline uint32_t probe_at(const struct probe *probe)
{
    uint32_t at = probe->count < LINE ? probe->line + ((probe->hash + probe->count) & (LINE - 1))
                                      : probe->hash + (probe->count - LINE);
    return at & (slot_count - 1);
}

static inline uint32_t free_slot(const struct pn_node *node)
{
    struct probe probe = begin_probe(node);
    while (slots[probe_at(&probe)])
        probe.count++;
    return probe_at(&probe);
}

PN_APART static bool grow_slots(void)
{
    uint32_t new_count = slot_count ? slot_count * 2 : 1 << 12;
    uint32_t *grown = map_slots(new_count);
    if (!grown)
        return false;
    if (slots)
        munmap(slots, slot_count * sizeof(uint32_t));
    slots = grown;
    slot_count = new_count;
    for (uint32_t i = 1; i < pn_trace->node_count; i++)
        slots[free_slot(pn_node(i))] = i;
    return true;
}

/* A full table loses precision, not the run: the value goes on without a label, and the trace says so. Likewise where
 * there is no room for decisions any more: a run that may never end is not to fill this table, too. */
PN_APART static uint32_t append(struct pn_node node)
{
    uint32_t index = pn_trace->node_count;
    if (index >= pn_trace->node_capacity || (pn_trace->lost & PN_LOSS_EVENTS) ||
        (index * UINT64_C(2) >= slot_count && !grow_slots())) {
        pn_lose(PN_LOSS_NODES);
        return 0;
    }
    pn_nodes[index] = node;
    pn_trace->node_count = index + 1;
    __pn_active = index;
    slots[free_slot(&node)] = index;
    return index;
}

/* By value: so it stays in registers where this is inlined. */
static inline uint32_t intern(struct pn_node node)
{
    for (struct probe probe = begin_probe(&node);; probe.count++) {
        uint32_t index = slot_count ? slots[probe_at(&probe)] : 0;
        if (!index)
            return append(node);
        struct pn_node *known = &pn_nodes[index];
        if (!same_node(known, &node))
            continue;
        known->new_value = node.new_value;
        known->old_value = node.old_value;
        return index;
    }
}

/* Inputs by their first byte, kept across the runs of one process: only the value is another. */
static struct {
    uint32_t node;
    unsigned count;
} made_inputs[1 << 12];

enum { RECENT_CONSTANTS = 512 };
static uint32_t recent_constants[RECENT_CONSTANTS]; /* found without hashing; 0: free */

void pn_forget_nodes(void)
{
    if (slots)
        memset(slots, 0, slot_count * sizeof *slots);
    memset(made_inputs, 0, sizeof made_inputs);
    memset(recent_constants, 0, sizeof recent_constants);
    pn_forget_constants();
    pn_forget_origins();
}

uint32_t pn_make_constant(unsigned width, uint64_t value)
{
    value &= pn_mask(width);
    uint32_t *recent = &recent_constants[(value ^ width << 3) % RECENT_CONSTANTS];
    const struct pn_node *node = pn_node(*recent);
    if (!*recent || node->new_value != value || node->width != width)
        *recent =
            intern((struct pn_node){.operation = PN_CONSTANT, .width = width, .new_value = value, .old_value = value});
    return *recent;
}

uint32_t pn_make_pointer(uint64_t address, uint32_t object)
{
    return intern((struct pn_node){
        .operation = PN_POINTER, .width = 64, .a = object, .new_value = address, .old_value = address});
}

static uint32_t make_input(uint32_t byte)
{
    uint8_t value = pn_trace->input[byte];
    return intern((struct pn_node){
        .operation = PN_INPUT, .width = 8, .flags = PN_SYMBOLIC, .a = byte, .new_value = value, .old_value = value});
}

static uint32_t join_inputs(uint32_t first, unsigned count)
{
    uint32_t node = make_input(first);
    for (unsigned i = 1; i < count; i++)
        node = pn_make(PN_CONCAT, (i + 1) * 8, make_input(first + i), node, 0);
    return node;
}

uint32_t pn_make_inputs(uint32_t first, unsigned count)
{
    if (first >= sizeof made_inputs / sizeof *made_inputs)
        return join_inputs(first, count);
    if (!made_inputs[first].node || made_inputs[first].count != count) {
        made_inputs[first].node = join_inputs(first, count);
        made_inputs[first].count = count;
    }
    if (!made_inputs[first].node)
        return 0;
    struct pn_node *node = &pn_nodes[made_inputs[first].node];
    uint64_t value = 0;
    if (count == sizeof(int))
        __builtin_memcpy(&value, pn_trace->input + first, sizeof(int));
    else
        memcpy(&value, pn_trace->input + first, count);
    node->new_value = node->old_value = value;
    return made_inputs[first].node;
}

static const unsigned char arity_of[] = {
#define ARITY(enumerator, name, arity, symbol) arity,
    PN_OPERATIONS(ARITY)
#undef ARITY
};

static uint32_t make_plain(enum pn_operation operation, unsigned width, uint32_t a, uint32_t b)
{
    struct pn_node node = {.operation = operation, .width = width, .a = a, .b = b};
    const struct pn_node *first = pn_node(a), *second = pn_node(arity_of[operation] > 1 ? b : 0);
    unsigned child_width = operation == PN_CONCAT ? second->width : first->width;
    uint64_t new_b = arity_of[operation] > 1 ? second->new_value : b;
    uint64_t old_b = arity_of[operation] > 1 ? second->old_value : b;
    node.flags = ((first->flags | second->flags) & (PN_SYMBOLIC | PN_SHADOWED));
    node.new_value = node.old_value = pn_operation_value(operation, width, child_width, first->new_value, new_b, 0);
    if (node.flags & PN_SHADOWED) /* elsewhere the versions have the same */
        node.old_value = pn_operation_value(operation, width, child_width, first->old_value, old_b, 0);
    return intern(node);
}

static uint32_t make_fused(unsigned width, uint32_t a, uint32_t b, uint32_t c)
{
    const struct pn_node *x = pn_node(a), *y = pn_node(b), *z = pn_node(c);
    return intern((struct pn_node){
        .operation = PN_FMA,
        .width = width,
        .flags = (x->flags | y->flags | z->flags) & (PN_SYMBOLIC | PN_SHADOWED),
        .a = a,
        .b = b,
        .c = c,
        .new_value = pn_operation_value(PN_FMA, width, width, x->new_value, y->new_value, z->new_value),
        .old_value = pn_operation_value(PN_FMA, width, width, x->old_value, y->old_value, z->old_value),
    });
}

static uint32_t make_function(enum pn_operation operation, unsigned width, uint32_t a, uint32_t b, uint32_t function)
{
    const struct pn_node *x = pn_node(a), *y = pn_node(b);
    struct pn_node node = {.operation = operation, .width = width, .a = a, .b = b, .c = function};
    node.flags = (x->flags | y->flags) & (PN_SYMBOLIC | PN_SHADOWED);
    node.new_value = node.old_value = pn_function_result(operation, function, x->width, x->new_value, y->new_value);
    if (node.flags & PN_SHADOWED)
        node.old_value = pn_function_result(operation, function, x->width, x->old_value, y->old_value);
    return intern(node);
}

static uint32_t make_ite(unsigned width, uint32_t a, uint32_t b, uint32_t c)
{
    const struct pn_node *condition = pn_node(a), *on_true = pn_node(b), *on_false = pn_node(c);
    return intern((struct pn_node){
        .operation = PN_ITE,
        .width = width,
        .flags = (condition->flags | on_true->flags | on_false->flags) & (PN_SYMBOLIC | PN_SHADOWED),
        .a = a,
        .b = b,
        .c = c,
        .new_value = condition->new_value ? on_true->new_value : on_false->new_value,
        .old_value = condition->old_value ? on_true->old_value : on_false->old_value,
    });
}

uint32_t pn_make(enum pn_operation operation, unsigned width, uint32_t a, uint32_t b, uint32_t c)
{
    if (!a || (arity_of[operation] > 1 && !b)) /* the table ran full under the children */
        return 0;
    if (operation == PN_ITE)
        return c ? make_ite(width, a, b, c) : 0;
    if (operation == PN_FMA)
        return c ? make_fused(width, a, b, c) : 0;
    if (pn_is_function(operation))
        return make_function(operation, width, a, b, c);
    return make_plain(operation, width, a, b);
}

uint32_t pn_make_lookup(unsigned width, uint32_t index, uint32_t constants)
{
    const struct pn_constants *table = pn_trace_constants(pn_trace, constants);
    const struct pn_node *chooser = pn_node(index);
    if (!index)
        return 0;
    return intern((struct pn_node){
        .operation = PN_LOOKUP,
        .width = width,
        .flags = chooser->flags & (PN_SYMBOLIC | PN_SHADOWED),
        .a = index,
        .b = constants,
        .new_value = chooser->new_value < table->count ? table->values[chooser->new_value] : 0,
        .old_value = chooser->old_value < table->count ? table->values[chooser->old_value] : 0,
    });
}

uint32_t pn_make_shadow(unsigned width, uint32_t in_old, uint32_t in_new)
{
    if (in_old == in_new || pn_diverged || !in_old || !in_new)
        return in_new;
    const struct pn_node *old_node = pn_node(in_old), *new_node = pn_node(in_new);
    return intern((struct pn_node){
        .operation = PN_SHADOW,
        .width = width,
        .flags = ((old_node->flags | new_node->flags) & PN_SYMBOLIC) | PN_SHADOWED,
        .a = in_old,
        .b = in_new,
        .new_value = new_node->new_value,
        .old_value = old_node->old_value,
    });
}

uint32_t pn_project(enum pn_side side, uint32_t index)
{
    const struct pn_node *node = pn_node(index);
    while (index && node->operation == PN_SHADOW) {
        index = side == PN_SIDE_OLD ? node->a : node->b;
        node = pn_node(index);
    }
    if (!index || !(node->flags & PN_SHADOWED))
        return index;
    uint64_t value = side == PN_SIDE_OLD ? node->old_value : node->new_value;
    return intern((struct pn_node){
        .operation = side == PN_SIDE_OLD ? PN_OLD : PN_NEW,
        .width = node->width,
        .flags = node->flags & PN_SYMBOLIC,
        .a = index,
        .new_value = value,
        .old_value = value,
    });
}

uint32_t pn_not(uint32_t condition)
{
    return pn_make(PN_XOR, 1, condition, pn_make_constant(1, 1), 0);
}

/* ---- slow paths: a label beside every value ---- */

label __pn_slow_binary(uint32_t operation, uint32_t width, uint64_t a, label la, uint64_t b, label lb,
                       uint32_t signed_for)
{
    label made = pn_useful(pn_make(operation, width, pn_operand(width, a, la), pn_operand(width, b, lb), 0));
    if (signed_for && made)
        pn_note_signed(made, (enum pn_side)(signed_for - 1));
    return made;
}

label __pn_slow_compare(uint32_t operation, uint32_t negated, uint32_t width, uint64_t a, label la, uint64_t b,
                        label lb)
{
    uint32_t node = pn_make(operation, 1, pn_operand(width, a, la), pn_operand(width, b, lb), 0);
    return pn_useful(negated && node ? pn_not(node) : node);
}

label __pn_slow_cast(uint32_t operation, uint32_t width, uint32_t from_width, uint64_t value, label from)
{
    (void)from_width, (void)value;
    return pn_make(operation, width, from, 0, 0);
}

label __pn_slow_select(uint32_t width, label condition, uint64_t chosen, uint64_t if_true, label on_true,
                       uint64_t if_false, label on_false)
{
    if ((pn_node(condition)->new_value & 1) != chosen) {
        pn_stale();
        return chosen ? on_true : on_false;
    }
    uint32_t then = pn_operand(width, if_true, on_true), otherwise = pn_operand(width, if_false, on_false);
    return then == otherwise ? pn_useful(then) : pn_useful(pn_make(PN_ITE, width, condition, then, otherwise));
}

label __pn_slow_pointer(uint64_t base, label on_base, uint64_t index, label on_index, uint32_t index_width,
                        uint64_t scale, uint64_t offset)
{
    uint32_t pointer = on_base ? on_base : pn_make_pointer(base, pn_object_at(base));
    if (on_index) {
        uint32_t wide = index_width < 64 ? pn_make(PN_SEXT, 64, on_index, 0, 0) : on_index;
        uint32_t scaled = scale == 1 ? wide : pn_make(PN_MUL, 64, wide, pn_make_constant(64, scale), 0);
        pointer = pn_make(PN_ADD, 64, pointer, scaled, 0);
    } else {
        offset += (uint64_t)pn_signed(index, index_width) * scale;
    }
    if (offset && pointer)
        pointer = pn_make(PN_ADD, 64, pointer, pn_make_constant(64, offset), 0);
    return pn_useful(pointer);
}
