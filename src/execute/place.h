/* The places where a program under test may change files, and how they become what they were. */
#ifndef PENUMBRA_EXECUTE_PLACE_H
#define PENUMBRA_EXECUTE_PLACE_H

#include <stdbool.h>
#include <sys/stat.h>

enum { MOST_PLACES = 10 };

/* A directory where a program may change files. */
struct place {
    const char *name; /* as programs call it: "/tmp", "." for the working directory */
    int root;         /* where it is kept */
    int original;     /* what it showed before the run; -1: nothing */
    bool is_layer;    /* it holds only what has changed, as overlay file systems keep it */
    /* Of a layer: where it is mounted, the directories below it, and the number of the one that takes changes now. */
    const char *shown, *lower;
    unsigned layer;
    /* What was made in it for us, a path of directories; it is no change. "" or NULL: nothing. */
    const char *skeleton;
    struct stat before; /* the directory itself */
};

/* Notes the state in which the place is clean. */
void place_note(struct place *place);
/* Whether the directory itself has other rights than in the beginning. */
bool place_has_other_mode(const struct place *place);
/* Makes it empty, and gives it its first rights again. */
void place_empty(const struct place *place);
/* Of a layer to which only new things were added: removes them, through the directory that shows the layer. False when
 * something of the original's has changed: then it takes a new layer. */
bool place_undo(const struct place *place);
/* Copies what is in the original. False when it has more than a few thousand files or some megabytes: the place is
 * empty then. */
bool place_copy(const struct place *place);

#endif
