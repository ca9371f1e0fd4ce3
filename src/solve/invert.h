/* Inverting operations, as the search and the files with the inversions see it. */
#ifndef PENUMBRA_SOLVE_INVERT_H
#define PENUMBRA_SOLVE_INVERT_H

#include "solve/search.h"

/* Inverting an operation: which child is to become what. Each takes the wanted value of the whole and the present
 * values of the children, says what the first (or second) child should be, and returns false when that cannot help. */

struct step {
    struct search *search;
    const struct expr *expr;
    unsigned width;       /* of the whole */
    unsigned child_width; /* of the first child */
    unsigned low_width;   /* of the second */
    uint64_t wanted;
    uint64_t a, b;
};

typedef bool invert_operation(struct step *step, bool first, uint64_t *child);

unsigned search_random(struct search *search, unsigned limit);

/* invert_floating.c */
invert_operation invert_fadd, invert_fsub, invert_fmul, invert_fdiv, invert_fsqrt, invert_fround, invert_conversion,
    invert_feq, invert_forder;
/* invert_call.c */
invert_operation invert_call, invert_call_error;

#endif
