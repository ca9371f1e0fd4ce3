#include "instrument/plain.h"
#include "instrument/parts.h"

#include <string.h>

/* ---- computed goto ---- */

static LLVMValueRef address_of_label(LLVMBasicBlockRef block)
{
    for (LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(block)); use; use = LLVMGetNextUse(use))
        if (LLVMIsABlockAddress(LLVMGetUser(use)))
            return LLVMGetUser(use);
    return NULL;
}

/* Numbers in the order of the blocks, from 1 on: no label's address is null. */
static uint64_t number_of(LLVMValueRef function, LLVMBasicBlockRef block)
{
    uint64_t number = 1;
    for (LLVMBasicBlockRef at = LLVMGetFirstBasicBlock(function); at != block; at = LLVMGetNextBasicBlock(at))
        number++;
    return number;
}

static void number_labels(struct emitter *emitter, LLVMValueRef function)
{
    LLVMTypeRef pointer = LLVMPointerTypeInContext(emitter->context, 0);
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block)) {
        LLVMValueRef address = address_of_label(block);
        if (address)
            LLVMReplaceAllUsesWith(address,
                                   LLVMConstIntToPtr(constant64(emitter, number_of(function, block)), pointer));
    }
}

static bool leads_there_before(LLVMValueRef jump, unsigned successor)
{
    for (unsigned i = 0; i < successor; i++)
        if (LLVMGetSuccessor(jump, i) == LLVMGetSuccessor(jump, successor))
            return true;
    return false;
}

static void make_switch(struct emitter *emitter, LLVMValueRef function, LLVMValueRef jump)
{
    LLVMBasicBlockRef nowhere = LLVMAppendBasicBlockInContext(emitter->context, function, "nowhere");
    LLVMValueRef trap = LLVMGetIntrinsicDeclaration(emitter->module, LLVMLookupIntrinsicID("llvm.trap", 9), NULL, 0);
    unsigned count = LLVMGetNumSuccessors(jump);
    place_before(emitter, jump);
    LLVMValueRef number = as_word(emitter, LLVMGetOperand(jump, 0));
    LLVMValueRef choice = LLVMBuildSwitch(emitter->builder, number, nowhere, count);
    for (unsigned i = 0; i < count; i++)
        if (!leads_there_before(jump, i))
            LLVMAddCase(choice, constant64(emitter, number_of(function, LLVMGetSuccessor(jump, i))),
                        LLVMGetSuccessor(jump, i));
    LLVMPositionBuilderAtEnd(emitter->builder, nowhere);
    LLVMBuildCall2(emitter->builder, LLVMGlobalGetValueType(trap), trap, NULL, 0, "");
    LLVMBuildUnreachable(emitter->builder);
    LLVMInstructionEraseFromParent(jump);
}

static void plain_jumps(struct emitter *emitter, LLVMValueRef function)
{
    LLVMBasicBlockRef last = LLVMIsDeclaration(function) ? NULL : LLVMGetLastBasicBlock(function);
    number_labels(emitter, function);
    for (LLVMBasicBlockRef block = last; block; block = LLVMGetPreviousBasicBlock(block)) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
        if (end && LLVMGetInstructionOpcode(end) == LLVMIndirectBr)
            make_switch(emitter, function, end);
    }
}

/* ---- variables of a thread ---- */

static void use_plain_address(LLVMValueRef function)
{
    for (LLVMUseRef use = LLVMGetFirstUse(function), next; use; use = next) {
        next = LLVMGetNextUse(use);
        LLVMValueRef call = LLVMGetUser(use), variable = LLVMGetOperand(call, 0);
        if (LLVMIsThreadLocal(variable))
            continue;
        LLVMReplaceAllUsesWith(call, variable);
        LLVMInstructionEraseFromParent(call);
    }
}

/* ---- allocation by address ---- */

static bool is_called_there(LLVMValueRef user, LLVMValueRef function)
{
    return LLVMIsACallInst(user) && LLVMGetCalledValue(user) == function;
}

void redirect_pointers(LLVMValueRef function, LLVMValueRef other)
{
    LLVMReplaceAllUsesWith(function, other);
    for (LLVMUseRef use = LLVMGetFirstUse(other), next; use; use = next) {
        LLVMValueRef user = LLVMGetUser(use);
        next = LLVMGetNextUse(use);
        if (is_called_there(user, other))
            LLVMSetOperand(user, (unsigned)LLVMGetNumOperands(user) - 1, function);
    }
}

/* A pointer to such a function leads to the runtime's, which knows the program's blocks. */
static void replace_address(struct emitter *emitter, const char *name, const char *ours)
{
    LLVMValueRef function = LLVMGetNamedFunction(emitter->module, name);
    if (function && LLVMIsDeclaration(function) && is_address_taken(function))
        redirect_pointers(function, LLVMAddFunction(emitter->module, ours, LLVMGlobalGetValueType(function)));
}

