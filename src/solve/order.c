/* A graph: a node for each compared expression, signed and unsigned apart, and node ZERO for all constants; an edge for
 * each difference. The edges that hold under the hint come first; then one edge after the other is added that does not.
 * To add x <= y + c where it fails, either x goes down or y goes up, and whoever is now in the wrong place follows. If
 * that comes back to the other end of the added edge, the edges on the way and the new one are a negative cycle. If it
 * comes to ZERO, this direction is shut, though another way may be open: then ZERO may move, and in the end all others
 * move back with it. (Cotton and Maler, "Fast and flexible difference constraint propagation for DPLL(T)".) */
#include "solve/order.h"

#include "base/arena.h"

#include <stdlib.h>
#include <string.h>

enum {
    MOST_NODES = 128,
    MOST_EDGES = 1024,
    MOST_EQUALITIES = 128,
    MOST_DISTINCT = 256,
    MOST_CONJUNCTS = 256,
    SLOTS = 256
};
enum { ZERO = 0, NO_EDGE = -1 };

/* Every unsigned and signed 64-bit number, and sums of some. */
typedef __int128 number;

/* left <= right + distance */
struct edge {
    int left, right;
    number distance;
    expr_id condition; /* 0: the range of the type */
    int next_of_left, next_of_right;
};

struct node {
    expr_id id;
    bool is_signed;
    number value;
    int as_left, as_right; /* lists of edges */
    int cause;             /* the edge that moved it */
    bool is_queued;
};

/* Put off until it is known which orders its operands are in. */
struct equality {
    const struct expr *expr;
    bool is_negated;
    expr_id condition;
};

struct distinct {
    int left, right;
    number distance; /* left != right + distance */
    expr_id condition;
};

struct order {
    struct expr_table *table;
    struct node nodes[MOST_NODES];
    int node_count;
    struct edge edges[MOST_EDGES];
    int edge_count;
    struct equality equalities[MOST_EQUALITIES];
    size_t equality_count;
    struct distinct distinct[MOST_DISTINCT];
    size_t distinct_count;
    bool has_order[2];    /* unsigned, signed */
    uint8_t slots[SLOTS]; /* open addressing: node, or ZERO where it is free */
    bool is_full;
    int pending[MOST_EDGES]; /* edges that do not hold yet */
    size_t pending_count;
    int queue[MOST_NODES];
    number before[MOST_NODES];
    expr_id core[MOST_EDGES];
    size_t core_count;
    struct order_proposal proposals[MOST_NODES];
    size_t proposal_count;
};

struct order *order_create(struct expr_table *table)
{
    size_t capacity = 0;
    struct order *order = array_reserve(NULL, &capacity, 1, sizeof *order);
    order->table = table;
    return order;
}

void order_destroy(struct order *order)
{
    free(order);
}

const expr_id *order_core(const struct order *order, size_t *count)
{
    *count = order->core_count;
    return order->core;
}

const struct order_proposal *order_proposals(const struct order *order, size_t *count)
{
    *count = order->proposal_count;
    return order->proposals;
}

/* The graph */

static void add_edge(struct order *order, int left, int right, number distance, expr_id condition)
{
    if (order->edge_count == MOST_EDGES) {
        order->is_full = true;
        return;
    }
    order->edges[order->edge_count++] =
        (struct edge){.left = left, .right = right, .distance = distance, .condition = condition};
}

static void activate(struct order *order, int index)
{
    struct edge *edge = &order->edges[index];
    edge->next_of_left = order->nodes[edge->left].as_left;
    order->nodes[edge->left].as_left = index;
    edge->next_of_right = order->nodes[edge->right].as_right;
    order->nodes[edge->right].as_right = index;
}

static bool holds(const struct order *order, const struct edge *edge)
{
    return order->nodes[edge->left].value <= order->nodes[edge->right].value + edge->distance;
}

static number as_number(uint64_t value, unsigned width, bool is_signed)
{
    return is_signed ? (number)pn_signed(value, width) : (number)value;
}

