/* Two optimised programs, function by function from the harness on. The blocks of two functions are paired along their
 * branches, and what happens in them one by one; values are compared as graphs. Functions that call each other are
 * taken to be the same while they are compared: everything that was taken is compared in the end, or nothing is said.
 */
#include "prove/same.h"

#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 10000, BUCKETS = 4096 };

/* Two blocks, effects, variables of the functions, or values. */
struct pair {
    const void *one, *other;
    size_t next; /* in the same bucket, counted from 1 */
};

struct comparison {
    struct sameness *sameness;
    LLVMValueRef one, other;
    bool is_strict; /* nothing is known of the functions: every instruction is compared in its place */
    struct pair *pairs;
    size_t count, capacity, depth;
    size_t buckets[BUCKETS];
};

/* ---- pairs ---- */

static size_t bucket_of(const void *one)
{
    return ((uintptr_t)one >> 4) * 0x9E3779B97F4A7C15u >> 52;
}

static void pair_add(struct comparison *comparison, const void *one, const void *other)
{
    size_t bucket = bucket_of(one);
    comparison->pairs =
        array_reserve(comparison->pairs, &comparison->capacity, comparison->count + 1, sizeof *comparison->pairs);
    comparison->pairs[comparison->count++] = (struct pair){one, other, comparison->buckets[bucket]};
    comparison->buckets[bucket] = comparison->count;
}

/* As it was when there were so many. */
static void pairs_drop(struct comparison *comparison, size_t count)
{
    while (comparison->count > count) {
        const struct pair *last = &comparison->pairs[--comparison->count];
        comparison->buckets[bucket_of(last->one)] = last->next;
    }
}

static bool pair_is_known(const struct comparison *comparison, const void *one, const void *other)
{
    for (size_t at = comparison->buckets[bucket_of(one)]; at; at = comparison->pairs[at - 1].next)
        if (comparison->pairs[at - 1].one == one && comparison->pairs[at - 1].other == other)
            return true;
    return false;
}

/* The first one that it was paired with; NULL: none. */
static const void *partner_of(const struct comparison *comparison, const void *one)
{
    const void *found = NULL;
    for (size_t at = comparison->buckets[bucket_of(one)]; at; at = comparison->pairs[at - 1].next)
        if (comparison->pairs[at - 1].one == one)
            found = comparison->pairs[at - 1].other;
    return found;
}

/* For what has one partner only, on either side: the other way round it is a pair of its own. */
static bool pair_add_only(struct comparison *comparison, const void *one, const void *other)
{
    const void *known = partner_of(comparison, one), *back = partner_of(comparison, other);
    if (known || back)
        return known == other && back == one;
    pair_add(comparison, one, other);
    pair_add(comparison, other, one);
    return true;
}

/* ---- what an instruction does ---- */

static bool has_effect(const struct comparison *comparison, LLVMValueRef at)
{
    if (LLVMIsATerminatorInst(at))
        return false; /* these are compared by themselves */
    return comparison->is_strict || has_side_effect(at);
}

/* Whether a load may see it. */
static bool may_write(const struct comparison *comparison, LLVMValueRef at)
{
    return has_effect(comparison, at) && effect_writes(at);
}

static size_t writes_before(const struct comparison *comparison, LLVMValueRef at)
{
    size_t count = 0;
    while ((at = LLVMGetPreviousInstruction(at)))
        count += may_write(comparison, at);
    return count;
}

/* ---- values ---- */

static bool same_value(struct comparison *comparison, LLVMValueRef one, LLVMValueRef other);

static bool same_operands(struct comparison *comparison, LLVMValueRef one, LLVMValueRef other, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (!same_value(comparison, LLVMGetOperand(one, i), LLVMGetOperand(other, i)))
            return false;
    return true;
}

static bool same_exchanged(struct comparison *comparison, LLVMValueRef one, LLVMValueRef other)
{
    return same_value(comparison, LLVMGetOperand(one, 0), LLVMGetOperand(other, 1)) &&
           same_value(comparison, LLVMGetOperand(one, 1), LLVMGetOperand(other, 0));
}

static LLVMValueRef incoming_from(LLVMValueRef phi, LLVMBasicBlockRef block)
{
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
        if (LLVMGetIncomingBlock(phi, i) == block)
            return LLVMGetIncomingValue(phi, i);
    return NULL;
}

static bool same_blocks(const struct comparison *comparison, LLVMValueRef one, LLVMValueRef other)
{
    return pair_is_known(comparison, LLVMGetInstructionParent(one), LLVMGetInstructionParent(other));
}

