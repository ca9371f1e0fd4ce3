/* The C statements by which a harness outputs a value: part by part, so that padding is never compared.
 *
 * A pointer is output as the known object (a global, or what the harness made) that it points into, and the offset
 * there. What it points to is output with that object; in other memory, which the program allocated or a string
 * constant has, it is followed from here (trace/known.h says how far). How a structure is followed is written once, as
 * a function, which calls itself for lists and trees. */
#ifndef PENUMBRA_SOURCE_OUTPUTS_H
#define PENUMBRA_SOURCE_OUTPUTS_H

#include "source/program.h"

#include <clang-c/Index.h>
#include <stdbool.h>

struct output_root {
    CXType type;
    const char *expression; /* an lvalue */
    const char *name;
    bool through_pointer; /* a structure of which `name` is the pointer: parts are called `name->field` */
    bool may_dangle;      /* pointers in it are not followed: what they pointed to may be gone */
    bool is_global;       /* its members are in their order: of two versions, only what has the same is compared */
    size_t file;          /* whose harness file has the statements */
};

/* Appends calls of pn_output() and pn_output_pointer() for the parts of the value, called `name`, `name.field`,
 * `name[3].field`. False, and nothing appended, when some part cannot be compared. */
bool outputs_write(struct program *program, struct text *code, const struct output_root *root);
/* The same for an array of numbers, whose elements (of type void: bytes) are output together. */
void outputs_write_array(struct program *program, struct text *code, CXType element, const char *name,
                         const char *array);
/* The same for a number of that description, as a text: `expression` is an lvalue of its type. */
const char *outputs_of_number(struct program *program, const struct input_parameter *number, const char *expression);
/* Says what type an array has that is output by other means. */
void outputs_describe(struct program *program, CXType type, size_t count, const char *name, bool is_string);
/* The same for one that has as many elements as it turns out to have. */
void outputs_describe_element(struct program *program, CXType type, const char *name, bool is_string);
/* Tells the user that it is not compared. */
void outputs_note(struct program *program, const struct output_root *root);

/* A row of the table of known objects. */
struct known_row {
    const char *kind; /* "object", "function" or "global", with a number of its own */
    size_t number;
    const char *name;     /* for people */
    const char *variable; /* an array or another variable */
    bool is_block;        /* its address is not known before it is made */
    bool may_be_longer;   /* nobody knows how long a caller's is */
};

void outputs_add_known(const struct program *program, struct text *code, const struct known_row *row);

#endif
