/* What a run leaves behind: files, directories and links that are new, changed or removed in the places where a program
 * may change them. It is an output, a line for each: `./log = file 0644, 3 bytes: "a\n"`, `./old = removed`. */
#ifndef PENUMBRA_EXECUTE_LEFT_H
#define PENUMBRA_EXECUTE_LEFT_H

#include "base/text.h"

#include <stdbool.h>
#include <sys/stat.h>

enum { MOST_PLACES = 6 };

/* A directory where a program may change files. */
struct place {
    const char *name; /* as programs call it: "/tmp", "." for the working directory */
    int root;         /* where it is kept */
    int original;     /* what it showed before the run; -1: nothing */
    bool is_layer;    /* it holds only what has changed, as overlay file systems keep it */
    /* What was made in it for us, a path of directories; it is no change. "" or NULL: nothing. */
    const char *skeleton;
    struct stat before; /* the directory itself */
};

/* Notes the state in which the place is clean. */
void place_note(struct place *place);
/* Whether the directory itself has other rights than in the beginning. */
bool place_has_other_mode(const struct place *place);
/* Whether there is anything in it. */
bool place_is_used(const struct place *place);
/* Adds the lines, in an order that does not depend on anything else. Beyond `most` bytes, only a line that depends on
 * all of the rest. */
void place_list(const struct place *place, size_t most, struct text *lines);
/* Makes it empty, and gives it its first rights again. */
void place_empty(const struct place *place);
/* Of a layer to which only new things were added: removes them, through the directory that shows the layer. False when
 * something of the original's has changed: then it takes a new layer. */
bool place_undo(const struct place *place, const char *shown);
/* Copies what is in the original. False when it has more than a few thousand files or some megabytes: the place is
 * empty then. */
bool place_copy(const struct place *place);

#endif
