/* A path's conditions as a person reads them. Paths share most of their conditions: each is printed once, and kept. */
#include "explore/condense.h"
#include "explore/explorer.h"
#include "explore/known.h"

#include <stdio.h>
#include <stdlib.h>

enum { CONDITIONS_KEPT = 500 };
/* Evaluations of expressions that finding out which values fulfil conditions may take, in all. */
static const uint64_t MOST_WORK = 4 * 1000 * 1000;

struct description {
    const char *text;               /* NULL while nobody has asked */
    size_t number;                  /* of the text: several conditions may read alike */
    const struct value_set *values; /* NULL: it is not about one element alone, or nobody knows */
    struct element element;
};

struct descriptions {
    struct arena *arena;
    struct set *texts;
    struct set *known;        /* few of all expressions */
    struct description *list; /* in their order */
    size_t capacity;
    uint32_t *said; /* by text: the number of the latest path that had it */
    size_t said_capacity;
    uint32_t described; /* paths */
    struct conditions conditions;
    const char **lines; /* of the latest path */
    size_t line_capacity;
    struct condensed *condensed;
    size_t condensed_capacity;
    struct arena *latest; /* texts that only the latest path has */
    struct known bytes;   /* that the latest path has settled */
    uint64_t work;
    char more[64];
};

struct descriptions *descriptions_create(void)
{
    struct descriptions *descriptions = calloc(1, sizeof *descriptions);
    descriptions->arena = arena_create();
    descriptions->latest = arena_create();
    descriptions->texts = set_create();
    descriptions->known = set_create();
    return descriptions;
}

void descriptions_destroy(struct descriptions *descriptions)
{
    arena_destroy(descriptions->arena);
    arena_destroy(descriptions->latest);
    set_destroy(descriptions->texts);
    set_destroy(descriptions->known);
    free(descriptions->list);
    free(descriptions->said);
    free(descriptions->conditions.list);
    free(descriptions->lines);
    free(descriptions->condensed);
    known_free(&descriptions->bytes);
    free(descriptions);
}

static void find_values(struct explorer *explorer, expr_id condition, struct description *description)
{
    struct descriptions *descriptions = explorer->descriptions;
    struct value_set values;
    uint64_t before = expr_evaluation_work(explorer->table);
    if (descriptions->work > MOST_WORK)
        return;
    if (values_of(explorer->table, condition, explorer->layout, &description->element, &values)) {
        struct value_set *kept = arena_allocate(descriptions->arena, sizeof values);
        *kept = values;
        description->values = kept;
    }
    descriptions->work += expr_evaluation_work(explorer->table) - before;
}

static void print(struct explorer *explorer, expr_id condition, struct description *description)
{
    struct descriptions *descriptions = explorer->descriptions;
    struct text text = {0};
    expr_print(explorer->table, condition, explorer->layout, &text);
    set_add(descriptions->texts, text_string(&text), text.length);
    description->number = set_find(descriptions->texts, text_string(&text), text.length);
    description->text = arena_copy_string(descriptions->arena, text_string(&text));
    descriptions->said = array_reserve_zeroed(descriptions->said, &descriptions->said_capacity, description->number + 1,
                                              sizeof *descriptions->said);
    text_free(&text);
    find_values(explorer, condition, description);
}

static struct description *description_of(struct descriptions *descriptions, expr_id condition)
{
    struct set *known = descriptions->known;
    size_t number = set_find(known, &condition, sizeof condition);
    if (number == set_count(known))
        set_add(known, &condition, sizeof condition);
    descriptions->list =
        array_reserve_zeroed(descriptions->list, &descriptions->capacity, number + 1, sizeof *descriptions->list);
    return &descriptions->list[number];
}

static struct description *described(struct explorer *explorer, expr_id condition)
{
    struct description *description = description_of(explorer->descriptions, condition);
    if (!description->text)
        print(explorer, condition, description);
    return description;
}

