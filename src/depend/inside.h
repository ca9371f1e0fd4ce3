/* Inside the analysis: what its files share. */
#ifndef PENUMBRA_DEPEND_INSIDE_H
#define PENUMBRA_DEPEND_INSIDE_H

#include "depend/analyse.h"

#include <llvm-c/Target.h>

#define MARK_FUNCTION "__pn_mark"
#define MARK_SECTION "pn_marks"

/* Numbers of LLVM's values or blocks. */
struct numbering {
    struct numbered {
        const void *key;
        uint32_t number;
    } *list;
    size_t count, capacity;
    bool sorted;
};
void numbering_add(struct numbering *numbering, const void *key, uint32_t number);
uint32_t numbering_find(struct numbering *numbering, const void *key); /* UINT32_MAX: it has none */

/* Links that are gathered: `from` to `to`, in the order in which they were added. */
struct link {
    uint32_t from, to;
};
struct links {
    struct link *list;
    size_t count, capacity;
};
void links_add(struct links *links, uint32_t from, uint32_t to);

/* Under which outcome of a branch a block is executed. */
struct guard {
    uint32_t block;      /* that is guarded */
    LLVMValueRef branch; /* the terminator that guards it */
    unsigned successor;  /* by which it is left then */
};

struct set_of_objects {
    uint64_t *words;
};

struct analysis {
    LLVMModuleRef module;
    LLVMTargetDataRef layout;
    struct arena *arena;
    struct dependences *result;
    struct numbering values, blocks, functions, objects;
    struct numbering ends; /* by instruction: the node that stands for "the run may end here" */
    LLVMBasicBlockRef *block_list;
    size_t block_capacity;
    struct links uses, guards, calls;
    size_t node_capacity, criterion_capacity;
    struct guard *guard_list;
    size_t guard_count, guard_capacity;
    LLVMValueRef *marks;
    uint32_t *mark_criteria; /* numbers */
    size_t mark_count, mark_capacity, mark_criterion_capacity, site_capacity;
    /* memory */
    struct set_of_objects *points_to; /* by node; object 0: anything */
    uint32_t *object_nodes;           /* by object */
    bool *escapes;
    size_t object_count, object_capacity, escape_capacity;
    uint32_t wild_stores, wild_objects; /* nodes */
    /* functions that a pointer may lead to */
    LLVMValueRef *taken;
    size_t taken_count, taken_capacity;
    bool calls_strangers; /* which may call any of those */
};

void analysis_give_up(struct analysis *analysis, const char *why);
uint32_t analysis_add_node(struct analysis *analysis, uint32_t block);
void analysis_add_criterion(struct analysis *analysis, uint32_t node, uint32_t kinds);
uint32_t analysis_block_of(struct analysis *analysis, LLVMValueRef instruction);
uint32_t analysis_node(struct analysis *analysis, LLVMValueRef value); /* UINT32_MAX: a constant */
const char *called_function_name(LLVMValueRef call);                   /* "": through a pointer */
/* The functions of the module that a call may lead to, one after the other; NULL behind the last. */
LLVMValueRef possible_callee(const struct analysis *analysis, LLVMValueRef call, size_t number);
bool is_defined_here(LLVMValueRef function);

/* links.c: a node is made of a value, or of all operands of an instruction. */
void use(struct analysis *analysis, uint32_t node, LLVMValueRef value);
void use_operands(struct analysis *analysis, uint32_t node, LLVMValueRef at);
/* A value that is handed on in a block: it counts where that is executed. */
uint32_t hand_on(struct analysis *analysis, uint32_t to, uint32_t block);

/* calls.c */
void add_call(struct analysis *analysis, uint32_t node, LLVMValueRef call);
/* The run may end at the instruction, by these values: what it computes otherwise does not matter for that. */
void add_end(struct analysis *analysis, LLVMValueRef at, const LLVMValueRef *values, size_t count);
/* It may show, change and end anything. */
void add_anything(struct analysis *analysis, uint32_t node);
/* A function that calls itself may not end: each of its calls is an outcome. */
void note_recursion(struct analysis *analysis, LLVMValueRef function);

/* control.c: guards of the function's blocks, and branches of loops that may not end. */
void analyse_control(struct analysis *analysis, LLVMValueRef function);

/* memory.c: which objects there are and what pointers lead to, for all functions at once; then one instruction's. */
void analyse_pointers(struct analysis *analysis);
void add_reads(struct analysis *analysis, uint32_t node, LLVMValueRef pointer);
void add_writes(struct analysis *analysis, uint32_t node, LLVMValueRef pointer);
void add_reads_of_anything(struct analysis *analysis, uint32_t node);
void add_writes_of_anything(struct analysis *analysis, uint32_t node);

/* safe.c: whether so many bytes at the pointer surely lie in one object. */
bool is_safe_access(struct analysis *analysis, LLVMValueRef at, LLVMValueRef pointer, uint64_t size);

#endif
