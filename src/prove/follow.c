/* Two functions are followed side by side: each goes on until something happens that the other must do as well (a call,
 * a volatile access, an end), or until it comes to a loop. Where both have come to a loop, all that changes in it is
 * forgotten but for what couples them (couple.h), and both go on until they have come back there, or have left. */
#include "prove/follow.h"

#include <stdlib.h>
#include <string.h>

enum {
    MOST_DEPTH = 300, /* of decisions and loops on one path */
    MOST_PASSED = 40, /* loops that one side comes to while the other does something else */
    MOST_ROUNDS = 40, /* of guessing */
};

/* ---- states ---- */

struct state *copy_state(const struct walk *walk, const struct state *state)
{
    struct state *copy = malloc(sizeof *copy);
    *copy = *state;
    for (unsigned i = 0; i < SIDES; i++) {
        size_t size = (walk->shapes[i].value_count + 1) * sizeof(Z3_ast);
        copy->sides[i].values = malloc(size);
        memcpy(copy->sides[i].values, state->sides[i].values, size);
    }
    return copy;
}

void free_state(struct state *state)
{
    for (unsigned i = 0; i < SIDES; i++)
        free(state->sides[i].values);
    free(state);
}

enum outcome stop(struct walk *walk, const char *why)
{
    walk->terms.problem = walk->terms.problem ? walk->terms.problem : why;
    return DIFFERS;
}

/* ---- loops ---- */

static bool may_change_memory(const struct side *side)
{
    LLVMBasicBlockRef header = LLVMGetInstructionParent(side->at);
    for (size_t i = 0; i < side->shape->block_count; i++) {
        LLVMBasicBlockRef block = side->shape->blocks[i];
        if (!shape_is_in_loop(side->shape, header, block))
            continue;
        for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at))
            if (!LLVMIsATerminatorInst(at) && has_side_effect(at) && effect_writes(at))
                return true;
    }
    return false;
}

/* The loop that both have come back to, without having left it; -1: none. */
static int find_cut(const struct walk *walk, const struct state *state)
{
    for (size_t i = walk->cut_count; i-- > 0;)
        if (!state->has_left[i] &&
            walk->cuts[i].coupling->headers[OLD_SIDE] == LLVMGetInstructionParent(state->sides[OLD_SIDE].at) &&
            walk->cuts[i].coupling->headers[NEW_SIDE] == LLVMGetInstructionParent(state->sides[NEW_SIDE].at))
            return (int)i;
    return -1;
}

static enum outcome come_back(struct walk *walk, struct state *state, size_t cut)
{
    if (!same_memory(walk, state))
        return DIFFERS;
    if (coupling_holds(walk->cuts[cut].coupling, state->sides))
        return AGREES;
    walk->wrong = cut;
    return GUESSED_WRONG;
}

static enum outcome follow_round(struct walk *walk, const struct state *state, struct coupling *coupling,
                                 const unsigned *pace, bool forgets_memory)
{
    struct terms *terms = &walk->terms;
    struct state *copy = copy_state(walk, state);
    copy->has_left[walk->cut_count] = false;
    walk->cuts[walk->cut_count++] = (struct cut){coupling, pace};
    Z3_solver_push(terms->z3, terms->solver);
    coupling_assume(coupling, copy->sides);
    Z3_ast memory = forgets_memory ? term_fresh_memory(terms) : NULL;
    for (unsigned i = 0; i < SIDES; i++) {
        copy->sides[i].is_arrived = false;
        copy->sides[i].memory = memory ? memory : copy->sides[i].memory;
        copy->rounds[i] = 0;
    }
    copy->check_count = copy->passed = 0;
    copy->is_delayed = false;
    if (!loop_changes_nothing(&copy->sides[OLD_SIDE]) || !loop_changes_nothing(&copy->sides[NEW_SIDE]))
        forget_visits(copy); /* rounds that went before this one may have changed what is accessible */
    enum outcome outcome = follow(walk, copy);
    Z3_solver_pop(terms->z3, terms->solver, 1);
    walk->cut_count--;
    free_state(copy);
    return outcome;
}

