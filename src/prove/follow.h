/* Between the files that follow two functions side by side: step.c goes on with one of them, meet.c compares what
 * happens in both, place.c says how they begin, follow.c couples their loops. */
#ifndef PENUMBRA_PROVE_FOLLOW_H
#define PENUMBRA_PROVE_FOLLOW_H

#include "prove/couple.h"

enum {
    MOST_CHECKS = 8, /* that are remembered */
    MOST_AHEAD = 8,  /* by which the old side is ahead of the new one */
    MOST_CUTS = 8,   /* loops in loops */
    MOST_ARGUMENTS = 32,
    CHECK_ARGUMENTS = 3,
};

/* GUESSED_WRONG: it is followed again, with fewer guesses. */
enum outcome { AGREES, DIFFERS, GUESSED_WRONG };

/* An access that was found to be good. */
struct checked {
    Z3_ast arguments[CHECK_ARGUMENTS];
};

/* A side has come to a loop: what its header's values were at first, and when it left. */
struct visit {
    LLVMBasicBlockRef header;   /* NULL: there was none */
    LLVMBasicBlockRef from, to; /* the way out */
    Z3_ast first[MOST_ARGUMENTS], last[MOST_ARGUMENTS];
    Z3_ast memory; /* at first */
};

/* A side goes through a loop that it has left once more, and then on from where it was. */
struct repetition {
    bool is_under_way;
    LLVMValueRef at;
    Z3_ast memory;
    bool is_arrived;
};

struct state {
    struct side sides[SIDES];
    struct visit current[SIDES], left[SIDES]; /* the loop that a side has come to last, and the last one that it left */
    struct repetition repetitions[SIDES];
    struct checked checks[MOST_CHECKS]; /* since the last event that may have changed what is accessible */
    size_t check_count;
    struct checked ahead[MOST_AHEAD]; /* that the old side has made, and the new one must make before anything else */
    size_t ahead_count;
    unsigned passed, rounds[SIDES]; /* rounds: loops that were passed since the last cut, as its pace says */
    bool has_left[MOST_CUTS];       /* a side is outside of this cut's loop: what did not change in it may have */
    bool is_delayed;                /* one side has gone through its loop once before both are coupled */
};

/* A pair of loops that are being followed. */
struct cut {
    struct coupling *coupling;
    const unsigned *pace; /* how many rounds of each side are one step */
};

struct walk {
    struct sameness *sameness;
    struct terms terms;
    struct shape shapes[SIDES];
    struct cut cuts[MOST_CUTS];
    size_t cut_count, wrong; /* which cut has guessed wrong */
    size_t steps, depth;
    enum repeating { ONCE, REPEATED } repeating; /* REPEATED: loops may be gone through again */
    bool could_repeat;                           /* and that might have helped */
};

/* ---- follow.c ---- */

/* From here to the end of all paths. */
enum outcome follow(struct walk *walk, struct state *state);
struct state *copy_state(const struct walk *walk, const struct state *state);
void free_state(struct state *state);
/* Nothing is proven. Always DIFFERS; the first reason stays. */
enum outcome stop(struct walk *walk, const char *why);

/* ---- step.c ---- */

Z3_ast operand(struct walk *walk, const struct state *state, const struct side *side, LLVMValueRef value);
/* Of the instruction that comes next; of a call its arguments. At most MOST_ARGUMENTS. */
bool read_operands(struct walk *walk, const struct state *state, const struct side *side, Z3_ast operands[]);
/* Of the instruction that comes next. */
void set_value(struct side *side, Z3_ast value);
/* True: the side has come to where it must wait for the other. False: `outcome` is known. */
bool advance(struct walk *walk, struct state *state, unsigned number, enum outcome *outcome);

/* ---- repeat.c ---- */

/* A side comes from one block to another, where its phis have their values already. */
void note_way(struct state *state, unsigned number, LLVMBasicBlockRef from, LLVMBasicBlockRef to);
/* What happened may have changed what is accessible. */
void forget_visits(struct state *state);
/* Of the loop that begins where the side is: neither memory nor what is accessible, and no loop is in it. */
bool loop_changes_nothing(const struct side *side);
/* True: the side is back where the loop that it left last begins. */
bool repeat_loop(struct state *state, unsigned number);
/* True: with this way it leaves the loop that it went through again, and is back where it was, unless that way cannot
 * be
 * (`is_impossible`). */
bool end_repetition(struct walk *walk, struct state *state, unsigned number, LLVMBasicBlockRef from,
                    LLVMBasicBlockRef to, bool *is_impossible);
/* A side that goes through a loop again makes a check that was good before. */
bool pass_repeated_check(struct state *state);

/* ---- meet.c ---- */

bool is_check(LLVMValueRef at);
bool same_memory(struct walk *walk, const struct state *state);
/* What comes next happens on both sides, which go on behind it. */
bool happens_alike(struct walk *walk, struct state *state);
/* A side goes on behind a check of an access that was good a moment ago. */
bool pass_known_check(struct walk *walk, struct state *state, struct side *side);
/* The old side makes a check that is not the new one's next. */
bool go_ahead(struct walk *walk, struct state *state);
/* The new side makes one that the old one has made, perhaps before others that it has made too. */
bool catch_up(struct walk *walk, struct state *state);
bool is_never_reached(LLVMValueRef at);
enum outcome end_alike(struct walk *walk, struct state *state);

/* ---- place.c ---- */

/* Whether everything in a function has a term. */
bool has_terms(struct walk *walk, const struct shape *shape);
/* Equal arguments, equal memory. */
void begin(struct walk *walk, struct state *state);

#endif
