/* Calls: into instrumented code labels go along; a few functions of libc are known (known_calls.c); everything else
 * leaves the labels' reach, and what it is given is bound to its value. Calls in code of one version are in
 * one_sided_calls.c. */
#include "build/calls.h"

#include <string.h>

void redirect_call(struct emitter *emitter, LLVMValueRef call, const char *to)
{
    LLVMValueRef callee = LLVMGetNamedFunction(emitter->module, to);
    if (!callee)
        callee = LLVMAddFunction(emitter->module, to, LLVMGetCalledFunctionType(call));
    LLVMSetOperand(call, (unsigned)LLVMGetNumOperands(call) - 1, callee);
}

void pass_arguments(struct emitter *emitter, LLVMValueRef call, unsigned count)
{
    for (unsigned i = 0; i < count && i < 64; i++) {
        LLVMValueRef label = label_of(emitter, LLVMGetOperand(call, i));
        if (is_no_label(label))
            continue;
        LLVMValueRef arguments[] = {constant32(emitter, i), label};
        call_hook(emitter, HOOK_pass, arguments, 2);
    }
}

void take_result(struct emitter *emitter, LLVMValueRef call)
{
    if (!label_width(LLVMTypeOf(call)))
        return;
    place_after(emitter, call);
    set_label(emitter, call, call_hook(emitter, HOOK_result, NULL, 0));
}

uint64_t by_value_size(struct emitter *emitter, LLVMValueRef call, unsigned argument)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("byval", 5);
    LLVMAttributeRef attribute = LLVMGetCallSiteEnumAttribute(call, argument + 1, kind);
    return attribute ? LLVMABISizeOfType(emitter->layout, LLVMGetTypeAttributeValue(attribute)) : 0;
}

/* Structs passed by value in memory: the copy is made without labels. */
static void bind_by_value(struct emitter *emitter, LLVMValueRef call, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        uint64_t size = by_value_size(emitter, call, i);
        if (!size)
            continue;
        LLVMValueRef arguments[] = {as_word(emitter, LLVMGetOperand(call, i)), constant32(emitter, 0),
                                    constant64(emitter, size),
                                    constant32(emitter, site_of(emitter, call, "a struct passed by value"))};
        call_hook(emitter, HOOK_concretise, arguments, 4);
    }
}

/* A function that may do something visible: where the versions are apart, nobody compares what each of them does. */
static void note_effect(struct emitter *emitter, LLVMValueRef call, const char *name)
{
    if (!emitter->options->check_objects || (find_writer(name) < 0 && is_without_trace(name)))
        return;
    place_before(emitter, call);
    LLVMValueRef site = constant32(emitter, site_of(emitter, call, name));
    call_hook(emitter, HOOK_effect, &site, 1);
}

/* vprintf() and its like, also as __vprintf_chk(). */
static bool takes_list(const char *name)
{
    name += strspn(name, "_");
    return *name == 'v' && (strstr(name, "printf") || strstr(name, "scanf") || strstr(name, "syslog"));
}

/* Other rounding than is followed, or flags that say more of an operation than its result does. */
static bool uses_floating_environment(const char *name)
{
    static const char *const names[] = {"fesetround",   "fesetenv",        "feupdateenv",   "feholdexcept",
                                        "fetestexcept", "fegetexceptflag", "feenableexcept"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(name, names[i]))
            return true;
    return false;
}

bool call_external(struct emitter *emitter, LLVMValueRef call, const char *name)
{
    note_effect(emitter, call, name);
    if (takes_list(name) || uses_floating_environment(name)) {
        place_before(emitter, call);
        LLVMValueRef site = constant32(emitter, site_of(emitter, call, name));
        call_hook(emitter, HOOK_hidden_arguments, &site, 1);
    }
    unsigned count = LLVMGetNumArgOperands(call);
    leave_labels(emitter, call, count, name);
    uint32_t site = 0;
    for (unsigned i = 0; i < count; i++) {
        LLVMValueRef argument = LLVMGetOperand(call, i);
        if (LLVMGetTypeKind(LLVMTypeOf(argument)) != LLVMPointerTypeKind || LLVMIsAFunction(argument))
            continue;
        site = site ? site : site_of(emitter, call, name);
        LLVMValueRef arguments[] = {as_word(emitter, argument), constant32(emitter, site)};
        call_hook(emitter, HOOK_external_memory, arguments, 2);
    }
    if (LLVMGetNextInstruction(call)) {
        place_after(emitter, call);
        call_hook(emitter, HOOK_external_done, NULL, 0);
    }
    return true;
}

