/* What happens in both functions is the same, in the same order: calls, checks, volatile accesses, ends. */
#include "prove/follow.h"

#include <string.h>

enum { FIRST_PAGE_BYTES = 4096 };

bool is_check(LLVMValueRef at)
{
    return LLVMIsACallInst(at) && strcmp(callee_name(at), OWN "check.access") == 0 &&
           LLVMGetNumArgOperands(at) == CHECK_ARGUMENTS;
}

/* Which one of these a check is; `count`: none. */
static size_t find_check(struct walk *walk, const struct checked checks[], size_t count, Z3_ast arguments[])
{
    for (size_t i = 0; i < count; i++) {
        bool same = true;
        for (size_t k = 0; k < CHECK_ARGUMENTS && same; k++)
            same = is_same_term(&walk->terms, arguments[k], checks[i].arguments[k]);
        if (same)
            return i;
    }
    return count;
}

static bool is_at_check(struct walk *walk, const struct state *state, const struct side *side, Z3_ast arguments[])
{
    return is_check(side->at) && !LLVMGetFirstUse(side->at) && read_operands(walk, state, side, arguments);
}

/* An access that was good a moment ago still is. */
bool pass_known_check(struct walk *walk, struct state *state, struct side *side)
{
    Z3_ast arguments[MOST_ARGUMENTS];
    if (!is_at_check(walk, state, side, arguments) ||
        find_check(walk, state->checks, state->check_count, arguments) == state->check_count)
        return false;
    side->at = LLVMGetNextInstruction(side->at);
    return true;
}

/* ---- checks in another order ---- */

static bool is_loop_variable(const struct walk *walk, Z3_ast term)
{
    for (size_t i = 0; i < walk->cut_count; i++)
        for (size_t k = 0; k < walk->cuts[i].coupling->count; k++)
            if (walk->cuts[i].coupling->symbols[k] == term)
                return true;
    return false;
}

/* Whether neither or both of two addresses are in the first page, if this part of them, the pointer, is NULL. */
static bool fail_alike(struct walk *walk, Z3_ast one, Z3_ast other, Z3_ast part)
{
    Z3_context z3 = walk->terms.z3;
    Z3_ast nothing = term_number(&walk->terms, 0, ADDRESS_BITS);
    Z3_ast end = term_number(&walk->terms, FIRST_PAGE_BYTES, ADDRESS_BITS);
    Z3_ast near = Z3_mk_bvult(z3, Z3_substitute(z3, one, 1, &part, &nothing), end);
    Z3_ast other_near = Z3_mk_bvult(z3, Z3_substitute(z3, other, 1, &part, &nothing), end);
    return is_certain(&walk->terms, Z3_mk_eq(z3, near, other_near));
}

/* Which part of an address is the pointer is not known: each that is no number and no multiple of something may be. One
 * that changes in a loop may be NULL and something more. */
static bool fail_alike_at_null(struct walk *walk, Z3_ast one, Z3_ast other)
{
    Z3_context z3 = walk->terms.z3;
    Z3_ast sum = term_simplify(&walk->terms, one);
    bool is_sum = Z3_get_decl_kind(z3, Z3_get_app_decl(z3, Z3_to_app(z3, sum))) == Z3_OP_BADD, has_pointer = false;
    for (unsigned i = 0; i < (is_sum ? Z3_get_app_num_args(z3, Z3_to_app(z3, sum)) : 1); i++) {
        Z3_ast part = is_sum ? Z3_get_app_arg(z3, Z3_to_app(z3, sum), i) : sum;
        if (Z3_is_numeral_ast(z3, part) || Z3_get_decl_kind(z3, Z3_get_app_decl(z3, Z3_to_app(z3, part))) == Z3_OP_BMUL)
            continue;
        if (is_loop_variable(walk, part) || !fail_alike(walk, sum, term_simplify(&walk->terms, other), part))
            return false;
        has_pointer = true;
    }
    return has_pointer;
}

/* Two elements behind one pointer that are both read, or both written: which of them is found to be bad first cannot be
 * seen, since the failure is the same. But a null pointer is told from others by the address, which is in the first
 * page. */
static bool are_exchangeable(struct walk *walk, Z3_ast one[], Z3_ast other[])
{
    enum { ADDRESS, WRITES = CHECK_ARGUMENTS - 1 };
    Z3_context z3 = walk->terms.z3;
    if (one[WRITES] != other[WRITES])
        return false;
    return Z3_is_numeral_ast(z3, term_simplify(&walk->terms, Z3_mk_bvsub(z3, one[ADDRESS], other[ADDRESS]))) &&
           fail_alike_at_null(walk, one[ADDRESS], other[ADDRESS]);
}

