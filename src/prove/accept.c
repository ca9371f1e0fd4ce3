/* What is understood of LLVM IR: everything else is refused, function by function. */
#include "prove/prover.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A stack that is used up is a failure too: what the optimiser may leave out must not be what fills it. */
enum { LARGEST_FRAME = 64 * 1024 };

bool refuse(struct version *version, const char *format, ...)
{
    va_list arguments;
    char text[512];
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (!version->refused)
        version->refused = arena_copy_string(version->arena, text);
    return false;
}

/* ---- functions that are left alone ---- */

#define REFUSED "pn-refused"
#define NEVER_SAME "pn-never-same"

static void mark(struct version *version, LLVMValueRef function, const char *word)
{
    LLVMAddAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                            LLVMCreateStringAttribute(version->context, word, (unsigned)strlen(word), "", 0));
}

static bool is_marked(LLVMValueRef function, const char *word)
{
    return LLVMGetStringAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, word,
                                         (unsigned)strlen(word));
}

void refuse_function(struct version *version, LLVMValueRef function, bool ever)
{
    static const char *const untouched[] = {"optnone", "noinline"};
    for (size_t i = 0; i < sizeof untouched / sizeof *untouched; i++)
        LLVMAddAttributeAtIndex(
            function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
            LLVMCreateEnumAttribute(version->context,
                                    LLVMGetEnumAttributeKindForName(untouched[i], strlen(untouched[i])), 0));
    LLVMSetLinkage(function, LLVMWeakAnyLinkage); /* callers learn nothing of it */
    mark(version, function, REFUSED);
    if (ever)
        mark(version, function, NEVER_SAME);
}

bool function_is_refused(LLVMValueRef function)
{
    return is_marked(function, REFUSED);
}

bool function_is_never_same(LLVMValueRef function)
{
    return is_marked(function, NEVER_SAME);
}

/* ---- constants ---- */

/* How far into its variable a constant address leads; false where that is not known or not inside. */
static bool address_is_inside(struct version *version, LLVMValueRef address)
{
    uint64_t offset = 0;
    while (LLVMIsAConstantExpr(address) && LLVMGetConstOpcode(address) == LLVMGetElementPtr) {
        LLVMTypeRef type = LLVMGetGEPSourceElementType(address);
        for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(address); i++) {
            LLVMValueRef index = LLVMGetOperand(address, i);
            if (!LLVMIsAConstantInt(index))
                return false;
            uint64_t number = (uint64_t)LLVMConstIntGetSExtValue(index);
            if (i > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
                offset += LLVMOffsetOfElement(version->layout, type, (unsigned)number);
                type = LLVMStructGetTypeAtIndex(type, (unsigned)number);
                continue;
            }
            if (i > 1)
                type = LLVMGetElementType(type);
            offset += number * LLVMABISizeOfType(version->layout, type);
        }
        address = LLVMGetOperand(address, 0);
    }
    if (LLVMIsAFunction(address))
        return offset == 0;
    return LLVMIsAGlobalVariable(address) && LLVMGetLinkage(address) != LLVMExternalWeakLinkage &&
           LLVMTypeIsSized(LLVMGlobalGetValueType(address)) &&
           offset <= LLVMABISizeOfType(version->layout, LLVMGlobalGetValueType(address));
}

static bool constant_is_understood(struct version *version, LLVMValueRef constant)
{
    switch (LLVMGetValueKind(constant)) {
    case LLVMFunctionValueKind:
    case LLVMGlobalVariableValueKind:
    case LLVMConstantIntValueKind:
    case LLVMConstantFPValueKind:
    case LLVMConstantPointerNullValueKind:
    case LLVMConstantAggregateZeroValueKind:
    case LLVMConstantDataArrayValueKind:
    case LLVMConstantDataVectorValueKind: return true;
    case LLVMConstantStructValueKind:
    case LLVMConstantArrayValueKind:
    case LLVMConstantVectorValueKind:
        for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(constant); i++)
            if (!constant_is_understood(version, LLVMGetOperand(constant, i)))
                return false;
        return true;
    case LLVMConstantExprValueKind:
        if (LLVMGetConstOpcode(constant) == LLVMIntToPtr)
            return LLVMIsAConstantInt(LLVMGetOperand(constant, 0));
        return LLVMGetConstOpcode(constant) == LLVMGetElementPtr && address_is_inside(version, constant);
    default: return false;
    }
}

