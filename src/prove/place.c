/* How two functions begin: with the same arguments and the same memory, their variables in the same places. */
#include "prove/follow.h"

#include <stdlib.h>

enum { MOST_OBJECTS = 16 };

/* An object whose address is known by name: a variable of the program or of the function. */
struct object {
    Z3_ast address;
    uint64_t size;
    bool is_local; /* two of these may lie in one place, one after the other */
};

struct objects {
    struct object list[MOST_OBJECTS];
    size_t count;
};

static void add_object(struct walk *walk, struct objects *objects, Z3_ast address, LLVMTypeRef type, bool is_local)
{
    uint64_t size = LLVMTypeIsSized(type) ? LLVMABISizeOfType(walk->sameness->old->layout, type) : 0;
    for (size_t i = 0; i < objects->count; i++)
        if (objects->list[i].address == address)
            return;
    if (!size || objects->count >= MOST_OBJECTS)
        return;
    for (size_t i = 0; i < objects->count; i++)
        if (!is_local || !objects->list[i].is_local)
            terms_part(&walk->terms, objects->list[i].address, objects->list[i].size, address, size);
    objects->list[objects->count++] = (struct object){address, size, is_local};
}

static void add_variable(struct walk *walk, struct objects *objects, unsigned side, LLVMValueRef value)
{
    if (LLVMIsAConstantExpr(value) && LLVMGetNumOperands(value) > 0)
        value = LLVMGetOperand(value, 0);
    if (LLVMIsAGlobalVariable(value) && !LLVMIsDeclaration(value) && !LLVMIsGlobalConstant(value) &&
        !LLVMIsThreadLocal(value) && LLVMGetLinkage(value) == LLVMExternalLinkage)
        add_object(walk, objects, term_constant(&walk->terms, side, value), LLVMGlobalGetValueType(value), false);
}

/* Variables of a version lie beside each other. */
static void part_objects(struct walk *walk, const struct state *state, unsigned side)
{
    struct objects objects = {.count = 0};
    const struct shape *shape = state->sides[side].shape;
    for (size_t i = 0; i < shape->block_count; i++)
        for (LLVMValueRef at = LLVMGetFirstInstruction(shape->blocks[i]); at; at = LLVMGetNextInstruction(at)) {
            if (LLVMIsAAllocaInst(at))
                add_object(walk, &objects, state->sides[side].values[shape_number_of(shape, at)],
                           LLVMGetAllocatedType(at), true);
            for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(at); k++)
                add_variable(walk, &objects, side, LLVMGetOperand(at, k));
        }
}

static LLVMValueRef next_variable(LLVMValueRef at)
{
    while (at && !LLVMIsAAllocaInst(at))
        at = LLVMGetNextInstruction(at);
    return at;
}

static bool is_one_variable(LLVMValueRef at)
{
    LLVMValueRef count = LLVMGetOperand(at, 0);
    return LLVMIsAConstantInt(count) && LLVMConstIntGetZExtValue(count) == 1;
}

static bool are_alike(LLVMValueRef one, LLVMValueRef other)
{
    return types_match(LLVMGetAllocatedType(one), LLVMGetAllocatedType(other)) &&
           LLVMGetAlignment(one) == LLVMGetAlignment(other);
}

/* Variables that are alike lie in the same place; which ones is as good as any other way in which they may lie. */
static void place_variables(struct walk *walk, struct state *state)
{
    struct side *old = &state->sides[OLD_SIDE], *new = &state->sides[NEW_SIDE];
    for (LLVMValueRef at = next_variable(old->at); at; at = next_variable(LLVMGetNextInstruction(at)))
        old->values[shape_number_of(old->shape, at)] =
            term_fresh(&walk->terms, term_width(&walk->terms, LLVMTypeOf(at)));
    for (LLVMValueRef at = next_variable(new->at); at; at = next_variable(LLVMGetNextInstruction(at))) {
        Z3_ast *place = &new->values[shape_number_of(new->shape, at)];
        for (LLVMValueRef other = next_variable(old->at); other && !*place;
             other = next_variable(LLVMGetNextInstruction(other))) {
            Z3_ast address = old->values[shape_number_of(old->shape, other)];
            bool is_taken = false;
            for (LLVMValueRef before = next_variable(new->at); before != at;
                 before = next_variable(LLVMGetNextInstruction(before)))
                is_taken = is_taken || new->values[shape_number_of(new->shape, before)] == address;
            if (!is_taken && are_alike(at, other))
                *place = address;
        }
        *place = *place ? *place : term_fresh(&walk->terms, term_width(&walk->terms, LLVMTypeOf(at)));
    }
}

static bool is_atomic(LLVMValueRef at)
{
    return (LLVMIsALoadInst(at) || LLVMIsAStoreInst(at)) && LLVMGetOrdering(at) != LLVMAtomicOrderingNotAtomic;
}

/* Vectors and the like have no terms; variables are in the first block, each one. */
bool has_terms(struct walk *walk, const struct shape *shape)
{
    for (unsigned i = 0; i < LLVMCountParams(shape->function); i++)
        if (!term_width(&walk->terms, LLVMTypeOf(LLVMGetParam(shape->function, i))))
            return false;
    for (size_t i = 0; i < shape->block_count; i++)
        for (LLVMValueRef at = LLVMGetFirstInstruction(shape->blocks[i]); at; at = LLVMGetNextInstruction(at))
            if (is_atomic(at) || (LLVMIsAAllocaInst(at) && (i > 0 || !is_one_variable(at))) ||
                (LLVMGetTypeKind(LLVMTypeOf(at)) != LLVMVoidTypeKind && !term_width(&walk->terms, LLVMTypeOf(at))))
                return false;
    return true;
}

void begin(struct walk *walk, struct state *state)
{
    Z3_ast memory = term_fresh_memory(&walk->terms);
    for (unsigned i = 0; i < SIDES; i++)
        state->sides[i] = (struct side){
            .shape = &walk->shapes[i],
            .at = LLVMGetFirstInstruction(walk->shapes[i].blocks[0]),
            .values = calloc(walk->shapes[i].value_count + 1, sizeof(Z3_ast)),
            .memory = memory,
        };
    for (unsigned i = 0; i < LLVMCountParams(walk->shapes[OLD_SIDE].function); i++)
        state->sides[OLD_SIDE].values[i] = state->sides[NEW_SIDE].values[i] = term_fresh(
            &walk->terms, term_width(&walk->terms, LLVMTypeOf(LLVMGetParam(walk->shapes[OLD_SIDE].function, i))));
    place_variables(walk, state);
    for (unsigned i = 0; i < SIDES; i++)
        part_objects(walk, state, i);
}
