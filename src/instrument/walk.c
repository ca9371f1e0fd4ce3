/* Rewriting one function: labels for its arguments, a label phi beside every phi, then every reachable instruction in
 * reverse post-order (so that operands have their labels before they are used), then the phis' incoming labels. */
#include "depend/analyse.h"
#include "instrument/models.h"
#include "instrument/parts.h"

#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

/* ---- which label belongs to which value: open addressing over pointers ---- */

struct label_map {
    LLVMValueRef *keys, *labels;
    size_t count, capacity;
};

static size_t slot_of(const struct label_map *map, LLVMValueRef key)
{
    size_t at = ((uintptr_t)key >> 4) * UINT64_C(0x9e3779b97f4a7c15) >> 20 & (map->capacity - 1);
    while (map->keys[at] && map->keys[at] != key)
        at = (at + 1) & (map->capacity - 1);
    return at;
}

static void map_grow(struct label_map *map)
{
    struct label_map grown = {.capacity = map->capacity ? map->capacity * 2 : 256};
    grown.keys = array_reserve(NULL, &(size_t){0}, grown.capacity, sizeof *grown.keys);
    grown.labels = array_reserve(NULL, &(size_t){0}, grown.capacity, sizeof *grown.labels);
    memset(grown.keys, 0, grown.capacity * sizeof *grown.keys);
    for (size_t i = 0; i < map->capacity; i++) {
        if (!map->keys[i])
            continue;
        size_t at = slot_of(&grown, map->keys[i]);
        grown.keys[at] = map->keys[i];
        grown.labels[at] = map->labels[i];
    }
    grown.count = map->count;
    free(map->keys), free(map->labels);
    *map = grown;
}

static LLVMValueRef map_find(const struct label_map *map, LLVMValueRef key)
{
    if (!map->capacity)
        return NULL;
    size_t at = slot_of(map, key);
    return map->keys[at] ? map->labels[at] : NULL;
}

static void map_put(struct label_map *map, LLVMValueRef key, LLVMValueRef value)
{
    if (map->count * 2 >= map->capacity)
        map_grow(map);
    size_t at = slot_of(map, key);
    map->count += !map->keys[at];
    map->keys[at] = key;
    map->labels[at] = value;
}

/* ---- helpers that the rules share ---- */

bool is_floating(LLVMTypeRef type)
{
    return LLVMGetTypeKind(type) == LLVMFloatTypeKind || LLVMGetTypeKind(type) == LLVMDoubleTypeKind;
}

unsigned label_width(LLVMTypeRef type)
{
    if (LLVMGetTypeKind(type) == LLVMPointerTypeKind || LLVMGetTypeKind(type) == LLVMDoubleTypeKind)
        return 64;
    if (LLVMGetTypeKind(type) == LLVMFloatTypeKind)
        return 32;
    if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(type) > 64)
        return 0;
    return LLVMGetIntTypeWidth(type);
}

const char *describe_type(LLVMTypeRef type)
{
    switch (LLVMGetTypeKind(type)) {
    case LLVMX86_FP80TypeKind: return "long double";
    case LLVMHalfTypeKind: return "_Float16";
    case LLVMBFloatTypeKind: return "__bf16";
    case LLVMFP128TypeKind: return "__float128";
    case LLVMVectorTypeKind: return "a vector";
    case LLVMStructTypeKind:
    case LLVMArrayTypeKind: return "a struct";
    default: return "an integer wider than 64 bits";
    }
}

LLVMValueRef constant32(struct emitter *emitter, uint32_t value)
{
    return LLVMConstInt(emitter->i32, value, false);
}

LLVMValueRef constant64(struct emitter *emitter, uint64_t value)
{
    return LLVMConstInt(emitter->i64, value, false);
}

LLVMValueRef label_of(struct emitter *emitter, LLVMValueRef value)
{
    LLVMValueRef label = map_find(emitter->labels, value);
    return label ? label : constant32(emitter, 0);
}

void set_label(struct emitter *emitter, LLVMValueRef value, LLVMValueRef label)
{
    map_put(emitter->labels, value, label);
}

