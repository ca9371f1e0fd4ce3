/* From a module to its dependences. */
#ifndef PENUMBRA_DEPEND_ANALYSE_H
#define PENUMBRA_DEPEND_ANALYSE_H

#include "depend/dependences.h"

#include <llvm-c/Core.h>

/* The module as it is before hooks are put in; its blocks and branches stay, and have the numbers that they get here.
 */
struct analysis;
struct analysis *analyse(LLVMModuleRef module, struct arena *arena);
void analysis_free(struct analysis *analysis);
struct dependences *analysis_result(struct analysis *analysis); /* in the arena */

/* Decisions that the instruction makes have this site. */
void analysis_note_site(struct analysis *analysis, LLVMValueRef instruction, uint32_t site);
/* Nothing more is noted. */
void analysis_finish(struct analysis *analysis);
/* By number; NULL behind the last. */
LLVMBasicBlockRef analysis_block(const struct analysis *analysis, uint32_t number);
/* The calls that mark changes; each is told where it is in the source. NULL behind the last. */
LLVMValueRef analysis_mark(const struct analysis *analysis, size_t number);
void analysis_place_mark(struct analysis *analysis, size_t number, uint32_t site);

#endif
