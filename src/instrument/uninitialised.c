#include "instrument/uninitialised.h"
#include "instrument/bitcode.h"
#include "instrument/regions.h"
#include "trace/uninitialised.h"

#include <llvm-c/BitWriter.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Target.h>
#include <stdlib.h>
#include <string.h>

#define CHANGE_VALUE "pn_value_" /* of pn_change(), which each version writes */

struct filler {
    LLVMModuleRef module;
    LLVMContextRef context;
    LLVMTargetDataRef layout;
    LLVMBuilderRef builder;
    unsigned annotation; /* the kind of metadata */
    uint64_t needed;     /* bytes of the block */
};

/* ---- which of clang's instructions fill a variable ---- */

static bool is_text(LLVMValueRef value, const char *text)
{
    unsigned length = 0;
    const char *string = LLVMIsAMDString(value) ? LLVMGetMDString(value, &length) : NULL;
    return string && length == strlen(text) && !memcmp(string, text, length);
}

static bool is_filling(const struct filler *filler, LLVMValueRef instruction)
{
    enum { MOST = 8 };
    LLVMValueRef node = LLVMHasMetadata(instruction) ? LLVMGetMetadata(instruction, filler->annotation) : NULL;
    LLVMValueRef operands[MOST];
    unsigned count = node ? LLVMGetMDNodeNumOperands(node) : 0;
    if (!count || count > MOST)
        return false;
    LLVMGetMDNodeOperands(node, operands);
    bool found = false;
    for (unsigned i = 0; i < count; i++)
        found |= operands[i] && is_text(operands[i], "auto-init");
    return found && (LLVMIsAStoreInst(instruction) || LLVMIsAMemIntrinsic(instruction));
}

/* ---- which variables may be read before they are written ---- */

enum first_use { READS, WRITES, NEITHER };

static uint64_t size_of(const struct filler *filler, LLVMTypeRef type)
{
    return LLVMABISizeOfType(filler->layout, type);
}

static bool writes_all(const struct filler *filler, LLVMValueRef instruction, LLVMValueRef variable)
{
    if (LLVMIsAStoreInst(instruction))
        return LLVMGetOperand(instruction, 1) == variable && LLVMGetOperand(instruction, 0) != variable &&
               size_of(filler, LLVMTypeOf(LLVMGetOperand(instruction, 0))) >=
                   size_of(filler, LLVMGetAllocatedType(variable));
    LLVMValueRef size = LLVMIsAMemIntrinsic(instruction) ? LLVMGetOperand(instruction, 2) : NULL;
    return size && LLVMGetOperand(instruction, 0) == variable && LLVMGetOperand(instruction, 1) != variable &&
           LLVMIsAConstantInt(size) &&
           LLVMConstIntGetZExtValue(size) >= size_of(filler, LLVMGetAllocatedType(variable));
}

/* Begins or ends a variable's life, describes it, or has it filled by the function that returns it. */
static bool only_prepares(LLVMValueRef instruction, LLVMValueRef variable, enum first_use *use)
{
    LLVMValueRef callee = LLVMIsACallInst(instruction) ? LLVMGetCalledValue(instruction) : NULL;
    size_t length;
    const char *name = callee && LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &length) : "";
    *use = NEITHER;
    if (!strncmp(name, "llvm.lifetime.", 14) || !strncmp(name, "llvm.dbg.", 9))
        return true;
    unsigned kind = LLVMGetEnumAttributeKindForName("sret", strlen("sret"));
    *use = WRITES;
    return callee && LLVMGetNumArgOperands(instruction) && LLVMGetOperand(instruction, 0) == variable &&
           LLVMGetCallSiteEnumAttribute(instruction, 1, kind);
}

static enum first_use use_of(const struct filler *filler, LLVMValueRef instruction, LLVMValueRef variable)
{
    enum first_use prepared;
    bool is_used = false;
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(instruction); i++)
        is_used |= LLVMGetOperand(instruction, i) == variable;
    if (!is_used)
        return NEITHER;
    if (only_prepares(instruction, variable, &prepared))
        return prepared;
    return writes_all(filler, instruction, variable) ? WRITES : READS;
}

static enum first_use first_use(const struct filler *filler, LLVMValueRef from, LLVMValueRef variable)
{
    enum first_use use = NEITHER;
    for (LLVMValueRef at = from; at && use == NEITHER; at = LLVMGetNextInstruction(at))
        use = use_of(filler, at, variable);
    return use;
}

