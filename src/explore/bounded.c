/* The bounded phase: breadth first from one divergence, the new version alone. A path's children flip one decision
 * behind the one by which it was itself made, so that every path is found once. */
#include "explore/explorer.h"

#include <stdlib.h>
#include <string.h>

/* A path whose decisions from `first` on are still to be flipped. Of those that wait, only a few are kept as paths: the
 * others are inputs, and run again when it is their turn. */
struct work {
    struct path *path; /* NULL: run the input */
    uint8_t *input;
    size_t size, first, divergence;
    bool owned; /* the first one belongs to the divergence point */
};

enum { MOST_PATH_BYTES = 16 << 20, MOST_WORKS = 1 << 16 };

struct queue {
    struct work *items;
    size_t head, count, capacity;
    size_t path_bytes; /* of all paths that wait */
    bool is_cut;       /* there was no room for another one */
};

static size_t size_of(const struct path *path)
{
    size_t size = sizeof *path + path->decision_capacity * sizeof *path->decisions + path->input_size;
    for (size_t i = 0; i < path->output_count; i++)
        size += sizeof *path->outputs + 2 * path->outputs[i].size + path->outputs[i].part_count * sizeof(expr_id);
    return size;
}

/* What was taken makes room for what comes. */
static void make_room(struct queue *queue)
{
    if (queue->head > queue->count / 2) {
        memmove(queue->items, queue->items + queue->head, (queue->count - queue->head) * sizeof *queue->items);
        queue->count -= queue->head;
        queue->head = 0;
    }
    queue->items = array_reserve(queue->items, &queue->capacity, queue->count + 1, sizeof *queue->items);
}

/* Takes the path. */
static void enqueue(struct queue *queue, struct path *path, size_t first, bool owned)
{
    struct work work = {.path = path, .size = path->input_size, .first = first, .divergence = path->divergence};
    work.owned = owned;
    if (queue->count - queue->head >= MOST_WORKS) {
        queue->is_cut = true;
        path_free(path);
        return;
    }
    if (owned && queue->path_bytes + size_of(path) > MOST_PATH_BYTES) {
        work.input = malloc(path->input_size + 1);
        memcpy(work.input, path->input, path->input_size);
        work.path = NULL;
        path_free(path);
    } else if (owned) {
        queue->path_bytes += size_of(path);
    }
    make_room(queue);
    queue->items[queue->count++] = work;
}

/* The next one, as a path. One that does not go the same way again has no path; false on an error. */
static bool dequeue(struct explorer *explorer, struct queue *queue, struct work *work)
{
    *work = queue->items[queue->head++];
    if (work->path) {
        queue->path_bytes -= work->owned ? size_of(work->path) : 0;
        return true;
    }
    work->path = explorer_run(explorer, work->input, work->size);
    if (!work->path)
        return false;
    if (work->path->diverged && work->path->divergence == work->divergence && work->path->count >= work->first)
        return true;
    explorer->statistics.mispredictions++;
    path_free(work->path);
    work->path = NULL;
    return true;
}

static void release(struct work *work)
{
    if (work->owned)
        path_free(work->path);
    free(work->input);
    work->path = NULL;
    work->input = NULL;
}

static bool keeps_prefix(const struct path *path, const struct path *from, size_t index)
{
    return path->diverged && path->divergence == from->divergence && path_gets_to(path, from, index) &&
           path->decisions[index].part == from->decisions[index].part;
}

/* Queues a path that takes the decision another way. The decision's condition in that run comes back (0 when the run
 * did not get there). */
static bool take_flip(struct explorer *explorer, struct queue *queue, struct path *other, const struct path *path,
                      size_t index, expr_id *condition)
{
    *condition = 0;
    bool good = !other->diverged || explorer_report(explorer, other, "bounded");
    bool kept = keeps_prefix(other, path, index);
    explorer->statistics.mispredictions += !kept;
    if (kept)
        *condition = other->decisions[index].new_condition;
    if (kept && good)
        enqueue(queue, other, index + 1, true);
    else
        path_free(other);
    return good;
}

/* Asks for the other outcome of one decision. A value that was bound has many others: they are asked for one by one,
 * each time without those that were seen. */
static bool flip(struct explorer *explorer, struct queue *queue, const struct prefix *prefix, const struct path *path,
                 size_t index, double deadline)
{
    const struct decision *decision = &path->decisions[index];
    struct conditions goals = {0};
    bool good = true, again = decision->kind == PN_EVENT_CONCRETISE;
    conditions_add(&goals, explorer->table, decision->new_condition, !decision->new_outcome);
    do {
        struct path *other;
        expr_id seen;
        good = explorer_try(explorer, prefix, &goals, path, &other);
        if (!other)
            break;
        good = take_flip(explorer, queue, other, path, index, &seen);
        again = again && seen;
        if (again)
            conditions_add(&goals, explorer->table, seen, false);
    } while (again && good && !explorer_must_stop(explorer) && explorer_elapsed(explorer) < deadline);
    free(goals.list);
    return good;
}

static bool expand(struct explorer *explorer, struct queue *queue, const struct work *work, double deadline)
{
    const struct path *path = work->path;
    struct prefix prefix;
    bool good = true;
    prefix_begin(explorer, &prefix);
    for (size_t i = 0; i < path->count && good; i++) {
        if (i >= work->first && (explorer_must_stop(explorer) || explorer_elapsed(explorer) > deadline))
            break;
        if (i >= work->first && decision_can_flip(&path->decisions[i]) &&
            !prefix_decides(explorer, &prefix, path->decisions[i].new_condition))
            good = flip(explorer, queue, &prefix, path, i, deadline);
        prefix_pass(explorer, &prefix, &path->decisions[i]);
    }
    prefix_free(&prefix);
    return good;
}

bool bounded_phase(struct explorer *explorer, struct divergence_point *point, double seconds)
{
    struct queue queue = {0};
    double deadline = explorer_elapsed(explorer) + seconds;
    bool good = true, is_late = false;
    enqueue(&queue, point->path, point->path->divergence + 1, false);
    while (good && queue.head < queue.count && !explorer_must_stop(explorer)) {
        is_late = explorer_elapsed(explorer) > deadline;
        if (is_late) {
            explorer->statistics.points_cut++;
            break;
        }
        struct work work;
        good = dequeue(explorer, &queue, &work) && (!work.path || expand(explorer, &queue, &work, deadline));
        release(&work);
    }
    explorer->statistics.points_cut += queue.is_cut && !is_late;
    while (queue.head < queue.count)
        release(&queue.items[queue.head++]);
    free(queue.items);
    return good;
}
