/* Pointers of one type that a caller may give into one object: a second layout, beside the one in which each has an
 * object of its own. Where the code can tell, since it writes through one of them or compares them, whether they
 * overlap is an input: `q == p`, and for arrays `q == p + 1` and `p == q + 1`. One pair overlaps at a time. */
#ifndef PENUMBRA_SOURCE_OVERLAPS_H
#define PENUMBRA_SOURCE_OVERLAPS_H

#include "source/make.h"

/* A pointer that is a parameter, with its object. */
struct given_pointer {
    CXType type;        /* of an element */
    const char *object; /* an array of elements */
    size_t count;       /* of elements */
    bool is_restricted; /* the caller has promised that there is no other */
    const char *expression, *name, *place;
};

/* Adds the choices for this pointer and those before it, and leaves in `at` under which its own object is there. To be
 * called when the pointer has been set. */
bool overlaps_make(struct maker *maker, struct spot *at, const struct given_pointer *pointer);

#endif
