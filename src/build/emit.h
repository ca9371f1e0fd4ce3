/* Inside the instrumenter: what its files share while one function is being rewritten. */
#ifndef PENUMBRA_BUILD_EMIT_H
#define PENUMBRA_BUILD_EMIT_H

#include "build/instrument.h"
#include "trace/trace.h"

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

/* One row per hook that the instrumenter calls, looked up once per module. */
#define HOOKS(X)                                                                                                       \
    X(argument) X(arguments_taken) X(pass) X(return) X(result) X(binary) X(compare) X(cast) X(select) X(pointer)       \
    X(load) X(store) X(check) X(branch) X(assume) X(switch) X(division) X(external) X(external_memory)                 \
    X(external_done) X(concretise) X(clear) X(copy) X(fill) X(stack_enter) X(stack_object) X(stack_leave)              \
    X(change_reached) X(old_load) X(old_store) X(new_load) X(new_store) X(old_division)

enum hook {
#define HOOK_ENUMERATOR(name) HOOK_##name,
    HOOKS(HOOK_ENUMERATOR)
#undef HOOK_ENUMERATOR
        HOOK_COUNT
};

struct emitter {
    LLVMContextRef context;
    LLVMModuleRef module;
    LLVMTargetDataRef layout;
    LLVMBuilderRef builder;
    LLVMValueRef hooks[HOOK_COUNT];
    LLVMValueRef old_label; /* the variable __pn_old_label */
    LLVMTypeRef i1, i32, i64;
    struct site_table *sites;
    const struct instrument_options *options;
    struct error *error;

    /* the function being rewritten */
    LLVMValueRef function;
    struct label_map *labels;
    enum pn_side side;       /* whose code the current instruction is */
    LLVMValueRef stack_mark; /* stack objects on entry; NULL when the function registers none */
};

/* Rewrites one function. */
bool emit_function(struct emitter *emitter, LLVMValueRef function);
/* The rule for one instruction (everything but phis, which emit_function does). */
bool emit_instruction(struct emitter *emitter, LLVMValueRef instruction);
bool emit_call(struct emitter *emitter, LLVMValueRef call);

/* ---- helpers ---- */

/* Bits of a value that can have a label: integers up to 64 bits and pointers; 0 for everything else. */
unsigned label_width(LLVMTypeRef type);
LLVMValueRef label_of(struct emitter *emitter, LLVMValueRef value);
void set_label(struct emitter *emitter, LLVMValueRef value, LLVMValueRef label);
/* Does the label stand for "no label, ever"? Then no hook is needed. */
bool is_no_label(LLVMValueRef label);

LLVMValueRef constant32(struct emitter *emitter, uint32_t value);
LLVMValueRef constant64(struct emitter *emitter, uint64_t value);
/* The value as an i64 at the builder's place: zero-extended, pointers as numbers. */
LLVMValueRef as_word(struct emitter *emitter, LLVMValueRef value);
LLVMValueRef call_hook(struct emitter *emitter, enum hook hook, LLVMValueRef *arguments, unsigned count);
/* The instruction's place in the source; `what` as in struct site. */
uint32_t site_of(struct emitter *emitter, LLVMValueRef instruction, const char *what);
void place_before(struct emitter *emitter, LLVMValueRef instruction);
void place_after(struct emitter *emitter, LLVMValueRef instruction);
/* Binds every labelled scalar operand to its value: the instruction computes something that labels do not describe. */
void leave_labels(struct emitter *emitter, LLVMValueRef instruction, unsigned operand_count, const char *what);

/* regions.c: change() marks. Finds wrong uses (calls, branches, side effects in an argument; execute()) and says where.
 * `has_change` receives whether the function holds one-sided code. */
bool regions_check(LLVMValueRef function, bool *has_change, struct error *error);
enum region_mark { MARK_NONE, MARK_BEGIN_OLD, MARK_BEGIN_NEW, MARK_END };
enum region_mark region_mark(LLVMValueRef instruction);
/* The name of the function a call calls directly; "" otherwise. */
const char *called_name(LLVMValueRef call);

#endif
