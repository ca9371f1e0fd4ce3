#include "source/unit.h"

#include "base/arena.h"

#include <stdlib.h>

void units_add(struct units *units, struct unit unit)
{
    units->list = array_reserve(units->list, &units->capacity, units->count + 1, sizeof *units->list);
    units->list[units->count++] = unit;
}

void units_free(struct units *units)
{
    free(units->list);
    *units = (struct units){0};
}

const char *unit_name(const struct unit *unit)
{
    return unit->name ? unit->name : unit->file;
}
