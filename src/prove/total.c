/* Every failure becomes a call, and every operation that C or LLVM leaves undefined one that nobody knows: what is left
 * has a meaning for every input, and the optimiser can exploit nothing. */
#include "instrument/mathematics.h"
#include "prove/prover.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- functions of ours ---- */

bool name_begins(const char *name, const char *start)
{
    return strncmp(name, start, strlen(start)) == 0;
}

const char *callee_name(LLVMValueRef instruction)
{
    size_t length;
    LLVMValueRef callee = LLVMIsACallInst(instruction) ? LLVMGetCalledValue(instruction) : NULL;
    return callee && LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &length) : "";
}

void collect_instructions(struct version *version, LLVMValueRef function, LLVMValueRef **list, size_t *count)
{
    size_t capacity = 0;
    (void)version;
    *list = NULL;
    *count = 0;
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at)) {
            *list = array_reserve(*list, &capacity, *count + 1, sizeof **list);
            (*list)[(*count)++] = at;
        }
}

static void add_attribute(struct version *version, LLVMValueRef function, LLVMAttributeIndex index, const char *name,
                          uint64_t value)
{
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    LLVMAddAttributeAtIndex(function, index, LLVMCreateEnumAttribute(version->context, kind, value));
}

static void add_effect(struct version *version, LLVMValueRef function, enum effect effect)
{
    /* In the encoding of LLVM's MemoryEffects: what is read and written of memory that the program cannot access. */
    static const uint64_t memory[] = {[EFFECT_NONE] = 0, [EFFECT_LOOKS] = 1 << 2, [EFFECT_EVENT] = 3 << 2};
    static const char *const always[] = {"willreturn", "speculatable", "nofree", "nosync", "nocallback"};
    LLVMAttributeIndex all = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
    add_attribute(version, function, all, "nounwind", 0);
    add_attribute(version, function, all, "memory", memory[effect]);
    for (size_t i = 0; effect == EFFECT_NONE && i < sizeof always / sizeof *always; i++)
        add_attribute(version, function, all, always[i], 0);
    for (unsigned i = 0; effect == EFFECT_LOOKS && i < LLVMCountParams(function); i++)
        if (LLVMGetTypeKind(LLVMTypeOf(LLVMGetParam(function, i))) == LLVMPointerTypeKind)
            add_attribute(version, function, i + 1, "nocapture", 0);
}

LLVMValueRef own_function(struct version *version, const char *name, LLVMTypeRef type, enum effect effect)
{
    LLVMValueRef function = LLVMGetNamedFunction(version->module, name);
    if (function)
        return function;
    function = LLVMAddFunction(version->module, name, type);
    add_effect(version, function, effect);
    return function;
}

LLVMValueRef call_own(struct version *version, LLVMValueRef function, LLVMValueRef arguments[], unsigned count)
{
    return LLVMBuildCall2(version->builder, LLVMGlobalGetValueType(function), function, arguments, count, "");
}

LLVMValueRef own_definition(struct version *version, const char *name, LLVMTypeRef type)
{
    LLVMValueRef function = LLVMAddFunction(version->module, name, type);
    LLVMSetLinkage(function, LLVMInternalLinkage);
    add_attribute(version, function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, "alwaysinline", 0);
    add_attribute(version, function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, "nounwind", 0);
    LLVMPositionBuilderAtEnd(version->builder, LLVMAppendBasicBlockInContext(version->context, function, ""));
    return function;
}

static LLVMTypeRef void_type(const struct version *version)
{
    return LLVMVoidTypeInContext(version->context);
}

