/* Where objects lie: the outcome of a comparison of pointers into different objects, and whatever is computed from an
 * address as a number, holds for the one layout that is explored. What a run meets of that is told to the runtime,
 * which knows the objects. Differences and comparisons inside of one object are the same in every layout. */
#include "instrument/emit.h"
#include "instrument/models.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

/* The program's code, in a function that Penumbra has written itself: that has a file of its own. */
static bool is_inlined(LLVMValueRef instruction, const char *file, unsigned length)
{
    LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(instruction));
    LLVMMetadataRef place = LLVMInstructionGetDebugLoc(instruction), scope = LLVMGetSubprogram(function);
    unsigned own_length = 0;
    if (!place || !scope || !LLVMDILocationGetInlinedAt(place))
        return false;
    const char *own = LLVMDIFileGetFilename(LLVMDIScopeGetFile(scope), &own_length);
    return own_length != length || memcmp(own, file, length) != 0;
}

/* Not the program's own code. */
static bool is_made(LLVMValueRef instruction)
{
    unsigned length = 0;
    size_t name_length;
    LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(instruction));
    const char *name = LLVMGetValueName2(function, &name_length), *file = LLVMGetDebugLocFilename(instruction, &length);
    bool is_own = !strncmp(name, "__pn_", 5) || !strncmp(name, "pn_", 3);
    return is_model(function) || !file || (is_own && !is_inlined(instruction, file, length));
}

static bool is_pointer(LLVMValueRef value)
{
    return LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind;
}

static LLVMValueRef pointer_behind(LLVMValueRef number)
{
    bool is_conversion =
        LLVMIsAPtrToIntInst(number) || (LLVMIsAConstantExpr(number) && LLVMGetConstOpcode(number) == LLVMPtrToInt);
    return is_conversion ? LLVMGetOperand(number, 0) : NULL;
}

static bool is_zero(LLVMValueRef value)
{
    return LLVMIsAConstant(value) && LLVMIsNull(value);
}

static void tell_outcome(struct emitter *emitter, LLVMValueRef instruction, const char *what)
{
    place_before(emitter, instruction);
    LLVMValueRef site = constant32(emitter, site_of(emitter, instruction, with_place(emitter, instruction, what)));
    call_hook(emitter, HOOK_hidden_arguments, &site, 1);
}

static bool is_variable(LLVMValueRef value)
{
    return LLVMIsAAllocaInst(value) || LLVMIsAGlobalVariable(value);
}

#define NUMBER "an address as a number"
#define ORDER "the order of objects in memory"

static void tell(struct emitter *emitter, LLVMValueRef instruction, LLVMValueRef one, LLVMValueRef other, bool is_order)
{
    enum { PARAMETERS = 4 };
    LLVMValueRef root = root_of(one), other_root = root_of(other);
    if (is_zero(one) || is_zero(other) || root == other_root)
        return;
    if (is_variable(root) && is_variable(other_root)) { /* which the runtime could not tell from the end of one */
        if (is_order)
            tell_outcome(emitter, instruction, ORDER);
        return;
    }
    if (is_variable(root)) {
        LLVMValueRef first = one;
        one = other, other = first;
    }
    bool is_certain = LLVMIsAGlobalVariable(other); /* its beginning, not the end of the one before it */
    LLVMTypeRef parameters[PARAMETERS] = {emitter->i64, emitter->i64, emitter->i32, emitter->i32};
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(emitter->context), parameters, PARAMETERS, false);
    LLVMValueRef told = LLVMGetNamedFunction(emitter->module, "__pn_compared");
    told = told ? told : LLVMAddFunction(emitter->module, "__pn_compared", type);
    place_before(emitter, instruction);
    const char *what = with_place(emitter, instruction, ORDER);
    LLVMValueRef arguments[PARAMETERS] = {as_word(emitter, one), as_word(emitter, other),
                                          constant32(emitter, is_order + 2 * is_certain),
                                          constant32(emitter, site_of(emitter, instruction, what))};
    LLVMBuildCall2(emitter->builder, type, told, arguments, PARAMETERS, "");
}

