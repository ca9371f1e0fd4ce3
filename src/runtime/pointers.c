/* Pointers as inputs and outputs. An input pointer is an object's address or NULL, as one byte of the input says. As an
 * output a pointer is a place: which object it points into, and where there. */
#include "runtime/runtime.h"
#include "trace/known.h"

#include <string.h>

void __pn_compared(uint64_t one, uint64_t other, uint32_t how, uint32_t site);

void pn_pointer(void *pointer, void *object, const char *name);
void pn_output_pointer(const char *name, const void *pointer, unsigned target, unsigned long element, const char *type,
                       struct pn_extent *extent);
void __pn_output_block(const char *name, const void *pointer, unsigned long size, unsigned long element);
void __pn_output_floating(const char *name, const void *pointer, unsigned long size, unsigned long element);
void pn_output(const char *name, const void *pointer, unsigned long size);
void pn_symbolic(void *pointer, unsigned long size, const char *name);
const char *__pn_join_name(char *buffer, const char *before, const char *whole, const char *after);
const char *__pn_element_name(char *buffer, const char *pointer, unsigned long count, unsigned long index);
int __pn_holds_pointers(const void *bytes, unsigned long size);
unsigned long __pn_readable(const void *pointer, unsigned long most, unsigned long *more);
void __pn_output_place(const char *name, const void *pointer, const unsigned long *length);
void __pn_output_passed(const char *name, const void *kept, unsigned long size, const unsigned long *length);

void pn_pointer(void *pointer, void *object, const char *name)
{
    static uint8_t is_null;
    uint64_t address = (uint64_t)(uintptr_t)object;
    is_null = 0;
    pn_symbolic(&is_null, 1, name);
    uint32_t choice = pn_memory_node((uint64_t)(uintptr_t)&is_null, 1, is_null);
    void *value = is_null ? NULL : object;
    memcpy(pointer, &value, sizeof value);
    if (!choice)
        return;
    uint32_t is_there = pn_make(PN_EQ, 1, choice, pn_make_constant(8, 0), 0);
    uint32_t node =
        pn_make(PN_ITE, 64, is_there, pn_make_pointer(address, pn_object_at(address)), pn_make_constant(64, 0));
    pn_memory_label((uint64_t)(uintptr_t)pointer, sizeof value, node);
}

const char *__pn_join_name(char *buffer, const char *before, const char *whole, const char *after)
{
    return pn_join_name(buffer, before, whole, after);
}

const char *__pn_element_name(char *buffer, const char *pointer, unsigned long count, unsigned long index)
{
    return pn_element_name(buffer, pointer, count, index);
}

/* What is compared. */
struct place {
    uint64_t object; /* 0: NULL; then the known objects; constants; other memory, in the order in which it was met */
    uint64_t offset; /* there; not in constants */
    uint64_t is_readable;
};

/* Of one version. */
struct pointed {
    uint64_t address;
    struct pn_block block;
    struct place place;
    unsigned number; /* of other memory; 0: it is none */
};

static struct pn_elsewhere elsewhere_in_old, elsewhere_in_new;
static struct pn_visits visits;

void pn_pointers_reset(void)
{
    elsewhere_in_old.count = elsewhere_in_new.count = 0;
    visits.count = 0;
}

/* A variable of a function that has returned leads nowhere; what the C library has made is not known. */
static struct pn_block block_at(uint64_t address, enum pn_side side)
{
    struct pn_block block = {.base = address};
    if (!pn_lasting_extent(address, &block.base, &block.size))
        return block;
    block.size = pn_object_size(block.base, block.size, side);
    block.is_readable = !pn_is_gone(block.base, side);
    block.is_constant = pn_is_constant(address);
    return block;
}

