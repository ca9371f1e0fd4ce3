/* Copies of functions for one side. Code that runs for one version only calls the copy of that side, in which every
 * load and store is that side's, and every execute() is decided. LLVM-C cannot copy a function, but it can copy a
 * module: the copy's functions are renamed, its variables made declarations, and it is linked back in. */
#include "instrument/bitcode.h"
#include "instrument/emit.h"

#include <llvm-c/Linker.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const suffixes[] = {[PN_SIDE_OLD] = ".pn_old", [PN_SIDE_NEW] = ".pn_new"};

static bool ends_with(const char *name, const char *suffix)
{
    size_t length = strlen(name), tail = strlen(suffix);
    return length > tail && !strcmp(name + length - tail, suffix);
}

enum pn_side clone_side(LLVMValueRef function)
{
    const char *name = name_of(function);
    return ends_with(name, suffixes[PN_SIDE_OLD])   ? PN_SIDE_OLD
           : ends_with(name, suffixes[PN_SIDE_NEW]) ? PN_SIDE_NEW
                                                    : PN_SIDE_BOTH;
}

LLVMValueRef clone_for(struct emitter *emitter, LLVMValueRef function, enum pn_side side)
{
    char name[1024];
    snprintf(name, sizeof name, "%s%s", name_of(function), suffixes[side]);
    return LLVMGetNamedFunction(emitter->module, name);
}

void need_clone(struct emitter *emitter, LLVMValueRef clone)
{
    struct needed_clones *needed = &emitter->needed;
    for (size_t i = 0; i < needed->count; i++)
        if (needed->list[i] == clone)
            return;
    needed->list = array_reserve(needed->list, &needed->capacity, needed->count + 1, sizeof *needed->list);
    needed->list[needed->count++] = clone;
}

/* ---- what must be visible while the copies are linked ---- */

struct hidden {
    LLVMValueRef *list;
    LLVMLinkage *linkages;
    size_t count, capacity, linkage_capacity;
};

static void make_visible(struct hidden *hidden, LLVMValueRef value)
{
    LLVMLinkage linkage = LLVMGetLinkage(value);
    if (linkage != LLVMInternalLinkage && linkage != LLVMPrivateLinkage)
        return;
    hidden->list = array_reserve(hidden->list, &hidden->capacity, hidden->count + 1, sizeof *hidden->list);
    hidden->linkages =
        array_reserve(hidden->linkages, &hidden->linkage_capacity, hidden->count + 1, sizeof *hidden->linkages);
    hidden->list[hidden->count] = value;
    hidden->linkages[hidden->count++] = linkage;
    if (!*name_of(value))
        LLVMSetValueName2(value, "__pn_unnamed", 12);
    LLVMSetLinkage(value, LLVMExternalLinkage);
}

static void hide_again(struct hidden *hidden)
{
    for (size_t i = 0; i < hidden->count; i++)
        LLVMSetLinkage(hidden->list[i], hidden->linkages[i]);
    free(hidden->list), free(hidden->linkages);
}

/* ---- making one copy ---- */

static void drop_variables(LLVMModuleRef copy)
{
    for (LLVMValueRef at = LLVMGetFirstGlobal(copy), next; at; at = next) {
        next = LLVMGetNextGlobal(at);
        if (!strncmp(name_of(at), "llvm.", 5)) {
            LLVMDeleteGlobal(at);
        } else if (LLVMGetInitializer(at)) {
            LLVMSetInitializer(at, NULL);
            LLVMSetLinkage(at, LLVMExternalLinkage);
        }
    }
}

/* Where a function is not called but its address is taken, the address is the original's. */
static void keep_addresses(LLVMModuleRef copy, LLVMValueRef function, const char *original_name)
{
    LLVMValueRef original = NULL;
    for (LLVMUseRef use = LLVMGetFirstUse(function), next; use; use = next) {
        next = LLVMGetNextUse(use);
        LLVMValueRef user = LLVMGetUser(use);
        if (!LLVMIsAInstruction(user))
            continue;
        int count = LLVMGetNumOperands(user);
        for (int i = 0; i < count - (LLVMIsACallInst(user) ? 1 : 0); i++) {
            if (LLVMGetOperand(user, (unsigned)i) != function)
                continue;
            if (!original)
                original = LLVMAddFunction(copy, original_name, LLVMGlobalGetValueType(function));
            LLVMSetOperand(user, (unsigned)i, original);
            next = LLVMGetFirstUse(function); /* the list has changed */
            while (next && LLVMGetUser(next) == user)
                next = LLVMGetNextUse(next);
        }
    }
}

