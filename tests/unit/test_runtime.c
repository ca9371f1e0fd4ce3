/* The runtime, part by part, in a build of its own: with AddressSanitizer and UndefinedBehaviorSanitizer, and with the
 * labels where these leave room for them (see the Makefile). Each case is a run inside this process, as the explorer
 * makes them: __pn_harness() is the case's body, and what it did is undone when it has ended. Hooks are inlined into
 * instrumented programs; here their slow paths are called as they would call them. */
#include "runtime/leave.h"
#include "runtime/runtime.h"
#include "trace/derived.h"
#include "trace/inside.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

pn_run_inside __pn_run_inside;
void __pn_harness(void);
void pn_symbolic(void *pointer, unsigned long size, const char *name);
void pn_output(const char *name, const void *pointer, unsigned long size);
void __pn_static_variable(const uint8_t *in_old, const uint8_t *in_new, uint64_t size, uint32_t holds_pointers,
                          const char *name, uint32_t site);

/* It would look for pointers in the pages behind the variables that nobody may touch (runtime/guard.c). */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "detect_leaks=0";
}

#define ADDRESS(object) ((uint64_t)(uintptr_t)(object))

/* ---- variables of the program under test, as the instrumenter lists them ---- */

static uint32_t word, other_word, table[8] = {3, 1, 4, 1, 5, 9, 2, 6};
static uint8_t bytes[32];
static uint64_t pointer_variable;
#define GLOBAL(variable) {ADDRESS(&variable), sizeof variable, 0}
static const struct pn_global globals[] __attribute__((used, section("pn_globals"))) = {
    GLOBAL(word), GLOBAL(other_word), GLOBAL(table), GLOBAL(bytes), GLOBAL(pointer_variable)};

/* ---- runs ---- */

static struct pn_inside_run run;
static void (*body)(void);
static char wrong[256]; /* what a run found wrong first: it is not to be left in the middle */

