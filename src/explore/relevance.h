/* Which decisions of a run matter: the relevant slice of what the exploration is about, by the dependences of the
 * program (depend/dependences.h) and the blocks that the run has executed. Decisions are told apart by their sites; of
 * a site, all are relevant or none. */
#ifndef PENUMBRA_EXPLORE_RELEVANCE_H
#define PENUMBRA_EXPLORE_RELEVANCE_H

#include "depend/dependences.h"
#include "trace/trace.h"

/* Ranks, by site. 0: irrelevant. UINT32_MAX: it is not known who decides there. A decision on which the relevance of
 * another may depend has a lower rank than that; decisions of one rank depend on each other, and are in order as they
 * are executed. */
struct ranks {
    const uint32_t *by_site;
    size_t site_count;
};

struct relevance;
struct relevance *relevance_create(const struct dependences *dependences);
void relevance_destroy(struct relevance *relevance);

/* Of a run, for criteria of some kinds (enum dependence_criterion_kind, or-ed). Of a change it only matters whether it
 * is reached. Valid until relevance_destroy(). */
struct ranks relevance_ranks(struct relevance *relevance, const struct pn_trace *trace, uint32_t kinds);

/* Sites of changes that a run has executed, in the order of the first time; how many there are. */
size_t relevance_changes(const struct relevance *relevance, const struct pn_trace *trace, uint32_t *sites, size_t most);
/* Whether the run is one of a changed program: it has executed a change, or the program does not say where they are. */
bool relevance_is_changed(const struct relevance *relevance, const struct pn_trace *trace);

#endif
