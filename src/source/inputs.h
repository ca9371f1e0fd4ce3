/* Parameters and globals of any C type as inputs: what they are made of becomes pieces of the layout, and C text for
 * the harness makes the objects, sets them and, after the run, compares what is behind pointers.
 *
 * Numbers and arrays of them are pieces as they are. A structure is its members; a union its largest one. Behind a
 * pointer lies an object of our making: numbers, 8 of them unless --size says otherwise; a string, with a zero at its
 * end that stays; one structure or one further pointer; a function that returns inputs. --depth says how many pointers
 * are followed on the way from a parameter; further ones are NULL. */
#ifndef PENUMBRA_SOURCE_INPUTS_H
#define PENUMBRA_SOURCE_INPUTS_H

#include "source/program.h"
#include "source/source.h"

enum { DEFAULT_DEPTH = 3, DEFAULT_ELEMENTS = 8, LONG_NUMBER = 24 };

/* The lvalue `expression`, whose bytes are all zero, becomes the input `name`. Fills in `made`. Errors begin with
 * `place`, and name the member that stands in the way. */
struct input_root {
    CXType type;
    const char *name, *expression, *place;
    bool is_global;
    size_t file;          /* whose harness file makes it */
    CXCursor declaration; /* of the parameter or variable */
    bool is_optional;     /* what cannot be made of it keeps its initial value */
};
bool inputs_make(struct program *program, const struct input_root *root, struct made_input *made, struct error *error);
/* The same for a number of another type than its own. */
bool inputs_make_number(struct program *program, const struct input_root *root, const struct input_parameter *number,
                        struct made_input *made, struct error *error);

/* Whether every name of --null, --zero and --no-terminate is there; asked when the layout is complete. */
bool inputs_check_names(struct program *program, struct error *error);

#endif
