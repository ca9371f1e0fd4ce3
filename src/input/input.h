/* What the program under test is given: named, typed pieces that lie one after the other in a flat array of bytes, and
 * the text form in which people write and read them: `x=7, flag=true, s={1,2,3}, t="abc", p->count=2, p->next=NULL`.
 *
 * A piece is a number or an array of numbers. Structures are taken apart: each member is a piece of its own, and its
 * name is the C expression that reaches it from the parameter: `p->count`, `v[1].x`, `(*head)->value`. */
#ifndef PENUMBRA_INPUT_INPUT_H
#define PENUMBRA_INPUT_INPUT_H

#include "base/arena.h"
#include "base/error.h"
#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum input_kind {
    INPUT_SIGNED,
    INPUT_UNSIGNED,
    INPUT_BOOL,
    INPUT_CHARACTER, /* char of any signedness: see is_signed */
    INPUT_FLOATING,  /* float or double, by element_size: the number of an element is its bit pattern */
    INPUT_NULL       /* whether a pointer is NULL, 1 or 0: its name is `p == NULL`, in seeds it is `p=NULL` */
};

/* A number that has a name: an enumerator. */
struct input_constant {
    const char *name;
    __int128 value;
};

struct input_parameter {
    const char *name;
    const char *type;     /* as written in the source, for messages */
    enum input_kind kind; /* of an element */
    bool is_signed;       /* of an element */
    bool is_array;        /* a pointer or an array: several elements */
    bool is_pointer;      /* is_array, and the buffer that it points to is ours to make */
    bool is_string;       /* an array of characters with a zero behind it that is no part of the input */
    bool is_stream;       /* an array of characters that is read as a file, with a length of its own */
    bool is_global;
    bool is_background;    /* of interest only where it is not zero: what memory holds that nobody has written */
    unsigned element_size; /* bytes: 1, 2, 4 or 8 */
    unsigned bits;         /* of a bit-field: how many of them count; else 0 */
    size_t element_count;  /* 1 unless is_array */
    bool is_allocation;    /* the number of the memory allocation that fails, 0 for none */
    bool is_overlap;       /* an INPUT_NULL that says whether a pointer leads into another one's object */
    size_t under;          /* 1 + index of the INPUT_NULL that says whether it is there at all; 0: it is */
    const struct input_constant *constants; /* of an enumeration */
    size_t constant_count;
    size_t offset; /* of the first byte in the flat input */
};

struct input_layout {
    struct arena *arena; /* owns names and types */
    struct input_parameter *parameters;
    size_t count, capacity;
    size_t size; /* bytes in all */
    struct set *names;
    size_t *first, first_capacity; /* by the number of a name: the first parameter that has it, if it still has */
    struct input_layout *types;    /* what is known of inputs that the program will make by itself, by name; or NULL */
    const struct invocation *invocation; /* of a whole program (invocation.h): how inputs are shown then; or NULL */
};

struct input_layout *input_layout_create(void);
void input_layout_destroy(struct input_layout *layout);
/* Appends a copy of the parameter behind the others; offset and size are computed here. */
void input_layout_add(struct input_layout *layout, const struct input_parameter *parameter);
/* Takes all but the first `count` away again. */
void input_layout_truncate(struct input_layout *layout, size_t count);
const struct input_parameter *input_layout_find(const struct input_layout *layout, const char *name);
/* Appends an input that the program has made known while it ran. Where its type is not known it is an array of bytes.
 */
void input_layout_learn(struct input_layout *layout, const char *name, size_t size);
/* The INPUT_NULL of the pointer that is called `name`; NULL when the pointer is never NULL. */
const struct input_parameter *input_layout_find_null(const struct input_layout *layout, const char *name);
/* Whether which allocation fails is an input. */
bool input_layout_fails_allocations(const struct input_layout *layout);
/* Whether one fails with this input. */
bool input_fails_allocation(const struct input_layout *layout, const uint8_t *bytes);
/* Whether `name` is meant by `pattern`: the same, or with `[]` in the pattern for an index. */
bool input_name_matches(const char *pattern, const char *name);
/* Whether no pointer on the way to the parameter is NULL. */
bool input_is_there(const struct input_layout *layout, const struct input_parameter *parameter, const uint8_t *bytes);
/* The parameter and element that hold the byte at `offset`; NULL past the end. */
const struct input_parameter *input_layout_at(const struct input_layout *layout, size_t offset, size_t *element);

