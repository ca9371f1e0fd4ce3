/* Whether memory may be accessed. Of an object that is known, an access has a place in it that is compared with its
 * size, as far as the optimiser does not find out by itself; of any other pointer, a function that nobody knows says
 * whether the access fails, by the address and by all that was allocated and freed before. */
#include "prove/prover.h"

#include <stdlib.h>
#include <string.h>

#define CHECK_ACCESS OWN "check.access"
#define CHECK_COPY OWN "check.copy"

/* A place in an object: `constant` bytes behind its beginning, and where `variable` is not NULL, so many more. */
struct place {
    LLVMValueRef object;
    uint64_t constant;
    bool is_variable;
};

static LLVMTypeRef number_type(const struct version *version)
{
    return LLVMInt64TypeInContext(version->context);
}

static bool is_element_pointer(LLVMValueRef value)
{
    return LLVMIsAGetElementPtrInst(value) ||
           (LLVMIsAConstantExpr(value) && LLVMGetConstOpcode(value) == LLVMGetElementPtr);
}

/* ---- how far an address is from its object ---- */

/* Called for each index with what it is multiplied by. */
typedef void visit_index(void *context, LLVMValueRef index, uint64_t scale);

static void visit_indices(struct version *version, LLVMValueRef address, struct place *place, visit_index *visit,
                          void *context)
{
    LLVMTypeRef type = LLVMGetGEPSourceElementType(address);
    for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(address); i++) {
        LLVMValueRef index = LLVMGetOperand(address, i);
        if (i > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
            unsigned member = (unsigned)LLVMConstIntGetZExtValue(index);
            place->constant += LLVMOffsetOfElement(version->layout, type, member);
            type = LLVMStructGetTypeAtIndex(type, member);
            continue;
        }
        if (i > 1)
            type = LLVMGetElementType(type);
        uint64_t scale = LLVMABISizeOfType(version->layout, type);
        if (LLVMIsAConstantInt(index)) {
            place->constant += (uint64_t)LLVMConstIntGetSExtValue(index) * scale;
            continue;
        }
        place->is_variable = true;
        if (visit)
            visit(context, index, scale);
    }
}

static struct place place_of(struct version *version, LLVMValueRef address, visit_index *visit, void *context)
{
    struct place place = {0};
    while (is_element_pointer(address)) {
        visit_indices(version, address, &place, visit, context);
        address = LLVMGetOperand(address, 0);
    }
    place.object = address;
    return place;
}

struct sum {
    struct version *version;
    LLVMValueRef value;
};

static void add_index(void *context, LLVMValueRef index, uint64_t scale)
{
    struct sum *sum = context;
    LLVMBuilderRef builder = sum->version->builder;
    LLVMTypeRef type = number_type(sum->version);
    LLVMValueRef wide = LLVMBuildIntCast2(builder, index, type, true, "");
    LLVMValueRef product = LLVMBuildMul(builder, wide, LLVMConstInt(type, scale, false), "");
    sum->value = LLVMBuildAdd(builder, sum->value, product, "");
}

/* As a number that the program computes. */
static LLVMValueRef distance_of(struct version *version, LLVMValueRef address)
{
    struct sum sum = {version, LLVMConstNull(number_type(version))};
    struct place place = place_of(version, address, add_index, &sum);
    return LLVMBuildAdd(version->builder, sum.value, LLVMConstInt(number_type(version), place.constant, false), "");
}

/* ---- objects ---- */

static bool has_scopes(LLVMValueRef variable)
{
    for (LLVMUseRef use = LLVMGetFirstUse(variable); use; use = LLVMGetNextUse(use))
        if (is_scope_event(LLVMGetUser(use)))
            return true;
    return false;
}

static LLVMTypeRef passed_type(LLVMValueRef parameter)
{
    LLVMValueRef function = LLVMGetParamParent(parameter);
    static const char *const names[] = {"byval", "sret"};
    for (unsigned i = 0; i < LLVMCountParams(function); i++)
        for (size_t k = 0; LLVMGetParam(function, i) == parameter && k < sizeof names / sizeof *names; k++) {
            unsigned kind = LLVMGetEnumAttributeKindForName(names[k], strlen(names[k]));
            LLVMAttributeRef attribute = LLVMGetEnumAttributeAtIndex(function, i + 1, kind);
            if (attribute)
                return LLVMGetTypeAttributeValue(attribute);
        }
    return NULL;
}

static bool is_fresh(LLVMValueRef address)
{
    size_t length;
    return LLVMIsAGlobalVariable(address) && strcmp(LLVMGetValueName2(address, &length), FRESH_BYTES) == 0;
}

