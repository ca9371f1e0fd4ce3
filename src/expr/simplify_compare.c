/* Rules of comparisons: they shed extensions, constants that are added, and constants at the ends of the range. */
#include "expr/simplify.h"

static bool is_signed_order(enum pn_operation operation)
{
    return operation == PN_SLT || operation == PN_SLE;
}

static bool is_extension(const struct expr_table *table, expr_id id)
{
    return is_operation(table, id, PN_ZEXT) || is_operation(table, id, PN_SEXT);
}

static bool become_outcome(struct expr_table *table, struct draft *draft, bool outcome)
{
    return become(draft, expr_constant(table, 1, outcome));
}

/* The comparison of two extensions of one kind is that of what they extend, in the wider of the two widths. Signed
 * orders of zero-extended values are unsigned ones. */
static bool compare_unextended(struct expr_table *table, struct draft *draft)
{
    static const uint8_t unsigned_order[PN_OPERATION_COUNT] = {
        [PN_EQ] = PN_EQ, [PN_ULT] = PN_ULT, [PN_ULE] = PN_ULE, [PN_SLT] = PN_ULT, [PN_SLE] = PN_ULE};
    const struct expr *a = node_of(table, draft->a), *b = node_of(table, draft->b);
    if (a->operation != b->operation || !is_extension(table, draft->a))
        return false;
    unsigned width_a = width_of(table, a->a), width_b = width_of(table, b->a);
    unsigned width = width_a > width_b ? width_a : width_b;
    enum pn_operation comparison = a->operation == PN_ZEXT ? unsigned_order[draft->operation] : draft->operation;
    expr_id narrow_a = width_a == width ? a->a : expr_make(table, a->operation, width, a->a, 0, 0);
    expr_id narrow_b = width_b == width ? b->a : expr_make(table, b->operation, width, b->a, 0, 0);
    return become_binary(draft, comparison, narrow_a, narrow_b);
}

/* Equality */

static bool equals_constant(struct draft *draft, struct expr_table *table, expr_id id, uint64_t constant)
{
    return become_binary(draft, PN_EQ, id, expr_constant(table, width_of(table, id), constant));
}

static bool extension_equals(struct expr_table *table, struct draft *draft, uint64_t constant)
{
    const struct expr *a = node_of(table, draft->a);
    unsigned narrow = width_of(table, a->a);
    uint64_t extended = pn_operation_value(a->operation, a->width, narrow, constant & pn_mask(narrow), 0, 0);
    if (extended != constant)
        return become_outcome(table, draft, false);
    return equals_constant(draft, table, a->a, constant);
}

/* One part of it is constant: either it differs, or only the other part matters. */
static bool concat_equals(struct expr_table *table, struct draft *draft, uint64_t constant)
{
    const struct expr *a = node_of(table, draft->a);
    unsigned low_width = width_of(table, a->b);
    uint64_t part, low = constant & pn_mask(low_width), high = constant >> low_width;
    if (expr_is_constant(table, a->a, &part))
        return part != high ? become_outcome(table, draft, false) : equals_constant(draft, table, a->b, low);
    if (expr_is_constant(table, a->b, &part))
        return part != low ? become_outcome(table, draft, false) : equals_constant(draft, table, a->a, high);
    return false;
}

static bool add_equals(struct expr_table *table, struct draft *draft, uint64_t constant)
{
    uint64_t added;
    return has_constant_right(table, draft->a, PN_ADD, &added) &&
           equals_constant(draft, table, node_of(table, draft->a)->a, constant - added);
}

static bool xor_equals(struct expr_table *table, struct draft *draft, uint64_t constant)
{
    uint64_t flipped;
    const struct expr *a = node_of(table, draft->a);
    if (has_constant_right(table, draft->a, PN_XOR, &flipped))
        return equals_constant(draft, table, a->a, constant ^ flipped);
    return constant == 0 && become_binary(draft, PN_EQ, a->a, a->b);
}

static bool sub_equals(struct expr_table *table, struct draft *draft, uint64_t constant)
{
    uint64_t minuend;
    const struct expr *a = node_of(table, draft->a);
    if (expr_is_constant(table, a->a, &minuend))
        return equals_constant(draft, table, a->b, minuend - constant);
    return constant == 0 && become_binary(draft, PN_EQ, a->a, a->b);
}

typedef bool equals_rule(struct expr_table *table, struct draft *draft, uint64_t constant);

/* By the operation on the left of "== constant". */
static equals_rule *const equals_rules[PN_OPERATION_COUNT] = {
    [PN_ZEXT] = extension_equals, [PN_SEXT] = extension_equals, [PN_CONCAT] = concat_equals,
    [PN_ADD] = add_equals,        [PN_XOR] = xor_equals,        [PN_SUB] = sub_equals,
};

/* A choice between constants, or the sum of one and a constant: an address within one of two objects. */
static bool read_choice(const struct expr_table *table, expr_id id, expr_id *condition, uint64_t values[2])
{
    const struct expr *expr = node_of(table, id);
    uint64_t more = 0;
    if (expr->operation == PN_ADD && expr_is_constant(table, expr->b, &more))
        id = expr->a;
    if (!is_constant_choice(table, id, &values[1], &values[0]))
        return false;
    *condition = node_of(table, id)->a;
    for (unsigned i = 0; i < 2; i++)
        values[i] = (values[i] + more) & pn_mask(expr->width);
    return true;
}