/* In a definition of ours: fails unless the condition holds, and goes on in a new block. */
static void fail_if(struct version *version, LLVMValueRef function, LLVMValueRef condition, const char *failure)
{
    LLVMBasicBlockRef bad = LLVMAppendBasicBlockInContext(version->context, function, "");
    LLVMBasicBlockRef good = LLVMAppendBasicBlockInContext(version->context, function, "");
    LLVMBuildCondBr(version->builder, condition, bad, good);
    LLVMPositionBuilderAtEnd(version->builder, bad);
    LLVMValueRef fail =
        own_function(version, failure, LLVMFunctionType(void_type(version), NULL, 0, false), EFFECT_EVENT);
    call_own(version, fail, NULL, 0);
    LLVMBuildUnreachable(version->builder);
    LLVMPositionBuilderAtEnd(version->builder, good);
}

static void replace(LLVMValueRef instruction, LLVMValueRef other)
{
    LLVMReplaceAllUsesWith(instruction, other);
    LLVMInstructionEraseFromParent(instruction);
}

/* ---- division ---- */

static LLVMValueRef make_division(struct version *version, const char *name, LLVMOpcode opcode, LLVMTypeRef type)
{
    LLVMTypeRef parameters[] = {type, type};
    LLVMValueRef function = own_definition(version, name, LLVMFunctionType(type, parameters, 2, false));
    LLVMValueRef dividend = LLVMGetParam(function, 0), divisor = LLVMGetParam(function, 1);
    LLVMBuilderRef builder = version->builder;
    fail_if(version, function, LLVMBuildICmp(builder, LLVMIntEQ, divisor, LLVMConstNull(type), ""),
            OWN "fail.division");
    if (opcode == LLVMSDiv || opcode == LLVMSRem) {
        LLVMValueRef least = LLVMConstInt(type, UINT64_C(1) << (LLVMGetIntTypeWidth(type) - 1), false);
        LLVMValueRef is_least = LLVMBuildICmp(builder, LLVMIntEQ, dividend, least, "");
        LLVMValueRef is_one = LLVMBuildICmp(builder, LLVMIntEQ, divisor, LLVMConstAllOnes(type), "");
        fail_if(version, function, LLVMBuildAnd(builder, is_least, is_one, ""), OWN "fail.quotient");
    }
    LLVMBuildRet(builder, LLVMBuildBinOp(builder, opcode, dividend, divisor, ""));
    return function;
}

static void divide(struct version *version, LLVMValueRef at)
{
    LLVMOpcode opcode = LLVMGetInstructionOpcode(at);
    LLVMTypeRef type = LLVMTypeOf(at);
    const char *name = arena_format(version->arena, OWN "divide.%d.%u", (int)opcode, LLVMGetIntTypeWidth(type));
    LLVMValueRef function = LLVMGetNamedFunction(version->module, name);
    LLVMValueRef operands[] = {LLVMGetOperand(at, 0), LLVMGetOperand(at, 1)};
    function = function ? function : make_division(version, name, opcode, type);
    LLVMPositionBuilderBefore(version->builder, at);
    replace(at, call_own(version, function, operands, 2));
}

/* ---- shifts ---- */

/* The processor takes the distance modulo the width. A version that shifts too far where the other does not is no
 * equal one, so that is an event. */
static LLVMValueRef make_distance(struct version *version, const char *name, LLVMTypeRef type)
{
    LLVMTypeRef number = LLVMInt64TypeInContext(version->context);
    LLVMValueRef width = LLVMConstInt(type, LLVMGetIntTypeWidth(type), false);
    LLVMValueRef function = own_definition(version, name, LLVMFunctionType(type, &type, 1, false));
    LLVMValueRef distance = LLVMGetParam(function, 0);
    LLVMBuilderRef builder = version->builder;
    LLVMBasicBlockRef far = LLVMAppendBasicBlockInContext(version->context, function, "");
    LLVMBasicBlockRef near = LLVMAppendBasicBlockInContext(version->context, function, "");
    LLVMBuildCondBr(builder, LLVMBuildICmp(builder, LLVMIntUGE, distance, width, ""), far, near);
    LLVMPositionBuilderAtEnd(builder, far);
    LLVMValueRef event = own_function(version, OWN "event.distance",
                                      LLVMFunctionType(void_type(version), &number, 1, false), EFFECT_EVENT);
    LLVMValueRef shown = LLVMBuildIntCast2(builder, distance, number, false, "");
    call_own(version, event, &shown, 1);
    LLVMBuildBr(builder, near);
    LLVMPositionBuilderAtEnd(builder, near);
    LLVMValueRef mask = LLVMConstInt(type, LLVMGetIntTypeWidth(type) - 1, false);
    LLVMBuildRet(builder, LLVMBuildAnd(builder, distance, mask, ""));
    return function;
}

