/* Nodes, and what they are made of. */
#include "depend/analyse.h"
#include "depend/inside.h"

#include <stdlib.h>
#include <string.h>

/* ---- numbering everything ---- */

static void number_block(struct analysis *analysis, LLVMBasicBlockRef block, uint32_t function)
{
    struct dependences *result = analysis->result;
    uint32_t number = result->block_count++;
    size_t capacity = analysis->block_capacity;
    result->blocks = array_reserve(result->blocks, &capacity, number + 1u, sizeof *result->blocks);
    capacity = analysis->block_capacity;
    analysis->block_list = array_reserve(analysis->block_list, &capacity, number + 1u, sizeof *analysis->block_list);
    analysis->block_capacity = capacity;
    result->blocks[number] = (struct dependence_block){.function = function};
    analysis->block_list[number] = block;
    numbering_add(&analysis->blocks, block, number);
    for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at))
        numbering_add(&analysis->values, at, analysis_add_node(analysis, number));
}

/* Functions that are run before the entry stand in a table, too. */
static bool is_called_from_nowhere_else(LLVMValueRef function)
{
    for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        const char *section = LLVMIsAGlobalVariable(user) ? LLVMGetSection(user) : NULL;
        if (section && !strcmp(section, "pn_start"))
            continue;
        if (!LLVMIsACallInst(user) || LLVMGetCalledValue(user) != function)
            return false;
        for (unsigned i = 0; i < LLVMGetNumArgOperands(user); i++)
            if (LLVMGetOperand(user, i) == function)
                return false;
    }
    return true;
}

static void number_function(struct analysis *analysis, LLVMValueRef function)
{
    uint32_t number = analysis->result->function_count++, entry = analysis->result->block_count;
    numbering_add(&analysis->functions, function, number);
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))
        number_block(analysis, block, number);
    for (unsigned i = 0; i < LLVMCountParams(function); i++)
        numbering_add(&analysis->values, LLVMGetParam(function, i), analysis_add_node(analysis, entry));
    if (is_called_from_nowhere_else(function))
        return;
    analysis->taken =
        array_reserve(analysis->taken, &analysis->taken_capacity, analysis->taken_count + 1, sizeof *analysis->taken);
    analysis->taken[analysis->taken_count++] = function;
}

/* ---- what instructions are made of ---- */

static void add_join(struct analysis *analysis, uint32_t node, LLVMValueRef phi)
{
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, i);
        LLVMValueRef end = LLVMGetBasicBlockTerminator(from);
        uint32_t way = hand_on(analysis, node, numbering_find(&analysis->blocks, from));
        if (LLVMGetNumSuccessors(end) > 1)
            links_add(&analysis->uses, way, analysis_node(analysis, end));
        use(analysis, way, LLVMGetIncomingValue(phi, i));
    }
}

static void add_access(struct analysis *analysis, uint32_t node, LLVMValueRef at)
{
    bool is_load = LLVMIsALoadInst(at) != NULL;
    LLVMValueRef pointer = LLVMGetOperand(at, is_load ? 0 : 1);
    LLVMTypeRef type = LLVMTypeOf(is_load ? at : LLVMGetOperand(at, 0));
    use_operands(analysis, node, at);
    if (is_load)
        add_reads(analysis, node, pointer);
    else
        add_writes(analysis, node, pointer);
    if (LLVMGetVolatile(at))
        add_anything(analysis, node);
    else if (!is_safe_access(analysis, at, pointer, LLVMABISizeOfType(analysis->layout, type)))
        add_end(analysis, at, &pointer, 1);
}

static void add_division(struct analysis *analysis, uint32_t node, LLVMValueRef at)
{
    LLVMValueRef divisor = LLVMGetOperand(at, 1);
    bool is_defined = LLVMIsAConstantInt(divisor) && LLVMGetIntTypeWidth(LLVMTypeOf(divisor)) <= 64 &&
                      LLVMConstIntGetZExtValue(divisor) && LLVMConstIntGetSExtValue(divisor) != -1;
    use_operands(analysis, node, at);
    if (!is_defined)
        analysis_add_criterion(analysis, node, CRITERION_END);
}

/* With assumptions about overflow, every signed operation is one. */
static void add_arithmetic(struct analysis *analysis, uint32_t node, LLVMValueRef at)
{
    use_operands(analysis, node, at);
    if (LLVMGetNSW(at))
        analysis_add_criterion(analysis, node, CRITERION_ASSUME);
}

static void add_instruction(struct analysis *analysis, LLVMValueRef at)
{
    uint32_t node = analysis_node(analysis, at);
    switch (LLVMGetInstructionOpcode(at)) {
    case LLVMPHI: add_join(analysis, node, at); break;
    case LLVMCall: add_call(analysis, node, at); break;
    case LLVMLoad:
    case LLVMStore: add_access(analysis, node, at); break;
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMURem:
    case LLVMSRem: add_division(analysis, node, at); break;
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul: add_arithmetic(analysis, node, at); break;
    case LLVMUnreachable: analysis_add_criterion(analysis, node, CRITERION_END); break;
    case LLVMIndirectBr:
    case LLVMInvoke:
    case LLVMCallBr:
    case LLVMVAArg:
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg: analysis_give_up(analysis, "a computed jump, or an atomic access"); break;
    default: use_operands(analysis, node, at); break;
    }
}

/* ---- the whole ---- */

