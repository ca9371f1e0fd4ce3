/* The hooks: what the instrumenter inserts beside every instruction. Compiled to bitcode, linked into the program's
 * module and inlined there, so that the optimiser sees the fast paths. Each tests for labels and calls its slow path
 * only when it meets one. */
#include "runtime/runtime.h"

#include <emmintrin.h>

#define HOOK __attribute__((always_inline))
#define likely(condition) __builtin_expect(!!(condition), 1)

HOOK label __pn_argument(uint32_t index)
{
    return likely(!__pn_arguments_present) ? 0 : __pn_argument_labels[index];
}

HOOK void __pn_cover(uint32_t block)
{
    if (likely(pn_trace->covered[block]))
        return;
    pn_trace->covered[block] = 1;
    pn_trace->covered_list[pn_trace->covered_count++] = (uint16_t)block;
}

HOOK void __pn_arguments_taken(void)
{
    if (!likely(!__pn_arguments_present))
        __pn_arguments_present = 0;
}

HOOK void __pn_pass(uint32_t index, label argument)
{
    if (!likely(!argument))
        __pn_slow_pass(index, argument);
}

HOOK void __pn_return(label result)
{
    if (!likely(!result))
        __pn_result_label = result;
}

HOOK label __pn_result(void)
{
    label result = __pn_result_label;
    if (!likely(!result))
        __pn_result_label = 0;
    return result;
}

HOOK void __pn_return_part(uint32_t part, label result)
{
    if (!likely(!result))
        __pn_slow_return_part(part, result);
}

HOOK label __pn_result_part(uint32_t part)
{
    return likely(!__pn_results_present) ? 0 : __pn_result_labels[part];
}

HOOK void __pn_results_taken(void)
{
    if (!likely(!__pn_results_present))
        __pn_results_present = 0;
}

HOOK void __pn_pass_block(uint32_t index, uint64_t address, uint64_t size)
{
    if (!likely(!__pn_active))
        __pn_slow_pass_block(index, address, size);
}

HOOK void __pn_take_block(uint32_t index, uint64_t copy, uint64_t size, uint32_t side)
{
    if (!likely(!__pn_active))
        __pn_slow_take_block(index, copy, size, side);
}

HOOK void __pn_pass_variable(uint32_t in_memory, uint32_t offset, label argument)
{
    if (!likely(!argument))
        __pn_slow_pass_variable(in_memory, offset, argument);
}

HOOK void __pn_pass_variable_block(uint32_t offset, uint64_t address, uint64_t size)
{
    if (!likely(!__pn_active))
        __pn_slow_pass_variable_block(offset, address, size);
}

HOOK void __pn_variable_size(uint64_t bytes_in_memory)
{
    if (!likely(!__pn_active))
        __pn_slow_variable_size(bytes_in_memory);
}

HOOK void __pn_take_variable(uint64_t list)
{
    if (!likely(!__pn_active))
        __pn_slow_take_variable(list);
}

HOOK label __pn_wide(uint32_t operation, uint32_t half, uint64_t a_low, label on_a_low, uint64_t a_high,
                     label on_a_high, uint64_t b_low, label on_b_low, uint64_t b_high, label on_b_high)
{
    if (likely(!(on_a_low | on_a_high | on_b_low | on_b_high)))
        return 0;
    return __pn_slow_wide(operation, half, a_low, on_a_low, a_high, on_a_high, b_low, on_b_low, b_high, on_b_high);
}

HOOK label __pn_derive(uint32_t derived, uint32_t width, uint64_t a, label la, uint64_t b, label lb, uint64_t c,
                       label lc)
{
    return likely(!(la | lb | lc)) ? 0 : __pn_slow_derive(derived, width, a, la, b, lb, c, lc);
}

HOOK label __pn_binary(uint32_t operation, uint32_t width, uint64_t a, label la, uint64_t b, label lb,
                       uint32_t signed_for)
{
    return likely(!(la | lb)) ? 0 : __pn_slow_binary(operation, width, a, la, b, lb, signed_for);
}

