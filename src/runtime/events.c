/* Events: decisions at branches and switches, checks, assumptions, values bound to what they are, outputs. */
#include "runtime/runtime.h"
#include "trace/known.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void pn_output(const char *name, const void *pointer, unsigned long size);

bool pn_diverged;
uint32_t __pn_model_site;

void pn_lose(enum pn_loss what)
{
    pn_trace->lost |= what;
}

void pn_end_run(enum pn_ending ending)
{
    if (ending == PN_CHECK_FAILED)
        pn_compare_streams();
    pn_trace->ending = ending;
    if (pn_inside)
        pn_leave_run(0);
    if (ending == PN_CHECK_FAILED)
        pn_tell_failure();
    _exit(0);
}

void pn_record(struct pn_event event)
{
    uint32_t index = pn_trace->event_count;
    if (index >= pn_trace->event_capacity) {
        pn_lose(PN_LOSS_EVENTS);
        return;
    }
    if (pn_diverged)
        event.side = PN_SIDE_NEW;
    if (event.kind != PN_EVENT_OUTPUT)
        event.value = __pn_model_site;
    pn_trace_events(pn_trace)[index] = event;
    pn_trace->event_count = index + 1;
    if (pn_diverged || event.new_outcome == event.old_outcome)
        return;
    pn_diverged = true;
    pn_trace->diverged = index + 1;
    if (pn_side == PN_SIDE_OLD)
        pn_escape_old();
}

/* A decision on a node of width 1. A version that does not make it counts as going along; a check that only one version
 * makes and fails is a divergence, the way a branch of its own goes is not. */
static void decide(enum pn_event_kind kind, uint32_t site, uint32_t node, uint32_t part, enum pn_side side)
{
    const struct pn_node *condition = pn_node(node);
    bool in_new = condition->new_value & 1, in_old = condition->old_value & 1;
    pn_record((struct pn_event){
        .kind = kind,
        .side = side,
        .new_outcome = side != PN_SIDE_OLD      ? in_new
                       : kind == PN_EVENT_CHECK ? true
                                                : in_old,
        .old_outcome = side == PN_SIDE_OLD                             ? in_old
                       : side == PN_SIDE_NEW && kind == PN_EVENT_CHECK ? true
                       : side == PN_SIDE_NEW || pn_diverged            ? in_new
                                                                       : in_old,
        .site = site,
        .node = node,
        .part = part,
    });
}

/* Something both versions meet, with no condition. */
static void note(enum pn_event_kind kind, uint32_t site)
{
    pn_record((struct pn_event){.kind = kind, .site = site, .new_outcome = 1, .old_outcome = 1});
}

/* The versions part here, conservatively: what the old one does from here on cannot be followed. */
void pn_part(enum pn_event_kind kind, uint32_t site, uint32_t part)
{
    if (!pn_diverged)
        pn_record((struct pn_event){.kind = kind, .site = site, .new_outcome = 1, .old_outcome = 0, .part = part});
}

void __pn_slow_branch(label condition, uint32_t taken, uint32_t site)
{
    if ((pn_node(condition)->new_value & 1) != taken)
        pn_stale();
    else
        decide(PN_EVENT_BRANCH, site, condition, 0, pn_side);
}

void __pn_slow_assume(label condition, uint32_t holds, uint32_t site)
{
    bool in_old = !condition || pn_diverged || pn_node(condition)->old_value & 1;
    bool in_both = holds && in_old;
    pn_record((struct pn_event){
        .kind = PN_EVENT_ASSUME, .site = site, .node = condition, .new_outcome = in_both, .old_outcome = in_both});
    if (!in_both)
        pn_end_run(PN_ASSUMPTION_FAILED);
}

/* "The value is one of this target's": a chain of ranges. */
static uint32_t target_condition(uint32_t node, unsigned width, const struct pn_switch_case *cases, uint32_t count,
                                 uint32_t target)
{
    uint32_t any = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (cases[i].target != target)
            continue;
        uint32_t low = pn_make_constant(width, cases[i].low);
        uint32_t within = cases[i].low == cases[i].high
                              ? pn_make(PN_EQ, 1, node, low, 0)
                              : pn_make(PN_ULE, 1, pn_make(PN_SUB, width, node, low, 0),
                                        pn_make_constant(width, cases[i].high - cases[i].low), 0);
        any = any ? pn_make(PN_OR, 1, any, within, 0) : within;
    }
    return any;
}

