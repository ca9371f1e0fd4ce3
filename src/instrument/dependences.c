/* What depends on what (src/depend), for the table of sites; and hooks by which a run tells which blocks it executes.
 */
#include "depend/analyse.h"
#include "instrument/emit.h"

/* A change is a place in the source, too. */
static void take_marks(struct emitter *emitter)
{
    struct analysis *analysis = emitter->analysis;
    LLVMValueRef call, function = NULL;
    for (size_t i = 0; (call = analysis_mark(analysis, i)); i++) {
        emitter->function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(call));
        analysis_place_mark(analysis, i, site_of(emitter, call, ""));
        function = LLVMGetCalledValue(call);
    }
    for (size_t i = 0; (call = analysis_mark(analysis, i)); i++)
        LLVMInstructionEraseFromParent(call);
    if (function && !LLVMGetFirstUse(function))
        LLVMDeleteFunction(function);
}

void find_dependences(struct emitter *emitter)
{
    emitter->analysis = analyse(emitter->module, emitter->sites->arena);
    struct dependences *dependences = analysis_result(emitter->analysis);
    take_marks(emitter);
    if (dependences->block_count > PN_COVERED_BLOCKS)
        dependences->unknown = "more blocks than are told apart";
    emitter->sites->dependences = dependences;
}

static void tell_block(struct emitter *emitter, LLVMBasicBlockRef block, uint32_t number)
{
    LLVMValueRef at = LLVMGetFirstInstruction(block), argument = constant32(emitter, number);
    while (LLVMIsAPHINode(at))
        at = LLVMGetNextInstruction(at);
    LLVMPositionBuilderBefore(emitter->builder, at);
    call_hook(emitter, HOOK_cover, &argument, 1);
}

void tell_blocks(struct emitter *emitter)
{
    LLVMBasicBlockRef block;
    if (!emitter->analysis)
        return;
    analysis_finish(emitter->analysis);
    if (analysis_result(emitter->analysis)->unknown)
        return;
    for (uint32_t i = 0; (block = analysis_block(emitter->analysis, i)); i++)
        tell_block(emitter, block, i);
}