static bool same_phi(struct comparison *comparison, LLVMValueRef one, LLVMValueRef other)
{
    unsigned count = LLVMCountIncoming(one);
    if (count != LLVMCountIncoming(other) || !same_blocks(comparison, one, other))
        return false;
    for (unsigned i = 0; i < count; i++) {
        const void *from = partner_of(comparison, LLVMGetIncomingBlock(one, i));
        LLVMValueRef value = from ? incoming_from(other, (LLVMBasicBlockRef)from) : NULL;
        if (!value || !same_value(comparison, LLVMGetIncomingValue(one, i), value))
            return false;
    }
    return true;
}

static bool same_indices(LLVMValueRef one, LLVMValueRef other)
{
    unsigned count = LLVMGetNumIndices(one);
    return count == LLVMGetNumIndices(other) &&
           memcmp(LLVMGetIndices(one), LLVMGetIndices(other), count * sizeof(unsigned)) == 0;
}

static bool same_callee(struct comparison *comparison, LLVMValueRef one, LLVMValueRef other)
{
    LLVMValueRef left = LLVMGetCalledValue(one), right = LLVMGetCalledValue(other);
    if (!LLVMIsAFunction(left) || !LLVMIsAFunction(right))
        return same_value(comparison, left, right);
    if (LLVMIsDeclaration(left) || LLVMIsDeclaration(right))
        return LLVMIsDeclaration(left) && LLVMIsDeclaration(right) &&
               strcmp(callee_name(one), callee_name(other)) == 0 && LLVMGetLinkage(left) == LLVMGetLinkage(right);
    sameness_add(comparison->sameness, left, right);
    return true;
}

/* The greater of two numbers, and their like. */
static bool is_commutative_call(LLVMValueRef call)
{
    static const char *const names[] = {"llvm.smax.", "llvm.smin.", "llvm.umax.", "llvm.umin.",
                                        "llvm.sadd.", "llvm.uadd.", "llvm.smul.", "llvm.umul.with."};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (name_begins(callee_name(call), names[i]))
            return LLVMGetNumArgOperands(call) == 2;
    return false;
}

static bool same_arguments(struct comparison *comparison, LLVMValueRef one, LLVMValueRef other, unsigned count)
{
    size_t before = comparison->count;
    if (same_operands(comparison, one, other, count))
        return true;
    pairs_drop(comparison, before);
    return is_commutative_call(one) && same_exchanged(comparison, one, other);
}

static bool same_call(struct comparison *comparison, LLVMValueRef one, LLVMValueRef other)
{
    unsigned count = LLVMGetNumArgOperands(one);
    return strcmp(callee_name(one), NEVER_REACHED) != 0 && count == LLVMGetNumArgOperands(other) &&
           !LLVMGetNumOperandBundles(one) && !LLVMGetNumOperandBundles(other) &&
           types_match(LLVMGetCalledFunctionType(one), LLVMGetCalledFunctionType(other)) &&
           LLVMGetInstructionCallConv(one) == LLVMGetInstructionCallConv(other) && passed_alike(one, other, count) &&
           same_callee(comparison, one, other) && same_arguments(comparison, one, other, count);
}

static bool same_kind(struct comparison *comparison, LLVMValueRef one, LLVMValueRef other)
{
    switch (LLVMGetInstructionOpcode(one)) {
    case LLVMICmp: return LLVMGetICmpPredicate(one) == LLVMGetICmpPredicate(other);
    case LLVMFCmp: return LLVMGetFCmpPredicate(one) == LLVMGetFCmpPredicate(other);
    case LLVMGetElementPtr: return types_match(LLVMGetGEPSourceElementType(one), LLVMGetGEPSourceElementType(other));
    case LLVMExtractValue:
    case LLVMInsertValue: return same_indices(one, other);
    case LLVMAlloca:
        return types_match(LLVMGetAllocatedType(one), LLVMGetAllocatedType(other)) &&
               LLVMGetAlignment(one) == LLVMGetAlignment(other) && pair_add_only(comparison, one, other);
    case LLVMLoad:
        return LLVMGetVolatile(one) == LLVMGetVolatile(other) && LLVMGetOrdering(one) == LLVMGetOrdering(other) &&
               same_blocks(comparison, one, other) &&
               (has_effect(comparison, one) || writes_before(comparison, one) == writes_before(comparison, other));
    case LLVMStore:
        return LLVMGetVolatile(one) == LLVMGetVolatile(other) && LLVMGetOrdering(one) == LLVMGetOrdering(other);
    case LLVMAtomicCmpXchg:
    case LLVMAtomicRMW:
    case LLVMFence: return false;
    default: return true;
    }
}

