/* Variables by which a call depends on the calls before it. Only inputs are explored; such a variable has its first
 * value in every run. Those that the program reads and that something might have changed are named, so that nobody
 * takes a verdict for more than it says. Static variables in functions, which no harness can name, are looked at in the
 * end. */
#include "instrument/emit.h"

#include <stdlib.h>
#include <string.h>

struct uses {
    bool reads, writes, is_input;
};

static const char *function_of(LLVMValueRef instruction)
{
    size_t length;
    return LLVMGetValueName2(LLVMGetBasicBlockParent(LLVMGetInstructionParent(instruction)), &length);
}

/* main has a name of ours, too. */
static bool is_ours(const char *name)
{
    return !strncmp(name, "__pn_", 5) && strcmp(name, "__pn_program_main");
}

bool is_list_of_harness(LLVMValueRef user)
{
    size_t length;
    if (LLVMIsAGlobalVariable(user))
        return is_ours(LLVMGetValueName2(user, &length));
    bool is_listed = LLVMIsAConstant(user) && !LLVMIsAGlobalValue(user);
    for (LLVMUseRef use = LLVMGetFirstUse(user); use && is_listed; use = LLVMGetNextUse(use))
        is_listed = is_list_of_harness(LLVMGetUser(use));
    return is_listed;
}

static void look_at_instruction(LLVMValueRef user, LLVMValueRef address, struct uses *uses)
{
    const char *function = function_of(user);
    bool is_call = LLVMIsACallInst(user), is_symbolic = is_call && !strcmp(called_name(user), "pn_symbolic");
    if (is_ours(function) || is_symbolic) { /* the harness: it makes inputs, and looks at outputs */
        uses->is_input |= is_symbolic || (!strncmp(function, "__pn_symbolic", 13) && !LLVMIsALoadInst(user));
        return;
    }
    bool is_stored_to = LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) != address;
    uses->reads |= !is_stored_to && !LLVMIsAICmpInst(user);
    uses->writes |= !LLVMIsALoadInst(user) && !LLVMIsAICmpInst(user);
}

/* What is done with the variable's bytes, also through addresses within it. */
static void look_at_uses(LLVMValueRef address, struct uses *uses)
{
    size_t length;
    for (LLVMUseRef use = LLVMGetFirstUse(address); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsAGlobalVariable(user) && is_ours(LLVMGetValueName2(user, &length)))
            continue;
        if (LLVMIsAGlobalVariable(user)) /* its address is in the other's initial value */
            uses->reads = uses->writes = true;
        else if (LLVMIsAGetElementPtrInst(user) || LLVMIsAConstant(user))
            look_at_uses(user, uses);
        else
            look_at_instruction(user, address, uses);
    }
}

static bool is_variable(LLVMValueRef global)
{
    size_t length;
    const char *name = LLVMGetValueName2(global, &length);
    return !LLVMIsDeclaration(global) && !LLVMIsGlobalConstant(global) && *name != '.' && !is_ours(name);
}

/* Those that something might have changed before the call. */
static void list_changeable(LLVMModuleRef module, struct words *names, struct arena *arena)
{
    for (LLVMValueRef at = LLVMGetFirstGlobal(module); at; at = LLVMGetNextGlobal(at)) {
        struct uses uses = {.writes = LLVMGetLinkage(at) == LLVMExternalLinkage};
        size_t length;
        if (!is_variable(at))
            continue;
        look_at_uses(at, &uses);
        if (uses.writes)
            words_add(names, arena_copy_string(arena, LLVMGetValueName2(at, &length)));
    }
}

/* `next.count` is the variable `count` in next(); `count.3` is one of several of that name. */
static const char *static_of_function(LLVMModuleRef module, const char *name, struct arena *arena, const char **shown)
{
    const char *dot = strchr(name, '.');
    const char *first = dot ? arena_format(arena, "%.*s", (int)(dot - name), name) : name;
    const char *second = dot ? arena_format(arena, "%.*s", (int)strcspn(dot + 1, "."), dot + 1) : NULL;
    bool is_static = dot && LLVMGetNamedFunction(module, first);
    *shown = is_static ? second : first;
    return is_static ? first : NULL;
}

static bool has_pointers(LLVMTypeRef type)
{
    switch (LLVMGetTypeKind(type)) {
    case LLVMPointerTypeKind: return true;
    case LLVMArrayTypeKind: return has_pointers(LLVMGetElementType(type));
    case LLVMStructTypeKind:
        for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++)
            if (has_pointers(LLVMStructGetTypeAtIndex(type, i)))
                return true;
        return false;
    default: return false;
    }
}

/* ---- static variables in functions ----
 *
 * Where a function or a variable is kept twice in the unified program, `next.count` is two variables, such as
 * `next__old.count` and `next__new.count`, or `next.count__old` and `next.count`. */

enum owner { BOTH_OWN, OLD_OWNS, NEW_OWNS };

