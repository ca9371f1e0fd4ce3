/* Fewer decisions for the same values: `a && b`, `a || b`, `a ? b : c` and small branches become one decision or a
 * choice, where all that would be skipped can neither fail nor be seen: arithmetic of integers. Not the branches that
 * tell the versions apart, and not in functions where variables may be read before they were written: there, what is
 * not computed must not be looked at. */
#include "instrument/emit.h"
#include "instrument/uninitialised.h"

#include <llvm-c/DebugInfo.h>

enum { MOST_HOISTED = 8 };

/* A branch `at` the end of `block`, one of whose ways leads to `arm`, and the other one to `other`. */
struct fork {
    LLVMBasicBlockRef block, arm, other;
    LLVMValueRef at;
    bool is_first; /* the arm is where the condition is true */
};

/* ---- what may be computed too early ---- */

static bool is_whole_number(LLVMValueRef value)
{
    return LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMIntegerTypeKind;
}

static bool is_harmless(LLVMValueRef at)
{
    if (!is_whole_number(at))
        return false;
    switch (LLVMGetInstructionOpcode(at)) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
    case LLVMZExt:
    case LLVMSExt:
    case LLVMTrunc:
    case LLVMSelect: return true;
    case LLVMLoad: return LLVMIsAAllocaInst(LLVMGetOperand(at, 0)) && !LLVMGetVolatile(at); /* a variable's own */
    case LLVMICmp: return is_whole_number(LLVMGetOperand(at, 0));
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr: return LLVMIsAConstantInt(LLVMGetOperand(at, 1));
    default: return false;
    }
}

/* Which version's code it leads to is no decision of the program. */
static bool has_version(LLVMBasicBlockRef block)
{
    for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at))
        if (is_execute(at))
            return true;
    return false;
}

static bool is_harmless_block(LLVMBasicBlockRef block)
{
    unsigned count = 0;
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != end; at = LLVMGetNextInstruction(at))
        if (!is_harmless(at) || ++count > MOST_HOISTED)
            return false;
    return true;
}

static LLVMBasicBlockRef only_way_in(LLVMBasicBlockRef block)
{
    LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(block));
    LLVMValueRef user = use && !LLVMGetNextUse(use) ? LLVMGetUser(use) : NULL;
    return user && LLVMIsATerminatorInst(user) ? LLVMGetInstructionParent(user) : NULL;
}

static bool is_conditional(LLVMValueRef end)
{
    return LLVMIsABranchInst(end) && LLVMIsConditional(end) && LLVMGetSuccessor(end, 0) != LLVMGetSuccessor(end, 1);
}

/* Where a block goes on whatever happens; NULL. */
static LLVMBasicBlockRef way_on(LLVMBasicBlockRef block)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    return LLVMIsABranchInst(end) && !LLVMIsConditional(end) ? LLVMGetSuccessor(end, 0) : NULL;
}

/* ---- values that come from blocks ---- */

static LLVMValueRef value_from(LLVMValueRef phi, LLVMBasicBlockRef block)
{
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
        if (LLVMGetIncomingBlock(phi, i) == block)
            return LLVMGetIncomingValue(phi, i);
    return NULL;
}

static bool phis_are_numbers(LLVMBasicBlockRef block)
{
    for (LLVMValueRef at = LLVMGetFirstInstruction(block); LLVMIsAPHINode(at); at = LLVMGetNextInstruction(at))
        if (!is_whole_number(at))
            return false;
    return true;
}

/* A phi without what comes from `gone`, and with `value` from `from`. */
static void rebuild(struct emitter *emitter, LLVMValueRef phi, LLVMBasicBlockRef gone, LLVMBasicBlockRef from,
                    LLVMValueRef value)
{
    LLVMPositionBuilderBefore(emitter->builder, phi);
    LLVMValueRef other = LLVMBuildPhi(emitter->builder, LLVMTypeOf(phi), "");
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        LLVMBasicBlockRef block = LLVMGetIncomingBlock(phi, i);
        LLVMValueRef incoming = LLVMGetIncomingValue(phi, i);
        if (block != gone && block != from)
            LLVMAddIncoming(other, &incoming, &block, 1);
    }
    LLVMAddIncoming(other, &value, &from, 1);
    LLVMReplaceAllUsesWith(phi, other);
    LLVMInstructionEraseFromParent(phi);
}