static bool is_commutative(LLVMValueRef instruction)
{
    switch (LLVMGetInstructionOpcode(instruction)) {
    case LLVMAdd:
    case LLVMMul:
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor: return true;
    default: return false;
    }
}

/* The operands of a beginning are nothing at all. */
static bool begins_alike(LLVMValueRef one, LLVMValueRef other)
{
    return LLVMGetInstructionOpcode(one) == LLVMInsertValue && LLVMIsUndef(LLVMGetOperand(one, 0)) &&
           LLVMIsUndef(LLVMGetOperand(other, 0));
}

/* `a < b` is `b > a`. */
static bool same_turned(struct comparison *comparison, LLVMValueRef one, LLVMValueRef other)
{
    static const LLVMIntPredicate turned[] = {
        [LLVMIntEQ] = LLVMIntEQ,   [LLVMIntNE] = LLVMIntNE,   [LLVMIntUGT] = LLVMIntULT, [LLVMIntUGE] = LLVMIntULE,
        [LLVMIntULT] = LLVMIntUGT, [LLVMIntULE] = LLVMIntUGE, [LLVMIntSGT] = LLVMIntSLT, [LLVMIntSGE] = LLVMIntSLE,
        [LLVMIntSLT] = LLVMIntSGT, [LLVMIntSLE] = LLVMIntSGE};
    return LLVMGetInstructionOpcode(one) == LLVMICmp &&
           LLVMGetICmpPredicate(one) == turned[LLVMGetICmpPredicate(other)] && same_exchanged(comparison, one, other);
}

static bool same_in_order(struct comparison *comparison, LLVMValueRef one, LLVMValueRef other)
{
    unsigned count = (unsigned)LLVMGetNumOperands(one);
    if (count != (unsigned)LLVMGetNumOperands(other) || !same_kind(comparison, one, other))
        return false;
    if (begins_alike(one, other))
        return same_value(comparison, LLVMGetOperand(one, 1), LLVMGetOperand(other, 1));
    return same_operands(comparison, one, other, count);
}

/* Promises that LLVM has found out by itself hold, and are not compared. */
static bool same_operation(struct comparison *comparison, LLVMValueRef one, LLVMValueRef other)
{
    LLVMOpcode opcode = LLVMGetInstructionOpcode(one);
    if (opcode != LLVMGetInstructionOpcode(other) || !types_match(LLVMTypeOf(one), LLVMTypeOf(other)))
        return false;
    if (opcode == LLVMPHI)
        return same_phi(comparison, one, other);
    if (opcode == LLVMCall)
        return same_call(comparison, one, other);
    size_t before = comparison->count;
    if (same_in_order(comparison, one, other))
        return true;
    pairs_drop(comparison, before);
    if (opcode == LLVMICmp)
        return same_turned(comparison, one, other);
    return is_commutative(one) && same_exchanged(comparison, one, other);
}

static bool same_parameter(const struct comparison *comparison, LLVMValueRef one, LLVMValueRef other)
{
    for (unsigned i = 0; i < LLVMCountParams(comparison->one); i++)
        if (LLVMGetParam(comparison->one, i) == one)
            return LLVMGetParam(comparison->other, i) == other;
    return false;
}

static bool same_value(struct comparison *comparison, LLVMValueRef one, LLVMValueRef other)
{
    if (LLVMIsConstant(one) || LLVMIsConstant(other))
        return LLVMIsConstant(one) && LLVMIsConstant(other) && constants_match(comparison->sameness, one, other);
    if (LLVMIsAArgument(one))
        return same_parameter(comparison, one, other);
    if (!LLVMIsAInstruction(one) || !LLVMIsAInstruction(other) || comparison->depth > DEEPEST)
        return false;
    if (pair_is_known(comparison, one, other))
        return true;
    if (LLVMIsAAllocaInst(one) && !comparison->is_strict) /* no variable is two */
        return LLVMIsAAllocaInst(other) && same_kind(comparison, one, other);
    if (has_effect(comparison, one) || has_effect(comparison, other))
        return false; /* all of these are paired already */
    size_t before = comparison->count;
    pair_add(comparison, one, other); /* a loop may lead back here */
    comparison->depth++;
    bool same = same_operation(comparison, one, other);
    comparison->depth--;
    if (!same)
        pairs_drop(comparison, before);
    return same;
}

