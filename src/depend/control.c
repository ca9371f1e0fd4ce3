/* Control dependence of one function, from post-dominators; and which of its loops surely end. */
#include "depend/inside.h"

#include <stdlib.h>
#include <string.h>

/* The graph of a function, with its blocks numbered from 0. */
struct graph {
    struct analysis *analysis;
    uint32_t count, first; /* first: the number of block 0 in the whole program */
    LLVMBasicBlockRef *blocks;
    LLVMValueRef *ends;
    uint64_t *dominators; /* by block: those that post-dominate it, itself included */
    size_t words;
    /* loops: Tarjan's algorithm */
    bool *alive;
    uint32_t *order, *low, *part, *stack;
    bool *waits;
    uint32_t depth, next, part_count;
};

static uint32_t local(const struct graph *graph, LLVMBasicBlockRef block)
{
    return numbering_find(&graph->analysis->blocks, block) - graph->first;
}

static bool has(const uint64_t *set, uint32_t member)
{
    return set[member / 64] >> member % 64 & 1;
}

/* ---- post-dominators ---- */

/* What post-dominates all successors, and the block itself. True when that is less than before. */
static bool refine(struct graph *graph, uint32_t block, uint64_t *scratch)
{
    uint64_t *here = graph->dominators + block * graph->words;
    unsigned successors = LLVMGetNumSuccessors(graph->ends[block]);
    memset(scratch, successors ? 0xff : 0, graph->words * sizeof *scratch);
    for (unsigned i = 0; i < successors; i++) {
        const uint64_t *there =
            graph->dominators + local(graph, LLVMGetSuccessor(graph->ends[block], i)) * graph->words;
        for (size_t word = 0; word < graph->words; word++)
            scratch[word] &= there[word];
    }
    scratch[block / 64] |= UINT64_C(1) << block % 64;
    bool changed = memcmp(here, scratch, graph->words * sizeof *scratch) != 0;
    memcpy(here, scratch, graph->words * sizeof *scratch);
    return changed;
}

static void find_dominators(struct graph *graph)
{
    uint64_t *scratch = calloc(graph->words, sizeof *scratch);
    memset(graph->dominators, 0xff, graph->count * graph->words * sizeof *scratch);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t block = graph->count; block-- > 0;)
            changed |= refine(graph, block, scratch);
    }
    free(scratch);
}

/* A block depends on a branch where one of its ways surely leads to the block, and the branch as a whole does not. */
static void add_guards(struct graph *graph, uint32_t from, unsigned successor)
{
    struct analysis *analysis = graph->analysis;
    const uint64_t *above = graph->dominators + from * graph->words;
    uint32_t to = local(graph, LLVMGetSuccessor(graph->ends[from], successor));
    const uint64_t *below = graph->dominators + to * graph->words;
    for (uint32_t block = 0; block < graph->count; block++) {
        if (!has(below, block) || (has(above, block) && block != from))
            continue;
        links_add(&analysis->guards, graph->first + block, analysis_node(analysis, graph->ends[from]));
        analysis->guard_list = array_reserve(analysis->guard_list, &analysis->guard_capacity, analysis->guard_count + 1,
                                             sizeof *analysis->guard_list);
        analysis->guard_list[analysis->guard_count++] =
            (struct guard){graph->first + block, graph->ends[from], successor};
    }
}

/* ---- loops ---- */

static void connect(struct graph *graph, uint32_t block)
{
    graph->order[block] = graph->low[block] = ++graph->next;
    graph->stack[graph->depth++] = block;
    graph->waits[block] = true;
    for (unsigned i = 0; i < LLVMGetNumSuccessors(graph->ends[block]); i++) {
        uint32_t to = local(graph, LLVMGetSuccessor(graph->ends[block], i));
        if (!graph->alive[to])
            continue;
        if (!graph->order[to])
            connect(graph, to);
        if (graph->waits[to] && graph->low[to] < graph->low[block])
            graph->low[block] = graph->low[to];
    }
    if (graph->low[block] != graph->order[block])
        return;
    graph->part_count++;
    for (uint32_t last = UINT32_MAX; last != block;) {
        last = graph->stack[--graph->depth];
        graph->waits[last] = false;
        graph->part[last] = graph->part_count;
    }
}

