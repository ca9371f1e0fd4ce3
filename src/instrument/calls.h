/* What the files that instrument calls share. */
#ifndef PENUMBRA_INSTRUMENT_CALLS_H
#define PENUMBRA_INSTRUMENT_CALLS_H

#include "instrument/emit.h"
#include "instrument/mathematics.h"

typedef bool call_rule(struct emitter *emitter, LLVMValueRef call);

/* calls.c */
/* Labels of arguments and result, for a callee that takes and gives them. */
void pass_arguments(struct emitter *emitter, LLVMValueRef call, unsigned count);
void take_result(struct emitter *emitter, LLVMValueRef call);
bool call_inside(struct emitter *emitter, LLVMValueRef call);
/* Nothing is known of the callee: symbolic arguments are bound, the memory behind pointers is looked at. */
bool call_external(struct emitter *emitter, LLVMValueRef call, const char *name);
/* Calls the runtime's function of this name instead. */
void redirect_call(struct emitter *emitter, LLVMValueRef call, const char *to);
/* The size of a struct that is passed by value in memory; 0 when the argument is none. */
uint64_t by_value_size(struct emitter *emitter, LLVMValueRef call, unsigned argument);
/* Which of the C library's output functions this is; -1: none. */
int find_writer(const char *name);

/* seen_arguments.c */
enum seen {
    SEEN_OBJECT, /* the rest of the object that a pointer leads to, and what the pointers in it lead to */
    SEEN_TEXT,   /* a text up to its end */
    SEEN_NOTHING,
};
/* What a function of the C library reads of what this argument points to. */
enum seen seen_of_argument(const char *name, unsigned argument);

/* variable_arguments.c */
/* The labels of the arguments behind the named ones. */
void pass_variable_arguments(struct emitter *emitter, LLVMValueRef call);
call_rule start_list, copy_list; /* va_start, va_copy */

/* assembly.c */
call_rule call_assembly;
bool is_empty_assembly(LLVMValueRef call);

/* jumps.c */
call_rule set_jump, jump;

/* intrinsics.c */
call_rule call_intrinsic;
/* floating_rules.c: of a function of <math.h>, as mathematical_calls.c has put it. */
call_rule call_function;
bool is_derived(const char *name);

/* known_calls.c */
call_rule *known_rule(const char *name); /* NULL: not known */
call_rule copy_memory, fill_memory;
bool is_of_model(const char *name); /* something that only models call: see models/model.h */
/* The three operands of a copy or fill with their labels, and the site. */
void block_arguments(struct emitter *emitter, LLVMValueRef call, const char *what, LLVMValueRef arguments[static 7]);

/* floating_rules.c */
/* Whether labels go through the call, or its arguments are bound in each version. */
bool is_followed(LLVMValueRef call, const struct mathematical *function);
/* The label of what a number with this label becomes as an integer. */
LLVMValueRef integer_label(struct emitter *emitter, bool is_signed, unsigned width, LLVMValueRef label);
bool call_mathematical(struct emitter *emitter, LLVMValueRef call, const struct mathematical *function);

/* defined.c */
call_rule make_integer;

/* one_sided_calls.c */
bool call_one_sided(struct emitter *emitter, LLVMValueRef call);

#endif
