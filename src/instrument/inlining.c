#include "instrument/inlining.h"
#include "instrument/bitcode.h"
#include "instrument/models.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* ---- which blocks lie in a loop ---- */

/* Strongly connected components, by Tarjan's algorithm and without recursion: functions can be long chains. */
struct graph {
    LLVMBasicBlockRef *blocks; /* sorted by address */
    unsigned count, met, depth;
    bool found;               /* a loop */
    unsigned *order, *lowest; /* 0: not met yet */
    unsigned *stack;
    bool *is_open;   /* on the stack */
    unsigned *loops; /* around the block */
    bool *is_left;   /* out: the first block of a loop, when the loops in it are looked for */
};

struct visit {
    unsigned block, next; /* the successor to be looked at */
};

static int by_address(const void *one, const void *other)
{
    const LLVMBasicBlockRef *left = one, *right = other;
    return *left < *right ? -1 : *left > *right;
}

static unsigned index_of(const struct graph *graph, LLVMBasicBlockRef block)
{
    const LLVMBasicBlockRef *found = bsearch(&block, graph->blocks, graph->count, sizeof *graph->blocks, by_address);
    return (unsigned)(found - graph->blocks);
}

static void open_block(struct graph *graph, unsigned block)
{
    graph->order[block] = graph->lowest[block] = ++graph->met;
    graph->stack[graph->depth++] = block;
    graph->is_open[block] = true;
}

/* The component that the block is the first of: more than one block, or one that leads to itself. */
static void close_component(struct graph *graph, unsigned first)
{
    bool is_loop = graph->stack[graph->depth - 1] != first;
    for (unsigned block = graph->count; block != first;) {
        block = graph->stack[--graph->depth];
        graph->is_open[block] = false;
        graph->loops[block] += is_loop;
    }
    graph->is_left[first] |= is_loop;
    graph->found |= is_loop;
}

/* Goes on with a block's next successor; false when there is none left. */
static bool follow(struct graph *graph, struct visit *visit, unsigned *to)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(graph->blocks[visit->block]);
    if (visit->next >= LLVMGetNumSuccessors(end))
        return false;
    *to = index_of(graph, LLVMGetSuccessor(end, visit->next++));
    if (graph->is_open[*to] && graph->order[*to] < graph->lowest[visit->block])
        graph->lowest[visit->block] = graph->order[*to];
    return true;
}

static void find_components(struct graph *graph, unsigned from, struct visit *path)
{
    size_t depth = 0;
    path[depth++] = (struct visit){from, 0};
    open_block(graph, from);
    while (depth) {
        struct visit *visit = &path[depth - 1];
        unsigned to;
        if (follow(graph, visit, &to)) {
            if (graph->order[to] || graph->is_left[to])
                continue;
            open_block(graph, to);
            path[depth++] = (struct visit){to, 0};
            continue;
        }
        unsigned block = visit->block;
        if (graph->lowest[block] == graph->order[block])
            close_component(graph, block);
        if (--depth && graph->lowest[block] < graph->lowest[path[depth - 1].block])
            graph->lowest[path[depth - 1].block] = graph->lowest[block];
    }
}

static unsigned **arrays_of(struct graph *graph, size_t number)
{
    unsigned **arrays[] = {&graph->order, &graph->lowest, &graph->stack, &graph->loops};
    return number < sizeof arrays / sizeof *arrays ? arrays[number] : NULL;
}

/* A block that leads to itself is a loop, too. */
static void find_short_loops(struct graph *graph)
{
    for (unsigned i = 0; i < graph->count; i++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(graph->blocks[i]);
        for (unsigned k = 0; k < LLVMGetNumSuccessors(end); k++)
            graph->loops[i] += LLVMGetSuccessor(end, k) == graph->blocks[i];
    }
}

enum { MOST_LOOPS = 4 }; /* in each other: deeper ones are as good */

static void read_graph(struct graph *graph, LLVMValueRef function)
{
    graph->count = LLVMCountBasicBlocks(function);
    graph->blocks = calloc(graph->count, sizeof *graph->blocks);
    LLVMGetBasicBlocks(function, graph->blocks);
    qsort(graph->blocks, graph->count, sizeof *graph->blocks, by_address);
    for (size_t i = 0; arrays_of(graph, i); i++)
        *arrays_of(graph, i) = calloc(graph->count, sizeof(unsigned));
    graph->is_open = calloc(graph->count, sizeof *graph->is_open);
    graph->is_left = calloc(graph->count, sizeof *graph->is_left);
    struct visit *path = calloc(graph->count, sizeof *path);
    unsigned entry = index_of(graph, LLVMGetEntryBasicBlock(function));
    graph->found = true;
    for (unsigned level = 0; level < MOST_LOOPS && graph->found; level++) {
        memset(graph->order, 0, graph->count * sizeof *graph->order);
        graph->found = false;
        graph->met = 0;
        for (unsigned i = 0; i <= graph->count; i++) {
            unsigned block = i ? i - 1 : entry;
            if (!graph->order[block] && !graph->is_left[block])
                find_components(graph, block, path);
        }
    }
    find_short_loops(graph);
    free(path);
}

static void free_graph(struct graph *graph)
{
    for (size_t i = 0; arrays_of(graph, i); i++)
        free(*arrays_of(graph, i));
    free(graph->blocks), free(graph->is_open), free(graph->is_left);
}

/* ---- hooks ---- */

static bool is_hook(const struct emitter *emitter, LLVMValueRef function)
{
    for (unsigned i = 0; i < HOOK_COUNT; i++)
        if (emitter->hooks[i] == function)
            return !LLVMIsDeclaration(function);
    return false;
}

