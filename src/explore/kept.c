/* Paths that are kept, by hundreds of thousands: arrays have the size that they need, and names are shared. */
#include "explore/kept.h"
#include "base/arena.h"

#include <string.h>

struct keeper keeper_create(void)
{
    return (struct keeper){.arena = arena_create(), .names = set_create()};
}

void keeper_destroy(struct keeper *keeper)
{
    arena_destroy(keeper->arena);
    set_destroy(keeper->names);
}

void keeper_clear(struct keeper *keeper)
{
    arena_reset(keeper->arena);
}

static void *copy(struct arena *arena, const void *bytes, size_t size)
{
    void *to = arena_allocate(arena, size + 1);
    return size ? memcpy(to, bytes, size) : to;
}

static const char *share_name(struct keeper *keeper, const char *name)
{
    return set_get(keeper->names, set_enter(keeper->names, name, strlen(name) + 1));
}

static void take_outputs(struct keeper *keeper, struct kept_path *kept, const struct path *path)
{
    kept->output_count = path->output_count;
    kept->outputs = copy(keeper->arena, path->outputs, path->output_count * sizeof *path->outputs);
    for (size_t i = 0; i < path->output_count; i++) {
        struct path_output *output = &kept->outputs[i];
        output->name = share_name(keeper, output->name);
        output->parts = copy(keeper->arena, output->parts, output->part_count * sizeof *output->parts);
        output->new_bytes = output->old_bytes = NULL;
    }
}

struct kept_path keeper_take(struct keeper *keeper, const struct path *path, const struct conditions *conditions,
                             bool with_outputs)
{
    size_t size = conditions->count * sizeof *conditions->list;
    struct kept_path kept = {
        .conditions = {.list = copy(keeper->arena, conditions->list, size), .count = conditions->count},
        .input = copy(keeper->arena, path->input, path->input_size),
        .input_size = path->input_size,
    };
    if (with_outputs)
        take_outputs(keeper, &kept, path);
    return kept;
}
