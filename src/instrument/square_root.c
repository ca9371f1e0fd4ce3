/* sqrt() has an effect beside its value: of a negative number it sets errno. The call becomes that assignment and the
 * intrinsic, which has the value only: labels then say for which inputs errno is set, in which version. Of the other
 * functions of <math.h> that are followed, none sets it (glibc 2.36). */
#include "instrument/bitcode.h"
#include "instrument/plain.h"

#include <errno.h>
#include <llvm-c/DebugInfo.h>
#include <string.h>

static LLVMValueRef errno_location(struct emitter *emitter, LLVMTypeRef type)
{
    LLVMValueRef known = LLVMGetNamedFunction(emitter->module, "__errno_location");
    return known ? known : LLVMAddFunction(emitter->module, "__errno_location", type);
}

static void replace_call(struct emitter *emitter, LLVMValueRef call)
{
    LLVMBuilderRef builder = emitter->builder;
    LLVMTypeRef pointer = LLVMPointerTypeInContext(emitter->context, 0), kind = LLVMTypeOf(call);
    LLVMTypeRef location_type = LLVMFunctionType(pointer, NULL, 0, false);
    LLVMValueRef value = LLVMGetOperand(call, 0);
    unsigned intrinsic = LLVMLookupIntrinsicID("llvm.sqrt", strlen("llvm.sqrt"));
    LLVMPositionBuilderBefore(builder, call);
    LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(call));
    LLVMValueRef location = LLVMBuildCall2(builder, location_type, errno_location(emitter, location_type), NULL, 0, "");
    LLVMValueRef before = LLVMBuildLoad2(builder, emitter->i32, location, "");
    LLVMValueRef is_negative = LLVMBuildFCmp(builder, LLVMRealOLT, value, LLVMConstReal(kind, 0), "");
    LLVMValueRef after = LLVMBuildSelect(builder, is_negative, LLVMConstInt(emitter->i32, EDOM, false), before, "");
    LLVMBuildStore(builder, after, location);
    LLVMValueRef function = LLVMGetIntrinsicDeclaration(emitter->module, intrinsic, &kind, 1);
    LLVMValueRef root =
        LLVMBuildCall2(builder, LLVMIntrinsicGetType(emitter->context, intrinsic, &kind, 1), function, &value, 1, "");
    LLVMReplaceAllUsesWith(call, root);
    LLVMInstructionEraseFromParent(call);
}

static bool is_call_of(LLVMValueRef user, LLVMValueRef function, LLVMTypeRef kind)
{
    return LLVMIsACallInst(user) && LLVMGetCalledValue(user) == function && LLVMTypeOf(user) == kind &&
           LLVMGetNumArgOperands(user) == 1 && LLVMTypeOf(LLVMGetOperand(user, 0)) == kind;
}

void plain_square_roots(struct emitter *emitter)
{
    const struct {
        const char *name;
        LLVMTypeRef kind;
    } functions[] = {{"sqrt", LLVMDoubleTypeInContext(emitter->context)},
                     {"sqrtf", LLVMFloatTypeInContext(emitter->context)}};
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        LLVMValueRef function = LLVMGetNamedFunction(emitter->module, functions[i].name);
        if (!function || !LLVMIsDeclaration(function))
            continue;
        for (LLVMUseRef use = LLVMGetFirstUse(function), next; use; use = next) {
            next = LLVMGetNextUse(use);
            if (is_call_of(LLVMGetUser(use), function, functions[i].kind))
                replace_call(emitter, LLVMGetUser(use));
        }
    }
}
