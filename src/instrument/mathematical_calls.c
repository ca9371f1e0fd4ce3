/* Functions of <math.h> have an effect beside their value: some arguments set errno. A call becomes that assignment and
 * a call of something that has the value only: for sqrt() the intrinsic, for those that are operations on values
 * (trace/mathematics.h) the runtime's functions. Labels then say for which inputs errno is set, in which version. Of
 * the other functions that are followed, none sets it (glibc 2.36). A pointer to any of them leads to a function of the
 * program that makes the call. */
#include "instrument/bitcode.h"
#include "instrument/calls.h"
#include "instrument/mathematics.h"
#include "instrument/plain.h"

#include <errno.h>
#include <llvm-c/DebugInfo.h>
#include <string.h>

static LLVMValueRef declare(struct emitter *emitter, const char *name, LLVMTypeRef type)
{
    LLVMValueRef known = LLVMGetNamedFunction(emitter->module, name);
    return known ? known : LLVMAddFunction(emitter->module, name, type);
}

static LLVMValueRef errno_location(struct emitter *emitter)
{
    LLVMTypeRef type = LLVMFunctionType(LLVMPointerTypeInContext(emitter->context, 0), NULL, 0, false);
    return LLVMBuildCall2(emitter->builder, type, declare(emitter, "__errno_location", type), NULL, 0, "");
}

/* ---- square roots ---- */

static LLVMValueRef square_root(struct emitter *emitter, LLVMValueRef value)
{
    LLVMTypeRef kind = LLVMTypeOf(value);
    unsigned intrinsic = LLVMLookupIntrinsicID("llvm.sqrt", strlen("llvm.sqrt"));
    LLVMValueRef function = LLVMGetIntrinsicDeclaration(emitter->module, intrinsic, &kind, 1);
    return LLVMBuildCall2(emitter->builder, LLVMIntrinsicGetType(emitter->context, intrinsic, &kind, 1), function,
                          &value, 1, "");
}

static void replace_square_root(struct emitter *emitter, LLVMValueRef call)
{
    LLVMBuilderRef builder = emitter->builder;
    LLVMValueRef value = LLVMGetOperand(call, 0), location = errno_location(emitter);
    LLVMValueRef before = LLVMBuildLoad2(builder, emitter->i32, location, "");
    LLVMValueRef is_negative = LLVMBuildFCmp(builder, LLVMRealOLT, value, LLVMConstReal(LLVMTypeOf(value), 0), "");
    LLVMValueRef after = LLVMBuildSelect(builder, is_negative, LLVMConstInt(emitter->i32, EDOM, false), before, "");
    LLVMBuildStore(builder, after, location);
    LLVMReplaceAllUsesWith(call, square_root(emitter, value));
    LLVMInstructionEraseFromParent(call);
}

/* ---- functions that are operations ---- */

static LLVMValueRef second_argument(struct emitter *emitter, LLVMValueRef call, LLVMTypeRef kind)
{
    if (LLVMGetNumArgOperands(call) < 2)
        return LLVMConstReal(kind, 0);
    LLVMValueRef second = LLVMGetOperand(call, 1);
    return LLVMTypeOf(second) == kind ? second : LLVMBuildSIToFP(emitter->builder, second, kind, "");
}

/* `arguments`: the function's number, and two numbers. */
static LLVMValueRef ask_runtime(struct emitter *emitter, const char *name, LLVMTypeRef result,
                                LLVMValueRef arguments[static 3])
{
    LLVMTypeRef kind = LLVMTypeOf(arguments[1]), parameters[] = {emitter->i32, kind, kind};
    LLVMTypeRef type = LLVMFunctionType(result, parameters, 3, false);
    return LLVMBuildCall2(emitter->builder, type, declare(emitter, name, type), arguments, 3, "");
}

static void set_errno(struct emitter *emitter, LLVMValueRef error)
{
    LLVMBuilderRef builder = emitter->builder;
    LLVMValueRef location = errno_location(emitter), before = LLVMBuildLoad2(builder, emitter->i32, location, "");
    LLVMValueRef is_set = LLVMBuildICmp(builder, LLVMIntNE, error, LLVMConstInt(emitter->i32, 0, false), "");
    LLVMBuildStore(builder, LLVMBuildSelect(builder, is_set, error, before, ""), location);
}