#define expect(condition)                                                                                              \
    do {                                                                                                               \
        if (!(condition) && !*wrong)                                                                                   \
            snprintf(wrong, sizeof wrong, "line %d: %s", __LINE__, #condition);                                        \
    } while (0)

void __pn_harness(void)
{
    body();
}

static void run_limited(void (*program)(void), double seconds)
{
    pn_trace->event_count = pn_trace->data_size = pn_trace->lost = pn_trace->diverged = pn_trace->stale_labels = 0;
    pn_trace->ending = PN_RUNNING;
    pn_trace->node_count = pn_trace->object_count = 1;
    pn_trace->input_region_count = pn_trace->input_size = 0;
    run = (struct pn_inside_run){.seconds = seconds, .memory_bytes = SIZE_MAX};
    body = program;
    *wrong = '\0';
    __pn_run_inside(&run);
    if (*wrong)
        fail_msg("%s", wrong);
}

/* To its end. */
static void run_program(void (*program)(void))
{
    run_limited(program, 60);
    assert_int_equal(run.signal, 0);
    assert_int_equal(pn_trace->ending, PN_COMPLETED);
}

static const struct pn_event *event_at(uint32_t index)
{
    assert_true(index < pn_trace->event_count);
    return &pn_trace_events(pn_trace)[index];
}

/* The first event of a kind. */
static const struct pn_event *find_event(enum pn_event_kind kind)
{
    for (uint32_t i = 0; i < pn_trace->event_count; i++)
        if (event_at(i)->kind == kind)
            return event_at(i);
    fail_msg("no event of kind %d", kind);
    return NULL;
}

static void assert_output(const char *name, const void *in_old, const void *in_new, size_t size)
{
    const char *record = pn_trace_data(pn_trace) + find_event(PN_EVENT_OUTPUT)->value;
    const struct pn_output *output = (const struct pn_output *)record;
    assert_int_equal(output->name_length, strlen(name));
    assert_memory_equal(output + 1, name, output->name_length);
    assert_int_equal(output->size, size);
    assert_memory_equal(record + sizeof *output + output->name_length, in_new, size);
    assert_memory_equal(record + sizeof *output + output->name_length + size, in_old, size);
}

/* ---- in a run ---- */

static label input_of(uint32_t *variable, uint32_t value, const char *name)
{
    *variable = value;
    pn_symbolic(variable, sizeof *variable, name);
    return __pn_slow_load(ADDRESS(variable), 0, value, sizeof *variable, 1);
}

static label shadow_of(unsigned width, uint64_t in_old, uint64_t in_new)
{
    return pn_make_shadow(width, pn_make_constant(width, in_old), pn_make_constant(width, in_new));
}

static bool has_values(label node, uint64_t in_old, uint64_t in_new)
{
    return node && pn_node(node)->old_value == in_old && pn_node(node)->new_value == in_new;
}

/* Large numbers and small ones. */
static uint64_t chance(void)
{
    static uint64_t state = 88172645463325252;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state >> (state & 64 ? state & 63 : 0);
}

/* ---- nodes ---- */

static void make_nodes(void)
{
    label x = input_of(&word, 40, "x"), shadow = shadow_of(32, 1, 2);
    label sum = __pn_slow_binary(PN_ADD, 32, 40, x, 0, shadow, 0);
    expect(has_values(x, 40, 40) && pn_node(x)->flags == PN_SYMBOLIC);
    expect(has_values(sum, 41, 42) && pn_node(sum)->flags == (PN_SYMBOLIC | PN_SHADOWED));
    expect(__pn_slow_binary(PN_ADD, 32, 40, x, 0, shadow, 0) == sum); /* there is one node for one operation */
    expect(has_values(pn_project(PN_SIDE_OLD, sum), 41, 41));
    expect(has_values(pn_project(PN_SIDE_NEW, sum), 42, 42));
    expect(pn_project(PN_SIDE_OLD, x) == x);
    expect(shadow_of(32, 7, 7) == pn_make_constant(32, 7));
    expect(!__pn_slow_binary(PN_ADD, 32, 1, pn_make_constant(32, 1), 2, 0, 0)); /* says nothing of any input */
    pn_part(PN_EVENT_EXTERNAL, 1, 0);
    expect(shadow_of(32, 1, 2) == pn_make_constant(32, 2)); /* only the new version is followed */
}

static void nodes_know_both_versions(void **state)
{
    (void)state;
    run_program(make_nodes);
    assert_int_equal(pn_trace->diverged, 1);
}

static void fill_the_table(void)
{
    uint32_t capacity = pn_trace->node_capacity;
    label x = input_of(&word, 40, "x");
    pn_trace->node_capacity = pn_trace->node_count + 2;
    for (uint64_t i = 0; i < 4; i++) {
        label made = __pn_slow_binary(PN_XOR, 32, 40, x, 1000 + i, 0, 0);
        expect(i == 0 ? made != 0 : !made);
    }
    pn_trace->node_capacity = capacity;
}

static void a_full_table_loses_labels_and_says_so(void **state)
{
    (void)state;
    run_program(fill_the_table);
    assert_int_equal(pn_trace->lost, PN_LOSS_NODES);
}

/* Every operation of the compiler's that is made of several, against the compiler. */
static uint64_t derived_value(enum pn_derived derived, uint32_t a, uint32_t b, uint32_t c)
{
    int32_t x = (int32_t)a, y = (int32_t)b, ignored;
    uint32_t unsigned_ignored;
    uint64_t both = (uint64_t)a << 32 | b, shifted = (uint64_t)a << (b & 31);
    int64_t signed_shifted = (int64_t)((uint64_t)(int64_t)x << (b & 31));
    switch (derived) {
    case PN_ABS: return x < 0 ? 0 - a : a;
    case PN_SMAX: return (uint32_t)(x > y ? x : y);
    case PN_SMIN: return (uint32_t)(x < y ? x : y);
    case PN_UMAX: return a > b ? a : b;
    case PN_UMIN: return a < b ? a : b;
    case PN_SCMP: return (uint32_t)((x > y) - (x < y));
    case PN_UCMP: return (uint32_t)((a > b) - (a < b));
    case PN_BSWAP: return __builtin_bswap32(a);
    case PN_BITREVERSE: return __builtin_bitreverse32(a);
    case PN_CTPOP: return (uint64_t)__builtin_popcount(a);
    case PN_CTLZ: return a ? (uint64_t)__builtin_clz(a) : 32;
    case PN_CTTZ: return a ? (uint64_t)__builtin_ctz(a) : 32;
    case PN_FSHL: return (uint32_t)(both << (c & 31) >> 32);
    case PN_FSHR: return (uint32_t)(both >> (c & 31));
    case PN_SADD_SAT: return (uint32_t)__builtin_elementwise_add_sat(x, y);
    case PN_UADD_SAT: return __builtin_elementwise_add_sat(a, b);
    case PN_SSUB_SAT: return (uint32_t)__builtin_elementwise_sub_sat(x, y);
    case PN_USUB_SAT: return __builtin_elementwise_sub_sat(a, b);
    case PN_SSHL_SAT:
        return signed_shifted > INT32_MAX   ? INT32_MAX
               : signed_shifted < INT32_MIN ? (uint32_t)INT32_MIN
                                            : (uint32_t)signed_shifted;
    case PN_USHL_SAT: return shifted > UINT32_MAX ? UINT32_MAX : shifted;
    case PN_SADD_OVERFLOWS: return __builtin_add_overflow(x, y, &ignored);
    case PN_UADD_OVERFLOWS: return __builtin_add_overflow(a, b, &unsigned_ignored);
    case PN_SSUB_OVERFLOWS: return __builtin_sub_overflow(x, y, &ignored);
    case PN_USUB_OVERFLOWS: return __builtin_sub_overflow(a, b, &unsigned_ignored);
    case PN_SMUL_OVERFLOWS: return __builtin_mul_overflow(x, y, &ignored);
    case PN_UMUL_OVERFLOWS: return __builtin_mul_overflow(a, b, &unsigned_ignored);
    default: return UINT64_MAX;
    }
}

static void derive_all(void)
{
    for (unsigned round = 0; round < 200; round++)
        for (enum pn_derived derived = 0; derived < PN_DERIVED_COUNT; derived++) {
            bool compares = derived == PN_SCMP || derived == PN_UCMP;
            bool shifts = derived == PN_SSHL_SAT || derived == PN_USHL_SAT; /* not by the width, or further */
            uint32_t a = (uint32_t)chance(), b = (uint32_t)chance() & (shifts ? 31 : UINT32_MAX);
            uint32_t c = compares ? 32 : (uint32_t)chance();
            label on_a = shadow_of(32, a ^ 1, a); /* or nothing would have a label */
            label made = __pn_slow_derive(derived, 32, a, on_a, b, 0, c, 0);
            bool right = made && pn_node(made)->new_value == derived_value(derived, a, b, c) &&
                         pn_node(made)->old_value == derived_value(derived, a ^ 1, b, c);
            if (!right && !*wrong)
                snprintf(wrong, sizeof wrong, "derived %d of %#x, %#x, %#x", derived, a, b, c);
        }
}

static void derived_operations_have_the_compilers_meaning(void **state)
{
    (void)state;
    run_program(derive_all);
}

static unsigned __int128 wide_value(enum pn_operation operation, unsigned __int128 a, unsigned __int128 b)
{
    __int128 x = (__int128)a, y = (__int128)b;
    switch (operation) {
    case PN_ADD: return a + b;
    case PN_SUB: return a - b;
    case PN_MUL: return a * b;
    case PN_SHL: return a << b;
    case PN_LSHR: return a >> b;
    case PN_ASHR: return (unsigned __int128)(x >> b);
    case PN_AND: return a & b;
    case PN_OR: return a | b;
    case PN_XOR: return a ^ b;
    case PN_EQ: return a == b;
    case PN_ULT: return a < b;
    case PN_ULE: return a <= b;
    case PN_SLT: return x < y;
    default: return x <= y;
    }
}

static void compute_widely(void)
{
    static const enum pn_operation operations[] = {PN_ADD, PN_SUB, PN_MUL, PN_SHL, PN_LSHR, PN_ASHR, PN_AND,
                                                   PN_OR,  PN_XOR, PN_EQ,  PN_ULT, PN_ULE,  PN_SLT,  PN_SLE};
    for (unsigned round = 0; round < 200; round++)
        for (size_t i = 0; i < sizeof operations / sizeof *operations; i++) {
            enum pn_operation operation = operations[i];
            bool shifts = operation == PN_SHL || operation == PN_LSHR || operation == PN_ASHR;
            bool compares = i >= 9;
            uint64_t low = chance(), high = chance(), b_low = shifts ? chance() & 127 : chance();
            uint64_t b_high = shifts ? 0 : round & 1 ? high : chance();
            unsigned __int128 a = (unsigned __int128)high << 64 | low, b = (unsigned __int128)b_high << 64 | b_low;
            unsigned __int128 expected = wide_value(operation, a, b);
            label on_low = shadow_of(64, ~low, low), on_high = shadow_of(64, ~high, high);
            label made_low = __pn_slow_wide(operation, 0, low, on_low, high, on_high, b_low, 0, b_high, 0);
            label made_high =
                compares ? 0 : __pn_slow_wide(operation, 1, low, on_low, high, on_high, b_low, 0, b_high, 0);
            /* without a label both versions have the same, which is no number that this test knows */
            bool right = (!made_low || pn_node(made_low)->new_value == (uint64_t)expected) &&
                         (!made_high || pn_node(made_high)->new_value == (uint64_t)(expected >> 64));
            if (!right && !*wrong)
                snprintf(wrong, sizeof wrong, "wide operation %d in round %u", operation, round);
        }
}

static void wide_operations_have_the_compilers_meaning(void **state)
{
    (void)state;
    run_program(compute_widely);
}

/* ---- memory ---- */

static void store_and_load(void)
{
    label x = input_of(&word, 0x11223344, "x"), doubled = __pn_slow_binary(PN_ADD, 32, word, x, word, x, 0);
    uint8_t *at = bytes + 5; /* over the border of two granules */
    uint32_t value = 0x22446688, whole;
    memcpy(at, &value, sizeof value);
    __pn_slow_store(ADDRESS(at), 0, value, doubled, sizeof value, 1);
    expect(pn_may_have_label(ADDRESS(bytes), 1, 0) && pn_may_have_label(ADDRESS(bytes + 8), 1, 0));
    expect(__pn_slow_load(ADDRESS(at), 0, value, sizeof value, 1) == doubled); /* no extract, no concat */
    label second = __pn_slow_load(ADDRESS(at + 1), 0, at[1], 1, 1);
    expect(has_values(second, 0x66, 0x66) && pn_node(second)->operation == PN_EXTRACT);
    at[2] = 0x7f; /* concrete again */
    __pn_slow_store(ADDRESS(at + 2), 0, 0x7f, 0, 1, 1);
    memcpy(&whole, at, sizeof whole);
    label mixed = __pn_slow_load(ADDRESS(at), 0, whole, sizeof whole, 1);
    expect(has_values(mixed, whole, whole) && pn_node(mixed)->operation == PN_CONCAT);
    pn_memory_forget(ADDRESS(at), sizeof whole);
    expect(!pn_may_have_label(ADDRESS(bytes), 1, 0) && !pn_may_have_label(ADDRESS(bytes + 8), 1, 0));
}

static void words_come_back_from_memory(void **state)
{
    (void)state;
    run_program(store_and_load);
    assert_int_equal(pn_trace->stale_labels, 0);
}

static void read_what_was_overwritten(void)
{
    input_of(&word, 7, "x");
    word = 0x0700; /* by code without hooks: two bytes are others */
    expect(__pn_slow_load(ADDRESS(&word), 0, word, sizeof word, 1));
    word = 0x01010101;
    expect(!__pn_slow_load(ADDRESS(&word), 0, word, sizeof word, 1));
}

static void labels_that_do_not_fit_are_dropped_and_counted(void **state)
{
    (void)state;
    run_program(read_what_was_overwritten);
    assert_int_equal(pn_trace->stale_labels, 4);
}

static void copy_labels(void)
{
    label labels[sizeof bytes] = {0};
    pn_symbolic(bytes, 8, "b");
    for (unsigned i = 0; i < 8; i++)
        labels[i] = pn_memory_byte(ADDRESS(bytes + i), bytes[i]);
    pn_memory_copy_labels(ADDRESS(bytes + 3), ADDRESS(bytes), 8);
    memmove(bytes + 3, bytes, 8);
    for (unsigned i = 0; i < 8; i++)
        expect(pn_memory_byte(ADDRESS(bytes + 3 + i), bytes[3 + i]) == labels[i]);
    expect(!pn_memory_has_labels(ADDRESS(bytes + 16), 16));
}

static void labels_move_with_bytes(void **state)
{
    (void)state;
    run_program(copy_labels);
}

static void store_on_one_side(void)
{
    word = other_word = 5;
    if (!setjmp(__pn_escape)) {
        expect(!__pn_enter_old(0, 1));
        __pn_slow_old_store(ADDRESS(&word), 0, 9, 0, sizeof word, 1);
        expect(word == 5 && __pn_slow_old_load(ADDRESS(&word), 0, sizeof word, 1) == 9);
        __pn_leave_old(1);
    }
    __pn_enter_new(2);
    __pn_slow_new_store(ADDRESS(&other_word), 0, 6, 0, sizeof other_word, 2);
    other_word = 6;
    __pn_leave_new(2);
    expect(has_values(__pn_slow_load(ADDRESS(&word), 0, word, sizeof word, 3), 9, 5));
    expect(has_values(__pn_slow_load(ADDRESS(&other_word), 0, other_word, sizeof other_word, 3), 5, 6));
    __pn_enter_new(4);
    __pn_slow_new_store(ADDRESS(&word), 0, 9, 0, sizeof word, 4); /* what the old version had stored */
    word = 9;
    __pn_leave_new(4);
    expect(!__pn_slow_load(ADDRESS(&word), 0, word, sizeof word, 3));
}

static void each_version_has_its_own_bytes(void **state)
{
    (void)state;
    run_program(store_on_one_side);
    assert_int_equal(pn_trace->diverged, 0);
}

static void fail_on_the_old_side(void)
{
    volatile bool came_back = false;
    if (setjmp(__pn_escape)) {
        expect(__pn_enter_old(1, 1)); /* it is not entered again */
        came_back = true;
    } else {
        __pn_enter_old(0, 1);
        __pn_slow_old_division(32, 1, 7, 0, 0, 0, 8);
        expect(!"the code goes on");
    }
    expect(came_back && pn_diverged && pn_side == PN_SIDE_BOTH);
}

static void a_failure_of_the_old_side_is_a_divergence(void **state)
{
    (void)state;
    run_program(fail_on_the_old_side);
    assert_int_equal(event_at(pn_trace->diverged - 1)->kind, PN_EVENT_CHECK);
    assert_int_equal(event_at(pn_trace->diverged - 1)->part, PN_CHECK_DIVISION);
    assert_int_equal(event_at(pn_trace->diverged - 1)->site, 8);
}

/* ---- objects ---- */

static void find_objects(void)
{
    uint64_t base, size;
    uint32_t local[4] = {0};
    __pn_stack_objects[__pn_stack_depth++] = (struct pn_stack_object){ADDRESS(local), sizeof local};
    uint8_t *block = __pn_malloc(24);
    expect(pn_object_extent(ADDRESS(&local[2]), &base, &size) && base == ADDRESS(local) && size == sizeof local);
    expect(pn_object_extent(ADDRESS(&table[3]), &base, &size) && base == ADDRESS(table) && size == sizeof table);
    expect(pn_object_extent(ADDRESS(block + 24), &base, &size) && base == ADDRESS(block) && size == 24); /* the end */
    expect(!pn_object_extent(ADDRESS(block + 25), &base, &size));
    expect(!pn_lasting_extent(ADDRESS(local), &base, &size) && pn_is_variable(ADDRESS(table)));
    uint32_t first = pn_object_at(ADDRESS(block));
    expect(first && pn_object_at(ADDRESS(block + 7)) == first && pn_object_at(ADDRESS(table)) != first);
    expect(pn_trace_objects(pn_trace)[first].kind == PN_OBJECT_HEAP);
    uint8_t *zeros = __pn_calloc(3, 5);
    expect(!memcmp(zeros, (uint8_t[15]){0}, 15));
    expect(!__pn_calloc(SIZE_MAX / 2, 3));
    __pn_stack_depth--;
}

static void addresses_have_objects(void **state)
{
    (void)state;
    run_program(find_objects);
}

/* Marks within a long block lead to its start, and go with it. */
static void find_long_blocks(void)
{
    enum { LONG = 3 << 20, SHORT = 40 };
    uint64_t base, size;
    uint8_t *block = __pn_malloc(LONG), *other = __pn_malloc(SHORT);
    for (size_t i = 0; i <= LONG; i += 4096 - 8) {
        expect(pn_object_extent(ADDRESS(other), &base, &size) && base == ADDRESS(other) && size == SHORT);
        expect(pn_object_extent(ADDRESS(block + i), &base, &size) && base == ADDRESS(block) && size == LONG);
    }
    pn_objects_reset();
    for (size_t i = 0; i <= LONG; i += 4096 - 8)
        expect(!pn_object_extent(ADDRESS(block + i), &base, &size));
}

static void long_blocks_are_found_from_their_middle(void **state)
{
    (void)state;
    run_program(find_long_blocks);
}

static void move_a_block(void)
{
    uint8_t *block = __pn_malloc(8);
    memset(block, 'a', 8);
    pn_symbolic(block, 2, "b");
    label second = pn_memory_byte(ADDRESS(block + 1), block[1]);
    uint8_t *moved = __pn_realloc(block, 4000);
    expect(!memcmp(moved, "aaaaaaaa", 8) && pn_memory_byte(ADDRESS(moved + 1), moved[1]) == second);
    expect(pn_is_gone(ADDRESS(block), PN_SIDE_OLD) && pn_is_gone(ADDRESS(block), PN_SIDE_NEW));
    expect(!pn_is_gone(ADDRESS(moved), PN_SIDE_OLD));
}

static void labels_move_with_blocks(void **state)
{
    (void)state;
    run_program(move_a_block);
}

static void use_a_freed_block(void)
{
    uint8_t *block = __pn_malloc(8);
    __pn_free(block);
    __pn_slow_load(ADDRESS(block), 0, *block, 1, 5);
    expect(!"the run goes on");
}

static void use_what_the_old_version_freed(void)
{
    uint8_t *block = __pn_malloc(8);
    if (!setjmp(__pn_escape)) {
        __pn_enter_old(0, 1);
        __pn_free(block);
        __pn_leave_old(1);
    }
    expect(pn_is_gone(ADDRESS(block), PN_SIDE_OLD) && !pn_is_gone(ADDRESS(block), PN_SIDE_NEW));
    __pn_slow_load(ADDRESS(block), 0, *block, 1, 6);
    expect(pn_diverged);
}

static void freed_blocks_are_noticed(void **state)
{
    (void)state;
    run_limited(use_a_freed_block, 60);
    assert_int_equal(pn_trace->ending, PN_CHECK_FAILED);
    assert_int_equal(find_event(PN_EVENT_CHECK)->part, PN_CHECK_FREED);
    assert_int_equal(find_event(PN_EVENT_CHECK)->site, 5);
    assert_int_equal(pn_trace->diverged, 0); /* both versions do */
    run_program(use_what_the_old_version_freed);
    assert_int_equal(event_at(pn_trace->diverged - 1)->part, PN_CHECK_FREED);
}

static void allocate_two_sizes(void)
{
    uint64_t base, size;
    __pn_slow_pass(0, shadow_of(64, 100, 20));
    uint8_t *block = __pn_malloc(20);
    label pointer = __pn_result_label;
    expect(has_values(pointer, pn_node(pointer)->old_value, ADDRESS(block)));
    uint64_t for_old = pn_node(pointer)->old_value;
    expect(for_old != ADDRESS(block) && pn_object_extent(for_old, &base, &size) && size == 100);
}

static void each_version_gets_the_block_it_asked_for(void **state)
{
    (void)state;
    run_program(allocate_two_sizes);
}

static void have_a_longer_array(void)
{
    __pn_bounds(bytes, sizeof bytes, 16, 32);
    expect(pn_object_size(ADDRESS(bytes), sizeof bytes, PN_SIDE_OLD) == 16);
    expect(pn_object_size(ADDRESS(bytes), sizeof bytes, PN_SIDE_NEW) == 32);
    __pn_slow_load(ADDRESS(bytes + 15), 0, bytes[15], 1, 1);
    expect(!pn_diverged);
    __pn_slow_load(ADDRESS(bytes + 16), 0, bytes[16], 1, 1);
    expect(pn_diverged);
}

static void arrays_have_each_versions_bounds(void **state)
{
    (void)state;
    run_program(have_a_longer_array);
}

/* ---- decisions ---- */

static void decide(void)
{
    static const struct pn_switch_case cases[] = {{1, 1, 1, 0}, {5, 9, 2, 0}, {20, 20, 3, 0}};
    label x = input_of(&word, 7, "x");
    __pn_slow_branch(__pn_slow_compare(PN_ULT, 0, 32, 7, x, 9, 0), 1, 11);
    __pn_slow_branch(__pn_slow_compare(PN_ULT, 1, 32, 7, x, 9, 0), 0, 12); /* the negation */
    __pn_slow_switch(x, 7, 32, 13, cases, 3);
}

static void branches_and_switches_are_decisions(void **state)
{
    (void)state;
    run_program(decide);
    static const uint32_t sites[] = {11, 12, 13, 13}, parts[] = {0, 0, 1, 2}, outcomes[] = {1, 0, 0, 1};
    assert_int_equal(pn_trace->event_count, 4); /* the third target is not asked for any more */
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(event_at(i)->kind, PN_EVENT_BRANCH);
        assert_int_equal(event_at(i)->site, sites[i]);
        assert_int_equal(event_at(i)->part, parts[i]);
        assert_int_equal(event_at(i)->new_outcome, outcomes[i]);
    }
}

