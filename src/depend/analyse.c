/* Nodes, and what they are made of. */
#include "depend/analyse.h"
#include "depend/inside.h"

#include <stdlib.h>
#include <string.h>

/* ---- numbers and links ---- */

void numbering_add(struct numbering *numbering, const void *key, uint32_t number)
{
    numbering->list =
        array_reserve(numbering->list, &numbering->capacity, numbering->count + 1, sizeof *numbering->list);
    numbering->list[numbering->count++] = (struct numbered){key, number};
    numbering->sorted = false;
}

static int compare_keys(const void *one, const void *other)
{
    const struct numbered *a = one, *b = other;
    return a->key < b->key ? -1 : a->key > b->key;
}

uint32_t numbering_find(struct numbering *numbering, const void *key)
{
    struct numbered wanted = {.key = key};
    if (!numbering->sorted && numbering->count)
        qsort(numbering->list, numbering->count, sizeof *numbering->list, compare_keys);
    numbering->sorted = true;
    const struct numbered *found =
        numbering->count ? bsearch(&wanted, numbering->list, numbering->count, sizeof *numbering->list, compare_keys)
                         : NULL;
    return found ? found->number : UINT32_MAX;
}

void links_add(struct links *links, uint32_t from, uint32_t to)
{
    links->list = array_reserve(links->list, &links->capacity, links->count + 1, sizeof *links->list);
    links->list[links->count++] = (struct link){from, to};
}

void analysis_give_up(struct analysis *analysis, const char *why)
{
    if (!analysis->result->unknown)
        analysis->result->unknown = why;
}

uint32_t analysis_add_node(struct analysis *analysis, uint32_t block)
{
    struct dependences *result = analysis->result;
    result->nodes =
        array_reserve(result->nodes, &analysis->node_capacity, result->node_count + 1u, sizeof *result->nodes);
    result->nodes[result->node_count] = (struct dependence_node){.block = block};
    return result->node_count++;
}

void analysis_add_criterion(struct analysis *analysis, uint32_t node, uint32_t kinds)
{
    struct dependences *result = analysis->result;
    result->criteria = array_reserve(result->criteria, &analysis->criterion_capacity, result->criterion_count + 1u,
                                     sizeof *result->criteria);
    result->criteria[result->criterion_count++] = (struct dependence_criterion){node, kinds, 0};
}

uint32_t analysis_block_of(struct analysis *analysis, LLVMValueRef instruction)
{
    return numbering_find(&analysis->blocks, LLVMGetInstructionParent(instruction));
}

uint32_t analysis_node(struct analysis *analysis, LLVMValueRef value)
{
    return numbering_find(&analysis->values, value);
}

const char *called_function_name(LLVMValueRef call)
{
    size_t length;
    LLVMValueRef callee = LLVMGetCalledValue(call);
    return LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &length) : "";
}

bool is_defined_here(LLVMValueRef function)
{
    return !LLVMIsDeclaration(function);
}

LLVMValueRef possible_callee(const struct analysis *analysis, LLVMValueRef call, size_t number)
{
    LLVMValueRef callee = LLVMGetCalledValue(call);
    if (LLVMIsAFunction(callee))
        return number == 0 && is_defined_here(callee) ? callee : NULL;
    return number < analysis->taken_count ? analysis->taken[number] : NULL;
}

/* ---- numbering everything ---- */

static void number_block(struct analysis *analysis, LLVMBasicBlockRef block, uint32_t function)
{
    struct dependences *result = analysis->result;
    uint32_t number = result->block_count++;
    size_t capacity = analysis->block_capacity;
    result->blocks = array_reserve(result->blocks, &capacity, number + 1u, sizeof *result->blocks);
    capacity = analysis->block_capacity;
    analysis->block_list = array_reserve(analysis->block_list, &capacity, number + 1u, sizeof *analysis->block_list);
    analysis->block_capacity = capacity;
    result->blocks[number] = (struct dependence_block){.function = function};
    analysis->block_list[number] = block;
    numbering_add(&analysis->blocks, block, number);
    for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at))
        numbering_add(&analysis->values, at, analysis_add_node(analysis, number));
}

