#include "instrument/reach.h"
#include "instrument/bitcode.h"

#include "instrument/emit.h"

#include <stdlib.h>
#include <string.h>

/* ---- the graph ---- */

/* Nodes that stand for code that is not in the module, or for a place that is reached from many others. The two of a
 * pair are "it calls" and "it was returned to". */
enum {
    POINTER_CALL, /* through a pointer, or by the library: any function whose address is taken */
    POINTER_RETURN,
    FOREIGN_CALL, /* by an object without instrumentation: any function that it can name, too */
    FOREIGN_RETURN,
    LONG_JUMP, /* goes on behind any setjmp() */
    SPECIAL_NODES
};

enum edge_kind { FLOW, CALL, RETURN };

struct edge {
    uint32_t from, to;
    enum edge_kind kind;
};

/* A function, or the first piece of a block, as a node. Sorted by `key`. */
struct entry {
    const void *key;
    uint32_t node;
};

struct entries {
    struct entry *list;
    size_t count, capacity;
};

struct reach {
    struct entries blocks, functions; /* of a function: the node that its returns lead to */
    struct edge *edges;
    size_t edge_count, edge_capacity;
    uint32_t *distance; /* by node: 0 where a change is, SITE_NO_CHANGE where none can be reached */
    size_t node_count, distance_capacity;
    bool has_foreign; /* some declared function may call any that it can name */
    bool everywhere;  /* an initial value is changed: the versions differ from the beginning */
};

static uint32_t add_node(struct reach *reach)
{
    reach->distance =
        array_reserve(reach->distance, &reach->distance_capacity, reach->node_count + 1, sizeof *reach->distance);
    reach->distance[reach->node_count] = SITE_NO_CHANGE;
    return (uint32_t)reach->node_count++;
}

static void add_edge(struct reach *reach, enum edge_kind kind, uint32_t from, uint32_t to)
{
    reach->edges = array_reserve(reach->edges, &reach->edge_capacity, reach->edge_count + 1, sizeof *reach->edges);
    reach->edges[reach->edge_count++] = (struct edge){from, to, kind};
}

static void add_entry(struct entries *entries, const void *key, uint32_t node)
{
    entries->list = array_reserve(entries->list, &entries->capacity, entries->count + 1, sizeof *entries->list);
    entries->list[entries->count++] = (struct entry){key, node};
}

static int compare_entries(const void *one, const void *other)
{
    const struct entry *a = one, *b = other;
    return a->key < b->key ? -1 : a->key > b->key;
}

static void sort_entries(struct entries *entries)
{
    if (entries->count)
        qsort(entries->list, entries->count, sizeof *entries->list, compare_entries);
}

static const struct entry *find_entry(const struct entries *entries, const void *key)
{
    struct entry wanted = {.key = key};
    return entries->count ? bsearch(&wanted, entries->list, entries->count, sizeof *entries->list, compare_entries)
                          : NULL;
}

/* ---- calls that leave the module ---- */

enum outside { CALLS_NOTHING, CALLS_POINTERS, CALLS_ANYTHING, SETS_JUMP, JUMPS };

