/* One-sided code in a function: `if (execute(OLD)) A else B`, which is also what change() compiles to.
 *
 * A region is the blocks dominated by one successor of such a branch. Both regions are to run, one after the other,
 * each for its side:
 *
 *      E: br execute, A, B              E: enter_old ── failed or diverged ──┐
 *      A: ... br J            ──>       A: ...; leave_old; br B              │
 *      B: ... br J                      B: enter_new; ...; leave_new; br J <─┘
 *      J:                               J:
 *
 * An edge that leaves a region for another place than the join J (return, break, goto) is a divergence. The old side's
 * goes on with B all the same: the new version did not leave. */
#include "instrument/regions.h"
#include "instrument/emit.h"

#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

bool is_address_taken(LLVMValueRef function)
{
    for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (!LLVMIsACallInst(user) || LLVMGetCalledValue(user) != function)
            return true;
        for (unsigned i = 0; i < LLVMGetNumArgOperands(user); i++)
            if (LLVMGetOperand(user, i) == function)
                return true;
    }
    return false;
}

const char *called_name(LLVMValueRef call)
{
    LLVMValueRef callee = LLVMGetCalledValue(call);
    size_t length;
    return LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &length) : "";
}

static bool refuse(struct error *error, LLVMValueRef at, const char *what)
{
    unsigned length = 0;
    const char *file = LLVMGetDebugLocFilename(at, &length);
    return error_set(error, "%.*s:%u:%u: %s", (int)length, file ? file : "", LLVMGetDebugLocLine(at),
                     LLVMGetDebugLocColumn(at), what);
}

bool is_execute(LLVMValueRef instruction)
{
    return LLVMIsACallInst(instruction) && !strcmp(called_name(instruction), "__pn_execute");
}

/* Which version an execute() call names; PN_SIDE_BOTH when it is none. */
enum pn_side execute_side(LLVMValueRef call)
{
    LLVMValueRef version = LLVMGetOperand(call, 0);
    unsigned long long value = LLVMIsAConstantInt(version) ? LLVMConstIntGetZExtValue(version) : 0;
    return value == 1 ? PN_SIDE_OLD : value == 2 ? PN_SIDE_NEW : PN_SIDE_BOTH;
}

/* ---- the shape of one region ---- */

void blocks_add(struct blocks *blocks, LLVMBasicBlockRef block)
{
    blocks->list = array_reserve(blocks->list, &blocks->capacity, blocks->count + 1, sizeof *blocks->list);
    blocks->list[blocks->count++] = block;
}

bool blocks_have(const struct blocks *blocks, LLVMBasicBlockRef block)
{
    for (size_t i = 0; i < blocks->count; i++)
        if (blocks->list[i] == block)
            return true;
    return false;
}

static bool has_other_predecessor(LLVMValueRef function, LLVMBasicBlockRef block, const struct blocks *inside)
{
    for (LLVMBasicBlockRef at = LLVMGetFirstBasicBlock(function); at; at = LLVMGetNextBasicBlock(at)) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(at);
        for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++)
            if (LLVMGetSuccessor(end, i) == block && !blocks_have(inside, at))
                return true;
    }
    return false;
}

/* Everything reached from `start` through blocks that have no predecessor outside: what `start` dominates. Grown to a
 * fixed point from the candidates: a block with an outside predecessor is taken out again, until none is left. */
static void find_region(LLVMValueRef function, LLVMBasicBlockRef entry, LLVMBasicBlockRef start, struct blocks *region)
{
    struct blocks reached = {0};
    blocks_add(&reached, start);
    for (size_t i = 0; i < reached.count; i++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(reached.list[i]);
        for (unsigned j = 0; j < LLVMGetNumSuccessors(end); j++)
            if (LLVMGetSuccessor(end, j) != entry && !blocks_have(&reached, LLVMGetSuccessor(end, j)))
                blocks_add(&reached, LLVMGetSuccessor(end, j));
    }
    bool changed = true;
    while (changed) {
        changed = false;
        for (size_t i = 0; i < reached.count; i++) {
            if (reached.list[i] == start || !has_other_predecessor(function, reached.list[i], &reached))
                continue;
            reached.list[i] = reached.list[--reached.count];
            changed = true;
            i--;
        }
    }
    *region = reached;
}

