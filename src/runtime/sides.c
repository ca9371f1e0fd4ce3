/* Code that runs for one version: entering and leaving it, what is that version's own, and failures of the old version,
 * which the process survives.
 *
 * The old side's code begins behind a setjmp in the function that holds it. Whatever ends it early - a failed check, a
 * fault, too many steps, something that cannot be followed - is recorded as the divergence and jumps back there; the
 * run goes on with the new side. */
#include "runtime/runtime.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAXIMUM_OLD_STEPS = 1000000,
    MAXIMUM_NEW_STEPS = 20000000,
    STEPS_AT_A_TIME = 1000, /* between two looks at the number of decisions */
    MAXIMUM_DECISIONS = 20000,
    BORROWED_BYTES = 1 << 16
};

enum pn_side pn_side;
uint32_t pn_passage;
jmp_buf __pn_escape;

static uint32_t stack_depth, model_site; /* known stack objects, and the model that runs, when the code began */
uint64_t __pn_frame;
uint32_t __pn_steps_left, __pn_last_site;
static uint32_t steps, decisions_before; /* how far one side's code has got */

/* ---- the old version's bytes, for functions without hooks ---- */

/* Bytes that differ, noted first and exchanged all at once: labels are only read while the new version's bytes stand.
 */
static struct {
    uint64_t address;
    uint8_t byte;
} borrowed[BORROWED_BYTES];
static uint32_t borrowed_count;
static bool lent;

void __pn_borrow(uint64_t address, uint32_t site)
{
    uint64_t base, size;
    if (!pn_object_extent(address, &base, &size) || !pn_memory_has_labels(base, size))
        return;
    for (uint64_t at = base; at < base + size; at++) {
        uint8_t native = *(const uint8_t *)(uintptr_t)at;
        uint32_t node = *pn_labels(at) ? pn_memory_node(at, 1, native) : 0;
        if (!node)
            continue;
        pn_bind(pn_project(PN_SIDE_OLD, node), site);
        if (pn_node(node)->old_value == native)
            continue;
        if (borrowed_count == BORROWED_BYTES)
            pn_part(PN_EVENT_EXTERNAL, site, PN_SIDE_OLD);
        borrowed[borrowed_count].address = at;
        borrowed[borrowed_count++].byte = (uint8_t)pn_node(node)->old_value;
    }
}

static void exchange(uint32_t index)
{
    uint8_t *byte = (uint8_t *)(uintptr_t)borrowed[index].address, native = *byte;
    *byte = borrowed[index].byte;
    borrowed[index].byte = native;
}

void __pn_lend(void)
{
    lent = true;
    for (uint32_t i = 0; i < borrowed_count; i++)
        exchange(i);
}

void __pn_give_back(void)
{
    while (lent && borrowed_count)
        exchange(--borrowed_count);
    borrowed_count = 0;
    lent = false;
}

/* ---- entering and leaving ---- */

/* What is below this frame, functions that the code calls will have made. */
static inline __attribute__((always_inline)) void begin(uint32_t site)
{
    __pn_frame = (uint64_t)(uintptr_t)__builtin_frame_address(0);
    decisions_before = pn_trace->event_count;
    pn_passage++;
    __pn_last_site = site;
    __pn_steps_left = STEPS_AT_A_TIME;
    steps = 0;
}

uint32_t __pn_enter_old(uint32_t again, uint32_t site)
{
    pn_side = PN_SIDE_BOTH;
    if (again || pn_diverged)
        return 1;
    pn_note_change(site);
    pn_side = PN_SIDE_OLD;
    stack_depth = __pn_stack_depth;
    model_site = __pn_model_site;
    begin(site);
    return 0;
}

void __pn_leave_old(uint32_t site)
{
    (void)site;
    pn_side = PN_SIDE_BOTH;
}

void __pn_enter_new(uint32_t site)
{
    pn_note_change(site);
    pn_side = pn_diverged ? PN_SIDE_BOTH : PN_SIDE_NEW;
    begin(site);
}

void __pn_leave_new(uint32_t site)
{
    (void)site;
    pn_side = PN_SIDE_BOTH;
}

void __pn_break_old(uint32_t site)
{
    pn_side = PN_SIDE_BOTH;
    pn_part(PN_EVENT_LEAVE, site, PN_SIDE_OLD);
}