/* A comparison of a choice between constants with a constant is the choice's condition, its negation, or decided. */
static bool compare_choice(struct expr_table *table, struct draft *draft)
{
    uint64_t constant, values[2], outcomes[2];
    expr_id condition;
    bool choice_left = expr_is_constant(table, draft->b, &constant);
    if (!choice_left && !expr_is_constant(table, draft->a, &constant))
        return false;
    if (!read_choice(table, choice_left ? draft->a : draft->b, &condition, values))
        return false;
    unsigned width = width_of(table, draft->a);
    for (unsigned i = 0; i < 2; i++)
        outcomes[i] = pn_operation_value(draft->operation, 1, width, choice_left ? values[i] : constant,
                                         choice_left ? constant : values[i], 0);
    if (outcomes[0] == outcomes[1])
        return become_outcome(table, draft, outcomes[0]);
    return outcomes[1] ? become(draft, condition) : become_negation(table, draft, condition);
}

bool simplify_eq(struct expr_table *table, struct draft *draft)
{
    uint64_t constant;
    if (draft->a == draft->b)
        return become_outcome(table, draft, true);
    if (!expr_is_constant(table, draft->b, &constant))
        return compare_unextended(table, draft);
    if (width_of(table, draft->a) == 1)
        return constant ? become(draft, draft->a) : become_negation(table, draft, draft->a);
    equals_rule *rule = equals_rules[node_of(table, draft->a)->operation];
    return rule ? rule(table, draft, constant) : compare_choice(table, draft);
}

/* Orders against a constant. Signed values are mapped to unsigned ones of the same order by flipping the sign bit. */

struct bound {
    expr_id variable;
    uint64_t constant; /* as it stands */
    uint64_t place;    /* its place in the order: 0 for the least value */
    bool is_left;      /* constant < variable */
    bool is_strict;
};

static bool read_bound(const struct expr_table *table, const struct draft *draft, struct bound *bound)
{
    bound->is_left = expr_is_constant(table, draft->a, &bound->constant);
    if (!bound->is_left && !expr_is_constant(table, draft->b, &bound->constant))
        return false;
    bound->variable = bound->is_left ? draft->b : draft->a;
    bound->is_strict = draft->operation == PN_ULT || draft->operation == PN_SLT;
    unsigned width = width_of(table, bound->variable);
    bound->place = is_signed_order(draft->operation) ? bound->constant ^ UINT64_C(1) << (width - 1) : bound->constant;
    return true;
}

/* Near the ends of the range an order is decided, an equality or an inequality. */
static bool compare_with_end(struct expr_table *table, struct draft *draft, const struct bound *bound)
{
    unsigned width = width_of(table, bound->variable);
    uint64_t last = pn_mask(width);
    /* How many values satisfy it: those above the constant, or those below, and itself unless strict. */
    uint64_t distance = bound->is_left ? last - bound->place : bound->place;
    if (bound->is_strict && distance == 0)
        return become_outcome(table, draft, false);
    if (!bound->is_strict && distance == last)
        return become_outcome(table, draft, true);
    uint64_t sign = is_signed_order(draft->operation) ? UINT64_C(1) << (width - 1) : 0;
    uint64_t far_end = (bound->is_left ? last : 0) ^ sign, near_end = (bound->is_left ? 0 : last) ^ sign;
    if (distance == (bound->is_strict ? 1 : 0))
        return equals_constant(draft, table, bound->variable, far_end);
    if (distance == (bound->is_strict ? last : last - 1))
        return become_negation(table, draft,
                               expr_make(table, PN_EQ, 1, bound->variable, expr_constant(table, width, near_end), 0));
    return false;
}

/* The constant lies beyond everything that the extended value can be, or the narrow value can be compared. */
static bool compare_extension(struct expr_table *table, struct draft *draft, const struct bound *bound)
{
    const struct expr *extension = node_of(table, bound->variable);
    if (!is_extension(table, bound->variable))
        return false;
    bool is_signed = is_signed_order(draft->operation), zero = extension->operation == PN_ZEXT;
    unsigned narrow = width_of(table, extension->a);
    uint64_t cut = bound->constant & pn_mask(narrow);
    if (pn_operation_value(extension->operation, extension->width, narrow, cut, 0, 0) == bound->constant) {
        enum pn_operation order = !zero ? draft->operation : bound->is_strict ? PN_ULT : PN_ULE;
        expr_id constant = expr_constant(table, narrow, cut);
        return become_binary(draft, order, bound->is_left ? constant : extension->a,
                             bound->is_left ? extension->a : constant);
    }
    if (!zero && !is_signed)
        return false; /* between the small values and the large ones */
    bool constant_is_less = is_signed && pn_signed(bound->constant, extension->width) < 0;
    return become_outcome(table, draft, constant_is_less == bound->is_left);
}

bool simplify_order(struct expr_table *table, struct draft *draft)
{
    struct bound bound;
    if (draft->a == draft->b)
        return become_outcome(table, draft, draft->operation == PN_ULE || draft->operation == PN_SLE);
    if (!read_bound(table, draft, &bound))
        return compare_unextended(table, draft);
    return compare_with_end(table, draft, &bound) || compare_extension(table, draft, &bound) ||
           compare_choice(table, draft);
}
