/* What the program's code finds out about pointers: which it compares with NULL, which with each other, which it looks
 * at as numbers. A function that checks a pointer for NULL expects it there: such an input is tried by default. The
 * other two depend on where objects lie, of which one way only is explored, and are limits of a verdict. What is tested
 * may be a copy, so pointers are followed through assignments, initial values, arguments and results, from declaration
 * to declaration; order and conditions do not count. */
#ifndef PENUMBRA_SOURCE_POINTER_TESTS_H
#define PENUMBRA_SOURCE_POINTER_TESTS_H

#include "source/source.h"

struct pointer_tests;

/* Reads all functions of the units. The arena owns the result. */
struct pointer_tests *pointer_tests_read(struct arena *arena, const struct sources *sources);
void pointer_tests_free(struct pointer_tests *tests);

/* A pointer among the inputs. */
struct pointer_input {
    const char *place, *name;
};

/* Adds a line for each place in the source at which the outcome depends on where the objects behind inputs lie:
 * pointers to two of them are compared or subtracted, or a pointer becomes a number. */
void pointer_tests_describe(const struct pointer_tests *tests, const struct pointer_input inputs[], size_t count,
                            struct text *lines);

/* The place that holds a pointer: a parameter, a variable or a member; or, with `pointer_place_behind`, what lies
 * behind the pointer in a place. "" when it has no name by which it could be found. */
const char *pointer_place(struct arena *arena, CXCursor declaration);
const char *pointer_place_behind(struct arena *arena, const char *place);

bool pointer_tests_null(const struct pointer_tests *tests, const char *place);
/* Whether the code goes on from the pointer there to other elements of that size: `p[1]`, `p + n`, `p++`. */
bool pointer_tests_stepped(const struct pointer_tests *tests, const char *place, long long size);
/* Whether something may be written through the pointer there, and whether two of them are compared. */
bool pointer_tests_written(const struct pointer_tests *tests, const char *place);
/* Whether the pointer there may become an argument of one of these functions. */
bool pointer_tests_given_to(const struct pointer_tests *tests, const char *place, const char *const functions[],
                            size_t count);
bool pointer_tests_compared(const struct pointer_tests *tests, const char *one, const char *other);

#endif