bool call_inside(struct emitter *emitter, LLVMValueRef call)
{
    unsigned count = LLVMGetNumArgOperands(call), fixed = LLVMCountParamTypes(LLVMGetCalledFunctionType(call));
    place_before(emitter, call);
    bind_by_value(emitter, call, count);
    for (unsigned i = fixed; i < count; i++) { /* the variable arguments travel without labels */
        LLVMValueRef operand = LLVMGetOperand(call, i), label = label_of(emitter, operand);
        if (is_no_label(label))
            continue;
        LLVMValueRef arguments[] = {label, as_word(emitter, operand),
                                    constant32(emitter, label_width(LLVMTypeOf(operand))),
                                    constant32(emitter, site_of(emitter, call, "a variable argument list"))};
        call_hook(emitter, HOOK_external, arguments, 4);
    }
    pass_arguments(emitter, call, fixed < count ? fixed : count);
    take_result(emitter, call);
    return true;
}

/* The callee may be with or without hooks: labels go along, and what is not taken is cleared afterwards. */
static bool call_through_pointer(struct emitter *emitter, LLVMValueRef call)
{
    unsigned callee = (unsigned)LLVMGetNumOperands(call) - 1;
    LLVMValueRef pointer = LLVMGetOperand(call, callee), label = label_of(emitter, pointer);
    place_before(emitter, call);
    if (!is_no_label(label)) {
        LLVMValueRef arguments[] = {label, as_word(emitter, pointer), constant32(emitter, 64),
                                    constant32(emitter, site_of(emitter, call, "a function pointer"))};
        call_hook(emitter, HOOK_external, arguments, 4);
    }
    call_inside(emitter, call);
    place_after(emitter, call);
    if (label_width(LLVMTypeOf(call)))
        LLVMPositionBuilderBefore(emitter->builder, LLVMGetNextInstruction(label_of(emitter, call)));
    call_hook(emitter, HOOK_external_done, NULL, 0);
    return true;
}

/* ---- output ---- */

/* The C library's output functions, and which argument is the stream (-1: standard output). In one-sided code the
 * runtime's functions of the same names, behind __pn_, keep the versions' outputs apart. */
static const struct {
    const char *name;
    int stream;
} writers[] = {{"printf", -1}, {"puts", -1}, {"putchar", -1}, {"fprintf", 0},
               {"fputs", 1},   {"fputc", 1}, {"putc", 1},     {"fwrite", 3}};

int find_writer(const char *name)
{
    for (size_t i = 0; i < sizeof writers / sizeof *writers; i++)
        if (!strcmp(name, writers[i].name))
            return (int)i;
    return -1;
}

static bool write_together(struct emitter *emitter, LLVMValueRef call, int writer)
{
    int stream = writers[writer].stream;
    place_before(emitter, call);
    LLVMValueRef file = stream < 0 ? LLVMConstNull(LLVMPointerTypeInContext(emitter->context, 0))
                                   : LLVMGetOperand(call, (unsigned)stream);
    call_hook(emitter, HOOK_write_together, &file, 1);
    return call_external(emitter, call, writers[writer].name);
}

/* ---- any call ---- */

/* What the instrumenter itself has put there. */
static bool is_ours(struct emitter *emitter, LLVMValueRef call)
{
    const char *name = called_name(call);
    if (!strcmp(name, "_setjmp"))
        return LLVMGetOperand(call, 0) == emitter->escape;
    bool is_users = !strcmp(name, "__pn_harness") || !strcmp(name, "__pn_program_main"); /* main, under that name */
    return !strncmp(name, "__pn_", 5) && !is_users;
}

bool emit_call(struct emitter *emitter, LLVMValueRef call)
{
    LLVMValueRef callee = LLVMGetCalledValue(call);
    if (is_ours(emitter, call))
        return true;
    if (emitter->side != PN_SIDE_BOTH)
        return call_one_sided(emitter, call);
    if (LLVMIsAInlineAsm(callee))
        return call_external(emitter, call, "inline assembly");
    if (!LLVMIsAFunction(callee))
        return call_through_pointer(emitter, call);
    if (!LLVMIsDeclaration(callee))
        return call_inside(emitter, call);
    const char *name = called_name(call);
    call_rule *rule = known_rule(name);
    int writer = find_writer(name);
    const struct mathematical *function = find_mathematical(name);
    if (writer >= 0)
        return write_together(emitter, call, writer);
    if (function && is_followed(emitter, call, function))
        return call_mathematical(emitter, call, function);
    return rule ? rule(emitter, call) : call_external(emitter, call, name);
}