static int add_node(struct order *order, expr_id id, bool is_signed)
{
    if (order->node_count == MOST_NODES) {
        order->is_full = true;
        return ZERO;
    }
    int index = order->node_count++;
    unsigned width = expr_get(order->table, id)->width;
    order->nodes[index] = (struct node){.id = id, .is_signed = is_signed, .as_left = NO_EDGE, .as_right = NO_EDGE};
    number least = is_signed ? (number)pn_signed(UINT64_C(1) << (width - 1), width) : 0;
    add_edge(order, ZERO, index, -least, 0);
    add_edge(order, index, ZERO, least + (number)pn_mask(width), 0);
    return index;
}

static int node_of(struct order *order, expr_id id, bool is_signed)
{
    unsigned at = (id * 2 + is_signed) * UINT32_C(0x9e3779b1) >> 24;
    for (; order->slots[at] != ZERO; at = (at + 1) % SLOTS) {
        const struct node *node = &order->nodes[order->slots[at]];
        if (node->id == id && node->is_signed == is_signed)
            return order->slots[at];
    }
    int index = add_node(order, id, is_signed);
    order->slots[at] = (uint8_t)index;
    return index;
}

/* An operand: a node plus a constant. */
struct place {
    int node;
    number offset;
};

static struct place place_of(struct order *order, expr_id id, bool is_signed)
{
    uint64_t value;
    if (expr_is_constant(order->table, id, &value))
        return (struct place){ZERO, as_number(value, expr_get(order->table, id)->width, is_signed)};
    return (struct place){node_of(order, id, is_signed), 0};
}

static void add_distinct(struct order *order, struct place a, struct place b, expr_id condition)
{
    if (order->distinct_count < MOST_DISTINCT)
        order->distinct[order->distinct_count++] = (struct distinct){a.node, b.node, b.offset - a.offset, condition};
}

static void add_order(struct order *order, const struct expr *expr, bool is_negated, expr_id condition)
{
    bool is_signed = expr->operation == PN_SLT || expr->operation == PN_SLE;
    bool is_strict = expr->operation == PN_SLT || expr->operation == PN_ULT;
    struct place a = place_of(order, expr->a, is_signed), b = place_of(order, expr->b, is_signed);
    order->has_order[is_signed] = true;
    if (order->is_full)
        return;
    if (is_negated)
        add_edge(order, b.node, a.node, a.offset - b.offset - !is_strict, condition);
    else
        add_edge(order, a.node, b.node, b.offset - a.offset - is_strict, condition);
}

static void add_equality(struct order *order, const struct equality *equality, bool is_signed)
{
    struct place a = place_of(order, equality->expr->a, is_signed), b = place_of(order, equality->expr->b, is_signed);
    if (order->is_full)
        return;
    if (equality->is_negated) {
        add_distinct(order, a, b, equality->condition);
    } else {
        add_edge(order, a.node, b.node, b.offset - a.offset, equality->condition);
        add_edge(order, b.node, a.node, a.offset - b.offset, equality->condition);
    }
}

static void add_equalities(struct order *order)
{
    bool neither = !order->has_order[false] && !order->has_order[true];
    for (size_t i = 0; i < order->equality_count; i++) {
        if (order->has_order[false] || neither)
            add_equality(order, &order->equalities[i], false);
        if (order->has_order[true])
            add_equality(order, &order->equalities[i], true);
    }
}

static void add_comparison(struct order *order, const struct expr *expr, bool is_negated, expr_id condition)
{
    if (expr->operation != PN_EQ)
        add_order(order, expr, is_negated, condition);
    else if (order->equality_count < MOST_EQUALITIES)
        order->equalities[order->equality_count++] = (struct equality){expr, is_negated, condition};
}

static bool is_comparison(const struct expr *expr)
{
    return expr->operation >= PN_EQ && expr->operation <= PN_SLE;
}