/* What came from both ends of the fork comes from its block: from the arm's, where `takes_arm` is true. */
static void choose_phis(struct emitter *emitter, LLVMBasicBlockRef target, const struct fork *fork,
                        LLVMBasicBlockRef otherwise, LLVMValueRef takes_arm)
{
    for (LLVMValueRef phi = LLVMGetFirstInstruction(target), next; LLVMIsAPHINode(phi); phi = next) {
        next = LLVMGetNextInstruction(phi);
        LLVMValueRef by_arm = value_from(phi, fork->arm), by_other = value_from(phi, otherwise), value = by_arm;
        LLVMPositionBuilderBefore(emitter->builder, LLVMGetBasicBlockTerminator(fork->block));
        if (by_arm && by_other && by_arm != by_other)
            value = LLVMBuildSelect(emitter->builder, takes_arm, by_arm, by_other, "");
        rebuild(emitter, phi, fork->arm, otherwise == fork->block ? fork->block : otherwise, value);
    }
}

static void rename_source(struct emitter *emitter, LLVMBasicBlockRef target, LLVMBasicBlockRef from,
                          LLVMBasicBlockRef to)
{
    for (LLVMValueRef phi = LLVMGetFirstInstruction(target), next; LLVMIsAPHINode(phi); phi = next) {
        next = LLVMGetNextInstruction(phi);
        LLVMValueRef value = value_from(phi, from);
        if (value)
            rebuild(emitter, phi, from, to, value);
    }
}

static void hoist(struct emitter *emitter, LLVMBasicBlockRef from, LLVMBasicBlockRef to)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(from);
    LLVMPositionBuilderBefore(emitter->builder, LLVMGetBasicBlockTerminator(to));
    for (LLVMValueRef at = LLVMGetFirstInstruction(from), next; at != end; at = next) {
        next = LLVMGetNextInstruction(at);
        LLVMInstructionRemoveFromParent(at);
        LLVMInsertIntoBuilder(emitter->builder, at);
    }
}

/* ---- shapes ---- */

static LLVMValueRef turned(struct emitter *emitter, LLVMValueRef condition, bool is_true)
{
    return is_true ? condition : LLVMBuildNot(emitter->builder, condition, "");
}

static void end_with(struct emitter *emitter, const struct fork *fork, LLVMValueRef condition, LLVMBasicBlockRef to,
                     LLVMBasicBlockRef otherwise)
{
    LLVMPositionBuilderBefore(emitter->builder, fork->at);
    LLVMSetCurrentDebugLocation2(emitter->builder, LLVMInstructionGetDebugLoc(fork->at));
    if (condition)
        LLVMBuildCondBr(emitter->builder, condition, to, otherwise);
    else
        LLVMBuildBr(emitter->builder, to);
    LLVMInstructionEraseFromParent(fork->at);
    LLVMSetCurrentDebugLocation2(emitter->builder, NULL);
}

/* if (c) arm; */
static bool fold_triangle(struct emitter *emitter, const struct fork *fork)
{
    if (way_on(fork->arm) != fork->other || !phis_are_numbers(fork->other))
        return false;
    hoist(emitter, fork->arm, fork->block);
    LLVMValueRef takes_arm = turned(emitter, LLVMGetCondition(fork->at), fork->is_first);
    choose_phis(emitter, fork->other, fork, fork->block, takes_arm);
    end_with(emitter, fork, NULL, fork->other, NULL);
    LLVMDeleteBasicBlock(fork->arm);
    return true;
}

/* if (c) arm; else other; */
static bool fold_diamond(struct emitter *emitter, const struct fork *fork)
{
    LLVMBasicBlockRef target = way_on(fork->arm);
    if (!target || way_on(fork->other) != target || only_way_in(fork->other) != fork->block ||
        !is_harmless_block(fork->other) || !phis_are_numbers(target))
        return false;
    hoist(emitter, fork->arm, fork->block);
    hoist(emitter, fork->other, fork->block);
    LLVMValueRef takes_arm = turned(emitter, LLVMGetCondition(fork->at), fork->is_first);
    choose_phis(emitter, target, fork, fork->other, takes_arm);
    rename_source(emitter, target, fork->other, fork->block);
    end_with(emitter, fork, NULL, target, NULL);
    LLVMDeleteBasicBlock(fork->arm);
    LLVMDeleteBasicBlock(fork->other);
    return true;
}

