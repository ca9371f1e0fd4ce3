/* Calls: into instrumented code labels go along; a few functions of libc are known (known_calls.c); everything else
 * leaves the labels' reach, and what it is given is bound to its value. Calls in code of one version are in
 * one_sided_calls.c. */
#include "instrument/calls.h"
#include "instrument/models.h"
#include "instrument/parts.h"

#include <string.h>

void redirect_call(struct emitter *emitter, LLVMValueRef call, const char *to)
{
    LLVMValueRef callee = LLVMGetNamedFunction(emitter->module, to);
    if (!callee)
        callee = LLVMAddFunction(emitter->module, to, LLVMGetCalledFunctionType(call));
    LLVMSetOperand(call, (unsigned)LLVMGetNumOperands(call) - 1, callee);
}

uint64_t by_value_size(struct emitter *emitter, LLVMValueRef call, unsigned argument)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("byval", 5);
    LLVMAttributeRef attribute = LLVMGetCallSiteEnumAttribute(call, argument + 1, kind);
    return attribute ? LLVMABISizeOfType(emitter->layout, LLVMGetTypeAttributeValue(attribute)) : 0;
}

/* A struct passed by value in memory: the callee gets to know where it was copied from. */
static void pass_by_value(struct emitter *emitter, LLVMValueRef call, unsigned argument_index, unsigned slot)
{
    LLVMValueRef argument = LLVMGetOperand(call, argument_index);
    uint64_t size = by_value_size(emitter, call, argument_index);
    leave_operand(emitter, call, argument, "the address of a struct passed by value");
    LLVMValueRef arguments[] = {constant32(emitter, slot), as_word(emitter, argument), constant64(emitter, size)};
    call_hook(emitter, HOOK_pass_block, arguments, 3);
}

void pass_arguments(struct emitter *emitter, LLVMValueRef call, unsigned count)
{
    unsigned slot = 0;
    for (unsigned i = 0; i < count; i++) {
        LLVMValueRef argument = LLVMGetOperand(call, i);
        unsigned parts = part_count(LLVMTypeOf(argument));
        uint64_t size = by_value_size(emitter, call, i);
        if (slot + parts > PN_MAXIMUM_ARGUMENTS)
            leave_operand(emitter, call, argument, with_place(emitter, call, "an argument after the 64th"));
        else if (size)
            pass_by_value(emitter, call, i, slot);
        for (unsigned part = 0; part < parts && !size && slot + parts <= PN_MAXIMUM_ARGUMENTS; part++) {
            LLVMValueRef label = part_label(emitter, argument, part);
            LLVMValueRef arguments[] = {constant32(emitter, slot + part), label};
            if (!is_no_label(label))
                call_hook(emitter, HOOK_pass, arguments, 2);
        }
        slot += parts;
    }
}

void take_result(struct emitter *emitter, LLVMValueRef call)
{
    unsigned parts = part_count(LLVMTypeOf(call));
    if (!parts)
        return;
    place_after(emitter, call);
    LLVMValueRef next = LLVMGetNextInstruction(call);
    set_part_label(emitter, call, 0, call_hook(emitter, HOOK_result, NULL, 0));
    for (unsigned part = 1; part < parts; part++) {
        LLVMValueRef index = constant32(emitter, part);
        set_part_label(emitter, call, part, call_hook(emitter, HOOK_result_part, &index, 1));
    }
    if (parts > 1)
        call_hook(emitter, HOOK_results_taken, NULL, 0);
    place_before(emitter, next);
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
    name = standard_name(name);
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
        enum seen seen = seen_of_argument(name, i);
        if (LLVMGetTypeKind(LLVMTypeOf(argument)) != LLVMPointerTypeKind || LLVMIsAFunction(argument) ||
            seen == SEEN_NOTHING)
            continue;
        site = site ? site : site_of(emitter, call, name);
        LLVMValueRef arguments[] = {as_word(emitter, argument), constant32(emitter, site)};
        call_hook(emitter, seen == SEEN_TEXT ? HOOK_external_text : HOOK_external_memory, arguments, 2);
    }
    call_hook(emitter, HOOK_outside_begins, NULL, 0);
    if (LLVMGetNextInstruction(call)) {
        place_after(emitter, call);
        call_hook(emitter, HOOK_external_done, NULL, 0);
    }
    return true;
}

/* What happens in a model happens, for a reader of the source, where it is called. Models that models call are not
 * seen. */