static void plain_allocation(struct emitter *emitter)
{
    replace_address(emitter, "malloc", "__pn_malloc");
    replace_address(emitter, "calloc", "__pn_calloc");
    replace_address(emitter, "realloc", "__pn_realloc");
    replace_address(emitter, "free", "__pn_free");
}

static void define_operations(struct emitter *emitter, LLVMValueRef function)
{
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef at = LLVMGetFirstInstruction(block), next; at; at = next) {
            next = LLVMGetNextInstruction(at);
            define_operation(emitter, at);
        }
}

void plain_before_copies(struct emitter *emitter)
{
    size_t length;
    for (LLVMValueRef at = LLVMGetFirstGlobal(emitter->module); at; at = LLVMGetNextGlobal(at)) {
        bool is_shared = emitter->options->is_linked && LLVMGetLinkage(at) == LLVMExternalLinkage; /* with a library */
        if (!LLVMIsDeclaration(at) && !is_shared)
            LLVMSetThreadLocal(at, false);
    }
    for (LLVMValueRef at = LLVMGetFirstFunction(emitter->module); at; at = LLVMGetNextFunction(at)) {
        if (!strncmp(LLVMGetValueName2(at, &length), "llvm.threadlocal.address", 24))
            use_plain_address(at);
        else
            plain_jumps(emitter, at);
        define_operations(emitter, at);
    }
    plain_allocation(emitter);
    plain_mathematical_calls(emitter);
}

/* ---- accesses ---- */

static bool can_be_split(struct emitter *emitter, LLVMTypeRef type)
{
    if (!has_parts(type))
        return false;
    for (unsigned i = 0; i < part_count(type); i++) {
        LLVMTypeRef part = part_type(type, i);
        if (LLVMSizeOfTypeInBits(emitter->layout, part) != 8 * LLVMStoreSizeOfType(emitter->layout, part))
            return false;
    }
    return true;
}

static LLVMValueRef part_address(struct emitter *emitter, LLVMValueRef address, uint64_t offset)
{
    LLVMValueRef index = constant64(emitter, offset);
    return offset ? LLVMBuildGEP2(emitter->builder, LLVMInt8TypeInContext(emitter->context), address, &index, 1, "")
                  : address;
}

/* Of a part, from that of the whole. */
static void align_like(LLVMValueRef access, LLVMValueRef whole, uint64_t offset)
{
    unsigned alignment = LLVMGetAlignment(whole);
    while (offset % alignment)
        alignment /= 2;
    LLVMSetAlignment(access, alignment);
    LLVMSetVolatile(access, LLVMGetVolatile(whole));
}

static void split_load(struct emitter *emitter, LLVMValueRef load)
{
    LLVMTypeRef type = LLVMTypeOf(load);
    LLVMValueRef whole = LLVMGetPoison(type);
    place_before(emitter, load);
    for (unsigned i = 0; i < part_count(type); i++) {
        uint64_t offset = part_offset(emitter, type, i);
        LLVMValueRef part = LLVMBuildLoad2(emitter->builder, part_type(type, i),
                                           part_address(emitter, LLVMGetOperand(load, 0), offset), "");
        align_like(part, load, offset);
        whole = with_part(emitter, whole, i, part);
    }
    LLVMReplaceAllUsesWith(load, whole);
    LLVMInstructionEraseFromParent(load);
}

static void split_store(struct emitter *emitter, LLVMValueRef store)
{
    LLVMValueRef value = LLVMGetOperand(store, 0);
    LLVMTypeRef type = LLVMTypeOf(value);
    place_before(emitter, store);
    for (unsigned i = 0; i < part_count(type); i++) {
        uint64_t offset = part_offset(emitter, type, i);
        LLVMValueRef part = LLVMBuildStore(emitter->builder, part_of(emitter, value, i),
                                           part_address(emitter, LLVMGetOperand(store, 1), offset));
        align_like(part, store, offset);
    }
    LLVMInstructionEraseFromParent(store);
}

void plain_accesses(struct emitter *emitter)
{
    for (LLVMValueRef function = LLVMGetFirstFunction(emitter->module); function;
         function = LLVMGetNextFunction(function))
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))
            for (LLVMValueRef at = LLVMGetFirstInstruction(block), next; at; at = next) {
                next = LLVMGetNextInstruction(at);
                if (LLVMIsALoadInst(at) && can_be_split(emitter, LLVMTypeOf(at)))
                    split_load(emitter, at);
                else if (LLVMIsAStoreInst(at) && can_be_split(emitter, LLVMTypeOf(LLVMGetOperand(at, 0))))
                    split_store(emitter, at);
            }
}
