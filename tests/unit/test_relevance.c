/* Which decisions of a run are relevant: against the definition, on random dependences and random runs. */
#include "base/chance.h"
#include "explore/relevance.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { NODES = 12, BLOCKS = 6, LINKS = 64, CRITERIA = 3, SITES = 6, KINDS = CRITERION_CHANGE | CRITERION_OUTPUT };

static struct chance chance = CHANCE_START;
static struct dependence_node nodes[NODES];
static struct dependence_block blocks[BLOCKS];
static struct dependence_range calls; /* of the only function: none */
static struct dependence_criterion criteria[CRITERIA];
static struct dependence_site sites[SITES];
static uint32_t links[LINKS];
static struct dependences dependences = {.nodes = nodes,
                                         .blocks = blocks,
                                         .functions = &calls,
                                         .criteria = criteria,
                                         .sites = sites,
                                         .links = links,
                                         .node_count = NODES,
                                         .block_count = BLOCKS,
                                         .function_count = 1,
                                         .criterion_count = CRITERIA,
                                         .site_count = SITES};
static struct pn_trace trace;

static uint32_t below(uint32_t count)
{
    return (uint32_t)chance_below(&chance, count);
}

static struct dependence_range add_links(uint32_t most)
{
    struct dependence_range range = {dependences.link_count, below(most + 1)};
    for (uint32_t i = 0; i < range.count; i++)
        links[dependences.link_count++] = below(NODES);
    return range;
}

static void make_dependences(void)
{
    dependences.link_count = 0;
    for (size_t i = 0; i < NODES; i++)
        nodes[i] = (struct dependence_node){below(8) ? below(BLOCKS) : DEPENDENCE_ALWAYS, add_links(2)};
    for (size_t i = 0; i < BLOCKS; i++)
        blocks[i] = (struct dependence_block){0, add_links(2)};
    for (uint32_t i = 0; i < CRITERIA; i++) {
        uint32_t node = below(NODES);
        bool is_change = nodes[node].block != DEPENDENCE_ALWAYS && below(2); /* an instruction */
        criteria[i] = (struct dependence_criterion){
            .node = node, .kinds = is_change ? CRITERION_CHANGE : CRITERION_OUTPUT, .site = 100 + i};
    }
    for (uint32_t i = 0; i < SITES; i++)
        sites[i] = (struct dependence_site){i, below(NODES)};
}

/* Most blocks are executed by most runs, as it is in programs. */
static void make_run(void)
{
    memset(trace.covered, 0, BLOCKS);
    trace.covered_count = 0;
    for (uint16_t i = 0; i < BLOCKS; i++) {
        if (!below(4))
            continue;
        trace.covered[i] = 1;
        trace.covered_list[trace.covered_count++] = i;
    }
}

/* ---- the definition ---- */

static bool relevant_nodes[NODES], relevant_blocks[BLOCKS];

static bool add_block(uint32_t block)
{
    bool is_new = block != DEPENDENCE_ALWAYS && !relevant_blocks[block];
    if (is_new)
        relevant_blocks[block] = true;
    return is_new;
}

/* The node, if it was executed; else what kept it from being so. */
static bool add_node(uint32_t node)
{
    uint32_t block = nodes[node].block;
    if (block != DEPENDENCE_ALWAYS && !trace.covered[block])
        return add_block(block);
    bool is_new = !relevant_nodes[node];
    relevant_nodes[node] = true;
    return is_new;
}

static bool add_range(struct dependence_range range)
{
    bool is_more = false;
    for (uint32_t i = 0; i < range.count; i++)
        is_more |= add_node(links[range.first + i]);
    return is_more;
}

static void find_relevant(uint32_t kinds)
{
    bool is_more = true;
    memset(relevant_nodes, 0, sizeof relevant_nodes);
    memset(relevant_blocks, 0, sizeof relevant_blocks);
    for (size_t i = 0; i < CRITERIA; i++)
        if (criteria[i].kinds & kinds) /* of a change only whether it is reached */
            criteria[i].kinds == CRITERION_CHANGE ? add_block(nodes[criteria[i].node].block)
                                                  : add_node(criteria[i].node);
    while (is_more) {
        is_more = false;
        for (size_t i = 0; i < NODES; i++)
            if (relevant_nodes[i])
                is_more |= add_range(nodes[i].uses) | add_block(nodes[i].block);
        for (size_t i = 0; i < BLOCKS; i++)
            if (relevant_blocks[i])
                is_more |= add_range(blocks[i].guards);
    }
}

static void runs_have_the_relevant_sites(void **state)
{
    (void)state;
    for (int program = 0; program < 2000; program++) {
        make_dependences();
        struct relevance *relevance = relevance_create(&dependences);
        for (int run = 0; run < 20; run++) {
            uint32_t kinds = below(2) ? KINDS : CRITERION_CHANGE;
            make_run();
            find_relevant(kinds);
            struct ranks ranks = relevance_ranks(relevance, &trace, kinds);
            assert_int_equal(ranks.site_count, SITES);
            for (size_t i = 0; i < SITES; i++)
                assert_int_equal(ranks.by_site[i] != 0, relevant_nodes[sites[i].node]);
        }
        relevance_destroy(relevance);
    }
}

static void runs_tell_the_changes_they_have_executed(void **state)
{
    (void)state;
    for (int program = 0; program < 200; program++) {
        uint32_t found[CRITERIA], expected = 0, changes = 0;
        make_dependences();
        make_run();
        struct relevance *relevance = relevance_create(&dependences);
        size_t count = relevance_changes(relevance, &trace, found, CRITERIA);
        for (size_t i = 0; i < CRITERIA; i++) {
            uint32_t block = nodes[criteria[i].node].block;
            bool is_change = criteria[i].kinds == CRITERION_CHANGE;
            changes += is_change;
            expected += is_change && trace.covered[block];
        }
        assert_int_equal(count, expected);
        assert_int_equal(relevance_is_changed(relevance, &trace), !changes || expected > 0);
        relevance_destroy(relevance);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_have_the_relevant_sites),
        cmocka_unit_test(runs_tell_the_changes_they_have_executed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
