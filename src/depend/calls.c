/* Calls: of the module's own functions, through pointers, and of functions that are known by name or not at all. */
#include "depend/inside.h"

#include <stdlib.h>
#include <string.h>

/* Arguments behind the parameters: the callee finds them in memory. */
static void add_further_arguments(struct analysis *analysis, LLVMValueRef call, LLVMValueRef callee)
{
    uint32_t node = analysis_add_node(analysis, analysis_block_of(analysis, call));
    for (unsigned i = LLVMCountParams(callee); i < LLVMGetNumArgOperands(call); i++)
        use(analysis, node, LLVMGetOperand(call, i));
    add_writes_of_anything(analysis, node);
}

static void add_defined_call(struct analysis *analysis, uint32_t node, LLVMValueRef call, LLVMValueRef callee)
{
    uint32_t block = analysis_block_of(analysis, call);
    links_add(&analysis->calls, numbering_find(&analysis->functions, callee), block);
    for (unsigned i = 0; i < LLVMCountParams(callee) && i < LLVMGetNumArgOperands(call); i++) {
        uint32_t parameter = analysis_node(analysis, LLVMGetParam(callee, i));
        use(analysis, hand_on(analysis, parameter, block), LLVMGetOperand(call, i));
    }
    if (LLVMGetNumArgOperands(call) > LLVMCountParams(callee))
        add_further_arguments(analysis, call, callee);
    for (LLVMBasicBlockRef at = LLVMGetFirstBasicBlock(callee); at; at = LLVMGetNextBasicBlock(at)) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(at);
        if (LLVMIsAReturnInst(end))
            links_add(&analysis->uses, node, analysis_node(analysis, end));
    }
}

/* Which function it is guards all of its blocks. A pointer that leads to none of them ends the run. */
static void add_call_by_pointer(struct analysis *analysis, uint32_t node, LLVMValueRef call)
{
    uint32_t choice = analysis_add_node(analysis, analysis_block_of(analysis, call));
    use(analysis, choice, LLVMGetCalledValue(call));
    analysis_add_criterion(analysis, choice, CRITERION_END);
    numbering_add(&analysis->ends, call, choice); /* the decision which function it is, is made here */
    links_add(&analysis->uses, node, choice);
    for (size_t i = 0; i < analysis->taken_count; i++) {
        LLVMValueRef callee = analysis->taken[i];
        add_defined_call(analysis, node, call, callee);
        for (LLVMBasicBlockRef at = LLVMGetFirstBasicBlock(callee); at; at = LLVMGetNextBasicBlock(at))
            links_add(&analysis->guards, numbering_find(&analysis->blocks, at), choice);
    }
}

/* What functions that are not in the module do, by name; one that ends in `*` stands for all that begin so. */
enum outside {
    SEES_AND_DOES_ANYTHING,
    IS_NOTHING,
    GIVES_INPUT,
    SHOWS,
    ASSUMES,
    MARKS,
    COMPUTES,
    COPIES,
    FILLS,
    NOTES,
    ALLOCATES,
    TAKES_ARGUMENTS,
    ODD,
};

static const struct {
    const char *name;
    enum outside outside;
} outsiders[] = {
    {"pn_symbolic", GIVES_INPUT},
    {"pn_output", SHOWS},
    {"pn_assume", ASSUMES},
    {MARK_FUNCTION, MARKS},
    {"__pn_distance", NOTES},
    {"llvm.dbg.*", IS_NOTHING},
    {"llvm.lifetime.*", IS_NOTHING},
    {"llvm.memcpy.*", COPIES},
    {"llvm.memmove.*", COPIES},
    {"llvm.memset.*", FILLS},
    {"llvm.smax.*", COMPUTES},
    {"llvm.smin.*", COMPUTES},
    {"llvm.umax.*", COMPUTES},
    {"llvm.umin.*", COMPUTES},
    {"llvm.abs.*", COMPUTES},
    {"llvm.bswap.*", COMPUTES},
    {"llvm.ctpop.*", COMPUTES},
    {"llvm.ctlz.*", COMPUTES},
    {"llvm.cttz.*", COMPUTES},
    {"llvm.fshl.*", COMPUTES},
    {"llvm.fshr.*", COMPUTES},
    {"llvm.fabs.*", COMPUTES},
    {"llvm.expect.*", COMPUTES},
    {"llvm.sadd.with.overflow.*", COMPUTES},
    {"llvm.ssub.with.overflow.*", COMPUTES},
    {"llvm.smul.with.overflow.*", COMPUTES},
    {"llvm.uadd.with.overflow.*", COMPUTES},
    {"llvm.usub.with.overflow.*", COMPUTES},
    {"llvm.umul.with.overflow.*", COMPUTES},
    {"llvm.va_start*", TAKES_ARGUMENTS},
    {"llvm.va_copy*", TAKES_ARGUMENTS},
    {"llvm.va_end*", IS_NOTHING},
    {"malloc", ALLOCATES},
    {"calloc", ALLOCATES},
    {"realloc", ALLOCATES},
    {"free", ALLOCATES},
    {"__pn_*", ALLOCATES},
    {"setjmp", ODD},
    {"_setjmp", ODD},
    {"sigsetjmp", ODD},
    {"__sigsetjmp", ODD},
    {"longjmp", ODD},
    {"_longjmp", ODD},
    {"siglongjmp", ODD},
    {"fork", ODD},
};