/* Which the emitter has put there. */
static bool is_hook(LLVMValueRef user)
{
    return LLVMIsACallInst(user) && !strncmp(called_name(user), "__pn_", 5);
}

/* A difference of pointers, a comparison with NULL, or a pointer again. */
static bool is_harmless(LLVMValueRef user, LLVMValueRef number)
{
    if (LLVMIsAIntToPtrInst(user) || is_hook(user))
        return true;
    if (LLVMGetInstructionOpcode(user) == LLVMSub)
        return pointer_behind(LLVMGetOperand(user, 0)) && pointer_behind(LLVMGetOperand(user, 1));
    if (!LLVMIsAICmpInst(user) || LLVMGetICmpPredicate(user) > LLVMIntNE)
        return false;
    return is_zero(LLVMGetOperand(user, LLVMGetOperand(user, 0) == number));
}

static bool is_looked_at(LLVMValueRef number)
{
    for (LLVMUseRef use = LLVMGetFirstUse(number); use; use = LLVMGetNextUse(use))
        if (!is_harmless(LLVMGetUser(use), number))
            return true;
    return false;
}

static bool has_number(LLVMValueRef instruction)
{
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(instruction); i++) {
        LLVMValueRef operand = LLVMGetOperand(instruction, i);
        if (LLVMIsAConstantExpr(operand) && pointer_behind(operand) && !is_harmless(instruction, operand))
            return true;
    }
    return false;
}

/* ---- addresses that are read as bytes: through a union, a copy, a pointer to characters ---- */

/* Into another place, or to a caller: whoever looks at it there is seen. */
static bool is_copy(LLVMValueRef user, LLVMValueRef value)
{
    bool is_stored = LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) == value;
    return is_stored || LLVMIsAReturnInst(user) || LLVMIsAInsertValueInst(user);
}

static bool is_only_copied(LLVMValueRef value)
{
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (!is_hook(user) && !is_copy(user, value))
            return false;
    }
    return true;
}

/* Only where every access is looked at: elsewhere nothing is said to be equivalent. */
static bool may_read_address(const struct emitter *emitter, LLVMValueRef instruction)
{
    if (!emitter->options->check_objects || !LLVMIsALoadInst(instruction))
        return false;
    LLVMTypeRef type = LLVMTypeOf(instruction);
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    bool is_number = kind == LLVMIntegerTypeKind || kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind;
    return is_number && LLVMABISizeOfType(emitter->layout, type) <= sizeof(uint64_t) && !is_only_copied(instruction);
}

static uint32_t number_site(struct emitter *emitter, LLVMValueRef instruction)
{
    return site_of(emitter, instruction, with_place(emitter, instruction, NUMBER));
}

static void tell_bytes(struct emitter *emitter, LLVMValueRef instruction, LLVMValueRef place, LLVMValueRef size,
                       bool is_certain)
{
    LLVMValueRef arguments[] = {as_word(emitter, place), as_word(emitter, size), constant32(emitter, is_certain),
                                constant32(emitter, number_site(emitter, instruction))};
    call_hook(emitter, HOOK_address_bytes, arguments, 4);
}

/* A variable that has no room for an address; what lies beside it on the stack is none of its own. */
static bool is_small_variable(const struct emitter *emitter, LLVMValueRef place)
{
    LLVMValueRef root = root_of(place);
    if (!is_variable(root))
        return false;
    LLVMTypeRef type = LLVMIsAAllocaInst(root) ? LLVMGetAllocatedType(root) : LLVMGlobalGetValueType(root);
    bool is_one = !LLVMIsAAllocaInst(root) || (LLVMIsAConstantInt(LLVMGetOperand(root, 0)) &&
                                               LLVMConstIntGetZExtValue(LLVMGetOperand(root, 0)) == 1);
    return is_one && LLVMTypeIsSized(type) && LLVMABISizeOfType(emitter->layout, type) < sizeof(uint64_t);
}