static void divide_in_both_versions(void)
{
    label divisor = __pn_slow_binary(PN_SUB, 32, 3, input_of(&word, 3, "x"), 0, shadow_of(32, 3, 1), 0);
    __pn_slow_division(32, 1, 10, 0, 2, divisor, PN_SIDE_BOTH, 21);
    expect(pn_diverged); /* the old version has failed, the new one goes on */
}

static void divide_by_zero(void)
{
    label divisor = input_of(&word, 0, "x");
    __pn_slow_division(32, 1, 10, 0, 0, divisor, PN_SIDE_BOTH, 22);
    expect(!"the run goes on");
}

static void divisions_are_checked(void **state)
{
    (void)state;
    run_program(divide_in_both_versions);
    assert_int_equal(pn_trace->diverged, 1);
    assert_int_equal(event_at(0)->new_outcome, 1);
    assert_int_equal(event_at(0)->old_outcome, 0);
    run_limited(divide_by_zero, 60);
    assert_int_equal(pn_trace->ending, PN_CHECK_FAILED);
    assert_int_equal(find_event(PN_EVENT_CHECK)->site, 22);
}

static label element_address(uint32_t index, label on_index)
{
    return __pn_slow_pointer(ADDRESS(table), 0, index, on_index, 32, sizeof *table, 0);
}

