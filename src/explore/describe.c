/* A path's conditions as a person reads them. */
#include "explore/explorer.h"

#include <stdlib.h>

enum { CONDITIONS_KEPT = 500 };

/* Conditions in words, in the order in which they came up; one that was said before is left out. Of very many, the last
 * are kept: they are nearest to the divergence. */
const char **describe_conditions(struct arena *arena, const struct path *path, struct expr_table *table,
                                 const struct input_layout *layout)
{
    struct conditions conditions = {0};
    struct set *said = set_create();
    for (size_t i = 0; i < path->count; i++)
        decision_conditions(&path->decisions[i], table, &conditions);
    for (size_t i = 0; i < path->output_count && !path->diverged;
         i++) /* the same path: it is the output that differs */
        if (path->outputs[i].differs && expr_evaluate(table, path->outputs[i].differs, path->input, path->input_size))
            conditions_add(&conditions, table, path->outputs[i].differs, true);
    size_t first = conditions.count > CONDITIONS_KEPT ? conditions.count - CONDITIONS_KEPT : 0, count = 0;
    const char **list = arena_allocate(arena, (conditions.count - first + 2) * sizeof *list);
    if (first)
        list[count++] = arena_format(arena, "(%zu conditions more)", first);
    for (size_t i = first; i < conditions.count; i++) {
        struct text text = {0};
        expr_print(table, conditions.list[i], layout, &text);
        if (set_add(said, text_string(&text), text.length))
            list[count++] = arena_copy_string(arena, text_string(&text));
        text_free(&text);
    }
    set_destroy(said);
    free(conditions.list);
    return list;
}
