/* Pointers as inputs and outputs. An input pointer is an object's address or NULL, as one byte of the input says. As an
 * output a pointer is a place: which object it points into, and where there. */
#include "runtime/runtime.h"
#include "trace/known.h"

#include <string.h>

void pn_pointer(void *pointer, void *object, const char *name);
int pn_output_pointer(const char *name, const void *pointer);
void pn_output(const char *name, const void *pointer, unsigned long size);
void pn_symbolic(void *pointer, unsigned long size, const char *name);
const char *__pn_join_name(char *buffer, const char *before, const char *whole, const char *after);

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

/* What is compared. */
struct place {
    uint64_t object; /* 0: NULL; then the known objects; then other memory, in the order in which it was met */
    uint64_t offset; /* in known objects */
};

static struct pn_elsewhere elsewhere_in_old, elsewhere_in_new;

void pn_pointers_reset(void)
{
    elsewhere_in_old.count = elsewhere_in_new.count = 0;
}

/* `is_new`: it is other memory, and was not met before. */
static struct place place_of(uint64_t address, struct pn_elsewhere *elsewhere, bool *is_new)
{
    const struct pn_known *known = pn_known_at(address);
    *is_new = false;
    if (!address)
        return (struct place){0, 0};
    if (known)
        return (struct place){(uint64_t)(known - __start_pn_known) + 1, address - (uint64_t)(uintptr_t)known->object};
    uint64_t count = (uint64_t)(__stop_pn_known - __start_pn_known);
    return (struct place){count + pn_elsewhere_number(elsewhere, address, is_new), 0};
}

/* A pointer to a variable of a function that has returned leads nowhere. */
static bool is_readable(uint64_t address)
{
    uint64_t base, size;
    return pn_lasting_extent(address, &base, &size) && address - base < size;
}

static void label_word(uint64_t *word, uint64_t in_old)
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

/* Whether both versions' pointers lead to memory that is to be followed from here. */
int pn_output_pointer(const char *name, const void *pointer)
{
    static struct place place;
    uint64_t in_new;
    memcpy(&in_new, pointer, sizeof in_new);
    uint32_t node = take_pointer((uint64_t)(uintptr_t)pointer, in_new);
    uint64_t in_old = node && !pn_diverged ? pn_node(node)->old_value : in_new;
    bool is_new_in_new, is_new_in_old;
    pn_memory_forget((uint64_t)(uintptr_t)&place, sizeof place);
    place = place_of(in_new, &elsewhere_in_new, &is_new_in_new);
    struct place old_place = place_of(in_old, &elsewhere_in_old, &is_new_in_old);
    if (!pn_diverged) {
        label_word(&place.object, old_place.object);
        label_word(&place.offset, old_place.offset);
    }
    pn_output(name, &place, sizeof place);
    if (!is_new_in_new || !is_new_in_old)
        return 0;
    bool readable = is_readable(in_new) && is_readable(in_old);
    if (!readable && (pn_diverged || in_new != in_old)) /* one address of both versions leads to the same bytes */
        __pn_hidden_arguments(__pn_site);
    return readable;
}