static void choose_an_element(void)
{
    label on_index = input_of(&word, 5, "i"), on_address = element_address(5, on_index);
    expect(has_values(on_address, ADDRESS(&table[5]), ADDRESS(&table[5])));
    __pn_slow_check(ADDRESS(&table[5]), on_address, sizeof *table, PN_SIDE_BOTH, 31);
    label element = __pn_slow_load(ADDRESS(&table[5]), on_address, table[5], sizeof *table, 31);
    expect(pn_trace->most_selected < 8 ? !element : has_values(element, 9, 9) && pn_matters(element));
}

static void go_beyond_the_end(void)
{
    label on_address = element_address(8, input_of(&word, 8, "i"));
    __pn_slow_check(ADDRESS(table + 8), on_address, sizeof *table, PN_SIDE_BOTH, 32);
    expect(!"the run goes on");
}

static void addresses_that_depend_on_the_input(void **state)
{
    (void)state;
    pn_trace->most_selected = 64;
    run_program(choose_an_element);
    assert_int_equal(pn_trace->event_count, 1); /* the check: the address is not bound */
    assert_int_equal(event_at(0)->part, PN_CHECK_BOUNDS);
    pn_trace->most_selected = 4; /* fewer than there are */
    run_program(choose_an_element);
    assert_int_equal(find_event(PN_EVENT_CONCRETISE)->site, 31);
    run_limited(go_beyond_the_end, 60);
    assert_int_equal(pn_trace->ending, PN_CHECK_FAILED);
    assert_int_equal(find_event(PN_EVENT_CHECK)->site, 32);
}

