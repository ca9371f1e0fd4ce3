/* A path's conditions as a person reads them. */
#include "explore/explorer.h"

#include <stdlib.h>
#include <string.h>

enum { CONDITIONS_KEPT = 500 };

/* Paths share most of their conditions: each is printed once. */
static const char *describe(struct explorer *explorer, expr_id condition)
{
    size_t before = explorer->description_capacity;
    if (condition >= before) {
        explorer->descriptions = array_reserve(explorer->descriptions, &explorer->description_capacity,
                                               expr_count(explorer->table) + 1, sizeof *explorer->descriptions);
        memset(explorer->descriptions + before, 0,
               (explorer->description_capacity - before) * sizeof *explorer->descriptions);
    }
    if (!explorer->descriptions[condition]) {
        struct text text = {0};
        expr_print(explorer->table, condition, explorer->layout, &text);
        explorer->descriptions[condition] = arena_copy_string(explorer->description_arena, text_string(&text));
        text_free(&text);
    }
    return explorer->descriptions[condition];
}

static void list_conditions(struct explorer *explorer, const struct path *path, struct conditions *conditions)
{
    struct expr_table *table = explorer->table;
    for (size_t i = 0; i < path->count; i++)
        decision_conditions(&path->decisions[i], table, conditions);
    for (size_t i = 0; i < path->output_count && !path->diverged;
         i++) { /* the same path: it is the output that differs */
        expr_id differs = path->outputs[i].differs;
        if (differs && expr_evaluate(table, differs, path->input, path->input_size))
            conditions_add(conditions, table, differs, true);
    }
}

/* In the order in which they came up; one that was said before is left out. Of very many, the last are kept: they are
 * nearest to the divergence. */
const char **describe_conditions(struct explorer *explorer, struct arena *arena, const struct path *path)
{
    struct conditions conditions = {0};
    struct set *said = set_create();
    list_conditions(explorer, path, &conditions);
    size_t first = conditions.count > CONDITIONS_KEPT ? conditions.count - CONDITIONS_KEPT : 0, count = 0;
    const char **list = arena_allocate(arena, (conditions.count - first + 2) * sizeof *list);
    if (first)
        list[count++] = arena_format(arena, "(%zu conditions more)", first);
    for (size_t i = first; i < conditions.count; i++) {
        const char *text = describe(explorer, conditions.list[i]);
        if (set_add(said, text, strlen(text)))
            list[count++] = text;
    }
    set_destroy(said);
    free(conditions.list);
    return list;
}