static void shift(struct version *version, LLVMValueRef at)
{
    LLVMTypeRef type = LLVMTypeOf(at);
    LLVMValueRef distance = LLVMGetOperand(at, 1);
    if (LLVMIsAConstantInt(distance))
        return;
    const char *name = arena_format(version->arena, OWN "distance.%u", LLVMGetIntTypeWidth(type));
    LLVMValueRef function = LLVMGetNamedFunction(version->module, name);
    function = function ? function : make_distance(version, name, type);
    LLVMPositionBuilderBefore(version->builder, at);
    LLVMSetOperand(at, 1, call_own(version, function, &distance, 1));
}

/* ---- what nobody knows ---- */

static const char *type_name(struct version *version, LLVMTypeRef type)
{
    char *text = LLVMPrintTypeToString(type);
    const char *copy = arena_copy_string(version->arena, text);
    LLVMDisposeMessage(text);
    return copy;
}

enum { MOST_OPERANDS = 3 };

/* A function of the operands, the same in both versions, of which the optimiser knows nothing more. */
static LLVMValueRef build_unknown(struct version *version, LLVMValueRef at, const char *word, LLVMTypeRef result)
{
    LLVMTypeRef types[MOST_OPERANDS];
    LLVMValueRef operands[MOST_OPERANDS];
    unsigned count = LLVMIsACallInst(at) ? LLVMGetNumArgOperands(at) : (unsigned)LLVMGetNumOperands(at);
    const char *name = arena_format(version->arena, OWN "%s.%s", word, type_name(version, result));
    for (unsigned i = 0; i < count; i++) {
        operands[i] = LLVMGetOperand(at, i);
        types[i] = LLVMTypeOf(operands[i]);
        name = arena_format(version->arena, "%s.%s", name, type_name(version, types[i]));
    }
    LLVMValueRef function = own_function(version, name, LLVMFunctionType(result, types, count, false), EFFECT_NONE);
    return call_own(version, function, operands, count);
}

static void make_unknown(struct version *version, LLVMValueRef at, const char *word)
{
    LLVMPositionBuilderBefore(version->builder, at);
    replace(at, build_unknown(version, at, word, LLVMTypeOf(at)));
}

/* Of an address nothing is known but which one it is: where objects lie is no part of what a program does. */
static LLVMValueRef address_of(struct version *version, LLVMValueRef pointer)
{
    LLVMTypeRef from = LLVMTypeOf(pointer), to = LLVMInt64TypeInContext(version->context);
    LLVMValueRef function = own_function(version, OWN "address", LLVMFunctionType(to, &from, 1, false), EFFECT_NONE);
    return call_own(version, function, &pointer, 1);
}

static void show_address(struct version *version, LLVMValueRef at)
{
    LLVMPositionBuilderBefore(version->builder, at);
    LLVMValueRef number = address_of(version, LLVMGetOperand(at, 0));
    replace(at, LLVMBuildIntCast2(version->builder, number, LLVMTypeOf(at), false, ""));
}

