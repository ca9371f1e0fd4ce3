/* What the names in an old function are called in the merged one. A local variable that only was given another name
 * gets the new one; one that is another thing now, or whose name means something else in the new function, becomes
 * `name__old`; so do macros, functions and constants that differ, and macros that say such a variable. Everything else
 * keeps its name. */
#ifndef PENUMBRA_UNIFY_NAMES_H
#define PENUMBRA_UNIFY_NAMES_H

#include "unify/compare.h"
#include "unify/tree.h"

/* A parameter or a variable inside a function. */
struct local {
    const char *name;
    const char *type;    /* canonical, without qualifiers; of all the function's variables of that name */
    const char *written; /* the type, as the declaration has it */
    const char *alias;   /* in the merged function */
    CXCursor cursor;     /* the first declaration */
    size_t declarations;
    bool is_parameter;
    bool is_converted; /* a parameter of the old version: a variable that is made of the new version's */
    bool is_resized;   /* an array whose number of elements differs, and nothing else */
    bool is_retyped;   /* both versions have it, with types that differ */
};

struct locals {
    struct local *list;
    size_t count, capacity;
};

struct names {
    struct locals old, new;
    struct words macros; /* of the old version, that say a variable which is called something else */
    size_t renamed;      /* how many variables only have another name */
};

/* Whether one of the names in a type is that of two types: the versions mean different ones. */
bool type_is_split(const struct comparison *comparison, const char *type);

/* Gives every word of both trees its spelling and number. Returns what stands in the way, NULL when nothing does. */
const char *names_settle(struct names *names, const struct comparison *comparison, struct tree *old, struct tree *new);
void names_free(struct names *names);
/* Old names of variables that are called something else, and of macros that say them, each before what it is called;
 * ends with NULL. Owned by the arena. */
const char **names_renamed(const struct names *names, struct arena *arena);

const struct local *locals_find(const struct locals *locals, const char *name);

#endif