/* A value that is put together begins as nothing. */
static bool is_beginning(LLVMValueRef instruction, unsigned operand)
{
    return operand == 0 && LLVMGetInstructionOpcode(instruction) == LLVMInsertValue;
}

static bool operands_are_understood(struct version *version, LLVMValueRef instruction)
{
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(instruction); i++) {
        LLVMValueRef operand = LLVMGetOperand(instruction, i);
        if (operand && LLVMIsConstant(operand) && !constant_is_understood(version, operand) &&
            !is_beginning(instruction, i))
            return false;
    }
    return true;
}

/* ---- calls ---- */

static bool is_among(const char *name, const char *const names[], size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strncmp(name, names[i], strlen(names[i])) == 0)
            return true;
    return false;
}

static bool intrinsic_is_understood(const char *name)
{
    static const char *const known[] = {"llvm.lifetime.",  "llvm.memcpy.p0.p0.", "llvm.memmove.p0.p0.",
                                        "llvm.memset.p0.", "llvm.va_start",      "llvm.va_end",
                                        "llvm.va_copy",    "llvm.trap",          "llvm.debugtrap",
                                        "llvm.expect.",    "llvm.smax.",         "llvm.smin.",
                                        "llvm.umax.",      "llvm.umin.",         "llvm.abs.",
                                        "llvm.ctpop.",     "llvm.ctlz.",         "llvm.cttz.",
                                        "llvm.bswap.",     "llvm.bitreverse.",   "llvm.fshl.",
                                        "llvm.fshr.",      "llvm.sadd.",         "llvm.uadd.",
                                        "llvm.ssub.",      "llvm.usub.",         "llvm.smul.with.",
                                        "llvm.umul.with.", "llvm.fabs.",         "llvm.copysign.",
                                        "llvm.is.fpclass", "llvm.floor.",        "llvm.ceil.",
                                        "llvm.trunc.",     "llvm.rint.",         "llvm.nearbyint.",
                                        "llvm.round.",     "llvm.roundeven.",    "llvm.sqrt.",
                                        "llvm.fma.",       "llvm.fmuladd.",      "llvm.minnum.",
                                        "llvm.maxnum.",    "llvm.minimum.",      "llvm.maximum.",
                                        "llvm.lround.",    "llvm.llround.",      "llvm.lrint.",
                                        "llvm.llrint.",    "llvm.assume",        "llvm.threadlocal.address."};
    return is_among(name, known, sizeof known / sizeof *known);
}