/* c && d, c || d: the arm decides again, and goes to the same place as the fork otherwise does. */
static bool fold_second_test(struct emitter *emitter, const struct fork *fork)
{
    LLVMValueRef second = LLVMGetBasicBlockTerminator(fork->arm);
    if (!is_conditional(second) || !phis_are_numbers(fork->other))
        return false;
    bool goes_first = LLVMGetSuccessor(second, 1) == fork->other;
    LLVMBasicBlockRef target = LLVMGetSuccessor(second, goes_first ? 0 : 1);
    if ((!goes_first && LLVMGetSuccessor(second, 0) != fork->other) || target == fork->block || target == fork->arm)
        return false;
    hoist(emitter, fork->arm, fork->block);
    LLVMValueRef takes_arm = turned(emitter, LLVMGetCondition(fork->at), fork->is_first);
    LLVMValueRef goes_on = turned(emitter, LLVMGetCondition(second), goes_first);
    LLVMValueRef both = LLVMBuildAnd(emitter->builder, takes_arm, goes_on, "");
    choose_phis(emitter, fork->other, fork, fork->block, takes_arm);
    rename_source(emitter, target, fork->arm, fork->block);
    end_with(emitter, fork, both, target, fork->other);
    LLVMDeleteBasicBlock(fork->arm);
    return true;
}

/* A block that only one leads to, and that leads nowhere else, is part of it. */
static bool join(struct emitter *emitter, LLVMBasicBlockRef block)
{
    LLVMBasicBlockRef next = way_on(block);
    if (!next || next == block || only_way_in(next) != block || LLVMIsAPHINode(LLVMGetFirstInstruction(next)) ||
        has_version(next))
        return false;
    LLVMValueRef end = LLVMGetBasicBlockTerminator(next);
    for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++)
        rename_source(emitter, LLVMGetSuccessor(end, i), next, block);
    hoist(emitter, next, block);
    LLVMValueRef jump = LLVMGetBasicBlockTerminator(block);
    LLVMInstructionRemoveFromParent(end);
    LLVMPositionBuilderBefore(emitter->builder, jump);
    LLVMInsertIntoBuilder(emitter->builder, end);
    LLVMInstructionEraseFromParent(jump);
    LLVMDeleteBasicBlock(next);
    return true;
}

static bool fold_block(struct emitter *emitter, LLVMBasicBlockRef block)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    if (!is_conditional(end) || has_version(block))
        return false;
    for (unsigned i = 0; i < 2; i++) {
        struct fork fork = {block, LLVMGetSuccessor(end, i), LLVMGetSuccessor(end, 1 - i), end, i == 0};
        if (fork.arm == block || fork.other == block || only_way_in(fork.arm) != block ||
            LLVMIsAPHINode(LLVMGetFirstInstruction(fork.arm)) || !is_harmless_block(fork.arm))
            continue;
        if (fold_triangle(emitter, &fork) || fold_diamond(emitter, &fork) || fold_second_test(emitter, &fork))
            return true;
    }
    return false;
}

/* ---- functions ---- */

static bool uses(LLVMValueRef function, LLVMValueRef variable)
{
    for (LLVMUseRef use = variable ? LLVMGetFirstUse(variable) : NULL; use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (!LLVMIsAInstruction(user) || LLVMGetBasicBlockParent(LLVMGetInstructionParent(user)) == function)
            return true; /* or in some constant: nobody looks where that is used */
    }
    return false;
}

void fold_branches(struct emitter *emitter, LLVMValueRef function)
{
    if (uses(function, LLVMGetNamedGlobal(emitter->module, FRESH_BYTES)))
        return;
    for (bool changes = true; changes;) {
        changes = false;
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))
            while (fold_block(emitter, block) || join(emitter, block))
                changes = true;
    }
}
