/* Making inputs, as its files see it: inputs.c takes types apart, pointers.c makes what they point to, callbacks.c
 * makes functions. */
#ifndef PENUMBRA_SOURCE_MAKE_H
#define PENUMBRA_SOURCE_MAKE_H

#include "source/inputs.h"

/* What becomes of a large variable's parts. */
enum sparing {
    ALL,          /* it is not large */
    WITHOUT_MUCH, /* large arrays, and what lies behind two pointers, keep their initial values */
    NUMBERS       /* so do all pointers */
};

/* One parameter or global on its way. */
struct maker {
    struct program *program;
    const struct input_root *root;
    struct made_input *made;
    struct error *error;
    unsigned depth;  /* pointers are followed so far */
    const char *cut; /* the first pointer that lies too deep */
    size_t cut_count;
    enum sparing sparing;
    const char *refused; /* type of the part that `error` is about, where that is why: it may be left out */
    const char *left;    /* the first part that was, with its type */
    size_t left_count;
};

/* Where everything that is made for a part will stand. */
struct make_mark {
    size_t pieces, declarations, statements, record, outputs, left, ends, notes, sizes, never_null, pointer_inputs;
};

/* Something in it: the parameter itself, a member, an element, what a pointer points to. */
struct spot {
    CXType type;            /* as the source has it */
    const char *expression; /* an lvalue in the harness */
    const char *name;       /* how people reach it from the parameter */
    bool through_pointer;   /* a structure of which `name` is the pointer: members are `name->member` */
    unsigned depth;         /* pointers that were followed */
    bool is_anonymous;      /* a member without a name, of which `expression` is the whole structure */
    size_t rows;            /* of an array as a parameter, which is a pointer: how many it says there are */
    size_t under;           /* as in struct input_parameter */
    const char *place;      /* as pointer_tests.h has it */
    bool is_result;         /* of a function that is made: it may be NULL, whether or not the code looks */
    const char *block;      /* the variable that holds the address of the block it lies in; or NULL */
};

bool make(struct maker *maker, const struct spot *spot);
bool make_pointer(struct maker *maker, const struct spot *spot, CXType pointee);
/* An array without a size at the end of a structure, to which a pointer of ours points. */
bool make_flexible(struct maker *maker, const struct spot *spot);
bool make_elements(struct maker *maker, const struct spot *spot, CXType element, size_t count);
/* A function for a pointer to point to; its name goes to `function`, its number among the objects to `number`. */
bool make_callback(struct maker *maker, const struct spot *spot, CXType type, const char **function, size_t *number);

/* Lets the spot's pointer point to the object, or to NULL if the code looks. */
bool make_set_pointer(struct maker *maker, const struct spot *spot, const char *object);

/* One of so many alternatives, by its number: an input, which the variable holds. */
bool make_alternative(struct maker *maker, const struct spot *spot, const char *name, const char *variable,
                      const struct input_constant constants[], size_t count);

/* Adds a piece, described but for what the spot says, to the layout. */
bool make_piece(struct maker *maker, const struct spot *spot, struct input_parameter *piece);
/* The statements by which the bytes at `address` get the piece's value. */
void make_symbolic(struct maker *maker, const struct input_parameter *piece, const char *address);
/* Why this cannot be made; returns false. `why` may be "". */
bool make_refuse(struct maker *maker, const struct spot *spot, const char *why);
/* A part that cannot be made, or one that need not be, keeps the value that it has, and what was made of it since the
 * mark goes. False where that may not be: the error stays. */
struct make_mark make_mark_of(const struct maker *maker);
bool make_leave_out(struct maker *maker, const char *name, const struct make_mark *from);
/* Whether the user wants it to be none of the inputs. */
bool make_stays_zero(struct maker *maker, const char *name);
/* Types that only their library can make. */
bool make_is_opaque(struct maker *maker, const struct spot *spot, CXType type);
bool make_holds_numbers(struct maker *maker, CXType type);
/* `v` as something that an index or an arrow can follow. */
const char *make_operand(struct maker *maker, const char *name);

#endif
