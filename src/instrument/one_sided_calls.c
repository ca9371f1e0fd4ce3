/* Calls in code of one version: of the copies for that version; of the C library, with that version's memory and
 * output. What has other effects is a divergence that the report names. */
#include "instrument/calls.h"

#include <stdio.h>
#include <string.h>

/* Functions of the C library that only compute, from their arguments and from what these point to. */
// clang-format off
static const char *const pure[] = {
    "abs", "labs", "llabs", "isalnum", "isalpha", "isblank", "iscntrl", "isdigit", "isgraph", "islower", "isprint",
    "ispunct", "isspace", "isupper", "isxdigit", "tolower", "toupper", "strlen", "strnlen", "strcmp", "strncmp",
    "strcasecmp", "strncasecmp", "strchr", "strrchr", "strstr", "strspn", "strcspn", "strpbrk", "memchr", "memcmp",
    "atoi", "atol", "atoll", "__errno_location", "__ctype_b_loc", "__ctype_tolower_loc", "__ctype_toupper_loc",
};
// clang-format on

/* Most intrinsics, and what is declared with the attribute `const`. */
static bool touches_no_memory(LLVMValueRef function)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("memory", 6);
    LLVMAttributeRef effects = LLVMGetEnumAttributeAtIndex(function, LLVMAttributeFunctionIndex, kind);
    return effects && LLVMGetEnumAttributeValue(effects) == 0;
}

static bool is_pure(LLVMValueRef function, const char *name)
{
    if ((LLVMIsAFunction(function) && touches_no_memory(function)) || find_mathematical(name))
        return true;
    for (size_t i = 0; i < sizeof pure / sizeof *pure; i++)
        if (!strcmp(name, pure[i]))
            return true;
    return false;
}

static void borrow_arguments(struct emitter *emitter, LLVMValueRef call, const char *name)
{
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
        LLVMValueRef argument = LLVMGetOperand(call, i);
        if (LLVMGetTypeKind(LLVMTypeOf(argument)) != LLVMPointerTypeKind)
            continue;
        LLVMValueRef arguments[] = {as_word(emitter, argument), constant32(emitter, site_of(emitter, call, name))};
        call_hook(emitter, HOOK_borrow, arguments, 2);
    }
}

/* Around a call that reads memory: while it runs, the bytes are this version's. */
static void call_with_own_bytes(struct emitter *emitter, LLVMValueRef call, const char *name)
{
    if (emitter->side != PN_SIDE_OLD)
        return;
    borrow_arguments(emitter, call, name);
    call_hook(emitter, HOOK_lend, NULL, 0);
    place_after(emitter, call);
    call_hook(emitter, HOOK_give_back, NULL, 0);
}

static bool write_one_sided(struct emitter *emitter, LLVMValueRef call, const char *name)
{
    char ours[64];
    snprintf(ours, sizeof ours, "__pn_%s", strcmp(name, "putc") ? name : "fputc");
    leave_labels(emitter, call, LLVMGetNumArgOperands(call), name);
    redirect_call(emitter, call, ours);
    call_with_own_bytes(emitter, call, name);
    return true;
}

/* Functions that do not come back: a failure, or a way to leave. */
static const struct {
    const char *name;
    enum hook in_old, in_new;
} endings[] = {{"abort", HOOK_old_fails, HOOK_new_fails},     {"__assert_fail", HOOK_old_fails, HOOK_new_fails},
               {"llvm.trap", HOOK_old_fails, HOOK_new_fails}, {"exit", HOOK_old_leaves, HOOK_break_new},
               {"_exit", HOOK_old_leaves, HOOK_break_new},    {"_Exit", HOOK_old_leaves, HOOK_break_new}};

static int find_ending(const char *name)
{
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (!strcmp(name, endings[i].name))
            return (int)i;
    return -1;
}

static void report_site(struct emitter *emitter, LLVMValueRef call, enum hook hook, const char *what)
{
    place_before(emitter, call);
    LLVMValueRef site = constant32(emitter, site_of(emitter, call, what));
    call_hook(emitter, hook, &site, 1);
}

static void erase_call(LLVMValueRef call)
{
    if (LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMVoidTypeKind)
        LLVMReplaceAllUsesWith(call, LLVMGetUndef(LLVMTypeOf(call)));
    LLVMInstructionEraseFromParent(call);
}