HOOK label __pn_compare(uint32_t operation, uint32_t negated, uint32_t width, uint64_t a, label la, uint64_t b,
                        label lb)
{
    return likely(!(la | lb)) ? 0 : __pn_slow_compare(operation, negated, width, a, la, b, lb);
}

HOOK label __pn_cast(uint32_t operation, uint32_t width, uint32_t from_width, uint64_t value, label from)
{
    return likely(!from) ? 0 : __pn_slow_cast(operation, width, from_width, value, from);
}

HOOK label __pn_floating(uint32_t operation, uint32_t width, uint64_t a, label la, uint64_t b, label lb)
{
    return likely(!(la | lb)) ? 0 : __pn_slow_floating(operation, width, a, la, b, lb);
}

HOOK label __pn_fused(uint32_t width, uint64_t a, label la, uint64_t b, label lb, uint64_t c, label lc)
{
    return likely(!(la | lb | lc)) ? 0 : __pn_slow_fused(width, a, la, b, lb, c, lc);
}

HOOK label __pn_to_integer(uint32_t is_signed, uint32_t width, label from)
{
    return likely(!from) ? 0 : __pn_slow_to_integer(is_signed, width, from);
}

HOOK label __pn_function(uint32_t operation, uint32_t width, uint32_t function, uint64_t a, label la, uint64_t b,
                         label lb)
{
    return likely(!(la | lb)) ? 0 : __pn_slow_function(operation, width, function, a, la, b, lb);
}

HOOK double __pn_settle_double(label on_value, double value)
{
    if (likely(!on_value))
        return value;
    uint64_t bits;
    __builtin_memcpy(&bits, &value, sizeof bits);
    bits = __pn_slow_settle(bits, 64);
    __builtin_memcpy(&value, &bits, sizeof bits);
    return value;
}

HOOK float __pn_settle_float(label on_value, float value)
{
    if (likely(!on_value))
        return value;
    uint32_t bits;
    __builtin_memcpy(&bits, &value, sizeof bits);
    bits = (uint32_t)__pn_slow_settle(bits, 32);
    __builtin_memcpy(&value, &bits, sizeof bits);
    return value;
}

HOOK label __pn_select(uint32_t width, label condition, uint64_t chosen, uint64_t if_true, label on_true,
                       uint64_t if_false, label on_false)
{
    if (!likely(!condition))
        return __pn_slow_select(width, condition, chosen, if_true, on_true, if_false, on_false);
    return chosen ? on_true : on_false;
}

HOOK label __pn_pointer(uint64_t base, label on_base, uint64_t index, label on_index, uint32_t index_width,
                        uint64_t scale, uint64_t offset)
{
    return likely(!(on_base | on_index))
               ? 0
               : __pn_slow_pointer(base, on_base, index, on_index, index_width, scale, offset);
}

HOOK label __pn_load(uint64_t address, label on_address, uint64_t value, uint32_t size, uint32_t site, uint32_t aligned)
{
    return likely(!(pn_may_have_label(address, size, aligned) | on_address))
               ? 0
               : __pn_slow_load(address, on_address, value, size, site);
}

HOOK void __pn_store(uint64_t address, label on_address, uint64_t value, label on_value, uint32_t size, uint32_t site,
                     uint32_t aligned)
{
    if (!likely(!(pn_may_have_label(address, size, aligned) | on_address | on_value)))
        __pn_slow_store(address, on_address, value, on_value, size, site);
}

HOOK void __pn_branch(label condition, uint32_t taken, uint32_t site)
{
    if (!likely(!condition))
        __pn_slow_branch(condition, taken, site);
}

HOOK void __pn_assume(label condition, uint32_t holds, uint32_t site)
{
    if (!likely(!condition && holds))
        __pn_slow_assume(condition, holds, site);
}

HOOK void __pn_switch(label on_value, uint64_t value, uint32_t width, uint32_t site, const struct pn_switch_case *cases,
                      uint32_t count)
{
    if (!likely(!on_value))
        __pn_slow_switch(on_value, value, width, site, cases, count);
}