static void remember_check(struct state *state, Z3_ast arguments[])
{
    size_t place = state->check_count < MOST_CHECKS ? state->check_count++ : 0;
    memcpy(state->checks[place].arguments, arguments, sizeof state->checks[place].arguments);
}

bool catch_up(struct walk *walk, struct state *state)
{
    struct side *side = &state->sides[NEW_SIDE];
    Z3_ast arguments[MOST_ARGUMENTS];
    if (!state->ahead_count || !is_at_check(walk, state, side, arguments))
        return false;
    size_t found = find_check(walk, state->ahead, state->ahead_count, arguments);
    if (found == state->ahead_count)
        return false;
    for (size_t i = 0; i < found; i++)
        if (!are_exchangeable(walk, state->ahead[i].arguments, arguments))
            return false;
    size_t behind = --state->ahead_count - found;
    memmove(state->ahead + found, state->ahead + found + 1, behind * sizeof *state->ahead);
    remember_check(state, arguments);
    side->at = LLVMGetNextInstruction(side->at);
    return true;
}

bool go_ahead(struct walk *walk, struct state *state)
{
    struct side *side = &state->sides[OLD_SIDE];
    Z3_ast arguments[MOST_ARGUMENTS];
    if (!is_check(state->sides[NEW_SIDE].at) || !is_at_check(walk, state, side, arguments))
        return false;
    if (find_check(walk, state->ahead, state->ahead_count, arguments) == state->ahead_count) {
        if (state->ahead_count == MOST_AHEAD)
            return false;
        memcpy(state->ahead[state->ahead_count++].arguments, arguments, sizeof state->ahead->arguments);
    }
    side->at = LLVMGetNextInstruction(side->at);
    return true;
}

static void remember(struct state *state, LLVMValueRef at, Z3_ast arguments[])
{
    if (is_check(at)) {
        remember_check(state, arguments);
    } else if (!name_begins(callee_name(at), OWN "event.")) {
        state->check_count = 0;
        forget_visits(state);
    }
}

bool same_memory(struct walk *walk, const struct state *state)
{
    return is_same_term(&walk->terms, state->sides[OLD_SIDE].memory, state->sides[NEW_SIDE].memory);
}

static bool same_callees(struct walk *walk, struct state *state, LLVMValueRef one, LLVMValueRef other)
{
    LLVMValueRef left = LLVMGetCalledValue(one), right = LLVMGetCalledValue(other);
    if (LLVMIsAInlineAsm(left) || LLVMIsAInlineAsm(right))
        return false;
    if (!LLVMIsAFunction(left) || !LLVMIsAFunction(right))
        return is_same_term(&walk->terms, operand(walk, state, &state->sides[OLD_SIDE], left),
                            operand(walk, state, &state->sides[NEW_SIDE], right));
    if (LLVMIsDeclaration(left) || LLVMIsDeclaration(right))
        return LLVMIsDeclaration(left) && LLVMIsDeclaration(right) &&
               strcmp(callee_name(one), callee_name(other)) == 0 && LLVMGetLinkage(left) == LLVMGetLinkage(right);
    return true;
}

static bool same_calls(struct walk *walk, struct state *state, LLVMValueRef one, LLVMValueRef other)
{
    unsigned count = LLVMGetNumArgOperands(one);
    return strcmp(callee_name(one), NEVER_REACHED) != 0 && count == LLVMGetNumArgOperands(other) &&
           !LLVMGetNumOperandBundles(one) && !LLVMGetNumOperandBundles(other) &&
           types_match(LLVMGetCalledFunctionType(one), LLVMGetCalledFunctionType(other)) &&
           LLVMGetInstructionCallConv(one) == LLVMGetInstructionCallConv(other) && passed_alike(one, other, count) &&
           same_callees(walk, state, one, other);
}

/* Loads and stores of the same type, in the same order as everything else that happens. */
static bool same_accesses(LLVMValueRef one, LLVMValueRef other)
{
    if (!LLVMIsALoadInst(one) && !LLVMIsAStoreInst(one))
        return false;
    LLVMTypeRef type = LLVMTypeOf(LLVMIsALoadInst(one) ? one : LLVMGetOperand(one, 0));
    LLVMTypeRef other_type = LLVMTypeOf(LLVMIsALoadInst(other) ? other : LLVMGetOperand(other, 0));
    return types_match(type, other_type) && LLVMGetOrdering(one) == LLVMAtomicOrderingNotAtomic &&
           LLVMGetOrdering(other) == LLVMAtomicOrderingNotAtomic;
}