/* With these, code runs at other times, twice, or with other rounding than its text says. */
static bool disturbs_all(const char *name)
{
    static const char *const names[] = {
        "setjmp",        "_setjmp",       "__sigsetjmp",     "sigsetjmp",       "longjmp",
        "_longjmp",      "siglongjmp",    "__longjmp_chk",   "vfork",           "fork",
        "clone",         "getcontext",    "setcontext",      "makecontext",     "swapcontext",
        "signal",        "bsd_signal",    "sysv_signal",     "sigaction",       "sigaltstack",
        "fesetround",    "fesetenv",      "feupdateenv",     "feholdexcept",    "fesetmode",
        "feclearexcept", "feraiseexcept", "fetestexcept",    "feenableexcept",  "fedisableexcept",
        "fegetenv",      "fegetround",    "fegetexceptflag", "fesetexceptflag", "timer_create",
        "setitimer",     "alarm",         "ualarm"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return name_begins(name, "pthread_") || name_begins(name, "thrd_");
}

/* The C library calls these, too, and not by a pointer that it was given. */
static bool is_called_from_outside(const char *name)
{
    static const char *const names[] = {"malloc",         "calloc",        "realloc", "reallocarray",
                                        "free",           "memalign",      "valloc",  "pvalloc",
                                        "posix_memalign", "aligned_alloc", "cfree",   "malloc_usable_size"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

static bool call_is_understood(LLVMValueRef call)
{
    LLVMValueRef callee = LLVMGetCalledValue(call);
    if (LLVMIsAInlineAsm(callee) || (LLVMGetNumOperandBundles(call) && strcmp(callee_name(call), "llvm.assume") != 0) ||
        LLVMGetInstructionCallConv(call) != LLVMCCallConv)
        return false;
    if (!LLVMIsAFunction(callee))
        return true;
    if (LLVMGlobalGetValueType(callee) != LLVMGetCalledFunctionType(call))
        return false;
    return !name_begins(callee_name(call), "llvm.") || intrinsic_is_understood(callee_name(call));
}

/* ---- instructions ---- */

static bool is_vector(LLVMTypeRef type)
{
    return LLVMGetTypeKind(type) == LLVMVectorTypeKind || LLVMGetTypeKind(type) == LLVMScalableVectorTypeKind;
}

static unsigned width_of(LLVMValueRef value)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    return LLVMGetTypeKind(type) == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(type) : 0;
}

static bool shift_is_understood(LLVMValueRef shift)
{
    unsigned width = width_of(shift);
    LLVMValueRef distance = LLVMGetOperand(shift, 1);
    if (LLVMIsAConstantInt(distance))
        return width && width <= 64 && LLVMConstIntGetZExtValue(distance) < width;
    return width == 32 || width == 64;
}

static bool is_first_block(LLVMValueRef instruction)
{
    LLVMBasicBlockRef block = LLVMGetInstructionParent(instruction);
    return block == LLVMGetEntryBasicBlock(LLVMGetBasicBlockParent(block));
}

static bool instruction_is_understood(LLVMValueRef at)
{
    switch (LLVMGetInstructionOpcode(at)) {
    case LLVMUnreachable:
    case LLVMRet:
    case LLVMBr:
    case LLVMSwitch:
    case LLVMGetElementPtr:
    case LLVMICmp:
    case LLVMFCmp:
    case LLVMPHI:
    case LLVMSelect:
    case LLVMExtractValue:
    case LLVMInsertValue:
    case LLVMTrunc:
    case LLVMZExt:
    case LLVMSExt:
    case LLVMFPToUI:
    case LLVMFPToSI:
    case LLVMUIToFP:
    case LLVMSIToFP:
    case LLVMFPTrunc:
    case LLVMFPExt:
    case LLVMPtrToInt:
    case LLVMIntToPtr:
    case LLVMBitCast:
    case LLVMFNeg:
    case LLVMFAdd:
    case LLVMFSub:
    case LLVMFMul:
    case LLVMFDiv:
    case LLVMFRem:
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor: return !is_vector(LLVMTypeOf(at));
    case LLVMLoad:
    case LLVMStore: return LLVMGetOrdering(at) == LLVMAtomicOrderingNotAtomic;
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr: return shift_is_understood(at);
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMURem:
    case LLVMSRem: return width_of(at) && width_of(at) <= 64;
    case LLVMAlloca: return is_first_block(at) && LLVMIsAConstantInt(LLVMGetOperand(at, 0));
    case LLVMCall: return call_is_understood(at);
    default: return false;
    }
}

static uint64_t frame_of(struct version *version, LLVMValueRef at)
{
    return LLVMIsAAllocaInst(at) ? LLVMABISizeOfType(version->layout, LLVMGetAllocatedType(at)) : 0;
}

static bool is_understood(struct version *version, LLVMValueRef function)
{
    uint64_t frame = 0;
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at)) {
            frame += frame_of(version, at);
            if (!instruction_is_understood(at) || !operands_are_understood(version, at) || frame > LARGEST_FRAME)
                return false;
        }
    return LLVMGetFunctionCallConv(function) == LLVMCCallConv;
}

