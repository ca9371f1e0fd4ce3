/* Rewriting while building, as the files that hold the rules see it.
 *
 * A *draft* is an operation that is not stored yet. A rule looks at it and either leaves it (false) or replaces it by
 * an equal draft (true), which then meets the rules of its own operation; so rewriting is a loop, not a recursion.
 * Every rule is exact in SMT-LIB's bit-vector semantics, or in trace/floating.h's, for all values of its variables.
 *
 * Some rules also make new children (with expr_make): only ones narrower than the draft, or with children that are
 * leaves or extensions of something narrower, so that the nesting is bounded by the widths. */
#ifndef PENUMBRA_EXPR_SIMPLIFY_H
#define PENUMBRA_EXPR_SIMPLIFY_H

#include "expr/table.h"

struct draft {
    enum pn_operation operation; /* PN_NONE: it turned out to be the expression `a` */
    unsigned width;
    uint32_t a, b, c; /* as in struct expr */
};

typedef bool simplify_rule(struct expr_table *table, struct draft *draft);

/* Rules by operation; constants were folded before, and of two commuting operands a constant is the second. */
simplify_rule simplify_add, simplify_sub, simplify_mul, simplify_udiv, simplify_sdiv, simplify_urem, simplify_srem;
simplify_rule simplify_and, simplify_or, simplify_xor, simplify_shl, simplify_lshr, simplify_ashr, simplify_ite;
simplify_rule simplify_lookup;
simplify_rule simplify_eq, simplify_order;
simplify_rule simplify_fadd, simplify_fsub, simplify_fmul, simplify_fdiv, simplify_fround, simplify_feq,
    simplify_forder, simplify_fcast, simplify_sfloat, simplify_ufloat, simplify_fsint, simplify_nothing;
simplify_rule simplify_disjoint_or, simplify_mask;
/* For right shifts by a constant distance. */
bool simplify_shifted_part(struct expr_table *table, struct draft *draft, uint64_t distance);
/* (x op c1) op c2 is x op (c1 op c2). */
bool simplify_merge_constants(struct expr_table *table, struct draft *draft, uint64_t constant);
simplify_rule simplify_zext, simplify_sext, simplify_extract, simplify_concat;

static inline bool become(struct draft *draft, expr_id id)
{
    *draft = (struct draft){.operation = PN_NONE, .a = id};
    return true;
}

static inline bool become_constant(struct expr_table *table, struct draft *draft, uint64_t value)
{
    return become(draft, expr_constant(table, draft->width, value));
}

/* The same width and another operation. */
static inline bool become_binary(struct draft *draft, enum pn_operation operation, expr_id a, expr_id b)
{
    *draft = (struct draft){.operation = operation, .width = draft->width, .a = a, .b = b};
    return true;
}

static inline bool become_unary(struct draft *draft, enum pn_operation operation, expr_id a)
{
    return become_binary(draft, operation, a, 0);
}

static inline bool become_extract(struct draft *draft, expr_id a, unsigned lowest)
{
    return become_binary(draft, PN_EXTRACT, a, lowest);
}

static inline bool become_ite(struct draft *draft, expr_id condition, expr_id on_true, expr_id on_false)
{
    *draft = (struct draft){.operation = PN_ITE, .width = draft->width, .a = condition, .b = on_true, .c = on_false};
    return true;
}

static inline bool become_negation(struct expr_table *table, struct draft *draft, expr_id condition)
{
    return become_binary(draft, PN_XOR, condition, expr_constant(table, 1, 1));
}

static inline unsigned width_of(const struct expr_table *table, expr_id id)
{
    return node_of(table, id)->width;
}

static inline bool is_operation(const struct expr_table *table, expr_id id, enum pn_operation operation)
{
    return node_of(table, id)->operation == operation;
}

static inline bool has_value(const struct expr_table *table, expr_id id, uint64_t value)
{
    const struct expr *expr = node_of(table, id);
    return expr->operation == PN_CONSTANT && expr->value == value;
}

/* Whether `id` is `operation` with a constant as its second operand; if so, `constant` is its value. */
static inline bool has_constant_right(const struct expr_table *table, expr_id id, enum pn_operation operation,
                                      uint64_t *constant)
{
    const struct expr *expr = node_of(table, id);
    return expr->operation == operation && expr_is_constant(table, expr->b, constant);
}

/* Whether `id` chooses between two constants. */
static inline bool is_constant_choice(const struct expr_table *table, expr_id id, uint64_t *on_true, uint64_t *on_false)
{
    const struct expr *expr = node_of(table, id);
    return expr->operation == PN_ITE && expr_is_constant(table, expr->b, on_true) &&
           expr_is_constant(table, expr->c, on_false);
}

#endif
