/* One of two functions goes on until it must wait for the other: it computes, and where it may go several ways, all of
 * them are followed. */
#include "base/clock.h"
#include "prove/follow.h"

#include <stdlib.h>

enum { MOST_QUESTIONS = 6000, MOST_STEPS = 400000 };

static unsigned side_number(const struct state *state, const struct side *side)
{
    return (unsigned)(side - state->sides);
}

Z3_ast operand(struct walk *walk, const struct state *state, const struct side *side, LLVMValueRef value)
{
    if (LLVMIsConstant(value))
        return term_constant(&walk->terms, side_number(state, side), value);
    Z3_ast term =
        LLVMIsAInstruction(value) || LLVMIsAArgument(value) ? side->values[shape_number_of(side->shape, value)] : NULL;
    if (term)
        return term;
    stop(walk, "a value that was not computed");
    return term_fresh(&walk->terms, 1);
}

bool read_operands(struct walk *walk, const struct state *state, const struct side *side, Z3_ast operands[])
{
    unsigned count =
        LLVMIsACallInst(side->at) ? LLVMGetNumArgOperands(side->at) : (unsigned)LLVMGetNumOperands(side->at);
    if (count > MOST_ARGUMENTS)
        return stop(walk, "many operands") == AGREES;
    for (unsigned i = 0; i < count; i++)
        operands[i] = operand(walk, state, side, LLVMGetOperand(side->at, i));
    return true;
}

void set_value(struct side *side, Z3_ast value)
{
    side->values[shape_number_of(side->shape, side->at)] = value;
}

/* All at once: one may be the other's value of the last round. */
static void set_phis(struct walk *walk, struct state *state, struct side *side, LLVMBasicBlockRef from,
                     LLVMBasicBlockRef to)
{
    Z3_ast next[MOST_ARGUMENTS];
    unsigned count = 0;
    LLVMValueRef at = LLVMGetFirstInstruction(to);
    for (; LLVMIsAPHINode(at) && count < MOST_ARGUMENTS; at = LLVMGetNextInstruction(at))
        for (unsigned i = 0; i < LLVMCountIncoming(at); i++)
            if (LLVMGetIncomingBlock(at, i) == from) {
                next[count++] = operand(walk, state, side, LLVMGetIncomingValue(at, i));
                break;
            }
    if (LLVMIsAPHINode(at))
        stop(walk, "many values of a loop");
    side->at = LLVMGetFirstInstruction(to);
    for (unsigned i = 0; i < count; i++, side->at = LLVMGetNextInstruction(side->at))
        set_value(side, next[i]);
    side->is_arrived = shape_is_header(side->shape, to);
}

/* False: this way cannot be. */
static bool enter(struct walk *walk, struct state *state, unsigned number, LLVMBasicBlockRef to)
{
    struct side *side = &state->sides[number];
    LLVMBasicBlockRef from = LLVMGetInstructionParent(side->at);
    bool is_impossible = false;
    if (!end_repetition(walk, state, number, from, to, &is_impossible)) {
        set_phis(walk, state, side, from, to);
        if (!state->repetitions[number].is_under_way)
            note_way(state, number, from, to);
    }
    for (size_t i = 0; i < walk->cut_count; i++)
        if (!shape_is_in_loop(side->shape, walk->cuts[i].coupling->headers[number], LLVMGetInstructionParent(side->at)))
            state->has_left[i] = true;
    walk->steps++;
    return !is_impossible;
}

static bool is_happening(LLVMValueRef at)
{
    return LLVMIsAReturnInst(at) || LLVMIsAUnreachableInst(at) ||
           (!LLVMIsATerminatorInst(at) && has_side_effect(at) && !is_plain_writing(at));
}

static void compute(struct walk *walk, struct state *state, struct side *side)
{
    Z3_ast operands[MOST_ARGUMENTS];
    walk->steps++;
    if (LLVMIsAAllocaInst(side->at) || is_remark(side->at) || !read_operands(walk, state, side, operands))
        ; /* addresses of variables are known from the beginning */
    else if (is_plain_writing(side->at))
        side->memory = term_written(&walk->terms, side->at, operands, side->memory);
    else
        set_value(side, term_operation(&walk->terms, side->at, operands, side->memory));
    side->at = LLVMGetNextInstruction(side->at);
}

/* ---- decisions ---- */

static enum outcome follow_way(struct walk *walk, const struct state *state, unsigned side, LLVMBasicBlockRef to,
                               Z3_ast condition)
{
    struct terms *terms = &walk->terms;
    if (is_impossible(terms, condition))
        return AGREES;
    struct state *copy = copy_state(walk, state);
    Z3_solver_push(terms->z3, terms->solver);
    Z3_solver_assert(terms->z3, terms->solver, condition);
    enum outcome outcome = enter(walk, copy, side, to) ? follow(walk, copy) : AGREES;
    Z3_solver_pop(terms->z3, terms->solver, 1);
    free_state(copy);
    return outcome;
}