/* On some way that begins at `from`. */
static bool is_read_before_written(const struct filler *filler, LLVMValueRef from, LLVMValueRef variable)
{
    struct blocks reached = {0};
    enum first_use first = first_use(filler, from, variable);
    LLVMBasicBlockRef block = LLVMGetInstructionParent(from);
    bool reads = first == READS;
    for (size_t i = 0; block && !reads; block = i < reached.count ? reached.list[i++] : NULL) {
        if (i) {
            first = first_use(filler, LLVMGetFirstInstruction(block), variable);
            reads = first == READS;
        }
        LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
        for (unsigned j = 0; first == NEITHER && j < LLVMGetNumSuccessors(end); j++)
            if (!blocks_have(&reached, LLVMGetSuccessor(end, j)))
                blocks_add(&reached, LLVMGetSuccessor(end, j));
    }
    free(reached.list);
    return reads;
}

/* ---- filling ---- */

static LLVMValueRef constant(const struct filler *filler, uint64_t value)
{
    return LLVMConstInt(LLVMInt64TypeInContext(filler->context), value, false);
}

/* Sanitizers have no say in it: a variable whose life has not begun may be filled, too. */
static void leave_unsanitized(const struct filler *filler, LLVMValueRef filling)
{
    unsigned kind = LLVMGetMDKindIDInContext(filler->context, "nosanitize", strlen("nosanitize"));
    LLVMMetadataRef empty = LLVMMDNodeInContext2(filler->context, NULL, 0);
    LLVMSetMetadata(filling, kind, LLVMMetadataAsValue(filler->context, empty));
}

static LLVMValueRef fresh_bytes(const struct filler *filler)
{
    LLVMTypeRef block = LLVMArrayType2(LLVMInt8TypeInContext(filler->context), PN_FRESH_BLOCK);
    LLVMValueRef variable = LLVMGetNamedGlobal(filler->module, FRESH_BYTES);
    if (!variable) {
        variable = LLVMAddGlobal(filler->module, block, FRESH_BYTES);
        LLVMSetAlignment(variable, 8);
    }
    return variable;
}

/* What lies behind the block's end has its first byte. */
static void fill_rest(const struct filler *filler, LLVMValueRef place, LLVMValueRef copied, LLVMValueRef size)
{
    LLVMTypeRef byte = LLVMInt8TypeInContext(filler->context);
    LLVMValueRef rest = LLVMBuildGEP2(filler->builder, byte, place, &copied, 1, "");
    LLVMValueRef first = LLVMBuildLoad2(filler->builder, byte, fresh_bytes(filler), "");
    LLVMValueRef left = LLVMBuildSub(filler->builder, size, copied, "");
    leave_unsanitized(filler, LLVMBuildMemSet(filler->builder, rest, first, left, 1));
}

static void fill(struct filler *filler, LLVMValueRef place, LLVMValueRef size, unsigned alignment)
{
    bool is_known = LLVMIsAConstantInt(size);
    uint64_t known = is_known ? LLVMConstIntGetZExtValue(size) : UINT64_MAX;
    bool is_short = known <= PN_FRESH_BLOCK;
    LLVMValueRef most = constant(filler, PN_FRESH_BLOCK), copied = is_short ? size : most;
    if (!is_known) {
        LLVMValueRef fits = LLVMBuildICmp(filler->builder, LLVMIntULE, size, most, "");
        copied = LLVMBuildSelect(filler->builder, fits, size, most, "");
    }
    unsigned of_place = alignment ? alignment : 1;
    leave_unsanitized(filler, LLVMBuildMemCpy(filler->builder, place, of_place, fresh_bytes(filler), 1, copied));
    if (!is_short)
        fill_rest(filler, place, copied, size);
    uint64_t needed = is_short ? known : PN_FRESH_BLOCK;
    filler->needed = needed > filler->needed ? needed : filler->needed;
}

/* What pn_change() keeps its value in: each version writes it. */
static bool is_of_change(LLVMValueRef place)
{
    size_t length;
    return LLVMIsAAllocaInst(place) && !strncmp(LLVMGetValueName2(place, &length), CHANGE_VALUE, strlen(CHANGE_VALUE));
}

