/* Whether a variable is surely assigned before it is read, whatever way the program takes: then it does not matter what
 * it held before the call. What is assigned on some ways only is read when the entry has returned, and is compared. A
 * forward analysis over each function, with a summary for calls, repeated until nothing changes. Only variables that
 * are loaded and stored as a whole are looked at: others may be written in part, or elsewhere. */
#include "base/set.h"
#include "instrument/emit.h"

#include <stdlib.h>
#include <string.h>

struct summary {
    bool may_read;   /* before it has written */
    bool must_write; /* before it returns */
};

struct analysis {
    LLVMModuleRef module;
    LLVMValueRef variable;
    struct set *functions; /* by their addresses; the number is the summary's */
    struct summary *summaries;
    struct summary indirect; /* of whatever may be called through a pointer */
    bool changed;
};

static size_t number_of(const struct analysis *analysis, LLVMValueRef function)
{
    return set_find(analysis->functions, &function, sizeof function);
}

/* What the harness does around the entry is no part of the program. */
static bool is_harness_part(LLVMValueRef function)
{
    size_t length;
    const char *name = LLVMGetValueName2(function, &length);
    return !strncmp(name, "__pn_", 5) && strcmp(name, "__pn_program_main") && strcmp(name, "__pn_harness");
}

static struct summary summary_of_call(const struct analysis *analysis, LLVMValueRef call)
{
    static const struct summary nothing = {false, false};
    LLVMValueRef function = LLVMGetCalledValue(call);
    if (!LLVMIsAFunction(function))
        return LLVMIsAInlineAsm(function) ? nothing : analysis->indirect;
    if (LLVMIsDeclaration(function) || is_harness_part(function))
        return nothing;
    return analysis->summaries[number_of(analysis, function)];
}

/* Goes through the block; returns whether the variable is written at its end. */
static bool pass_block(const struct analysis *analysis, LLVMBasicBlockRef block, bool written, bool *may_read)
{
    for (LLVMValueRef at = LLVMGetFirstInstruction(block); at && !written; at = LLVMGetNextInstruction(at)) {
        struct summary call = {false, false};
        if (LLVMIsACallInst(at))
            call = summary_of_call(analysis, at);
        *may_read |= call.may_read || (LLVMIsALoadInst(at) && LLVMGetOperand(at, 0) == analysis->variable);
        written = call.must_write || (LLVMIsAStoreInst(at) && LLVMGetOperand(at, 1) == analysis->variable);
    }
    return written;
}

struct flow {
    struct set *blocks; /* by their addresses */
    bool *written;      /* by block, at its beginning */
};

static struct flow flow_open(LLVMValueRef function)
{
    struct flow flow = {set_create(), NULL};
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))
        set_add(flow.blocks, &block, sizeof block);
    flow.written = malloc(set_count(flow.blocks) + 1);
    memset(flow.written, true, set_count(flow.blocks) + 1);
    return flow;
}

static bool pass_on(const struct flow *flow, LLVMBasicBlockRef block, bool written)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    bool changed = false;
    for (unsigned i = 0; !written && i < LLVMGetNumSuccessors(end); i++) {
        LLVMBasicBlockRef next = LLVMGetSuccessor(end, i);
        bool *there = &flow->written[set_find(flow->blocks, &next, sizeof next)];
        changed |= *there;
        *there = false;
    }
    return changed;
}

static struct summary summarise(const struct analysis *analysis, LLVMValueRef function)
{
    struct flow flow = flow_open(function);
    struct summary summary;
    flow.written[0] = false;
    for (bool again = true; again;) {
        summary = (struct summary){false, true};
        again = false;
        size_t number = 0;
        for (LLVMBasicBlockRef at = LLVMGetFirstBasicBlock(function); at; at = LLVMGetNextBasicBlock(at), number++) {
            bool written = pass_block(analysis, at, flow.written[number], &summary.may_read);
            again |= pass_on(&flow, at, written);
            if (LLVMIsAReturnInst(LLVMGetBasicBlockTerminator(at)))
                summary.must_write &= written;
        }
    }
    set_destroy(flow.blocks);
    free(flow.written);
    return summary;
}

static void repeat(struct analysis *analysis)
{
    size_t number = 0;
    analysis->changed = false;
    for (LLVMValueRef at = LLVMGetFirstFunction(analysis->module); at; at = LLVMGetNextFunction(at)) {
        if (LLVMIsDeclaration(at))
            continue;
        struct summary *known = &analysis->summaries[number++], now = summarise(analysis, at);
        analysis->changed |= known->may_read != now.may_read || known->must_write != now.must_write;
        *known = now;
        analysis->indirect.may_read |= now.may_read && is_address_taken(at);
    }
}

static bool is_whole(LLVMValueRef variable)
{
    for (LLVMUseRef use = LLVMGetFirstUse(variable); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        bool is_load = LLVMIsALoadInst(user) && LLVMTypeOf(user) == LLVMGlobalGetValueType(variable);
        bool is_store = LLVMIsAStoreInst(user) && LLVMGetOperand(user, 1) == variable &&
                        LLVMTypeOf(LLVMGetOperand(user, 0)) == LLVMGlobalGetValueType(variable);
        bool in_harness =
            LLVMIsAInstruction(user) && is_harness_part(LLVMGetBasicBlockParent(LLVMGetInstructionParent(user)));
        if (!is_load && !is_store && !in_harness && !is_list_of_harness(user))
            return false;
    }
    return true;
}

/* By the program. */
static bool is_stored_to(LLVMValueRef variable)
{
    for (LLVMUseRef use = LLVMGetFirstUse(variable); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsAStoreInst(user) && !is_harness_part(LLVMGetBasicBlockParent(LLVMGetInstructionParent(user))))
            return true;
    }
    return false;
}

bool is_written_first(struct emitter *emitter, LLVMValueRef variable)
{
    LLVMValueRef harness = LLVMGetNamedFunction(emitter->module, "__pn_harness");
    if (!harness || !is_whole(variable))
        return false;
    struct analysis analysis = {.module = emitter->module, .variable = variable, .functions = set_create()};
    for (LLVMValueRef at = LLVMGetFirstFunction(emitter->module); at; at = LLVMGetNextFunction(at))
        if (!LLVMIsDeclaration(at))
            set_add(analysis.functions, &at, sizeof at);
    analysis.summaries = malloc((set_count(analysis.functions) + 1) * sizeof *analysis.summaries);
    for (size_t i = 0; i < set_count(analysis.functions); i++)
        analysis.summaries[i] = (struct summary){false, true}; /* until a function shows otherwise */
    do
        repeat(&analysis);
    while (analysis.changed);
    struct summary whole = analysis.summaries[number_of(&analysis, harness)];
    bool result = !whole.may_read && (whole.must_write || !is_stored_to(variable));
    set_destroy(analysis.functions);
    free(analysis.summaries);
    return result;
}
