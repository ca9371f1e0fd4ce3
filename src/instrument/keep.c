/* Operations that may fail, kept through the early passes. To LLVM a division by zero and a load through a null pointer
 * cannot happen: it drops them where nobody uses the result, and makes 1 of x / x. A build without optimisation fails
 * there, and so must a trace. */
#include "instrument/emit.h"

#include <stdio.h>
#include <string.h>

static bool is_division(LLVMValueRef at)
{
    LLVMOpcode opcode = LLVMGetInstructionOpcode(at);
    return (opcode == LLVMUDiv || opcode == LLVMSDiv || opcode == LLVMURem || opcode == LLVMSRem) &&
           LLVMGetTypeKind(LLVMTypeOf(at)) == LLVMIntegerTypeKind;
}

/* A call of a function that nobody knows stands in for a division. Its name says which. */
static LLVMValueRef stand_in(struct emitter *emitter, LLVMOpcode opcode, LLVMTypeRef type)
{
    char name[64];
    snprintf(name, sizeof name, "__pn_divide_%d_%u", (int)opcode, LLVMGetIntTypeWidth(type));
    LLVMValueRef function = LLVMGetNamedFunction(emitter->module, name);
    LLVMTypeRef operands[] = {type, type};
    return function ? function : LLVMAddFunction(emitter->module, name, LLVMFunctionType(type, operands, 2, false));
}

static void hide_division(struct emitter *emitter, LLVMValueRef at)
{
    LLVMValueRef operands[] = {LLVMGetOperand(at, 0), LLVMGetOperand(at, 1)};
    LLVMValueRef function = stand_in(emitter, LLVMGetInstructionOpcode(at), LLVMTypeOf(at));
    place_before(emitter, at);
    LLVMValueRef call = LLVMBuildCall2(emitter->builder, LLVMGlobalGetValueType(function), function, operands, 2, "");
    LLVMReplaceAllUsesWith(at, call);
    LLVMInstructionEraseFromParent(at);
}

/* Not the locals and globals themselves, which are always there. */
static bool is_risky_load(LLVMValueRef at)
{
    if (!LLVMIsALoadInst(at))
        return false;
    LLVMValueRef address = LLVMGetOperand(at, 0);
    return !LLVMIsAAllocaInst(address) && !LLVMIsAGlobalVariable(address);
}

/* An assumption that is always true, and uses the value: it costs nothing and is never dropped. */
static void use_value(struct emitter *emitter, LLVMValueRef value)
{
    LLVMValueRef assume =
        LLVMGetIntrinsicDeclaration(emitter->module, LLVMLookupIntrinsicID("llvm.assume", 11), NULL, 0);
    LLVMOperandBundleRef bundle = LLVMCreateOperandBundle("noundef", 7, &value, 1);
    LLVMValueRef holds = LLVMConstInt(emitter->i1, 1, false);
    place_after(emitter, value);
    LLVMBuildCallWithOperandBundles(emitter->builder, LLVMGlobalGetValueType(assume), assume, &holds, 1, &bundle, 1,
                                    "");
    LLVMDisposeOperandBundle(bundle);
}

void keep_failures(struct emitter *emitter)
{
    for (LLVMValueRef function = LLVMGetFirstFunction(emitter->module); function;
         function = LLVMGetNextFunction(function))
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))
            for (LLVMValueRef at = LLVMGetFirstInstruction(block), next; at; at = next) {
                next = LLVMGetNextInstruction(at);
                if (is_division(at))
                    hide_division(emitter, at);
                else if (is_risky_load(at))
                    use_value(emitter, at);
            }
}

/* Does it fail whenever it is executed? What passes have made a constant would be folded, and the failure with it. */
static bool surely_fails(LLVMValueRef dividend, LLVMValueRef divisor)
{
    if (!LLVMIsAConstantInt(divisor) || LLVMGetIntTypeWidth(LLVMTypeOf(divisor)) > 64)
        return false;
    return LLVMConstIntGetZExtValue(divisor) == 0 ||
           (LLVMConstIntGetSExtValue(divisor) == -1 && LLVMIsAConstantInt(dividend));
}

/* The same value, out of a variable that anybody might change. */
static LLVMValueRef hide_constant(struct emitter *emitter, LLVMValueRef constant)
{
    LLVMValueRef variable = LLVMAddGlobal(emitter->module, LLVMTypeOf(constant), "__pn_divisor");
    LLVMSetInitializer(variable, constant);
    return LLVMBuildLoad2(emitter->builder, LLVMTypeOf(constant), variable, "");
}

static void show_division(struct emitter *emitter, LLVMValueRef call, int opcode)
{
    LLVMValueRef dividend = LLVMGetOperand(call, 0), divisor = LLVMGetOperand(call, 1);
    place_before(emitter, call);
    if (surely_fails(dividend, divisor))
        divisor = hide_constant(emitter, divisor);
    LLVMReplaceAllUsesWith(call, LLVMBuildBinOp(emitter->builder, (LLVMOpcode)opcode, dividend, divisor, ""));
    LLVMInstructionEraseFromParent(call);
}

void release_failures(struct emitter *emitter)
{
    for (LLVMValueRef function = LLVMGetFirstFunction(emitter->module); function;
         function = LLVMGetNextFunction(function))
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))
            for (LLVMValueRef at = LLVMGetFirstInstruction(block), next; at; at = next) {
                next = LLVMGetNextInstruction(at);
                int opcode;
                unsigned width;
                if (!LLVMIsACallInst(at))
                    continue;
                if (sscanf(called_name(at), "__pn_divide_%d_%u", &opcode, &width) == 2)
                    show_division(emitter, at, opcode);
                else if (LLVMGetNumOperandBundles(at) && !strcmp(called_name(at), "llvm.assume"))
                    LLVMInstructionEraseFromParent(at);
            }
}
