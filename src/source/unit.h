/* A C file and how it is compiled. A program is units plus a way to link them, wherever they come from: the command
 * line, compile_commands.json, or a program that unify wrote. */
#ifndef PENUMBRA_SOURCE_UNIT_H
#define PENUMBRA_SOURCE_UNIT_H

#include <stddef.h>

struct unit {
    const char *file;
    const char *name;   /* for people; NULL: the file's own */
    const char *cflags; /* in one string as a shell would split it, paths absolute; NULL: none */
};

struct units {
    struct unit *list;
    size_t count, capacity;
};

/* The strings are not copied. */
void units_add(struct units *units, struct unit unit);
void units_free(struct units *units);
/* The unit's name for people. */
const char *unit_name(const struct unit *unit);

#endif