/* The old version's copies and fills touch labels alone; the new version's leave the old bytes behind. */
static bool side_block(struct emitter *emitter, LLVMValueRef call, enum hook hook)
{
    LLVMValueRef arguments[8] = {constant32(emitter, emitter->side)};
    place_before(emitter, call);
    block_arguments(emitter, call, "the length or address of a copy", arguments + 1);
    call_hook(emitter, hook, arguments, 8);
    if (label_width(LLVMTypeOf(call)))
        LLVMReplaceAllUsesWith(call, LLVMGetOperand(call, 0));
    if (emitter->side != PN_SIDE_OLD)
        place_after(emitter, call);
    note_volatile_block(emitter, call, hook == HOOK_side_copy);
    if (emitter->side == PN_SIDE_OLD)
        LLVMInstructionEraseFromParent(call);
    return true;
}

/* A function without effects runs once per side, with the memory that it reads made that side's. */
static bool call_pure(struct emitter *emitter, LLVMValueRef call, const char *name)
{
    leave_labels(emitter, call, LLVMGetNumArgOperands(call), name);
    call_with_own_bytes(emitter, call, name);
    return true;
}

static bool call_external_one_sided(struct emitter *emitter, LLVMValueRef call, const char *name)
{
    bool old = emitter->side == PN_SIDE_OLD;
    if (is_pure(LLVMGetCalledValue(call), name))
        return call_pure(emitter, call, name);
    if (find_writer(name) >= 0)
        return write_one_sided(emitter, call, name);
    int ending = find_ending(name);
    if (ending >= 0)
        report_site(emitter, call, old ? endings[ending].in_old : endings[ending].in_new, name);
    else
        report_site(emitter, call, old ? HOOK_old_external : HOOK_new_external, name);
    if (!old)
        return call_external(emitter, call, name);
    erase_call(call);
    return true;
}

static bool call_pointer_one_sided(struct emitter *emitter, LLVMValueRef call)
{
    unsigned callee = (unsigned)LLVMGetNumOperands(call) - 1;
    LLVMValueRef pointer = LLVMGetOperand(call, callee);
    place_before(emitter, call);
    LLVMValueRef arguments[] = {as_word(emitter, pointer), label_of(emitter, pointer),
                                constant32(emitter, emitter->side),
                                constant32(emitter, site_of(emitter, call, "a function pointer"))};
    LLVMValueRef target = call_hook(emitter, HOOK_side_target, arguments, 4);
    LLVMSetOperand(call, callee, LLVMBuildIntToPtr(emitter->builder, target, LLVMTypeOf(pointer), ""));
    return call_inside(emitter, call);
}

bool call_one_sided(struct emitter *emitter, LLVMValueRef call)
{
    LLVMValueRef callee = LLVMGetCalledValue(call);
    if (LLVMIsAInlineAsm(callee) && is_empty_assembly(call))
        return call_assembly(emitter, call);
    if (LLVMIsAInlineAsm(callee))
        return call_external_one_sided(emitter, call, with_place(emitter, call, "inline assembly"));
    if (!LLVMIsAFunction(callee))
        return call_pointer_one_sided(emitter, call);
    if (!LLVMIsDeclaration(callee)) {
        LLVMValueRef copy = clone_side(callee) == PN_SIDE_BOTH ? clone_for(emitter, callee, emitter->side) : callee;
        need_clone(emitter, copy);
        LLVMSetOperand(call, (unsigned)LLVMGetNumOperands(call) - 1, copy);
        return call_inside(emitter, call);
    }
    const char *name = called_name(call);
    call_rule *rule = known_rule(name);
    const struct mathematical *function = find_mathematical(name);
    if (function && is_followed(call, function))
        return call_mathematical(emitter, call, function);
    if (rule == copy_memory)
        return side_block(emitter, call, HOOK_side_copy);
    if (rule == fill_memory)
        return side_block(emitter, call, HOOK_side_fill);
    if (rule && (strncmp(name, "pn_", 3) || is_of_model(name)) && find_ending(name) < 0)
        return rule(emitter, call);
    return call_external_one_sided(emitter, call, name);
}