/* Of an object that is there whenever it is named; 0 for any other. */
static uint64_t size_of(struct version *version, LLVMValueRef object, bool writes)
{
    LLVMTypeRef type = NULL;
    if (LLVMIsAAllocaInst(object) && !has_scopes(object))
        type = LLVMGetAllocatedType(object);
    else if (LLVMIsAGlobalVariable(object) && LLVMGetLinkage(object) == LLVMExternalLinkage &&
             !LLVMIsThreadLocal(object) && !(writes && LLVMIsGlobalConstant(object)))
        type = LLVMGlobalGetValueType(object);
    else if (LLVMIsAGlobalVariable(object) && !LLVMIsDeclaration(object) && LLVMIsGlobalConstant(object) && !writes)
        type = LLVMGlobalGetValueType(object);
    else if (LLVMIsAArgument(object))
        type = passed_type(object);
    return type && LLVMTypeIsSized(type) ? LLVMABISizeOfType(version->layout, type) : 0;
}

/* ---- checks ---- */

static LLVMValueRef check_function(struct version *version)
{
    LLVMTypeRef types[] = {LLVMPointerTypeInContext(version->context, 0), number_type(version), number_type(version)};
    return own_function(version, CHECK_ACCESS,
                        LLVMFunctionType(LLVMInt8TypeInContext(version->context), types, 3, false), EFFECT_LOOKS);
}

static void ask(struct version *version, LLVMValueRef address, LLVMValueRef size, LLVMValueRef writes)
{
    LLVMValueRef arguments[] = {address, size, writes};
    call_own(version, check_function(version), arguments, 3);
}

/* Fails where the distance is greater than the last one that is inside. */
static LLVMValueRef inside_function(struct version *version)
{
    LLVMTypeRef number = number_type(version);
    LLVMTypeRef types[] = {number, number, LLVMPointerTypeInContext(version->context, 0), number, number};
    LLVMValueRef function = LLVMGetNamedFunction(version->module, OWN "inside");
    if (function)
        return function;
    function = own_definition(version, OWN "inside",
                              LLVMFunctionType(LLVMVoidTypeInContext(version->context), types, 5, false));
    LLVMBasicBlockRef bad = LLVMAppendBasicBlockInContext(version->context, function, "");
    LLVMBasicBlockRef good = LLVMAppendBasicBlockInContext(version->context, function, "");
    LLVMValueRef is_outside =
        LLVMBuildICmp(version->builder, LLVMIntUGT, LLVMGetParam(function, 0), LLVMGetParam(function, 1), "");
    LLVMBuildCondBr(version->builder, is_outside, bad, good);
    LLVMPositionBuilderAtEnd(version->builder, bad);
    LLVMTypeRef fails[] = {types[2], number, number};
    LLVMValueRef fail =
        own_function(version, OWN "fail.access",
                     LLVMFunctionType(LLVMVoidTypeInContext(version->context), fails, 3, false), EFFECT_EVENT);
    LLVMValueRef arguments[] = {LLVMGetParam(function, 2), LLVMGetParam(function, 3), LLVMGetParam(function, 4)};
    call_own(version, fail, arguments, 3);
    LLVMBuildUnreachable(version->builder);
    LLVMPositionBuilderAtEnd(version->builder, good);
    LLVMBuildRetVoid(version->builder);
    return function;
}

/* Whether it needs no check; else a check is put before `at`, or is left as it is where that is one already. */
static bool check(struct version *version, LLVMValueRef at, LLVMValueRef address, uint64_t size, bool writes)
{
    struct place place = place_of(version, address, NULL, NULL);
    uint64_t all = size_of(version, place.object, writes);
    bool fits = all >= size;
    if (fits && !place.is_variable && place.constant <= all - size)
        return true;
    bool is_check = name_begins(callee_name(at), CHECK_ACCESS);
    if (is_check && !(all && fits && place.is_variable))
        return false;
    LLVMTypeRef number = number_type(version);
    LLVMValueRef length = LLVMConstInt(number, size, false), writing = LLVMConstInt(number, writes, false);
    LLVMValueRef function = all && fits && place.is_variable ? inside_function(version) : NULL;
    LLVMPositionBuilderBefore(version->builder, at);
    if (!function) {
        ask(version, address, length, writing);
        return false;
    }
    LLVMValueRef arguments[] = {distance_of(version, address), LLVMConstInt(number, all - size, false), address, length,
                                writing};
    call_own(version, function, arguments, 5);
    return true;
}

void check_access(struct version *version, LLVMValueRef access)
{
    bool writes = LLVMIsAStoreInst(access);
    LLVMTypeRef type = writes ? LLVMTypeOf(LLVMGetOperand(access, 0)) : LLVMTypeOf(access);
    check(version, access, LLVMGetOperand(access, writes), LLVMStoreSizeOfType(version->layout, type), writes);
}

