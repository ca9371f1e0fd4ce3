/* Inline assembly: what goes in is bound, what comes out has no label. Where the text is empty, which is how programs
 * keep a compiler from knowing a value, a value that comes out is the one that went in. */
#include "instrument/calls.h"
#include "instrument/parts.h"

#include <ctype.h>
#include <string.h>

/* One item of the list of constraints: outputs ("=r", "=*m") come first, then inputs ("r", "0", "*m"), then what is
 * overwritten ("~{memory}"). */
struct constraint {
    bool is_output, is_clobber, is_indirect;
    int tied; /* to the output of this number; -1: to none */
};

static struct constraint read_constraint(const char *text)
{
    struct constraint constraint = {.is_output = *text == '=', .is_clobber = *text == '~', .tied = -1};
    text += constraint.is_output;
    text += *text == '&';
    constraint.is_indirect = *text == '*';
    if (!constraint.is_output && isdigit((unsigned char)*text))
        constraint.tied = *text - '0';
    return constraint;
}

static uint64_t memory_size(struct emitter *emitter, LLVMValueRef call, unsigned argument)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("elementtype", 11);
    LLVMAttributeRef attribute = LLVMGetCallSiteEnumAttribute(call, argument + 1, kind);
    return attribute ? LLVMStoreSizeOfType(emitter->layout, LLVMGetTypeAttributeValue(attribute)) : 0;
}

static void bind_memory(struct emitter *emitter, LLVMValueRef call, unsigned argument, bool is_output, uint32_t site)
{
    LLVMValueRef address = LLVMGetOperand(call, argument);
    LLVMValueRef arguments[] = {as_word(emitter, address), label_of(emitter, address),
                                constant64(emitter, memory_size(emitter, call, argument)), constant32(emitter, site)};
    place_before(emitter, call);
    call_hook(emitter, HOOK_concretise, arguments, 4);
    if (is_output)
        call_hook(emitter, HOOK_clear, arguments, 4);
}

/* With an empty text. */
static void keep_label(struct emitter *emitter, LLVMValueRef call, unsigned argument, int output)
{
    LLVMValueRef value = LLVMGetOperand(call, argument);
    LLVMTypeRef type = LLVMTypeOf(call);
    if (output >= (int)part_count(type) || !label_width(LLVMTypeOf(value)) ||
        label_width(part_type(type, (unsigned)output)) != label_width(LLVMTypeOf(value)))
        return;
    place_after(emitter, call);
    set_part_label(emitter, call, (unsigned)output, label_of(emitter, value));
}

bool is_empty_assembly(LLVMValueRef call)
{
    size_t length;
    const char *text = LLVMGetInlineAsmAsmString(LLVMGetCalledValue(call), &length);
    return strspn(text, " \t\n") >= length;
}

bool call_assembly(struct emitter *emitter, LLVMValueRef call)
{
    size_t length;
    const char *constraints = LLVMGetInlineAsmConstraintString(LLVMGetCalledValue(call), &length);
    bool is_empty = is_empty_assembly(call);
    const char *name = with_place(emitter, call, "inline assembly");
    uint32_t site = site_of(emitter, call, name);
    unsigned argument = 0;
    for (const char *at = constraints; at < constraints + length; at += strcspn(at, ",") + 1) {
        struct constraint constraint = read_constraint(at);
        if (constraint.is_clobber || (constraint.is_output && !constraint.is_indirect))
            continue;
        if (constraint.is_indirect && !is_empty)
            bind_memory(emitter, call, argument, constraint.is_output, site);
        if (is_empty && constraint.tied >= 0)
            keep_label(emitter, call, argument, constraint.tied);
        argument++;
    }
    return is_empty || call_external(emitter, call, name);
}