static struct pointed look_at(uint64_t address, enum pn_side side, enum pn_target target)
{
    struct pointed pointed = {.address = address};
    const struct pn_known *known = pn_known_at(address);
    uint64_t known_count = (uint64_t)(__stop_pn_known - __start_pn_known);
    if (!address)
        return pointed;
    if (known) {
        uint64_t offset = address - (uint64_t)(uintptr_t)known->object;
        pointed.place = (struct place){(uint64_t)(known - __start_pn_known) + 1, offset, 1};
        return pointed;
    }
    pointed.block = block_at(address, side);
    pointed.place = (struct place){known_count + 1, 0, pointed.block.is_readable};
    if (pointed.block.is_constant && target == PN_TEXT)
        return pointed;
    struct pn_elsewhere *elsewhere = side == PN_SIDE_OLD ? &elsewhere_in_old : &elsewhere_in_new;
    pointed.number = pn_elsewhere_number(elsewhere, pointed.block.base);
    pointed.place.object += pointed.number;
    pointed.place.offset = address - pointed.block.base;
    return pointed;
}

void pn_label_word(uint64_t *word, uint64_t in_old)
{
    if (*word != in_old)
        pn_memory_label((uint64_t)(uintptr_t)word, sizeof *word,
                        pn_make_shadow(64, pn_make_constant(64, in_old), pn_make_constant(64, *word)));
}

/* A pointer that was chosen without a branch: where it leads is decided here, as a branch would have. */
static uint32_t decide_choices(uint32_t node)
{
    while (node && pn_node(node)->operation == PN_ITE) {
        uint32_t condition = pn_node(node)->a;
        bool holds = pn_node(condition)->new_value & 1;
        uint32_t chosen = holds ? pn_node(node)->b : pn_node(node)->c;
        if (pn_matters(condition))
            __pn_slow_branch(condition, holds, __pn_site);
        node = chosen;
    }
    return node;
}

/* The copy of the pointer that the harness goes on with. */
static uint32_t take_pointer(uint64_t copy, uint64_t value)
{
    uint32_t node = decide_choices(pn_memory_node(copy, sizeof value, value));
    if (node && pn_node(node)->flags & PN_SYMBOLIC)
        pn_bind(node, __pn_site);
    pn_memory_forget(copy, sizeof value);
    if (pn_matters(node))
        pn_memory_label(copy, sizeof value, node);
    return node;
}

static void output_place(const char *name, const struct place *in_old, const struct place *in_new)
{
    static struct place place;
    pn_memory_forget((uint64_t)(uintptr_t)&place, sizeof place);
    place = *in_new;
    pn_label_word(&place.object, in_old->object);
    pn_label_word(&place.offset, in_old->offset);
    pn_label_word(&place.is_readable, in_old->is_readable);
    pn_output(name, &place, sizeof place);
}

/* Somewhere near the frames of functions: a variable of one that has returned. Who looks there finds nothing. */
static bool is_on_stack(uint64_t address)
{
    uint64_t here = (uint64_t)(uintptr_t)__builtin_frame_address(0), near = UINT64_C(8) << 20;
    return address > here - near && address < here + near;
}

/* Memory of which no extent is known: a function, or something of a library's. At one address of both versions lie the
 * same bytes, if none of them was written by the program. */
static bool may_hide(const struct pointed *in_old, const struct pointed *in_new)
{
    enum { LOOKED_AT = 4096 };
    if (in_new->block.size || in_old->block.size) /* freed */
        return false;
    if (is_on_stack(in_new->address) && is_on_stack(in_old->address))
        return false;
    return pn_diverged || in_new->address != in_old->address || pn_memory_has_labels(in_new->address, LOOKED_AT);
}

/* Whether something lies behind the zero of a constant text: "a\0b" may be a list. */
static bool goes_on(const struct pointed *pointed)
{
    uint64_t rest = pointed->block.size - (pointed->address - pointed->block.base);
    return pn_text_bytes(pointed->address, rest) < rest;
}

