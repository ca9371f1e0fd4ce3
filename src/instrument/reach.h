/* From which branches a change can still be reached, and how far it is from there: an analysis of the whole module,
 * before the hooks are in it.
 *
 * The graph's nodes are pieces of basic blocks, cut behind every call. From a piece one comes to what follows it, to
 * the entries of the functions that it may call, and from a function's returns to behind every call of it. A run
 * returns from the calls that it is in, and makes calls that return to where they were made: so what it can come to is
 * found in two steps, first without returns, then without calls. Where a pointer or the library calls, every function
 * whose address is taken may be meant: the answer is never "no" by mistake, and sometimes "yes" where no run gets
 * there. The distance is that of the shortest way through the graph, in pieces: a hint where to search, no more. */
#ifndef PENUMBRA_INSTRUMENT_REACH_H
#define PENUMBRA_INSTRUMENT_REACH_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stdint.h>

struct reach;
struct site_table;

/* Linear in the size of the module, but for a sort of its blocks. Blocks that are added later are taken to reach a
 * change. */
struct reach *reach_compute(LLVMModuleRef module);
void reach_free(struct reach *reach);

/* Keeps, with the site of a conditional branch or a switch, how far a change is from each of its outcomes. */
void reach_note(const struct reach *reach, LLVMValueRef instruction, struct site_table *sites, uint32_t site);

#endif