static void note_model_call(struct emitter *emitter, LLVMValueRef call)
{
    LLVMValueRef callee = LLVMGetCalledValue(call);
    bool may_be_model = LLVMIsAFunction(callee) ? is_model(callee) : emitter->models_by_pointer;
    if (!may_be_model || is_model(emitter->function))
        return;
    char name[256] = "a function pointer";
    if (LLVMIsAFunction(callee))
        model_name(callee, name, sizeof name);
    uint32_t site = site_of(emitter, call, name);
    emitter->sites->sites[site].calls_model = LLVMIsAFunction(callee) != NULL;
    place_before(emitter, call);
    LLVMValueRef before = LLVMBuildLoad2(emitter->builder, emitter->i32, emitter->model_site, "");
    LLVMBuildStore(emitter->builder, constant32(emitter, site), emitter->model_site);
    place_after(emitter, call);
    LLVMBuildStore(emitter->builder, before, emitter->model_site);
}

/* A function may be called as if it had `...`, where its caller has seen no prototype. */
static bool may_be_variadic(LLVMValueRef call)
{
    LLVMValueRef callee = LLVMGetCalledValue(call);
    if (!LLVMIsFunctionVarArg(LLVMGetCalledFunctionType(call)))
        return false;
    return !LLVMIsAFunction(callee) || LLVMIsFunctionVarArg(LLVMGlobalGetValueType(callee));
}

/* How many of the arguments a function without `...` would take. */
static unsigned plain_arguments(LLVMValueRef call)
{
    unsigned count = LLVMGetNumArgOperands(call), named = LLVMCountParamTypes(LLVMGetCalledFunctionType(call));
    bool is_certain = may_be_variadic(call) && LLVMIsAFunction(LLVMGetCalledValue(call));
    return is_certain && named < count ? named : count;
}

bool call_inside(struct emitter *emitter, LLVMValueRef call)
{
    note_model_call(emitter, call);
    place_before(emitter, call);
    pass_arguments(emitter, call, plain_arguments(call));
    if (may_be_variadic(call))
        pass_variable_arguments(emitter, call);
    take_result(emitter, call);
    return true;
}

/* A callee without hooks: what was passed is bound, the memory behind pointers is looked at. */
static void leave_through_pointer(struct emitter *emitter, LLVMValueRef call, LLVMValueRef outside)
{
    const char *what = with_place(emitter, call, "a function without instrumentation");
    LLVMValueRef site = constant32(emitter, site_of(emitter, call, what));
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
        LLVMValueRef argument = LLVMGetOperand(call, i);
        if (LLVMGetTypeKind(LLVMTypeOf(argument)) != LLVMPointerTypeKind || LLVMIsAFunction(argument))
            continue;
        LLVMValueRef arguments[] = {outside, as_word(emitter, argument), site};
        call_hook(emitter, HOOK_leave_memory, arguments, 3);
    }
    LLVMValueRef arguments[] = {outside, site};
    call_hook(emitter, HOOK_leave_through, arguments, 2);
}

/* The callee may be with or without hooks: labels go along, and what is not taken is cleared afterwards. */
static bool call_through_pointer(struct emitter *emitter, LLVMValueRef call)
{
    unsigned callee = (unsigned)LLVMGetNumOperands(call) - 1;
    LLVMValueRef pointer = LLVMGetOperand(call, callee);
    LLVMValueRef next = LLVMGetNextInstruction(call);
    place_before(emitter, call);
    leave_operand(emitter, call, pointer, "a function pointer");
    LLVMValueRef target = as_word(emitter, pointer);
    LLVMValueRef outside = call_hook(emitter, HOOK_target_outside, &target, 1);
    call_inside(emitter, call);
    place_before(emitter, call);
    leave_through_pointer(emitter, call, outside);
    place_before(emitter, next);
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
    bool is_users = !strcmp(name, "__pn_harness") || !strcmp(name, "__pn_program_main") || /* main, under that name */
                    !strcmp(name, "__pn_unseen") || !strncmp(name, "__pn_function_", 14);
    return !strncmp(name, "__pn_", 5) && !is_users;
}

bool emit_call(struct emitter *emitter, LLVMValueRef call)
{
    LLVMValueRef callee = LLVMGetCalledValue(call);
    if (is_distance(call))
        return note_distance(emitter, call);
    if (is_ours(emitter, call))
        return true;
    if (emitter->side != PN_SIDE_BOTH)
        return call_one_sided(emitter, call);
    if (LLVMIsAInlineAsm(callee))
        return call_assembly(emitter, call);
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
    if (function && is_followed(call, function))
        return call_mathematical(emitter, call, function);
    return rule ? rule(emitter, call) : call_external(emitter, call, name);
}
