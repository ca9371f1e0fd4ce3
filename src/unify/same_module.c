#include "unify/same_module.h"

#include "unify/same_function.h"

#include <string.h>

static const char *name_of(struct arena *arena, LLVMValueRef value)
{
    size_t length;
    return arena_copy_string(arena, LLVMGetValueName2(value, &length));
}

/* What others of the module stand for: a string, a table for an initialiser. */
static bool is_anonymous(LLVMValueRef variable)
{
    return LLVMGetLinkage(variable) == LLVMPrivateLinkage;
}

static void compare_functions(LLVMModuleRef one, LLVMModuleRef other, struct arena *arena,
                              struct module_differences *differences)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(one); f; f = LLVMGetNextFunction(f)) {
        const char *name = name_of(arena, f);
        LLVMValueRef same = LLVMGetNamedFunction(other, name);
        if (LLVMIsDeclaration(f))
            continue;
        if (!same || LLVMIsDeclaration(same))
            differences->in_names = true;
        else if (!functions_are_identical(f, same))
            words_add(&differences->functions, name);
    }
}

static void compare_variables(LLVMModuleRef one, LLVMModuleRef other, struct arena *arena,
                              struct module_differences *differences)
{
    for (LLVMValueRef v = LLVMGetFirstGlobal(one); v; v = LLVMGetNextGlobal(v)) {
        const char *name = name_of(arena, v);
        LLVMValueRef same = LLVMGetNamedGlobal(other, name);
        if (LLVMIsDeclaration(v) || is_anonymous(v))
            continue;
        if (!same || LLVMIsDeclaration(same))
            differences->in_names = true;
        else if (!variables_are_identical(v, same))
            words_add(&differences->variables, name);
    }
}

/* Whether the second one defines what the first one does not. */
static bool has_more(LLVMModuleRef one, LLVMModuleRef other, struct arena *arena)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(other); f; f = LLVMGetNextFunction(f)) {
        LLVMValueRef same = LLVMGetNamedFunction(one, name_of(arena, f));
        if (!LLVMIsDeclaration(f) && (!same || LLVMIsDeclaration(same)))
            return true;
    }
    for (LLVMValueRef v = LLVMGetFirstGlobal(other); v; v = LLVMGetNextGlobal(v)) {
        LLVMValueRef same = LLVMGetNamedGlobal(one, name_of(arena, v));
        if (!LLVMIsDeclaration(v) && !is_anonymous(v) && (!same || LLVMIsDeclaration(same)))
            return true;
    }
    return false;
}

/* In their order, which nobody changes without moving declarations. */
static bool same_aliases(LLVMModuleRef one, LLVMModuleRef other)
{
    LLVMValueRef left = LLVMGetFirstGlobalAlias(one), right = LLVMGetFirstGlobalAlias(other);
    for (; left && right; left = LLVMGetNextGlobalAlias(left), right = LLVMGetNextGlobalAlias(right)) {
        size_t length;
        if (strcmp(LLVMGetValueName2(left, &length), LLVMGetValueName2(right, &length)) ||
            LLVMGetLinkage(left) != LLVMGetLinkage(right) ||
            strcmp(LLVMGetValueName2(LLVMAliasGetAliasee(left), &length),
                   LLVMGetValueName2(LLVMAliasGetAliasee(right), &length)))
            return false;
    }
    return !left && !right && !LLVMGetFirstGlobalIFunc(one) == !LLVMGetFirstGlobalIFunc(other);
}

bool module_differences_are_none(const struct module_differences *differences)
{
    return !differences->functions.count && !differences->variables.count && !differences->in_names &&
           !differences->in_surroundings;
}

void modules_compare(LLVMModuleRef one, LLVMModuleRef other, struct arena *arena,
                     struct module_differences *differences)
{
    size_t length, other_length;
    *differences = (struct module_differences){0};
    compare_functions(one, other, arena, differences);
    compare_variables(one, other, arena, differences);
    differences->in_names |= has_more(one, other, arena);
    const char *text = LLVMGetModuleInlineAsm(one, &length);
    const char *other_text = LLVMGetModuleInlineAsm(other, &other_length);
    differences->in_surroundings = length != other_length || memcmp(text, other_text, length) ||
                                   strcmp(LLVMGetTarget(one), LLVMGetTarget(other)) ||
                                   strcmp(LLVMGetDataLayoutStr(one), LLVMGetDataLayoutStr(other)) ||
                                   !same_aliases(one, other);
    bool has_aliases = LLVMGetFirstGlobalAlias(one) || LLVMGetFirstGlobalAlias(other);
    if (has_aliases && !module_differences_are_none(differences)) /* of what would be there twice, both need one */
        differences->in_surroundings = true;
}

void module_differences_free(struct module_differences *differences)
{
    words_free(&differences->functions), words_free(&differences->variables);
}
