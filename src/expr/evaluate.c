/* Evaluation: what a value is under a given input.
 *
 * Each evaluation has a number, its epoch; an expression whose stored epoch is the current one holds its value in
 * `memo`. So nothing has to be cleared in between, only the cone below the asked expressions is visited, and every
 * expression in it is computed once. The walk keeps its own stack: an expression stays on it until its children are
 * known. */
#include "expr/table.h"

static void begin(struct expr_table *table, const uint8_t *input, size_t size)
{
    struct evaluation *evaluation = &table->evaluation;
    evaluation->input = input;
    evaluation->size = size;
    if (++evaluation->epoch != 0)
        return;
    for (expr_id id = 1; id < table->count; id++) /* the numbers are used up: begin again */
        stored_expr(table, id)->epoch = 0;
    evaluation->epoch = 1;
}

static inline uint64_t load(const struct evaluation *evaluation, uint32_t first, unsigned count)
{
    uint64_t value = 0;
    for (uint32_t i = 0; i < count && first + i < evaluation->size; i++)
        value |= (uint64_t)evaluation->input[first + i] << (8 * i);
    return value;
}

/* Constants, input bytes and variables of several bytes never get onto the stack. */
static inline bool know_leaf(const struct expr_table *table, struct stored_expr *stored)
{
    if (stored->expr.operation == PN_CONSTANT)
        stored->memo = stored->expr.value;
    else if (stored->expr.operation == PN_INPUT)
        stored->memo = load(&table->evaluation, stored->expr.a, 1);
    else if (stored->is_load)
        stored->memo = load(&table->evaluation, first_byte(table, stored), stored->expr.width / 8);
    else
        return false;
    stored->epoch = table->evaluation.epoch;
    return true;
}

static inline bool is_known(const struct expr_table *table, struct stored_expr *stored)
{
    return stored->epoch == table->evaluation.epoch || know_leaf(table, stored);
}

/* Puts the unknown children of an expression above it on the stack and returns how many there were; with none, computes
 * the expression. */
static inline size_t visit(const struct expr_table *table, struct stored_expr *stored, expr_id *above)
{
    const struct expr *expr = &stored->expr;
    unsigned arity = expr_arity[expr->operation];
    size_t pushed = 0;
    struct stored_expr *a = stored_expr(table, expr->a), *b = a, *c = a;
    if (!is_known(table, a))
        above[pushed++] = expr->a;
    if (arity > 1 && !is_known(table, b = stored_expr(table, expr->b)))
        above[pushed++] = expr->b;
    if (arity > 2 && !is_known(table, c = stored_expr(table, expr->c)))
        above[pushed++] = expr->c;
    if (pushed > 0)
        return pushed;
    unsigned child_width = expr->operation == PN_CONCAT ? b->expr.width : a->expr.width;
    if (expr->operation == PN_LOOKUP)
        stored->memo = expr_look_up(expr_constants(table, expr->b), a->memo);
    else if (pn_is_function(expr->operation))
        stored->memo = expr_call(expr->operation, expr->c, child_width, a->memo, b->memo);
    else
        stored->memo = pn_operation_value(expr->operation, expr->width, child_width, a->memo,
                                          arity > 1 ? b->memo : expr->b, c->memo);
    stored->epoch = table->evaluation.epoch;
    return 0;
}

static void grow_stack(struct evaluation *evaluation, size_t needed)
{
    evaluation->stack = array_reserve(evaluation->stack, &evaluation->stack_capacity, needed, sizeof(expr_id));
}

static uint64_t value_of(struct expr_table *table, expr_id id)
{
    struct evaluation *evaluation = &table->evaluation;
    struct stored_expr *root = stored_expr(table, id);
    if (is_known(table, root))
        return root->memo;
    if (evaluation->stack_capacity == 0)
        grow_stack(evaluation, 1024);
    size_t depth = 0;
    evaluation->stack[depth++] = id;
    while (depth > 0) {
        evaluation->visits++;
        if (depth + 3 > evaluation->stack_capacity)
            grow_stack(evaluation, depth + 3);
        struct stored_expr *top = stored_expr(table, evaluation->stack[depth - 1]);
        /* An expression can be on the stack more than once; the uppermost computes it. */
        size_t pushed = top->epoch == evaluation->epoch ? 0 : visit(table, top, evaluation->stack + depth);
        depth = pushed > 0 ? depth + pushed : depth - 1;
    }
    return root->memo;
}

uint64_t expr_evaluate(struct expr_table *table, expr_id id, const uint8_t *input, size_t size)
{
    begin(table, input, size);
    return value_of(table, id);
}

void expr_evaluate_all(struct expr_table *table, const expr_id *ids, size_t count, const uint8_t *input, size_t size,
                       uint64_t *values)
{
    begin(table, input, size);
    for (size_t i = 0; i < count; i++)
        values[i] = value_of(table, ids[i]);
}

bool expr_all_hold(struct expr_table *table, const expr_id *conditions, size_t count, const uint8_t *input, size_t size)
{
    begin(table, input, size);
    for (size_t i = 0; i < count; i++)
        if (!value_of(table, conditions[i]))
            return false;
    return true;
}

uint64_t expr_evaluate_too(struct expr_table *table, expr_id id)
{
    return value_of(table, id);
}

uint64_t expr_evaluation_work(const struct expr_table *table)
{
    return table->evaluation.visits;
}
