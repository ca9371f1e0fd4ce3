/* Which declarations of two versions are the same, and what becomes of those that are not. */
#ifndef PENUMBRA_UNIFY_COMPARE_H
#define PENUMBRA_UNIFY_COMPARE_H

#include "base/words.h"
#include "unify/statistics.h"
#include "unify/version.h"

struct comparison {
    struct arena *arena;
    struct version *old, *new;
    const char *entry;
    bool in_lines; /* merged functions keep the new version's lines */
    struct unify_statistics *statistics;
    struct error *error;    /* what is wrong with the entry that was asked for */
    struct error *obstacle; /* the declaration that keeps the versions from being merged */
    /* What means something else in the two versions: macros that differ or mention something that does, and what is
     * split. Whatever mentions one of these names differs, too, even if its text is the same. */
    struct words differing;
    struct words macros, split; /* the macros, and what is split, among them */
    struct words types;         /* types that are split, among those */
    struct words uncompared;    /* variables that are split, and are no constants */
    struct words widened;       /* structs with the members of both versions */
    /* Set before the versions are compared (hidden.h). */
    bool compiles_differently; /* the compiler makes something else of them */
    bool surroundings_differ;  /* of what is no function and no variable, so that every function may be meant */
    struct words hidden;       /* functions and variables of included files that it makes something else of */
};

/* Sets every piece's `other` and `treatment`, and every macro's `differs`; functions with an `obstacle` are not merged
 * finely. Can be called again when more of them have one. */
bool compare_versions(struct comparison *comparison);

/* For versions that cannot be merged, behind compare_versions(): which names mean something else in the two, and
 * whether a function that both have differs, or mentions one of these (differing.c). */
void compare_find_differing(struct comparison *comparison);
bool compare_function_differs(const struct comparison *comparison, const struct piece *new);
void comparison_free(struct comparison *comparison);

#endif
