/* Memory: which objects there are, what pointers may lead to, and so which stores a load may see. The order of loads
 * and stores is not looked at, nor parts of objects. What is stored somewhere, or handed to code nobody has seen,
 * escapes: pointers that come from memory may lead to any object that does. */
#include "depend/inside.h"

#include <stdlib.h>
#include <string.h>

enum { ANYTHING = 0 }; /* the object that stands for all that escape, and for those that are not the program's */

static size_t word_count(const struct analysis *analysis)
{
    return (analysis->object_count + 63) / 64;
}

/* ---- objects ---- */

static void add_object(struct analysis *analysis, LLVMValueRef value)
{
    size_t number = analysis->object_count++;
    analysis->object_nodes =
        array_reserve(analysis->object_nodes, &analysis->object_capacity, number + 1, sizeof *analysis->object_nodes);
    analysis->escapes = array_reserve_zeroed(analysis->escapes, &analysis->escape_capacity, number + 1, 1);
    analysis->object_nodes[number] = analysis_add_node(analysis, DEPENDENCE_ALWAYS);
    analysis->escapes[number] = false;
    if (value)
        numbering_add(&analysis->objects, value, (uint32_t)number);
}

static void find_objects(struct analysis *analysis)
{
    add_object(analysis, NULL);
    for (LLVMValueRef at = LLVMGetFirstGlobal(analysis->module); at; at = LLVMGetNextGlobal(at))
        add_object(analysis, at);
    for (LLVMValueRef f = LLVMGetFirstFunction(analysis->module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block; block = LLVMGetNextBasicBlock(block))
            for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at))
                if (LLVMIsAAllocaInst(at))
                    add_object(analysis, at);
}

/* ---- what pointers lead to ---- */

static bool add_bit(uint64_t *set, size_t bit)
{
    uint64_t before = set[bit / 64];
    set[bit / 64] |= UINT64_C(1) << bit % 64;
    return set[bit / 64] != before;
}

static bool add_set(struct analysis *analysis, uint64_t *to, const uint64_t *from)
{
    bool changed = false;
    for (size_t i = 0; i < word_count(analysis); i++) {
        changed |= (from[i] & ~to[i]) != 0;
        to[i] |= from[i];
    }
    return changed;
}

static bool is_pointer_value(LLVMValueRef value)
{
    return LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind;
}

/* What a value leads to, added to a set. A number leads nowhere: to make a pointer of it is another matter. */
static bool add_targets(struct analysis *analysis, uint64_t *to, LLVMValueRef value)
{
    if (!is_pointer_value(value))
        return false;
    uint32_t object = numbering_find(&analysis->objects, value), node = analysis_node(analysis, value);
    if (object != UINT32_MAX)
        return add_bit(to, object);
    if (node != UINT32_MAX)
        return add_set(analysis, to, analysis->points_to[node].words);
    if (LLVMIsAConstantExpr(value) && LLVMGetConstOpcode(value) != LLVMIntToPtr)
        return add_targets(analysis, to, LLVMGetOperand(value, 0));
    if (LLVMIsAConstantPointerNull(value) || LLVMIsAFunction(value) || LLVMIsAUndefValue(value))
        return false;
    return add_bit(to, ANYTHING);
}

static bool propagate_returns(struct analysis *analysis, LLVMValueRef callee, uint64_t *to)
{
    bool changed = false;
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(callee); block; block = LLVMGetNextBasicBlock(block)) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
        if (LLVMIsAReturnInst(end) && LLVMGetNumOperands(end))
            changed |= add_targets(analysis, to, LLVMGetOperand(end, 0));
    }
    return changed;
}

static bool propagate_call(struct analysis *analysis, LLVMValueRef call, uint64_t *to)
{
    LLVMValueRef callee;
    size_t number = 0;
    bool changed = false, is_pointer = is_pointer_value(call);
    for (; (callee = possible_callee(analysis, call, number)); number++) {
        for (unsigned i = 0; i < LLVMCountParams(callee) && i < LLVMGetNumArgOperands(call); i++)
            changed |=
                add_targets(analysis, analysis->points_to[analysis_node(analysis, LLVMGetParam(callee, i))].words,
                            LLVMGetOperand(call, i));
        changed |= is_pointer && propagate_returns(analysis, callee, to);
    }
    return (is_pointer && !number && add_bit(to, ANYTHING)) || changed;
}

