/* The expression table as its own files see it.
 *
 * Expressions lie in chunks that never move, in the order in which they were made; the id is the index. An open hash
 * table over the ids finds an expression that exists already. Beside the expression lie what evaluation remembers of it
 * (evaluate.c) and the set of input bytes it depends on (support.c). */
#ifndef PENUMBRA_EXPR_TABLE_H
#define PENUMBRA_EXPR_TABLE_H

#include "base/arena.h"
#include "expr/expr.h"

enum { CHUNK_BITS = 12, CHUNK_SIZE = 1 << CHUNK_BITS };

/* Not known yet: there may be many bytes in it. */
enum { SUPPORT_UNKNOWN = INT32_MAX >> 1 };

/* There is one for every operation of a trace, and traces are long: no byte of it is padding. */
struct stored_expr {
    struct expr expr;
    uint64_t memo;             /* the value in evaluation number `epoch` */
    uint32_t epoch;            /* 0: never evaluated */
    expr_id negation;          /* of a condition; 0: never asked for */
    uint32_t hash;             /* so that the slots can be made anew from the expressions alone */
    uint32_t support : 30;     /* index into support_sets.sets, or SUPPORT_UNKNOWN */
    uint32_t is_load : 1;      /* exactly the bytes of its support, little-endian: a variable of several bytes */
    uint32_t has_floating : 1; /* floating point is in it */
};

/* mathematics.c: what PN_FCALL or PN_FERROR gives for arguments of the width. */
uint64_t expr_call(enum pn_operation operation, uint32_t function, unsigned width, uint64_t a, uint64_t b);

struct support_set {
    const uint32_t *bytes; /* ascending */
    uint32_t count;
    uint32_t hash;
    uint64_t mask;  /* of the bytes below 64 */
    bool is_masked; /* there are no others */
};

struct known_union {
    uint32_t a, b, result;
};

struct bitmap {
    uint64_t *words;
    size_t capacity;
};

enum { KNOWN_UNIONS = 1024 };

struct support_sets {
    struct support_set *sets; /* the first is the empty set */
    size_t count, capacity;
    uint32_t *slots; /* open addressing over the sets' indices; 0: free */
    size_t slot_capacity;
    struct known_union unions[KNOWN_UNIONS]; /* direct-mapped: what was united last */
    struct bitmap visited, bytes;            /* scratch of walks */
    expr_id *stack;
    size_t stack_capacity;
};

struct evaluation {
    uint32_t epoch;
    const uint8_t *input;
    size_t size;
    expr_id *stack;
    size_t stack_capacity;
    uint64_t visits; /* of expressions, in all evaluations */
};

struct expr_table {
    struct arena *arena; /* chunks, sets and constants */
    struct stored_expr **chunks;
    size_t chunk_count, chunk_capacity;
    uint32_t count;
    expr_id *slots; /* 0: free */
    uint32_t slot_mask;
    struct evaluation evaluation;
    struct support_sets support;
    struct expr_constants *constants; /* of lookups */
    size_t constants_count, constants_capacity;
};

static inline struct stored_expr *stored_expr(const struct expr_table *table, expr_id id)
{
    return &table->chunks[id >> CHUNK_BITS][id & (CHUNK_SIZE - 1)];
}

static inline const struct expr *node_of(const struct expr_table *table, expr_id id)
{
    return &stored_expr(table, id)->expr;
}

/* The expression's id, made now if it does not exist. */
expr_id expr_intern(struct expr_table *table, const struct expr *expr);

void support_initialise(struct expr_table *table);
void support_free(struct expr_table *table);
/* The set of a new expression from its children's, SUPPORT_UNKNOWN when it is not cheap. */
uint32_t support_of_new(struct expr_table *table, const struct expr *expr);

static inline uint32_t first_byte(const struct expr_table *table, const struct stored_expr *stored)
{
    return table->support.sets[stored->support].bytes[0];
}

#endif