static void decide_execute(struct emitter *emitter, LLVMValueRef function, enum pn_side side)
{
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block)) {
        for (LLVMValueRef at = LLVMGetFirstInstruction(block), next; at; at = next) {
            next = LLVMGetNextInstruction(at);
            if (!is_execute(at))
                continue;
            LLVMReplaceAllUsesWith(at, constant32(emitter, execute_side(at) == side));
            LLVMInstructionEraseFromParent(at);
        }
    }
}

static LLVMModuleRef copy_for_side(struct emitter *emitter, enum pn_side side)
{
    LLVMModuleRef copy = LLVMCloneModule(emitter->module);
    drop_variables(copy);
    for (LLVMValueRef at = LLVMGetFirstFunction(copy); at; at = LLVMGetNextFunction(at)) {
        if (LLVMIsDeclaration(at))
            continue;
        char original[1024], name[1024 + 16];
        snprintf(original, sizeof original, "%s", name_of(at));
        snprintf(name, sizeof name, "%s%s", original, suffixes[side]);
        LLVMSetValueName2(at, name, strlen(name));
        LLVMSetLinkage(at, LLVMExternalLinkage);
        keep_addresses(copy, at, original);
        decide_execute(emitter, at, side);
    }
    return copy;
}

/* The runtime's, which knows whose code is running. */
static bool is_allocator(LLVMValueRef function)
{
    const char *name = name_of(function);
    return !strcmp(name, "__pn_malloc") || !strcmp(name, "__pn_calloc") || !strcmp(name, "__pn_realloc") ||
           !strcmp(name, "__pn_free");
}

/* Rows of (function, copy for old, copy for new), in a section that the runtime finds by its name. */
static void list_copies(struct emitter *emitter)
{
    LLVMTypeRef pointer = LLVMPointerTypeInContext(emitter->context, 0), fields[] = {pointer, pointer, pointer};
    LLVMTypeRef row_type = LLVMStructTypeInContext(emitter->context, fields, 3, false);
    LLVMValueRef *rows = NULL;
    size_t count = 0, capacity = 0;
    for (LLVMValueRef at = LLVMGetFirstFunction(emitter->module); at; at = LLVMGetNextFunction(at)) {
        bool is_ours = LLVMIsDeclaration(at) && is_allocator(at);
        if ((LLVMIsDeclaration(at) && !is_ours) || clone_side(at) != PN_SIDE_BOTH || !is_address_taken(at))
            continue;
        LLVMValueRef values[] = {at, is_ours ? at : clone_for(emitter, at, PN_SIDE_OLD),
                                 is_ours ? at : clone_for(emitter, at, PN_SIDE_NEW)};
        for (unsigned i = 1; i < 3 && !is_ours; i++)
            need_clone(emitter, values[i]);
        rows = array_reserve(rows, &capacity, count + 1, sizeof *rows);
        rows[count++] = LLVMConstStructInContext(emitter->context, values, 3, false);
    }
    if (count) {
        LLVMValueRef array = LLVMConstArray2(row_type, rows, (unsigned)count);
        LLVMValueRef table = LLVMAddGlobal(emitter->module, LLVMTypeOf(array), "__pn_copies");
        LLVMSetInitializer(table, array);
        LLVMSetSection(table, "pn_copies");
        LLVMSetAlignment(table, 8);
    }
    free(rows);
}

bool clones_make(struct emitter *emitter)
{
    struct hidden hidden = {0};
    LLVMModuleRef module = emitter->module;
    for (LLVMValueRef at = LLVMGetFirstGlobal(module); at; at = LLVMGetNextGlobal(at))
        make_visible(&hidden, at);
    for (LLVMValueRef at = LLVMGetFirstFunction(module); at; at = LLVMGetNextFunction(at))
        make_visible(&hidden, at);
    LLVMModuleRef for_old = copy_for_side(emitter, PN_SIDE_OLD), for_new = copy_for_side(emitter, PN_SIDE_NEW);
    bool failed = LLVMLinkModules2(module, for_old);
    failed = LLVMLinkModules2(module, for_new) || failed;
    hide_again(&hidden);
    list_copies(emitter);
    return !failed || error_set(emitter->error, "the program's functions cannot be copied for one version alone");
}

void clones_hide(struct emitter *emitter)
{
    for (LLVMValueRef at = LLVMGetFirstFunction(emitter->module); at; at = LLVMGetNextFunction(at))
        if (clone_side(at) != PN_SIDE_BOTH && !LLVMIsDeclaration(at))
            LLVMSetLinkage(at, LLVMInternalLinkage);
}
