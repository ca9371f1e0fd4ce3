/* The runtime inside the program under test: what the hooks (hooks.c, inlined into the program by the instrumenter) and
 * the slow paths (everything else here, linked) say to each other. Depends on libc alone.
 *
 * A hook tests whether any label is involved and, if none is, does nothing. Only when one is does it call a slow path;
 * slow paths preserve the caller's registers, so that the fast path pays nothing for the call it does not make. */
#ifndef PENUMBRA_RUNTIME_RUNTIME_H
#define PENUMBRA_RUNTIME_RUNTIME_H

#include "trace/trace.h"

#include <setjmp.h>
#include <stdbool.h>

typedef uint32_t label; /* of a value in a register: a node's index; 0: concrete, the same in both versions */

/* ---- shadow memory at fixed places, reserved as a whole and touched lazily ----
 *
 * Labels: one per byte. Presence: one byte for every eight bytes of memory, nonzero where one of them may have a label;
 * this is all that fast paths look at, so that code without labels touches an eighth of its own memory more. */

#ifdef PN_BESIDE_ADDRESS_SANITIZER /* whose own shadow is where ours would be: for the runtime's tests */
#define PN_LABELS_BASE UINT64_C(0x200000000000)
#define PN_LABELS_BITS 43
#define PN_PRESENCE_BASE UINT64_C(0x400000000000)
#define PN_BLOCKS_BASE UINT64_C(0x1c0000000000)
#else
#define PN_LABELS_BASE UINT64_C(0x100000000000)
#define PN_LABELS_BITS 44 /* address bits that are kept: two addresses 16 TiB apart would share labels */
#define PN_PRESENCE_BASE UINT64_C(0x600000000000)
#define PN_BLOCKS_BASE UINT64_C(0x080000000000) /* where heap blocks start: see objects.c */
#endif
#define PN_LABELS_SIZE (UINT64_C(4) << PN_LABELS_BITS)
#define PN_PRESENCE_SIZE (UINT64_C(1) << (47 - 3))
#define PN_BLOCKS_SIZE (UINT64_C(4) << (PN_LABELS_BITS - 4))

static inline uint32_t *pn_labels(uint64_t address)
{
    return (uint32_t *)(PN_LABELS_BASE + ((address & ((UINT64_C(1) << PN_LABELS_BITS) - 1)) << 2));
}

static inline uint8_t *pn_presence(uint64_t address)
{
    return (uint8_t *)(PN_PRESENCE_BASE + (address >> 3));
}

/* Whether memory may have labels whose presence is told by so many bytes, eight at most. They are read as one word:
 * what is behind them does not count. */
static inline __attribute__((always_inline)) bool pn_is_present(const uint8_t *presence, uint64_t count)
{
    uint64_t eight;
    __builtin_memcpy(&eight, presence, 8);
    return eight << (64 - 8 * count);
}

static inline bool pn_memory_has_labels(uint64_t address, uint64_t size)
{
    const uint8_t *at = pn_presence(address);
    uint64_t left = (uint64_t)(pn_presence(address + size - 1) - at) + 1;
    if (!size)
        return false;
    for (; left > 8; left -= 8, at += 8)
        if (pn_is_present(at, 8))
            return true;
    return pn_is_present(at, left);
}

/* Nonzero when one of the bytes may have a label. An access that is not known to be aligned may lie in two granules. */
static inline __attribute__((always_inline)) uint32_t pn_may_have_label(uint64_t address, uint32_t size,
                                                                        uint32_t aligned)
{
    uint32_t present = *pn_presence(address);
    return aligned || size == 1 ? present : present | *pn_presence(address + size - 1);
}

#define PN_SLOW __attribute__((cold, preserve_most))
#define PN_OFTEN __attribute__((preserve_most)) /* not rare where versions differ, or where there are labels at all */
/* Slow paths with a shorter one in front, which makes no call. By a tail call, because clang 19 gives up the alignment
 * of a frame by a pop into a register that preserve_most keeps. */
