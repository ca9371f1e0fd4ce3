/* What a verdict rests on, as data: limits, which say what was cut, lost or not compared, and assumptions, which say
 * for which inputs and which world it holds. Sentences are views of these; no decision is made on their words. */
#ifndef PENUMBRA_REPORT_LIMITS_H
#define PENUMBRA_REPORT_LIMITS_H

#include <stdbool.h>
#include <stddef.h>

struct arena;
struct report;

struct limit {
    const char *kind;  /* `time`, `solver`, `loop`: docs/json.md lists them */
    const char *text;  /* a sentence for people, with the count and the remedy */
    const char *place; /* where precision was lost, or what is not compared; "" when there is no one place */
    size_t count;
    bool forbids; /* the verdict "equivalent" */
};

struct limits {
    struct limit *list;
    size_t count, capacity;
};

/* The arena owns the strings. */
void limits_collect(const struct report *report, struct arena *arena, struct limits *limits);
void limits_free(struct limits *limits);
bool limits_forbid(const struct limits *limits);

struct assumption {
    const char *kind; /* `not-null`, `distinct`, `size`, `initial-value`, `allocation`: docs/json.md lists them */
    const char *name; /* of the input, variable or function; "" where it is about all of them */
    const char *text;
};

struct assumptions {
    struct assumption *list;
    size_t count, capacity;
};

void assumptions_collect(const struct report *report, struct arena *arena, struct assumptions *assumptions);
void assumptions_free(struct assumptions *assumptions);

#endif