/* Puts gathered links where they are read, `ranges[i * stride]` saying which of them are those from i. */
static void place_links(struct analysis *analysis, struct links *links, void *ranges, size_t stride, uint32_t count)
{
    struct dependences *result = analysis->result;
    uint32_t at = result->link_count;
#define RANGE(i) ((struct dependence_range *)((char *)ranges + (i) * stride))
    for (size_t i = 0; i < links->count; i++)
        RANGE(links->list[i].from)->count++;
    for (uint32_t i = 0; i < count; i++) {
        RANGE(i)->first = at;
        at += RANGE(i)->count;
        RANGE(i)->count = 0;
    }
    for (size_t i = 0; i < links->count; i++) {
        struct dependence_range *range = RANGE(links->list[i].from);
        result->links[range->first + range->count++] = links->list[i].to;
    }
#undef RANGE
    result->link_count = at;
    free(links->list);
    *links = (struct links){0};
}

static void place_all(struct analysis *analysis)
{
    struct dependences *result = analysis->result;
    size_t total = analysis->uses.count + analysis->guards.count + analysis->calls.count;
    result->links = arena_allocate(analysis->arena, (total + 1) * sizeof *result->links);
    result->functions = arena_allocate(analysis->arena, (result->function_count + 1u) * sizeof *result->functions);
    if (result->node_count)
        place_links(analysis, &analysis->uses, &result->nodes[0].uses, sizeof *result->nodes, result->node_count);
    if (result->block_count)
        place_links(analysis, &analysis->guards, &result->blocks[0].guards, sizeof *result->blocks,
                    result->block_count);
    place_links(analysis, &analysis->calls, result->functions, sizeof *result->functions, result->function_count);
}

/* What grows is outside the arena until it has its size. */
static void *settle(struct arena *arena, void *array, size_t size)
{
    void *copy = arena_allocate(arena, size + 1);
    if (size)
        memcpy(copy, array, size);
    free(array);
    return copy;
}

static void analyse_functions(struct analysis *analysis)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(analysis->module); f; f = LLVMGetNextFunction(f))
        if (is_defined_here(f))
            number_function(analysis, f);
    analyse_pointers(analysis);
    for (LLVMValueRef f = LLVMGetFirstFunction(analysis->module); f; f = LLVMGetNextFunction(f))
        if (is_defined_here(f))
            analyse_control(analysis, f);
    for (LLVMValueRef f = LLVMGetFirstFunction(analysis->module); f; f = LLVMGetNextFunction(f)) {
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block; block = LLVMGetNextBasicBlock(block))
            for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at))
                add_instruction(analysis, at);
        if (is_defined_here(f))
            note_recursion(analysis, f);
    }
    if (analysis->calls_strangers && analysis->taken_count)
        analysis_give_up(analysis, "functions whose addresses are known to code that nobody has seen");
}

static bool has_changed_initial_values(LLVMModuleRef module)
{
    for (LLVMValueRef at = LLVMGetFirstGlobal(module); at; at = LLVMGetNextGlobal(at)) {
        const char *section = LLVMGetSection(at);
        if (section && !strcmp(section, MARK_SECTION))
            return true;
    }
    return false;
}

struct analysis *analyse(LLVMModuleRef module, struct arena *arena)
{
    struct analysis *analysis = arena_allocate(arena, sizeof *analysis);
    struct dependences *result = arena_allocate(arena, sizeof *result);
    analysis->module = module;
    analysis->layout = LLVMGetModuleDataLayout(module);
    analysis->arena = arena;
    analysis->result = result;
    analyse_functions(analysis);
    result->changed_always = has_changed_initial_values(module);
    place_all(analysis);
    result->nodes = settle(arena, result->nodes, result->node_count * sizeof *result->nodes);
    result->blocks = settle(arena, result->blocks, result->block_count * sizeof *result->blocks);
    result->criteria = settle(arena, result->criteria, result->criterion_count * sizeof *result->criteria);
    return analysis;
}

struct dependences *analysis_result(struct analysis *analysis)
{
    return analysis->result;
}

static void add_site(struct analysis *analysis, uint32_t node, uint32_t site)
{
    struct dependences *result = analysis->result;
    if (node == UINT32_MAX)
        return;
    result->sites =
        array_reserve(result->sites, &analysis->site_capacity, result->site_count + 1u, sizeof *result->sites);
    result->sites[result->site_count++] = (struct dependence_site){site, node};
}

void analysis_note_site(struct analysis *analysis, LLVMValueRef instruction, uint32_t site)
{
    add_site(analysis, analysis_node(analysis, instruction), site);
    add_site(analysis, numbering_find(&analysis->ends, instruction), site);
}

void analysis_finish(struct analysis *analysis)
{
    struct dependences *result = analysis->result;
    result->sites = settle(analysis->arena, result->sites, result->site_count * sizeof *result->sites);
}

LLVMBasicBlockRef analysis_block(const struct analysis *analysis, uint32_t number)
{
    return number < analysis->result->block_count ? analysis->block_list[number] : NULL;
}

LLVMValueRef analysis_mark(const struct analysis *analysis, size_t number)
{
    return number < analysis->mark_count ? analysis->marks[number] : NULL;
}

void analysis_place_mark(struct analysis *analysis, size_t number, uint32_t site)
{
    analysis->result->criteria[analysis->mark_criteria[number]].site = site;
}

void analysis_free(struct analysis *analysis)
{
    if (!analysis)
        return;
    free(analysis->values.list), free(analysis->blocks.list), free(analysis->functions.list);
    free(analysis->objects.list), free(analysis->block_list), free(analysis->guard_list), free(analysis->marks);
    free(analysis->mark_criteria), free(analysis->ends.list), free(analysis->taken), free(analysis->object_nodes),
        free(analysis->escapes);
}
