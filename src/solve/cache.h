/* What earlier queries teach: answers to exactly the same conditions, and recent models that may serve others.
 *
 * An answer is kept under the sorted list of its conditions, compared in full: a hash alone could not support the claim
 * that something is unsatisfiable. When the answers take too much memory, all are dropped. */
#ifndef PENUMBRA_SOLVE_CACHE_H
#define PENUMBRA_SOLVE_CACHE_H

#include "expr/expr.h"
#include "solve/solve.h"

struct assignment {
    uint32_t byte;
    uint8_t value;
};

struct cached_answer {
    enum solve_answer answer;
    const struct assignment *assignments; /* of a satisfiable one: every byte that the conditions read */
    size_t assignment_count;
};

/* An input that was a model of something. */
struct recent_model {
    uint8_t *bytes;
    size_t size, capacity;
};

struct cache;

struct cache *cache_create(size_t most_bytes);
void cache_destroy(struct cache *cache);

/* NULL when these conditions (ascending) were not asked before. */
const struct cached_answer *cache_find(const struct cache *cache, const expr_id *key, size_t count);
/* Keeps an answer to conditions that cache_find did not know; everything is copied. */
void cache_add(struct cache *cache, const expr_id *key, size_t count, const struct cached_answer *answer);

/* Recent models are kept apart by a signature, which says which bytes matter; equal signatures of different sets do no
 * harm. */
void cache_add_model(struct cache *cache, uint64_t signature, const uint8_t *bytes, size_t size);
/* A recent model under which all conditions hold when only the first `size` bytes count, or NULL. */
const struct recent_model *cache_find_model(struct cache *cache, uint64_t signature, struct expr_table *table,
                                            const expr_id *conditions, size_t count, size_t size);

#endif