/* When a switch goes to a successor: a case of it, or none of all. */
static Z3_ast case_condition(struct walk *walk, LLVMValueRef branch, unsigned successor, Z3_ast value)
{
    Z3_context z3 = walk->terms.z3;
    LLVMBasicBlockRef target = LLVMGetSuccessor(branch, successor);
    Z3_ast here = Z3_mk_false(z3), elsewhere = Z3_mk_true(z3);
    for (unsigned i = 1; i < LLVMGetNumSuccessors(branch); i++) {
        Z3_ast is_case = Z3_mk_eq(z3, value, term_constant(&walk->terms, OLD_SIDE, LLVMGetOperand(branch, 2 * i)));
        Z3_ast either[] = {here, is_case}, both[] = {elsewhere, Z3_mk_not(z3, is_case)};
        if (LLVMGetSuccessor(branch, i) == target)
            here = Z3_mk_or(z3, 2, either);
        elsewhere = Z3_mk_and(z3, 2, both);
    }
    Z3_ast either[] = {here, elsewhere};
    return LLVMGetSwitchDefaultDest(branch) == target ? Z3_mk_or(z3, 2, either) : here;
}

static bool is_first_to(LLVMValueRef branch, unsigned successor)
{
    for (unsigned i = 0; i < successor; i++)
        if (LLVMGetSuccessor(branch, i) == LLVMGetSuccessor(branch, successor))
            return false;
    return true;
}

static enum outcome follow_all_ways(struct walk *walk, struct state *state, unsigned side, LLVMValueRef branch)
{
    LLVMValueRef tested = LLVMIsASwitchInst(branch) ? LLVMGetOperand(branch, 0) : LLVMGetCondition(branch);
    Z3_ast value = operand(walk, state, &state->sides[side], tested);
    for (unsigned i = 0; i < LLVMGetNumSuccessors(branch); i++) {
        if (!is_first_to(branch, i))
            continue;
        Z3_ast condition = LLVMIsASwitchInst(branch) ? case_condition(walk, branch, i, value)
                           : i == 0                  ? term_truth(&walk->terms, value)
                                                     : Z3_mk_not(walk->terms.z3, term_truth(&walk->terms, value));
        enum outcome outcome = follow_way(walk, state, side, LLVMGetSuccessor(branch, i), condition);
        if (outcome != AGREES)
            return outcome;
    }
    return AGREES;
}

/* The way that is certain; NULL: more than one may be taken. */
static LLVMBasicBlockRef certain_way(struct walk *walk, const struct state *state, const struct side *side)
{
    LLVMValueRef branch = side->at;
    if (LLVMIsABranchInst(branch) && !LLVMIsConditional(branch))
        return LLVMGetSuccessor(branch, 0);
    if (!LLVMIsABranchInst(branch))
        return NULL;
    if (LLVMGetSuccessor(branch, 0) == LLVMGetSuccessor(branch, 1))
        return LLVMGetSuccessor(branch, 0);
    Z3_ast truth = term_truth(&walk->terms, operand(walk, state, side, LLVMGetCondition(branch)));
    Z3_lbool value = Z3_get_bool_value(walk->terms.z3, truth);
    return value == Z3_L_UNDEF ? NULL : LLVMGetSuccessor(branch, value == Z3_L_TRUE ? 0 : 1);
}

bool advance(struct walk *walk, struct state *state, unsigned number, enum outcome *outcome)
{
    struct side *side = &state->sides[number];
    while (!side->is_arrived && !is_happening(side->at)) {
        if (walk->terms.problem || walk->steps > MOST_STEPS || walk->terms.questions > MOST_QUESTIONS ||
            clock_seconds() > walk->sameness->end) {
            *outcome = stop(walk, "too many paths");
            return false;
        }
        if (!LLVMIsATerminatorInst(side->at)) {
            compute(walk, state, side);
            continue;
        }
        if (!LLVMIsABranchInst(side->at) && !LLVMIsASwitchInst(side->at)) {
            *outcome = stop(walk, "an unusual end of a block");
            return false;
        }
        LLVMBasicBlockRef way = certain_way(walk, state, side);
        if (!way) {
            *outcome = follow_all_ways(walk, state, number, side->at);
            return false;
        }
        if (!enter(walk, state, number, way)) {
            *outcome = AGREES;
            return false;
        }
    }
    return true;
}