/* The strongly connected parts of what is alive, numbered from 1. */
static void find_parts(struct graph *graph)
{
    memset(graph->order, 0, graph->count * sizeof *graph->order);
    memset(graph->part, 0, graph->count * sizeof *graph->part);
    graph->next = graph->part_count = graph->depth = 0;
    for (uint32_t block = 0; block < graph->count; block++)
        if (graph->alive[block] && !graph->order[block])
            connect(graph, block);
}

static bool is_in(const struct graph *graph, LLVMBasicBlockRef block, const bool *loop)
{
    uint32_t number = numbering_find(&graph->analysis->blocks, block);
    return number >= graph->first && number < graph->first + graph->count && loop[number - graph->first];
}

static bool is_invariant(const struct graph *graph, LLVMValueRef value, const bool *loop)
{
    return !LLVMIsAInstruction(value) || !is_in(graph, LLVMGetInstructionParent(value), loop);
}

/* How a variable changes from one turn to the next. */
enum step { NO_STEP, STEP_UP, STEP_DOWN, STEP_FAR_UP, STEP_FAR_DOWN, STEP_SHRINK };

static enum step step_of(LLVMValueRef next, LLVMValueRef variable)
{
    if (!LLVMIsAInstruction(next) || LLVMGetNumOperands(next) != 2 || LLVMGetOperand(next, 0) != variable ||
        !LLVMIsAConstantInt(LLVMGetOperand(next, 1)))
        return NO_STEP;
    LLVMValueRef constant = LLVMGetOperand(next, 1);
    if (LLVMGetIntTypeWidth(LLVMTypeOf(constant)) > 64)
        return NO_STEP;
    long long by = LLVMConstIntGetSExtValue(constant);
    switch (LLVMGetInstructionOpcode(next)) {
    case LLVMAdd: break;
    case LLVMSub: by = -by; break;
    case LLVMUDiv:
    case LLVMSDiv: return by >= 2 ? STEP_SHRINK : NO_STEP;
    case LLVMLShr: return by >= 1 ? STEP_SHRINK : NO_STEP;
    default: return NO_STEP;
    }
    if (by == 1 || by == -1)
        return by == 1 ? STEP_UP : STEP_DOWN;
    return by > 0 && by < 1 << 20 ? STEP_FAR_UP : by < 0 && by > -(1 << 20) ? STEP_FAR_DOWN : NO_STEP;
}

/* The step of a variable of the loop, the same by every way round it; the comparison may be of the next value. */
static enum step variable_step(const struct graph *graph, LLVMValueRef value, const bool *loop, LLVMValueRef *variable)
{
    enum step step = NO_STEP;
    *variable = LLVMIsAPHINode(value) ? value : NULL;
    if (!*variable && LLVMIsAInstruction(value) && LLVMGetNumOperands(value) == 2 &&
        LLVMIsAPHINode(LLVMGetOperand(value, 0)) && step_of(value, LLVMGetOperand(value, 0)))
        *variable = LLVMGetOperand(value, 0);
    if (!*variable || !is_in(graph, LLVMGetInstructionParent(*variable), loop))
        return NO_STEP;
    for (unsigned i = 0; i < LLVMCountIncoming(*variable); i++) {
        if (!is_in(graph, LLVMGetIncomingBlock(*variable, i), loop))
            continue;
        enum step here = step_of(LLVMGetIncomingValue(*variable, i), *variable);
        if (here == NO_STEP || (step && step != here))
            return NO_STEP;
        step = here;
    }
    return step;
}

static LLVMIntPredicate inverted(LLVMIntPredicate predicate)
{
    static const LLVMIntPredicate others[] = {
        [LLVMIntEQ] = LLVMIntNE,   [LLVMIntNE] = LLVMIntEQ,   [LLVMIntUGT] = LLVMIntULE, [LLVMIntULE] = LLVMIntUGT,
        [LLVMIntUGE] = LLVMIntULT, [LLVMIntULT] = LLVMIntUGE, [LLVMIntSGT] = LLVMIntSLE, [LLVMIntSLE] = LLVMIntSGT,
        [LLVMIntSGE] = LLVMIntSLT, [LLVMIntSLT] = LLVMIntSGE};
    return others[predicate];
}