void set_side(struct emitter *emitter, LLVMBasicBlockRef block, enum pn_side side)
{
    map_put(emitter->sides, LLVMBasicBlockAsValue(block), (LLVMValueRef)(uintptr_t)side);
}

enum pn_side side_of(struct emitter *emitter, LLVMBasicBlockRef block)
{
    if (emitter->whole_side != PN_SIDE_BOTH)
        return emitter->whole_side;
    return (enum pn_side)(uintptr_t)map_find(emitter->sides, LLVMBasicBlockAsValue(block));
}

bool is_no_label(LLVMValueRef label)
{
    return LLVMIsConstant(label) && LLVMIsNull(label);
}

LLVMValueRef as_word(struct emitter *emitter, LLVMValueRef value)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    if (LLVMGetTypeKind(type) == LLVMPointerTypeKind)
        return LLVMBuildPtrToInt(emitter->builder, value, emitter->i64, "");
    if (LLVMGetTypeKind(type) == LLVMDoubleTypeKind)
        return LLVMBuildBitCast(emitter->builder, value, emitter->i64, "");
    if (LLVMGetTypeKind(type) == LLVMFloatTypeKind)
        value = LLVMBuildBitCast(emitter->builder, value, type = emitter->i32, "");
    return LLVMGetIntTypeWidth(type) == 64 ? value : LLVMBuildZExt(emitter->builder, value, emitter->i64, "");
}

LLVMValueRef from_word(struct emitter *emitter, LLVMValueRef word, LLVMTypeRef type)
{
    if (LLVMGetTypeKind(type) == LLVMPointerTypeKind)
        return LLVMBuildIntToPtr(emitter->builder, word, type, "");
    if (label_width(type) < 64)
        word = LLVMBuildTrunc(emitter->builder, word, LLVMIntTypeInContext(emitter->context, label_width(type)), "");
    return is_floating(type) ? LLVMBuildBitCast(emitter->builder, word, type, "") : word;
}

LLVMValueRef call_hook(struct emitter *emitter, enum hook hook, LLVMValueRef *arguments, unsigned count)
{
    LLVMValueRef callee = emitter->hooks[hook];
    return LLVMBuildCall2(emitter->builder, LLVMGlobalGetValueType(callee), callee, arguments, count, "");
}

uint32_t site_of(struct emitter *emitter, LLVMValueRef instruction, const char *what)
{
    unsigned length = 0;
    size_t name_length;
    char file[4096] = "";
    const char *name = LLVMGetDebugLocFilename(instruction, &length);
    if (name && length < sizeof file)
        memcpy(file, name, length), file[length] = '\0';
    uint32_t site =
        site_table_add(emitter->sites, &(struct site){.file = file,
                                                      .function = LLVMGetValueName2(emitter->function, &name_length),
                                                      .line = LLVMGetDebugLocLine(instruction),
                                                      .column = LLVMGetDebugLocColumn(instruction),
                                                      .what = what,
                                                      .in_model = is_model(emitter->function)});
    if (emitter->analysis)
        analysis_note_site(emitter->analysis, instruction, site);
    return site;
}

const char *with_place(struct emitter *emitter, LLVMValueRef instruction, const char *what)
{
    unsigned length = 0;
    const char *name = LLVMGetDebugLocFilename(instruction, &length);
    while (name && memchr(name, '/', length))
        length--, name++;
    return arena_format(emitter->sites->arena, "%s (%.*s:%u)", what, (int)length, name ? name : "",
                        LLVMGetDebugLocLine(instruction));
}

void place_before(struct emitter *emitter, LLVMValueRef instruction)
{
    LLVMPositionBuilderBefore(emitter->builder, instruction);
}

void place_after(struct emitter *emitter, LLVMValueRef instruction)
{
    LLVMPositionBuilderBefore(emitter->builder, LLVMGetNextInstruction(instruction));
}

static void leave_label(struct emitter *emitter, LLVMValueRef value, LLVMValueRef label, uint32_t site)
{
    LLVMValueRef arguments[] = {label, as_word(emitter, value), constant32(emitter, label_width(LLVMTypeOf(value))),
                                constant32(emitter, site)};
    call_hook(emitter, HOOK_external, arguments, 4);
}