#define PN_APART __attribute__((noinline, preserve_most))
#define PN_TAIL_CALL __attribute__((musttail))

/* ---- labels across calls: written only when one is nonzero ---- */

extern uint32_t __pn_arguments_present;
extern label __pn_argument_labels[PN_MAXIMUM_ARGUMENTS];
extern label __pn_result_label;
extern uint8_t __pn_fresh[]; /* what memory is filled with that nobody has written: objects.c */
/* Of the further parts of a result that has several. */
extern uint32_t __pn_results_present;
extern label __pn_result_labels[PN_MAXIMUM_ARGUMENTS];
/* Where the program calls one of the runtime's own functions (allocation). */
extern uint32_t __pn_site;
/* Where the program called the model of a library function that is running. */
extern uint32_t __pn_model_site;
/* Nodes made so far in this run: while it is zero there is no label anywhere. */
extern uint32_t __pn_active;

/* What a load in old-side code found: its value is returned, its label is here. */
extern label __pn_old_label;

/* ---- slow paths of the hooks; `value`s are zero-extended to 64 bits ---- */

PN_SLOW void __pn_slow_pass(uint32_t index, label argument);
PN_SLOW void __pn_slow_return_part(uint32_t part, label result);
/* A struct passed by value in memory: the caller says where it lies, the callee where its copy is. */
PN_SLOW void __pn_slow_pass_block(uint32_t index, uint64_t address, uint64_t size);
PN_SLOW void __pn_slow_take_block(uint32_t index, uint64_t copy, uint64_t size, uint32_t side);
/* Arguments behind the named ones lie at an offset into the saved registers or into the caller's frame. The callee
 * gives the address of a va_list, which says where these are. */
PN_SLOW void __pn_slow_pass_variable(uint32_t in_memory, uint32_t offset, label argument);
PN_SLOW void __pn_slow_pass_variable_block(uint32_t offset, uint64_t address, uint64_t size);
PN_SLOW void __pn_slow_variable_size(uint64_t bytes_in_memory);
PN_SLOW void __pn_slow_take_variable(uint64_t list);
/* Integers of 128 bits: one half of an operation's result, or a comparison's outcome. */
PN_SLOW label __pn_slow_wide(uint32_t operation, uint32_t half, uint64_t a_low, label on_a_low, uint64_t a_high,
                             label on_a_high, uint64_t b_low, label on_b_low, uint64_t b_high, label on_b_high);
/* Operations of the compiler's that are made of several (trace/derived.h). */
PN_SLOW label __pn_slow_derive(uint32_t derived, uint32_t width, uint64_t a, label la, uint64_t b, label lb, uint64_t c,
                               label lc);
PN_SLOW label __pn_slow_binary(uint32_t operation, uint32_t width, uint64_t a, label la, uint64_t b, label lb,
                               uint32_t signed_for);
PN_SLOW label __pn_slow_compare(uint32_t operation, uint32_t negated, uint32_t width, uint64_t a, label la, uint64_t b,
                                label lb);
PN_SLOW label __pn_slow_cast(uint32_t operation, uint32_t width, uint32_t from_width, uint64_t value, label from);
/* Floating point (floating.c). The first, also for operations of one operand: b is what their row says. */
PN_SLOW label __pn_slow_floating(uint32_t operation, uint32_t width, uint64_t a, label la, uint64_t b, label lb);
PN_SLOW label __pn_slow_fused(uint32_t width, uint64_t a, label la, uint64_t b, label lb, uint64_t c, label lc);
/* A NaN that has a label is the one NaN natively, too. */
PN_SLOW uint64_t __pn_slow_settle(uint64_t bits, uint32_t width);
PN_SLOW label __pn_slow_to_integer(uint32_t is_signed, uint32_t width, label from);
/* A function of <math.h>, or what it sets errno to; the width is its arguments'. */
PN_SLOW label __pn_slow_function(uint32_t operation, uint32_t width, uint32_t function, uint64_t a, label la,
                                 uint64_t b, label lb);