static void compare(struct version *version, LLVMValueRef at)
{
    LLVMValueRef left = LLVMGetOperand(at, 0), right = LLVMGetOperand(at, 1);
    LLVMIntPredicate predicate = LLVMGetICmpPredicate(at);
    bool is_test = (predicate == LLVMIntEQ || predicate == LLVMIntNE) && (LLVMIsNull(left) || LLVMIsNull(right));
    if (LLVMGetTypeKind(LLVMTypeOf(left)) != LLVMPointerTypeKind || is_test)
        return;
    LLVMPositionBuilderBefore(version->builder, at);
    LLVMValueRef first = address_of(version, left), second = address_of(version, right);
    replace(at, LLVMBuildICmp(version->builder, predicate, first, second, ""));
}

/* ---- calls ---- */

static bool is_rounded(const char *name)
{
    static const char *const names[] = {"llvm.floor.",  "llvm.ceil.",    "llvm.trunc.",  "llvm.rint.",
                                        "llvm.nearby",  "llvm.round",    "llvm.sqrt.",   "llvm.fma",
                                        "llvm.minnum.", "llvm.maxnum.",  "llvm.minimum", "llvm.maximum",
                                        "llvm.lround.", "llvm.llround.", "llvm.lrint.",  "llvm.llrint."};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (name_begins(name, names[i]))
            return true;
    return false;
}

static void call_indirectly(struct version *version, LLVMValueRef call)
{
    LLVMValueRef callee = LLVMGetCalledValue(call);
    LLVMTypeRef type = LLVMTypeOf(callee);
    LLVMTypeRef result = LLVMInt8TypeInContext(version->context);
    LLVMValueRef check =
        own_function(version, OWN "check.callable", LLVMFunctionType(result, &type, 1, false), EFFECT_LOOKS);
    LLVMPositionBuilderBefore(version->builder, call);
    call_own(version, check, &callee, 1);
}

/* Which line, and how its condition is written, is no difference of two failed assertions. */
static void forget_arguments(LLVMValueRef call)
{
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
        LLVMSetOperand(call, i, LLVMConstNull(LLVMTypeOf(LLVMGetOperand(call, i))));
}

static bool is_failed_assertion(LLVMValueRef call)
{
    return strcmp(callee_name(call), "__assert_fail") == 0 && LLVMIsDeclaration(LLVMGetCalledValue(call));
}

/* ---- the mathematical library ---- */

static bool is_number(LLVMTypeRef type)
{
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    return kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind || kind == LLVMX86_FP80TypeKind ||
           kind == LLVMIntegerTypeKind;
}

/* A function of numbers, which does nothing but to compute, and to set errno. */
static bool is_mathematical(LLVMValueRef call)
{
    LLVMValueRef callee = LLVMGetCalledValue(call);
    if (!LLVMIsDeclaration(callee) || name_begins(callee_name(call), "llvm.") ||
        !find_mathematical(callee_name(call)) || LLVMIsFunctionVarArg(LLVMGlobalGetValueType(callee)) ||
        !is_number(LLVMTypeOf(call)))
        return false;
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
        if (!is_number(LLVMTypeOf(LLVMGetOperand(call, i))))
            return false;
    return LLVMGetNumArgOperands(call) <= MOST_OPERANDS;
}

/* Of what errno becomes nothing is known either, but that it is a function of the arguments; 0: it stays. Reading it
 * goes through a pointer that may lead here. */
static void set_errno(struct version *version, LLVMValueRef call)
{
    LLVMTypeRef type = LLVMInt32TypeInContext(version->context);
    LLVMValueRef variable = LLVMGetNamedGlobal(version->module, OWN "errno");
    variable = variable ? variable : LLVMAddGlobal(version->module, type, OWN "errno");
    LLVMPositionBuilderBefore(version->builder, call);
    const char *word = arena_format(version->arena, "errno.%s", callee_name(call));
    LLVMValueRef error = build_unknown(version, call, word, type);
    LLVMValueRef is_none = LLVMBuildICmp(version->builder, LLVMIntEQ, error, LLVMConstNull(type), "");
    LLVMValueRef before = LLVMBuildLoad2(version->builder, type, variable, "");
    LLVMBuildStore(version->builder, LLVMBuildSelect(version->builder, is_none, before, error, ""), variable);
}

