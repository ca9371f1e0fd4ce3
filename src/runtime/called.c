/* Hooks that are called (instrument/inlining.h): the same as those of hooks.c that become part of the code, for the
 * most frequent of them. The caller keeps its registers: these change none but that of the result. */
#include "runtime/runtime.h"

#define CALLED __attribute__((noinline, preserve_most))
#define likely(condition) __builtin_expect(!!(condition), 1)

/* Before the call of a slow path. clang 19 gives up a frame of eight bytes by a pop into a register that preserve_most
 * keeps: a larger one is given up by an addition. */
#define LARGER_FRAME                                                                                                   \
    char room[24];                                                                                                     \
    __asm__ volatile("" : : "r"(room))

CALLED label __pn_called_binary(uint32_t operation, uint32_t width, uint64_t a, label la, uint64_t b, label lb,
                                uint32_t signed_for)
{
    if (likely(!(la | lb)))
        return 0;
    LARGER_FRAME;
    return __pn_slow_binary(operation, width, a, la, b, lb, signed_for);
}

CALLED label __pn_called_compare(uint32_t operation, uint32_t negated, uint32_t width, uint64_t a, label la, uint64_t b,
                                 label lb)
{
    if (likely(!(la | lb)))
        return 0;
    LARGER_FRAME;
    return __pn_slow_compare(operation, negated, width, a, la, b, lb);
}

CALLED label __pn_called_cast(uint32_t operation, uint32_t width, uint32_t from_width, uint64_t value, label from)
{
    if (likely(!from))
        return 0;
    LARGER_FRAME;
    return __pn_slow_cast(operation, width, from_width, value, from);
}

CALLED label __pn_called_pointer(uint64_t base, label on_base, uint64_t index, label on_index, uint32_t index_width,
                                 uint64_t scale, uint64_t offset)
{
    if (likely(!(on_base | on_index)))
        return 0;
    LARGER_FRAME;
    return __pn_slow_pointer(base, on_base, index, on_index, index_width, scale, offset);
}

CALLED label __pn_called_load(uint64_t address, label on_address, uint64_t value, uint32_t size, uint32_t site,
                              uint32_t aligned)
{
    if (likely(!(pn_may_have_label(address, size, aligned) | on_address)))
        return 0;
    LARGER_FRAME;
    return __pn_slow_load(address, on_address, value, size, site);
}

CALLED void __pn_called_store(uint64_t address, label on_address, uint64_t value, label on_value, uint32_t size,
                              uint32_t site, uint32_t aligned)
{
    if (likely(!(pn_may_have_label(address, size, aligned) | on_address | on_value)))
        return;
    LARGER_FRAME;
    __pn_slow_store(address, on_address, value, on_value, size, site);
}

CALLED void __pn_called_branch(label condition, uint32_t taken, uint32_t site)
{
    if (likely(!condition))
        return;
    LARGER_FRAME;
    __pn_slow_branch(condition, taken, site);
}

CALLED void __pn_called_check(uint64_t address, label on_address, uint32_t size, uint32_t side, uint32_t site)
{
    if (side)
        __pn_last_site = site;
    if (likely(!on_address && (!side || address >= PN_LOWEST_ADDRESS)))
        return;
    LARGER_FRAME;
    __pn_slow_check(address, on_address, size, side, site);
}

CALLED label __pn_called_select(uint32_t width, label condition, uint64_t chosen, uint64_t if_true, label on_true,
                                uint64_t if_false, label on_false)
{
    if (likely(!condition))
        return chosen ? on_true : on_false;
    LARGER_FRAME;
    return __pn_slow_select(width, condition, chosen, if_true, on_true, if_false, on_false);
}

CALLED void __pn_called_object_check(uint64_t base, uint32_t is_variable, uint64_t known_size, uint64_t address,
                                     label on_address, uint64_t size, uint32_t side, uint32_t site)
{
    bool inside = known_size >= size && address - base <= known_size - size && !__pn_one_sided_objects;
    if (likely(inside || on_address))
        return;
    LARGER_FRAME;
    __pn_slow_object_check(base, is_variable, address, size, side, site);
}
