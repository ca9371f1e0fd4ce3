/* Inside the instrumenter: what its files share while one function is being rewritten. */
#ifndef PENUMBRA_INSTRUMENT_EMIT_H
#define PENUMBRA_INSTRUMENT_EMIT_H

#include "instrument/instrument.h"
#include "trace/trace.h"

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

/* One row per hook that the instrumenter calls, looked up once per module. */
/* clang-format off */
#define HOOKS(X) \
    X(argument) X(arguments_taken) X(pass) X(return) X(result) X(binary) X(compare) X(cast) X(select) X(pointer) \
    X(load) X(store) X(check) X(branch) X(assume) X(switch) X(division) X(external) X(external_memory) X(external_text) \
    X(external_done) X(concretise) X(clear) X(copy) X(fill) X(stack_enter) X(stack_object) X(stack_leave) \
    X(enter_old) X(enter_new) X(leave_old) X(leave_new) X(break_old) X(break_new) X(old_fails) X(new_fails) \
    X(old_leaves) X(old_external) X(new_external) X(side_target) X(side_copy) X(side_fill) X(write_together) \
    X(borrow) X(lend) X(give_back) X(old_step) X(new_step) X(object_check) X(old_load) X(old_store) X(new_load) \
    X(new_store) X(old_division) X(pointer_value) X(effect) X(hidden_arguments) X(take_block) X(pass_block) \
    X(return_part) X(result_part) X(results_taken) X(wide) X(derive) X(pass_variable) \
    X(pass_variable_block) X(variable_size) X(take_variable) X(jump_buffer) \
    X(jump_target) X(jumped) X(outside_begins) X(target_outside) X(leave_through) X(leave_memory) X(enter_function) \
    X(result_outside) X(leave_function) X(stack_restore) X(floating) X(fused) \
    X(to_integer) X(function) X(settle_float) X(settle_double) X(plain_text) X(plain_bytes) X(no_labels) \
    X(write) X(side_write) X(address_bytes) X(copied_askew) X(shift) X(cover)
/* clang-format on */

enum hook {
#define HOOK_ENUMERATOR(name) HOOK_##name,
    HOOKS(HOOK_ENUMERATOR)
#undef HOOK_ENUMERATOR
        HOOK_COUNT
};

/* Copies that are called and so must be rewritten too; the others are never reached and go away. */
struct needed_clones {
    LLVMValueRef *list;
    size_t count, capacity;
};

struct emitter {
    LLVMContextRef context;
    LLVMModuleRef module;
    LLVMTargetDataRef layout;
    LLVMBuilderRef builder;
    LLVMValueRef hooks[HOOK_COUNT];
    LLVMValueRef old_label;        /* the variable __pn_old_label */
    LLVMValueRef site;             /* the variable __pn_site */
    LLVMValueRef model_site;       /* the variable __pn_model_site */
    bool models_by_pointer;        /* some model may be called through a pointer */
    LLVMValueRef set_jump, escape; /* _setjmp and the buffer that the old side's failures jump to */
    LLVMTypeRef i1, i32, i64;
    struct site_table *sites;
    const struct instrument_options *options;
    struct error *error;
    struct needed_clones needed;
    struct reach *reach;       /* from which blocks a change can be reached */
    struct analysis *analysis; /* what depends on what; NULL where that was not asked for */

    /* the function being rewritten */
    LLVMValueRef function;
    struct label_map *labels, *sides;
    enum pn_side whole_side; /* of a clone for one side; PN_SIDE_BOTH elsewhere */
    enum pn_side side;       /* whose code the current instruction is */
    LLVMValueRef called_by;  /* nonzero when code without hooks has called the function; NULL where that cannot be */
    LLVMValueRef stack_mark; /* stack objects on entry; NULL when the function registers none */
};

/* dependences.c: what depends on what, of the module without hooks, into the table of sites; marks of changes are taken
 * out of it. */
void find_dependences(struct emitter *emitter);
/* When hooks are in: every block tells that it is executed. */
void tell_blocks(struct emitter *emitter);

/* Rewrites one function. */
bool emit_function(struct emitter *emitter, LLVMValueRef function);
/* The rule for one instruction (everything but phis, which emit_function does). */
bool emit_instruction(struct emitter *emitter, LLVMValueRef instruction);
bool emit_call(struct emitter *emitter, LLVMValueRef call);
/* addresses.c: what of its outcome depends on where objects lie. */
void note_addresses(struct emitter *emitter, LLVMValueRef instruction);
/* Where the builder is, before a load that is known to be possible: whether it is of a pointer's bytes. */
void note_number(struct emitter *emitter, LLVMValueRef load);
/* A function of the C library looks at so many bytes, as numbers. */
bool note_bytes(struct emitter *emitter, LLVMValueRef call);
/* defined.c: a shift may go too far. */
bool is_distance(LLVMValueRef call);
bool note_distance(struct emitter *emitter, LLVMValueRef call);
/* Addresses lie where they are found: at multiples of eight, also in arrays of bytes. */
void align_variables(struct emitter *emitter);

/* ---- helpers ---- */

/* Bits of a value that can have a label: integers up to 64 bits, pointers, float and double; 0 for everything else. */
unsigned label_width(LLVMTypeRef type);
bool is_floating(LLVMTypeRef type); /* float or double */
/* What a value is that cannot have a label, as the report names it. */
const char *describe_type(LLVMTypeRef type);
LLVMValueRef label_of(struct emitter *emitter, LLVMValueRef value);
void set_label(struct emitter *emitter, LLVMValueRef value, LLVMValueRef label);
/* Does the label stand for "no label, ever"? Then no hook is needed. */
bool is_no_label(LLVMValueRef label);