/* Functions that are run before the entry stand in a table, too. */
static bool is_called_from_nowhere_else(LLVMValueRef function)
{
    for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        const char *section = LLVMIsAGlobalVariable(user) ? LLVMGetSection(user) : NULL;
        if (section && !strcmp(section, "pn_start"))
            continue;
        if (!LLVMIsACallInst(user) || LLVMGetCalledValue(user) != function)
            return false;
        for (unsigned i = 0; i < LLVMGetNumArgOperands(user); i++)
            if (LLVMGetOperand(user, i) == function)
                return false;
    }
    return true;
}

static void number_function(struct analysis *analysis, LLVMValueRef function)
{
    uint32_t number = analysis->result->function_count++, entry = analysis->result->block_count;
    numbering_add(&analysis->functions, function, number);
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))
        number_block(analysis, block, number);
    for (unsigned i = 0; i < LLVMCountParams(function); i++)
        numbering_add(&analysis->values, LLVMGetParam(function, i), analysis_add_node(analysis, entry));
    if (is_called_from_nowhere_else(function))
        return;
    analysis->taken =
        array_reserve(analysis->taken, &analysis->taken_capacity, analysis->taken_count + 1, sizeof *analysis->taken);
    analysis->taken[analysis->taken_count++] = function;
}

/* ---- what instructions are made of ---- */

static void use(struct analysis *analysis, uint32_t node, LLVMValueRef value)
{
    uint32_t used = analysis_node(analysis, value);
    if (used != UINT32_MAX)
        links_add(&analysis->uses, node, used);
}

static void use_operands(struct analysis *analysis, uint32_t node, LLVMValueRef at)
{
    for (int i = 0; i < LLVMGetNumOperands(at); i++)
        use(analysis, node, LLVMGetOperand(at, (unsigned)i));
}

/* A value that is handed on in a block: it counts where that is executed. */
static uint32_t hand_on(struct analysis *analysis, uint32_t to, uint32_t block)
{
    uint32_t node = analysis_add_node(analysis, block);
    links_add(&analysis->uses, to, node);
    return node;
}

static void add_join(struct analysis *analysis, uint32_t node, LLVMValueRef phi)
{
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, i);
        LLVMValueRef end = LLVMGetBasicBlockTerminator(from);
        uint32_t way = hand_on(analysis, node, numbering_find(&analysis->blocks, from));
        if (LLVMGetNumSuccessors(end) > 1)
            links_add(&analysis->uses, way, analysis_node(analysis, end));
        use(analysis, way, LLVMGetIncomingValue(phi, i));
    }
}

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
    for (size_t i = 0; i < sizeof outsiders / sizeof *outsiders; i++) {
        size_t length = strlen(outsiders[i].name);
        bool is_prefix = outsiders[i].name[length - 1] == '*';
        if (is_prefix ? !strncmp(name, outsiders[i].name, length - 1) : !strcmp(name, outsiders[i].name))
            return outsiders[i].outside;
    }
    return SEES_AND_DOES_ANYTHING;
}

static bool is_safe_block(struct analysis *analysis, LLVMValueRef call, LLVMValueRef pointer, LLVMValueRef size)
{
    return LLVMIsAConstantInt(size) && is_safe_access(analysis, call, pointer, LLVMConstIntGetZExtValue(size));
}

/* The run may end at the instruction, by these values: what it computes otherwise does not matter for that. */
static void add_end(struct analysis *analysis, LLVMValueRef at, const LLVMValueRef *values, size_t count)
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

static void add_anything(struct analysis *analysis, uint32_t node)
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

static void add_call(struct analysis *analysis, uint32_t node, LLVMValueRef call)
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

static void add_access(struct analysis *analysis, uint32_t node, LLVMValueRef at)
{
    bool is_load = LLVMIsALoadInst(at) != NULL;
    LLVMValueRef pointer = LLVMGetOperand(at, is_load ? 0 : 1);
    LLVMTypeRef type = LLVMTypeOf(is_load ? at : LLVMGetOperand(at, 0));
    use_operands(analysis, node, at);
    if (is_load)
        add_reads(analysis, node, pointer);
    else
        add_writes(analysis, node, pointer);
    if (LLVMGetVolatile(at))
        add_anything(analysis, node);
    else if (!is_safe_access(analysis, at, pointer, LLVMABISizeOfType(analysis->layout, type)))
        add_end(analysis, at, &pointer, 1);
}