static bool propagate(struct analysis *analysis, LLVMValueRef at)
{
    uint64_t *to = analysis->points_to[analysis_node(analysis, at)].words;
    bool changed = false;
    if (LLVMIsACallInst(at))
        return propagate_call(analysis, at, to);
    if (!is_pointer_value(at) || LLVMIsAAllocaInst(at))
        return false;
    if (LLVMIsAGetElementPtrInst(at))
        return add_targets(analysis, to, LLVMGetOperand(at, 0));
    if (!LLVMIsAPHINode(at) && !LLVMIsASelectInst(at) && !LLVMIsABitCastInst(at) && !LLVMIsAFreezeInst(at))
        return add_bit(to, ANYTHING); /* out of memory, or made of a number */
    for (int i = 0; i < LLVMGetNumOperands(at); i++)
        changed |= add_targets(analysis, to, LLVMGetOperand(at, (unsigned)i));
    return changed;
}

/* ---- what escapes ---- */

static void escape(struct analysis *analysis, LLVMValueRef value)
{
    uint64_t *set = calloc(word_count(analysis), sizeof *set);
    add_targets(analysis, set, value);
    for (size_t i = 0; i < analysis->object_count; i++)
        if (set[i / 64] >> i % 64 & 1)
            analysis->escapes[i] = true;
    free(set);
}

static bool keeps_pointers(const char *name)
{
    static const char *const known[] = {"pn_symbolic", "pn_output", "pn_assume", MARK_FUNCTION};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (!strcmp(name, known[i]))
            return false;
    return strncmp(name, "llvm.", 5) != 0;
}

/* Arguments that code nobody has seen gets, or that are handed over without a parameter. Of what returns a pointer, it
 * may be one of them. */
static void note_arguments(struct analysis *analysis, LLVMValueRef call)
{
    LLVMValueRef callee = LLVMGetCalledValue(call);
    bool is_known = LLVMIsAFunction(callee) && is_defined_here(callee), is_pointer = is_pointer_value(call);
    unsigned first = is_known ? LLVMCountParams(callee) : 0;
    if (!is_known && !is_pointer && LLVMIsAFunction(callee) && !keeps_pointers(called_function_name(call)))
        return;
    for (unsigned i = first; i < LLVMGetNumArgOperands(call); i++)
        escape(analysis, LLVMGetOperand(call, i));
}

/* Whatever a constant names. */
static void escape_constant(struct analysis *analysis, LLVMValueRef constant)
{
    uint32_t object = numbering_find(&analysis->objects, constant);
    if (object != UINT32_MAX)
        analysis->escapes[object] = true;
    else if (!LLVMIsAFunction(constant))
        for (int i = 0; i < LLVMGetNumOperands(constant); i++)
            escape_constant(analysis, LLVMGetOperand(constant, (unsigned)i));
}

/* Constants in which an address is a number, or one of several values: a pointer may be made of that. */
static void escape_hidden(struct analysis *analysis, LLVMValueRef value)
{
    bool is_number = LLVMIsAConstantExpr(value) && LLVMGetConstOpcode(value) == LLVMIntToPtr;
    if (!LLVMIsAConstant(value) || LLVMIsAGlobalValue(value))
        return;
    if (is_number || !is_pointer_value(value)) {
        escape_constant(analysis, value);
        return;
    }
    for (int i = 0; i < LLVMGetNumOperands(value); i++)
        escape_hidden(analysis, LLVMGetOperand(value, (unsigned)i));
}