/* What only one version computes differs between the versions even where it has no label. */
static inline __attribute__((always_inline)) bool divides_safely(uint32_t width, uint64_t divisor)
{
    uint64_t all_ones = UINT64_MAX >> (64 - width);
    return divisor != 0 && divisor != all_ones;
}

HOOK void __pn_division(uint32_t width, uint32_t is_signed, uint64_t a, label la, uint64_t b, label lb, uint32_t side,
                        uint32_t site)
{
    if (!likely(!(la | lb) && (!side || divides_safely(width, b))))
        __pn_slow_division(width, is_signed, a, la, b, lb, side, site);
}

HOOK uint64_t __pn_old_division(uint32_t width, uint32_t is_signed, uint64_t a, label la, uint64_t b, label lb,
                                uint32_t site)
{
    return likely(!(la | lb) && divides_safely(width, b))
               ? b
               : __pn_slow_old_division(width, is_signed, a, la, b, lb, site);
}

HOOK void __pn_check(uint64_t address, label on_address, uint32_t size, uint32_t side, uint32_t site)
{
    if (side)
        __pn_last_site = site;
    if (!likely(!on_address && (!side || address >= PN_LOWEST_ADDRESS)))
        __pn_slow_check(address, on_address, size, side, site);
}

/* `known_size` is that of the variable at `base`, as far as the compiler knows it. */
HOOK void __pn_object_check(uint64_t base, uint32_t is_variable, uint64_t known_size, uint64_t address,
                            label on_address, uint64_t size, uint32_t side, uint32_t site)
{
    bool inside = known_size >= size && address - base <= known_size - size && !__pn_one_sided_objects;
    if (!likely(inside) && !on_address)
        __pn_slow_object_check(base, is_variable, address, size, side, site);
}

HOOK void __pn_shift(uint64_t amount, label on_amount, uint32_t width, uint32_t side, uint32_t site)
{
    if (!likely(!on_amount && amount < width))
        __pn_slow_shift(amount, on_amount, width, side, site);
}

/* Bytes are read as a number: are they a pointer's? `is_certain`: they can be read. */
HOOK void __pn_address_bytes(uint64_t address, uint64_t size, uint32_t is_certain, uint32_t site)
{
    if (!is_certain || pn_looks_like_address(*(const uint64_t *)(uintptr_t)(address & ~UINT64_C(7))))
        __pn_slow_address_bytes(address, size, is_certain, site);
}

/* To a place where nobody would look for an address. */
HOOK void __pn_copied_askew(uint64_t to, uint64_t from, uint64_t size, uint32_t site)
{
    if (!likely(!((to ^ from) & 7) || size < sizeof(uint64_t)))
        __pn_slow_address_bytes(from, size, 0, site);
}

/* Whether a text ends in the aligned block of sixteen bytes in which it begins, and nothing in there has a label: true
 * of many, and found out without a call. */
static inline __attribute__((always_inline)) bool ends_in_plain_block(uint64_t address)
{
    uint64_t block = address & ~UINT64_C(15);
    __m128i bytes = _mm_load_si128((const __m128i *)(uintptr_t)block);
    unsigned ends = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_setzero_si128()));
    return ends >> (address & 15) && !*(const uint16_t *)pn_presence(block);
}

/* Where accesses are checked, so is what the C library is given. */
HOOK uint32_t __pn_plain_text(uint64_t address, label on_address, uint64_t limit, label on_limit, uint32_t checked)
{
    if (likely(!(on_address | on_limit | checked | __pn_active)))
        return 1;
    if (on_address | on_limit)
        return 0;
    return (limit && !checked && ends_in_plain_block(address)) || __pn_slow_plain_text(address, limit, checked);
}

HOOK uint32_t __pn_plain_bytes(uint64_t address, label on_address, uint64_t count, label on_count, uint32_t checked)
{
    return likely(!(on_address | on_count | checked | __pn_active))
               ? 1
               : !(on_address | on_count) && __pn_slow_plain_bytes(address, count, checked);
}

HOOK uint32_t __pn_no_labels(void)
{
    return likely(!__pn_active && !pn_diverged);
}

/* ---- one-sided code ---- */

