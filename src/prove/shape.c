/* Numbers of values, and loops by their back edges. */
#include "prove/shape.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_VALUES = 4000, MOST_BLOCKS = 400 };

/* ---- numbers ---- */

static size_t place_of(const struct shape *shape, LLVMValueRef value)
{
    size_t place = (((uintptr_t)value >> 4) * 0x9E3779B97F4A7C15u >> 20) & (shape->number_capacity - 1);
    while (shape->numbers[place].value && shape->numbers[place].value != value)
        place = (place + 1) & (shape->number_capacity - 1);
    return place;
}

static void number(struct shape *shape, LLVMValueRef value, size_t is)
{
    shape->numbers[place_of(shape, value)] = (struct shape_number){value, is};
}

size_t shape_number_of(const struct shape *shape, LLVMValueRef value)
{
    return shape->numbers[place_of(shape, value)].number;
}

static size_t block_number(const struct shape *shape, LLVMBasicBlockRef block)
{
    return shape_number_of(shape, LLVMBasicBlockAsValue(block));
}

static size_t count_values(LLVMValueRef function)
{
    size_t count = LLVMCountParams(function);
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at))
            count++;
    return count;
}

static void number_values(struct shape *shape, struct arena *arena)
{
    size_t values = count_values(shape->function);
    shape->number_capacity = 64;
    while (shape->number_capacity < 2 * (values + shape->block_count))
        shape->number_capacity *= 2;
    shape->numbers = arena_allocate(arena, shape->number_capacity * sizeof *shape->numbers);
    memset(shape->numbers, 0, shape->number_capacity * sizeof *shape->numbers);
    for (unsigned i = 0; i < LLVMCountParams(shape->function); i++)
        number(shape, LLVMGetParam(shape->function, i), shape->value_count++);
    LLVMGetBasicBlocks(shape->function, shape->blocks);
    for (size_t i = 0; i < shape->block_count; i++) {
        number(shape, LLVMBasicBlockAsValue(shape->blocks[i]), i);
        for (LLVMValueRef at = LLVMGetFirstInstruction(shape->blocks[i]); at; at = LLVMGetNextInstruction(at))
            number(shape, at, shape->value_count++);
    }
}

/* ---- loops ---- */

/* What is reached from the first block without passing this one, by the number of the block. */
static void mark_reached_without(const struct shape *shape, size_t without, bool *reached, size_t *stack)
{
    size_t depth = 0;
    memset(reached, 0, shape->block_count * sizeof *reached);
    if (without == 0)
        return;
    reached[0] = true;
    stack[depth++] = 0;
    while (depth) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(shape->blocks[stack[--depth]]);
        for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++) {
            size_t next = block_number(shape, LLVMGetSuccessor(end, i));
            if (next == without || reached[next])
                continue;
            reached[next] = true;
            stack[depth++] = next;
        }
    }
}

static bool goes_to(const struct shape *shape, size_t block, size_t to)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(shape->blocks[block]);
    for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++)
        if (block_number(shape, LLVMGetSuccessor(end, i)) == to)
            return true;
    return false;
}

/* From the ends of the loop back to its beginning, which all ways in go through. */
static void mark_loop(struct shape *shape, size_t header, const bool *reached)
{
    bool *inside = shape->is_in_loop + header * shape->block_count;
    for (size_t i = 0; i < shape->block_count; i++)
        if (!reached[i] && goes_to(shape, i, header))
            shape->is_header[header] = inside[header] = inside[i] = true;
    for (bool grows = shape->is_header[header]; grows;) {
        grows = false;
        for (size_t i = 0; i < shape->block_count; i++)
            for (size_t k = 0; k < shape->block_count && !inside[i] && !reached[i]; k++)
                if (inside[k] && k != header && goes_to(shape, i, k))
                    grows = inside[i] = true;
    }
}

/* Whether a walk that stops at every header ends: what is left has no cycle. */
static bool headers_cut_cycles(const struct shape *shape, size_t *ways_in, size_t *stack)
{
    size_t depth = 0, done = 0;
    memset(ways_in, 0, shape->block_count * sizeof *ways_in);
    for (size_t i = 0; i < shape->block_count; i++)
        for (size_t k = 0; k < shape->block_count; k++)
            ways_in[k] += !shape->is_header[k] && goes_to(shape, i, k);
    for (size_t i = 0; i < shape->block_count; i++)
        if (!ways_in[i])
            stack[depth++] = i;
    while (depth) {
        size_t block = stack[--depth];
        done++;
        for (size_t k = 0; k < shape->block_count; k++)
            if (!shape->is_header[k] && goes_to(shape, block, k) && --ways_in[k] == 0)
                stack[depth++] = k;
    }
    return done == shape->block_count;
}

static bool find_loops(struct shape *shape)
{
    size_t count = shape->block_count;
    bool *reached = calloc(count, sizeof *reached);
    size_t *stack = calloc(count, sizeof *stack), *ways_in = calloc(count, sizeof *ways_in);
    for (size_t i = 0; i < count; i++) {
        mark_reached_without(shape, i, reached, stack);
        mark_loop(shape, i, reached);
    }
    bool cut = headers_cut_cycles(shape, ways_in, stack);
    free(reached), free(stack), free(ways_in);
    return cut;
}

bool shape_read(struct shape *shape, LLVMValueRef function, struct arena *arena)
{
    *shape = (struct shape){.function = function, .block_count = LLVMCountBasicBlocks(function)};
    size_t blocks = shape->block_count;
    if (blocks > MOST_BLOCKS || count_values(function) > MOST_VALUES)
        return false;
    shape->blocks = arena_allocate(arena, blocks * sizeof(LLVMBasicBlockRef));
    shape->is_header = arena_allocate(arena, blocks);
    shape->is_in_loop = arena_allocate(arena, blocks * blocks);
    memset(shape->is_header, 0, blocks);
    memset(shape->is_in_loop, 0, blocks * blocks);
    number_values(shape, arena);
    return find_loops(shape);
}

bool shape_is_header(const struct shape *shape, LLVMBasicBlockRef block)
{
    return shape->is_header[block_number(shape, block)];
}

bool shape_is_in_loop(const struct shape *shape, LLVMBasicBlockRef header, LLVMBasicBlockRef block)
{
    return shape->is_in_loop[block_number(shape, header) * shape->block_count + block_number(shape, block)];
}