LLVMValueRef constant32(struct emitter *emitter, uint32_t value);
LLVMValueRef constant64(struct emitter *emitter, uint64_t value);
/* The value as an i64 at the builder's place: zero-extended, pointers as numbers, floating point as its bits. */
LLVMValueRef as_word(struct emitter *emitter, LLVMValueRef value);
LLVMValueRef from_word(struct emitter *emitter, LLVMValueRef word, LLVMTypeRef type);
LLVMValueRef call_hook(struct emitter *emitter, enum hook hook, LLVMValueRef *arguments, unsigned count);
/* The instruction's place in the source; `what` as in struct site. */
uint32_t site_of(struct emitter *emitter, LLVMValueRef instruction, const char *what);
/* `what`, and behind it where: for constructs that a reader must find. */
const char *with_place(struct emitter *emitter, LLVMValueRef instruction, const char *what);
void place_before(struct emitter *emitter, LLVMValueRef instruction);
void place_after(struct emitter *emitter, LLVMValueRef instruction);
/* Binds labelled operands to their values: the instruction computes something that labels do not describe. */
void leave_operand(struct emitter *emitter, LLVMValueRef instruction, LLVMValueRef operand, const char *what);
void leave_labels(struct emitter *emitter, LLVMValueRef instruction, unsigned operand_count, const char *what);

/* Whether the walk has come to the block: a jump to one that it has been at already closes a loop. */
bool was_visited(struct emitter *emitter, LLVMBasicBlockRef block);

/* Whose code a block of the current function is. */
void set_side(struct emitter *emitter, LLVMBasicBlockRef block, enum pn_side side);
enum pn_side side_of(struct emitter *emitter, LLVMBasicBlockRef block);

/* regions.c: one-sided code. Rewires the current function so that both regions of every execute() run, each for its
 * side, and notes the sides of their blocks. Wrong uses of execute() are errors that say where. */
bool regions_split(struct emitter *emitter);
bool has_execute(LLVMValueRef function);
bool is_execute(LLVMValueRef instruction);
enum pn_side execute_side(LLVMValueRef call);

/* returns.c: Is this branch a return, by the source? */
bool is_return_statement(LLVMValueRef branch);

/* clones.c: a copy of every function for each side, for calls out of one-sided code. */
bool clones_make(struct emitter *emitter);
/* The copy of a function; NULL when it has none. */
LLVMValueRef clone_for(struct emitter *emitter, LLVMValueRef function, enum pn_side side);
/* Called by code that is kept. */
void need_clone(struct emitter *emitter, LLVMValueRef clone);
/* Copies are visible while passes run that would drop what nobody seems to call; not after. */
void clones_hide(struct emitter *emitter);
/* The side that a function is a copy for. */
enum pn_side clone_side(LLVMValueRef function);

/* variable_arguments.c: in a function with `...`, on entry. */
void take_variable_arguments(struct emitter *emitter);

/* fold.c: fewer decisions for the same values. */
void fold_branches(struct emitter *emitter, LLVMValueRef function);

/* keep.c: around passes that would drop operations which may fail and whose result nobody uses. */
void keep_failures(struct emitter *emitter);
void release_failures(struct emitter *emitter);

/* memory_rules.c: the object, or pointer, that an address was computed from. */
LLVMValueRef root_of(LLVMValueRef address);
/* A copy or fill of something volatile. */
void note_volatile_block(struct emitter *emitter, LLVMValueRef call, bool is_copy);
/* So many bytes from a concrete address on must lie in one object, where that is checked. */
void check_block(struct emitter *emitter, LLVMValueRef address, LLVMValueRef size, uint32_t site);

/* The name of the function a call calls directly; "" otherwise. */
/* lasting.c: the name of something by which a run may leave more behind than can be undone; NULL when there is none. */
const char *find_lasting(struct emitter *emitter);
/* written_first.c: whether the variable is assigned before it is read, whatever way the program takes. */
bool is_written_first(struct emitter *emitter, LLVMValueRef variable);
/* Whether the address is there only for the harness, which has a list of what pointers may lead to. */
bool is_list_of_harness(LLVMValueRef user);
/* constants.c: fills sites->numbers and sites->texts, of the program's own code, without models yet. */
void find_constants(struct emitter *emitter);
/* outside.c: what the program's own code, without models yet, takes for granted: the locale, that printing works,
 * errno. */
void find_assumed_world(struct emitter *emitter);
/* fills sites->outside and sites->allocates. */
void find_outside(struct emitter *emitter);
/* Whether a function of this name leaves nothing behind but bytes in the program's memory, or what is printed. */
bool is_without_trace(const char *name);
/* What the source calls a function of the C library: headers make strtol() `__isoc23_strtol`, by the standard that is
 * followed. */
const char *standard_name(const char *name);

/* state.c: variables on which a verdict depends, into the table of sites. What may have changed them is looked for
 * before unreachable code is dropped, what reads them after that. */
void state_find_statics(struct emitter *emitter);
struct words state_before(struct emitter *emitter);
void state_find(struct emitter *emitter, struct words *changeable);

/* Whether something else than a call uses the function. */
bool is_address_taken(LLVMValueRef function);
const char *called_name(LLVMValueRef call);

#endif