/* ---- outputs ---- */

static void output_a_word(void)
{
    word = 6;
    __pn_slow_store(ADDRESS(&word), 0, 6, shadow_of(32, 5, 6), sizeof word, 1);
    pn_output("result", &word, sizeof word);
}

static void outputs_have_both_versions_bytes(void **state)
{
    (void)state;
    run_program(output_a_word);
    assert_output("result", &(uint32_t){5}, &(uint32_t){6}, sizeof(uint32_t));
}

static void leave_static_variables(void)
{
    word = 5;
    other_word = 6; /* a variable that is two in the unified program, one of each version */
    __pn_static_variable((uint8_t *)&word, (uint8_t *)&other_word, sizeof word, 0, "count in f()", 41);
}

static void leave_a_pointer(void)
{
    uint8_t *block = __pn_malloc(4);
    memset(block, 0, 4);
    pointer_variable = ADDRESS(block);
    __pn_static_variable((uint8_t *)&pointer_variable, (uint8_t *)&pointer_variable, 8, 1, "list in f()", 42);
    __pn_slow_store(ADDRESS(block), 0, 0, shadow_of(32, 1, 0), 4, 1);
    __pn_static_variable((uint8_t *)&pointer_variable, (uint8_t *)&pointer_variable, 8, 1, "list in f()", 43);
}