static void compute(struct version *version, LLVMValueRef call)
{
    set_errno(version, call);
    make_unknown(version, call, callee_name(call));
}

static void treat_call(struct version *version, LLVMValueRef call)
{
    const char *name = callee_name(call);
    if (!LLVMIsAFunction(LLVMGetCalledValue(call)))
        call_indirectly(version, call);
    else if (is_failed_assertion(call))
        forget_arguments(call);
    else if (is_mathematical(call))
        compute(version, call);
    else if (name_begins(name, "llvm.assume"))
        LLVMInstructionEraseFromParent(call);
    else if (name_begins(name, "llvm.abs."))
        LLVMSetOperand(call, 1, LLVMConstNull(LLVMTypeOf(LLVMGetOperand(call, 1))));
    else if (name_begins(name, "llvm.ctlz.") || name_begins(name, "llvm.cttz.") || is_rounded(name))
        make_unknown(version, call, name);
    else if (LLVMIsAMemIntrinsic(call))
        check_copying(version, call);
}

/* Behind what does not return there is nothing. Anywhere else it is a promise of the source, or clang's own, which the
 * optimiser must find out by itself: what it leaves is compared with nothing. */
static void deny(struct version *version, LLVMValueRef end)
{
    LLVMValueRef before = LLVMGetPreviousInstruction(end);
    if (before && LLVMIsACallInst(before) && !name_begins(callee_name(before), "llvm."))
        return;
    LLVMTypeRef type = LLVMFunctionType(void_type(version), NULL, 0, false);
    LLVMPositionBuilderBefore(version->builder, end);
    call_own(version, own_function(version, NEVER_REACHED, type, EFFECT_EVENT), NULL, 0);
}

static void treat(struct version *version, LLVMValueRef at)
{
    switch (LLVMGetInstructionOpcode(at)) {
    case LLVMUnreachable: deny(version, at); break;
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMURem:
    case LLVMSRem: divide(version, at); break;
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr: shift(version, at); break;
    case LLVMFAdd: make_unknown(version, at, "fadd"); break;
    case LLVMFSub: make_unknown(version, at, "fsub"); break;
    case LLVMFMul: make_unknown(version, at, "fmul"); break;
    case LLVMFDiv: make_unknown(version, at, "fdiv"); break;
    case LLVMFRem: make_unknown(version, at, "frem"); break;
    case LLVMFPTrunc: make_unknown(version, at, "fptrunc"); break;
    case LLVMFPExt: make_unknown(version, at, "fpext"); break;
    case LLVMFPToSI: make_unknown(version, at, "fptosi"); break;
    case LLVMFPToUI: make_unknown(version, at, "fptoui"); break;
    case LLVMIntToPtr: make_unknown(version, at, "pointer"); break;
    case LLVMPtrToInt: show_address(version, at); break;
    case LLVMICmp: compare(version, at); break;
    case LLVMLoad:
    case LLVMStore: check_access(version, at); break;
    case LLVMCall: treat_call(version, at); break;
    default: break;
    }
}

static bool is_treated(LLVMValueRef function)
{
    size_t length;
    return !LLVMIsDeclaration(function) && !function_is_refused(function) &&
           !name_begins(LLVMGetValueName2(function, &length), OWN);
}

void make_total(struct version *version)
{
    for (LLVMValueRef function = LLVMGetFirstFunction(version->module); function;
         function = LLVMGetNextFunction(function)) {
        LLVMValueRef *list;
        size_t count;
        if (!is_treated(function))
            continue;
        collect_instructions(version, function, &list, &count);
        for (size_t i = 0; i < count; i++)
            treat(version, list[i]);
        free(list);
    }
}

/* ---- variables of functions ---- */

