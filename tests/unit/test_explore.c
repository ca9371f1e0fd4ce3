/* The tree of decisions, and the orders in which its open ways are taken. */
#include "explore/frontier.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { DEPTH = 4 };
static const unsigned ORDERS = EXPLORE_LIFO + 1;

struct fixture {
    struct expr_table *table;
    struct tree tree;
    struct frontier frontier;
    struct witness *witness;
    struct site_table *sites;
};

/* "Input byte `byte` is below 10", in one version or in both. */
static struct decision decide(struct fixture *fixture, uint32_t byte, bool is_shadowed)
{
    struct expr_table *table = fixture->table;
    expr_id input = expr_input(table, byte);
    expr_id new = expr_make(table, PN_ULT, 1, input, expr_constant(table, 8, 10), 0);
    expr_id old = expr_make(table, PN_ULT, 1, input, expr_constant(table, 8, 20), 0);
    return (struct decision){
        .kind = PN_EVENT_BRANCH, .side = PN_SIDE_BOTH, .new_condition = new, .old_condition = is_shadowed ? old : new};
}

static void begin(struct fixture *fixture, enum explore_order order)
{
    *fixture = (struct fixture){.table = expr_table_create()};
    fixture->sites = site_table_create();
    frontier_begin(&fixture->frontier, order, &fixture->tree, fixture->sites);
    fixture->witness = witness_create(&fixture->tree, (const uint8_t[]){0}, 1);
}

static void end(struct fixture *fixture)
{
    witness_release(&fixture->tree, fixture->witness);
    tree_destroy(&fixture->tree);
    frontier_end(&fixture->frontier);
    expr_table_destroy(fixture->table);
    site_table_destroy(fixture->sites);
}

/* A run that makes all decisions below a way, and takes the first way out of each; the others are opened. */
static void run(struct fixture *fixture, struct tree_node *node, unsigned way, uint32_t depth)
{
    for (; depth < DEPTH; depth++) {
        struct decision decision = decide(fixture, depth, false);
        node = tree_node_create(&fixture->tree, node, way, &decision, fixture->witness, fixture->table);
        tree_take(&fixture->tree, node, 0);
        tree_open(&fixture->tree, node, 3);
        frontier_add(&fixture->frontier, node, 3, false);
        way = 0;
    }
    tree_finish(&fixture->tree, node, way, WAY_DONE);
    tree_tidy(&fixture->tree, node);
}

static uint32_t depth_of(const struct tree_node *node)
{
    uint32_t depth = 0;
    for (; node->parent; node = node->parent)
        depth++;
    return depth;
}

/* Explores everything; the depths of the ways in the order in which they were taken. */
static size_t explore_all(enum explore_order order, uint32_t depths[1 << DEPTH])
{
    struct fixture fixture;
    struct open_way next;
    size_t count = 0;
    begin(&fixture, order);
    for (run(&fixture, NULL, 0, 0); frontier_next(&fixture.frontier, &next); count++) {
        depths[count] = depth_of(next.node);
        next.node->queued--;
        tree_take(&fixture.tree, next.node, next.way);
        run(&fixture, next.node, next.way, depths[count] + 1);
        assert_true(count < 1 << DEPTH);
    }
    assert_null(fixture.tree.root); /* everything is finished, and given back */
    end(&fixture);
    return count;
}

static void every_order_takes_every_way_once(void **state)
{
    (void)state;
    uint32_t depths[1 << DEPTH];
    for (unsigned order = 0; order < ORDERS; order++) {
        size_t by_depth[DEPTH] = {0}, count = explore_all((enum explore_order)order, depths);
        assert_int_equal(count, (1 << DEPTH) - 1); /* and the first run */
        for (size_t i = 0; i < count; i++)
            by_depth[depths[i]]++;
        for (unsigned i = 0; i < DEPTH; i++)
            assert_int_equal(by_depth[i], 1 << i);
    }
}

static void orders_are_what_they_are_called(void **state)
{
    (void)state;
    uint32_t depths[1 << DEPTH];
    size_t count = explore_all(EXPLORE_DEPTH_FIRST, depths);
    assert_int_equal(depths[0], DEPTH - 1);
    assert_int_equal(depths[count - 1], DEPTH - 1);
    assert_int_equal(depths[(1 << (DEPTH - 1)) - 1], 0); /* one half is finished before the other is begun */
    explore_all(EXPLORE_BREADTH_FIRST, depths);
    for (uint32_t i = 0; i < DEPTH; i++)
        assert_int_equal(depths[i], i); /* in the order of the run that opened them */
}

/* Two branches, the second nearer to the change. */
static struct site_table *make_sites(uint32_t sites[2])
{
    struct site_table *table = site_table_create();
    for (uint32_t i = 0; i < 2; i++) {
        sites[i] = site_table_add(table, &(struct site){.file = "a.c", .function = "f", .what = ""});
        site_table_outcomes(table, sites[i], 1)[1] = 9 - i;
    }
    return table;
}

