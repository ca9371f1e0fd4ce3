/* What unification did: hunks, lines, annotations by pattern, and how finely each declaration was merged. */
#ifndef PENUMBRA_UNIFY_STATISTICS_H
#define PENUMBRA_UNIFY_STATISTICS_H

#include <stddef.h>

enum pattern {
    PATTERN_VALUE,            /* 1a: x = y + change(E1, E2) */
    PATTERN_ARGUMENT,         /* 1b: f(change(E1, E2)) */
    PATTERN_CONDITION,        /* 1c: if (change(E1, E2)) */
    PATTERN_WEAKENED,         /* 1d: A || change(false, B) */
    PATTERN_STRENGTHENED,     /* 1e: A && change(true, B) */
    PATTERN_CLAUSE_OR_GONE,   /* 1f: change(A || B, B) */
    PATTERN_CLAUSE_AND_GONE,  /* 1g: change(A && B, B) */
    PATTERN_ADDED_ASSIGNMENT, /* 2a */
    PATTERN_REMOVED_ASSIGNMENT,
    PATTERN_ADDED_CONDITION, /* 2c */
    PATTERN_REMOVED_CONDITION,
    PATTERN_REMOVED_CODE, /* 3a */
    PATTERN_ADDED_CODE,
    PATTERN_DECLARATION, /* 4 */
    PATTERN_TYPE,        /* 5 */
    PATTERN_RENAMED,     /* no annotation */
    PATTERN_GLOBAL,      /* initial values and sizes at file scope */
    PATTERN_COUNT
};

struct unify_statistics {
    size_t files;        /* pairs that differ */
    size_t hunks, lines; /* of the text: what a line-by-line comparison shows */
    size_t patterns[PATTERN_COUNT];
    size_t fine, coarse;   /* changed functions */
    size_t not_merged;     /* declarations that stand in the way */
    size_t added, removed; /* functions that one version has */
};

/* `1a`, ...; and in words. */
const char *pattern_name(enum pattern pattern);
const char *pattern_words(enum pattern pattern);
void statistics_add(struct unify_statistics *sum, const struct unify_statistics *part);

#endif