void leave_operand(struct emitter *emitter, LLVMValueRef instruction, LLVMValueRef operand, const char *what)
{
    if (has_no_label(emitter, operand))
        return;
    uint32_t site = site_of(emitter, instruction, what);
    for (unsigned part = 0; part < part_count(LLVMTypeOf(operand)); part++) {
        LLVMValueRef label = part_label(emitter, operand, part);
        if (!is_no_label(label))
            leave_label(emitter, part_of(emitter, operand, part), label, site);
    }
}

void leave_labels(struct emitter *emitter, LLVMValueRef instruction, unsigned operand_count, const char *what)
{
    place_before(emitter, instruction);
    for (unsigned i = 0; i < operand_count; i++)
        leave_operand(emitter, instruction, LLVMGetOperand(instruction, i), what);
}

/* ---- reverse post-order ---- */

struct order {
    LLVMBasicBlockRef *blocks; /* in post-order */
    size_t count;
};

struct visit {
    LLVMBasicBlockRef block;
    unsigned next_successor;
};

static struct order post_order(LLVMValueRef function)
{
    size_t total = LLVMCountBasicBlocks(function);
    struct order order = {.blocks = array_reserve(NULL, &(size_t){0}, total, sizeof *order.blocks)};
    struct visit *stack = array_reserve(NULL, &(size_t){0}, total + 1, sizeof *stack);
    struct label_map seen = {0};
    size_t depth = 0;
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(function);
    stack[depth++] = (struct visit){entry, 0};
    map_put(&seen, LLVMBasicBlockAsValue(entry), function);
    while (depth) {
        struct visit *top = &stack[depth - 1];
        LLVMValueRef end = LLVMGetBasicBlockTerminator(top->block);
        if (top->next_successor == LLVMGetNumSuccessors(end)) {
            order.blocks[order.count++] = top->block;
            depth--;
            continue;
        }
        LLVMBasicBlockRef next = LLVMGetSuccessor(end, top->next_successor++);
        if (map_find(&seen, LLVMBasicBlockAsValue(next)))
            continue;
        map_put(&seen, LLVMBasicBlockAsValue(next), function);
        stack[depth++] = (struct visit){next, 0};
    }
    free(stack), free(seen.keys), free(seen.labels);
    return order;
}

/* ---- arguments, phis, the walk ---- */

static unsigned attribute_kind(const char *name)
{
    return LLVMGetEnumAttributeKindForName(name, strlen(name));
}

static bool is_by_value(LLVMValueRef function, unsigned parameter)
{
    return LLVMGetEnumAttributeAtIndex(function, parameter + 1, attribute_kind("byval")) != NULL;
}

/* A copy that the call has made on the stack: the labels come from where the caller took it. */
static void take_by_value(struct emitter *emitter, unsigned parameter, unsigned slot)
{
    LLVMAttributeRef by_value = LLVMGetEnumAttributeAtIndex(emitter->function, parameter + 1, attribute_kind("byval"));
    uint64_t size = LLVMABISizeOfType(emitter->layout, LLVMGetTypeAttributeValue(by_value));
    LLVMValueRef arguments[] = {constant32(emitter, slot), as_word(emitter, LLVMGetParam(emitter->function, parameter)),
                                constant64(emitter, size), constant32(emitter, emitter->whole_side)};
    call_hook(emitter, HOOK_take_block, arguments, 4);
}

/* Code without hooks knows functions by their address, or by their name. */
static bool may_be_called_from_outside(struct emitter *emitter)
{
    bool is_named = emitter->options->is_linked && LLVMGetLinkage(emitter->function) == LLVMExternalLinkage;
    return is_named || is_address_taken(emitter->function);
}