/* A name that ends in `*` stands for all that begin so. */
static const struct {
    const char *name;
    enum outside outside;
} outsiders[] = {
    {"llvm.*", CALLS_NOTHING},
    {"pn_*", CALLS_NOTHING},
    {"__pn_*", CALLS_NOTHING},
    {"str*", CALLS_NOTHING},
    {"mem*", CALLS_NOTHING},
    {"is*", CALLS_NOTHING},
    {"to*", CALLS_NOTHING},
    {"ato*", CALLS_NOTHING},
    {"__ctype_*", CALLS_NOTHING},
    {"printf", CALLS_NOTHING},
    {"fprintf", CALLS_NOTHING},
    {"sprintf", CALLS_NOTHING},
    {"snprintf", CALLS_NOTHING},
    {"vprintf", CALLS_NOTHING},
    {"vfprintf", CALLS_NOTHING},
    {"vsnprintf", CALLS_NOTHING},
    {"put*", CALLS_NOTHING},
    {"fput*", CALLS_NOTHING},
    {"fwrite", CALLS_NOTHING},
    {"fread", CALLS_NOTHING},
    {"get*", CALLS_NOTHING},
    {"fget*", CALLS_NOTHING},
    {"fflush", CALLS_NOTHING},
    {"fopen", CALLS_NOTHING},
    {"fclose", CALLS_NOTHING},
    {"perror", CALLS_NOTHING},
    {"malloc", CALLS_NOTHING},
    {"calloc", CALLS_NOTHING},
    {"realloc", CALLS_NOTHING},
    {"free", CALLS_NOTHING},
    {"abs", CALLS_NOTHING},
    {"labs", CALLS_NOTHING},
    {"llabs", CALLS_NOTHING},
    {"__errno_location", CALLS_NOTHING},
    {"time", CALLS_NOTHING},
    {"clock*", CALLS_NOTHING},
    {"rand*", CALLS_NOTHING},
    {"srand*", CALLS_NOTHING},
    {"__assert_fail", CALLS_POINTERS},
    {"qsort*", CALLS_POINTERS},
    {"bsearch", CALLS_POINTERS},
    {"atexit", CALLS_POINTERS},
    {"exit", CALLS_POINTERS},
    {"_exit", CALLS_NOTHING},
    {"_Exit", CALLS_NOTHING},
    {"abort", CALLS_POINTERS},
    {"signal", CALLS_POINTERS},
    {"raise", CALLS_POINTERS},
    {"sigaction", CALLS_POINTERS},
    {"setjmp", SETS_JUMP},
    {"_setjmp", SETS_JUMP},
    {"sigsetjmp", SETS_JUMP},
    {"__sigsetjmp", SETS_JUMP},
    {"longjmp", JUMPS},
    {"_longjmp", JUMPS},
    {"siglongjmp", JUMPS},
    {"__longjmp_chk", JUMPS},
};

static enum outside outside_of(const char *name)
{
    for (size_t i = 0; i < sizeof outsiders / sizeof *outsiders; i++)
        if (name_matches(outsiders[i].name, name))
            return outsiders[i].outside;
    return CALLS_ANYTHING;
}

/* From the piece that ends with such a call; `behind` is the piece that begins behind it. */
static void add_outside_call(struct reach *reach, const char *name, uint32_t from, uint32_t behind)
{
    switch (outside_of(name)) {
    case CALLS_NOTHING: break;
    case CALLS_POINTERS:
        add_edge(reach, CALL, from, POINTER_CALL);
        add_edge(reach, RETURN, POINTER_RETURN, behind);
        break;
    case CALLS_ANYTHING:
        add_edge(reach, CALL, from, FOREIGN_CALL);
        add_edge(reach, RETURN, FOREIGN_RETURN, behind);
        break;
    case SETS_JUMP: add_edge(reach, FLOW, LONG_JUMP, behind); break;
    case JUMPS: add_edge(reach, FLOW, from, LONG_JUMP); break;
    }
}

/* ---- building it ---- */

static bool is_change(LLVMValueRef instruction)
{
    return is_execute(instruction) ||
           (LLVMIsACallInst(instruction) && !strcmp(called_name(instruction), "__pn_bounds"));
}

static bool is_visible(LLVMValueRef function)
{
    return LLVMGetLinkage(function) != LLVMInternalLinkage && LLVMGetLinkage(function) != LLVMPrivateLinkage;
}

/* Copies for one side are called from that side's code only, when a change has been reached. */
static bool is_considered(LLVMValueRef function)
{
    return !LLVMIsDeclaration(function) && clone_side(function) == PN_SIDE_BOTH;
}

static uint32_t node_of_block(const struct reach *reach, LLVMBasicBlockRef block)
{
    return find_entry(&reach->blocks, block)->node;
}

static void number_function(struct reach *reach, LLVMValueRef function)
{
    add_entry(&reach->functions, function, add_node(reach));
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))
        add_entry(&reach->blocks, block, add_node(reach));
}

static void add_call(struct reach *reach, LLVMValueRef call, uint32_t from, uint32_t behind)
{
    LLVMValueRef callee = LLVMGetCalledValue(call);
    const struct entry *function = find_entry(&reach->functions, callee);
    if (function) {
        add_edge(reach, CALL, from, node_of_block(reach, LLVMGetEntryBasicBlock(callee)));
        add_edge(reach, RETURN, function->node, behind);
    } else if (LLVMIsAFunction(callee)) {
        add_outside_call(reach, called_name(call), from, behind);
    } else { /* where there are foreign functions, the pointer may lead to one of them, too */
        add_edge(reach, CALL, from, reach->has_foreign ? FOREIGN_CALL : POINTER_CALL);
        add_edge(reach, RETURN, reach->has_foreign ? FOREIGN_RETURN : POINTER_RETURN, behind);
    }
}