static inline __attribute__((always_inline)) uint64_t native_value(uint64_t address, uint32_t size)
{
    uint64_t value = 0;
    __builtin_memcpy(&value, (const void *)(uintptr_t)address, size);
    return value;
}

/* Memory without labels is the same in both versions. */
HOOK uint64_t __pn_old_load(uint64_t address, label on_address, uint32_t size, uint32_t site, uint32_t aligned)
{
    if (likely(!(pn_may_have_label(address, size, aligned) | on_address))) {
        __pn_old_label = 0;
        return native_value(address, size);
    }
    return __pn_slow_old_load(address, on_address, size, site);
}

/* In frames of functions that only the old version has called, the native bytes are its own. */
HOOK void __pn_old_store(uint64_t address, label on_address, uint64_t value, label on_value, uint32_t size,
                         uint32_t site, uint32_t aligned)
{
    if (likely(!(on_address | on_value) && pn_is_below_frame(address) && !pn_may_have_label(address, size, aligned)))
        __builtin_memcpy((void *)(uintptr_t)address, &value, size);
    else
        __pn_slow_old_store(address, on_address, value, on_value, size, site);
}

HOOK label __pn_new_load(uint64_t address, label on_address, uint64_t value, uint32_t size, uint32_t site,
                         uint32_t aligned)
{
    return likely(!(pn_may_have_label(address, size, aligned) | on_address))
               ? 0
               : __pn_slow_new_load(address, on_address, value, size, site);
}

HOOK void __pn_new_store(uint64_t address, label on_address, uint64_t value, label on_value, uint32_t size,
                         uint32_t site, uint32_t aligned)
{
    if (!likely(!(on_address | on_value) && pn_is_below_frame(address) && !pn_may_have_label(address, size, aligned)))
        __pn_slow_new_store(address, on_address, value, on_value, size, site);
}

HOOK void __pn_old_step(uint32_t site)
{
    __pn_last_site = site;
    if (!likely(--__pn_steps_left))
        __pn_slow_old_step(site);
}

HOOK void __pn_new_step(uint32_t site)
{
    __pn_last_site = site;
    if (!likely(--__pn_steps_left))
        __pn_slow_new_step(site);
}

/* ---- what leaves the labels' reach ---- */

HOOK void __pn_external(label argument, uint64_t value, uint32_t width, uint32_t site)
{
    if (!likely(!argument))
        __pn_slow_external(argument, value, width, site);
}

HOOK void __pn_external_memory(uint64_t address, uint32_t site)
{
    if (!likely(!__pn_active))
        __pn_slow_external_memory(address, site);
}

/* The same for a function that reads no further than to the end of a text. */
HOOK void __pn_external_text(uint64_t address, uint32_t site)
{
    if (!likely(!__pn_active))
        __pn_slow_external_text(address, site);
}

/* After a call that may have reached code without hooks: what they would have taken is still there. */
HOOK void __pn_external_done(void)
{
    if (!likely(!(__pn_arguments_present | __pn_result_label | __pn_results_present))) {
        __pn_arguments_present = 0;
        __pn_result_label = 0;
        __pn_results_present = 0;
    }
    __pn_outside = 0;
}

/* Before it. */
HOOK void __pn_outside_begins(void)
{
    __pn_outside = 1;
}

HOOK uint32_t __pn_target_outside(uint64_t function)
{
    return likely(!__pn_active) ? 0 : __pn_slow_target_outside(function);
}

HOOK void __pn_leave_through(uint32_t outside, uint32_t site)
{
    if (!likely(!outside))
        __pn_slow_leave_through(site);
}

HOOK void __pn_leave_memory(uint32_t outside, uint64_t address, uint32_t site)
{
    if (!likely(!outside))
        __pn_slow_external_memory(address, site);
}

HOOK uint32_t __pn_enter_function(void)
{
    uint32_t outside = __pn_outside;
    if (!likely(!outside))
        __pn_slow_enter_from_outside();
    return outside;
}

HOOK void __pn_result_outside(uint32_t outside, label result, uint64_t value, uint32_t site)
{
    if (!likely(!(outside && result)))
        __pn_slow_external(result, value, 0, site);
}