static LLVMIntPredicate exchanged(LLVMIntPredicate predicate)
{
    static const LLVMIntPredicate others[] = {
        [LLVMIntEQ] = LLVMIntEQ,   [LLVMIntNE] = LLVMIntNE,   [LLVMIntUGT] = LLVMIntULT, [LLVMIntULT] = LLVMIntUGT,
        [LLVMIntUGE] = LLVMIntULE, [LLVMIntULE] = LLVMIntUGE, [LLVMIntSGT] = LLVMIntSLT, [LLVMIntSLT] = LLVMIntSGT,
        [LLVMIntSGE] = LLVMIntSLE, [LLVMIntSLE] = LLVMIntSGE};
    return others[predicate];
}

/* Whether a bound is a constant far from the ends of its type: no step goes over it and round. */
static bool is_far_from_ends(LLVMValueRef bound)
{
    if (!LLVMIsAConstantInt(bound) || LLVMGetIntTypeWidth(LLVMTypeOf(bound)) < 32)
        return false;
    long long value = LLVMConstIntGetSExtValue(bound);
    return value > -(1 << 30) && value < 1 << 30;
}

static bool is_nonnegative_constant(LLVMValueRef bound)
{
    return LLVMIsAConstantInt(bound) && LLVMConstIntGetSExtValue(bound) >= 0;
}

/* Does "the variable compares so with the bound" become false some time? */
static bool must_fail(LLVMIntPredicate stays, enum step step, LLVMValueRef bound)
{
    bool is_less = stays == LLVMIntSLT || stays == LLVMIntULT, is_greater = stays == LLVMIntSGT || stays == LLVMIntUGT;
    bool is_at_most = stays == LLVMIntSLE || (stays == LLVMIntULE && is_nonnegative_constant(bound));
    bool is_at_least = stays == LLVMIntSGE;
    switch (step) {
    case STEP_UP: return is_less || stays == LLVMIntNE || (is_at_most && is_far_from_ends(bound));
    case STEP_DOWN: return is_greater || stays == LLVMIntNE || (is_at_least && is_far_from_ends(bound));
    case STEP_FAR_UP: return (stays == LLVMIntSLT || stays == LLVMIntSLE) && is_far_from_ends(bound);
    case STEP_FAR_DOWN: return (stays == LLVMIntSGT || stays == LLVMIntSGE) && is_far_from_ends(bound);
    case STEP_SHRINK:
        return is_nonnegative_constant(bound) &&
               (is_greater || (stays == LLVMIntNE && LLVMConstIntGetZExtValue(bound) == 0));
    default: return false;
    }
}

/* Whether a block of the loop lies on a way round it that leaves out another one. */
static bool is_on_cycle_without(struct graph *graph, uint32_t block, uint32_t without, const bool *loop)
{
    bool *before = graph->alive, *without_it = malloc(graph->count);
    for (uint32_t i = 0; i < graph->count; i++)
        without_it[i] = loop[i] && i != without;
    graph->alive = without_it;
    find_parts(graph);
    uint32_t members = 0;
    for (uint32_t i = 0; i < graph->count; i++)
        members += without_it[i] && graph->part[i] == graph->part[block];
    for (unsigned i = 0; i < LLVMGetNumSuccessors(graph->ends[block]); i++)
        members += local(graph, LLVMGetSuccessor(graph->ends[block], i)) == block;
    graph->alive = before;
    free(without_it);
    return members > 1;
}

/* Does the block's branch leave the loop some time, if it is met again and again? */
static bool leaves_loop(struct graph *graph, uint32_t block, const bool *loop)
{
    LLVMValueRef end = graph->ends[block], variable;
    if (!LLVMIsABranchInst(end) || !LLVMIsConditional(end) || !LLVMIsAICmpInst(LLVMGetCondition(end)))
        return false;
    bool stays_if_true = is_in(graph, LLVMGetSuccessor(end, 0), loop);
    if (stays_if_true == is_in(graph, LLVMGetSuccessor(end, 1), loop))
        return false;
    LLVMValueRef comparison = LLVMGetCondition(end);
    for (unsigned side = 0; side < 2; side++) {
        LLVMValueRef bound = LLVMGetOperand(comparison, 1 - side);
        LLVMIntPredicate predicate = LLVMGetICmpPredicate(comparison);
        predicate = side ? exchanged(predicate) : predicate;
        enum step step = variable_step(graph, LLVMGetOperand(comparison, side), loop, &variable);
        if (step == NO_STEP || !is_invariant(graph, bound, loop) ||
            !must_fail(stays_if_true ? predicate : inverted(predicate), step, bound))
            continue;
        uint32_t at = local(graph, LLVMGetInstructionParent(variable));
        if (at == block || !is_on_cycle_without(graph, block, at, loop))
            return true;
    }
    return false;
}