static void add_division(struct analysis *analysis, uint32_t node, LLVMValueRef at)
{
    LLVMValueRef divisor = LLVMGetOperand(at, 1);
    bool is_defined = LLVMIsAConstantInt(divisor) && LLVMGetIntTypeWidth(LLVMTypeOf(divisor)) <= 64 &&
                      LLVMConstIntGetZExtValue(divisor) && LLVMConstIntGetSExtValue(divisor) != -1;
    use_operands(analysis, node, at);
    if (!is_defined)
        analysis_add_criterion(analysis, node, CRITERION_END);
}

/* With assumptions about overflow, every signed operation is one. */
static void add_arithmetic(struct analysis *analysis, uint32_t node, LLVMValueRef at)
{
    use_operands(analysis, node, at);
    if (LLVMGetNSW(at))
        analysis_add_criterion(analysis, node, CRITERION_ASSUME);
}

static void add_instruction(struct analysis *analysis, LLVMValueRef at)
{
    uint32_t node = analysis_node(analysis, at);
    switch (LLVMGetInstructionOpcode(at)) {
    case LLVMPHI: add_join(analysis, node, at); break;
    case LLVMCall: add_call(analysis, node, at); break;
    case LLVMLoad:
    case LLVMStore: add_access(analysis, node, at); break;
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMURem:
    case LLVMSRem: add_division(analysis, node, at); break;
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul: add_arithmetic(analysis, node, at); break;
    case LLVMUnreachable: analysis_add_criterion(analysis, node, CRITERION_END); break;
    case LLVMIndirectBr:
    case LLVMInvoke:
    case LLVMCallBr:
    case LLVMVAArg:
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg: analysis_give_up(analysis, "a computed jump, or an atomic access"); break;
    default: use_operands(analysis, node, at); break;
    }
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

/* A function that calls itself may not end: each of its calls is an outcome. */
static void note_recursion(struct analysis *analysis, LLVMValueRef function)
{
    struct numbering seen = {0};
    if (calls_reach(function, function, &seen))
        for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use))
            if (analysis_node(analysis, LLVMGetUser(use)) != UINT32_MAX)
                analysis_add_criterion(analysis, analysis_node(analysis, LLVMGetUser(use)), CRITERION_END);
    free(seen.list);
}

/* ---- the whole ---- */

/* Puts gathered links where they are read, `ranges[i * stride]` saying which of them are those from i. */
static void place_links(struct analysis *analysis, struct links *links, void *ranges, size_t stride, uint32_t count)
{
    struct dependences *result = analysis->result;
    uint32_t at = result->link_count;
#define RANGE(i) ((struct dependence_range *)((char *)ranges + (i) * stride))
    for (size_t i = 0; i < links->count; i++)
        RANGE(links->list[i].from)->count++;
    for (uint32_t i = 0; i < count; i++) {
        RANGE(i)->first = at;
        at += RANGE(i)->count;
        RANGE(i)->count = 0;
    }
    for (size_t i = 0; i < links->count; i++) {
        struct dependence_range *range = RANGE(links->list[i].from);
        result->links[range->first + range->count++] = links->list[i].to;
    }
#undef RANGE
    result->link_count = at;
    free(links->list);
    *links = (struct links){0};
}

static void place_all(struct analysis *analysis)
{
    struct dependences *result = analysis->result;
    size_t total = analysis->uses.count + analysis->guards.count + analysis->calls.count;
    result->links = arena_allocate(analysis->arena, (total + 1) * sizeof *result->links);
    result->functions = arena_allocate(analysis->arena, (result->function_count + 1u) * sizeof *result->functions);
    if (result->node_count)
        place_links(analysis, &analysis->uses, &result->nodes[0].uses, sizeof *result->nodes, result->node_count);
    if (result->block_count)
        place_links(analysis, &analysis->guards, &result->blocks[0].guards, sizeof *result->blocks,
                    result->block_count);
    place_links(analysis, &analysis->calls, result->functions, sizeof *result->functions, result->function_count);
}

