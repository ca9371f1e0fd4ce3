/* Logic gates as clauses of CaDiCaL.
 *
 * A literal is a variable's number, negative for its negation. Gates fold constants and operands that are equal or
 * opposite, and equal gates exist once, so a circuit that was built before costs only the look-ups. */
#ifndef PENUMBRA_SOLVE_GATES_H
#define PENUMBRA_SOLVE_GATES_H

#include <ccadical.h>
#include <stdbool.h>
#include <stddef.h>

typedef int literal;

enum { LITERAL_TRUE = 1, LITERAL_FALSE = -1 };

struct gates;

struct gates *gates_create(void);
void gates_destroy(struct gates *gates);

CCaDiCaL *gates_solver(const struct gates *gates);
size_t gates_clause_count(const struct gates *gates);

/* Of all gates together: a clause takes CaDiCaL some 200 bytes. Beyond this no gate is made any more, also in the
 * middle of a circuit: what there is means nothing then, and must be given up. */
enum { MOST_CLAUSES = 300000 };
bool gates_are_full(const struct gates *gates);

literal new_variable(struct gates *gates);
/* From now on this holds. */
void require(struct gates *gates, literal condition);

literal gate_and(struct gates *gates, literal a, literal b);
literal gate_or(struct gates *gates, literal a, literal b);
literal gate_xor(struct gates *gates, literal a, literal b);
literal gate_choose(struct gates *gates, literal condition, literal on_true, literal on_false);
/* Both outputs of a full adder: the sum and the carry. */
literal gate_parity(struct gates *gates, literal a, literal b, literal c);
literal gate_majority(struct gates *gates, literal a, literal b, literal c);
/* Changes the array. */
literal gate_all(struct gates *gates, literal *literals, size_t count);

#endif
