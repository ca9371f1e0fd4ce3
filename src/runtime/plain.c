/* Whether a model may ask the C library's own function instead of computing by itself: the bytes have no labels. Where
 * accesses are checked, they must also lie in one object: a model that reads beyond fails at the right byte. */
#include "runtime/runtime.h"

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

uint32_t __pn_slow_plain_text(uint64_t address, uint64_t limit, uint32_t checked)
{
    uint64_t room = checked ? room_behind(address) : UINT64_MAX, most = limit < room ? limit : room;
    uint64_t length = room ? strnlen((const char *)(uintptr_t)address, most) : 0;
    if (length < limit)
        length++; /* the end is looked at, too */
    return room && length <= room && !pn_memory_has_labels(address, length);
}

uint32_t __pn_slow_plain_bytes(uint64_t address, uint64_t count, uint32_t checked)
{
    return !count || ((!checked || count <= room_behind(address)) && !pn_memory_has_labels(address, count));
}
