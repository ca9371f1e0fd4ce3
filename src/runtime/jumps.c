/* Who has set the places that longjmp() goes to. The old version's code writes into buffers of its own: the program's
 * stay the new version's. */
#include "runtime/runtime.h"

#include <string.h>

enum { MAXIMUM_PLACES = 64 };

static struct place {
    uint64_t buffer;   /* the program's */
    enum pn_side side; /* whose code has set it last */
    uint32_t passage;  /* which passage through that version's code */
    jmp_buf own;       /* the old version's */
} places[MAXIMUM_PLACES];
static uint32_t place_count;

static struct place *find(uint64_t buffer, bool of_old)
{
    for (uint32_t i = place_count; i-- > 0;)
        if (places[i].buffer == buffer && (places[i].side == PN_SIDE_OLD) == of_old)
            return &places[i];
    return NULL;
}

static struct place *add(void)
{
    if (place_count < MAXIMUM_PLACES)
        return &places[place_count++];
    memmove(places, places + 1, sizeof places - sizeof *places);
    return &places[MAXIMUM_PLACES - 1];
}

uint64_t __pn_jump_buffer(uint64_t buffer, uint32_t side)
{
    struct place *place = find(buffer, side == PN_SIDE_OLD);
    place = place ? place : add();
    place->buffer = buffer;
    place->side = (enum pn_side)side;
    place->passage = pn_passage;
    return side == PN_SIDE_OLD ? (uint64_t)(uintptr_t)&place->own : buffer;
}

static bool is_of_this_passage(const struct place *place, enum pn_side side)
{
    return place && place->side == side && place->passage == pn_passage;
}

/* The old version's leaving does not return. */
uint64_t __pn_jump_target(uint64_t buffer, uint32_t side, uint32_t site)
{
    struct place *place = find(buffer, side == PN_SIDE_OLD);
    if (side == PN_SIDE_OLD) {
        if (!is_of_this_passage(place, PN_SIDE_OLD))
            __pn_old_leaves(site);
        return place ? (uint64_t)(uintptr_t)&place->own : buffer;
    }
    if (side == PN_SIDE_NEW && !is_of_this_passage(place, PN_SIDE_NEW))
        __pn_break_new(site);
    if (side == PN_SIDE_BOTH && place && place->side != PN_SIDE_BOTH)
        pn_part(PN_EVENT_EXTERNAL, site, 0); /* only one version has set it */
    return buffer;
}

void pn_jumps_reset(void)
{
    place_count = 0;
}
