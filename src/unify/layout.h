/* Where the members of a struct are, and whether somebody could tell. */
#ifndef PENUMBRA_UNIFY_LAYOUT_H
#define PENUMBRA_UNIFY_LAYOUT_H

#include "unify/version.h"

/* Whether two structs or unions have the same members, of the same types, at the same places. */
bool layout_is_same(struct arena *arena, CXType one, CXType other);

/* Whether something in the version may depend on the size of the struct, or on the order or the places of its members:
 * sizeof (but for memory that is allocated), offsetof, pointers to it that become pointers to something else,
 * initialisers without names, unions and other attributes. `type` is its definition. */
bool layout_matters(const struct version *version, CXCursor type);

/* The members of a struct or union; the list is to be freed. */
struct fields {
    CXCursor *list;
    size_t count, capacity;
};
struct fields fields_of(CXType type);

#endif