static struct pn_extent extent_of_both(const struct pointed *in_old, const struct pointed *in_new,
                                       enum pn_target target, unsigned long element, const char *type)
{
    struct pn_extent extent = {0};
    bool is_constant = !in_new->number && in_new->block.is_readable;
    if (!in_new->place.is_readable && in_new->number && may_hide(in_old, in_new))
        __pn_hidden_arguments(__pn_site);
    if (!in_new->place.is_readable || (!in_new->number && !is_constant))
        return extent;
    extent = pn_extent_of(&in_new->block, in_new->address, target, element);
    if (is_constant) { /* the same one is the same behind its zero, too */
        extent.unseen |= (pn_diverged || in_old->address != in_new->address) && (goes_on(in_old) || goes_on(in_new));
        return extent;
    }
    if (!pn_visit(&visits, in_new->number, in_new->place.offset - extent.before, type, &extent))
        return (struct pn_extent){.unseen = extent.unseen};
    struct pn_extent old_extent = pn_extent_of(&in_old->block, in_old->address, target, element);
    extent.unseen |= old_extent.unseen || old_extent.count != extent.count || old_extent.bytes != extent.bytes;
    extent.count = old_extent.count < extent.count ? old_extent.count : extent.count;
    extent.bytes = old_extent.bytes < extent.bytes ? old_extent.bytes : extent.bytes;
    return extent;
}

/* Of a pointer that is an input's choice: what each of the words of its place is. */
struct place_nodes {
    uint32_t object, offset, is_readable;
};

/* The place, as a choice of places. Of NULL and of objects that the harness has made nothing else is output by way of a
 * pointer, so where it leads need not be decided: what nobody looked at would double the paths. */
static bool choose_place(uint32_t node, unsigned depth, struct place_nodes *nodes)
{
    const struct pn_node *at = pn_node(node);
    if (at->operation == PN_ITE) {
        struct place_nodes one, other;
        uint32_t condition = at->a, otherwise = at->c;
        if (!depth || !choose_place(at->b, depth - 1, &one) || !choose_place(otherwise, depth - 1, &other))
            return false;
        nodes->object = pn_make(PN_ITE, 64, condition, one.object, other.object);
        nodes->offset = pn_make(PN_ITE, 64, condition, one.offset, other.offset);
        nodes->is_readable = pn_make(PN_ITE, 64, condition, one.is_readable, other.is_readable);
        return true;
    }
    uint64_t address = at->new_value;
    if ((at->operation != PN_CONSTANT && at->operation != PN_POINTER) || (address && !pn_known_at(address)))
        return false;
    struct place place = look_at(address, PN_SIDE_NEW, PN_UNKNOWN).place;
    *nodes = (struct place_nodes){pn_make_constant(64, place.object), pn_make_constant(64, place.offset),
                                  pn_make_constant(64, place.is_readable)};
    return true;
}

static void label_place_word(const uint64_t *word, uint32_t node)
{
    if (pn_matters(node))
        pn_memory_label((uint64_t)(uintptr_t)word, sizeof *word, node);
}

/* False where it is not the same choice in both versions, or another pointer may lie behind it. */
static bool output_choice(const char *name, uint32_t node, uint64_t address)
{
    enum { DEEPEST = 8 };
    static struct place place;
    struct place_nodes nodes;
    if (!node || (pn_node(node)->flags & (PN_SYMBOLIC | PN_SHADOWED)) != PN_SYMBOLIC ||
        !choose_place(node, DEEPEST, &nodes))
        return false;
    pn_memory_forget((uint64_t)(uintptr_t)&place, sizeof place);
    place = look_at(address, PN_SIDE_NEW, PN_UNKNOWN).place;
    label_place_word(&place.object, nodes.object);
    label_place_word(&place.offset, nodes.offset);
    label_place_word(&place.is_readable, nodes.is_readable);
    pn_output(name, &place, sizeof place);
    return true;
}