/* With fewer and fewer guesses, until those that are left hold. */
static enum outcome follow_loops(struct walk *walk, struct state *state, const unsigned *pace)
{
    struct coupling coupling;
    bool forgets_memory = may_change_memory(&state->sides[OLD_SIDE]) || may_change_memory(&state->sides[NEW_SIDE]);
    enum outcome outcome = GUESSED_WRONG;
    if (!same_memory(walk, state) || walk->cut_count >= MOST_CUTS)
        return DIFFERS;
    size_t here = walk->cut_count;
    coupling_open(&coupling, &walk->terms, state->sides);
    for (unsigned i = 0; i < MOST_ROUNDS && outcome == GUESSED_WRONG; i++) {
        outcome = follow_round(walk, state, &coupling, pace, forgets_memory);
        if (outcome == GUESSED_WRONG && walk->wrong != here)
            break; /* an outer one */
    }
    coupling_close(&coupling);
    if (outcome == GUESSED_WRONG && walk->wrong == here)
        return stop(walk, "too many guesses");
    return outcome;
}

/* One side goes once more through its loop before both are coupled. */
static enum outcome follow_later(struct walk *walk, const struct state *state, unsigned side)
{
    struct state *copy = copy_state(walk, state);
    copy->sides[side].is_arrived = false;
    copy->is_delayed = true;
    enum outcome outcome = follow(walk, copy);
    free_state(copy);
    return outcome;
}

static enum outcome begin_loops(struct walk *walk, struct state *state)
{
    static const unsigned paces[][SIDES] = {{1, 1}, {2, 1}, {1, 2}, {4, 1}, {1, 4}};
    enum outcome outcome = follow_loops(walk, state, paces[0]);
    if (walk->cut_count || state->is_delayed)
        return outcome;
    for (unsigned i = 0; i < SIDES && outcome == DIFFERS && !walk->terms.problem; i++)
        outcome = follow_later(walk, state, i);
    for (size_t i = 1; i < sizeof paces / sizeof *paces && outcome == DIFFERS && !walk->terms.problem; i++)
        outcome = follow_loops(walk, state, paces[i]);
    return outcome;
}

/* Whether a side that has come to the loop of the innermost cut still has rounds to go before it is compared. */
static bool goes_on(const struct walk *walk, struct state *state, unsigned side)
{
    const struct cut *cut = walk->cut_count ? &walk->cuts[walk->cut_count - 1] : NULL;
    if (!cut || !state->sides[side].is_arrived || state->has_left[walk->cut_count - 1] ||
        cut->coupling->headers[side] != LLVMGetInstructionParent(state->sides[side].at) ||
        state->rounds[side] + 1 >= cut->pace[side])
        return false;
    state->rounds[side]++;
    state->sides[side].is_arrived = false;
    return true;
}

/* ---- loops that are gone through again ---- */

/* A side goes through the loop that it has left last once more, beside the loop that the other one has come to. */
static enum outcome follow_again(struct walk *walk, const struct state *state, unsigned number)
{
    struct state *copy = copy_state(walk, state);
    enum outcome outcome = DIFFERS;
    if (repeat_loop(copy, number)) {
        struct terms *terms = &walk->terms;
        walk->could_repeat = true;
        Z3_solver_push(terms->z3, terms->solver);
        outcome = walk->repeating == REPEATED ? follow(walk, copy) : DIFFERS;
        Z3_solver_pop(terms->z3, terms->solver, 1);
    }
    free_state(copy);
    return outcome;
}

/* At least one of them has come to a loop. */
static enum outcome follow_either_again(struct walk *walk, const struct state *state)
{
    enum outcome outcome = DIFFERS;
    for (unsigned i = 0; i < SIDES && outcome == DIFFERS && !walk->terms.problem; i++)
        if (state->sides[i == OLD_SIDE ? NEW_SIDE : OLD_SIDE].is_arrived)
            outcome = follow_again(walk, state, i);
    return outcome;
}

