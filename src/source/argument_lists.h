/* Arguments for an entry that takes a variable number of them. Nobody can tell what it may be given but those who call
 * it: the lists are those of the calls in the files, a literal before the `...` with them, since it says how many there
 * are and what they are; and where that is a format with `%`, some that are made up. Which of them it is, is an input,
 * and so are its arguments. */
#ifndef PENUMBRA_SOURCE_ARGUMENT_LISTS_H
#define PENUMBRA_SOURCE_ARGUMENT_LISTS_H

#include "source/inputs.h"

struct argument_list {
    const char *last;  /* the last argument before the `...`, a literal; NULL: the parameter as it is */
    const char *kinds; /* of those behind it: a letter for each, see argument_lists.c */
    const char *end;   /* a constant behind them all, or NULL */
    const char *only;  /* of a format that is an input: conversions that fit the arguments; or NULL */
    const char *place; /* of the call; NULL: it is made up */
};

struct argument_lists {
    struct argument_list *list;
    size_t count, capacity;
    struct made_input made; /* which list it is, and the arguments */
};

/* Of the entry whose parameters were read; false without an error set: none were found. */
bool argument_lists_make(struct program *program, const struct sources *sources, CXCursor entry, struct error *error);
/* The calls with each list: `target` is `` or `result = `; the variables of the fixed parameters come before. */
void argument_lists_write_calls(const struct program *program, const char *target,
                                const struct program_parameter parameters[], size_t count, struct text *code);
void argument_lists_free(struct argument_lists *lists);

#endif