static unsigned count_predecessor_edges(LLVMValueRef function, LLVMBasicBlockRef block)
{
    unsigned count = 0;
    for (LLVMBasicBlockRef at = LLVMGetFirstBasicBlock(function); at; at = LLVMGetNextBasicBlock(at)) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(at);
        for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++)
            count += LLVMGetSuccessor(end, i) == block;
    }
    return count;
}

static void find_exits(const struct blocks *region, struct blocks *exits)
{
    for (size_t i = 0; i < region->count; i++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(region->list[i]);
        for (unsigned j = 0; j < LLVMGetNumSuccessors(end); j++) {
            LLVMBasicBlockRef to = LLVMGetSuccessor(end, j);
            if (!blocks_have(region, to) && !blocks_have(exits, to))
                blocks_add(exits, to);
        }
    }
}

static bool is_join(LLVMBasicBlockRef block)
{
    return !strncmp(LLVMGetBasicBlockName(block), "if.end", 6); /* so clang calls what follows an if */
}

/* Where both sides go on: behind the if; where both regions leave for one place, there. */
static LLVMBasicBlockRef find_join(const struct blocks *one, const struct blocks *other)
{
    struct blocks exits = {0}, others = {0};
    LLVMBasicBlockRef join = NULL;
    find_exits(one, &exits);
    find_exits(other, &others);
    for (size_t i = 0; i < exits.count; i++)
        if (blocks_have(&others, exits.list[i]) && (!join || is_join(exits.list[i])))
            join = exits.list[i];
    for (size_t i = 0; i < exits.count + others.count && !join; i++) {
        LLVMBasicBlockRef at = i < exits.count ? exits.list[i] : others.list[i - exits.count];
        if (is_join(at))
            join = at;
    }
    free(exits.list), free(others.list);
    return join;
}

/* ---- one execute() ---- */

struct split {
    LLVMValueRef call, branch;
    LLVMBasicBlockRef entry, join;
    LLVMBasicBlockRef starts[3]; /* by side; NULL where the version has no code */
    struct blocks regions[3];
    bool returns_leave; /* the join is also the function's end: a return leads there, and leaves early all the same */
};

/* The conditional branch that an execute() decides, and whether it is negated on the way; NULL when it is used in any
 * other manner. */
static LLVMValueRef find_branch(LLVMValueRef value, bool *negated)
{
    for (;;) {
        LLVMUseRef use = LLVMGetFirstUse(value);
        if (!use || LLVMGetNextUse(use))
            return NULL;
        LLVMValueRef user = LLVMGetUser(use);
        switch (LLVMGetInstructionOpcode(user)) {
        case LLVMBr: return user;
        case LLVMICmp: {
            LLVMValueRef constant = LLVMGetOperand(user, 1);
            if (!LLVMIsAConstantInt(constant) || LLVMConstIntGetZExtValue(constant))
                return NULL;
            *negated ^= LLVMGetICmpPredicate(user) == LLVMIntEQ;
            break;
        }
        case LLVMXor: *negated ^= true; break;
        case LLVMZExt: break;
        default: return NULL;
        }
        value = user;
    }
}

/* A successor that is reached in no other way, and is not the code behind the if. */
static bool is_region_start(LLVMValueRef function, LLVMBasicBlockRef block)
{
    return !is_join(block) && count_predecessor_edges(function, block) == 1;
}

static bool is_end_of_void(LLVMBasicBlockRef block)
{
    LLVMValueRef first = LLVMGetFirstInstruction(block);
    return LLVMGetInstructionOpcode(first) == LLVMRet && LLVMGetNumOperands(first) == 0;
}

static bool only_returns_to(const struct blocks *region, LLVMBasicBlockRef join)
{
    for (size_t i = 0; i < region->count; i++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(region->list[i]);
        for (unsigned j = 0; j < LLVMGetNumSuccessors(end); j++)
            if (LLVMGetSuccessor(end, j) == join && !is_return_statement(end))
                return false;
    }
    return true;
}

/* Where neither version's code has an end but returns, they are where both go on. */
static bool do_returns_leave(const struct split *split)
{
    if (!split->join || !is_end_of_void(split->join))
        return false;
    return !split->starts[PN_SIDE_OLD] || !split->starts[PN_SIDE_NEW] ||
           !only_returns_to(&split->regions[PN_SIDE_OLD], split->join) ||
           !only_returns_to(&split->regions[PN_SIDE_NEW], split->join);
}

static bool has_phis(LLVMBasicBlockRef block)
{
    return LLVMIsAPHINode(LLVMGetFirstInstruction(block)) != NULL;
}

