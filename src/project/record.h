/* What `penumbra cc` leaves in the objects, libraries and programs that it makes: which C file each object was made
 * from, how and with which headers, and how a program was linked. A record is a line of JSON in a section of its own
 * which is never loaded. The linker decides which members of an archive go into a program, and joins their sections:
 * so a program knows its units, however many archives and directories there are between, and whoever has moved or kept
 * the objects meanwhile.
 *
 *     .penumbra.unit   {"directory": "/p/src", "file": "cut.c", "arguments": ["cc", "-DX=1", "-I../lib", ...],
 *                       "dependencies": ["../lib/system.h", ...]}
 *     .penumbra.link   {"directory": "/p/src", "output": "cut", "arguments": [...], "shared": false}
 *
 * The first form is that of compile_commands.json, with the headers as one more member. */
#ifndef PENUMBRA_PROJECT_RECORD_H
#define PENUMBRA_PROJECT_RECORD_H

#include "base/error.h"
#include "base/words.h"

#include <jansson.h>
#include <stdbool.h>

#define RECORD_UNIT ".penumbra.unit"
#define RECORD_LINK ".penumbra.link"

/* The record of a unit, or of a link where `file` is NULL. */
json_t *record_make(const char *directory, const char *file, const struct words *arguments, json_t *dependencies);
/* As it lies in a section. */
char *record_line(const json_t *record);

/* The records in a file: an object, a library, an archive with its members, a program. */
struct recorded {
    json_t *units, *links; /* lists */
};
/* False where the file is none of these, or has no record. To be freed in any case. */
bool recorded_read(const char *path, struct recorded *recorded);
void recorded_free(struct recorded *recorded);

#endif