PN_SLOW label __pn_slow_select(uint32_t width, label condition, uint64_t chosen, uint64_t if_true, label on_true,
                               uint64_t if_false, label on_false);
PN_SLOW label __pn_slow_pointer(uint64_t base, label on_base, uint64_t index, label on_index, uint32_t index_width,
                                uint64_t scale, uint64_t offset);
PN_SLOW label __pn_slow_load(uint64_t address, label on_address, uint64_t value, uint32_t size, uint32_t site);
PN_SLOW void __pn_slow_store(uint64_t address, label on_address, uint64_t value, label on_value, uint32_t size,
                             uint32_t site);
PN_SLOW void __pn_slow_branch(label condition, uint32_t taken, uint32_t site);
PN_SLOW void __pn_slow_assume(label condition, uint32_t holds, uint32_t site);
PN_SLOW void __pn_slow_division(uint32_t width, uint32_t is_signed, uint64_t a, label la, uint64_t b, label lb,
                                uint32_t side, uint32_t site);
/* Before an access through a labelled address: does it lie within its object? */
PN_SLOW void __pn_slow_check(uint64_t address, label on_address, uint32_t size, uint32_t side, uint32_t site);

struct pn_switch_case {
    uint64_t low, high; /* the case's values, ends included */
    uint32_t target;    /* which successor; 0 is the default and has no row */
    uint32_t reserved;
};
PN_SLOW void __pn_slow_switch(label on_value, uint64_t value, uint32_t width, uint32_t site,
                              const struct pn_switch_case *cases, uint32_t count);

/* In one-sided code, and in builds that confirm failures: the access must lie in the object that `base` points into. */
PN_SLOW void __pn_slow_object_check(uint64_t base, uint32_t is_variable, uint64_t address, uint64_t size, uint32_t side,
                                    uint32_t site);

/* Whether bytes have no labels and lie in one object, so that the C library's own function can be asked: a text up to
 * its end, or `limit` bytes of it. */
PN_OFTEN uint32_t __pn_slow_plain_text(uint64_t address, uint64_t limit, uint32_t checked);
PN_OFTEN uint32_t __pn_slow_plain_bytes(uint64_t address, uint64_t count, uint32_t checked);

/* Data that leaves what is instrumented: bound to its concrete value, or a conservative divergence. */
PN_SLOW void __pn_slow_external(label argument, uint64_t value, uint32_t width, uint32_t site);
PN_SLOW void __pn_slow_external_memory(uint64_t address, uint32_t site);
PN_SLOW void __pn_slow_external_text(uint64_t address, uint32_t site);
/* A function without hooks gets a list of arguments (va_list): what they are, and what they point to, nobody sees. */
void __pn_hidden_arguments(uint32_t site);
void __pn_slow_shift(uint64_t amount, label on_amount, uint32_t width, uint32_t side, uint32_t site);
void __pn_slow_address_bytes(uint64_t address, uint64_t size, uint32_t is_certain, uint32_t site);
/* Few numbers look like the addresses that programs have. */
static inline bool pn_looks_like_address(uint64_t word)
{
    enum { LOWEST = 0x55, HIGHEST = 0x7f, SHIFT = 40 };
    return (word >> SHIFT) - LOWEST <= HIGHEST - LOWEST;
}
/* A function without hooks that may do something visible. */
void __pn_effect(uint32_t site);
/* Bytes that are read as something labels do not describe (a float, a struct): bound to their values. */
PN_SLOW void __pn_slow_concretise(uint64_t address, label on_address, uint64_t size, uint32_t site);
PN_SLOW void __pn_slow_clear(uint64_t address, label on_address, uint64_t size, uint32_t site);
PN_OFTEN void __pn_slow_copy(uint64_t to, label on_to, uint64_t from, label on_from, uint64_t size, label on_size,
                             uint32_t site);
