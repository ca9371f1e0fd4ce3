/* What clang, the headers and the names of functions promise the optimiser, taken away. */
#include "prove/prover.h"

#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- names ---- */

static bool is_local(LLVMValueRef global)
{
    return LLVMGetLinkage(global) == LLVMInternalLinkage;
}

void name_variables(struct version *version, const char *file)
{
    for (LLVMValueRef at = LLVMGetFirstGlobal(version->module); at; at = LLVMGetNextGlobal(at)) {
        size_t length;
        const char *name = LLVMGetValueName2(at, &length);
        if (LLVMIsDeclaration(at) || LLVMIsGlobalConstant(at) || name_begins(name, "llvm."))
            continue;
        if (is_local(at)) {
            const char *longer = arena_format(version->arena, "%s:%s", file, name);
            LLVMSetValueName2(at, longer, strlen(longer));
        }
        if (LLVMGetLinkage(at) != LLVMWeakAnyLinkage)
            LLVMSetLinkage(at, LLVMExternalLinkage);
    }
}

void name_entry(struct version *version, const struct program *program)
{
    const char *name = strcmp(program->entry, "main") == 0 ? "__pn_program_main" : program->entry;
    LLVMValueRef entry = LLVMGetNamedFunction(version->module, name);
    version->entry = name;
    if (!entry || LLVMIsDeclaration(entry)) {
        refuse(version, "the entry is not found by its name");
        return;
    }
    if (is_local(entry)) { /* other files may have one of this name */
        version->entry = arena_format(version->arena, "::%s", name);
        LLVMSetValueName2(entry, version->entry, strlen(version->entry));
        LLVMSetLinkage(entry, LLVMExternalLinkage);
    }
}

static void add_prefix(struct version *version, LLVMValueRef global, const char *prefix)
{
    size_t length;
    const char *longer = arena_format(version->arena, "%s%s", prefix, LLVMGetValueName2(global, &length));
    LLVMSetValueName2(global, longer, strlen(longer));
}

void hide_names(struct version *version)
{
    for (LLVMValueRef at = LLVMGetFirstFunction(version->module); at; at = LLVMGetNextFunction(at)) {
        size_t length;
        const char *name = LLVMGetValueName2(at, &length);
        if (!LLVMGetIntrinsicID(at) && !name_begins(name, OWN))
            add_prefix(version, at, LLVMIsDeclaration(at) ? "outside." : "inside.");
    }
}

/* ---- attributes ---- */

/* How an argument is passed is part of its meaning; anything else is a promise. */
static bool is_kept(LLVMAttributeRef attribute)
{
    static const char *const kept[] = {"byval", "sret"};
    if (LLVMIsStringAttribute(attribute))
        return false;
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        if (LLVMGetEnumAttributeKind(attribute) == LLVMGetEnumAttributeKindForName(kept[i], strlen(kept[i])))
            return true;
    return false;
}

static void drop_attribute(LLVMValueRef value, bool is_call, LLVMAttributeIndex index, LLVMAttributeRef attribute)
{
    unsigned length;
    if (LLVMIsStringAttribute(attribute)) {
        const char *name = LLVMGetStringAttributeKind(attribute, &length);
        if (is_call)
            LLVMRemoveCallSiteStringAttribute(value, index, name, length);
        else
            LLVMRemoveStringAttributeAtIndex(value, index, name, length);
    } else if (is_call) {
        LLVMRemoveCallSiteEnumAttribute(value, index, LLVMGetEnumAttributeKind(attribute));
    } else {
        LLVMRemoveEnumAttributeAtIndex(value, index, LLVMGetEnumAttributeKind(attribute));
    }
}

static void drop_attributes_at(LLVMValueRef value, bool is_call, LLVMAttributeIndex index)
{
    unsigned count = is_call ? LLVMGetCallSiteAttributeCount(value, index) : LLVMGetAttributeCountAtIndex(value, index);
    LLVMAttributeRef *list = calloc(count + 1, sizeof *list);
    if (is_call)
        LLVMGetCallSiteAttributes(value, index, list);
    else
        LLVMGetAttributesAtIndex(value, index, list);
    for (unsigned i = 0; i < count; i++)
        if (!is_kept(list[i]))
            drop_attribute(value, is_call, index, list[i]);
    free(list);
}

static void drop_attributes(LLVMValueRef value, bool is_call, unsigned parameters)
{
    for (unsigned i = 0; i <= parameters; i++)
        drop_attributes_at(value, is_call, i);
    drop_attributes_at(value, is_call, (LLVMAttributeIndex)LLVMAttributeFunctionIndex);
}

static void add_attribute(struct version *version, LLVMValueRef function, const char *name, uint64_t value)
{
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    LLVMAddAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                            LLVMCreateEnumAttribute(version->context, kind, value));
}

