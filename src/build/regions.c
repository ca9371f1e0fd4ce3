/* One-sided code. change(old, new) compiles to straight-line code between three marks,
 *
 *     __pn_begin_old(); <old> ; store v;  __pn_begin_new(); <new> ; store v;  __pn_end_change(); load v
 *
 * and everything between the marks belongs to one version. This file finds the marks and checks what is between them:
 * arguments must be free of branches, calls and side effects. */
#include "build/emit.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

const char *called_name(LLVMValueRef call)
{
    LLVMValueRef callee = LLVMGetCalledValue(call);
    size_t length;
    return LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &length) : "";
}

enum region_mark region_mark(LLVMValueRef instruction)
{
    if (!LLVMIsACallInst(instruction))
        return MARK_NONE;
    const char *name = called_name(instruction);
    if (!strcmp(name, "__pn_begin_old"))
        return MARK_BEGIN_OLD;
    if (!strcmp(name, "__pn_begin_new"))
        return MARK_BEGIN_NEW;
    return strcmp(name, "__pn_end_change") ? MARK_NONE : MARK_END;
}

static bool refuse(struct error *error, LLVMValueRef at, const char *what)
{
    unsigned length = 0;
    const char *file = LLVMGetDebugLocFilename(at, &length);
    return error_set(error, "%.*s:%u:%u: %s", (int)length, file ? file : "", LLVMGetDebugLocLine(at),
                     LLVMGetDebugLocColumn(at), what);
}

static bool is_harmless_call(const char *name)
{
    return !strncmp(name, "llvm.", 5) && strncmp(name, "llvm.mem", 8);
}

/* The state of the scan through one block. */
struct scan {
    enum region_mark open;   /* the last mark met, MARK_NONE outside */
    LLVMValueRef start;      /* the instruction of the change()'s first mark */
    LLVMValueRef old_target; /* where the old argument's value was stored */
    unsigned stores;         /* in the current region */
};

static bool check_store(struct scan *scan, LLVMValueRef store, struct error *error)
{
    LLVMValueRef target = LLVMGetOperand(store, 1);
    bool is_result = LLVMIsAAllocaInst(target) && !scan->stores++ &&
                     (scan->open == MARK_BEGIN_OLD || target == scan->old_target);
    if (!is_result)
        return refuse(error, scan->start,
                      "an argument of change() has a side effect, which is not supported yet: move it out of change()");
    if (!label_width(LLVMTypeOf(LLVMGetOperand(store, 0))))
        return refuse(error, scan->start,
                      "change() of this type is not supported yet: integers up to 64 bits and pointers are");
    scan->old_target = target;
    return true;
}

static bool check_mark(struct scan *scan, enum region_mark mark, LLVMValueRef at, struct error *error)
{
    bool expected = mark == MARK_BEGIN_OLD   ? scan->open == MARK_NONE
                    : mark == MARK_BEGIN_NEW ? scan->open == MARK_BEGIN_OLD
                                             : scan->open == MARK_BEGIN_NEW;
    if (mark == MARK_BEGIN_OLD && !expected)
        return refuse(error, at, "change() inside an argument of change() is not supported yet: name the inner one");
    if (!expected)
        return refuse(error, at, "an argument of change() branches (&&, ||, ?: or a loop), which is not supported yet: "
                                 "compute it in a variable before");
    if (mark == MARK_BEGIN_OLD)
        scan->start = at;
    scan->open = mark == MARK_END ? MARK_NONE : mark;
    scan->stores = 0;
    return true;
}

static bool check_inside(struct scan *scan, LLVMValueRef instruction, struct error *error)
{
    if (LLVMIsAStoreInst(instruction))
        return check_store(scan, instruction, error);
    if (LLVMIsACallInst(instruction) && !is_harmless_call(called_name(instruction))) {
        bool copies = !strncmp(called_name(instruction), "llvm.mem", 8);
        return refuse(error, scan->start,
                      copies ? "change() of a struct or an array is not supported yet: change its fields"
                             : "an argument of change() calls a function, which is not supported yet: call it before "
                               "and use its result");
    }
    if (!LLVMIsATerminatorInst(instruction))
        return true;
    return refuse(error, scan->start, "an argument of change() branches (&&, ||, ?: or a loop), which is not supported "
                                      "yet: compute it in a variable before");
}

bool regions_check(LLVMValueRef function, bool *has_change, struct error *error)
{
    *has_change = false;
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block)) {
        struct scan scan = {0};
        for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at)) {
            if (LLVMIsACallInst(at) && !strcmp(called_name(at), "__pn_execute"))
                return refuse(error, at, "execute() is not supported yet: use if (change(...))");
            enum region_mark mark = region_mark(at);
            if (mark != MARK_NONE) {
                *has_change = true;
                if (!check_mark(&scan, mark, at, error))
                    return false;
            } else if (scan.open != MARK_NONE && !check_inside(&scan, at, error)) {
                return false;
            }
        }
    }
    return true;
}
