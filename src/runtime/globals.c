/* Which global variable an address belongs to. The instrumenter lists them in a section of their own, as they come;
 * here they are sorted by address before the program starts. The linker may lay a text into the end of another, so one
 * can lie in another: the outermost counts, since nothing that is computed within it is a mistake for sure. */
#include "runtime/runtime.h"

#include <stdlib.h>

struct place {
    struct pn_global global;
    uint64_t end; /* the furthest of this one and all before it */
};

static struct place *places;
static size_t place_count;

static int by_address(const void *one, const void *other)
{
    const struct place *a = one, *b = other;
    return a->global.base < b->global.base ? -1 : a->global.base > b->global.base;
}

void pn_sort_globals(void)
{
    place_count = (size_t)(__stop_pn_globals - __start_pn_globals);
    places = malloc(place_count * sizeof *places + 1);
    if (!places)
        abort();
    for (size_t i = 0; i < place_count; i++)
        places[i].global = __start_pn_globals[i];
    qsort(places, place_count, sizeof *places, by_address);
    uint64_t end = 0;
    for (size_t i = 0; i < place_count; i++) {
        uint64_t own_end = places[i].global.base + places[i].global.size;
        places[i].end = end = own_end > end ? own_end : end;
    }
}

static bool holds(const struct pn_global *global, uint64_t address)
{
    return address - global->base < global->size;
}

const struct pn_global *pn_global_at(uint64_t address)
{
    static const struct pn_global *last; /* they stay where they are */
    if (last && holds(last, address))
        return last;
    size_t low = 0, high = place_count; /* those before `low` begin at the address or before it */
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (places[middle].global.base <= address)
            low = middle + 1;
        else
            high = middle;
    }
    const struct pn_global *found = NULL;
    while (low-- > 0 && places[low].end > address)
        if (holds(&places[low].global, address))
            found = &places[low].global;
    last = found ? found : last;
    return found;
}
