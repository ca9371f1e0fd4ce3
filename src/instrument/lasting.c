/* What a run may leave behind that cannot be undone from inside its process: the effects of library functions other
 * than these, variables that are not the program's own or too many bytes of them. */
#include "instrument/calls.h"
#include "instrument/emit.h"
#include "instrument/mathematics.h"

#include <stdlib.h>
#include <string.h>

enum { LARGEST_GLOBALS = 1 << 20 };

/* Sorted. These leave nothing behind but bytes in the program's own memory, or what is printed, which goes nowhere; the
 * runtime stands in for those that end a process or make blocks. */
static const char *const without_trace[] = {
    "_Exit",
    "__assert_fail",
    "__ctype_b_loc",
    "__ctype_tolower_loc",
    "__ctype_toupper_loc",
    "__errno_location",
    "__sigsetjmp",
    "_exit",
    "_longjmp",
    "_setjmp",
    "abort",
    "abs",
    "atof",
    "atoi",
    "atol",
    "atoll",
    "bcmp",
    "bsearch",
    "calloc",
    "exit",
    "fprintf",
    "fputc",
    "fputs",
    "free",
    "fwrite",
    "isalnum",
    "isalpha",
    "isdigit",
    "islower",
    "isspace",
    "isupper",
    "isxdigit",
    "labs",
    "llabs",
    "longjmp",
    "malloc",
    "memchr",
    "memcmp",
    "memcpy",
    "memmove",
    "memset",
    "printf",
    "putc",
    "putchar",
    "puts",
    "realloc",
    "setjmp",
    "siglongjmp",
    "sigsetjmp",
    "snprintf",
    "sprintf",
    "stpcpy",
    "strcasecmp",
    "strcat",
    "strchr",
    "strcmp",
    "strcpy",
    "strcspn",
    "strlen",
    "strncasecmp",
    "strncat",
    "strncmp",
    "strncpy",
    "strnlen",
    "strpbrk",
    "strrchr",
    "strspn",
    "strstr",
    "tolower",
    "toupper",
};

static int compare_names(const void *name, const void *entry)
{
    return strcmp(name, *(const char *const *)entry);
}

const char *standard_name(const char *name)
{
    static const char *const prefixes[] = {"__isoc99_", "__isoc23_"};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (!strncmp(name, prefixes[i], strlen(prefixes[i])))
            return name + strlen(prefixes[i]);
    return name;
}

bool is_without_trace(const char *name)
{
    name = standard_name(name);
    return !strncmp(name, "llvm.", 5) || !strncmp(name, "__pn_", 5) || !strncmp(name, "pn_", 3) ||
           find_mathematical(name) ||
           bsearch(name, without_trace, sizeof without_trace / sizeof *without_trace, sizeof *without_trace,
                   compare_names);
}

static bool is_standard_stream(const char *name)
{
    return !strcmp(name, "stdout") || !strcmp(name, "stderr");
}

/* Assembly can do anything, system calls too. */
static bool has_assembly(LLVMValueRef function)
{
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at))
            if ((LLVMIsACallInst(at) || LLVMGetInstructionOpcode(at) == LLVMCallBr) &&
                LLVMIsAInlineAsm(LLVMGetCalledValue(at)) && !is_empty_assembly(at))
                return true;
    return false;
}

const char *find_lasting(struct emitter *emitter)
{
    size_t length;
    uint64_t bytes = 0;
    LLVMGetModuleInlineAsm(emitter->module, &length);
    if (length)
        return "assembly";
    for (LLVMValueRef at = LLVMGetFirstFunction(emitter->module); at; at = LLVMGetNextFunction(at)) {
        const char *name = LLVMGetValueName2(at, &length);
        if (LLVMIsDeclaration(at) && LLVMGetFirstUse(at) && !is_without_trace(name))
            return name;
        if (has_assembly(at))
            return "inline assembly";
    }
    for (LLVMValueRef at = LLVMGetFirstGlobal(emitter->module); at; at = LLVMGetNextGlobal(at)) {
        const char *name = LLVMGetValueName2(at, &length);
        bool is_ours = !strncmp(name, "__pn_", 5); /* the runtime makes it anew for each run */
        bool foreign = LLVMIsDeclaration(at) && LLVMGetFirstUse(at) && !is_ours && !is_standard_stream(name);
        if (!LLVMIsDeclaration(at) && !LLVMIsGlobalConstant(at))
            bytes += LLVMABISizeOfType(emitter->layout, LLVMGlobalGetValueType(at));
        if (foreign || LLVMIsThreadLocal(at) || bytes > LARGEST_GLOBALS)
            return name;
    }
    return NULL;
}