static void static_variables_are_outputs(void **state)
{
    (void)state;
    run_program(leave_static_variables);
    assert_output("count in f()", &(uint32_t){5}, &(uint32_t){6}, sizeof(uint32_t));
    run_program(leave_a_pointer);
    assert_int_equal(find_event(PN_EVENT_UNMODELLED)->site, 43); /* what it leads to differs, and is not compared */
}

static FILE *stream;

static void write_differently(void)
{
    __pn_write(stream, ADDRESS("same "), 0, 5, 0, 1);
    __pn_side_write(PN_SIDE_OLD, stream, ADDRESS("abc"), 3, 1);
    __pn_side_write(PN_SIDE_NEW, stream, ADDRESS("aXc"), 3, 1);
}

static void write_the_same(void)
{
    __pn_side_write(PN_SIDE_OLD, stream, ADDRESS("ab"), 2, 1);
    __pn_side_write(PN_SIDE_OLD, stream, ADDRESS("c"), 1, 1);
    __pn_side_write(PN_SIDE_NEW, stream, ADDRESS("abc"), 3, 1);
}

static void streams_are_compared(void **state)
{
    (void)state;
    char text[64] = "";
    stream = fmemopen(text, sizeof text, "w");
    run_program(write_differently);
    fflush(stream);
    assert_string_equal(text, "same aXc"); /* what the old version writes is not shown */
    assert_output("standard output", "b", "X", 1);
    run_program(write_the_same);
    assert_int_equal(pn_trace->event_count, 0);
    fclose(stream);
}