static bool same_kind(struct walk *walk, struct state *state)
{
    LLVMValueRef one = state->sides[OLD_SIDE].at, other = state->sides[NEW_SIDE].at;
    if (LLVMGetInstructionOpcode(one) != LLVMGetInstructionOpcode(other))
        return false;
    return LLVMIsACallInst(one) ? same_calls(walk, state, one, other) : same_accesses(one, other);
}

/* What comes of it is the same on both sides, and nothing more is known. */
static void happen(struct walk *walk, struct state *state, bool writes)
{
    LLVMTypeRef type = LLVMTypeOf(state->sides[OLD_SIDE].at);
    bool has_value = LLVMGetTypeKind(type) != LLVMVoidTypeKind;
    unsigned width = has_value ? term_width(&walk->terms, type) : 1;
    if (!width)
        stop(walk, "a result of such a type");
    Z3_ast value = has_value && width ? term_fresh(&walk->terms, width) : NULL;
    Z3_ast memory = writes ? term_fresh_memory(&walk->terms) : NULL;
    for (unsigned i = 0; i < SIDES; i++) {
        struct side *side = &state->sides[i];
        if (value)
            set_value(side, value);
        side->memory = memory ? memory : side->memory;
        side->at = LLVMGetNextInstruction(side->at);
    }
}

/* What is the same on both sides is the same term from here on. */
static void replace_value(struct side *side, LLVMValueRef value, Z3_ast term)
{
    if (LLVMIsAInstruction(value) || LLVMIsAArgument(value))
        side->values[shape_number_of(side->shape, value)] = term;
}

static bool same_arguments(struct walk *walk, struct state *state, Z3_ast arguments[][MOST_ARGUMENTS])
{
    LLVMValueRef at = state->sides[OLD_SIDE].at;
    unsigned count = LLVMIsACallInst(at) ? LLVMGetNumArgOperands(at) : (unsigned)LLVMGetNumOperands(at);
    for (unsigned i = 0; i < SIDES; i++)
        if (!read_operands(walk, state, &state->sides[i], arguments[i]))
            return false;
    for (unsigned i = 0; i < count; i++) {
        if (!is_same_term(&walk->terms, arguments[OLD_SIDE][i], arguments[NEW_SIDE][i]))
            return false;
        replace_value(&state->sides[NEW_SIDE], LLVMGetOperand(state->sides[NEW_SIDE].at, i), arguments[OLD_SIDE][i]);
    }
    return true;
}

/* What a function of ours looks at is no memory of the program; anything else may read all of it. */
bool happens_alike(struct walk *walk, struct state *state)
{
    Z3_ast arguments[SIDES][MOST_ARGUMENTS];
    LLVMValueRef one = state->sides[OLD_SIDE].at, other = state->sides[NEW_SIDE].at;
    if (state->ahead_count || !same_kind(walk, state) || !same_arguments(walk, state, arguments))
        return false;
    bool is_own = name_begins(callee_name(one), OWN), writes = effect_writes(one);
    if ((!is_own && !same_memory(walk, state)) || effect_writes(other) != writes)
        return false;
    LLVMValueRef left = LLVMIsACallInst(one) ? LLVMGetCalledValue(one) : NULL;
    LLVMValueRef right = LLVMIsACallInst(other) ? LLVMGetCalledValue(other) : NULL;
    if (left && LLVMIsAFunction(left) && LLVMIsAFunction(right) && !LLVMIsDeclaration(left))
        sameness_add(walk->sameness, left, right);
    remember(state, one, arguments[OLD_SIDE]);
    happen(walk, state, writes);
    return true;
}

/* LLVM has proven it. Behind a call it is the call that does not return. */
bool is_never_reached(LLVMValueRef at)
{
    LLVMValueRef before = LLVMGetPreviousInstruction(at);
    return LLVMIsAUnreachableInst(at) && (!before || !LLVMIsACallInst(before));
}

enum outcome end_alike(struct walk *walk, struct state *state)
{
    LLVMValueRef one = state->sides[OLD_SIDE].at, other = state->sides[NEW_SIDE].at;
    if (is_never_reached(one) || is_never_reached(other))
        return AGREES;
    if (state->ahead_count)
        return DIFFERS;
    if (LLVMIsAUnreachableInst(one) || LLVMIsAUnreachableInst(other))
        return LLVMIsAUnreachableInst(one) && LLVMIsAUnreachableInst(other) ? AGREES : DIFFERS;
    int count = LLVMGetNumOperands(one);
    if (count != LLVMGetNumOperands(other) || !same_memory(walk, state))
        return DIFFERS;
    if (count && !is_same_term(&walk->terms, operand(walk, state, &state->sides[OLD_SIDE], LLVMGetOperand(one, 0)),
                               operand(walk, state, &state->sides[NEW_SIDE], LLVMGetOperand(other, 0))))
        return DIFFERS;
    return AGREES;
}
