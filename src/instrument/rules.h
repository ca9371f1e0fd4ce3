/* The rules that rules.c's table takes from other files. */
#ifndef PENUMBRA_INSTRUMENT_RULES_H
#define PENUMBRA_INSTRUMENT_RULES_H

#include "instrument/emit.h"

typedef bool rule(struct emitter *emitter, LLVMValueRef instruction);

/* rules.c: computes something labels do not describe: bound to the concrete operands. */
rule rule_bound;
/* part_rules.c */
rule rule_extract_value, rule_insert_value, rule_extract_element, rule_insert_element, rule_shuffle;
/* Casts and selects of which an operand or the result has several parts. */
rule cast_parts, choose_parts;
/* Of 128 bits. A comparison's label is returned. */
bool binary_wide(struct emitter *emitter, LLVMValueRef instruction, enum pn_operation operation);
LLVMValueRef compare_wide(struct emitter *emitter, enum pn_operation operation, LLVMValueRef a, LLVMValueRef b);
/* floating_rules.c */
rule rule_floating, rule_negate, rule_resize_float, rule_make_float, rule_make_integer, rule_compare_floats;
/* memory_rules.c */
rule rule_stack_object, rule_load, rule_store, rule_element_pointer;
/* control_rules.c */
rule rule_branch, rule_switch, rule_jump_indirect, rule_return;

#endif
