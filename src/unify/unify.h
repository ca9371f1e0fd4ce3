/* Two versions of a C file in, one program that holds both out, as text that a person can read and edit.
 *
 *   read both (version.c) -> match declarations, decide what becomes of each (compare.c) -> write (write.c)
 *
 * The text is the new file's, with what the old version has of its own put into it. Here the grain is coarse: a changed
 * function is kept twice, whole, and called through a wrapper that says which is whose. */
#ifndef PENUMBRA_UNIFY_UNIFY_H
#define PENUMBRA_UNIFY_UNIFY_H

#include "base/arena.h"
#include "base/error.h"
#include "base/text.h"
#include "base/words.h"
#include "unify/statistics.h"

#include <stdbool.h>
#include <stddef.h>

struct unify_request {
    const char *old_file, *new_file;
    const char *cflags;   /* for both; may be NULL */
    const char *entry;    /* a function that both versions must have, with the same parameters; NULL when none is asked
                             for */
    bool for_reading;     /* without #line directives, and laid out for a person */
    bool keep_inclusions; /* the result is to lie beside the new file */
};

struct unified {
    struct arena *arena; /* owns the strings */
    bool identical;      /* the same but for comments and layout; there is no text */
    struct text text;
    struct unify_statistics statistics;
    struct words
        lone_variables; /* variables that only one of the versions has: there is nothing to compare them with */
};

/* Errors: a version that does not compile, an entry that is missing or takes something else in one of them, a
 * declaration that differs and cannot be merged. They name file and line, and what to do. */
bool unify_files(const struct unify_request *request, struct unified *unified, struct error *error);
void unified_free(struct unified *unified);

#endif