HOOK void __pn_leave_function(uint32_t outside)
{
    if (!likely(!outside))
        __pn_outside = outside;
}

/* Behind a setjmp, the first time or again. */
HOOK void __pn_jumped(uint32_t depth)
{
    __pn_stack_depth = depth;
    __pn_arguments_present = 0;
    __pn_outside = 0;
}

HOOK void __pn_concretise(uint64_t address, label on_address, uint64_t size, uint32_t site)
{
    if (!likely(!(__pn_active | on_address)))
        __pn_slow_concretise(address, on_address, size, site);
}

HOOK void __pn_clear(uint64_t address, label on_address, uint64_t size, uint32_t site)
{
    if (!likely(!(__pn_active | on_address)))
        __pn_slow_clear(address, on_address, size, site);
}

/* Small blocks are copied often, and mostly without labels. */
static inline __attribute__((always_inline)) bool is_small(uint64_t size)
{
    return size - 1 < 56; /* at most eight granules */
}

static inline __attribute__((always_inline)) bool has_labels(uint64_t address, uint64_t size)
{
    return pn_is_present(pn_presence(address), ((address & 7) + size + 7) / 8);
}

HOOK void __pn_copy(uint64_t to, label on_to, uint64_t from, label on_from, uint64_t size, label on_size, uint32_t site)
{
    if (likely(!__pn_active))
        return;
    if ((on_to | on_from | on_size) || !is_small(size) || has_labels(to, size) || has_labels(from, size))
        __pn_slow_copy(to, on_to, from, on_from, size, on_size, site);
}

HOOK void __pn_fill(uint64_t to, label on_to, uint64_t byte, label on_byte, uint64_t size, label on_size, uint32_t site)
{
    if (likely(!__pn_active))
        return;
    if ((on_to | on_byte | on_size) || !is_small(size) || has_labels(to, size))
        __pn_slow_fill(to, on_to, byte, on_byte, size, on_size, site);
}

HOOK uint32_t __pn_stack_enter(void)
{
    return __pn_stack_depth;
}

HOOK void __pn_stack_object(uint64_t base, uint64_t size)
{
    uint32_t depth = __pn_stack_depth;
    if (!likely(depth < PN_MAXIMUM_STACK_OBJECTS))
        return; /* deep recursion: accesses to these are not checked */
    __pn_stack_objects[depth].base = base;
    __pn_stack_objects[depth].size = size;
    __pn_stack_depth = depth + 1;
}

/* Variable-length arrays lie below; what functions keep at fixed places lies above. */
HOOK void __pn_stack_restore(uint64_t place)
{
    while (__pn_stack_depth && __pn_stack_objects[__pn_stack_depth - 1].base < place)
        __pn_stack_depth--;
}

HOOK void __pn_stack_leave(uint32_t depth)
{
    __pn_stack_depth = depth;
}

/* What the instrumenter calls out of line: named here so that the bitcode declares it. The instrumenter drops the list.
 */
const void *const __pn_out_of_line[] = {
    (const void *)__pn_enter_old,
    (const void *)__pn_enter_new,
    (const void *)__pn_leave_old,
    (const void *)__pn_leave_new,
    (const void *)__pn_break_old,
    (const void *)__pn_break_new,
    (const void *)__pn_old_fails,
    (const void *)__pn_old_external,
    (const void *)__pn_new_external,
    (const void *)__pn_side_target,
    (const void *)__pn_side_copy,
    (const void *)__pn_side_fill,
    (const void *)__pn_borrow,
    (const void *)__pn_give_back,
    (const void *)_setjmp,
    (const void *)__pn_write_together,
    (const void *)__pn_write,
    (const void *)__pn_side_write,
    (const void *)__pn_new_fails,
    (const void *)__pn_old_leaves,
    (const void *)__pn_pointer_value,
    (const void *)__pn_lend,
    (const void *)__pn_effect,
    (const void *)__pn_hidden_arguments,
    (const void *)__pn_jump_buffer,
    (const void *)__pn_jump_target,
    &__pn_old_label,
    &__pn_escape,
    &__pn_site,
    &__pn_model_site,
};