static bool read_split(LLVMValueRef function, LLVMValueRef call, struct split *split, struct error *error)
{
    bool negated = false;
    enum pn_side side = execute_side(call);
    split->call = call;
    split->branch = find_branch(call, &negated);
    if (side == PN_SIDE_BOTH)
        return refuse(error, call, "execute() takes OLD or NEW");
    if (!split->branch || !LLVMIsConditional(split->branch))
        return refuse(error, call, "execute() must stand alone in the condition of an if: if (execute(OLD)) ...");
    split->entry = LLVMGetInstructionParent(split->branch);
    enum pn_side other = side == PN_SIDE_OLD ? PN_SIDE_NEW : PN_SIDE_OLD;
    LLVMBasicBlockRef mine = LLVMGetSuccessor(split->branch, negated),
                      theirs = LLVMGetSuccessor(split->branch, !negated);
    bool has_mine = is_region_start(function, mine), has_theirs = is_region_start(function, theirs);
    if (!has_mine && !has_theirs)
        return refuse(error, call, "a jump leads into a block under execute(): move its target out");
    if (has_mine)
        find_region(function, split->entry, mine, &split->regions[side]);
    if (has_theirs)
        find_region(function, split->entry, theirs, &split->regions[other]);
    split->starts[side] = has_mine ? mine : NULL;
    split->starts[other] = has_theirs ? theirs : NULL;
    split->join = !has_mine ? mine : !has_theirs ? theirs : find_join(&split->regions[side], &split->regions[other]);
    split->returns_leave = do_returns_leave(split);
    return true;
}

/* ---- rewiring ---- */

static LLVMBasicBlockRef add_step(struct emitter *emitter, enum hook hook, uint32_t site, LLVMBasicBlockRef to)
{
    LLVMBasicBlockRef block = LLVMAppendBasicBlockInContext(emitter->context, emitter->function, "side");
    LLVMPositionBuilderAtEnd(emitter->builder, block);
    LLVMSetCurrentDebugLocation2(emitter->builder, NULL); /* the last one may be of another function */
    LLVMValueRef at = constant32(emitter, site);
    call_hook(emitter, hook, &at, 1);
    LLVMBuildBr(emitter->builder, to);
    return block;
}

static bool rewire_exits(struct emitter *emitter, const struct split *split, enum pn_side side,
                         LLVMBasicBlockRef after_old)
{
    const struct blocks *region = &split->regions[side];
    enum hook leave = side == PN_SIDE_OLD ? HOOK_leave_old : HOOK_leave_new;
    enum hook break_out = side == PN_SIDE_OLD ? HOOK_break_old : HOOK_break_new;
    for (size_t i = 0; i < region->count; i++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(region->list[i]);
        uint32_t site = site_of(emitter, end, "");
        for (unsigned j = 0; j < LLVMGetNumSuccessors(end); j++) {
            LLVMBasicBlockRef to = LLVMGetSuccessor(end, j);
            if (blocks_have(region, to))
                continue;
            if (has_phis(to))
                return refuse(emitter->error, split->call,
                              "execute() inside an operand of &&, || or ?: is not supported: use an if statement");
            LLVMBasicBlockRef next = side == PN_SIDE_OLD ? after_old : to;
            bool joins = to == split->join && !(split->returns_leave && is_return_statement(end));
            LLVMSetSuccessor(end, j, add_step(emitter, joins ? leave : break_out, site, next));
        }
        if (LLVMGetInstructionOpcode(end) == LLVMRet && side == PN_SIDE_OLD) {
            LLVMBasicBlockRef step = add_step(emitter, HOOK_break_old, site, after_old);
            LLVMPositionBuilderBefore(emitter->builder, end);
            LLVMBuildBr(emitter->builder, step);
            LLVMInstructionEraseFromParent(end);
        } else if (LLVMGetInstructionOpcode(end) == LLVMRet) {
            LLVMPositionBuilderBefore(emitter->builder, end);
            LLVMValueRef at = constant32(emitter, site);
            call_hook(emitter, HOOK_break_new, &at, 1);
        }
    }
    return true;
}

