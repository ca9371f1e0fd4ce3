/* Each core is in the lists of all its conditions: a query need only ask for the conditions that its hint violates,
 * since the others hold together. What is found moves to the front of its list. */
#include "solve/cores.h"

#include "base/arena.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_CONDITIONS = 12, MOST_LOOKED_AT = 24, MOST_LINKS = 1 << 20 };

/* A core as a member of one list. All links of a core have the same conditions. */
struct link {
    uint32_t next;       /* 0: the last */
    uint32_t conditions; /* where they begin */
    uint32_t count;
};

struct cores {
    struct link *links; /* the first is not used */
    size_t link_count, link_capacity;
    expr_id *conditions;
    size_t condition_count, condition_capacity;
    uint32_t *lists; /* per expression: its first link */
    size_t list_capacity;
};

struct cores *cores_create(void)
{
    size_t capacity = 0;
    struct cores *cores = array_reserve(NULL, &capacity, 1, sizeof *cores);
    *cores = (struct cores){.link_count = 1};
    return cores;
}

void cores_destroy(struct cores *cores)
{
    free(cores->links);
    free(cores->conditions);
    free(cores->lists);
    free(cores);
}

static void drop_all(struct cores *cores)
{
    cores->link_count = 1;
    cores->condition_count = 0;
    memset(cores->lists, 0, cores->list_capacity * sizeof *cores->lists);
}

static void make_room(struct cores *cores, expr_id id)
{
    cores->lists = array_reserve_zeroed(cores->lists, &cores->list_capacity, (size_t)id + 1, sizeof *cores->lists);
}

void cores_add(struct cores *cores, const expr_id *conditions, size_t count)
{
    if (count == 0 || count > MOST_CONDITIONS)
        return;
    if (cores->link_count + count > MOST_LINKS)
        drop_all(cores);
    cores->links = array_reserve(cores->links, &cores->link_capacity, cores->link_count + count, sizeof *cores->links);
    cores->conditions = array_reserve(cores->conditions, &cores->condition_capacity, cores->condition_count + count,
                                      sizeof *cores->conditions);
    memcpy(cores->conditions + cores->condition_count, conditions, count * sizeof *conditions);
    for (size_t i = 0; i < count; i++) {
        make_room(cores, conditions[i]);
        cores->links[cores->link_count] = (struct link){.next = cores->lists[conditions[i]],
                                                        .conditions = (uint32_t)cores->condition_count,
                                                        .count = (uint32_t)count};
        cores->lists[conditions[i]] = (uint32_t)cores->link_count++;
    }
    cores->condition_count += count;
}

static bool all_members(const struct cores *cores, const struct link *link, member_function *is_member,
                        const void *context)
{
    for (uint32_t i = 0; i < link->count; i++)
        if (!is_member(context, cores->conditions[link->conditions + i]))
            return false;
    return true;
}

bool cores_contradict(struct cores *cores, expr_id condition, member_function *is_member, const void *context)
{
    if (condition >= cores->list_capacity)
        return false;
    uint32_t before = 0, at = cores->lists[condition];
    for (unsigned looked = 0; at && looked < MOST_LOOKED_AT; looked++, before = at, at = cores->links[at].next) {
        if (!all_members(cores, &cores->links[at], is_member, context))
            continue;
        if (before) {
            cores->links[before].next = cores->links[at].next;
            cores->links[at].next = cores->lists[condition];
            cores->lists[condition] = at;
        }
        return true;
    }
    return false;
}