void note_number(struct emitter *emitter, LLVMValueRef load)
{
    uint64_t size = LLVMStoreSizeOfType(emitter->layout, LLVMTypeOf(load));
    if (may_read_address(emitter, load) && !is_small_variable(emitter, LLVMGetOperand(load, 0)) && !is_made(load))
        tell_bytes(emitter, load, LLVMGetOperand(load, 0), constant64(emitter, size), emitter->side != PN_SIDE_OLD);
}

bool note_bytes(struct emitter *emitter, LLVMValueRef call)
{
    place_before(emitter, call);
    if (emitter->options->check_objects)
        tell_bytes(emitter, call, LLVMGetOperand(call, 0), LLVMGetOperand(call, 1), false);
    LLVMInstructionEraseFromParent(call);
    return true;
}

static bool is_copying(const struct emitter *emitter, LLVMValueRef instruction)
{
    const char *name = emitter->options->check_objects && LLVMIsACallInst(instruction) ? called_name(instruction) : "";
    return !strncmp(name, "llvm.memcpy.", 12) || !strncmp(name, "llvm.memmove.", 13) || !strcmp(name, "memcpy") ||
           !strcmp(name, "memmove");
}

static void tell_copy(struct emitter *emitter, LLVMValueRef call)
{
    LLVMValueRef size = LLVMGetOperand(call, 2), from = LLVMGetOperand(call, 1);
    bool is_part = LLVMIsAConstantInt(size) && LLVMConstIntGetZExtValue(size) < sizeof(uint64_t);
    place_before(emitter, call);
    if (is_part) {
        if (!is_small_variable(emitter, from) && LLVMConstIntGetZExtValue(size))
            tell_bytes(emitter, call, from, size, emitter->side != PN_SIDE_OLD);
        return;
    }
    LLVMValueRef arguments[] = {as_word(emitter, LLVMGetOperand(call, 0)), as_word(emitter, LLVMGetOperand(call, 1)),
                                as_word(emitter, LLVMGetOperand(call, 2)),
                                constant32(emitter, number_site(emitter, call))};
    call_hook(emitter, HOOK_copied_askew, arguments, 4);
}

static void align(struct emitter *emitter, LLVMValueRef variable, LLVMTypeRef type)
{
    enum { LEAST = sizeof(uint64_t) };
    if (LLVMABISizeOfType(emitter->layout, type) >= LEAST && LLVMGetAlignment(variable) < LEAST)
        LLVMSetAlignment(variable, LEAST);
}

void align_variables(struct emitter *emitter)
{
    for (LLVMValueRef at = LLVMGetFirstGlobal(emitter->module); at; at = LLVMGetNextGlobal(at))
        if (!LLVMIsDeclaration(at) && !LLVMGetSection(at))
            align(emitter, at, LLVMGlobalGetValueType(at));
    for (LLVMValueRef function = LLVMGetFirstFunction(emitter->module); function;
         function = LLVMGetNextFunction(function))
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))
            for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at))
                if (LLVMIsAAllocaInst(at))
                    align(emitter, at, LLVMGetAllocatedType(at));
}

void note_addresses(struct emitter *emitter, LLVMValueRef instruction)
{
    LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
    bool has_two = opcode == LLVMICmp || opcode == LLVMSub;
    LLVMValueRef one = has_two ? LLVMGetOperand(instruction, 0) : NULL;
    LLVMValueRef other = has_two ? LLVMGetOperand(instruction, 1) : NULL;
    bool compares = opcode == LLVMICmp && is_pointer(one);
    bool subtracts = opcode == LLVMSub && pointer_behind(one) && pointer_behind(other);
    bool makes_number = opcode == LLVMPtrToInt && is_looked_at(instruction);
    if (is_copying(emitter, instruction) && !is_made(instruction))
        tell_copy(emitter, instruction);
    if ((!compares && !subtracts && !makes_number && !has_number(instruction)) || is_made(instruction))
        return;
    if (compares)
        tell(emitter, instruction, one, other, LLVMGetICmpPredicate(instruction) > LLVMIntNE);
    else if (subtracts)
        tell(emitter, instruction, pointer_behind(one), pointer_behind(other), true);
    else
        tell_outcome(emitter, instruction, NUMBER);
}