PN_OFTEN void __pn_slow_fill(uint64_t to, label on_to, uint64_t byte, label on_byte, uint64_t size, label on_size,
                             uint32_t site);

/* ---- code without hooks ---- */

extern uint32_t __pn_outside; /* it is running, called by the program */
/* Whether a pointer leads there; then what was passed is bound. */
PN_SLOW uint32_t __pn_slow_target_outside(uint64_t function);
PN_SLOW void __pn_slow_leave_through(uint32_t site);
/* It calls the program back. */
PN_SLOW void __pn_slow_enter_from_outside(void);

/* setjmp and longjmp, by the code of a side. Each gives the buffer to use: the old version has its own. */
uint64_t __pn_jump_buffer(uint64_t buffer, uint32_t side);
uint64_t __pn_jump_target(uint64_t buffer, uint32_t side, uint32_t site);

/* ---- one-sided code ---- */

enum { PN_LOWEST_ADDRESS = 4096 }; /* nothing is ever mapped below: null pointers and what is near */
/* The frame of the function that holds the one-sided code: what is below belongs to functions that the code called. */
extern uint64_t __pn_frame;
enum { PN_STACK_BYTES = 64 << 20 };
static inline bool pn_is_below_frame(uint64_t address)
{
    return __pn_frame - address - 1 < PN_STACK_BYTES;
}
extern uint32_t __pn_last_site;  /* where one side's code was last: faults happen there */
extern uint32_t __pn_steps_left; /* until it is looked at whether the code ends at all */
/* Nonzero once there has been memory that only one version has. */
extern uint32_t __pn_one_sided_objects;

extern jmp_buf __pn_escape; /* where the old side's failures go: set before its code begins */
/* Nonzero when the old side's code is not to run: the versions are apart already, or it has just failed (`again`). */
uint32_t __pn_enter_old(uint32_t again, uint32_t site);
void __pn_leave_old(uint32_t site);
void __pn_enter_new(uint32_t site);
void __pn_leave_new(uint32_t site);
/* One version leaves its code for another place than the other: a divergence. */
void __pn_break_old(uint32_t site);
void __pn_break_new(uint32_t site);
/* One version ends or fails here, or does something that cannot be followed. The old version's do not return while the
 * versions are together, nor does the new version's failure. */
void __pn_old_fails(uint32_t site);
void __pn_new_fails(uint32_t site);
void __pn_old_leaves(uint32_t site);
void __pn_old_external(uint32_t site);
void __pn_new_external(uint32_t site);
/* The code of one version must end. */
PN_SLOW void __pn_slow_old_step(uint32_t site);
PN_SLOW void __pn_slow_new_step(uint32_t site);
/* The copy of a function for one side. */
uint64_t __pn_side_target(uint64_t function, label on_function, uint32_t side, uint32_t site);
void __pn_side_copy(uint32_t side, uint64_t to, label on_to, uint64_t from, label on_from, uint64_t size, label on_size,
                    uint32_t site);
void __pn_side_fill(uint32_t side, uint64_t to, label on_to, uint64_t byte, label on_byte, uint64_t size, label on_size,
                    uint32_t site);
/* The objects behind pointers hold the old version's bytes for one call: noted one by one, exchanged, put back. */
void __pn_borrow(uint64_t address, uint32_t site);
void __pn_lend(void);
void __pn_give_back(void);
PN_OFTEN uint64_t __pn_slow_old_load(uint64_t address, label on_address, uint32_t size, uint32_t site);
PN_OFTEN void __pn_slow_old_store(uint64_t address, label on_address, uint64_t value, label on_value, uint32_t size,
                                  uint32_t site);
PN_OFTEN label __pn_slow_new_load(uint64_t address, label on_address, uint64_t value, uint32_t size, uint32_t site);
/* Before the native store. */
PN_OFTEN void __pn_slow_new_store(uint64_t address, label on_address, uint64_t value, label on_value, uint32_t size,
                                  uint32_t site);
