/* Each gate is a fresh variable, defined by clauses in both directions, and an entry in an open hash table. Before the
 * look-up, operands are put into an order and signs are moved to the output where the function allows it. */
#include "solve/gates.h"

#include "base/arena.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { INITIAL_SLOTS = 1 << 12 };

enum gate_kind { GATE_NONE, GATE_AND, GATE_XOR, GATE_CHOOSE, GATE_PARITY, GATE_MAJORITY };

struct gate {
    enum gate_kind kind; /* GATE_NONE: the slot is free */
    literal a, b, c, output;
};

struct gates {
    CCaDiCaL *solver;
    struct gate *slots;
    size_t slot_count, gate_count;
    size_t clause_count;
    int variable_count;
};

static struct gate *allocate_slots(size_t count)
{
    size_t capacity = 0;
    struct gate *slots = array_reserve(NULL, &capacity, count, sizeof *slots);
    memset(slots, 0, count * sizeof *slots);
    return slots;
}

struct gates *gates_create(void)
{
    size_t capacity = 0;
    struct gates *gates = array_reserve(NULL, &capacity, 1, sizeof *gates);
    *gates = (struct gates){.solver = ccadical_init(), .slots = allocate_slots(INITIAL_SLOTS)};
    gates->slot_count = INITIAL_SLOTS;
    ccadical_set_option(gates->solver, "quiet", 1);
    ccadical_set_option(gates->solver, "lucky", 0); /* looks at all clauses at each query, for nothing */
    require(gates, new_variable(gates));            /* LITERAL_TRUE */
    return gates;
}

void gates_destroy(struct gates *gates)
{
    if (!gates)
        return;
    ccadical_release(gates->solver);
    free(gates->slots);
    free(gates);
}

CCaDiCaL *gates_solver(const struct gates *gates)
{
    return gates->solver;
}

size_t gates_clause_count(const struct gates *gates)
{
    return gates->clause_count;
}

bool gates_are_full(const struct gates *gates)
{
    return gates->clause_count > MOST_CLAUSES;
}

/* Clauses */

static void end_clause(struct gates *gates)
{
    ccadical_add(gates->solver, 0);
    gates->clause_count++;
}

static void clause_of_two(struct gates *gates, literal a, literal b)
{
    ccadical_add(gates->solver, a);
    ccadical_add(gates->solver, b);
    end_clause(gates);
}

static void clause_of_three(struct gates *gates, literal a, literal b, literal c)
{
    ccadical_add(gates->solver, a);
    ccadical_add(gates->solver, b);
    ccadical_add(gates->solver, c);
    end_clause(gates);
}

static void clause_of_four(struct gates *gates, literal a, literal b, literal c, literal d)
{
    ccadical_add(gates->solver, a);
    ccadical_add(gates->solver, b);
    clause_of_two(gates, c, d);
}

literal new_variable(struct gates *gates)
{
    return ++gates->variable_count;
}

void require(struct gates *gates, literal condition)
{
    ccadical_add(gates->solver, condition);
    end_clause(gates);
}

/* What a gate means */

static void define(struct gates *gates, const struct gate *gate)
{
    literal a = gate->a, b = gate->b, c = gate->c, output = gate->output;
    switch (gate->kind) {
    case GATE_NONE: break;
    case GATE_AND:
        clause_of_two(gates, -output, a);
        clause_of_two(gates, -output, b);
        clause_of_three(gates, output, -a, -b);
        break;
    case GATE_XOR:
        clause_of_three(gates, -output, a, b);
        clause_of_three(gates, -output, -a, -b);
        clause_of_three(gates, output, -a, b);
        clause_of_three(gates, output, a, -b);
        break;
    case GATE_CHOOSE: /* the last two follow, and let the solver see more at once */
        clause_of_three(gates, -a, -b, output);
        clause_of_three(gates, -a, b, -output);
        clause_of_three(gates, a, -c, output);
        clause_of_three(gates, a, c, -output);
        clause_of_three(gates, -b, -c, output);
        clause_of_three(gates, b, c, -output);
        break;
    case GATE_PARITY:
        for (unsigned signs = 0; signs < 8; signs++) {
            literal x = signs & 1 ? -a : a, y = signs & 2 ? -b : b, z = signs & 4 ? -c : c;
            clause_of_four(gates, x, y, z, __builtin_parity(signs) ? output : -output);
        }
        break;
    case GATE_MAJORITY:
        clause_of_three(gates, -a, -b, output);
        clause_of_three(gates, -a, -c, output);
        clause_of_three(gates, -b, -c, output);
        clause_of_three(gates, a, b, -output);
        clause_of_three(gates, a, c, -output);
        clause_of_three(gates, b, c, -output);
        break;
    }
}

/* Each gate once */

static size_t slot_of(const struct gates *gates, const struct gate *gate)
{
    uint64_t hash = (uint64_t)gate->kind + (uint64_t)(uint32_t)gate->a * UINT64_C(0x9e3779b97f4a7c15);
    hash = (hash ^ hash >> 29 ^ (uint32_t)gate->b) * UINT64_C(0xbf58476d1ce4e5b9);
    hash = (hash ^ hash >> 32 ^ (uint32_t)gate->c) * UINT64_C(0x94d049bb133111eb);
    size_t at = (hash >> 24) & (gates->slot_count - 1);
    for (; gates->slots[at].kind != GATE_NONE; at = (at + 1) & (gates->slot_count - 1)) {
        const struct gate *there = &gates->slots[at];
        if (there->kind == gate->kind && there->a == gate->a && there->b == gate->b && there->c == gate->c)
            break;
    }
    return at;
}

