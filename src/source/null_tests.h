/* Which pointers the program's code compares with NULL. A function that checks a pointer expects NULL there: such an
 * input is tried by default. What is checked may be a copy, so pointers are followed through assignments, initial
 * values, arguments and results, from declaration to declaration; order and conditions do not count. */
#ifndef PENUMBRA_SOURCE_NULL_TESTS_H
#define PENUMBRA_SOURCE_NULL_TESTS_H

#include "source/source.h"

struct null_tests;

/* Reads all functions of the units. The arena owns the result. */
struct null_tests *null_tests_read(struct arena *arena, const struct sources *sources);
void null_tests_free(struct null_tests *tests);

/* The place that holds a pointer: a parameter, a variable or a member; or, with `null_tests_behind`, what lies behind
 * the pointer in a place. "" when it has no name by which it could be found. */
const char *null_tests_place(struct arena *arena, CXCursor declaration);
const char *null_tests_behind(struct arena *arena, const char *place);

bool null_tests_have(const struct null_tests *tests, const char *place);

#endif