/* A chain of decisions, one per target, in the order of the source, up to the one that a version takes. */
static void decide_target(uint32_t on_value, uint32_t width, uint32_t site, const struct pn_switch_case *cases,
                          uint32_t count, uint32_t part, enum pn_side side)
{
    uint32_t last_target = 0;
    for (uint32_t i = 0; i < count; i++)
        if (cases[i].target > last_target)
            last_target = cases[i].target;
    for (uint32_t target = 1; target <= last_target; target++) {
        uint32_t condition = target_condition(on_value, width, cases, count, target);
        if (!condition)
            continue;
        decide(PN_EVENT_BRANCH, site, condition, part | target, side);
        if (part == PN_OLD_TARGET ? pn_node(condition)->old_value : pn_node(condition)->new_value)
            return;
    }
}

/* Every case is one flip away from any run. Where the versions' values may differ, the old one's target is decided
 * first: behind a divergence nobody would ask for it any more. */
void __pn_slow_switch(label on_value, uint64_t value, uint32_t width, uint32_t site, const struct pn_switch_case *cases,
                      uint32_t count)
{
    if (pn_node(on_value)->new_value != value) {
        pn_stale();
        return;
    }
    if (pn_node(on_value)->flags & PN_SHADOWED && pn_side == PN_SIDE_BOTH && !pn_diverged)
        decide_target(on_value, width, site, cases, count, PN_OLD_TARGET, PN_SIDE_OLD);
    decide_target(on_value, width, site, cases, count, 0, pn_side);
}

/* A condition without which the operation is undefined. The new version's failure ends the run; the old one's is a
 * divergence, and the new version goes on. */
static void check(uint32_t ok, enum pn_check why, uint32_t site, enum pn_side side)
{
    if (!ok)
        return;
    bool fails = !pn_node(ok)->new_value || !pn_node(ok)->old_value;
    if (pn_node(ok)->flags & PN_SYMBOLIC || fails)
        decide(PN_EVENT_CHECK, site, ok, why, side);
    if (side != PN_SIDE_OLD && !pn_node(ok)->new_value)
        pn_end_run(PN_CHECK_FAILED);
}

/* Division is defined unless the divisor is zero or the quotient does not fit. */
static uint32_t division_defined(uint32_t width, uint32_t is_signed, uint64_t a, label la, uint64_t b, label lb)
{
    uint32_t dividend = la ? la : pn_make_constant(width, a), divisor = lb ? lb : pn_make_constant(width, b);
    uint32_t zero = pn_make(PN_EQ, 1, divisor, pn_make_constant(width, 0), 0);
    if (!is_signed)
        return pn_not(zero);
    uint32_t minimum = pn_make(PN_EQ, 1, dividend, pn_make_constant(width, UINT64_C(1) << (width - 1)), 0);
    uint32_t minus_one = pn_make(PN_EQ, 1, divisor, pn_make_constant(width, UINT64_MAX), 0);
    return pn_not(pn_make(PN_OR, 1, zero, pn_make(PN_AND, 1, minimum, minus_one, 0), 0));
}

/* A way of its own for inputs that shift too far, unless there are none. */
static bool decide_shift(uint32_t amount, uint32_t width, uint32_t site, enum pn_side side)
{
    uint32_t ok = pn_make(PN_ULT, 1, amount, pn_make_constant(pn_node(amount)->width, width), 0);
    if (pn_node(ok)->flags & PN_SYMBOLIC)
        decide(PN_EVENT_BRANCH, site, ok, side == PN_SIDE_OLD ? PN_OLD_TARGET : 0, side);
    return pn_node(ok)->new_value & 1;
}

