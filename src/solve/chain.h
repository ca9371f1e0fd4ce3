/* The chain of tiers: who is asked for the answer to one component, one after the other, and what is remembered of the
 * answers. */
#ifndef PENUMBRA_SOLVE_CHAIN_H
#define PENUMBRA_SOLVE_CHAIN_H

#include "solve/cores.h"
#include "solve/slice.h"
#include "solve/solve.h"

struct chain;

/* Times that tiers take are added to the statistics. */
struct chain *chain_create(struct expr_table *table, unsigned timeout_milliseconds,
                           struct solve_statistics *statistics);
void chain_destroy(struct chain *chain);
void chain_use(struct chain *chain, unsigned tiers);
/* As solver_dump_to(). */
void chain_dump_to(struct chain *chain, const char *directory);
void chain_stop_at(struct chain *chain, double moment);

/* Solves a component. `model` is the hint, in which other components' bytes may have been changed already; the
 * component's become those of a solution, or stay. `highest` becomes the tier that was asked last, if it is higher. */
enum solve_answer chain_solve(struct chain *chain, const struct component *component, const uint8_t *hint,
                              uint8_t *model, size_t size, size_t *highest);
/* The same of a component that has only a key and a mask, if its answer is remembered; else false. */
bool chain_recall(struct chain *chain, const struct component *component, uint8_t *model, size_t size,
                  enum solve_answer *answer);
/* Whether a contradiction is known that contains the condition and else only members. */
bool chain_contradicts(struct chain *chain, expr_id condition, member_function *is_member, const void *context);

/* Where the statistics count what a tier answers: an offset. The first tier is number 0. */
size_t chain_counter(size_t tier);
/* As solver_tier(). */
bool chain_tier(const struct chain *chain, size_t number, struct solve_tier *tier);

#endif