/* Where the versions' pointers lead to different places, that is what is different. */
void pn_output_pointer(const char *name, const void *pointer, unsigned target, unsigned long element, const char *type,
                       struct pn_extent *extent)
{
    uint64_t address;
    memcpy(&address, pointer, sizeof address);
    pn_memory_forget((uint64_t)(uintptr_t)extent, sizeof *extent);
    *extent = (struct pn_extent){0};
    if (output_choice(name, pn_memory_node((uint64_t)(uintptr_t)pointer, sizeof address, address), address))
        return;
    uint32_t node = take_pointer((uint64_t)(uintptr_t)pointer, address);
    uint64_t old_address = node && !pn_diverged ? pn_node(node)->old_value : address;
    struct pointed in_new = look_at(address, PN_SIDE_NEW, target), in_old = in_new;
    if (!pn_diverged)
        in_old = look_at(old_address, PN_SIDE_OLD, target);
    output_place(name, &in_old.place, &in_new.place);
    if (!memcmp(&in_old.place, &in_new.place, sizeof in_new.place))
        *extent = extent_of_both(&in_old, &in_new, target, element, type);
}

/* Each version's bytes behind a pointer that may be another one in each: first they are copied to one place. */
void __pn_output_block(const char *name, const void *pointer, unsigned long size, unsigned long element)
{
    static char room[PN_MOST_BYTES];
    uint64_t from, to = (uint64_t)(uintptr_t)room;
    memcpy(&from, pointer, sizeof from);
    uint32_t node = pn_memory_node((uint64_t)(uintptr_t)pointer, sizeof from, from);
    size = size < sizeof room ? size : sizeof room;
    __pn_slow_copy(to, 0, from, node, size, 0, __pn_site);
    memcpy(room, (const void *)(uintptr_t)from, size);
    __pn_output_floating(name, room, size, element);
}

extern const char __ehdr_start[], end[];

static bool is_pointer(uint64_t value)
{
    uint64_t base, size;
    bool in_image = value >= (uint64_t)(uintptr_t)__ehdr_start && value < (uint64_t)(uintptr_t)end;
    return value && (in_image || pn_known_at(value) || pn_lasting_extent(value, &base, &size));
}

/* Whether there is a pointer in one of the versions. */
int __pn_holds_pointers(const void *bytes, unsigned long size)
{
    uint64_t address = (uint64_t)(uintptr_t)bytes, value;
    for (unsigned long i = 0; i + sizeof value <= size; i += sizeof value) {
        memcpy(&value, (const char *)bytes + i, sizeof value);
        uint32_t node = pn_memory_node(address + i, sizeof value, value);
        if (is_pointer(value) || (node && !pn_diverged && is_pointer(pn_node(node)->old_value)))
            return 1;
    }
    return 0;
}

/* ---- what a callback was given ---- */

static uint64_t room_at(uint64_t address, enum pn_side side, unsigned long *more)
{
    uint64_t base, size;
    if (!address)
        return 0;
    bool is_known = pn_object_extent(address, &base, &size) && !pn_is_gone(address, side);
    uint64_t room = is_known ? base + pn_object_size(base, size, side) - address : 0;
    *more |= !is_known;
    return room;
}

/* How many bytes, of so many, can be read behind a pointer: in both versions, where both are running. `more`: there is
 * more than that, or nothing is known of it. */
unsigned long __pn_readable(const void *pointer, unsigned long most, unsigned long *more)
{
    uint64_t address;
    memcpy(&address, pointer, sizeof address);
    uint32_t node = pn_memory_node((uint64_t)(uintptr_t)pointer, sizeof address, address);
    enum pn_side side = pn_side == PN_SIDE_BOTH ? PN_SIDE_NEW : pn_side;
    bool is_old_too = node && pn_side == PN_SIDE_BOTH && !pn_diverged;
    pn_memory_forget((uint64_t)(uintptr_t)more, sizeof *more);
    *more = 0;
    uint64_t room = room_at(address, side, more);
    uint64_t old_room = is_old_too ? room_at(pn_node(node)->old_value, PN_SIDE_OLD, more) : room;
    uint64_t least = old_room < room ? old_room : room;
    *more |= room > most || old_room != room;
    return least < most ? least : most;
}