/* ---- both ---- */

/* Both wait. True: they go on. */
static bool meet(struct walk *walk, struct state *state, enum outcome *outcome)
{
    struct side *old = &state->sides[OLD_SIDE], *new = &state->sides[NEW_SIDE];
    if (old->is_arrived && new->is_arrived) {
        *outcome = DIFFERS;
        if (state->ahead_count)
            return false;
        int cut = find_cut(walk, state);
        *outcome = cut >= 0 ? come_back(walk, state, (size_t)cut) : begin_loops(walk, state);
        if (cut < 0 && *outcome == DIFFERS && !walk->terms.problem)
            *outcome = follow_either_again(walk, state);
        return false;
    }
    if (!new->is_arrived && catch_up(walk, state))
        return true;
    if (old->is_arrived || new->is_arrived) { /* the other does something first */
        *outcome = follow_either_again(walk, state);
        if (*outcome != DIFFERS)
            return false;
        old->is_arrived = new->is_arrived = false;
        *outcome = DIFFERS;
        return state->passed++ < MOST_PASSED;
    }
    bool ends = LLVMIsATerminatorInst(old->at) && LLVMIsATerminatorInst(new->at);
    if (ends || is_never_reached(old->at) || is_never_reached(new->at)) {
        *outcome = end_alike(walk, state);
        return false;
    }
    *outcome = DIFFERS;
    return (!LLVMIsATerminatorInst(old->at) && !LLVMIsATerminatorInst(new->at) && happens_alike(walk, state)) ||
           pass_known_check(walk, state, old) || pass_known_check(walk, state, new) || pass_repeated_check(state) ||
           go_ahead(walk, state);
}

/* True: both have come to where they wait. */
static bool advance_both(struct walk *walk, struct state *state, enum outcome *outcome)
{
    for (unsigned i = 0; i < SIDES; i++)
        do {
            if (!advance(walk, state, i, outcome))
                return false;
        } while (goes_on(walk, state, i));
    return true;
}

enum outcome follow(struct walk *walk, struct state *state)
{
    enum outcome outcome = DIFFERS;
    if (++walk->depth > MOST_DEPTH)
        outcome = stop(walk, "a path is too long");
    else
        while (advance_both(walk, state, &outcome) && meet(walk, state, &outcome))
            continue;
    walk->depth--;
    return walk->terms.problem && outcome == AGREES ? DIFFERS : outcome;
}

static bool follow_functions(struct walk *walk, struct sameness *sameness, LLVMValueRef one, LLVMValueRef other)
{
    bool agrees = shape_read(&walk->shapes[OLD_SIDE], one, sameness->arena) &&
                  shape_read(&walk->shapes[NEW_SIDE], other, sameness->arena);
    terms_create(&walk->terms, sameness);
    if (agrees && has_terms(walk, &walk->shapes[OLD_SIDE]) && has_terms(walk, &walk->shapes[NEW_SIDE])) {
        struct state *state = calloc(1, sizeof *state);
        begin(walk, state);
        agrees = follow(walk, state) == AGREES && !walk->terms.problem;
        free_state(state);
    } else {
        agrees = false;
    }
    terms_destroy(&walk->terms);
    return agrees;
}

bool functions_agree(struct sameness *sameness, LLVMValueRef one, LLVMValueRef other)
{
    struct walk *walk = calloc(1, sizeof *walk);
    walk->sameness = sameness;
    bool agrees = follow_functions(walk, sameness, one, other);
    if (!agrees && walk->could_repeat) {
        *walk = (struct walk){.sameness = sameness, .repeating = REPEATED};
        agrees = follow_functions(walk, sameness, one, other);
    }
    free(walk);
    return agrees;
}
