/* Numbers of LLVM's values, links between nodes, and adding either. */
#include "depend/inside.h"

#include <stdlib.h>

void numbering_add(struct numbering *numbering, const void *key, uint32_t number)
{
    numbering->list =
        array_reserve(numbering->list, &numbering->capacity, numbering->count + 1, sizeof *numbering->list);
    numbering->list[numbering->count++] = (struct numbered){key, number};
    numbering->sorted = false;
}

static int compare_keys(const void *one, const void *other)
{
    const struct numbered *a = one, *b = other;
    return a->key < b->key ? -1 : a->key > b->key;
}

uint32_t numbering_find(struct numbering *numbering, const void *key)
{
    struct numbered wanted = {.key = key};
    if (!numbering->sorted && numbering->count)
        qsort(numbering->list, numbering->count, sizeof *numbering->list, compare_keys);
    numbering->sorted = true;
    const struct numbered *found =
        numbering->count ? bsearch(&wanted, numbering->list, numbering->count, sizeof *numbering->list, compare_keys)
                         : NULL;
    return found ? found->number : UINT32_MAX;
}

void links_add(struct links *links, uint32_t from, uint32_t to)
{
    links->list = array_reserve(links->list, &links->capacity, links->count + 1, sizeof *links->list);
    links->list[links->count++] = (struct link){from, to};
}

void analysis_give_up(struct analysis *analysis, const char *why)
{
    if (!analysis->result->unknown)
        analysis->result->unknown = why;
}

uint32_t analysis_add_node(struct analysis *analysis, uint32_t block)
{
    struct dependences *result = analysis->result;
    result->nodes =
        array_reserve(result->nodes, &analysis->node_capacity, result->node_count + 1u, sizeof *result->nodes);
    result->nodes[result->node_count] = (struct dependence_node){.block = block};
    return result->node_count++;
}

void analysis_add_criterion(struct analysis *analysis, uint32_t node, uint32_t kinds)
{
    struct dependences *result = analysis->result;
    result->criteria = array_reserve(result->criteria, &analysis->criterion_capacity, result->criterion_count + 1u,
                                     sizeof *result->criteria);
    result->criteria[result->criterion_count++] = (struct dependence_criterion){node, kinds, 0};
}

uint32_t analysis_block_of(struct analysis *analysis, LLVMValueRef instruction)
{
    return numbering_find(&analysis->blocks, LLVMGetInstructionParent(instruction));
}

uint32_t analysis_node(struct analysis *analysis, LLVMValueRef value)
{
    return numbering_find(&analysis->values, value);
}

const char *called_function_name(LLVMValueRef call)
{
    size_t length;
    LLVMValueRef callee = LLVMGetCalledValue(call);
    return LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &length) : "";
}

bool is_defined_here(LLVMValueRef function)
{
    return !LLVMIsDeclaration(function);
}

LLVMValueRef possible_callee(const struct analysis *analysis, LLVMValueRef call, size_t number)
{
    LLVMValueRef callee = LLVMGetCalledValue(call);
    if (LLVMIsAFunction(callee))
        return number == 0 && is_defined_here(callee) ? callee : NULL;
    return number < analysis->taken_count ? analysis->taken[number] : NULL;
}

void use(struct analysis *analysis, uint32_t node, LLVMValueRef value)
{
    uint32_t used = analysis_node(analysis, value);
    if (used != UINT32_MAX)
        links_add(&analysis->uses, node, used);
}

void use_operands(struct analysis *analysis, uint32_t node, LLVMValueRef at)
{
    for (int i = 0; i < LLVMGetNumOperands(at); i++)
        use(analysis, node, LLVMGetOperand(at, (unsigned)i));
}

uint32_t hand_on(struct analysis *analysis, uint32_t to, uint32_t block)
{
    uint32_t node = analysis_add_node(analysis, block);
    links_add(&analysis->uses, to, node);
    return node;
}