/* The label of a pointer that one version stores: where it has none, one that keeps which object it was computed from.
 */
label __pn_pointer_value(uint64_t pointer, label on_pointer, uint64_t root);
/* Old-side division: the divisor to use natively, 1 where the real one would trap (which is recorded). */
PN_SLOW uint64_t __pn_slow_old_division(uint32_t width, uint32_t is_signed, uint64_t a, label la, uint64_t b, label lb,
                                        uint32_t site);

/* Both versions write to a stream (NULL: standard output): what each wrote alone before comes before this. */
struct _IO_FILE;
void __pn_write_together(struct _IO_FILE *file);
/* Both versions write bytes, each its own; or one does. */
void __pn_write(struct _IO_FILE *file, uint64_t bytes, label on_bytes, uint64_t size, label on_size, uint32_t site);
void __pn_side_write(uint32_t side, struct _IO_FILE *file, uint64_t bytes, uint64_t size, uint32_t site);

/* ---- objects ---- */

struct pn_global {
    uint64_t base, size;
    uint64_t is_constant;
};
extern const struct pn_global __start_pn_globals[] __attribute__((weak));
extern const struct pn_global __stop_pn_globals[] __attribute__((weak));
struct pn_stack_object {
    uint64_t base, size;
};
enum { PN_MAXIMUM_STACK_OBJECTS = 1 << 16 };
extern struct pn_stack_object __pn_stack_objects[PN_MAXIMUM_STACK_OBJECTS];
extern uint32_t __pn_stack_depth;

/* An array of which each version has the first so many bytes. */
void __pn_bounds(void *array, unsigned long size, unsigned long old_size, unsigned long new_size);
void *__pn_malloc(size_t size);
void *__pn_calloc(size_t count, size_t size);
void *__pn_realloc(void *block, size_t size);
void __pn_free(void *block);

/* What the program calls in place of functions of <math.h>, and what these would have set errno to. */
double __pn_function_double(uint32_t function, double a, double b);
float __pn_function_float(uint32_t function, float a, float b);
int __pn_function_error_double(uint32_t function, double a, double b);
int __pn_function_error_float(uint32_t function, float a, float b);

/* ---- inside the runtime only ---- */

extern struct pn_trace *pn_trace; /* never NULL after start-up */
extern bool pn_diverged;          /* from here on only the new version is followed */
extern enum pn_side pn_side;      /* whose code is running */
extern uint32_t pn_passage;       /* counts the passages through one version's code */
extern bool pn_has_own_blocks;    /* a version has allocated something for itself */

/* nodes.c: hash-consed construction. Children that are 0 are made constants of the given value. */
extern struct pn_node *pn_nodes; /* the trace's table */
static inline const struct pn_node *pn_node(uint32_t index)
{
    return &pn_nodes[index];
}
uint32_t pn_make_constant(unsigned width, uint64_t value);
uint32_t pn_make(enum pn_operation operation, unsigned width, uint32_t a, uint32_t b, uint32_t c);
/* floating.c: the value of PN_FCALL or PN_FERROR, for arguments of the width. */
uint64_t pn_function_result(enum pn_operation operation, uint32_t function, uint32_t width, uint64_t a, uint64_t b);
/* An element of a table of constants, which lies at a word of the trace's region of constants. */
uint32_t pn_make_lookup(unsigned width, uint32_t index, uint32_t constants);
/* Some bytes of the input, the first one lowest. */
uint32_t pn_make_inputs(uint32_t first, unsigned count);
uint32_t pn_make_pointer(uint64_t address, uint32_t object);
/* shadow(old, new); 0 or the common node when both sides are shown equal; the new one alone after a divergence. */
uint32_t pn_make_shadow(unsigned width, uint32_t in_old, uint32_t in_new);
/* What a node is in one version, for both. */
uint32_t pn_project(enum pn_side side, uint32_t node);
uint32_t pn_not(uint32_t condition);
/* The upper half of the product of two 64-bit values. */
uint32_t pn_make_high_product(uint32_t a, uint32_t b);
static inline bool pn_matters(uint32_t node)
{
    return node && pn_node(node)->flags & (PN_SYMBOLIC | PN_SHADOWED);
}
/* The node of a value that may have a label. */
static inline uint32_t pn_operand(unsigned width, uint64_t value, label on_value)
{
    return on_value ? on_value : pn_make_constant(width, value);
}
/* The label to go on with: a node that depends neither on the input nor on the version says nothing. */
static inline label pn_useful(uint32_t node)
{
    return pn_matters(node) ? node : 0;
}