static void add_block(struct reach *reach, LLVMBasicBlockRef block, uint32_t returns)
{
    uint32_t at = node_of_block(reach, block);
    for (LLVMValueRef here = LLVMGetFirstInstruction(block); here; here = LLVMGetNextInstruction(here)) {
        if (is_change(here))
            reach->distance[at] = 0;
        if (!LLVMIsACallInst(here) || LLVMIsAIntrinsicInst(here))
            continue;
        uint32_t behind = add_node(reach);
        add_edge(reach, FLOW, at, behind);
        add_call(reach, here, at, behind);
        at = behind;
    }
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    if (LLVMIsAReturnInst(end))
        add_edge(reach, FLOW, at, returns);
    for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++)
        add_edge(reach, FLOW, at, node_of_block(reach, LLVMGetSuccessor(end, i)));
}

static void add_function(struct reach *reach, LLVMValueRef function)
{
    uint32_t returns = find_entry(&reach->functions, function)->node;
    uint32_t entry = node_of_block(reach, LLVMGetEntryBasicBlock(function));
    bool is_taken = is_address_taken(function);
    if (is_taken) {
        add_edge(reach, CALL, POINTER_CALL, entry);
        add_edge(reach, RETURN, returns, POINTER_RETURN);
    } else if (is_visible(function)) {
        add_edge(reach, CALL, FOREIGN_CALL, entry);
        add_edge(reach, RETURN, returns, FOREIGN_RETURN);
    }
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))
        add_block(reach, block, returns);
}

/* ---- from the changes back ---- */

/* The edges but those of one kind, by where they lead: sources[first[node]] to sources[first[node + 1] - 1]. */
struct backwards {
    uint32_t *first, *sources;
};

static struct backwards turn_around(const struct reach *reach, enum edge_kind without)
{
    size_t count = reach->node_count;
    struct backwards back = {calloc(count + 2, sizeof *back.first),
                             calloc(reach->edge_count + 1, sizeof *back.sources)};
    if (!back.first || !back.sources)
        abort();
    for (size_t i = 0; i < reach->edge_count; i++)
        back.first[reach->edges[i].to + 2] += reach->edges[i].kind != without;
    for (size_t i = 2; i < count + 2; i++)
        back.first[i] += back.first[i - 1];
    for (size_t i = 0; i < reach->edge_count; i++)
        if (reach->edges[i].kind != without)
            back.sources[back.first[reach->edges[i].to + 1]++] = reach->edges[i].from;
    return back;
}

struct far {
    uint32_t distance, node;
};

static int compare_distances(const void *one, const void *other)
{
    const struct far *a = one, *b = other;
    return a->distance < b->distance ? -1 : a->distance > b->distance;
}

/* The nodes that a change can be reached from already, the nearest first. */
static struct far *list_found(const struct reach *reach, size_t *count)
{
    struct far *list = calloc(reach->node_count + 1, sizeof *list);
    if (!list)
        abort();
    *count = 0;
    for (size_t i = 0; i < reach->node_count; i++)
        if (reach->distance[i] != SITE_NO_CHANGE)
            list[(*count)++] = (struct far){reach->distance[i], (uint32_t)i};
    qsort(list, *count, sizeof *list, compare_distances);
    return list;
}

/* Goes back along the edges but those of one kind, nearest first: what was known before and what this finds are two
 * lists in order, so that taking the nearer head of the two is all that it needs. */
static void spread(struct reach *reach, enum edge_kind without)
{
    struct backwards back = turn_around(reach, without);
    size_t known_count, found_count = 0, next_known = 0, next_found = 0;
    struct far *known = list_found(reach, &known_count);
    struct far *found = calloc(reach->edge_count + 1, sizeof *found);
    if (!found)
        abort();
    while (next_known < known_count || next_found < found_count) {
        bool is_known = next_found == found_count ||
                        (next_known < known_count && known[next_known].distance <= found[next_found].distance);
        struct far at = is_known ? known[next_known++] : found[next_found++];
        if (at.distance > reach->distance[at.node]) /* found nearer meanwhile */
            continue;
        for (uint32_t i = back.first[at.node]; i < back.first[at.node + 1]; i++) {
            uint32_t source = back.sources[i];
            if (reach->distance[source] <= at.distance + 1)
                continue;
            reach->distance[source] = at.distance + 1;
            found[found_count++] = (struct far){at.distance + 1, source};
        }
    }
    free(back.first), free(back.sources), free(known), free(found);
}

