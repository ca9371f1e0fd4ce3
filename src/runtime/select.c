/* Loads through an address that depends on the input: the value is a choice among the elements of the object that the
 * address points into, not the one that this run meets. Elements that are concrete form a table of constants (one
 * lookup, however many they are); each of the others takes a choice of its own before it.
 *
 * The address was checked against its object before: only elements inside the object can be meant. */
#include "runtime/runtime.h"

#include <string.h>
#include <sys/mman.h>

/* ---- tables of constants: equal ones lie in the trace once ---- */

enum { CONSTANTS_SLOTS = 1 << 12, WORD = sizeof(uint64_t), HEADER_WORDS = sizeof(struct pn_constants) / WORD };

static uint32_t known_constants[CONSTANTS_SLOTS]; /* where they lie, plus one; direct-mapped by hash: 0 is free */

void pn_forget_constants(void)
{
    memset(known_constants, 0, sizeof known_constants);
}

static bool keep_constants(const uint64_t *values, uint32_t count, uint32_t *word)
{
    uint32_t hash = pn_hash_constants(values, count), *slot = &known_constants[hash % CONSTANTS_SLOTS];
    const struct pn_constants *known = pn_trace_constants(pn_trace, *slot - 1);
    *word = *slot - 1;
    if (*slot && known->hash == hash && known->count == count && !memcmp(known->values, values, count * WORD))
        return true;
    if (pn_trace->constants_capacity - pn_trace->constants_size < count + HEADER_WORDS)
        return false;
    *word = pn_trace->constants_size;
    pn_trace->constants_size += count + HEADER_WORDS;
    *slot = *word + 1;
    struct pn_constants *constants = pn_trace_constants(pn_trace, *word);
    *constants = (struct pn_constants){.count = count, .hash = hash};
    memcpy(constants->values, values, count * WORD);
    return true;
}

/* ---- addresses as sums ---- */

enum { MOST_TERMS = 8, MOST_STEPS = 1 << 12 };

struct term {
    uint32_t node;
    int64_t scale;
    bool is_small; /* so that a sum of a few cannot wrap around */
};

/* constant + scale * node + ... */
struct sum {
    uint64_t constant;
    struct term terms[MOST_TERMS];
    unsigned count;
    bool can_wrap;
};

static bool constant_of(uint32_t index, uint64_t *value)
{
    const struct pn_node *node = pn_node(index);
    *value = node->new_value;
    return node->operation == PN_CONSTANT || node->operation == PN_POINTER;
}

static bool is_small(uint32_t index, int64_t scale)
{
    const struct pn_node *node = pn_node(index);
    return (node->operation == PN_SEXT || node->operation == PN_ZEXT) && pn_node(node->a)->width <= 32 &&
           scale > -(1 << 24) && scale < 1 << 24;
}

static bool add_term(struct sum *sum, uint32_t node, int64_t scale, enum pn_side side)
{
    if (sum->count == MOST_TERMS)
        return false;
    node = pn_project(side, node);
    struct term term = {node, scale, is_small(node, scale)};
    sum->can_wrap |= !term.is_small;
    sum->terms[sum->count++] = term;
    return node != 0;
}

/* A chain of sums to the left, as address arithmetic makes them; everything else is a term. Not of any length: a loop
 * that adds to a pointer makes it longer at each turn. */
static bool read_sum(struct sum *sum, uint32_t index, enum pn_side side)
{
    struct term pending[MOST_TERMS] = {{.node = index, .scale = 1}};
    unsigned count = 1;
    for (unsigned steps = 0; count > 0; steps++) {
        struct term next = pending[--count];
        const struct pn_node *node = pn_node(next.node);
        uint64_t constant;
        if (steps == MOST_STEPS)
            return false;
        if (!next.scale)
            continue;
        if (constant_of(next.node, &constant))
            sum->constant += constant * (uint64_t)next.scale;
        else if (node->operation == PN_SHADOW)
            pending[count++] = (struct term){.node = side == PN_SIDE_OLD ? node->a : node->b, .scale = next.scale};
        else if ((node->operation == PN_ADD || node->operation == PN_SUB) && count + 2 <= MOST_TERMS) {
            pending[count++] = (struct term){.node = node->a, .scale = next.scale};
            pending[count++] =
                (struct term){.node = node->b, .scale = node->operation == PN_ADD ? next.scale : -next.scale};
        } else if (node->operation == PN_MUL && constant_of(node->b, &constant) && constant < 1 << 24 &&
                   next.scale > -(1 << 24) && next.scale < 1 << 24)
            pending[count++] = (struct term){.node = node->a, .scale = next.scale * (int64_t)constant};
        else if (!add_term(sum, next.node, next.scale, side))
            return false;
    }
    return sum->count > 0;
}

