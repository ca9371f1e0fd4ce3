/* Declarations that moved: a local variable that both versions of a function have, with one type, and that they declare
 * in different blocks, or with other variables beside it. No text can keep both declarations where they are without one
 * hiding the other. So both versions are first written with the declaration at the top of the function, and an
 * assignment where its initial value was:
 *
 *     for (int i = 0; ...) {            { int i; int c;
 *         int c = next();        ->     for (i = 0; ...) {
 *                                           c = next();
 *
 * What the functions do stays the same; the verification compares the result with the versions as they are. */
#ifndef PENUMBRA_UNIFY_HOIST_H
#define PENUMBRA_UNIFY_HOIST_H

#include "base/words.h"
#include "unify/version.h"

/* The texts of the old and of the new version, line by line, with declarations that moved at the top of their
 * functions. Names the functions; when there are none, the texts stay empty. */
void hoist_declarations(const struct version *old, const struct version *new, struct text texts[2],
                        struct words *functions);

#endif
