/* Places in the source that events refer to. The instrumenter numbers them; a trace holds only the numbers. */
#ifndef PENUMBRA_INSTRUMENT_SITES_H
#define PENUMBRA_INSTRUMENT_SITES_H

#include "base/text.h"
#include "base/words.h"
#include "depend/dependences.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct site {
    const char *file; /* "" when the compiler gave no location */
    const char *function;
    unsigned line, column;
    const char *what;    /* what precision is lost to, or what is called: "pow", "floating point"; "" elsewhere */
    bool in_model;       /* in a model of a library function: the place is that of the call, which an event knows */
    bool calls_model;    /* `what` is the name of a library function with a model */
    uint32_t *distances; /* of a branch: by 2 * part + outcome, how far a change is from there; NULL elsewhere */
    uint32_t part_count;
};

struct site_table {
    struct arena *arena;
    struct site *sites; /* index 0 is unused */
    size_t count, capacity;
    const char *lasting;  /* the name of something by which a run may leave more behind than can be undone, or NULL */
    struct words assumed; /* variables that are read and may have other values than their first when it is called */
    struct words outside; /* functions and variables that are not the program's own, and may tell it anything */
    struct dependences *dependences; /* NULL where they were not asked for */
    struct words numbers, texts;     /* constants that the program compares and computes with; see find_constants() */
    /* From here on, plain values only, of the whole program (sites_bytes.c). */
    bool allocates;    /* it calls malloc() or the like */
    bool has_locale;   /* it calls functions that depend on the locale */
    bool may_overflow; /* it computes with signed integers, and what C leaves undefined is done as machines do it */
    bool rounds;       /* it computes with floating point */
    bool prints;       /* it writes to streams, which might fail */
    bool exits;        /* it calls exit(), and whatever was registered for that goes on from what is left */
    bool stops;        /* it calls _exit(): what was printed may be in a buffer still */
    bool synchronises; /* it has atomic operations and fences, which only other threads can tell from others */
};

struct site_table *site_table_create(void);
void site_table_destroy(struct site_table *table);
/* Copies the strings; returns the new site's number. */
uint32_t site_table_add(struct site_table *table, const struct site *site);
const struct site *site_table_get(const struct site_table *table, uint32_t number);
/* Adds what another program as a whole does and rests on; not its sites. */
void site_table_join(struct site_table *table, const struct site_table *other);

/* Of an outcome from which no change can be reached. */
#define SITE_NO_CHANGE UINT32_MAX

/* Makes room for how far a change is from each outcome of each part of a site; all 0 at first. */
uint32_t *site_table_outcomes(struct site_table *table, uint32_t number, uint32_t part_count);

/* Whether a change() or execute() can still be reached when the decision comes out as `outcome` in a run that has met
 * none yet: on the way to the end of the function, in the functions that are called, and after returning to any caller.
 * `part` is the event's: 0 for a branch, the target for a switch (outcome false: a later target, or the default). Never
 * false by mistake. True for everything in code of one version only, and for sites that are no branch: that a failed
 * check leads nowhere is for the caller to know, by the kind of the event. */
bool site_reaches_change(const struct site_table *table, uint32_t site, uint32_t part, bool outcome);
/* How far the change is from there, as an estimate: SITE_NO_CHANGE where the former is false, 0 for what is no branch.
 */
uint32_t site_distance(const struct site_table *table, uint32_t site, uint32_t part, bool outcome);

/* The whole table as bytes, for the same machine. Reads into a fresh table; false when these are not such bytes, and
 * the table is of no use then. */
void site_table_write(const struct site_table *table, struct text *text);
bool site_table_read(struct site_table *table, const char *bytes, size_t length);

#endif
