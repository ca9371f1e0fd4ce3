/* Workers: processes that share one exploration.
 *
 * It begins in one process. Where enough is left to do and a processor is free, a worker forks: both know everything
 * that was learnt up to then - expressions, the tree of decisions, what the solver has answered - and each goes on with
 * one half of the open work. So nothing is done twice, nothing has to be told, and whoever has much to do gives half of
 * it away when another one has ended. What they find goes to the process that waits for it (beside.c). */
#ifndef PENUMBRA_EXPLORE_WORKERS_H
#define PENUMBRA_EXPLORE_WORKERS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* What all of them share. */
struct team;

/* One of them: this process. */
struct worker {
    struct team *team; /* NULL: it works alone */
    bool is_first;
    pid_t *children; /* workers that it has made */
    size_t child_count, child_capacity;
    double next_split, next_look; /* moments of clock_seconds() */
};

/* The first worker of at most so many at the same time. False where there is no memory for it. */
bool worker_begin(struct worker *worker, size_t most);
/* Of the process that only waits for them. */
void worker_leave(struct worker *worker);
/* It has nothing more to do. Waits for those that it has made; false where one of them has died. */
bool worker_end(struct worker *worker);

/* Another one could be of use now: one is missing, and this one has been at work for a while. */
bool worker_wants_another(const struct worker *worker);

enum split {
    SPLIT_NOT,    /* nothing was split */
    SPLIT_STAYS,  /* this is the process that there was: half of its work is gone */
    SPLIT_BEGINS, /* this is a new one, which has only that half */
};
enum split worker_split(struct worker *worker);
/* Of things to do in a row: whether this process keeps the one at a place. */
static inline bool split_keeps(enum split split, size_t place)
{
    return (place % 2 == 0) == (split == SPLIT_STAYS);
}
/* How many there are and were, this one included when it was made. */
size_t worker_number(const struct worker *worker);

/* All shall stop: the user wants it. */
void worker_stop_all(struct worker *worker);
/* Somebody said so, or one of those that this one has made has died. */
bool worker_must_stop(struct worker *worker);

/* One at a time may write to the pipe that they share. */
void worker_lock(struct worker *worker);
void worker_unlock(struct worker *worker);

/* A number for what is found: no two findings of any of them have the same. */
size_t worker_next_finding(struct worker *worker);

/* Whether none of them has met this before. For counts: where too much was met, everything is new. */
bool worker_sees_first(struct worker *worker, const void *bytes, size_t length);

/* Counts of all of them, for people; `more` is what this one has to add. */
struct worker_counts {
    size_t runs, paths, diff_paths;
};
struct worker_counts worker_count(struct worker *worker, const struct worker_counts *more);

#endif
