/* Whether a model may ask the C library's own function instead of computing by itself: the bytes have no labels. Where
 * accesses are checked, they must also lie in one object: a model that reads beyond fails at the right byte. */
#include "runtime/runtime.h"

#include <emmintrin.h>
#include <string.h>

/* How much there is from an address on, as far as it is known. */
static uint64_t room_behind(uint64_t address)
{
    uint64_t base, size;
    if (address < PN_LOWEST_ADDRESS)
        return 0;
    if (!pn_object_extent(address, &base, &size))
        return UINT64_MAX;
    uint64_t end = base + pn_object_size(base, size, pn_side == PN_SIDE_OLD ? PN_SIDE_OLD : PN_SIDE_NEW);
    return end > address ? end - address : 0;
}

enum { BLOCK = 16, BLOCKS = 4, NOT_SHORT = BLOCK * BLOCKS };

/* The length of a text that ends in one of the first few aligned blocks. A block is read only if the text, `limit`
 * bytes at most, reaches into it: so it lies in a page that is there. */
__attribute__((no_sanitize("address"))) static inline uint64_t short_length(uint64_t address, uint64_t limit)
{
    uint64_t first = address & ~(uint64_t)(BLOCK - 1), before = address - first;
    for (uint64_t at = 0; at < NOT_SHORT && (!at || at - before < limit); at += BLOCK) {
        __m128i bytes = _mm_load_si128((const __m128i *)(uintptr_t)(first + at));
        unsigned ends = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_setzero_si128()));
        ends &= at ? ~0u : ~0u << before;
        if (ends)
            return at + (unsigned)__builtin_ctz(ends) - before;
    }
    return NOT_SHORT;
}

PN_APART static uint32_t is_plain_text(uint64_t address, uint64_t limit, uint32_t checked)
{
    uint64_t room = checked ? room_behind(address) : UINT64_MAX, most = limit < room ? limit : room;
    uint64_t length = room ? strnlen((const char *)(uintptr_t)address, most) : 0;
    if (length < limit)
        length++; /* the end is looked at, too */
    return room && length <= room && !pn_memory_has_labels(address, length);
}

uint32_t __pn_slow_plain_text(uint64_t address, uint64_t limit, uint32_t checked)
{
    uint64_t length = checked || !limit ? NOT_SHORT : short_length(address, limit);
    if (length == NOT_SHORT)
        PN_TAIL_CALL return is_plain_text(address, limit, checked);
    return !pn_memory_has_labels(address, length < limit ? length + 1 : limit);
}

uint32_t __pn_slow_plain_bytes(uint64_t address, uint64_t count, uint32_t checked)
{
    return !count || ((!checked || count <= room_behind(address)) && !pn_memory_has_labels(address, count));
}