/* As clang writes it, or left out. */
static void replace(struct filler *filler, LLVMValueRef filling)
{
    bool is_store = LLVMIsAStoreInst(filling);
    LLVMValueRef place = LLVMGetOperand(filling, is_store);
    LLVMValueRef next = LLVMGetNextInstruction(filling);
    bool is_needed = !is_of_change(place) && (!LLVMIsAAllocaInst(place) || is_read_before_written(filler, next, place));
    if (is_needed) {
        LLVMValueRef size = is_store ? constant(filler, size_of(filler, LLVMTypeOf(LLVMGetOperand(filling, 0))))
                                     : LLVMGetOperand(filling, 2);
        LLVMPositionBuilderBefore(filler->builder, filling);
        LLVMSetCurrentDebugLocation2(filler->builder, LLVMInstructionGetDebugLoc(filling));
        fill(filler, place, size, is_store ? LLVMGetAlignment(filling) : 1);
    }
    LLVMInstructionEraseFromParent(filling);
}

/* A jump (goto, switch) may leave the declaration out, and the filling with it. */
static void fill_bypassed(struct filler *filler, LLVMValueRef function)
{
    LLVMBasicBlockRef entry = LLVMCountBasicBlocks(function) > 1 ? LLVMGetEntryBasicBlock(function) : NULL;
    for (LLVMValueRef at = entry ? LLVMGetFirstInstruction(entry) : NULL, next; at; at = next) {
        next = LLVMGetNextInstruction(at);
        if (!LLVMIsAAllocaInst(at) || is_of_change(at) || !LLVMIsConstant(LLVMGetOperand(at, 0)) ||
            !is_read_before_written(filler, next, at))
            continue;
        LLVMPositionBuilderBefore(filler->builder, next);
        LLVMSetCurrentDebugLocation2(filler->builder, NULL);
        fill(filler, at, constant(filler, size_of(filler, LLVMGetAllocatedType(at))), LLVMGetAlignment(at));
    }
}

/* What Penumbra has written itself. */
static bool is_own(LLVMValueRef function)
{
    size_t length;
    return !strncmp(LLVMGetValueName2(function, &length), "__pn_", 5);
}

static void fill_function(struct filler *filler, LLVMValueRef function)
{
    fill_bypassed(filler, function);
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef at = LLVMGetFirstInstruction(block), next; at; at = next) {
            next = LLVMGetNextInstruction(at);
            if (is_filling(filler, at))
                replace(filler, at);
        }
}

uint64_t fill_uninitialised(LLVMModuleRef module)
{
    LLVMContextRef context = LLVMGetModuleContext(module);
    struct filler filler = {.module = module,
                            .context = context,
                            .layout = LLVMGetModuleDataLayout(module),
                            .builder = LLVMCreateBuilderInContext(context),
                            .annotation = LLVMGetMDKindIDInContext(context, "annotation", strlen("annotation"))};
    for (LLVMValueRef at = LLVMGetFirstFunction(module); at; at = LLVMGetNextFunction(at))
        if (!LLVMIsDeclaration(at) && !is_own(at))
            fill_function(&filler, at);
    LLVMDisposeBuilder(filler.builder);
    return filler.needed;
}

bool fill_uninitialised_file(const char *path, struct error *error)
{
    LLVMContextRef context = LLVMContextCreate();
    LLVMModuleRef module = bitcode_read(context, path, error);
    bool good = module != NULL;
    if (good) {
        fill_uninitialised(module);
        good = LLVMWriteBitcodeToFile(module, path) == 0 || error_set(error, "cannot write %s", path);
        LLVMDisposeModule(module);
    }
    LLVMContextDispose(context);
    return good;
}

static bool is_used(LLVMValueRef value)
{
    return value && LLVMGetFirstUse(value);
}

uint64_t needed_fresh_bytes(LLVMModuleRef module, uint64_t filled)
{
    static const char *const allocators[] = {"malloc", "realloc"};
    bool allocates = false;
    for (size_t i = 0; i < sizeof allocators / sizeof *allocators; i++)
        allocates |= is_used(LLVMGetNamedFunction(module, allocators[i]));
    if (!is_used(LLVMGetNamedGlobal(module, FRESH_BYTES)))
        return allocates ? PN_FRESH_SIZE : 0;
    return filled < PN_FRESH_SIZE ? PN_FRESH_SIZE : filled;
}