void accept_functions(struct version *version)
{
    size_t length;
    if (*LLVMGetModuleInlineAsm(version->module, &length) || LLVMGetFirstGlobalAlias(version->module) ||
        LLVMGetFirstGlobalIFunc(version->module))
        refuse(version, "the program has assembler, aliases or functions that are chosen at its start");
    if (LLVMGetNamedGlobal(version->module, "llvm.global_ctors") ||
        LLVMGetNamedGlobal(version->module, "llvm.global_dtors"))
        refuse(version, "code of the program runs before or after its main function");
    for (LLVMValueRef at = LLVMGetFirstFunction(version->module); at; at = LLVMGetNextFunction(at)) {
        if (!LLVMIsDeclaration(at) && !is_understood(version, at))
            refuse_function(version, at, false);
        const char *name = LLVMGetValueName2(at, &length);
        if (!LLVMIsDeclaration(at) && is_called_from_outside(name))
            refuse(version, "the program has a %s() of its own", name);
    }
}

void accept_calls(struct version *version)
{
    for (LLVMValueRef at = LLVMGetFirstFunction(version->module); at; at = LLVMGetNextFunction(at)) {
        size_t length;
        const char *name = LLVMGetValueName2(at, &length);
        if (LLVMIsDeclaration(at) && disturbs_all(name))
            refuse(version, "the program calls %s()", name);
    }
}

/* ---- recursion ---- */

#define SHALLOW "pn-shallow" /* calls nothing that may call itself */

static bool calls_deeply(LLVMValueRef function)
{
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at)) {
            LLVMValueRef callee = LLVMIsACallInst(at) ? LLVMGetCalledValue(at) : NULL;
            if (callee && LLVMIsAFunction(callee) && !LLVMIsDeclaration(callee) && !is_marked(callee, SHALLOW))
                return true;
        }
    return false;
}

static uint64_t frame_of_function(struct version *version, LLVMValueRef function)
{
    uint64_t frame = 0;
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at))
            frame += frame_of(version, at);
    return frame;
}

uint64_t deep_frames(struct version *version)
{
    bool more = true;
    while (more) {
        more = false;
        for (LLVMValueRef at = LLVMGetFirstFunction(version->module); at; at = LLVMGetNextFunction(at))
            if (!LLVMIsDeclaration(at) && !is_marked(at, SHALLOW) && !calls_deeply(at)) {
                mark(version, at, SHALLOW);
                more = true;
            }
    }
    uint64_t frames = 0;
    for (LLVMValueRef at = LLVMGetFirstFunction(version->module); at; at = LLVMGetNextFunction(at))
        if (!LLVMIsDeclaration(at) && !is_marked(at, SHALLOW))
            frames += frame_of_function(version, at);
    return frames;
}

static bool calls_itself(LLVMValueRef function)
{
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at))
            if (LLVMIsACallInst(at) && LLVMGetCalledValue(at) == function)
                return true;
    return false;
}

size_t count_recursions(const struct version *version)
{
    size_t count = 0;
    for (LLVMValueRef at = LLVMGetFirstFunction(version->module); at; at = LLVMGetNextFunction(at))
        count += calls_itself(at);
    return count;
}

/* ---- values ---- */

static bool has_nothing(LLVMValueRef instruction)
{
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(instruction); i++) {
        LLVMValueRef operand = LLVMGetOperand(instruction, i);
        if (operand && LLVMIsUndef(operand) && !is_beginning(instruction, i)) /* poison is one, too */
            return true;
    }
    return false;
}

void accept_values(struct version *version)
{
    for (LLVMValueRef at = LLVMGetFirstFunction(version->module); at; at = LLVMGetNextFunction(at)) {
        bool good = true;
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(at); block && good; block = LLVMGetNextBasicBlock(block))
            for (LLVMValueRef one = LLVMGetFirstInstruction(block); one && good; one = LLVMGetNextInstruction(one))
                good = !has_nothing(one);
        if (!good)
            refuse_function(version, at, true);
    }
}