void __pn_slow_shift(uint64_t amount, label on_amount, uint32_t width, uint32_t side, uint32_t site)
{
    bool is_known = on_amount && pn_node(on_amount)->new_value == amount;
    bool is_shadow = is_known && pn_node(on_amount)->flags & PN_SHADOWED && !pn_diverged;
    if (side != PN_SIDE_BOTH) {
        if (is_known ? !decide_shift(on_amount, width, site, (enum pn_side)side) : amount >= width)
            __pn_hidden_arguments(site);
    } else if (pn_diverged) { /* whether the other version makes the same shift is not known */
        uint32_t on_new = is_known ? pn_project(PN_SIDE_NEW, on_amount) : 0;
        if (on_new ? !decide_shift(on_new, width, site, PN_SIDE_NEW) : amount >= width)
            __pn_effect(site);
    } else if (is_shadow) {
        bool in_old = decide_shift(pn_project(PN_SIDE_OLD, on_amount), width, site, PN_SIDE_OLD);
        bool in_new = decide_shift(pn_project(PN_SIDE_NEW, on_amount), width, site, PN_SIDE_NEW);
        if (in_old != in_new)
            __pn_hidden_arguments(site);
    }
}

/* Both versions fail, but perhaps not in the same way: that is an output. */
static void output_failure(uint32_t kind)
{
    static uint8_t byte;
    if (!(pn_node(kind)->flags & PN_SHADOWED) || pn_diverged)
        return;
    byte = (uint8_t)pn_node(kind)->new_value;
    pn_memory_label((uint64_t)(uintptr_t)&byte, 1, kind);
    pn_output("failure", &byte, 1);
    pn_memory_forget((uint64_t)(uintptr_t)&byte, 1);
}

/* By a divisor of zero, or by a quotient that does not fit. */
static void output_division_failure(uint32_t width, uint64_t b, label lb, uint32_t ok)
{
    if (!ok || pn_node(ok)->new_value || pn_node(ok)->old_value)
        return;
    uint32_t divisor = lb ? lb : pn_make_constant(width, b);
    uint32_t zero = pn_make(PN_EQ, 1, divisor, pn_make_constant(width, 0), 0);
    output_failure(pn_make(PN_ZEXT, 8, zero, 0, 0));
}

void __pn_slow_division(uint32_t width, uint32_t is_signed, uint64_t a, label la, uint64_t b, label lb, uint32_t side,
                        uint32_t site)
{
    if ((la && pn_node(la)->new_value != a) || (lb && pn_node(lb)->new_value != b)) {
        pn_stale();
        return;
    }
    uint32_t ok = division_defined(width, is_signed, a, la, b, lb);
    if (side == PN_SIDE_BOTH)
        output_division_failure(width, b, lb, ok);
    check(ok, PN_CHECK_DIVISION, site, (enum pn_side)side);
}

/* On the old side a failed check does not return. */
uint64_t __pn_slow_old_division(uint32_t width, uint32_t is_signed, uint64_t a, label la, uint64_t b, label lb,
                                uint32_t site)
{
    if (pn_diverged)
        return 1;
    uint32_t ok = division_defined(width, is_signed, a, la, b, lb);
    check(ok, PN_CHECK_DIVISION, site, PN_SIDE_OLD);
    return ok && pn_node(ok)->old_value ? b : 1;
}

/* ---- objects' bounds ---- */

static uint32_t within(uint32_t address_node, uint32_t index, uint32_t size, enum pn_side side)
{
    const struct pn_object *object = &pn_trace_objects(pn_trace)[index];
    if (!index) /* nothing is known of it, but that it must not be null */
        return pn_make(PN_ULE, 1, pn_make_constant(64, PN_LOWEST_ADDRESS), address_node, 0);
    uint64_t known = pn_object_size(object->base, object->size, side);
    if (known < size)
        return pn_make_constant(1, 0);
    uint32_t offset = pn_make(PN_SUB, 64, address_node, pn_make_constant(64, object->base), 0);
    return pn_make(PN_ULE, 1, offset, pn_make_constant(64, known - size), 0);
}

/* Outside of an object, which is one failure wherever that lies; or near NULL, since nothing else fails of an address
 * of which no object is known. */
static uint64_t kind_of_failure(uint32_t index)
{
    return index != 0;
}

static bool same_size(uint32_t index)
{
    const struct pn_object *object = &pn_trace_objects(pn_trace)[index];
    return pn_object_size(object->base, object->size, PN_SIDE_OLD) ==
           pn_object_size(object->base, object->size, PN_SIDE_NEW);
}