/* The name without what tells the versions' own apart; `owner` becomes whose it is. */
static const char *common_name(struct arena *arena, const char *name, enum owner *owner)
{
    const char *dot = strchr(name, '.'), *end = dot + 1 + strcspn(dot + 1, ".");
    int function = (int)(dot - name), variable = (int)(end - dot - 1);
    bool is_old_function = function > 5 && !strncmp(dot - 5, "__old", 5);
    bool is_new_function = function > 5 && !strncmp(dot - 5, "__new", 5);
    bool is_old_variable = variable > 5 && !strncmp(end - 5, "__old", 5);
    *owner = is_old_function || is_old_variable ? OLD_OWNS : is_new_function ? NEW_OWNS : BOTH_OWN;
    return arena_format(arena, "%.*s.%.*s%s", function - (is_old_function || is_new_function ? 5 : 0), name,
                        variable - (is_old_variable ? 5 : 0), dot + 1, end);
}

/* The other version's variable of that name and size; NULL where there is none. */
static LLVMValueRef find_partner(struct emitter *emitter, LLVMValueRef variable, const char *name)
{
    size_t length;
    enum owner owner, other;
    struct arena *arena = emitter->sites->arena;
    const char *common = common_name(arena, name, &owner);
    uint64_t size = LLVMABISizeOfType(emitter->layout, LLVMGlobalGetValueType(variable));
    for (LLVMValueRef at = LLVMGetFirstGlobal(emitter->module); at; at = LLVMGetNextGlobal(at)) {
        const char *at_name = LLVMGetValueName2(at, &length);
        if (at == variable || !strchr(at_name, '.') || LLVMIsDeclaration(at) ||
            strcmp(common_name(arena, at_name, &other), common) || (other == OLD_OWNS) == (owner == OLD_OWNS))
            continue;
        return LLVMABISizeOfType(emitter->layout, LLVMGlobalGetValueType(at)) == size ? at : NULL;
    }
    return NULL;
}

/* What becomes of it: see runtime/statics.c. `in_old` and `in_new` are each version's own, or NULL. */
static void watch_static(struct emitter *emitter, LLVMValueRef in_old, LLVMValueRef in_new, const char *shown)
{
    enum { PARAMETERS = 6 };
    LLVMTypeRef pointer = LLVMPointerTypeInContext(emitter->context, 0);
    LLVMTypeRef held = LLVMGlobalGetValueType(in_new ? in_new : in_old);
    LLVMTypeRef parameters[PARAMETERS] = {pointer, pointer, emitter->i64, emitter->i32, pointer, emitter->i32};
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(emitter->context), parameters, PARAMETERS, false);
    LLVMValueRef harness = LLVMGetNamedFunction(emitter->module, "__pn_harness");
    LLVMValueRef watcher = LLVMGetNamedFunction(emitter->module, "__pn_static_variable");
    watcher = watcher ? watcher : LLVMAddFunction(emitter->module, "__pn_static_variable", type);
    const char *loss = arena_format(emitter->sites->arena, "the static variable %s, which is not compared", shown);
    bool exchanged = LLVMGetNamedGlobal(emitter->module, "__pn_exchanged");
    LLVMValueRef none = LLVMConstNull(pointer), old = in_old ? in_old : none, new = in_new ? in_new : none;
    LLVMValueRef arguments[PARAMETERS] = {
        exchanged ? new : old,
        exchanged ? old : new,
        constant64(emitter, LLVMABISizeOfType(emitter->layout, held)),
        constant32(emitter, has_pointers(held)),
        NULL,
        constant32(emitter, site_table_add(emitter->sites, &(struct site){.file = "", .function = "", .what = loss}))};
    LLVMBasicBlockRef block = harness ? LLVMGetFirstBasicBlock(harness) : NULL;
    for (; block; block = LLVMGetNextBasicBlock(block)) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
        if (!LLVMIsAReturnInst(end))
            continue;
        place_before(emitter, end);
        arguments[4] = LLVMBuildGlobalStringPtr(emitter->builder, shown, "");
        LLVMBuildCall2(emitter->builder, type, watcher, arguments, PARAMETERS, "");
    }
}

/* Of two that are one in the source, the new version's speaks for both. */
static void watch_variable(struct emitter *emitter, LLVMValueRef variable, const char *name, const char *shown)
{
    enum owner owner;
    common_name(emitter->sites->arena, name, &owner);
    LLVMValueRef partner = find_partner(emitter, variable, name);
    if (owner == OLD_OWNS && !partner)
        watch_static(emitter, variable, NULL, shown);
    else if (owner == NEW_OWNS && !partner)
        watch_static(emitter, NULL, variable, shown);
    else if (owner != OLD_OWNS)
        watch_static(emitter, partner ? partner : variable, variable, shown);
}

/* ---- variables that nobody looks at ---- */

enum { DEEPEST_VALUE = 8 /* operations between a variable's value and what becomes of it */ };

/* A division, whose failure is seen. */
static bool may_fail(LLVMValueRef operation)
{
    LLVMOpcode code = LLVMGetInstructionOpcode(operation);
    return code == LLVMUDiv || code == LLVMSDiv || code == LLVMURem || code == LLVMSRem;
}