/* ---- models ---- */

static void look_for_labels(void)
{
    char *text = __pn_malloc(20); /* as long as it is known to be */
    memcpy(text, "nineteen characters", 20);
    expect(__pn_slow_plain_text(ADDRESS(text), SIZE_MAX, 0) && __pn_slow_plain_text(ADDRESS(text), SIZE_MAX, 1));
    text[19] = '!';
    expect(!__pn_slow_plain_text(ADDRESS(text), SIZE_MAX, 1) && __pn_slow_plain_text(ADDRESS(text), 20, 1));
    expect(__pn_slow_plain_bytes(ADDRESS(text), 20, 1) && !__pn_slow_plain_bytes(ADDRESS(text), 21, 1));
    pn_symbolic(text + 10, 1, "b");
    expect(!__pn_slow_plain_bytes(ADDRESS(text), 20, 0) && __pn_slow_plain_bytes(ADDRESS(text), 8, 0));
}

static void text_without_labels_is_known(void **state)
{
    (void)state;
    run_program(look_for_labels);
    char *exact = malloc(20); /* what is behind it in the same sixteen bytes is read, and does not count */
    memcpy(exact, "nineteen characters", 20);
    assert_true(__pn_slow_plain_text(ADDRESS(exact + 17), SIZE_MAX, 0));
    free(exact);
}