/* memory.c */
/* The node of `size` bytes at an address whose native value is `value`; labels that do not fit it are dropped. */
uint32_t pn_memory_node(uint64_t address, unsigned size, uint64_t value);
/* The label of one byte, as the trace's readers know them: a node's index and which of its bytes. */
uint32_t pn_memory_byte(uint64_t address, uint8_t value);
void pn_memory_label(uint64_t address, unsigned size, uint32_t node);
/* The labels of the bytes, as they stand in memory, are these again and again. */
void pn_memory_label_all(uint64_t address, uint64_t size, const uint32_t *labels, unsigned count);
/* A place where a label may be: remembered, so that it can be cleared after the run. */
void pn_mark_presence(uint64_t address, uint64_t size);
/* Labels of whole blocks: remove them, copy them (blocks may overlap). */
void pn_memory_forget(uint64_t address, uint64_t size);
void pn_memory_copy_labels(uint64_t to, uint64_t from, uint64_t size);
void pn_stale(void);
/* One version's view of readable memory: its value and, unless that is concrete, its node. */
uint32_t pn_memory_view(uint64_t address, unsigned size, enum pn_side side, uint64_t *value);

/* select.c: what a load through an address that depends on the input gives, in one version. 0 where it is not a choice
 * among few elements of a known object: then the address has to be bound. */
uint32_t pn_select(uint32_t address_node, unsigned size, enum pn_side side);
void pn_forget_constants(void);
void pn_forget_origins(void);

/* Memory that only the running side can know: the frames of functions that it called, blocks that it made.
 * There the native bytes are its own. */
bool pn_is_own_block(uint64_t address, enum pn_side side);
static inline bool pn_is_private(uint64_t address, enum pn_side side)
{
    return (pn_side == side && pn_is_below_frame(address)) || (pn_has_own_blocks && pn_is_own_block(address, side));
}
/* The old side's code has failed or left: on with the new side's. */
__attribute__((noreturn)) void pn_escape_old(void);
void pn_watch_faults(void);

/* arguments.c */
/* What was passed or returned and not taken is of no interest any more. */
void pn_forget_arguments(void);
/* Everything that was passed goes to a function without hooks. */
void pn_bind_arguments(uint32_t site);
/* The labels of a runtime function's arguments, taken from where the caller put them. */
label pn_take_argument(uint32_t index);
void pn_arguments_taken(void);

/* globals.c */
void pn_sort_globals(void);
/* The variable that holds the address, or NULL. */
const struct pn_global *pn_global_at(uint64_t address);

/* objects.c */
/* Memory that not both versions have: a block that one has freed, or both, the end of an array that is longer in one.
 * An access by a version that does not have it is recorded. */