/* pn_global() and pn_global_bounds() leave a function in the section of what runs before the entry. */
static bool changes_initial_values(LLVMModuleRef module)
{
    for (LLVMValueRef at = LLVMGetFirstGlobal(module); at; at = LLVMGetNextGlobal(at)) {
        const char *section = LLVMGetSection(at);
        if (section && !strcmp(section, "pn_start"))
            return true;
    }
    return false;
}

struct reach *reach_compute(LLVMModuleRef module)
{
    struct reach *reach = calloc(1, sizeof *reach);
    if (!reach)
        abort();
    reach->everywhere = changes_initial_values(module);
    for (int i = 0; i < SPECIAL_NODES; i++)
        add_node(reach);
    add_edge(reach, CALL, FOREIGN_CALL, POINTER_CALL);
    add_edge(reach, RETURN, POINTER_RETURN, FOREIGN_RETURN);
    for (LLVMValueRef at = LLVMGetFirstFunction(module); at; at = LLVMGetNextFunction(at)) {
        if (is_considered(at))
            number_function(reach, at);
        else if (LLVMIsDeclaration(at) && LLVMGetFirstUse(at))
            reach->has_foreign |= outside_of(name_of(at)) == CALLS_ANYTHING;
    }
    sort_entries(&reach->functions);
    sort_entries(&reach->blocks);
    for (LLVMValueRef at = LLVMGetFirstFunction(module); at; at = LLVMGetNextFunction(at))
        if (is_considered(at))
            add_function(reach, at);
    spread(reach, RETURN); /* in the functions that are called from here */
    spread(reach, CALL);   /* in a caller, and in what that goes on to call */
    return reach;
}

void reach_free(struct reach *reach)
{
    if (!reach)
        return;
    free(reach->blocks.list), free(reach->functions.list), free(reach->edges), free(reach->distance);
    free(reach);
}

/* ---- asking ---- */

static uint32_t distance_from(const struct reach *reach, LLVMBasicBlockRef block)
{
    const struct entry *entry = find_entry(&reach->blocks, block);
    return reach->everywhere || !entry ? 0 : reach->distance[entry->node];
}

/* Successor 0 is where a true condition leads. */
static void note_branch(const struct reach *reach, LLVMValueRef branch, uint32_t *outcomes)
{
    outcomes[false] = distance_from(reach, LLVMGetSuccessor(branch, 1));
    outcomes[true] = distance_from(reach, LLVMGetSuccessor(branch, 0));
}

/* A switch is a chain of decisions, one for each target, numbered by the first successor that leads there; 0 is the
 * default's. One that is not taken leads to the later targets and the default. */
static void note_switch(const struct reach *reach, LLVMValueRef instruction, uint32_t *outcomes)
{
    unsigned count = LLVMGetNumSuccessors(instruction);
    struct entries targets = {0};
    for (unsigned i = 0; i < count; i++)
        add_entry(&targets, LLVMGetSuccessor(instruction, i), i);
    sort_entries(&targets);
    bool *is_first = calloc(count, sizeof *is_first);
    uint32_t later = distance_from(reach, LLVMGetSuccessor(instruction, 0));
    for (size_t i = 0; is_first && i < count;) {
        uint32_t lowest = targets.list[i].node;
        const void *target = targets.list[i].key;
        for (; i < count && targets.list[i].key == target; i++)
            lowest = targets.list[i].node < lowest ? targets.list[i].node : lowest;
        is_first[lowest] = true;
    }
    for (unsigned i = count; i-- > 0;) {
        outcomes[2 * i] = later;
        outcomes[2 * i + 1] = distance_from(reach, LLVMGetSuccessor(instruction, i));
        if (is_first && is_first[i] && outcomes[2 * i + 1] < later)
            later = outcomes[2 * i + 1];
    }
    free(is_first), free(targets.list);
}

void reach_note(const struct reach *reach, LLVMValueRef instruction, struct site_table *sites, uint32_t site)
{
    unsigned count = LLVMGetNumSuccessors(instruction);
    bool is_branch = LLVMGetInstructionOpcode(instruction) == LLVMBr;
    uint32_t *outcomes = site_table_outcomes(sites, site, is_branch ? 1 : count);
    if (is_branch)
        note_branch(reach, instruction, outcomes);
    else
        note_switch(reach, instruction, outcomes);
}