void __pn_break_new(uint32_t site)
{
    pn_side = PN_SIDE_BOTH;
    pn_part(PN_EVENT_LEAVE, site, PN_SIDE_NEW);
}

void pn_escape_old(void)
{
    __pn_give_back();
    __pn_stack_depth = stack_depth;
    __pn_model_site = model_site;
    pn_side = PN_SIDE_BOTH;
    pn_forget_arguments();
    longjmp(__pn_escape, 1);
}

void __pn_old_fails(uint32_t site)
{
    pn_part(PN_EVENT_CHECK, site, PN_CHECK_ENDED);
}

static void fail_new(uint32_t site, enum pn_check why)
{
    if (pn_diverged)
        return;
    pn_record((struct pn_event){.kind = PN_EVENT_CHECK, .site = site, .old_outcome = 1, .part = why});
    pn_end_run(PN_CHECK_FAILED);
}

void __pn_new_fails(uint32_t site)
{
    fail_new(site, PN_CHECK_ENDED);
}

void __pn_old_leaves(uint32_t site)
{
    pn_part(PN_EVENT_LEAVE, site, PN_SIDE_OLD);
}

void __pn_old_external(uint32_t site)
{
    pn_part(PN_EVENT_EXTERNAL, site, PN_SIDE_OLD);
}

void __pn_new_external(uint32_t site)
{
    pn_part(PN_EVENT_EXTERNAL, site, PN_SIDE_NEW);
}

static bool goes_on_too_long(uint32_t maximum)
{
    __pn_steps_left = STEPS_AT_A_TIME;
    steps += STEPS_AT_A_TIME;
    return steps > maximum || pn_trace->event_count - decisions_before > MAXIMUM_DECISIONS;
}

void __pn_slow_old_step(uint32_t site)
{
    if (goes_on_too_long(MAXIMUM_OLD_STEPS))
        pn_part(PN_EVENT_CHECK, site, PN_CHECK_ENDLESS);
}

/* The new version is followed all the same: should it end after all, the native runs will say so. */
void __pn_slow_new_step(uint32_t site)
{
    if (goes_on_too_long(MAXIMUM_NEW_STEPS) && !pn_diverged)
        pn_record((struct pn_event){.kind = PN_EVENT_CHECK, .site = site, .old_outcome = 1, .part = PN_CHECK_ENDLESS});
}

/* A fault while one-sided code runs is that version's: a bad address, a stack that is used up. */
static void take_fault(int signal, siginfo_t *info, void *context)
{
    (void)info;
    uint32_t why = signal == SIGFPE ? PN_CHECK_DIVISION : PN_CHECK_FAULT;
    if (pn_side == PN_SIDE_OLD)
        pn_part(PN_EVENT_CHECK, __pn_last_site, why);
    if (pn_side == PN_SIDE_NEW)
        fail_new(__pn_last_site, why);
    pn_compare_streams();
    if (pn_can_leave_run(context))
        pn_leave_run(signal);
    struct sigaction plain = {.sa_handler = SIG_DFL};
    sigaction(signal, &plain, NULL);
    raise(signal);
}

void pn_watch_faults(void)
{
    static char stack[1 << 16];
    stack_t alternative = {.ss_sp = stack, .ss_size = sizeof stack};
    struct sigaction action = {.sa_sigaction = take_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
    sigaltstack(&alternative, NULL);
    sigaction(SIGSEGV, &action, NULL);
    sigaction(SIGBUS, &action, NULL);
    sigaction(SIGFPE, &action, NULL);
    sigaction(SIGABRT, &action, NULL);
}

void pn_sides_reset(void)
{
    pn_side = PN_SIDE_BOTH;
    borrowed_count = 0;
    lent = false;
    __pn_frame = 0;
}

/* ---- calls through pointers ---- */

struct copies {
    uint64_t function, for_old, for_new;
};
extern const struct copies __start_pn_copies[] __attribute__((weak));
extern const struct copies __stop_pn_copies[] __attribute__((weak));

uint64_t __pn_side_target(uint64_t function, label on_function, uint32_t side, uint32_t site)
{
    if (on_function)
        pn_bind(on_function, site);
    for (const struct copies *row = __start_pn_copies; row < __stop_pn_copies; row++)
        if (row->function == function)
            return side == PN_SIDE_OLD ? row->for_old : row->for_new;
    pn_part(PN_EVENT_EXTERNAL, site, side);
    return function;
}