static bool is_lifetime(LLVMValueRef instruction)
{
    return name_begins(callee_name(instruction), "llvm.lifetime.");
}

/* Whether the address may go elsewhere than into accesses. */
static bool escapes(LLVMValueRef address)
{
    for (LLVMUseRef use = LLVMGetFirstUse(address); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsALoadInst(user) || is_lifetime(user) || LLVMIsAMemIntrinsic(user) ||
            (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) != address))
            continue;
        if (!LLVMIsAGetElementPtrInst(user) || escapes(user))
            return true;
    }
    return false;
}

static void announce(struct version *version, LLVMValueRef before, LLVMValueRef variable, const char *name)
{
    LLVMTypeRef type = LLVMTypeOf(variable);
    LLVMValueRef function =
        own_function(version, name, LLVMFunctionType(void_type(version), &type, 1, false), EFFECT_EVENT);
    LLVMPositionBuilderBefore(version->builder, before);
    call_own(version, function, &variable, 1);
}

static void announce_scopes(struct version *version, LLVMValueRef variable)
{
    LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(variable));
    for (LLVMUseRef use = LLVMGetFirstUse(variable), next; use; use = next) {
        LLVMValueRef user = LLVMGetUser(use);
        next = LLVMGetNextUse(use);
        if (is_lifetime(user))
            announce(version, user, variable,
                     name_begins(callee_name(user), "llvm.lifetime.start") ? OWN "scope.begin" : OWN "scope.end");
    }
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))
        if (LLVMIsAReturnInst(LLVMGetBasicBlockTerminator(block)))
            announce(version, LLVMGetBasicBlockTerminator(block), variable, OWN "scope.end");
}

bool is_scope_event(LLVMValueRef instruction)
{
    return name_begins(callee_name(instruction), OWN "scope.");
}

/* What a small variable is filled with is one load and one store, as for any other value. */
static bool fill(struct version *version, LLVMValueRef copy)
{
    if (!name_begins(callee_name(copy), "llvm.memcpy."))
        return false;
    size_t length;
    LLVMValueRef to = LLVMGetOperand(copy, 0), from = LLVMGetOperand(copy, 1), size = LLVMGetOperand(copy, 2);
    LLVMTypeRef type = LLVMIsAAllocaInst(to) ? LLVMGetAllocatedType(to) : NULL;
    if (!type || !LLVMIsAGlobalVariable(from) || strcmp(LLVMGetValueName2(from, &length), FRESH_BYTES) != 0 ||
        !LLVMIsAConstantInt(size) || LLVMConstIntGetZExtValue(size) != LLVMStoreSizeOfType(version->layout, type) ||
        LLVMGetTypeKind(type) == LLVMArrayTypeKind || LLVMGetTypeKind(type) == LLVMStructTypeKind)
        return false;
    LLVMPositionBuilderBefore(version->builder, copy);
    LLVMValueRef load = LLVMBuildLoad2(version->builder, type, from, "");
    LLVMSetAlignment(load, 1);
    LLVMSetAlignment(LLVMBuildStore(version->builder, load, to), 1);
    LLVMInstructionEraseFromParent(copy);
    return true;
}

void make_scopes_explicit(struct version *version)
{
    for (LLVMValueRef function = LLVMGetFirstFunction(version->module); function;
         function = LLVMGetNextFunction(function)) {
        LLVMValueRef *list;
        size_t count;
        if (!is_treated(function))
            continue;
        collect_instructions(version, function, &list, &count);
        for (size_t i = 0; i < count; i++)
            if (LLVMIsAAllocaInst(list[i]) && escapes(list[i]))
                announce_scopes(version, list[i]);
        for (size_t i = 0; i < count; i++)
            if (is_lifetime(list[i]))
                LLVMInstructionEraseFromParent(list[i]);
            else if (LLVMIsACallInst(list[i]))
                fill(version, list[i]);
        free(list);
    }
}