/* The same object is asked for again and again. */
static struct {
    uint64_t base;
    enum pn_check why;
} last_checked;

/* Why it is checked: where a caller may have more, a failure is one of the object that was made, not of the code. */
static enum pn_check bounds_of(uint64_t base)
{
    if (base == last_checked.base)
        return last_checked.why;
    const struct pn_known *known = pn_known_at(base);
    last_checked.base = base;
    last_checked.why = known && known->given == PN_GIVEN_OF_ANY_LENGTH ? PN_CHECK_BEYOND : PN_CHECK_BOUNDS;
    return last_checked.why;
}

static void check_within(uint32_t ok, uint32_t object, uint32_t site, enum pn_side side)
{
    bool matters = ok && (pn_node(ok)->flags & PN_SYMBOLIC || !pn_node(ok)->new_value || !pn_node(ok)->old_value);
    if (matters)
        check(ok, object ? bounds_of(pn_trace_objects(pn_trace)[object].base) : PN_CHECK_BOUNDS, site, side);
}

void pn_check_access(uint32_t address_node, uint32_t size, uint32_t site, enum pn_side side)
{
    uint32_t in_new = pn_object_of(address_node, PN_SIDE_NEW), in_old = pn_object_of(address_node, PN_SIDE_OLD);
    if (pn_diverged || (in_new == in_old && (!in_new || same_size(in_new)))) {
        check_within(within(address_node, in_new, size, PN_SIDE_NEW), in_new, site, side);
        return;
    }
    uint32_t old_ok = within(pn_project(PN_SIDE_OLD, address_node), in_old, size, PN_SIDE_OLD);
    uint32_t new_ok = within(pn_project(PN_SIDE_NEW, address_node), in_new, size, PN_SIDE_NEW);
    if (side == PN_SIDE_BOTH && !pn_node(old_ok)->old_value && !pn_node(new_ok)->new_value)
        output_failure(pn_make_shadow(8, pn_make_constant(8, kind_of_failure(in_old)),
                                      pn_make_constant(8, kind_of_failure(in_new))));
    check_within(side == PN_SIDE_OLD   ? old_ok
                 : side == PN_SIDE_NEW ? new_ok
                                       : pn_make_shadow(1, old_ok, new_ok),
                 side == PN_SIDE_OLD ? in_old : in_new, site, side);
}

/* How many bytes the object has from there on: a term of where that is, if that depends on the input. */
static uint32_t room_behind(uint64_t address, uint32_t on_address, uint64_t base, uint64_t size, enum pn_side side)
{
    uint32_t node = on_address ? pn_project(side, on_address) : 0;
    uint32_t nothing = pn_make_constant(64, 0), all = pn_make_constant(64, size);
    if (!node || !(pn_node(node)->flags & PN_SYMBOLIC))
        return address - base < size ? pn_make_constant(64, base + size - address) : nothing;
    uint32_t offset = pn_make(PN_SUB, 64, node, pn_make_constant(64, base), 0);
    return pn_make(PN_ITE, 64, pn_make(PN_ULE, 1, offset, all, 0), pn_make(PN_SUB, 64, all, offset, 0), nothing);
}

/* "The length reaches no further than the object": the one that the address was computed from, which may lie behind its
 * end. */
static uint32_t length_fits(uint32_t length, uint64_t address, uint32_t on_address, enum pn_side side)
{
    uint32_t index = on_address ? pn_object_of(on_address, side) : 0;
    const struct pn_object *object = &pn_trace_objects(pn_trace)[index];
    uint64_t base = object->base, size = object->size;
    if (!index && !pn_object_extent(address, &base, &size))
        return pn_make_constant(1, 1);
    uint32_t room = room_behind(address, on_address, base, pn_object_size(base, size, side), side);
    return pn_make(PN_ULE, 1, pn_project(side, length), room, 0);
}

void pn_check_length(uint32_t length, uint64_t address, uint32_t on_address, uint32_t site, enum pn_side side)
{
    if (pn_node(length)->width != 64)
        return;
    uint64_t old_address = on_address && !pn_diverged ? pn_node(on_address)->old_value : address;
    uint32_t in_new = side == PN_SIDE_OLD ? 0 : length_fits(length, address, on_address, PN_SIDE_NEW);
    uint32_t in_old =
        side == PN_SIDE_NEW || pn_diverged ? 0 : length_fits(length, old_address, on_address, PN_SIDE_OLD);
    check(!in_new ? in_old : !in_old ? in_new : pn_make_shadow(1, in_old, in_new), bounds_of(address), site, side);
}

