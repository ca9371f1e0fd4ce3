/* Expressions are made anew from their leaves up. Children have smaller numbers than their parents, so the cone below a
 * condition, in the order of its numbers, is the order to make it in. */
#include "explore/known.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_EXPRESSIONS = 256 };

struct cone {
    expr_id ids[MOST_EXPRESSIONS], made[MOST_EXPRESSIONS];
    size_t count;
};

void known_free(struct known *known)
{
    free(known->values), free(known->is_known);
    *known = (struct known){0};
}

void known_clear(struct known *known)
{
    if (known->count)
        memset(known->is_known, 0, known->capacity * sizeof *known->is_known);
    known->count = 0;
}

static void reserve(struct known *known, size_t bytes)
{
    size_t capacity = known->capacity;
    known->values = array_reserve(known->values, &capacity, bytes, sizeof *known->values);
    known->is_known = array_reserve_zeroed(known->is_known, &known->capacity, capacity, sizeof *known->is_known);
}

void known_add(struct known *known, const struct element *element, const struct value_set *set)
{
    if (set->count != 1 || set->intervals[0].low != set->intervals[0].high || set->width % 8)
        return;
    reserve(known, element->first + set->width / 8);
    for (unsigned i = 0; i < set->width / 8; i++) {
        known->values[element->first + i] = (uint8_t)(set->intervals[0].low >> (8 * i));
        known->is_known[element->first + i] = true;
    }
    known->count++;
}

static bool depends_on_known(const struct known *known, struct expr_table *table, expr_id id)
{
    size_t count;
    const uint32_t *bytes = expr_support(table, id, &count);
    for (size_t i = 0; i < count && bytes[i] < known->capacity; i++)
        if (known->is_known[bytes[i]])
            return true;
    return false;
}

static size_t place_of(const struct cone *cone, expr_id id)
{
    size_t i = 0;
    while (i < cone->count && cone->ids[i] != id)
        i++;
    return i;
}

/* Down to what stays as it is. False: there is too much of it. */
static bool collect(struct known *known, struct expr_table *table, expr_id root, struct cone *cone)
{
    cone->ids[0] = root;
    cone->count = 1;
    for (size_t i = 0; i < cone->count; i++) {
        const struct expr *expr = expr_get(table, cone->ids[i]);
        known->work++;
        for (unsigned child = 0; child < expr_arity[expr->operation]; child++) {
            expr_id id = expr_child(expr, child);
            if (place_of(cone, id) < cone->count || !depends_on_known(known, table, id))
                continue;
            if (cone->count == MOST_EXPRESSIONS)
                return false;
            cone->ids[cone->count++] = id;
        }
    }
    expr_sort(cone->ids, cone->count);
    return true;
}

static expr_id child_made(const struct cone *cone, expr_id id)
{
    size_t place = place_of(cone, id);
    return place < cone->count ? cone->made[place] : id;
}

static expr_id make(const struct known *known, struct expr_table *table, const struct cone *cone, expr_id id)
{
    struct expr expr = *expr_get(table, id);
    unsigned arity = expr_arity[expr.operation];
    if (expr.operation == PN_INPUT)
        return expr_constant(table, 8, known->values[expr.a]);
    return expr_make(table, expr.operation, expr.width, child_made(cone, expr.a),
                     arity > 1 ? child_made(cone, expr.b) : expr.b, arity > 2 ? child_made(cone, expr.c) : expr.c);
}

expr_id known_put(struct known *known, struct expr_table *table, expr_id condition)
{
    struct cone cone;
    if (!known->count || !depends_on_known(known, table, condition) || !collect(known, table, condition, &cone))
        return condition;
    for (size_t i = 0; i < cone.count; i++)
        cone.made[i] = make(known, table, &cone, cone.ids[i]);
    return cone.made[cone.count - 1];
}
