/* Building an operation: folding of constants, order of commuting operands, then the rules of the operation until none
 * applies. */
#include "expr/simplify.h"

#include <assert.h>

/* Rules follow one another along a chain only as often as this; what is left then is correct, only not simplest. */
enum { MOST_REWRITES = 200 };

struct row {
    simplify_rule *rule;
    bool commutes;
};

static const struct row rows[PN_OPERATION_COUNT] = {
    [PN_ADD] = {simplify_add, true},
    [PN_SUB] = {simplify_sub, false},
    [PN_MUL] = {simplify_mul, true},
    [PN_UDIV] = {simplify_udiv, false},
    [PN_SDIV] = {simplify_sdiv, false},
    [PN_UREM] = {simplify_urem, false},
    [PN_SREM] = {simplify_srem, false},
    [PN_AND] = {simplify_and, true},
    [PN_OR] = {simplify_or, true},
    [PN_XOR] = {simplify_xor, true},
    [PN_SHL] = {simplify_shl, false},
    [PN_LSHR] = {simplify_lshr, false},
    [PN_ASHR] = {simplify_ashr, false},
    [PN_EQ] = {simplify_eq, true},
    [PN_ULT] = {simplify_order, false},
    [PN_ULE] = {simplify_order, false},
    [PN_SLT] = {simplify_order, false},
    [PN_SLE] = {simplify_order, false},
    [PN_ZEXT] = {simplify_zext, false},
    [PN_SEXT] = {simplify_sext, false},
    [PN_EXTRACT] = {simplify_extract, false},
    [PN_CONCAT] = {simplify_concat, false},
    [PN_ITE] = {simplify_ite, false},
    [PN_LOOKUP] = {simplify_lookup, false},
    [PN_FADD] = {simplify_fadd, true},
    [PN_FSUB] = {simplify_fsub, false},
    [PN_FMUL] = {simplify_fmul, true},
    [PN_FDIV] = {simplify_fdiv, false},
    [PN_FMA] = {simplify_nothing, false},
    [PN_FSQRT] = {simplify_nothing, false},
    [PN_FCALL] = {simplify_nothing, false},
    [PN_FROUND] = {simplify_fround, false},
    [PN_FEQ] = {simplify_feq, true},
    [PN_FLT] = {simplify_forder, false},
    [PN_FLE] = {simplify_forder, false},
    [PN_FERROR] = {simplify_nothing, false},
    [PN_FCAST] = {simplify_fcast, false},
    [PN_SFLOAT] = {simplify_sfloat, false},
    [PN_UFLOAT] = {simplify_ufloat, false},
    [PN_FSINT] = {simplify_fsint, false},
};

static bool fold(struct expr_table *table, struct draft *draft)
{
    unsigned arity = expr_arity[draft->operation];
    const struct expr *a = node_of(table, draft->a);
    if (a->operation != PN_CONSTANT)
        return false;
    const struct expr *b = arity > 1 ? node_of(table, draft->b) : a;
    const struct expr *c = arity > 2 ? node_of(table, draft->c) : a;
    if (b->operation != PN_CONSTANT || c->operation != PN_CONSTANT)
        return false;
    if (draft->operation == PN_LOOKUP)
        return become_constant(table, draft, expr_look_up(expr_constants(table, draft->b), a->value));
    if (pn_is_function(draft->operation))
        return become_constant(table, draft, expr_call(draft->operation, draft->c, a->width, a->value, b->value));
    unsigned child_width = draft->operation == PN_CONCAT ? b->width : a->width;
    return become_constant(table, draft,
                           pn_operation_value(draft->operation, draft->width, child_width, a->value,
                                              arity > 1 ? b->value : draft->b, c->value));
}

/* An extension to the width it has, an extraction of everything. Rules rely on these not being stored. */
static bool changes_nothing(const struct expr_table *table, const struct draft *draft)
{
    bool resizes = draft->operation == PN_ZEXT || draft->operation == PN_SEXT || draft->operation == PN_EXTRACT ||
                   draft->operation == PN_FCAST;
    return resizes && draft->width == width_of(table, draft->a);
}

/* A constant comes second; otherwise the older expression comes first. */
static void order_operands(const struct expr_table *table, struct draft *draft)
{
    bool a_constant = is_operation(table, draft->a, PN_CONSTANT),
         b_constant = is_operation(table, draft->b, PN_CONSTANT);
    if (a_constant != b_constant ? b_constant : draft->a <= draft->b)
        return;
    uint32_t a = draft->a;
    draft->a = draft->b;
    draft->b = a;
}

static expr_id store(struct expr_table *table, const struct draft *draft)
{
    return expr_intern(table, &(struct expr){.operation = (uint8_t)draft->operation,
                                             .width = (uint8_t)draft->width,
                                             .a = draft->a,
                                             .b = draft->b,
                                             .c = draft->c});
}

expr_id expr_make(struct expr_table *table, enum pn_operation operation, unsigned width, uint32_t a, uint32_t b,
                  uint32_t c)
{
    assert(operation < PN_OPERATION_COUNT && rows[operation].rule && width >= 1 && width <= 64);
    unsigned arity = expr_arity[operation];
    bool uses_b = arity > 1 || operation == PN_EXTRACT || operation == PN_FROUND || operation == PN_LOOKUP;
    bool uses_c = arity > 2 || pn_is_function(operation);
    struct draft draft = {.operation = operation, .width = width, .a = a, .b = uses_b ? b : 0, .c = uses_c ? c : 0};
    for (unsigned rewrites = 0;; rewrites++) {
        if (fold(table, &draft) || changes_nothing(table, &draft))
            return draft.a;
        const struct row *row = &rows[draft.operation];
        if (row->commutes)
            order_operands(table, &draft);
        if (rewrites == MOST_REWRITES || !row->rule(table, &draft))
            return store(table, &draft);
        if (draft.operation == PN_NONE)
            return draft.a;
    }
}
