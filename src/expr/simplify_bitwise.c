/* Rules of and, or, exclusive or, and of choices. Conditions are values of width 1, negation is exclusive or with 1. */
#include "expr/simplify.h"

/* The ordering that holds where this one does not, with its operands exchanged. */
static const uint8_t opposite_order[PN_OPERATION_COUNT] = {
    [PN_ULT] = PN_ULE, [PN_ULE] = PN_ULT, [PN_SLT] = PN_SLE, [PN_SLE] = PN_SLT};

/* Whether every bit of one is the negation of the other's, which is the younger. */
static bool are_complements(const struct expr_table *table, expr_id one, expr_id other)
{
    const struct expr *first = node_of(table, one), *second = node_of(table, other);
    if (second->operation == PN_XOR && second->a == one)
        return has_value(table, second->b, pn_mask(second->width));
    return opposite_order[first->operation] != PN_NONE && opposite_order[first->operation] == second->operation &&
           first->a == second->b && first->b == second->a;
}

static bool is_operand(const struct expr_table *table, expr_id id, enum pn_operation operation, expr_id operand)
{
    const struct expr *expr = node_of(table, id);
    return expr->operation == operation && (expr->a == operand || expr->b == operand);
}

/* What "and" and "or" have in common: `dual` is the other one, `absorbing` the constant that swallows the rest. Only
 * the second operand can contain the first, which is older. */
static bool simplify_lattice(struct expr_table *table, struct draft *draft, enum pn_operation dual, uint64_t absorbing)
{
    expr_id a = draft->a, b = draft->b;
    uint64_t constant;
    if (expr_is_constant(table, b, &constant)) {
        if (constant == absorbing)
            return become(draft, b);
        if (constant == (~absorbing & pn_mask(draft->width)))
            return become(draft, a);
        return simplify_merge_constants(table, draft, constant);
    }
    if (a == b || is_operand(table, b, dual, a))
        return become(draft, a);
    if (is_operand(table, b, draft->operation, a))
        return become(draft, b);
    return are_complements(table, a, b) && become_constant(table, draft, absorbing);
}

/* x & 00..011..1 keeps the low bits: what depends on them alone then depends on fewer input bytes. */
static bool keep_low_bits(struct expr_table *table, struct draft *draft)
{
    uint64_t mask;
    if (!expr_is_constant(table, draft->b, &mask))
        return false;
    const struct expr *a = node_of(table, draft->a);
    if (a->operation == PN_ZEXT) {
        unsigned narrow = width_of(table, a->a);
        expr_id kept = expr_make(table, PN_AND, narrow, a->a, expr_constant(table, narrow, mask), 0);
        return become_unary(draft, PN_ZEXT, kept);
    }
    bool is_magnitude = (draft->width == 32 || draft->width == 64) && mask == pn_mask(draft->width) >> 1; /* fabs() */
    if ((mask & (mask + 1)) != 0 || is_magnitude)
        return false;
    unsigned kept_width = 64 - (unsigned)__builtin_clzll(mask);
    return become_unary(draft, PN_ZEXT, expr_make(table, PN_EXTRACT, kept_width, draft->a, 0, 0));
}

/* C makes ints of conditions: `(a < b) | (c < d)` is one. */
static bool combine_conditions(struct expr_table *table, struct draft *draft)
{
    const struct expr *a = node_of(table, draft->a), *b = node_of(table, draft->b);
    if (a->operation != PN_ZEXT || b->operation != PN_ZEXT || width_of(table, a->a) != 1 || width_of(table, b->a) != 1)
        return false;
    return become_unary(draft, PN_ZEXT, expr_make(table, draft->operation, 1, a->a, b->a, 0));
}

bool simplify_and(struct expr_table *table, struct draft *draft)
{
    return simplify_lattice(table, draft, PN_OR, 0) || combine_conditions(table, draft) ||
           simplify_mask(table, draft) || keep_low_bits(table, draft);
}