static void add_word(struct version *version, LLVMValueRef function, const char *name, const char *value)
{
    LLVMAddAttributeAtIndex(
        function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
        LLVMCreateStringAttribute(version->context, name, (unsigned)strlen(name), value, (unsigned)strlen(value)));
}

/* Functions that only look at memory, and may fail there: called twice for the same, they do the same. None of them
 * sets errno, as atoi() does. */
static bool only_reads(LLVMValueRef function)
{
    static const char *const names[] = {"strlen",      "strnlen", "strcmp", "strncmp", "strcasecmp",
                                        "strncasecmp", "memcmp",  "strchr", "strrchr", "strstr",
                                        "strspn",      "strcspn", "memchr", "strpbrk", "bcmp"};
    size_t length;
    const char *name = LLVMGetValueName2(function, &length);
    for (size_t i = 0; LLVMIsDeclaration(function) && i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

/* A part of the program that both versions have. */
static bool is_part(LLVMValueRef function, LLVMModuleRef elsewhere)
{
    size_t length;
    const char *name = LLVMGetValueName2(function, &length);
    LLVMValueRef other = elsewhere && !name_begins(name, "__pn_") ? LLVMGetNamedFunction(elsewhere, name) : NULL;
    return other && !LLVMIsDeclaration(other);
}

static void set_attributes(struct version *version, LLVMValueRef function, LLVMModuleRef elsewhere)
{
    size_t length;
    drop_attributes(function, false, LLVMCountParams(function));
    add_attribute(version, function, "nounwind", 0); /* there are no exceptions in C */
    if (only_reads(function))
        add_attribute(version, function, "memory", READS_MEMORY);
    if (LLVMIsDeclaration(function))
        return;
    add_attribute(version, function, "noimplicitfloat", 0); /* no vectors are made, which hide what is the same */
    if (!version->makes_loops)                              /* a recursion may use up the stack, a loop does not */
        add_word(version, function, "disable-tail-calls", "true");
    add_word(version, function, "no-builtins", "");
    if (strcmp(LLVMGetValueName2(function, &length), version->entry) == 0 || is_part(function, elsewhere))
        add_attribute(version, function, "noinline", 0);
}

/* ---- instructions ---- */

static void drop_metadata(LLVMValueRef at)
{
    size_t count;
    LLVMValueMetadataEntry *entries = LLVMInstructionGetAllMetadataOtherThanDebugLoc(at, &count);
    for (size_t i = 0; i < count; i++)
        LLVMSetMetadata(at, LLVMValueMetadataEntriesGetKind(entries, (unsigned)i), NULL);
    LLVMDisposeValueMetadataEntries(entries);
}

static void drop_flags(LLVMValueRef at)
{
    switch (LLVMGetInstructionOpcode(at)) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMShl: LLVMSetNUW(at, false), LLVMSetNSW(at, false); break;
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMLShr:
    case LLVMAShr: LLVMSetExact(at, false); break;
    case LLVMGetElementPtr: LLVMGEPSetNoWrapFlags(at, 0); break;
    case LLVMZExt: LLVMSetNNeg(at, false); break;
    case LLVMOr: LLVMSetIsDisjoint(at, false); break;
    case LLVMLoad:
    case LLVMStore: LLVMSetAlignment(at, 1); break; /* the processor does not mind */
    default: break;
    }
    if (LLVMCanValueUseFastMathFlags(at))
        LLVMSetFastMathFlags(at, LLVMFastMathNone);
}

static void drop_promises_in(struct version *version, LLVMValueRef function)
{
    LLVMValueRef *list;
    size_t count;
    collect_instructions(version, function, &list, &count);
    for (size_t i = 0; i < count; i++) {
        drop_metadata(list[i]);
        drop_flags(list[i]);
        if (!LLVMIsACallInst(list[i]))
            continue;
        LLVMSetTailCall(list[i], false);
        if (!name_begins(callee_name(list[i]), "llvm."))
            drop_attributes(list[i], true, LLVMGetNumArgOperands(list[i]));
    }
    free(list);
}

void drop_promises(struct version *version, LLVMModuleRef elsewhere)
{
    LLVMStripModuleDebugInfo(version->module);
    for (LLVMValueRef at = LLVMGetFirstFunction(version->module); at; at = LLVMGetNextFunction(at)) {
        if (LLVMGetIntrinsicID(at))
            continue;
        set_attributes(version, at, elsewhere);
        drop_promises_in(version, at);
    }
}

/* ---- after a round of passes ---- */

void drop_remarks(struct version *version)
{
    for (LLVMValueRef function = LLVMGetFirstFunction(version->module); function;
         function = LLVMGetNextFunction(function))
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))
            for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at))
                if (name_begins(callee_name(at), OWN))
                    drop_attributes(at, true, LLVMGetNumArgOperands(at));
}
