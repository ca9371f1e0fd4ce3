/* From an address in a native program to the place in its source: the line table of the debug information, read where a
 * failure is located, so that no other program has to be started for that. */
#ifndef PENUMBRA_CHECK_LINE_TABLE_H
#define PENUMBRA_CHECK_LINE_TABLE_H

#include <stdbool.h>
#include <stdint.h>

struct line_place {
    char file[4096];
    unsigned line, column;
};

/* `address` counts from the start of the program's image. False when the executable or its table cannot be
 * read, or no line has the address. */
bool line_table_find(const char *executable, uint64_t address, struct line_place *place);

#endif