extern uint32_t pn_freed_blocks; /* by both */
bool pn_is_one_sided(uint64_t address);
/* Whether the version has freed it, or never had it. */
bool pn_is_gone(uint64_t address, enum pn_side side);
/* How much of a known object a version has. */
uint64_t pn_object_size(uint64_t base, uint64_t size, enum pn_side side);
void pn_check_one_sided(uint64_t address, uint32_t site, enum pn_side side);
static inline void pn_check_life(uint64_t address, uint32_t site, enum pn_side side)
{
    if (__pn_one_sided_objects | pn_freed_blocks)
        pn_check_one_sided(address, site, side);
}
/* The object that holds an address, as an index into the trace's objects; 0 when unknown. */
uint32_t pn_object_at(uint64_t address);
/* The same for a pointer of which only the value is known: none where it could also be the end of another object. */
uint32_t pn_object_pointed_to(uint64_t pointer);
bool pn_pointed_extent(uint64_t pointer, uint64_t *base, uint64_t *size);
bool pn_object_extent(uint64_t address, uint64_t *base, uint64_t *size);
/* The same for objects that are there when all functions have returned. */
bool pn_lasting_extent(uint64_t address, uint64_t *base, uint64_t *size);
/* Whether it lies in a variable that is no function's own. */
bool pn_is_variable(uint64_t address);
/* Whether it is a variable that nobody may write to, or a string constant. */
bool pn_is_constant(uint64_t address);

/* events.c */
/* Appends an event. Outcomes that differ are the divergence, if there was none before. */
void pn_record(struct pn_event event);
/* The versions part without a condition: the old one cannot be followed any further. */
void pn_part(enum pn_event_kind kind, uint32_t site, uint32_t part);
void pn_note_change(uint32_t site);
/* One version alone has written something: where they part before or after, it is not compared. */
void pn_note_effect(void);
/* A function without hooks was given what depends on the input. */
void pn_note_unmodelled(uint32_t site);
/* A signed operation, where overflow is of interest. */
void pn_note_signed(uint32_t node, enum pn_side side);
/* Binds a value to what it is in this run, in each version; `site` says where precision is lost. */
void pn_bind(uint32_t node, uint32_t site);
/* The object that an address was computed from, in one version, as an index into the trace's objects; 0: unknown. */
uint32_t pn_object_of(uint32_t address_node, enum pn_side side);
/* Records whether the access lies within its object, for the versions that make it; ends the run if the new one fails.
 */
void pn_check_access(uint32_t address_node, uint32_t size, uint32_t site, enum pn_side side);
/* The same for a labelled number of bytes, from an address on that may have a label, too. */
void pn_check_length(uint32_t length, uint64_t address, uint32_t on_address, uint32_t site, enum pn_side side);
__attribute__((noreturn)) void pn_end_run(enum pn_ending ending);
void pn_lose(enum pn_loss what);

/* by_hand.c: what is read and told when a person runs the program, not the explorer. */
void pn_read_input_file(const char *path);
void pn_tell_failure(void);

/* streams.c: at the end of a run, streams that the versions wrote differently become outputs. */
void pn_compare_streams(void);

/* start.c */
void pn_start(void);

/* entry.c: the start-up functions and the entry, from beginning to end. */
void pn_run_program(void);

/* leave.c, inside.c: runs in the explorer's process. */
extern bool pn_inside;
extern uint32_t pn_run_number;
__attribute__((noreturn)) void pn_leave_run(int signal);
/* Whether the code that a signal interrupted (`context`: its ucontext_t) can be left for good. */
bool pn_can_leave_run(const void *context);
/* From now on blocks lie in a region that begins anew with each run. */
void pn_blocks_inside(void);
/* The node table has been emptied. */
void pn_forget_nodes(void);
/* Each file forgets the run. */
void pn_memory_reset(void);
void pn_objects_reset(void);
void pn_sides_reset(void);
void pn_events_reset(void);
void pn_streams_reset(void);
/* The blocks of this run by number, as long as there are more; of one that the version has not, or not any more, the
 * base is 0. */
bool pn_block_of(size_t number, enum pn_side side, uint64_t *base, uint64_t *size);
/* The word differs in the old version. */
void pn_label_word(uint64_t *word, uint64_t in_old);
/* Of a stream that the entry was given; NULL: it was not. */
const char *pn_argument_name(const struct _IO_FILE *stream);
void pn_jumps_reset(void);
void pn_outside_reset(void);
void pn_pointers_reset(void);

#endif
