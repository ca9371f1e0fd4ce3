/* Two versions of a C file in, one program that holds both out, as text that a person can read and edit.
 *
 *   read both (version.c) -> match declarations, decide what becomes of each (compare.c), changed functions statement
 * by statement (merge.h) -> write (write.c) -> compare the result with both versions (verify.c)
 *
 * The text is the new file's, with what the old version has of its own put into it. A function that cannot be merged
 * finely, or whose merged text turns out not to be what the versions are, is kept twice, whole, and called through a
 * wrapper that says which is whose. */
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
    const char *old_name, *new_name;     /* for people: what places name; NULL when it is the file's own */
    const char *old_cflags, *new_cflags; /* may be NULL */
    const char *entry;                   /* a function that both versions must have; NULL when none is asked for */
    bool for_reading;                    /* without #line directives, and laid out for a person */
    bool keep_inclusions;                /* the result is to lie beside the new file */
    bool verify;                         /* compare it with both versions */
};

struct unified {
    struct arena *arena;  /* owns the strings */
    bool identical;       /* the same but for comments and layout; there is no text */
    const char *obstacle; /* a sentence: which declaration keeps the versions from being merged; then there is no text,
                             and of the rest only changed, callers and functions; NULL otherwise */
    struct text text;
    struct unify_statistics statistics;
    struct words changed;              /* functions that both versions have, and that differ */
    struct words callers;              /* functions that are the same, and mention one of those */
    struct words functions;            /* all that both versions have */
    struct words split, split_reasons; /* those that are two functions in the text, and sentences that say why */
    struct words doubled;              /* functions and variables that other files see and that are two in the text */
    struct words declared;             /* those that are two in the text, and defined in another file */
    struct words split_names;          /* all names that are two things in the text */
    struct words coarse;               /* sentences: which functions are kept twice, and why */
    struct words defects;              /* sentences: where the merged text was not what the versions are */
    struct words unknown;              /* functions whose sameness only a run can tell */
    struct words beyond;               /* sentences: what differs and is in none of the changed functions */
    struct words limits; /* sentences: what keeps an exploration of the text from being one of both versions */
    size_t verified;     /* functions compared, of both versions together */
    struct words
        lone_variables; /* variables that only one of the versions has: there is nothing to compare them with */
};

/* Errors: a version that does not compile, an entry that is missing or takes something else in one of them. They name
 * file and line, and what to do; so does an obstacle. */
bool unify_files(const struct unify_request *request, struct unified *unified, struct error *error);
void unified_free(struct unified *unified);

#endif