/* ---- runs ---- */

static uint8_t *first_block;

static void leave_things_behind(void)
{
    uint8_t *block = __pn_malloc(64);
    expect(!first_block || block == first_block); /* addresses repeat */
    expect(table[1] == 1 && !pn_memory_has_labels(ADDRESS(block), 64) && !__pn_one_sided_objects);
    first_block = block;
    table[1] = 77;
    pn_symbolic(block, 64, "b");
    __pn_bounds(bytes, sizeof bytes, 16, 32);
    __pn_slow_pass(0, shadow_of(32, 1, 2));
    pn_part(PN_EVENT_EXTERNAL, 1, 0);
}

static void what_a_run_did_is_undone(void **state)
{
    (void)state;
    run_program(leave_things_behind);
    assert_int_equal(table[1], 1);
    run_program(leave_things_behind);
    assert_int_equal(pn_trace->diverged, 2); /* behind that a change was reached: it is this run's own */
}

static void call_abort(void)
{
    abort();
}

static void call_exit(void)
{
    exit(300);
}

static void write_to_null(void)
{
    pn_watch_faults(); /* cmocka would take the signal */
    *(volatile char *)(uintptr_t)8 = 1;
}

static void never_end(void)
{
    for (volatile unsigned i = 0;; i++)
        ;
}

static void every_end_comes_back(void **state)
{
    (void)state;
    run_limited(call_abort, 60);
    assert_int_equal(run.signal, SIGABRT);
    run_limited(call_exit, 60);
    assert_int_equal(run.exit_status, 300 & 0xff);
    assert_int_equal(pn_trace->ending, PN_EXITED);
    run_limited(write_to_null, 60);
    assert_int_equal(run.signal, SIGSEGV);
    run_limited(never_end, 0.05);
    assert_true(run.timed_out);
    run_program(decide); /* and the next run is as any other */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nodes_know_both_versions),
        cmocka_unit_test(a_full_table_loses_labels_and_says_so),
        cmocka_unit_test(derived_operations_have_the_compilers_meaning),
        cmocka_unit_test(wide_operations_have_the_compilers_meaning),
        cmocka_unit_test(words_come_back_from_memory),
        cmocka_unit_test(labels_that_do_not_fit_are_dropped_and_counted),
        cmocka_unit_test(labels_move_with_bytes),
        cmocka_unit_test(each_version_has_its_own_bytes),
        cmocka_unit_test(a_failure_of_the_old_side_is_a_divergence),
        cmocka_unit_test(addresses_have_objects),
        cmocka_unit_test(long_blocks_are_found_from_their_middle),
        cmocka_unit_test(labels_move_with_blocks),
        cmocka_unit_test(freed_blocks_are_noticed),
        cmocka_unit_test(each_version_gets_the_block_it_asked_for),
        cmocka_unit_test(arrays_have_each_versions_bounds),
        cmocka_unit_test(branches_and_switches_are_decisions),
        cmocka_unit_test(divisions_are_checked),
        cmocka_unit_test(addresses_that_depend_on_the_input),
        cmocka_unit_test(outputs_have_both_versions_bytes),
        cmocka_unit_test(static_variables_are_outputs),
        cmocka_unit_test(streams_are_compared),
        cmocka_unit_test(text_without_labels_is_known),
        cmocka_unit_test(what_a_run_did_is_undone),
        cmocka_unit_test(every_end_comes_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