static void grow(struct gates *gates)
{
    struct gate *old = gates->slots;
    size_t old_count = gates->slot_count;
    gates->slot_count *= 2;
    gates->slots = allocate_slots(gates->slot_count);
    for (size_t i = 0; i < old_count; i++)
        if (old[i].kind != GATE_NONE)
            gates->slots[slot_of(gates, &old[i])] = old[i];
    free(old);
}

static literal gate_output(struct gates *gates, enum gate_kind kind, literal a, literal b, literal c)
{
    if (gates_are_full(gates))
        return LITERAL_TRUE;
    if (gates->gate_count * 2 >= gates->slot_count)
        grow(gates);
    struct gate gate = {.kind = kind, .a = a, .b = b, .c = c};
    struct gate *slot = &gates->slots[slot_of(gates, &gate)];
    if (slot->kind == GATE_NONE) {
        gate.output = new_variable(gates);
        *slot = gate;
        gates->gate_count++;
        define(gates, slot);
    }
    return slot->output;
}

static void order(literal *a, literal *b)
{
    if (*a <= *b)
        return;
    literal first = *b;
    *b = *a;
    *a = first;
}

literal gate_and(struct gates *gates, literal a, literal b)
{
    if (a == LITERAL_FALSE || b == LITERAL_FALSE || a == -b)
        return LITERAL_FALSE;
    if (a == LITERAL_TRUE || a == b)
        return b;
    if (b == LITERAL_TRUE)
        return a;
    order(&a, &b);
    return gate_output(gates, GATE_AND, a, b, 0);
}

literal gate_or(struct gates *gates, literal a, literal b)
{
    return -gate_and(gates, -a, -b);
}

static bool is_fixed(literal a)
{
    return a == LITERAL_TRUE || a == LITERAL_FALSE;
}

literal gate_xor(struct gates *gates, literal a, literal b)
{
    if (is_fixed(a))
        return a == LITERAL_TRUE ? -b : b;
    if (is_fixed(b))
        return b == LITERAL_TRUE ? -a : a;
    if (abs(a) == abs(b))
        return a == b ? LITERAL_FALSE : LITERAL_TRUE;
    literal x = abs(a), y = abs(b);
    order(&x, &y);
    literal output = gate_output(gates, GATE_XOR, x, y, 0);
    return (a < 0) != (b < 0) ? -output : output;
}

literal gate_choose(struct gates *gates, literal condition, literal on_true, literal on_false)
{
    if (is_fixed(condition))
        return condition == LITERAL_TRUE ? on_true : on_false;
    if (on_true == on_false)
        return on_true;
    if (on_true == -on_false)
        return -gate_xor(gates, condition, on_true);
    if (is_fixed(on_true) || on_true == condition || on_true == -condition)
        return on_true == LITERAL_TRUE || on_true == condition ? gate_or(gates, condition, on_false)
                                                               : gate_and(gates, -condition, on_false);
    if (is_fixed(on_false) || on_false == condition || on_false == -condition)
        return on_false == LITERAL_FALSE || on_false == condition ? gate_and(gates, condition, on_true)
                                                                  : gate_or(gates, -condition, on_true);
    if (condition < 0)
        return gate_choose(gates, -condition, on_false, on_true);
    if (on_true < 0)
        return -gate_output(gates, GATE_CHOOSE, condition, -on_true, -on_false);
    return gate_output(gates, GATE_CHOOSE, condition, on_true, on_false);
}

literal gate_parity(struct gates *gates, literal a, literal b, literal c)
{
    literal x = abs(a), y = abs(b), z = abs(c);
    if (is_fixed(a) || y == z)
        return gate_xor(gates, a, gate_xor(gates, b, c));
    if (is_fixed(b) || x == z)
        return gate_xor(gates, b, gate_xor(gates, a, c));
    if (is_fixed(c) || x == y)
        return gate_xor(gates, c, gate_xor(gates, a, b));
    order(&x, &y);
    order(&y, &z);
    order(&x, &y);
    literal output = gate_output(gates, GATE_PARITY, x, y, z);
    return (a < 0) ^ (b < 0) ^ (c < 0) ? -output : output;
}

literal gate_majority(struct gates *gates, literal a, literal b, literal c)
{
    order(&a, &b);
    order(&b, &c);
    order(&a, &b);
    if (is_fixed(a))
        return a == LITERAL_TRUE ? gate_or(gates, b, c) : gate_and(gates, b, c);
    if (is_fixed(b))
        return b == LITERAL_TRUE ? gate_or(gates, a, c) : gate_and(gates, a, c);
    if (is_fixed(c))
        return c == LITERAL_TRUE ? gate_or(gates, a, b) : gate_and(gates, a, b);
    if (a == b || a == -c)
        return b;
    if (b == c || a == -b)
        return c;
    if (b == -c)
        return a;
    return a < 0 && b < 0 ? -gate_output(gates, GATE_MAJORITY, -c, -b, -a) : gate_output(gates, GATE_MAJORITY, a, b, c);
}

/* Wide conjunctions belong to one comparison each, which exists once already: they are not looked up. */
literal gate_all(struct gates *gates, literal *literals, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (literals[i] == LITERAL_FALSE)
            return LITERAL_FALSE;
        if (literals[i] != LITERAL_TRUE)
            literals[kept++] = literals[i];
    }
    if (kept <= 2)
        return kept == 0 ? LITERAL_TRUE : gate_and(gates, literals[0], literals[kept - 1]);
    literal output = new_variable(gates);
    for (size_t i = 0; i < kept; i++)
        clause_of_two(gates, -output, literals[i]);
    for (size_t i = 0; i < kept; i++)
        ccadical_add(gates->solver, -literals[i]);
    ccadical_add(gates->solver, output);
    end_clause(gates);
    return output;
}