/* Branches of a loop that may not end: whether it goes on is an outcome. */
static void note_endless(struct graph *graph, const bool *loop)
{
    bool any = false;
    for (uint32_t block = 0; block < graph->count; block++) {
        if (!loop[block] || LLVMGetNumSuccessors(graph->ends[block]) < 2)
            continue;
        analysis_add_criterion(graph->analysis, analysis_node(graph->analysis, graph->ends[block]), CRITERION_END);
        any = true;
    }
    if (!any)
        analysis_give_up(graph->analysis, "a loop without an end");
}

/* Every loop among what is alive: one of its branches leaves it some time, and so do those of what is left without it.
 */
static void prove_loops(struct graph *graph, const bool *alive)
{
    uint32_t *parts = malloc((graph->count + 1) * sizeof *parts);
    bool *loop = malloc(graph->count + 1), *before = graph->alive;
    graph->alive = (bool *)alive;
    find_parts(graph);
    memcpy(parts, graph->part, graph->count * sizeof *parts);
    uint32_t part_count = graph->part_count;
    for (uint32_t part = 1; part <= part_count; part++) {
        uint32_t members = 0, leaving = UINT32_MAX;
        for (uint32_t i = 0; i < graph->count; i++) {
            loop[i] = alive[i] && parts[i] == part;
            members += loop[i];
            for (unsigned k = 0; loop[i] && k < LLVMGetNumSuccessors(graph->ends[i]); k++)
                members += local(graph, LLVMGetSuccessor(graph->ends[i], k)) == i;
        }
        if (members < 2)
            continue;
        for (uint32_t i = 0; i < graph->count && leaving == UINT32_MAX; i++)
            leaving = loop[i] && leaves_loop(graph, i, loop) ? i : UINT32_MAX;
        if (leaving == UINT32_MAX) {
            note_endless(graph, loop);
            continue;
        }
        loop[leaving] = false;
        prove_loops(graph, loop);
    }
    graph->alive = before;
    free(parts), free(loop);
}

/* ---- the whole ---- */

static bool begin(struct graph *graph, LLVMValueRef function)
{
    uint32_t count = graph->count = LLVMCountBasicBlocks(function);
    graph->words = (count + 64) / 64; /* one bit more than there are blocks */
    graph->blocks = calloc(count, sizeof *graph->blocks);
    graph->ends = calloc(count, sizeof *graph->ends);
    graph->dominators = calloc(count * graph->words, sizeof *graph->dominators);
    graph->order = calloc(count, sizeof *graph->order);
    graph->low = calloc(count, sizeof *graph->low);
    graph->part = calloc(count, sizeof *graph->part);
    graph->stack = calloc(count, sizeof *graph->stack);
    graph->waits = calloc(count, 1);
    LLVMGetBasicBlocks(function, graph->blocks);
    graph->first = numbering_find(&graph->analysis->blocks, graph->blocks[0]);
    for (uint32_t i = 0; i < count; i++)
        graph->ends[i] = LLVMGetBasicBlockTerminator(graph->blocks[i]);
    return true;
}

void analyse_control(struct analysis *analysis, LLVMValueRef function)
{
    enum { MOST_BLOCKS = 8000 };
    struct graph graph = {.analysis = analysis};
    if (LLVMCountBasicBlocks(function) > MOST_BLOCKS) {
        analysis_give_up(analysis, "a function of very many branches");
        return;
    }
    begin(&graph, function);
    find_dominators(&graph);
    for (uint32_t block = 0; block < graph.count; block++)
        for (unsigned i = 0; LLVMGetNumSuccessors(graph.ends[block]) > 1 && i < LLVMGetNumSuccessors(graph.ends[block]);
             i++)
            add_guards(&graph, block, i);
    for (uint32_t block = 0; block < graph.count; block++)
        if (has(graph.dominators + block * graph.words, graph.count)) /* it never came to an end of the function */
            analysis_give_up(analysis, "a loop without an end");
    bool *all = malloc(graph.count);
    memset(all, true, graph.count);
    prove_loops(&graph, all);
    free(all);
    free(graph.blocks), free(graph.ends), free(graph.dominators), free(graph.order), free(graph.low);
    free(graph.part), free(graph.stack), free(graph.waits);
}