static bool is_inside(struct version *version, LLVMValueRef address, LLVMValueRef size, bool writes)
{
    struct place place = place_of(version, address, NULL, NULL);
    uint64_t all = size_of(version, place.object, writes), length = LLVMConstIntGetZExtValue(size);
    return !place.is_variable && all >= length && place.constant <= all - length;
}

/* To copy is to move, from here on: where both overlap, the check fails or the same is done in both versions. */
static void move(struct version *version, LLVMValueRef call)
{
    if (!name_begins(callee_name(call), "llvm.memcpy."))
        return;
    LLVMValueRef to = LLVMGetOperand(call, 0), from = LLVMGetOperand(call, 1), size = LLVMGetOperand(call, 2);
    LLVMPositionBuilderBefore(version->builder, call);
    LLVMBuildMemMove(version->builder, to, 1, from, 1, size);
    LLVMInstructionEraseFromParent(call);
}

static LLVMValueRef copy_function(struct version *version)
{
    LLVMTypeRef pointer = LLVMPointerTypeInContext(version->context, 0), number = number_type(version);
    LLVMTypeRef types[] = {pointer, pointer, number, number};
    return own_function(version, CHECK_COPY, LLVMFunctionType(LLVMInt8TypeInContext(version->context), types, 4, false),
                        EFFECT_LOOKS);
}

/* A variable of the function that nobody else knows, and that the bytes are in. */
static bool is_own_variable(struct version *version, LLVMValueRef address, LLVMValueRef size, bool writes)
{
    return LLVMIsAConstantInt(size) && LLVMIsAAllocaInst(place_of(version, address, NULL, NULL).object) &&
           is_inside(version, address, size, writes);
}

/* Of a copy from or to such a variable only the other side can fail, and nothing overlaps. Whether it is one; the check
 * is put before `at`. */
static bool check_other_side(struct version *version, LLVMValueRef at, LLVMValueRef to, LLVMValueRef from,
                             LLVMValueRef size)
{
    bool writes = is_own_variable(version, from, size, false);
    if (!writes && !is_own_variable(version, to, size, true))
        return false;
    check(version, at, writes ? to : from, LLVMConstIntGetZExtValue(size), writes);
    return true;
}

void check_copying(struct version *version, LLVMValueRef call)
{
    LLVMValueRef to = LLVMGetOperand(call, 0), other = LLVMGetOperand(call, 1), size = LLVMGetOperand(call, 2);
    bool copies = LLVMGetTypeKind(LLVMTypeOf(other)) == LLVMPointerTypeKind;
    bool is_good = is_fresh(other) || /* which no sanitizer sees either */
                   (LLVMIsAConstantInt(size) && is_inside(version, to, size, true) &&
                    (!copies || is_inside(version, other, size, false)));
    if (!LLVMIsNull(LLVMGetOperand(call, 3))) { /* volatile */
        refuse(version, "a volatile structure is copied");
        return;
    }
    if (!is_good && !(copies && check_other_side(version, call, to, other, size))) {
        LLVMTypeRef number = number_type(version);
        unsigned kind = name_begins(callee_name(call), "llvm.memcpy.") ? 0 : copies ? 1 : 2;
        LLVMPositionBuilderBefore(version->builder, call);
        LLVMValueRef arguments[] = {to, copies ? other : LLVMConstNull(LLVMPointerTypeInContext(version->context, 0)),
                                    LLVMBuildIntCast2(version->builder, size, number, false, ""),
                                    LLVMConstInt(number, kind, false)};
        call_own(version, copy_function(version), arguments, 4);
    }
    move(version, call);
}

/* ---- after the optimiser ---- */

static void settle_check(struct version *version, LLVMValueRef call)
{
    LLVMValueRef size = LLVMGetOperand(call, 1), writes = LLVMGetOperand(call, 2);
    if (!LLVMIsAConstantInt(size) || !LLVMIsAConstantInt(writes) || LLVMGetFirstUse(call))
        return;
    if (check(version, call, LLVMGetOperand(call, 0), LLVMConstIntGetZExtValue(size),
              LLVMConstIntGetZExtValue(writes))) {
        LLVMInstructionEraseFromParent(call);
        version->settled = true;
    }
}

/* What was copied may be a variable that has turned out to be the function's own. */
static void settle_copy(struct version *version, LLVMValueRef call)
{
    LLVMValueRef to = LLVMGetOperand(call, 0), from = LLVMGetOperand(call, 1), size = LLVMGetOperand(call, 2);
    if (LLVMGetFirstUse(call) || LLVMIsNull(from) || !check_other_side(version, call, to, from, size))
        return;
    LLVMInstructionEraseFromParent(call);
    version->settled = true;
}

static bool is_accessed(LLVMValueRef user, LLVMValueRef address)
{
    return LLVMIsALoadInst(user) || (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) != address) ||
           name_begins(callee_name(user), CHECK_ACCESS) || name_begins(callee_name(user), CHECK_COPY) ||
           (LLVMIsAMemIntrinsic(user) && LLVMGetOperand(user, 0) != LLVMGetOperand(user, 1));
}