static struct place place_passed(uint64_t address)
{
    const struct pn_known *known = pn_known_at(address);
    if (!address)
        return (struct place){0};
    if (!known)
        return (struct place){(uint64_t)(__stop_pn_known - __start_pn_known) + 1, 0, 1};
    return (struct place){(uint64_t)(known - __start_pn_known) + 1, address - (uint64_t)(uintptr_t)known->object, 1};
}

/* A pointer that was passed: by now what it pointed to may be gone. */
void __pn_output_place(const char *name, const void *pointer, const unsigned long *length)
{
    (void)length; /* for native programs, see there */
    uint64_t address;
    memcpy(&address, pointer, sizeof address);
    uint32_t node = pn_memory_node((uint64_t)(uintptr_t)pointer, sizeof address, address);
    uint64_t old_address = node && !pn_diverged ? pn_node(node)->old_value : address;
    if (node && pn_node(node)->flags & PN_SYMBOLIC)
        pn_bind(node, __pn_site);
    struct place in_old = place_passed(old_address), in_new = place_passed(address);
    output_place(name, &in_old, &in_new);
}

/* What was kept of it; zeros follow. */
void __pn_output_passed(const char *name, const void *kept, unsigned long size, const unsigned long *length)
{
    (void)length;
    pn_output(name, kept, size);
}

/* ---- where objects lie ---- */

/* Also one to a variable of a function: nothing else lies about here. */
static bool is_address(uint64_t value)
{
    enum { BELOW = 1 << 20, AROUND = 16 << 20 };
    uint64_t here = (uint64_t)(uintptr_t)__builtin_frame_address(0);
    return value - (here - BELOW) < AROUND || is_pointer(value);
}

static bool is_of_address(uint64_t at)
{
    uint64_t value;
    memcpy(&value, (const void *)(uintptr_t)at, sizeof value);
    bool may_differ = !pn_diverged && pn_memory_has_labels(at, sizeof value);
    uint32_t node = may_differ ? pn_memory_node(at, sizeof value, value) : 0;
    return (pn_looks_like_address(value) && is_address(value)) || (node && is_address(pn_node(node)->old_value));
}

/* By the words that the bytes are of. What cannot be read is another check's business. */
void __pn_slow_address_bytes(uint64_t address, uint64_t size, uint32_t is_certain, uint32_t site)
{
    uint64_t base = 0, room = 0, first = address & ~UINT64_C(7);
    bool is_known = address >= PN_LOWEST_ADDRESS && pn_object_extent(address, &base, &room);
    if (address < PN_LOWEST_ADDRESS || (!is_certain && !is_known))
        return;
    uint64_t end = is_certain ? first + 1 : address + size;
    if (!is_certain && end > base + room)
        end = base + room;
    for (uint64_t at = first; at < end; at += sizeof at) {
        bool is_of_object = !is_known || (at >= base && at + sizeof at <= base + room); /* beside it lies anything */
        if (is_of_object && is_of_address(at)) {
            __pn_hidden_arguments(site);
            return;
        }
    }
}

static bool is_given(uint64_t address)
{
    const struct pn_known *known = pn_known_at(address);
    return known && known->given != PN_NOT_GIVEN;
}

/* Pointers are compared or subtracted. Whether distinct objects are the same one is only a question for those that a
 * caller gives: what the program makes while it runs is its own. */
void __pn_compared(uint64_t one, uint64_t other, uint32_t how, uint32_t site)
{
    static uint64_t base, size; /* loops ask for the same object again and again */
    uint64_t other_base, other_size;
    bool is_order = how & 1, is_certain = how & 2;
    if (!one || !other || one == other || (!is_certain && one - base <= size && other - base <= size))
        return;
    if (!pn_object_extent(one, &base, &size)) {
        size = 0;
        return;
    }
    if (other - base < size + !is_certain)
        return;
    if (!pn_object_extent(other, &other_base, &other_size) || (!is_certain && one - other_base <= other_size))
        return;
    bool may_be_one = (is_given(one) && pn_is_variable(other)) || (is_given(other) && pn_is_variable(one));
    if (is_order || may_be_one)
        __pn_hidden_arguments(site);
}
