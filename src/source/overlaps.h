/* Pointers of one type that a caller may give into one object: further layouts, beside the one in which each has an
 * object of its own. Where the code can tell, since it writes through one of them or compares them, whether they
 * overlap is an input: `q == p`, and for arrays `q == p + 1` and `p == q + 1`. Any number of pointers may be the same;
 * one pair at a time overlaps in another way. Where two are compared, they are also tried further apart, and those that
 * have one element each, side by side in both orders. */
#ifndef PENUMBRA_SOURCE_OVERLAPS_H
#define PENUMBRA_SOURCE_OVERLAPS_H

#include "source/make.h"

/* A pointer that is a parameter, with its object. */
struct given_pointer {
    CXType type;        /* of an element */
    const char *object; /* an array of elements */
    size_t count;       /* of elements */
    bool is_longer;     /* than its type: a structure with an array without a size */
    bool is_restricted; /* the caller has promised that there is no other */
    const char *expression, *name, *place;
    size_t number; /* among them */
};

/* Adds the choices for this pointer and those before it, and leaves in `at` under which its own object is there. To be
 * called when the pointer has been set; `moves` are statements for when its object has been made. */
bool overlaps_make(struct maker *maker, struct spot *at, struct given_pointer *pointer, struct text *moves);

#endif
