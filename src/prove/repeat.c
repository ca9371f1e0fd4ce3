/* Two loops of one version against one of the other, which does the work of both: the version with the one loop goes
 * through it a second time, beside the second loop. It may where the loop changes nothing: in the same memory, from the
 * same first values on, the second time is as the first one, so it ends by the same way and with the same values. Its
 * checks were good the first time, and nothing has happened since that would change that. */
#include "prove/follow.h"

static bool is_in_visit(const struct side *side, const struct visit *visit, LLVMBasicBlockRef block)
{
    return visit->header && shape_is_in_loop(side->shape, visit->header, block);
}

static void read_phis(const struct side *side, LLVMBasicBlockRef header, Z3_ast values[])
{
    LLVMValueRef at = LLVMGetFirstInstruction(header);
    for (size_t i = 0; LLVMIsAPHINode(at) && i < MOST_ARGUMENTS; at = LLVMGetNextInstruction(at), i++)
        values[i] = side->values[shape_number_of(side->shape, at)];
}

static void leave(struct state *state, unsigned number, LLVMBasicBlockRef from, LLVMBasicBlockRef to)
{
    struct visit *left = &state->left[number];
    *left = state->current[number];
    left->from = from;
    left->to = to;
    read_phis(&state->sides[number], left->header, left->last);
    state->current[number].header = NULL;
}

void note_way(struct state *state, unsigned number, LLVMBasicBlockRef from, LLVMBasicBlockRef to)
{
    struct side *side = &state->sides[number];
    struct visit *current = &state->current[number];
    if (is_in_visit(side, current, from) && !is_in_visit(side, current, to))
        leave(state, number, from, to);
    if (!shape_is_header(side->shape, to) || shape_is_in_loop(side->shape, to, from))
        return;
    *current = (struct visit){.header = to, .memory = side->memory};
    read_phis(side, to, current->first);
}

void forget_visits(struct state *state)
{
    for (unsigned i = 0; i < SIDES; i++)
        state->current[i].header = state->left[i].header = NULL;
}

static bool changes_nothing(const struct shape *shape, LLVMBasicBlockRef header)
{
    for (size_t i = 0; i < shape->block_count; i++) {
        LLVMBasicBlockRef block = shape->blocks[i];
        if (!shape_is_in_loop(shape, header, block))
            continue;
        if (block != header && shape_is_header(shape, block))
            return false;
        for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at))
            if (has_side_effect(at) && !(is_check(at) && !LLVMGetFirstUse(at)))
                return false;
    }
    return true;
}

bool loop_changes_nothing(const struct side *side)
{
    return changes_nothing(side->shape, LLVMGetInstructionParent(side->at));
}

bool repeat_loop(struct state *state, unsigned number)
{
    struct side *side = &state->sides[number];
    const struct visit *left = &state->left[number];
    if (!left->header || state->ahead_count || state->repetitions[OLD_SIDE].is_under_way ||
        state->repetitions[NEW_SIDE].is_under_way || !changes_nothing(side->shape, left->header))
        return false;
    state->repetitions[number] = (struct repetition){true, side->at, side->memory, side->is_arrived};
    side->memory = left->memory;
    side->at = LLVMGetFirstInstruction(left->header);
    for (size_t i = 0; LLVMIsAPHINode(side->at); side->at = LLVMGetNextInstruction(side->at), i++)
        side->values[shape_number_of(side->shape, side->at)] = left->first[i];
    side->is_arrived = true;
    return true;
}

/* What follows the loop has computed with the values of the first time. */
static void assume_same_end(struct walk *walk, const struct side *side, const struct visit *left)
{
    Z3_context z3 = walk->terms.z3;
    Z3_ast again[MOST_ARGUMENTS];
    read_phis(side, left->header, again);
    LLVMValueRef at = LLVMGetFirstInstruction(left->header);
    for (size_t i = 0; LLVMIsAPHINode(at); at = LLVMGetNextInstruction(at), i++)
        Z3_solver_assert(z3, walk->terms.solver, Z3_mk_eq(z3, left->last[i], again[i]));
}

bool end_repetition(struct walk *walk, struct state *state, unsigned number, LLVMBasicBlockRef from,
                    LLVMBasicBlockRef to, bool *is_impossible)
{
    struct side *side = &state->sides[number];
    struct repetition *repetition = &state->repetitions[number];
    const struct visit *left = &state->left[number];
    if (!repetition->is_under_way || is_in_visit(side, left, to))
        return false;
    *is_impossible = from != left->from || to != left->to;
    assume_same_end(walk, side, left);
    side->at = repetition->at;
    side->memory = repetition->memory;
    side->is_arrived = repetition->is_arrived;
    repetition->is_under_way = false;
    return true;
}

bool pass_repeated_check(struct state *state)
{
    for (unsigned i = 0; i < SIDES; i++)
        if (state->repetitions[i].is_under_way && is_check(state->sides[i].at)) {
            state->sides[i].at = LLVMGetNextInstruction(state->sides[i].at);
            return true;
        }
    return false;
}