static bool comes_back(LLVMValueRef value, LLVMValueRef variable, unsigned depth);

/* Of a local variable that holds the value: change() has one. */
static bool comes_back_from(LLVMValueRef local, LLVMValueRef variable, unsigned depth)
{
    for (LLVMUseRef use = LLVMGetFirstUse(local); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        bool is_set = LLVMIsAStoreInst(user) && LLVMGetOperand(user, 1) == local && LLVMGetOperand(user, 0) != local;
        if (!is_set && !(LLVMIsALoadInst(user) && comes_back(user, variable, depth)))
            return false;
    }
    return true;
}

/* Whether the value goes nowhere but back into the variable: `calls++`. */
static bool comes_back(LLVMValueRef value, LLVMValueRef variable, unsigned depth)
{
    if (depth == DEEPEST_VALUE)
        return false;
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use), place = LLVMIsAStoreInst(user) ? LLVMGetOperand(user, 1) : NULL;
        bool is_arithmetic = (LLVMIsABinaryOperator(user) && !may_fail(user)) || LLVMIsACastInst(user);
        bool comes =
            place ? place == variable || (LLVMIsAAllocaInst(place) && comes_back_from(place, variable, depth + 1))
                  : is_arithmetic && comes_back(user, variable, depth + 1);
        if (!comes)
            return false;
    }
    return true;
}

/* A variable that is set, counted up, and neither compared nor used for anything else: one version's own, most likely.
 */
static bool is_unobserved(LLVMValueRef variable)
{
    for (LLVMUseRef use = LLVMGetFirstUse(variable); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        bool is_set =
            LLVMIsAStoreInst(user) && LLVMGetOperand(user, 1) == variable && LLVMGetOperand(user, 0) != variable;
        if (!is_set && !is_list_of_harness(user) && !(LLVMIsALoadInst(user) && comes_back(user, variable, 0)))
            return false;
    }
    return true;
}

static void note_variable(struct emitter *emitter, LLVMValueRef variable, const char *name)
{
    struct site_table *sites = emitter->sites;
    const char *shown, *function = static_of_function(emitter->module, name, sites->arena, &shown);
    struct uses uses = {0};
    look_at_uses(variable, &uses);
    if (function)
        shown = arena_format(sites->arena, "%s in %s()", shown, function);
    /* what is not assigned on some way keeps its value there, which is compared */
    bool is_compared = function || !is_unobserved(variable);
    if (is_compared && (uses.reads || uses.writes) && !uses.is_input && !is_written_first(emitter, variable))
        words_add(&sites->assumed, shown);
    if (function && uses.writes)
        watch_variable(emitter, variable, name, shown);
}

/* The static variable that the harness asks for by its symbol. What no code has that can be reached may not be there:
 * then it is of no account what the harness does to it. */
static LLVMValueRef static_by_symbol(struct emitter *emitter, LLVMValueRef symbol)
{
    enum { MOST_BYTES = 1 << 16 };
    size_t length;
    LLVMValueRef text = LLVMIsAGlobalVariable(symbol) ? LLVMGetInitializer(symbol) : NULL;
    const char *name = text && LLVMIsConstantString(text) ? LLVMGetAsString(text, &length) : "";
    LLVMValueRef variable = LLVMGetNamedGlobal(emitter->module, arena_copy_string(emitter->sites->arena, name));
    if (variable && !LLVMIsDeclaration(variable))
        return variable;
    LLVMTypeRef bytes = LLVMArrayType2(LLVMInt8TypeInContext(emitter->context), MOST_BYTES);
    variable = LLVMAddGlobal(emitter->module, bytes, "__pn_no_static");
    LLVMSetInitializer(variable, LLVMConstNull(bytes));
    LLVMSetLinkage(variable, LLVMInternalLinkage);
    return variable;
}

void state_find_statics(struct emitter *emitter)
{
    LLVMValueRef finder = LLVMGetNamedFunction(emitter->module, "__pn_find_static");
    for (LLVMUseRef use = finder ? LLVMGetFirstUse(finder) : NULL, next; use; use = next) {
        LLVMValueRef call = LLVMGetUser(use);
        next = LLVMGetNextUse(use);
        LLVMReplaceAllUsesWith(call, static_by_symbol(emitter, LLVMGetOperand(call, 0)));
        LLVMInstructionEraseFromParent(call);
    }
}

struct words state_before(struct emitter *emitter)
{
    struct words names = {0};
    list_changeable(emitter->module, &names, emitter->sites->arena);
    return names;
}

void state_find(struct emitter *emitter, struct words *changeable)
{
    for (size_t i = 0; i < changeable->count; i++) {
        LLVMValueRef variable = LLVMGetNamedGlobal(emitter->module, changeable->list[i]);
        if (variable)
            note_variable(emitter, variable, changeable->list[i]);
    }
    words_free(changeable);
}
