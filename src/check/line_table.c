#include "check/line_table.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static bool find_in_unit(Dwarf_Die *unit, uint64_t address, struct line_place *place)
{
    int line = 0, column = 0;
    Dwarf_Line *row = dwarf_haspc(unit, address) > 0 ? dwarf_getsrc_die(unit, address) : NULL;
    const char *file = row ? dwarf_linesrc(row, NULL, NULL) : NULL;
    if (!file || dwarf_lineno(row, &line) || line <= 0)
        return false;
    if (dwarf_linecol(row, &column))
        column = 0;
    snprintf(place->file, sizeof place->file, "%s", file);
    place->line = (unsigned)line;
    place->column = (unsigned)column;
    return true;
}

static bool find_in_program(Dwarf *program, uint64_t address, struct line_place *place)
{
    Dwarf_CU *unit = NULL;
    Dwarf_Die die;
    uint8_t kind;
    while (dwarf_get_units(program, unit, &unit, NULL, &kind, &die, NULL) == 0)
        if (kind == DW_UT_compile && find_in_unit(&die, address, place))
            return true;
    return false;
}

bool line_table_find(const char *executable, uint64_t address, struct line_place *place)
{
    int file = open(executable, O_RDONLY | O_CLOEXEC);
    Dwarf *program = file >= 0 ? dwarf_begin(file, DWARF_C_READ) : NULL;
    bool found = program && find_in_program(program, address, place);
    if (program)
        dwarf_end(program);
    if (file >= 0)
        close(file);
    return found;
}