/* Reads conjunctions of comparisons and of negated ones. */
static void add_condition(struct order *order, expr_id condition)
{
    expr_id conjuncts[MOST_CONJUNCTS];
    size_t count = 0;
    conjuncts[count++] = condition;
    while (count > 0) {
        const struct expr *expr = expr_get(order->table, conjuncts[--count]);
        if (is_comparison(expr)) {
            add_comparison(order, expr, false, condition);
        } else if (expr->operation == PN_AND && count + 2 <= MOST_CONJUNCTS) {
            conjuncts[count++] = expr->a;
            conjuncts[count++] = expr->b;
        } else if (expr->operation == PN_XOR && expr_get(order->table, expr->b)->operation == PN_CONSTANT) {
            const struct expr *negated = expr_get(order->table, expr->a);
            if (is_comparison(negated))
                add_comparison(order, negated, true, condition);
        }
    }
}

static void build(struct order *order, const expr_id *conditions, size_t count)
{
    order->node_count = 1;
    order->nodes[ZERO] = (struct node){.as_left = NO_EDGE, .as_right = NO_EDGE};
    order->edge_count = 0;
    order->equality_count = order->distinct_count = 0;
    order->has_order[false] = order->has_order[true] = false;
    order->is_full = false;
    memset(order->slots, ZERO, sizeof order->slots);
    for (size_t i = 0; i < count && !order->is_full; i++)
        add_condition(order, conditions[i]);
    add_equalities(order);
}

static void take_hint(struct order *order, const uint8_t *hint, size_t size)
{
    expr_id ids[MOST_NODES];
    uint64_t values[MOST_NODES];
    for (int i = 1; i < order->node_count; i++)
        ids[i] = order->nodes[i].id;
    expr_evaluate_all(order->table, ids + 1, (size_t)order->node_count - 1, hint, size, values + 1);
    for (int i = 1; i < order->node_count; i++)
        order->nodes[i].value = as_number(values[i], expr_get(order->table, ids[i])->width, order->nodes[i].is_signed);
    order->pending_count = 0;
    for (int i = 0; i < order->edge_count; i++) {
        if (holds(order, &order->edges[i]))
            activate(order, i);
        else
            order->pending[order->pending_count++] = i;
    }
}

/* Moving */

enum outcome { FITS, SHUT, CYCLE };

struct move {
    bool is_down;
    bool zero_may_move;
    int other_end; /* of the edge that is being added: the node that must not follow */
};

struct queue {
    size_t first, count;
};

static void push(struct order *order, struct queue *queue, int node)
{
    if (order->nodes[node].is_queued)
        return;
    order->nodes[node].is_queued = true;
    order->queue[(queue->first + queue->count++) % MOST_NODES] = node;
}

static int pop(struct order *order, struct queue *queue)
{
    int node = order->queue[queue->first];
    queue->first = (queue->first + 1) % MOST_NODES;
    queue->count--;
    order->nodes[node].is_queued = false;
    return node;
}

/* Moves the node that the edge forces to move, if it does. */
static enum outcome follow(struct order *order, const struct move *move, int index, struct queue *queue)
{
    const struct edge *edge = &order->edges[index];
    if (holds(order, edge))
        return FITS;
    int moved = move->is_down ? edge->left : edge->right;
    if (moved == ZERO && !move->zero_may_move)
        return SHUT;
    struct node *node = &order->nodes[moved];
    node->cause = index;
    if (moved == move->other_end)
        return CYCLE;
    node->value = move->is_down ? order->nodes[edge->right].value + edge->distance
                                : order->nodes[edge->left].value - edge->distance;
    push(order, queue, moved);
    return FITS;
}

static enum outcome follow_all(struct order *order, const struct move *move, int node, struct queue *queue)
{
    enum outcome outcome = FITS;
    if (move->is_down)
        for (int i = order->nodes[node].as_right; i != NO_EDGE && outcome == FITS; i = order->edges[i].next_of_right)
            outcome = follow(order, move, i, queue);
    else
        for (int i = order->nodes[node].as_left; i != NO_EDGE && outcome == FITS; i = order->edges[i].next_of_left)
            outcome = follow(order, move, i, queue);
    return outcome;
}

