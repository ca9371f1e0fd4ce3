/* The rules that rules.c's table takes from other files. */
#ifndef PENUMBRA_BUILD_RULES_H
#define PENUMBRA_BUILD_RULES_H

#include "build/emit.h"

typedef bool rule(struct emitter *emitter, LLVMValueRef instruction);

/* rules.c: computes something labels do not describe: bound to the concrete operands. */
rule rule_bound;
/* floating_rules.c */
rule rule_floating, rule_negate, rule_resize_float, rule_make_float, rule_make_integer, rule_compare_floats;
/* memory_rules.c */
rule rule_stack_object, rule_load, rule_store, rule_element_pointer, rule_atomic;
/* control_rules.c */
rule rule_branch, rule_switch, rule_jump_indirect, rule_return;

#endif