/* Whether a reader need not be told: it is in the background, and as usual. */
bool input_is_usual(const struct input_parameter *parameter, const uint8_t *bytes);

/* The numbers that an element can hold; bit patterns for INPUT_FLOATING. */
__int128 input_lowest(const struct input_parameter *parameter);
__int128 input_highest(const struct input_parameter *parameter);

/* One element as a sign-correct number; its bit pattern for INPUT_FLOATING. */
__int128 input_element(const struct input_parameter *parameter, const uint8_t *bytes, size_t element);
void input_set_element(const struct input_parameter *parameter, uint8_t *bytes, size_t element, __int128 value);

/* Appends an element as C writes it: `x`, `s[2]`, `(*rows)[1]`, `(p == NULL)`. */
void input_print_name(const struct input_parameter *parameter, size_t element, struct text *text);

/* Reads a seed into `bytes` (layout->size of them, set to zero first: what is not named stays 0). Numbers are decimal,
 * 0x..., 'c', or an enumerator, for INPUT_FLOATING also 1.5, 1e-3, inf, nan; a pointer that may be can be NULL; arrays
 * are {..} (elements that are not given, or left to `...`, are 0; so are parameters) or, for characters, "..". Unknown
 * names and values that do not fit are errors that name the parameter, its type and its range, and the nearest name. */
bool input_parse(const struct input_layout *layout, const char *seed, uint8_t *bytes, struct error *error);

/* A range that the user gave for a parameter: for arrays it holds for every element. For INPUT_FLOATING the ends are
 * bit patterns; the zeros are one number, and no NaN is in any range. */
struct input_range {
    size_t parameter; /* index into the layout */
    __int128 low, high;
};
bool input_is_in_range(const struct input_parameter *parameter, const struct input_range *range, __int128 value);
/* The value nearest to zero. */
__int128 input_nearest_to_zero(const struct input_parameter *parameter, const struct input_range *range);
/* Reads `x=-100..100`, or `v[].x=0..9` for the members of all elements. Appends to `ranges`, which has room for one
 * range of each parameter more. */
bool input_parse_range(const struct input_layout *layout, const char *text, struct input_range *ranges, size_t *count,
                       struct error *error);

/* Appends one element: `7`, `RED(1)`, `true`, `-1.5`. */
void input_print_element(const struct input_parameter *parameter, const uint8_t *bytes, size_t element,
                         struct text *text);
/* Appends the value of one parameter: `7`, `RED(1)`, `{1,2,3}`, `"ab\0"`. */
void input_print_value(const struct input_parameter *parameter, const uint8_t *bytes, struct text *text);
/* Appends `x=7, s={1,2,3}`; input_parse() reads it back to the same bytes, but for those behind a NULL. Of a whole
 * program, `program -n input.txt, file(input.txt)='a b'`. */
void input_print(const struct input_layout *layout, const uint8_t *bytes, struct text *text);
/* The same for people: members that are zero are not named one by one. */
void input_print_briefly(const struct input_layout *layout, const uint8_t *bytes, struct text *text);

/* The form that native replays read: one line a parameter, `name = 07 00 00 00  # 7`. */
void input_print_file(const struct input_layout *layout, const uint8_t *bytes, struct text *text);

/* Appends a number in decimal; printf has no conversion for this width. */
void input_print_number(struct text *text, __int128 number);

/* The name nearest to `name` by edit distance among `count` candidates, NULL when none is near. */
const char *nearest_name(const char *name, const char *const candidates[], size_t count);
/* The nearest names, nearest first, at most `capacity` of them; returns how many are near. */
size_t nearest_names(const char *name, const char *const candidates[], size_t count, const char *result[],
                     size_t capacity);

#endif