void __pn_slow_check(uint64_t address, label on_address, uint32_t size, uint32_t side, uint32_t site)
{
    if (pn_diverged && side == PN_SIDE_OLD)
        return;
    if (!on_address)
        check(pn_make_constant(1, address >= PN_LOWEST_ADDRESS), PN_CHECK_BOUNDS, site, (enum pn_side)side);
    else if (pn_node(on_address)->new_value != address)
        pn_stale();
    else
        pn_check_access(on_address, size, site, (enum pn_side)side);
}

void __pn_slow_object_check(uint64_t base, uint32_t is_variable, uint64_t address, uint64_t size, uint32_t side,
                            uint32_t site)
{
    uint64_t start, length;
    if (side != PN_SIDE_BOTH && pn_diverged)
        return;
    if (!(is_variable ? pn_object_extent(base, &start, &length) : pn_pointed_extent(base, &start, &length)))
        return;
    length = pn_object_size(start, length, (enum pn_side)side);
    if (address >= start && address + size <= start + length)
        return;
    pn_record((struct pn_event){.kind = PN_EVENT_CHECK,
                                .site = site,
                                .new_outcome = side == PN_SIDE_OLD,
                                .old_outcome = side == PN_SIDE_NEW,
                                .part = bounds_of(start)});
    pn_end_run(PN_CHECK_FAILED); /* not reached for the old version, whose code has just been left */
}

/* ---- what leaves the labels' reach ---- */

void pn_bind(uint32_t node, uint32_t site)
{
    const struct pn_node *bound = pn_node(node);
    if (!pn_matters(node))
        return;
    unsigned width = bound->width;
    uint32_t in_new = pn_make_constant(width, bound->new_value), in_old = pn_make_constant(width, bound->old_value);
    if (!(bound->flags & PN_SYMBOLIC))
        return;
    decide(PN_EVENT_CONCRETISE, site, pn_make(PN_EQ, 1, node, pn_make_shadow(width, in_old, in_new), 0), 0,
           PN_SIDE_BOTH);
}

void __pn_slow_external(label argument, uint64_t value, uint32_t width, uint32_t site)
{
    (void)width;
    const struct pn_node *node = pn_node(argument);
    if (node->new_value != value) {
        pn_stale();
        return;
    }
    pn_bind(argument, site);
    if (node->old_value != node->new_value)
        pn_part(PN_EVENT_EXTERNAL, site, 0);
}

void pn_note_unmodelled(uint32_t site)
{
    note(PN_EVENT_UNMODELLED, site);
}

/* Arguments in a list of which nothing is known. Of a version alone, nobody knows what is the same in the other one. */
void __pn_hidden_arguments(uint32_t site)
{
    if (__pn_active || pn_diverged)
        note(PN_EVENT_UNMODELLED, site);
}

void pn_note_signed(uint32_t node, enum pn_side side)
{
    if (pn_diverged && side == PN_SIDE_OLD)
        return;
    pn_record(
        (struct pn_event){.kind = PN_EVENT_SIGNED, .side = side, .new_outcome = 1, .old_outcome = 1, .node = node});
}

void pn_note_effect(void)
{
    note(PN_EVENT_EFFECT, 0);
}

void __pn_effect(uint32_t site)
{
    if (pn_diverged)
        note(PN_EVENT_EFFECT, site);
}

/* Once for each place: a change in a long loop would fill the trace. */
void pn_note_change(uint32_t site)
{
    static uint32_t noted[1 << 16]; /* the number of the run, plus one */
    if (site < sizeof noted / sizeof *noted) {
        if (noted[site] == pn_run_number + 1)
            return;
        noted[site] = pn_run_number + 1;
    }
    note(PN_EVENT_CHANGE, site);
}

/* One version alone is apart from the start. */
void pn_events_reset(void)
{
    pn_diverged = pn_trace->alone;
    __pn_model_site = 0;
    last_checked.base = 0;
}