static struct open_way guided(struct guide *guide)
{
    struct open_way next;
    assert_true(guide_next(guide, &next));
    return next;
}

static void the_guide_takes_what_is_rare_then_what_is_near(void **state)
{
    (void)state;
    enum { COUNT = 6 };
    struct fixture fixture;
    struct guide guide;
    uint32_t sites[2];
    struct tree_node *nodes[COUNT], *node = NULL;
    begin(&fixture, EXPLORE_DEPTH_FIRST);
    struct site_table *table = make_sites(sites);
    guide_begin(&guide, &fixture.tree, table);
    for (uint32_t i = 0; i < COUNT; i++) { /* the last two behind a change */
        struct decision decision = decide(&fixture, i, false);
        decision.site = sites[i % 2];
        nodes[i] = node = tree_node_create(&fixture.tree, node, 0, &decision, fixture.witness, fixture.table);
        tree_take(&fixture.tree, node, 0);
        tree_open(&fixture.tree, node, 3);
        guide_add(&guide, node, 3, i >= 4);
    }
    guide_take(&guide, &nodes[4]->decision, 3, true);
    guide_take(&guide, &nodes[5]->decision, 3, true);
    assert_int_equal(guided(&guide).node->decision.site, sites[1]); /* nearer */
    guide_take(&guide, &nodes[1]->decision, 3, false);
    assert_int_equal(guided(&guide).node->decision.site, sites[0]); /* not taken yet */
    guide_take(&guide, &nodes[0]->decision, 3, false);
    struct open_way first = guided(&guide), second = guided(&guide); /* all once: behind the change nothing is nearer */
    assert_true((first.node == nodes[4] && second.node == nodes[5]) ||
                (first.node == nodes[5] && second.node == nodes[4]));
    assert_int_equal(guided(&guide).node->decision.site, sites[1]);
    assert_int_equal(guided(&guide).node->decision.site, sites[0]);
    assert_false(guide_next(&guide, &first));
    for (uint32_t i = 0; i < COUNT; i++)
        nodes[i]->queued = 0;
    guide_end(&guide);
    site_table_destroy(table);
    end(&fixture);
}

static void words_are_as_many_as_orders(void **state)
{
    (void)state;
    size_t words = 1;
    for (const char *at = EXPLORE_ORDERS; (at = strchr(at, '|')); at++)
        words++;
    assert_int_equal(words, ORDERS);
}

static void decisions_have_the_ways_that_they_can_have(void **state)
{
    (void)state;
    struct fixture fixture;
    begin(&fixture, EXPLORE_DEPTH_FIRST);
    struct decision decisions[] = {decide(&fixture, 0, false), decide(&fixture, 0, true), decide(&fixture, 0, false),
                                   decide(&fixture, 0, false)};
    decisions[2].kind = PN_EVENT_ASSUME;
    decisions[3].side = PN_SIDE_OLD;
    static const bool possible[][TREE_WAYS] = {
        {true, false, false, true}, {true, true, true, true}, {false, false, false, true}, {true, false, false, true}};
    static const unsigned conditions[][TREE_WAYS] = {{1, 0, 0, 1}, {2, 2, 2, 2}, {0, 0, 0, 1}, {1, 0, 0, 1}};
    struct tree_node *node = NULL;
    for (size_t i = 0; i < sizeof decisions / sizeof *decisions; i++) {
        node = tree_node_create(&fixture.tree, node, 3, &decisions[i], fixture.witness, fixture.table);
        for (unsigned way = 0; way < TREE_WAYS; way++) {
            assert_int_equal(node->ways[way].possible, possible[i][way]);
            assert_int_equal(node->ways[way].count, conditions[i][way]);
        }
    }
    end(&fixture);
}

static void a_run_goes_by_its_outcomes(void **state)
{
    (void)state;
    struct decision decision = {.kind = PN_EVENT_BRANCH, .new_outcome = true};
    assert_int_equal(decision_way(&decision), 1);
    decision.old_outcome = true;
    assert_int_equal(decision_way(&decision), 3);
    decision = (struct decision){.kind = PN_EVENT_CHECK, .side = PN_SIDE_NEW};
    assert_int_equal(decision_way(&decision), 2); /* the old version goes on */
    decision.side = PN_SIDE_OLD;
    assert_int_equal(decision_way(&decision), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_order_takes_every_way_once),
        cmocka_unit_test(orders_are_what_they_are_called),
        cmocka_unit_test(the_guide_takes_what_is_rare_then_what_is_near),
        cmocka_unit_test(words_are_as_many_as_orders),
        cmocka_unit_test(decisions_have_the_ways_that_they_can_have),
        cmocka_unit_test(a_run_goes_by_its_outcomes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