/* The old side runs under a setjmp: a failure in it comes back here a second time and goes on with the new side. */
static void rewire_entry(struct emitter *emitter, const struct split *split, LLVMBasicBlockRef after_old)
{
    LLVMPositionBuilderBefore(emitter->builder, split->branch);
    LLVMValueRef site = constant32(emitter, site_of(emitter, split->call, ""));
    if (!split->starts[PN_SIDE_OLD]) {
        LLVMBuildBr(emitter->builder, after_old);
    } else {
        LLVMValueRef again = LLVMBuildCall2(emitter->builder, LLVMGlobalGetValueType(emitter->set_jump),
                                            emitter->set_jump, &emitter->escape, 1, "");
        LLVMValueRef arguments[] = {again, site};
        LLVMValueRef skip = call_hook(emitter, HOOK_enter_old, arguments, 2);
        LLVMValueRef none = LLVMBuildICmp(emitter->builder, LLVMIntEQ, skip, constant32(emitter, 0), "");
        LLVMBuildCondBr(emitter->builder, none, split->starts[PN_SIDE_OLD], after_old);
    }
    LLVMInstructionEraseFromParent(split->branch);
}

static bool rewire(struct emitter *emitter, struct split *split)
{
    uint32_t site = site_of(emitter, split->call, "");
    LLVMBasicBlockRef new_start = split->starts[PN_SIDE_NEW];
    LLVMBasicBlockRef after_old = new_start ? add_step(emitter, HOOK_enter_new, site, new_start) : split->join;
    if (!after_old)
        return refuse(emitter->error, split->call, "this execute() has no place where both versions go on");
    if (new_start && has_phis(new_start))
        return refuse(emitter->error, split->call, "a jump leads into a block under execute(): move its target out");
    rewire_entry(emitter, split, after_old);
    bool good = true;
    if (split->starts[PN_SIDE_OLD])
        good = rewire_exits(emitter, split, PN_SIDE_OLD, after_old);
    if (good && new_start)
        good = rewire_exits(emitter, split, PN_SIDE_NEW, NULL);
    for (enum pn_side side = PN_SIDE_OLD; side <= PN_SIDE_NEW; side++)
        for (size_t i = 0; split->starts[side] && i < split->regions[side].count; i++)
            set_side(emitter, split->regions[side].list[i], side);
    return good;
}

/* ---- all of a function ---- */

/* Inside a region the other execute()s are decided. */
static void fold_execute(struct emitter *emitter, LLVMValueRef call, enum pn_side side)
{
    LLVMReplaceAllUsesWith(call, constant32(emitter, execute_side(call) == side));
    LLVMInstructionEraseFromParent(call);
}

static LLVMValueRef next_execute(struct emitter *emitter, LLVMValueRef function)
{
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block)) {
        for (LLVMValueRef at = LLVMGetFirstInstruction(block), next; at; at = next) {
            next = LLVMGetNextInstruction(at);
            if (!is_execute(at))
                continue;
            enum pn_side side = side_of(emitter, block);
            if (side == PN_SIDE_BOTH)
                return at;
            fold_execute(emitter, at, side);
        }
    }
    return NULL;
}

bool regions_split(struct emitter *emitter)
{
    for (LLVMValueRef call; (call = next_execute(emitter, emitter->function));) {
        struct split split = {0};
        bool good = read_split(emitter->function, call, &split, emitter->error) && rewire(emitter, &split);
        free(split.regions[PN_SIDE_OLD].list), free(split.regions[PN_SIDE_NEW].list);
        if (!good)
            return false;
        LLVMReplaceAllUsesWith(call, constant32(emitter, 0));
        LLVMInstructionEraseFromParent(call);
    }
    return true;
}

static bool is_in_one_of(const struct blocks *regions, size_t count, LLVMBasicBlockRef block)
{
    for (size_t i = 0; i < count; i++)
        if (blocks_have(&regions[i], block))
            return true;
    return false;
}

struct blocks *regions_find(LLVMValueRef function, size_t *count)
{
    struct blocks *regions = NULL;
    size_t capacity = 0;
    *count = 0;
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block)) {
        for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at)) {
            struct split split = {0};
            struct error ignored = {0};
            if (!is_execute(at) || is_in_one_of(regions, *count, block) ||
                !read_split(function, at, &split, &ignored)) {
                error_clear(&ignored);
                continue;
            }
            regions = array_reserve(regions, &capacity, *count + 2, sizeof *regions);
            for (enum pn_side side = PN_SIDE_OLD; side <= PN_SIDE_NEW; side++)
                if (split.starts[side])
                    regions[(*count)++] = split.regions[side];
        }
    }
    return regions;
}

bool has_execute(LLVMValueRef function)
{
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at))
            if (is_execute(at))
                return true;
    return false;
}
