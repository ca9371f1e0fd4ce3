#include "instrument/promises.h"
#include "instrument/emit.h"

#include <string.h>

static unsigned kind_of(const char *name)
{
    return LLVMGetEnumAttributeKindForName(name, strlen(name));
}

/* The absolute value of the least integer is that integer, as the processor has it. */
static void define_absolute(LLVMValueRef call)
{
    static const char name[] = "llvm.abs.";
    if (!strncmp(called_name(call), name, strlen(name)))
        LLVMSetOperand(call, 1, LLVMConstNull(LLVMTypeOf(LLVMGetOperand(call, 1))));
}

/* Without these nothing may be folded that wrap-around would decide. */
static void drop_from_operation(LLVMValueRef at, bool keep_signed)
{
    switch (LLVMGetInstructionOpcode(at)) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMShl:
        LLVMSetNUW(at, false);
        if (!keep_signed)
            LLVMSetNSW(at, false);
        break;
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMLShr:
    case LLVMAShr: LLVMSetExact(at, false); break;
    case LLVMGetElementPtr: LLVMSetIsInBounds(at, false); break;
    case LLVMZExt: LLVMSetNNeg(at, false); break;
    case LLVMOr: LLVMSetIsDisjoint(at, false); break;
    case LLVMCall: define_absolute(at); break;
    default: break;
    }
}

/* ---- of functions ---- */

/* That a function changes nothing that anybody could see, so that calls can be moved, merged and left out. */
static const char *const of_functions[] = {"memory", "willreturn", "speculatable", "nosync", "nofree"};
/* That nothing else leads to what an argument leads to, or that it is no null pointer. */
static const char *const of_arguments[] = {"noalias",  "nonnull",   "dereferenceable", "dereferenceable_or_null",
                                           "readonly", "writeonly", "readnone",        "returned"};

static void drop_from_function(LLVMValueRef function)
{
    for (size_t i = 0; i < sizeof of_functions / sizeof *of_functions; i++)
        LLVMRemoveEnumAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                       kind_of(of_functions[i]));
    for (unsigned argument = 0; argument < LLVMCountParams(function); argument++)
        for (size_t i = 0; i < sizeof of_arguments / sizeof *of_arguments; i++)
            LLVMRemoveEnumAttributeAtIndex(function, argument + 1, kind_of(of_arguments[i]));
}

/* Of a function that is not in the module, its declaration says as much. */
static void drop_from_call(LLVMValueRef call)
{
    if (LLVMIsAIntrinsicInst(call))
        return;
    for (size_t i = 0; i < sizeof of_functions / sizeof *of_functions; i++)
        LLVMRemoveCallSiteEnumAttribute(call, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, kind_of(of_functions[i]));
    for (unsigned argument = 0; argument < LLVMGetNumArgOperands(call); argument++)
        for (size_t i = 0; i < sizeof of_arguments / sizeof *of_arguments; i++)
            LLVMRemoveCallSiteEnumAttribute(call, argument + 1, kind_of(of_arguments[i]));
}

void promises_drop(LLVMModuleRef module, bool keep_signed)
{
    for (LLVMValueRef function = LLVMGetFirstFunction(module); function; function = LLVMGetNextFunction(function)) {
        if (LLVMIsDeclaration(function))
            continue;
        drop_from_function(function);
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))
            for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at)) {
                drop_from_operation(at, keep_signed);
                if (LLVMIsACallInst(at))
                    drop_from_call(at);
            }
    }
}
