/* Rules for branches, switches and returns. */
#include "instrument/parts.h"
#include "instrument/reach.h"
#include "instrument/rules.h"

#include <stdlib.h>

static bool closes_a_loop(struct emitter *emitter, LLVMValueRef instruction)
{
    for (unsigned i = 0; i < LLVMGetNumSuccessors(instruction); i++)
        if (was_visited(emitter, LLVMGetSuccessor(instruction, i)))
            return true;
    return false;
}

/* The code of one version may not end by itself: the turns of its loops are counted. */
static void count_step(struct emitter *emitter, LLVMValueRef instruction)
{
    if (emitter->side == PN_SIDE_BOTH || !closes_a_loop(emitter, instruction))
        return;
    place_before(emitter, instruction);
    LLVMValueRef site = constant32(emitter, site_of(emitter, instruction, ""));
    call_hook(emitter, emitter->side == PN_SIDE_OLD ? HOOK_old_step : HOOK_new_step, &site, 1);
}

/* The site of a branch or switch, with what its outcomes lead to. In the code of one version a change was reached. */
static uint32_t decision_site(struct emitter *emitter, LLVMValueRef instruction)
{
    uint32_t site = site_of(emitter, instruction, "");
    if (emitter->side == PN_SIDE_BOTH)
        reach_note(emitter->reach, instruction, emitter->sites, site);
    return site;
}

bool rule_branch(struct emitter *emitter, LLVMValueRef instruction)
{
    count_step(emitter, instruction);
    if (!LLVMIsConditional(instruction))
        return true;
    LLVMValueRef condition = LLVMGetCondition(instruction), label = label_of(emitter, condition);
    if (is_no_label(label))
        return true;
    place_before(emitter, instruction);
    LLVMValueRef arguments[] = {label, LLVMBuildZExt(emitter->builder, condition, emitter->i32, ""),
                                constant32(emitter, decision_site(emitter, instruction))};
    call_hook(emitter, HOOK_branch, arguments, 3);
    return true;
}

struct switch_row {
    uint64_t value;
    unsigned target; /* numbered by first appearance; 0: the default's block */
};

static int compare_rows(const void *one, const void *other)
{
    const struct switch_row *a = one, *b = other;
    if (a->target != b->target)
        return a->target < b->target ? -1 : 1;
    return a->value < b->value ? -1 : a->value > b->value;
}

static unsigned number_target(LLVMValueRef instruction, unsigned successor)
{
    LLVMBasicBlockRef block = LLVMGetSuccessor(instruction, successor);
    for (unsigned i = 0; i < successor; i++)
        if (LLVMGetSuccessor(instruction, i) == block)
            return i;
    return successor;
}

/* A constant table of struct pn_switch_case: values of one target that follow each other make one row. */
static LLVMValueRef case_table(struct emitter *emitter, LLVMValueRef instruction, uint32_t *row_count)
{
    unsigned count = LLVMGetNumSuccessors(instruction) - 1, used = 0;
    struct switch_row *rows = array_reserve(NULL, &(size_t){0}, count + 1, sizeof *rows);
    for (unsigned i = 0; i < count; i++) {
        unsigned target = number_target(instruction, i + 1);
        if (target)
            rows[used++] =
                (struct switch_row){LLVMConstIntGetZExtValue(LLVMGetOperand(instruction, 2 + 2 * i)), target};
    }
    qsort(rows, used, sizeof *rows, compare_rows);
    LLVMTypeRef fields[] = {emitter->i64, emitter->i64, emitter->i32, emitter->i32};
    LLVMTypeRef row_type = LLVMStructTypeInContext(emitter->context, fields, 4, false);
    LLVMValueRef *table = array_reserve(NULL, &(size_t){0}, used + 1, sizeof *table);
    *row_count = 0;
    for (unsigned i = 0; i < used;) {
        unsigned last = i;
        while (last + 1 < used && rows[last + 1].target == rows[i].target &&
               rows[last + 1].value == rows[last].value + 1)
            last++;
        LLVMValueRef values[] = {constant64(emitter, rows[i].value), constant64(emitter, rows[last].value),
                                 constant32(emitter, rows[i].target), constant32(emitter, 0)};
        table[(*row_count)++] = LLVMConstStructInContext(emitter->context, values, 4, false);
        i = last + 1;
    }
    LLVMValueRef array = LLVMConstArray2(row_type, table, *row_count);
    LLVMValueRef global = LLVMAddGlobal(emitter->module, LLVMTypeOf(array), "__pn_cases");
    LLVMSetInitializer(global, array);
    LLVMSetLinkage(global, LLVMPrivateLinkage);
    LLVMSetGlobalConstant(global, true);
    free(rows), free(table);
    return global;
}

bool rule_switch(struct emitter *emitter, LLVMValueRef instruction)
{
    LLVMValueRef value = LLVMGetOperand(instruction, 0), label = label_of(emitter, value);
    count_step(emitter, instruction);
    if (is_no_label(label))
        return true;
    if (!label_width(LLVMTypeOf(value)))
        return rule_bound(emitter, instruction);
    uint32_t row_count;
    LLVMValueRef table = case_table(emitter, instruction, &row_count);
    place_before(emitter, instruction);
    LLVMValueRef arguments[] = {label,
                                as_word(emitter, value),
                                constant32(emitter, label_width(LLVMTypeOf(value))),
                                constant32(emitter, decision_site(emitter, instruction)),
                                table,
                                constant32(emitter, row_count)};
    call_hook(emitter, HOOK_switch, arguments, 6);
    return true;
}

bool rule_jump_indirect(struct emitter *emitter, LLVMValueRef instruction)
{
    leave_labels(emitter, instruction, 1, "a computed goto");
    return true;
}

/* The first part's label goes where those of plain results go. */
static void give_result(struct emitter *emitter, LLVMValueRef result)
{
    for (unsigned part = 0; part < part_count(LLVMTypeOf(result)); part++) {
        LLVMValueRef label = part_label(emitter, result, part), arguments[] = {constant32(emitter, part), label};
        if (is_no_label(label))
            continue;
        if (part)
            call_hook(emitter, HOOK_return_part, arguments, 2);
        else
            call_hook(emitter, HOOK_return, &label, 1);
    }
}

/* Where code without hooks has called the function, a result with a label is out of reach from here on. */
static void leave_for_caller(struct emitter *emitter, LLVMValueRef instruction)
{
    LLVMValueRef result = LLVMGetNumOperands(instruction) ? LLVMGetOperand(instruction, 0) : NULL;
    for (unsigned part = 0; result && part < part_count(LLVMTypeOf(result)); part++) {
        LLVMValueRef label = part_label(emitter, result, part);
        if (is_no_label(label))
            continue;
        const char *what = with_place(emitter, instruction, "a result for code without instrumentation");
        uint32_t site = site_of(emitter, instruction, what);
        LLVMValueRef arguments[] = {emitter->called_by, label, as_word(emitter, part_of(emitter, result, part)),
                                    constant32(emitter, site)};
        call_hook(emitter, HOOK_result_outside, arguments, 4);
    }
    call_hook(emitter, HOOK_leave_function, &emitter->called_by, 1);
}

bool rule_return(struct emitter *emitter, LLVMValueRef instruction)
{
    place_before(emitter, instruction);
    if (LLVMGetNumOperands(instruction))
        give_result(emitter, LLVMGetOperand(instruction, 0));
    if (emitter->called_by)
        leave_for_caller(emitter, instruction);
    if (emitter->stack_mark)
        call_hook(emitter, HOOK_stack_leave, &emitter->stack_mark, 1);
    return true;
}
