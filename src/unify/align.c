#include "unify/align.h"

#include <stdlib.h>
#include <string.h>

/* Statements of one kind that share less than this are different statements. */
static const double LEAST_LIKENESS = 0.4;

bool nodes_same(const struct tree *old, const struct node *one, const struct tree *new, const struct node *other)
{
    if (one->last - one->first != other->last - other->first)
        return false;
    for (size_t i = 0; i < one->last - one->first; i++)
        if (old->words[one->first + i].id != new->words[other->first + i].id)
            return false;
    return true;
}

double words_likeness(const struct tree *old, size_t first, size_t last, const struct tree *new, size_t new_first,
                      size_t new_last)
{
    size_t highest = 0, shared = 0, total = last - first + new_last - new_first;
    for (size_t i = first; i < last; i++)
        highest = old->words[i].id > highest ? old->words[i].id : highest;
    unsigned *left = calloc(highest + 1, sizeof *left);
    for (size_t i = first; i < last; i++)
        left[old->words[i].id]++;
    for (size_t i = new_first; i < new_last; i++)
        if (new->words[i].id <= highest && left[new->words[i].id]) {
            left[new->words[i].id]--;
            shared += 2;
        }
    free(left);
    return total ? (double)shared / (double)total : 1;
}

static double size_of(const struct node *node)
{
    return (double)(node->last - node->first);
}

/* What it costs to call the two the same statement; negative when they cannot be. */
static double cost(const struct tree *old, const struct node *one, const struct tree *new, const struct node *other)
{
    if (nodes_same(old, one, new, other))
        return 0;
    if (one->kind != other->kind || one->kind == NODE_LABEL)
        return -1;
    double likeness = words_likeness(old, one->first, one->last, new, other->first, other->last);
    bool is_only_kind = one->kind == CXCursor_ReturnStmt || one->kind == CXCursor_SwitchStmt;
    if (likeness < LEAST_LIKENESS && !is_only_kind)
        return -1;
    return (1 - likeness) * (size_of(one) + size_of(other)) * 0.95;
}

struct table {
    double *best; /* by how many items of both are left */
    size_t columns;
};

static double *cell(const struct table *table, size_t i, size_t k)
{
    return &table->best[i * table->columns + k];
}

static void align_middle(const struct tree *old, struct node **one, size_t count, const struct tree *new,
                         struct node **other, size_t other_count, size_t *matches, size_t shift)
{
    struct table table = {calloc((count + 1) * (other_count + 1), sizeof(double)), other_count + 1};
    double *costs = calloc(count * other_count + 1, sizeof *costs);
    for (size_t i = count + 1; i-- > 0;)
        for (size_t k = other_count + 1; k-- > 0;) {
            if (i == count && k == other_count)
                continue;
            double best = -1;
            if (i < count && k < other_count) {
                double here = cost(old, one[i], new, other[k]);
                costs[i * other_count + k] = here;
                if (here >= 0)
                    best = here + *cell(&table, i + 1, k + 1);
            }
            double without_old = i < count ? size_of(one[i]) + *cell(&table, i + 1, k) : -1;
            double without_new = k < other_count ? size_of(other[k]) + *cell(&table, i, k + 1) : -1;
            if (without_old >= 0 && (best < 0 || without_old < best))
                best = without_old;
            if (without_new >= 0 && (best < 0 || without_new < best))
                best = without_new;
            *cell(&table, i, k) = best;
        }
    for (size_t i = 0, k = 0; i < count && k < other_count;) {
        double here = costs[i * other_count + k];
        if (here >= 0 && *cell(&table, i, k) == here + *cell(&table, i + 1, k + 1)) {
            matches[shift + i++] = shift + k++;
        } else if (*cell(&table, i, k) == size_of(one[i]) + *cell(&table, i + 1, k)) {
            i++;
        } else {
            k++;
        }
    }
    free(table.best), free(costs);
}

size_t *lists_align(const struct tree *old, const struct list *one, const struct tree *new, const struct list *other)
{
    size_t *matches = malloc((one->count + 1) * sizeof *matches);
    size_t head = 0, tail = 0;
    for (size_t i = 0; i < one->count; i++)
        matches[i] = UNMATCHED;
    while (head < one->count && head < other->count && nodes_same(old, one->items[head], new, other->items[head])) {
        matches[head] = head;
        head++;
    }
    while (head + tail < one->count && head + tail < other->count &&
           nodes_same(old, one->items[one->count - 1 - tail], new, other->items[other->count - 1 - tail])) {
        matches[one->count - 1 - tail] = other->count - 1 - tail;
        tail++;
    }
    align_middle(old, one->items + head, one->count - head - tail, new, other->items + head, other->count - head - tail,
                 matches, head);
    return matches;
}