/* ---- blocks ---- */

static LLVMValueRef next_effect(const struct comparison *comparison, LLVMValueRef at)
{
    while (at && !has_effect(comparison, at))
        at = LLVMGetNextInstruction(at);
    return at;
}

static bool pair_effects(struct comparison *comparison, LLVMBasicBlockRef one, LLVMBasicBlockRef other)
{
    LLVMValueRef left = next_effect(comparison, LLVMGetFirstInstruction(one));
    LLVMValueRef right = next_effect(comparison, LLVMGetFirstInstruction(other));
    while (left && right) {
        if (LLVMGetInstructionOpcode(left) != LLVMGetInstructionOpcode(right) ||
            !pair_add_only(comparison, left, right))
            return false;
        left = next_effect(comparison, LLVMGetNextInstruction(left));
        right = next_effect(comparison, LLVMGetNextInstruction(right));
    }
    return !left && !right;
}

static LLVMBasicBlockRef case_of(LLVMValueRef branch, LLVMValueRef value)
{
    for (unsigned i = 1; i < LLVMGetNumSuccessors(branch); i++)
        if (LLVMGetOperand(branch, 2 * i) == value)
            return LLVMGetSuccessor(branch, i);
    return NULL;
}

static bool pair_switch(struct comparison *comparison, LLVMValueRef one, LLVMValueRef other)
{
    if (!pair_add_only(comparison, LLVMGetSwitchDefaultDest(one), LLVMGetSwitchDefaultDest(other)))
        return false;
    for (unsigned i = 1; i < LLVMGetNumSuccessors(one); i++) {
        LLVMBasicBlockRef target = case_of(other, LLVMGetOperand(one, 2 * i));
        if (!target || !pair_add_only(comparison, LLVMGetSuccessor(one, i), target))
            return false;
    }
    return true;
}

static bool pair_successors(struct comparison *comparison, LLVMValueRef one, LLVMValueRef other)
{
    LLVMOpcode opcode = LLVMGetInstructionOpcode(one);
    unsigned count = LLVMGetNumSuccessors(one);
    if (opcode != LLVMGetInstructionOpcode(other) || count != LLVMGetNumSuccessors(other) ||
        (opcode != LLVMRet && opcode != LLVMBr && opcode != LLVMSwitch && opcode != LLVMUnreachable))
        return false;
    if (opcode == LLVMSwitch)
        return pair_switch(comparison, one, other);
    for (unsigned i = 0; i < count; i++)
        if (!pair_add_only(comparison, LLVMGetSuccessor(one, i), LLVMGetSuccessor(other, i)))
            return false;
    return true;
}

/* From the first block on, along the branches: each block has one partner. */
static bool pair_blocks(struct comparison *comparison)
{
    if (!pair_add_only(comparison, LLVMGetEntryBasicBlock(comparison->one), LLVMGetEntryBasicBlock(comparison->other)))
        return false;
    for (size_t i = 0; i < comparison->count; i += 2) { /* each is followed by itself, turned */
        LLVMBasicBlockRef one = (LLVMBasicBlockRef)comparison->pairs[i].one;
        LLVMBasicBlockRef other = (LLVMBasicBlockRef)comparison->pairs[i].other;
        if (!pair_successors(comparison, LLVMGetBasicBlockTerminator(one), LLVMGetBasicBlockTerminator(other)))
            return false;
    }
    return true;
}

static bool same_end(struct comparison *comparison, LLVMValueRef one, LLVMValueRef other)
{
    if (LLVMGetInstructionOpcode(one) == LLVMBr)
        return !LLVMIsConditional(one) || same_value(comparison, LLVMGetCondition(one), LLVMGetCondition(other));
    if (LLVMGetInstructionOpcode(one) == LLVMSwitch)
        return same_value(comparison, LLVMGetOperand(one, 0), LLVMGetOperand(other, 0));
    int count = LLVMGetNumOperands(one);
    return count == LLVMGetNumOperands(other) && same_operands(comparison, one, other, (unsigned)count);
}

static bool same_effects(struct comparison *comparison, LLVMBasicBlockRef one, LLVMBasicBlockRef other)
{
    LLVMValueRef left = next_effect(comparison, LLVMGetFirstInstruction(one));
    LLVMValueRef right = next_effect(comparison, LLVMGetFirstInstruction(other));
    for (; left && right; left = next_effect(comparison, LLVMGetNextInstruction(left)),
                          right = next_effect(comparison, LLVMGetNextInstruction(right)))
        if (!same_operation(comparison, left, right))
            return false;
    return same_end(comparison, LLVMGetBasicBlockTerminator(one), LLVMGetBasicBlockTerminator(other));
}