/* What grows is outside the arena until it has its size. */
static void *settle(struct arena *arena, void *array, size_t size)
{
    void *copy = arena_allocate(arena, size + 1);
    if (size)
        memcpy(copy, array, size);
    free(array);
    return copy;
}

static void analyse_functions(struct analysis *analysis)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(analysis->module); f; f = LLVMGetNextFunction(f))
        if (is_defined_here(f))
            number_function(analysis, f);
    analyse_pointers(analysis);
    for (LLVMValueRef f = LLVMGetFirstFunction(analysis->module); f; f = LLVMGetNextFunction(f))
        if (is_defined_here(f))
            analyse_control(analysis, f);
    for (LLVMValueRef f = LLVMGetFirstFunction(analysis->module); f; f = LLVMGetNextFunction(f)) {
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block; block = LLVMGetNextBasicBlock(block))
            for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at))
                add_instruction(analysis, at);
        if (is_defined_here(f))
            note_recursion(analysis, f);
    }
    if (analysis->calls_strangers && analysis->taken_count)
        analysis_give_up(analysis, "functions whose addresses are known to code that nobody has seen");
}

static bool has_changed_initial_values(LLVMModuleRef module)
{
    for (LLVMValueRef at = LLVMGetFirstGlobal(module); at; at = LLVMGetNextGlobal(at)) {
        const char *section = LLVMGetSection(at);
        if (section && !strcmp(section, MARK_SECTION))
            return true;
    }
    return false;
}

struct analysis *analyse(LLVMModuleRef module, struct arena *arena)
{
    struct analysis *analysis = arena_allocate(arena, sizeof *analysis);
    struct dependences *result = arena_allocate(arena, sizeof *result);
    analysis->module = module;
    analysis->layout = LLVMGetModuleDataLayout(module);
    analysis->arena = arena;
    analysis->result = result;
    analyse_functions(analysis);
    result->changed_always = has_changed_initial_values(module);
    place_all(analysis);
    result->nodes = settle(arena, result->nodes, result->node_count * sizeof *result->nodes);
    result->blocks = settle(arena, result->blocks, result->block_count * sizeof *result->blocks);
    result->criteria = settle(arena, result->criteria, result->criterion_count * sizeof *result->criteria);
    return analysis;
}

struct dependences *analysis_result(struct analysis *analysis)
{
    return analysis->result;
}

static void add_site(struct analysis *analysis, uint32_t node, uint32_t site)
{
    struct dependences *result = analysis->result;
    if (node == UINT32_MAX)
        return;
    result->sites =
        array_reserve(result->sites, &analysis->site_capacity, result->site_count + 1u, sizeof *result->sites);
    result->sites[result->site_count++] = (struct dependence_site){site, node};
}

void analysis_note_site(struct analysis *analysis, LLVMValueRef instruction, uint32_t site)
{
    add_site(analysis, analysis_node(analysis, instruction), site);
    add_site(analysis, numbering_find(&analysis->ends, instruction), site);
}

void analysis_finish(struct analysis *analysis)
{
    struct dependences *result = analysis->result;
    result->sites = settle(analysis->arena, result->sites, result->site_count * sizeof *result->sites);
}

LLVMBasicBlockRef analysis_block(const struct analysis *analysis, uint32_t number)
{
    return number < analysis->result->block_count ? analysis->block_list[number] : NULL;
}

LLVMValueRef analysis_mark(const struct analysis *analysis, size_t number)
{
    return number < analysis->mark_count ? analysis->marks[number] : NULL;
}

void analysis_place_mark(struct analysis *analysis, size_t number, uint32_t site)
{
    analysis->result->criteria[analysis->mark_criteria[number]].site = site;
}

void analysis_free(struct analysis *analysis)
{
    if (!analysis)
        return;
    free(analysis->values.list), free(analysis->blocks.list), free(analysis->functions.list);
    free(analysis->objects.list), free(analysis->block_list), free(analysis->guard_list), free(analysis->marks);
    free(analysis->mark_criteria), free(analysis->ends.list), free(analysis->taken), free(analysis->object_nodes),
        free(analysis->escapes), free(analysis->object_values);
}
