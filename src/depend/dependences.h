/* What depends on what in a program of one version, as far as that can be said without running it.
 *
 * A *node* is an instruction, a parameter, a value handed to a call or to a join, or an object in memory. It belongs to
 * a *block*, and has edges to the nodes that its value is made of. A block has *guards*: the branches that decide
 * whether it is executed (control dependence, from post-dominators); a function has the blocks that call it.
 * *Criteria* are the places that exploring partitions is about: outputs, changes, and whatever may end a run early.
 *
 * A run says which blocks it has executed. explore/relevance.h puts the two together: of a node that was executed, its
 * guards and what it is made of are relevant; where that was not executed, the executed branches that kept it from
 * being so (potential dependence). Everything here errs on the side of more edges; docs/augment.md says why this is
 * enough. */
#ifndef PENUMBRA_DEPEND_DEPENDENCES_H
#define PENUMBRA_DEPEND_DEPENDENCES_H

#include "base/arena.h"
#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The block of nodes that are there in every run: objects. */
#define DEPENDENCE_ALWAYS UINT32_MAX

/* A part of `dependences.links`. */
struct dependence_range {
    uint32_t first, count;
};

struct dependence_node {
    uint32_t block;
    struct dependence_range uses;
};

struct dependence_block {
    uint32_t function;
    struct dependence_range guards; /* nodes: branches */
};

enum dependence_criterion_kind {
    CRITERION_OUTPUT = 1, /* what it shows, and that it does */
    CRITERION_CHANGE = 2, /* that it is reached */
    CRITERION_END = 4,    /* a run may end here: an access that may fail, a call of code nobody has seen, a loop */
    CRITERION_ASSUME = 8, /* a run is of no interest from here on */
};

struct dependence_criterion {
    uint32_t node;
    uint32_t kinds; /* or-ed */
    uint32_t site;  /* of a change: where it is in the source */
};

/* Decisions with this site are made by this node, or by one of several. */
struct dependence_site {
    uint32_t site, node;
};

struct dependences {
    const char *unknown; /* what the program has that is not understood: everything is relevant then; NULL: nothing */
    bool changed_always; /* an initial value is changed: the versions differ from the beginning */
    struct dependence_node *nodes;
    struct dependence_block *blocks;
    struct dependence_range *functions; /* blocks that call it */
    struct dependence_criterion *criteria;
    struct dependence_site *sites;
    uint32_t *links;
    uint32_t node_count, block_count, function_count, criterion_count, site_count, link_count;
};

/* As bytes, for the same machine. What is read lies in the arena; NULL when these are no such bytes. `used` is how many
 * of them it took. */
void dependences_write(const struct dependences *dependences, struct text *text);
struct dependences *dependences_read(struct arena *arena, const char *bytes, size_t length, size_t *used);

#endif