struct uses {
    LLVMValueRef *list;
    size_t count, capacity;
};

/* All that is done with a variable of a function; false where its address goes elsewhere. */
static bool collect_uses(LLVMValueRef address, struct uses *uses)
{
    for (LLVMUseRef use = LLVMGetFirstUse(address); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsAGetElementPtrInst(user)) {
            if (!collect_uses(user, uses))
                return false;
            continue;
        }
        if (is_scope_event(user) || name_begins(callee_name(user), "llvm.lifetime."))
            continue;
        if (!is_accessed(user, address))
            return false;
        uses->list = array_reserve(uses->list, &uses->capacity, uses->count + 1, sizeof *uses->list);
        uses->list[uses->count++] = user;
    }
    return true;
}

static bool has_use(const struct uses *uses, LLVMValueRef instruction)
{
    for (size_t i = 0; i < uses->count; i++)
        if (uses->list[i] == instruction)
            return true;
    return false;
}

struct search {
    LLVMValueRef variable;
    const struct uses *uses;
    LLVMBasicBlockRef *blocks; /* that were entered */
    size_t count, capacity;
};

/* From an instruction on in its block: an access is met, or the variable begins anew, or the block ends. */
enum met { MET_ACCESS, MET_BEGIN, MET_END };

static enum met look_along(const struct search *search, LLVMValueRef at)
{
    for (; at; at = LLVMGetNextInstruction(at)) {
        if (has_use(search->uses, at))
            return MET_ACCESS;
        if (is_scope_event(at) && name_begins(callee_name(at), OWN "scope.begin") &&
            LLVMGetOperand(at, 0) == search->variable)
            return MET_BEGIN;
    }
    return MET_END;
}

static void enter(struct search *search, LLVMBasicBlockRef block)
{
    for (size_t i = 0; i < search->count; i++)
        if (search->blocks[i] == block)
            return;
    search->blocks = array_reserve(search->blocks, &search->capacity, search->count + 1, sizeof *search->blocks);
    search->blocks[search->count++] = block;
}

static void enter_next(struct search *search, LLVMBasicBlockRef block)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++)
        enter(search, LLVMGetSuccessor(end, i));
}

/* Whether the variable may be accessed after it has gone. */
static bool is_outlived(LLVMValueRef variable, LLVMValueRef end, const struct uses *uses)
{
    struct search search = {.variable = variable, .uses = uses};
    enum met met = look_along(&search, LLVMGetNextInstruction(end));
    bool outlived = met == MET_ACCESS;
    if (met == MET_END)
        enter_next(&search, LLVMGetInstructionParent(end));
    for (size_t i = 0; i < search.count && !outlived; i++) {
        met = look_along(&search, LLVMGetFirstInstruction(search.blocks[i]));
        outlived = met == MET_ACCESS;
        if (met == MET_END)
            enter_next(&search, search.blocks[i]);
    }
    free(search.blocks);
    return outlived;
}

/* Nobody can tell when a variable comes and goes that is accessed only while it is there. */
static void settle_variable(struct version *version, LLVMValueRef variable)
{
    struct uses uses = {0};
    bool good = has_scopes(variable) && collect_uses(variable, &uses);
    for (LLVMUseRef use = LLVMGetFirstUse(variable); use && good; use = LLVMGetNextUse(use))
        if (is_scope_event(LLVMGetUser(use)) && name_begins(callee_name(LLVMGetUser(use)), OWN "scope.end"))
            good = !is_outlived(variable, LLVMGetUser(use), &uses);
    for (LLVMUseRef use = LLVMGetFirstUse(variable), next; use && good; use = next) {
        LLVMValueRef user = LLVMGetUser(use);
        next = LLVMGetNextUse(use);
        if (is_scope_event(user)) {
            LLVMInstructionEraseFromParent(user);
            version->settled = true;
        }
    }
    free(uses.list);
}

void settle_accesses(struct version *version)
{
    version->settled = false;
    for (LLVMValueRef function = LLVMGetFirstFunction(version->module); function;
         function = LLVMGetNextFunction(function)) {
        LLVMValueRef *list;
        size_t count;
        if (function_is_refused(function))
            continue;
        collect_instructions(version, function, &list, &count);
        for (size_t i = 0; i < count; i++)
            if (LLVMIsAAllocaInst(list[i]))
                settle_variable(version, list[i]);
        free(list);
        collect_instructions(version, function, &list, &count);
        for (size_t i = 0; i < count; i++)
            if (name_begins(callee_name(list[i]), CHECK_ACCESS))
                settle_check(version, list[i]);
            else if (name_begins(callee_name(list[i]), CHECK_COPY))
                settle_copy(version, list[i]);
        free(list);
    }
}