static void replace_function(struct emitter *emitter, LLVMValueRef call, unsigned function)
{
    LLVMTypeRef kind = LLVMTypeOf(call);
    bool is_float = LLVMGetTypeKind(kind) == LLVMFloatTypeKind;
    LLVMValueRef arguments[] = {constant32(emitter, function), LLVMGetOperand(call, 0),
                                second_argument(emitter, call, kind)};
    const char *value = is_float ? "__pn_function_float" : "__pn_function_double";
    const char *error = is_float ? "__pn_function_error_float" : "__pn_function_error_double";
    if (strncmp(called_name(call), "llvm.", 5)) /* an intrinsic stands for a call whose errno nobody wants to know */
        set_errno(emitter, ask_runtime(emitter, error, emitter->i32, arguments));
    LLVMReplaceAllUsesWith(call, ask_runtime(emitter, value, kind, arguments));
    LLVMInstructionEraseFromParent(call);
}

/* ---- calls through pointers ---- */

/* A function of the program that calls the library's: through a pointer, too, the call is one that is followed. */
static LLVMValueRef make_caller(struct emitter *emitter, LLVMValueRef function)
{
    enum { MOST = 3 };
    LLVMTypeRef type = LLVMGlobalGetValueType(function);
    LLVMValueRef arguments[MOST], caller = LLVMAddFunction(emitter->module, "", type);
    LLVMSetLinkage(caller, LLVMInternalLinkage);
    LLVMGetParams(caller, arguments);
    LLVMPositionBuilderAtEnd(emitter->builder, LLVMAppendBasicBlockInContext(emitter->context, caller, ""));
    LLVMSetCurrentDebugLocation2(emitter->builder, NULL);
    LLVMBuildRet(emitter->builder,
                 LLVMBuildCall2(emitter->builder, type, function, arguments, LLVMCountParams(function), ""));
    return caller;
}

static bool has_plain_arguments(LLVMValueRef function)
{
    LLVMTypeRef type = LLVMGlobalGetValueType(function);
    return !LLVMIsFunctionVarArg(type) && LLVMCountParams(function) <= 3 &&
           LLVMGetTypeKind(LLVMGetReturnType(type)) != LLVMVoidTypeKind;
}

/* ---- all of them ---- */

static bool is_call_of(LLVMValueRef user, LLVMValueRef function, const struct mathematical *mathematical)
{
    return LLVMIsACallInst(user) && LLVMGetCalledValue(user) == function && is_followed(user, mathematical);
}

static void replace_calls(struct emitter *emitter, LLVMValueRef function, const struct mathematical *mathematical)
{
    for (LLVMUseRef use = LLVMGetFirstUse(function), next; use; use = next) {
        LLVMValueRef user = LLVMGetUser(use);
        next = LLVMGetNextUse(use);
        if (!is_call_of(user, function, mathematical))
            continue;
        LLVMPositionBuilderBefore(emitter->builder, user);
        LLVMSetCurrentDebugLocation2(emitter->builder, LLVMInstructionGetDebugLoc(user));
        if (mathematical->kind == MATHEMATICAL_CALL)
            replace_function(emitter, user, mathematical->detail);
        else
            replace_square_root(emitter, user);
    }
}

void plain_mathematical_calls(struct emitter *emitter)
{
    size_t length;
    for (LLVMValueRef at = LLVMGetFirstFunction(emitter->module); at; at = LLVMGetNextFunction(at)) {
        const char *name = LLVMGetValueName2(at, &length);
        const struct mathematical *mathematical = LLVMIsDeclaration(at) ? find_mathematical(name) : NULL;
        if (mathematical && is_address_taken(at) && has_plain_arguments(at))
            redirect_pointers(at, make_caller(emitter, at));
        bool is_root = mathematical && mathematical->kind == MATHEMATICAL_SQUARE_ROOT && strncmp(name, "llvm.", 5);
        if (mathematical && (is_root || mathematical->kind == MATHEMATICAL_CALL))
            replace_calls(emitter, at, mathematical);
    }
}