static uint64_t greatest_divisor(uint64_t a, uint64_t b)
{
    while (b) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* How far apart the addresses are that the sum can be. Where it can wrap around, only powers of two are kept by that.
 */
static uint64_t stride_of(const struct sum *sum)
{
    uint64_t stride = 0;
    for (unsigned i = 0; i < sum->count; i++) {
        int64_t scale = sum->terms[i].scale;
        stride = greatest_divisor(stride, (uint64_t)(scale < 0 ? -scale : scale));
    }
    return sum->can_wrap ? stride & -stride : stride;
}

/* ---- the elements ---- */

struct choice {
    uint64_t first, stride; /* address of the first element */
    uint32_t count;
    uint32_t index; /* node: which element */
};

/* (sum - first) / stride, exactly. */
static uint32_t index_node(const struct sum *sum, uint32_t address_node, uint64_t first, uint64_t stride)
{
    if (sum->can_wrap) {
        uint32_t offset = pn_make(PN_SUB, 64, address_node, pn_make_constant(64, first), 0);
        unsigned shift = (unsigned)__builtin_ctzll(stride);
        return shift ? pn_make(PN_LSHR, 64, offset, pn_make_constant(64, shift), 0) : offset;
    }
    uint32_t index = 0;
    for (unsigned i = 0; i < sum->count; i++) {
        int64_t factor = sum->terms[i].scale / (int64_t)stride;
        uint32_t part = sum->terms[i].node;
        if (factor != 1)
            part = pn_make(PN_MUL, 64, part, pn_make_constant(64, (uint64_t)factor), 0);
        index = index ? pn_make(PN_ADD, 64, index, part, 0) : part;
    }
    int64_t constant = (int64_t)(sum->constant - first) / (int64_t)stride;
    return constant ? pn_make(PN_ADD, 64, index, pn_make_constant(64, (uint64_t)constant), 0) : index;
}

static bool find_choice(struct choice *choice, uint32_t address_node, unsigned size, enum pn_side side)
{
    uint32_t number = pn_object_of(address_node, side);
    const struct pn_object *object = &pn_trace_objects(pn_trace)[number];
    struct sum sum = {0};
    uint64_t base, length;
    if (!number || !pn_object_extent(object->base, &base, &length) || base != object->base || length != object->size ||
        !read_sum(&sum, address_node, side))
        return false;
    length = pn_object_size(base, length, side);
    uint64_t stride = stride_of(&sum);
    int64_t distance = (int64_t)(sum.constant - base);
    uint64_t phase = (uint64_t)((distance % (int64_t)stride + (int64_t)stride) % (int64_t)stride);
    if (length < phase + size || (length - phase - size) / stride >= pn_trace->most_selected)
        return false;
    choice->first = base + phase;
    choice->stride = stride;
    choice->count = (uint32_t)((length - phase - size) / stride) + 1;
    choice->index = index_node(&sum, pn_project(side, address_node), choice->first, stride);
    return choice->index != 0;
}

/* A pointer is followed: it must keep its object, which a choice among numbers does not. */
static bool is_pointer(uint64_t value)
{
    return value >> 32 && value >> 47 == 0 && pn_object_pointed_to(value);
}

enum { MOST_LABELLED = 128 };

/* Elements whose values are no constants in this version. */
struct labelled {
    uint32_t at[MOST_LABELLED], nodes[MOST_LABELLED];
    unsigned count;
};

static bool read_elements(const struct choice *choice, unsigned size, enum pn_side side, uint64_t *values,
                          struct labelled *labelled)
{
    bool may_have = pn_memory_has_labels(choice->first, choice->stride * (choice->count - 1) + size);
    for (uint32_t i = 0; i < choice->count; i++) {
        uint64_t address = choice->first + i * choice->stride;
        uint32_t node = 0;
        if (may_have)
            node = pn_memory_view(address, size, side, &values[i]);
        else
            memcpy(&values[i], (const void *)(uintptr_t)address, size);
        if (size == 8 && is_pointer(values[i]))
            return false;
        if (!node)
            continue;
        if (labelled->count == MOST_LABELLED)
            return false;
        labelled->at[labelled->count] = i;
        labelled->nodes[labelled->count++] = node;
    }
    return true;
}

static bool all_equal(const uint64_t *values, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++)
        if (values[i] != values[0])
            return false;
    return true;
}

/* One node for the whole: the constants, and before them whatever is none. */
static uint32_t choose(const struct choice *choice, unsigned size, const uint64_t *values,
                       const struct labelled *labelled)
{
    uint32_t word, chosen;
    unsigned width = size * 8;
    if (all_equal(values, choice->count))
        chosen = pn_make_constant(width, values[0]);
    else if (keep_constants(values, choice->count, &word))
        chosen = pn_make_lookup(width, choice->index, word);
    else
        return 0;
    for (unsigned i = 0; i < labelled->count && chosen; i++) {
        uint32_t is_it = pn_make(PN_EQ, 1, choice->index, pn_make_constant(64, labelled->at[i]), 0);
        chosen = pn_make(PN_ITE, width, is_it, labelled->nodes[i], chosen);
    }
    return chosen;
}

uint32_t pn_select(uint32_t address_node, unsigned size, enum pn_side side)
{
    static uint64_t *values; /* of the elements: as many as may be */
    struct choice choice;
    struct labelled labelled = {.count = 0};
    if (!(pn_node(address_node)->flags & PN_SYMBOLIC) || __pn_one_sided_objects ||
        !find_choice(&choice, address_node, size, side))
        return 0;
    if (!values) {
        void *memory = mmap(NULL, pn_trace->most_selected * sizeof *values, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED)
            return 0;
        values = memory;
    }
    memset(values, 0, choice.count * sizeof *values);
    if (!read_elements(&choice, size, side, values, &labelled))
        return 0;
    /* Labelled elements are chosen before the table is asked: any value does for them, one that is there already. */
    for (unsigned i = 0; i < labelled.count; i++)
        values[labelled.at[i]] = labelled.at[i] ? values[labelled.at[i] - 1] : 0;
    return choose(&choice, size, values, &labelled);
}