/* Tries to make an edge hold, without a change if that fails. */
static enum outcome try_move(struct order *order, int index, bool is_down, bool zero_may_move)
{
    const struct edge *edge = &order->edges[index];
    struct move move = {is_down, zero_may_move, is_down ? edge->right : edge->left};
    struct queue queue = {0};
    for (int i = 0; i < order->node_count; i++) {
        order->before[i] = order->nodes[i].value;
        order->nodes[i].is_queued = false;
    }
    if (edge->left == edge->right) {
        order->nodes[edge->left].cause = index;
        return CYCLE;
    }
    enum outcome outcome = follow(order, &move, index, &queue);
    while (outcome == FITS && queue.count > 0)
        outcome = follow_all(order, &move, pop(order, &queue), &queue);
    if (outcome != FITS)
        for (int i = 0; i < order->node_count; i++)
            order->nodes[i].value = order->before[i];
    return outcome;
}

static void move_back_with_zero(struct order *order)
{
    number moved = order->nodes[ZERO].value;
    for (int i = 0; i < order->node_count; i++)
        order->nodes[i].value -= moved;
}

/* The conditions on the cycle, found backwards from where it closed. */
static void read_core(struct order *order, int index, bool is_down)
{
    int node = is_down ? order->edges[index].right : order->edges[index].left;
    order->core_count = 0;
    for (int steps = 0; steps <= order->node_count; steps++) {
        int cause = order->nodes[node].cause;
        if (order->edges[cause].condition)
            order->core[order->core_count++] = order->edges[cause].condition;
        if (cause == index)
            return;
        node = is_down ? order->edges[cause].right : order->edges[cause].left;
    }
}

/* False when it contradicts the edges before. */
static bool make_hold(struct order *order, int index)
{
    const struct edge *edge = &order->edges[index];
    if (!holds(order, edge)) {
        bool is_down = true;
        enum outcome outcome = try_move(order, index, true, false);
        if (outcome == SHUT) {
            is_down = false;
            outcome = try_move(order, index, false, false);
        }
        if (outcome == SHUT) {
            is_down = true;
            outcome = try_move(order, index, true, true);
            if (outcome == FITS)
                move_back_with_zero(order);
        }
        if (outcome == CYCLE) {
            read_core(order, index, is_down);
            return false;
        }
    }
    activate(order, index);
    return true;
}

/* What must differ: first a little less is tried, then a little more. No proof follows from a failure. */

static bool differs(const struct order *order, const struct distinct *distinct)
{
    return order->nodes[distinct->left].value != order->nodes[distinct->right].value + distinct->distance;
}

static bool make_differ(struct order *order, const struct distinct *distinct)
{
    if (order->edge_count + 2 > MOST_EDGES)
        return false;
    add_edge(order, distinct->left, distinct->right, distinct->distance - 1, distinct->condition);
    if (make_hold(order, order->edge_count - 1))
        return true;
    order->edge_count--;
    add_edge(order, distinct->right, distinct->left, -distinct->distance - 1, distinct->condition);
    return make_hold(order, order->edge_count - 1);
}

static bool make_all_differ(struct order *order)
{
    for (size_t i = 0, moved = 0; i < order->distinct_count; i++) {
        if (differs(order, &order->distinct[i]))
            continue;
        if (++moved > MOST_DISTINCT || !make_differ(order, &order->distinct[i]))
            return false;
        i = (size_t)-1; /* others may have moved: from the beginning */
    }
    return true;
}

static void propose(struct order *order, const uint8_t *hint, size_t size)
{
    order->proposal_count = 0;
    for (int i = 1; i < order->node_count; i++) {
        uint64_t value = (uint64_t)order->nodes[i].value & pn_mask(expr_get(order->table, order->nodes[i].id)->width);
        if (value != expr_evaluate(order->table, order->nodes[i].id, hint, size))
            order->proposals[order->proposal_count++] = (struct order_proposal){order->nodes[i].id, value};
    }
}

enum order_answer order_solve(struct order *order, const expr_id *conditions, size_t count, const uint8_t *hint,
                              size_t size)
{
    build(order, conditions, count);
    if (order->is_full)
        return ORDER_NOTHING;
    take_hint(order, hint, size);
    for (size_t i = 0; i < order->pending_count; i++)
        if (!make_hold(order, order->pending[i]))
            return ORDER_CONTRADICTION;
    make_all_differ(order);
    propose(order, hint, size);
    return order->proposal_count > 0 ? ORDER_PROPOSAL : ORDER_NOTHING;
}