bool simplify_or(struct expr_table *table, struct draft *draft)
{
    return simplify_lattice(table, draft, PN_AND, pn_mask(draft->width)) || combine_conditions(table, draft) ||
           simplify_disjoint_or(table, draft);
}

/* Exclusive or with a constant other than 0 */
static bool flip_bits(struct expr_table *table, struct draft *draft, uint64_t constant)
{
    const struct expr *a = node_of(table, draft->a);
    if (draft->width == 1 && opposite_order[a->operation] != PN_NONE)
        return become_binary(draft, opposite_order[a->operation], a->b, a->a);
    return simplify_merge_constants(table, draft, constant);
}

bool simplify_xor(struct expr_table *table, struct draft *draft)
{
    uint64_t constant;
    if (expr_is_constant(table, draft->b, &constant))
        return constant == 0 ? become(draft, draft->a) : flip_bits(table, draft, constant);
    if (draft->a == draft->b)
        return become_constant(table, draft, 0);
    if (are_complements(table, draft->a, draft->b))
        return become_constant(table, draft, UINT64_MAX);
    const struct expr *b = node_of(table, draft->b);
    return is_operand(table, draft->b, PN_XOR, draft->a) && become(draft, b->a == draft->a ? b->b : b->a);
}

/* Choices */

/* A choice of width 1 with a constant arm is an "and" or an "or". */
static bool choose_condition(struct expr_table *table, struct draft *draft)
{
    expr_id condition = draft->a, on_true = draft->b, on_false = draft->c;
    if (has_value(table, on_true, 1))
        return become_binary(draft, PN_OR, condition, on_false);
    if (has_value(table, on_false, 0))
        return become_binary(draft, PN_AND, condition, on_true);
    if (has_value(table, on_true, 0))
        return become_binary(draft, PN_AND, expr_not(table, condition), on_false);
    if (has_value(table, on_false, 1))
        return become_binary(draft, PN_OR, expr_not(table, condition), on_true);
    return false;
}

/* 1 or 0, all ones or 0: the condition itself, extended. */
static bool choose_extension(struct expr_table *table, struct draft *draft)
{
    uint64_t on_true, on_false;
    if (!expr_is_constant(table, draft->b, &on_true) || !expr_is_constant(table, draft->c, &on_false))
        return false;
    uint64_t ones = pn_mask(draft->width);
    if (on_false == 0 && (on_true == 1 || on_true == ones))
        return become_unary(draft, on_true == 1 ? PN_ZEXT : PN_SEXT, draft->a);
    if (on_true == 0 && (on_false == 1 || on_false == ones))
        return become_unary(draft, on_false == 1 ? PN_ZEXT : PN_SEXT, expr_not(table, draft->a));
    return false;
}

/* x == y ? y : x is x. */
static bool is_either(const struct expr *condition, const struct draft *draft)
{
    return condition->operation == PN_EQ && ((condition->a == draft->b && condition->b == draft->c) ||
                                             (condition->a == draft->c && condition->b == draft->b));
}

bool simplify_ite(struct expr_table *table, struct draft *draft)
{
    uint64_t constant;
    if (draft->b == draft->c)
        return become(draft, draft->b);
    if (expr_is_constant(table, draft->a, &constant))
        return become(draft, constant ? draft->b : draft->c);
    const struct expr *condition = node_of(table, draft->a);
    if (condition->operation == PN_XOR && has_value(table, condition->b, 1))
        return become_ite(draft, condition->a, draft->c, draft->b);
    if (is_either(condition, draft))
        return become(draft, draft->c);
    const struct expr *on_true = node_of(table, draft->b), *on_false = node_of(table, draft->c);
    if (on_true->operation == PN_ITE && on_true->a == draft->a)
        return become_ite(draft, draft->a, on_true->b, draft->c);
    if (on_false->operation == PN_ITE && on_false->a == draft->a)
        return become_ite(draft, draft->a, draft->b, on_false->c);
    return draft->width == 1 ? choose_condition(table, draft) : choose_extension(table, draft);
}