static enum outside outside_of(const char *name)
{
    for (size_t i = 0; i < sizeof outsiders / sizeof *outsiders; i++)
        if (name_matches(outsiders[i].name, name))
            return outsiders[i].outside;
    return SEES_AND_DOES_ANYTHING;
}

static bool is_safe_block(struct analysis *analysis, LLVMValueRef call, LLVMValueRef pointer, LLVMValueRef size)
{
    return LLVMIsAConstantInt(size) && is_safe_access(analysis, call, pointer, LLVMConstIntGetZExtValue(size));
}

void add_end(struct analysis *analysis, LLVMValueRef at, const LLVMValueRef *values, size_t count)
{
    uint32_t node = analysis_add_node(analysis, analysis_block_of(analysis, at));
    for (size_t i = 0; i < count; i++)
        use(analysis, node, values[i]);
    analysis_add_criterion(analysis, node, CRITERION_END);
    numbering_add(&analysis->ends, at, node);
}

static void add_block_call(struct analysis *analysis, uint32_t node, LLVMValueRef call, bool is_copy)
{
    LLVMValueRef to = LLVMGetOperand(call, 0), from = LLVMGetOperand(call, 1), size = LLVMGetOperand(call, 2);
    add_writes(analysis, node, to);
    if (is_copy)
        add_reads(analysis, node, from);
    if (!is_safe_block(analysis, call, to, size) || (is_copy && !is_safe_block(analysis, call, from, size)))
        add_end(analysis, call, (LLVMValueRef[]){to, from, size}, 3);
}

static void add_mark(struct analysis *analysis, uint32_t node, LLVMValueRef call)
{
    size_t number = analysis->mark_count++;
    analysis->marks = array_reserve(analysis->marks, &analysis->mark_capacity, number + 1, sizeof *analysis->marks);
    analysis->mark_criteria = array_reserve(analysis->mark_criteria, &analysis->mark_criterion_capacity, number + 1,
                                            sizeof *analysis->mark_criteria);
    analysis->marks[number] = call;
    analysis->mark_criteria[number] = analysis->result->criterion_count;
    analysis_add_criterion(analysis, node, CRITERION_CHANGE);
}

void add_anything(struct analysis *analysis, uint32_t node)
{
    add_reads_of_anything(analysis, node);
    add_writes_of_anything(analysis, node);
    analysis_add_criterion(analysis, node, CRITERION_OUTPUT | CRITERION_END);
}

static void add_outside_call(struct analysis *analysis, uint32_t node, LLVMValueRef call)
{
    use_operands(analysis, node, call);
    switch (outside_of(called_function_name(call))) {
    case IS_NOTHING:
    case COMPUTES: break;
    case GIVES_INPUT: add_writes(analysis, node, LLVMGetOperand(call, 0)); break;
    case SHOWS:
        add_reads(analysis, node, LLVMGetOperand(call, 1));
        analysis_add_criterion(analysis, node, CRITERION_OUTPUT);
        break;
    case ASSUMES: analysis_add_criterion(analysis, node, CRITERION_ASSUME); break;
    case NOTES: analysis_add_criterion(analysis, node, CRITERION_END); break;
    case MARKS: add_mark(analysis, node, call); break;
    case COPIES: add_block_call(analysis, node, call, true); break;
    case FILLS: add_block_call(analysis, node, call, false); break;
    case ODD: analysis_give_up(analysis, "a jump out of functions, or another process"); break;
    case TAKES_ARGUMENTS:
        add_writes(analysis, node, LLVMGetOperand(call, 0));
        add_reads_of_anything(analysis, node);
        break;
    case SEES_AND_DOES_ANYTHING: analysis->calls_strangers = true; __attribute__((fallthrough));
    case ALLOCATES: add_anything(analysis, node); break;
    }
}

void add_call(struct analysis *analysis, uint32_t node, LLVMValueRef call)
{
    LLVMValueRef callee = LLVMGetCalledValue(call);
    if (LLVMIsAInlineAsm(callee))
        analysis_give_up(analysis, "inline assembly");
    else if (!LLVMIsAFunction(callee))
        add_call_by_pointer(analysis, node, call);
    else if (is_defined_here(callee))
        add_defined_call(analysis, node, call, callee);
    else
        add_outside_call(analysis, node, call);
}

/* ---- recursion ---- */

static bool calls_reach(LLVMValueRef from, LLVMValueRef function, struct numbering *seen)
{
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(from); block; block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at)) {
            LLVMValueRef callee = LLVMIsACallInst(at) ? LLVMGetCalledValue(at) : NULL;
            if (!callee || !LLVMIsAFunction(callee) || LLVMIsDeclaration(callee))
                continue; /* calls through pointers are ends anyway */
            if (callee == function)
                return true;
            if (numbering_find(seen, callee) != UINT32_MAX)
                continue;
            numbering_add(seen, callee, 0);
            if (calls_reach(callee, function, seen))
                return true;
        }
    return false;
}

void note_recursion(struct analysis *analysis, LLVMValueRef function)
{
    struct numbering seen = {0};
    if (calls_reach(function, function, &seen))
        for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use))
            if (analysis_node(analysis, LLVMGetUser(use)) != UINT32_MAX)
                analysis_add_criterion(analysis, analysis_node(analysis, LLVMGetUser(use)), CRITERION_END);
    free(seen.list);
}