static bool compare_blocks(struct comparison *comparison)
{
    if (!pair_blocks(comparison))
        return false;
    size_t blocks = comparison->count;
    for (size_t i = 0; i < blocks; i += 2)
        if (!pair_effects(comparison, (LLVMBasicBlockRef)comparison->pairs[i].one,
                          (LLVMBasicBlockRef)comparison->pairs[i].other))
            return false;
    for (size_t i = 0; i < blocks; i += 2)
        if (!same_effects(comparison, (LLVMBasicBlockRef)comparison->pairs[i].one,
                          (LLVMBasicBlockRef)comparison->pairs[i].other))
            return false;
    return true;
}

/* ---- functions ---- */

static bool may_be_same(LLVMValueRef one, LLVMValueRef other)
{
    return function_is_refused(one) == function_is_refused(other) && !function_is_never_same(one) &&
           !function_is_never_same(other) && types_match(LLVMGlobalGetValueType(one), LLVMGlobalGetValueType(other)) &&
           parameters_passed_alike(one, other);
}

static bool same_function(struct sameness *sameness, LLVMValueRef one, LLVMValueRef other)
{
    bool is_refused = function_is_refused(one);
    if (!may_be_same(one, other))
        return false;
    struct comparison *comparison = calloc(1, sizeof *comparison);
    *comparison = (struct comparison){.sameness = sameness, .one = one, .other = other, .is_strict = is_refused};
    bool same = compare_blocks(comparison);
    free(comparison->pairs);
    free(comparison);
    return same;
}

/* What was taken of functions that do not look the same is taken back. */
static bool same_steps(struct sameness *sameness, LLVMValueRef one, LLVMValueRef other)
{
    size_t before = sameness->count;
    if (same_function(sameness, one, other))
        return true;
    sameness->count = before;
    return sameness->comparing == BY_STEPS && may_be_same(one, other) && !function_is_refused(one) &&
           functions_agree(sameness, one, other);
}

/* Code without source may call whatever has an external name: each of these is in both versions, and the same. */
static const char *add_known_outside(struct sameness *sameness, struct version *version, struct version *elsewhere)
{
    for (LLVMValueRef at = LLVMGetFirstFunction(version->module); at; at = LLVMGetNextFunction(at)) {
        size_t length;
        const char *name = LLVMGetValueName2(at, &length);
        if (!version->is_called_back || LLVMIsDeclaration(at) || LLVMGetLinkage(at) != LLVMWeakAnyLinkage)
            continue;
        LLVMValueRef other = LLVMGetNamedFunction(elsewhere->module, name);
        if (!other || LLVMIsDeclaration(other))
            return arena_format(sameness->arena, "%s is in one version only, and may be called by what is linked",
                                name);
        if (version == sameness->old)
            sameness_add(sameness, at, other);
    }
    return NULL;
}

const char *find_difference(struct version *old, struct version *new, const struct words *uncompared,
                            enum comparing comparing, double end, struct arena *arena)
{
    static const char harness[] = "inside.__pn_harness";
    struct sameness sameness = {
        .old = old, .new = new, .uncompared = uncompared, .comparing = comparing, .end = end, .arena = arena};
    LLVMValueRef one = LLVMGetNamedFunction(old->module, harness), other = LLVMGetNamedFunction(new->module, harness);
    const char *difference = one && other ? NULL : "there is no harness";
    if (!difference)
        sameness_add(&sameness, one, other);
    difference = difference ? difference : add_known_outside(&sameness, old, new);
    difference = difference ? difference : add_known_outside(&sameness, new, old);
    for (size_t i = 0; i < sameness.count && !difference; i++) {
        struct twins twins = sameness.queue[i];
        bool same = LLVMIsAFunction(twins.one) ? same_steps(&sameness, twins.one, twins.other)
                                               : variables_match(&sameness, twins.one, twins.other);
        size_t length;
        if (!same)
            difference = arena_format(arena, "%s is not known to be %s", LLVMGetValueName2(twins.one, &length),
                                      LLVMGetValueName2(twins.other, &length));
    }
    difference = difference ? difference : find_other_value(&sameness);
    free(sameness.queue);
    return difference;
}