static void emit_arguments(struct emitter *emitter)
{
    unsigned slot = 0, count = LLVMCountParams(emitter->function);
    place_before(emitter, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(emitter->function)));
    emitter->called_by = may_be_called_from_outside(emitter) ? call_hook(emitter, HOOK_enter_function, NULL, 0) : NULL;
    for (unsigned i = 0; i < count; i++) {
        LLVMValueRef parameter = LLVMGetParam(emitter->function, i);
        unsigned parts = part_count(LLVMTypeOf(parameter));
        if (slot + parts > PN_MAXIMUM_ARGUMENTS)
            break;
        for (unsigned part = 0; part < parts && !is_by_value(emitter->function, i); part++) {
            LLVMValueRef index = constant32(emitter, slot + part);
            set_part_label(emitter, parameter, part, call_hook(emitter, HOOK_argument, &index, 1));
        }
        if (is_by_value(emitter->function, i))
            take_by_value(emitter, i, slot);
        slot += parts;
    }
    if (LLVMIsFunctionVarArg(LLVMGlobalGetValueType(emitter->function)))
        take_variable_arguments(emitter);
    if (slot)
        call_hook(emitter, HOOK_arguments_taken, NULL, 0);
}

static void emit_phis(struct emitter *emitter, LLVMBasicBlockRef block)
{
    LLVMValueRef first = LLVMGetFirstInstruction(block);
    for (LLVMValueRef phi = first; LLVMIsAPHINode(phi); phi = LLVMGetNextInstruction(phi)) {
        if (!part_count(LLVMTypeOf(phi)))
            continue;
        place_before(emitter, first);
        set_label(emitter, phi, LLVMBuildPhi(emitter->builder, label_type(emitter, LLVMTypeOf(phi)), ""));
    }
}

static void fill_phis(struct emitter *emitter, LLVMBasicBlockRef block)
{
    for (LLVMValueRef phi = LLVMGetFirstInstruction(block); LLVMIsAPHINode(phi); phi = LLVMGetNextInstruction(phi)) {
        LLVMValueRef label = map_find(emitter->labels, phi);
        if (!label)
            continue;
        for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
            LLVMValueRef incoming = whole_label(emitter, LLVMGetIncomingValue(phi, i));
            LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, i);
            LLVMAddIncoming(label, &incoming, &from, 1);
        }
    }
}

/* The instructions of a block as they are before anything is inserted or replaced. */
static LLVMValueRef *list_instructions(LLVMBasicBlockRef block, size_t *count)
{
    LLVMValueRef *list = NULL;
    size_t capacity = 0;
    *count = 0;
    for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at)) {
        list = array_reserve(list, &capacity, *count + 1, sizeof *list);
        list[(*count)++] = at;
    }
    return list;
}

bool was_visited(struct emitter *emitter, LLVMBasicBlockRef block)
{
    return map_find(emitter->labels, LLVMBasicBlockAsValue(block)) != NULL;
}

static bool emit_block(struct emitter *emitter, LLVMBasicBlockRef block)
{
    size_t count;
    LLVMValueRef *list = list_instructions(block, &count);
    bool good = true;
    set_label(emitter, LLVMBasicBlockAsValue(block), constant32(emitter, 0));
    emitter->side = side_of(emitter, block);
    for (size_t i = 0; i < count && good; i++)
        if (!LLVMIsAPHINode(list[i])) {
            note_addresses(emitter, list[i]);
            good = emit_instruction(emitter, list[i]);
        }
    free(list);
    return good;
}

bool emit_function(struct emitter *emitter, LLVMValueRef function)
{
    struct label_map labels = {0}, sides = {0};
    emitter->function = function;
    emitter->labels = &labels;
    emitter->sides = &sides;
    emitter->whole_side = clone_side(function);
    emitter->stack_mark = NULL;
    bool good = regions_split(emitter);
    struct order order = post_order(function);
    emit_arguments(emitter);
    for (size_t i = order.count; i-- > 0;)
        emit_phis(emitter, order.blocks[i]);
    for (size_t i = order.count; i-- > 0 && good;)
        good = emit_block(emitter, order.blocks[i]);
    for (size_t i = order.count; i-- > 0 && good;)
        fill_phis(emitter, order.blocks[i]);
    free(order.blocks), free(labels.keys), free(labels.labels), free(sides.keys), free(sides.labels);
    emitter->labels = emitter->sides = NULL;
    return good;
}
