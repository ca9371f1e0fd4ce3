/* Where two loops begin that are followed side by side: what is taken to be true there of the values that change in
 * them. It is guessed (equal values, values that grow alike, bounds), and what does not hold on the way in, or not
 * after a round, is dropped until the rest holds always. A wrong guess costs time and nothing else. */
#ifndef PENUMBRA_PROVE_COUPLE_H
#define PENUMBRA_PROVE_COUPLE_H

#include "prove/shape.h"
#include "prove/terms.h"

/* One of the two functions that are followed. */
struct side {
    const struct shape *shape;
    LLVMValueRef at; /* the instruction that comes next */
    Z3_ast *values;  /* by their numbers; NULL: not computed */
    Z3_ast memory;
    bool is_arrived; /* `at` is the first instruction of a header, to which it has just come */
};

/* How well one value can stand for another; the best first. */
enum closeness { SAME_WIDTH, ZERO_EXTENDED, SHORTENED, SIGN_EXTENDED, ONLY_A_TRUTH };

struct guess {
    Z3_ast truth; /* over the symbols */
    enum closeness closeness;
    size_t defines; /* unless it is ONLY_A_TRUTH: this value is `definition`, over the symbols of the other version */
    Z3_ast definition;
};

enum { MOST_CONDITIONS = 6 };

struct coupling {
    struct terms *terms;
    const struct side *sides; /* as they first came here */
    LLVMBasicBlockRef headers[SIDES];
    LLVMValueRef *phis; /* the old version's, then the new one's */
    Z3_ast *symbols;    /* what stands for each in guesses */
    Z3_ast *first;      /* what each is at first */
    Z3_ast *steps;      /* what each grows by in every round; NULL: not always the same */
    size_t old_count, count;
    Z3_ast conditions[SIDES][MOST_CONDITIONS]; /* that each version looks at in the loops, over the symbols */
    size_t condition_counts[SIDES];
    struct guess *guesses;
    size_t guess_count, guess_capacity;
};

/* Both sides have arrived. Whatever does not hold at first is dropped already. */
void coupling_open(struct coupling *coupling, struct terms *terms, const struct side sides[]);
void coupling_close(struct coupling *coupling);
/* From here on nothing is known of what changes in the loops but what is guessed. */
void coupling_assume(const struct coupling *coupling, struct side sides[]);
/* Both sides have come back. False: some guesses did not hold, and were dropped. */
bool coupling_holds(struct coupling *coupling, const struct side sides[]);

#endif