static bool is_hook_call(const struct emitter *emitter, LLVMValueRef instruction)
{
    return LLVMIsACallInst(instruction) && LLVMIsAFunction(LLVMGetCalledValue(instruction)) &&
           is_hook(emitter, LLVMGetCalledValue(instruction));
}

static unsigned count_hooks(const struct emitter *emitter, LLVMBasicBlockRef block)
{
    unsigned count = 0;
    for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at))
        count += is_hook_call(emitter, at);
    return count;
}

/* Those that the runtime also has as functions that keep their caller's registers (runtime/called.c). */
static const struct called {
    enum hook hook;
    const char *name;
} called[] = {
    {HOOK_binary, "__pn_called_binary"},   {HOOK_branch, "__pn_called_branch"},
    {HOOK_cast, "__pn_called_cast"},       {HOOK_check, "__pn_called_check"},
    {HOOK_compare, "__pn_called_compare"}, {HOOK_load, "__pn_called_load"},
    {HOOK_pointer, "__pn_called_pointer"}, {HOOK_object_check, "__pn_called_object_check"},
    {HOOK_select, "__pn_called_select"},   {HOOK_store, "__pn_called_store"},
};

static const char *called_name_of(const struct emitter *emitter, LLVMValueRef hook)
{
    for (size_t i = 0; i < sizeof called / sizeof *called; i++)
        if (emitter->hooks[called[i].hook] == hook)
            return called[i].name;
    return NULL;
}

enum { PRESERVE_MOST = 14 }; /* as llvm/IR/CallingConv.h has it */

static void call_hook_of_runtime(struct emitter *emitter, LLVMValueRef call, const char *name)
{
    LLVMValueRef callee = LLVMGetNamedFunction(emitter->module, name);
    if (!callee)
        callee = LLVMAddFunction(emitter->module, name, LLVMGetCalledFunctionType(call));
    LLVMSetFunctionCallConv(callee, PRESERVE_MOST);
    LLVMSetInstructionCallConv(call, PRESERVE_MOST);
    LLVMSetOperand(call, (unsigned)LLVMGetNumOperands(call) - 1, callee);
}

static void call_hooks(struct emitter *emitter, LLVMBasicBlockRef block)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("noinline", strlen("noinline"));
    LLVMAttributeRef attribute = LLVMCreateEnumAttribute(emitter->context, kind, 0);
    for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at)) {
        if (!is_hook_call(emitter, at))
            continue;
        const char *name = called_name_of(emitter, LLVMGetCalledValue(at));
        if (name)
            call_hook_of_runtime(emitter, at, name);
        else
            LLVMAddCallSiteAttribute(at, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, attribute);
    }
}

/* In a function with more hooks than the first of these only those in loops are inlined, up to the second or, where a
 * harness calls a function with small inputs, the third: from the innermost loops outwards, all that have equally many
 * loops around them or none. Measured on bzip2, zlib, Lua, cJSON and http-parser: bench/README.md. */
enum { MOST_OUTSIDE_LOOPS = 300, MOST_IN_LOOPS = 6000, MOST_IN_LOOPS_OF_FUNCTIONS = 1200 };

static bool is_single_function(LLVMModuleRef module)
{
    return LLVMGetNamedFunction(module, "__pn_harness") && !is_whole_program(module);
}

/* The least number of loops around a block whose hooks are inlined. */
static unsigned least_loops(const struct emitter *emitter, const struct graph *graph)
{
    enum { LEVELS = MOST_LOOPS + 2 };
    unsigned counts[LEVELS] = {0}, inlined = 0, loops = LEVELS;
    unsigned most = is_single_function(emitter->module) ? MOST_IN_LOOPS_OF_FUNCTIONS : MOST_IN_LOOPS;
    for (unsigned i = 0; i < graph->count; i++)
        counts[graph->loops[i] < LEVELS ? graph->loops[i] : LEVELS - 1] += count_hooks(emitter, graph->blocks[i]);
    while (loops > 1 && inlined + counts[loops - 1] <= most)
        inlined += counts[--loops];
    return loops == 1 && inlined + counts[0] <= MOST_OUTSIDE_LOOPS ? 0 : loops;
}

/* What makes inputs and hands over outputs is executed once in a run, on values that depend on inputs: where parameters
 * lead to large structures it would be most of the code. The entry may be inlined into __pn_harness. */
static bool is_of_harness(LLVMValueRef function)
{
    static const char *const beginnings[] = {"__pn_output_", "__pn_symbolic_", "pn_callback_"};
    const char *name = name_of(function);
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
        if (!strncmp(name, beginnings[i], strlen(beginnings[i])))
            return true;
    return false;
}

static void treat_function(struct emitter *emitter, LLVMValueRef function)
{
    struct graph graph = {0};
    read_graph(&graph, function);
    bool are_called = emitter->options->call_hooks || is_of_harness(function);
    unsigned least = are_called ? UINT_MAX : least_loops(emitter, &graph);
    for (unsigned i = 0; i < graph.count; i++)
        if (graph.loops[i] < least)
            call_hooks(emitter, graph.blocks[i]);
    free_graph(&graph);
}

void choose_inlined_hooks(struct emitter *emitter)
{
    for (LLVMValueRef at = LLVMGetFirstFunction(emitter->module); at; at = LLVMGetNextFunction(at))
        if (!LLVMIsDeclaration(at) && !is_hook(emitter, at))
            treat_function(emitter, at);
}