static void note_escapes(struct analysis *analysis, LLVMValueRef at)
{
    for (int i = 0; i < LLVMGetNumOperands(at); i++)
        escape_hidden(analysis, LLVMGetOperand(at, (unsigned)i));
    if (LLVMIsAStoreInst(at))
        escape(analysis, LLVMGetOperand(at, 0));
    else if (LLVMIsAPtrToIntInst(at) || LLVMIsAInsertValueInst(at) || LLVMIsAInsertElementInst(at))
        for (int i = 0; i < LLVMGetNumOperands(at); i++)
            escape(analysis, LLVMGetOperand(at, (unsigned)i));
    else if (LLVMIsACallInst(at))
        note_arguments(analysis, at);
}

static void find_escapes(struct analysis *analysis)
{
    analysis->escapes[ANYTHING] = true;
    for (LLVMValueRef at = LLVMGetFirstGlobal(analysis->module); at; at = LLVMGetNextGlobal(at)) {
        LLVMLinkage linkage = LLVMGetLinkage(at);
        bool is_own = !LLVMIsDeclaration(at) && (linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage);
        if (!is_own)
            analysis->escapes[numbering_find(&analysis->objects, at)] = true;
        if (!LLVMIsDeclaration(at))
            escape_constant(analysis, LLVMGetInitializer(at));
    }
    for (LLVMValueRef at = LLVMGetFirstGlobalAlias(analysis->module); at; at = LLVMGetNextGlobalAlias(at))
        escape_constant(analysis, LLVMAliasGetAliasee(at));
    for (LLVMValueRef f = LLVMGetFirstFunction(analysis->module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block; block = LLVMGetNextBasicBlock(block))
            for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at))
                note_escapes(analysis, at);
}

void analyse_pointers(struct analysis *analysis)
{
    find_objects(analysis);
    analysis->wild_stores = analysis_add_node(analysis, DEPENDENCE_ALWAYS);
    analysis->wild_objects = analysis_add_node(analysis, DEPENDENCE_ALWAYS);
    size_t nodes = analysis->result->node_count;
    analysis->points_to = arena_allocate(analysis->arena, nodes * sizeof *analysis->points_to);
    for (size_t i = 0; i < nodes; i++)
        analysis->points_to[i].words = arena_allocate(analysis->arena, word_count(analysis) * sizeof(uint64_t));
    for (bool changed = true; changed;) {
        changed = false;
        for (LLVMValueRef f = LLVMGetFirstFunction(analysis->module); f; f = LLVMGetNextFunction(f))
            for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block; block = LLVMGetNextBasicBlock(block))
                for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at))
                    changed |= propagate(analysis, at);
    }
    find_escapes(analysis);
    links_add(&analysis->uses, analysis->wild_objects, analysis->wild_stores);
    for (size_t i = 0; i < analysis->object_count; i++)
        if (analysis->escapes[i])
            links_add(&analysis->uses, analysis->wild_objects, analysis->object_nodes[i]);
}

/* ---- loads and stores ---- */

void add_reads_of_anything(struct analysis *analysis, uint32_t node)
{
    links_add(&analysis->uses, node, analysis->wild_objects);
}

void add_writes_of_anything(struct analysis *analysis, uint32_t node)
{
    links_add(&analysis->uses, analysis->wild_stores, node);
}

void add_reads(struct analysis *analysis, uint32_t node, LLVMValueRef pointer)
{
    uint64_t *set = calloc(word_count(analysis), sizeof *set);
    add_targets(analysis, set, pointer);
    for (size_t i = 0; i < analysis->object_count; i++) {
        if (!(set[i / 64] >> i % 64 & 1))
            continue;
        links_add(&analysis->uses, node, i == ANYTHING ? analysis->wild_objects : analysis->object_nodes[i]);
        if (analysis->escapes[i])
            links_add(&analysis->uses, node, analysis->wild_stores);
    }
    free(set);
}

void add_writes(struct analysis *analysis, uint32_t node, LLVMValueRef pointer)
{
    uint64_t *set = calloc(word_count(analysis), sizeof *set);
    add_targets(analysis, set, pointer);
    for (size_t i = 0; i < analysis->object_count; i++)
        if (set[i / 64] >> i % 64 & 1)
            links_add(&analysis->uses, i == ANYTHING ? analysis->wild_stores : analysis->object_nodes[i], node);
    free(set);
}