/* NULL where the path's description has it already. */
static const struct description *describe(struct explorer *explorer, expr_id condition)
{
    struct descriptions *descriptions = explorer->descriptions;
    const struct description *description = described(explorer, condition);
    if (descriptions->said[description->number] == descriptions->described)
        return NULL;
    descriptions->said[description->number] = descriptions->described;
    return description;
}

static void list_conditions(struct explorer *explorer, const struct path *path, struct conditions *conditions)
{
    struct expr_table *table = explorer->table;
    conditions->count = 0;
    for (size_t i = 0; i < path->count; i++)
        decision_conditions(&path->decisions[i], table, conditions);
    for (size_t i = 0; i < path->output_count && !path->diverged;
         i++) { /* the same path: it is the output that differs */
        expr_id differs = path->outputs[i].differs;
        if (differs && expr_evaluate(table, differs, path->input, path->input_size))
            conditions_add(conditions, table, differs, true);
    }
}

/* What conditions on one element settle. */
static void settle_bytes(struct explorer *explorer, size_t first)
{
    struct descriptions *descriptions = explorer->descriptions;
    const struct conditions *conditions = &descriptions->conditions;
    known_clear(&descriptions->bytes);
    for (size_t i = first; i < conditions->count; i++) {
        const struct description *description = described(explorer, conditions->list[i]);
        if (description->values)
            known_add(&descriptions->bytes, &description->element, description->values);
    }
}

/* A condition on more than one element, with what is settled in its place. */
static expr_id put_settled(struct explorer *explorer, expr_id condition)
{
    struct descriptions *descriptions = explorer->descriptions;
    uint64_t value;
    if (described(explorer, condition)->values || descriptions->bytes.work > MOST_WORK)
        return condition;
    expr_id put = known_put(&descriptions->bytes, explorer->table, condition);
    return expr_is_constant(explorer->table, put, &value) && !value ? condition : put;
}

static size_t describe_all(struct explorer *explorer, size_t first)
{
    struct descriptions *descriptions = explorer->descriptions;
    const struct conditions *conditions = &descriptions->conditions;
    size_t count = 0;
    settle_bytes(explorer, first);
    descriptions->condensed = array_reserve(descriptions->condensed, &descriptions->condensed_capacity,
                                            conditions->count + 1, sizeof *descriptions->condensed);
    for (size_t i = first; i < conditions->count; i++) {
        uint64_t always;
        expr_id condition = put_settled(explorer, conditions->list[i]);
        if (expr_is_constant(explorer->table, condition, &always))
            continue;
        const struct description *said = describe(explorer, condition);
        if (said)
            descriptions->condensed[count++] = (struct condensed){said->text, said->values, said->element};
    }
    return count;
}

/* In the order in which they came up; what others say is left out. Of very many, the last are kept: they are nearest to
 * the divergence. */
const char *const *describe_conditions(struct explorer *explorer, const struct path *path)
{
    struct descriptions *descriptions = explorer->descriptions;
    struct conditions *conditions = &descriptions->conditions;
    list_conditions(explorer, path, conditions);
    descriptions->described++;
    arena_reset(descriptions->latest);
    descriptions->lines = array_reserve(descriptions->lines, &descriptions->line_capacity, conditions->count + 2,
                                        sizeof *descriptions->lines);
    size_t first = conditions->count > CONDITIONS_KEPT ? conditions->count - CONDITIONS_KEPT : 0, count = 0;
    size_t said = describe_all(explorer, first);
    condense(descriptions->condensed, said, descriptions->latest);
    if (first) {
        snprintf(descriptions->more, sizeof descriptions->more, "(%zu conditions more)", first);
        descriptions->lines[count++] = descriptions->more;
    }
    for (size_t i = 0; i < said; i++)
        if (descriptions->condensed[i].text)
            descriptions->lines[count++] = descriptions->condensed[i].text;
    descriptions->lines[count] = NULL;
    return descriptions->lines;
}
