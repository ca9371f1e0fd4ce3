/* What a program asks of the world outside it: the environment, files, the time. No run explores another world, so a
 * verdict must name these. Functions of the C library that only have effects, or compute something from their arguments
 * and the program's own memory, are known by name; whatever is not known may ask for anything. */
#include "instrument/emit.h"
#include "instrument/models.h"

#include <stdlib.h>
#include <string.h>

/* Sorted; beside those of lasting.c. */
static const char *const self_contained[] = {
    "__error",
    "__fprintf_chk",
    "__memcpy_chk",
    "__printf_chk",
    "__snprintf_chk",
    "__sprintf_chk",
    "__stack_chk_fail",
    "__strdup",
    "__vsnprintf_chk",
    "alphasort",
    "asprintf",
    "at_quick_exit",
    "atexit",
    "basename",
    "bzero",
    "dirname",
    "div",
    "err",
    "error",
    "error_at_line",
    "errx",
    "explicit_bzero",
    "fflush",
    "fflush_unlocked",
    "ffs",
    "ffsl",
    "ffsll",
    "fprintf",
    "fputc_unlocked",
    "fputs_unlocked",
    "fwrite_unlocked",
    "hcreate",
    "imaxabs",
    "imaxdiv",
    "ldiv",
    "lldiv",
    "memccpy",
    "memmem",
    "mempcpy",
    "memrchr",
    "perror",
    "psignal",
    "putc_unlocked",
    "putchar_unlocked",
    "qsort",
    "qsort_r",
    "raise",
    "rawmemchr",
    "reallocarray",
    "setbuf",
    "setlinebuf",
    "setvbuf",
    "sscanf",
    "stpncpy",
    "strcasestr",
    "strchrnul",
    "strcoll",
    "strdup",
    "strerror",
    "strlcat",
    "strlcpy",
    "strncasecmp",
    "strndup",
    "strsep",
    "strsignal",
    "strtod",
    "strtof",
    "strtoimax",
    "strtok",
    "strtok_r",
    "strtol",
    "strtold",
    "strtoll",
    "strtoul",
    "strtoull",
    "strtoumax",
    "strverscmp",
    "strxfrm",
    "swab",
    "tdelete",
    "tfind",
    "toascii",
    "tsearch",
    "vasprintf",
    "verr",
    "verrx",
    "vfprintf",
    "vprintf",
    "vsnprintf",
    "vsprintf",
    "vsscanf",
    "vwarn",
    "vwarnx",
    "warn",
    "warnx",
    "wcscat",
    "wcschr",
    "wcscmp",
    "wcscpy",
    "wcslen",
    "wcsncmp",
    "wcsncpy",
    "wmemcmp",
    "wmemcpy",
    "wmemset",
};

static const char *const allocating[] = {"malloc",   "calloc",    "realloc",      "strdup",        "strndup",
                                         "asprintf", "vasprintf", "reallocarray", "aligned_alloc", "posix_memalign"};

static const char *const printing[] = {"printf", "fprintf", "vprintf", "vfprintf", "puts",   "putchar", "putc",
                                       "fputc",  "fputs",   "fwrite",  "fflush",   "perror", "dprintf"};

static int compare_names(const void *name, const void *entry)
{
    return strcmp(name, *(const char *const *)entry);
}

static bool is_self_contained(const char *name)
{
    return is_without_trace(name) ||
           bsearch(standard_name(name), self_contained, sizeof self_contained / sizeof *self_contained,
                   sizeof *self_contained, compare_names);
}

static bool is_one_of(const char *const names[], size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (!strcmp(name, names[i]))
            return true;
    return false;
}

static bool is_allocating(const char *name)
{
    return is_one_of(allocating, sizeof allocating / sizeof *allocating, name);
}

static bool is_standard_output(const char *name)
{
    return !strcmp(name, "stdout") || !strcmp(name, "stderr");
}

/* The name of a function that is used and not the program's own; NULL for any other. */
static const char *foreign_name(LLVMValueRef function)
{
    size_t length;
    return LLVMIsDeclaration(function) && LLVMGetFirstUse(function) ? LLVMGetValueName2(function, &length) : NULL;
}

static void find_arithmetic(struct emitter *emitter, LLVMValueRef instruction)
{
    struct site_table *sites = emitter->sites;
    switch (LLVMGetInstructionOpcode(instruction)) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul: sites->may_overflow |= !emitter->options->mark_signed && LLVMGetNSW(instruction); break;
    case LLVMFAdd:
    case LLVMFSub:
    case LLVMFMul:
    case LLVMFDiv:
    case LLVMFPTrunc:
    case LLVMSIToFP:
    case LLVMUIToFP: sites->rounds = true; break;
    case LLVMLoad:
    case LLVMStore: sites->synchronises |= LLVMGetOrdering(instruction) != LLVMAtomicOrderingNotAtomic; break;
    case LLVMFence:
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg: sites->synchronises = true; break;
    default: break;
    }
}

/* `f == stdout`: the streams that an input may be are others. */
static bool is_told_from_others(LLVMValueRef stream)
{
    for (LLVMUseRef use = LLVMGetFirstUse(stream); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef load = LLVMGetUser(use);
        for (LLVMUseRef of = LLVMIsALoadInst(load) ? LLVMGetFirstUse(load) : NULL; of; of = LLVMGetNextUse(of))
            if (LLVMIsAICmpInst(LLVMGetUser(of)))
                return true;
    }
    return false;
}

static void find_all_arithmetic(struct emitter *emitter, LLVMValueRef function)
{
    size_t length;
    if (!strncmp(LLVMGetValueName2(function, &length), "__pn_", 5))
        return;
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at))
            find_arithmetic(emitter, at);
}

/* Allocators that fail as an input says set it, too; they are the harness's. */
static bool is_part_of_harness(const char *function)
{
    function += *function == '\1';
    return !strncmp(function, "__pn_", 5) || !strncmp(function, "pn_allocation_fails", 19) ||
           !strncmp(function, "pn_model_", 9);
}

/* Whether the program has code that uses errno, and the harness does not make an input of it. */
static bool takes_errno_as_it_is(LLVMValueRef location)
{
    bool is_used = false;
    for (LLVMUseRef use = LLVMGetFirstUse(location); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        size_t length;
        const char *function = LLVMIsAInstruction(user)
                                   ? LLVMGetValueName2(LLVMGetBasicBlockParent(LLVMGetInstructionParent(user)), &length)
                                   : "";
        if (!strcmp(function, "__pn_harness"))
            return false;
        is_used |= !is_part_of_harness(function);
    }
    return is_used;
}

void find_assumed_world(struct emitter *emitter)
{
    struct site_table *sites = emitter->sites;
    for (LLVMValueRef at = LLVMGetFirstFunction(emitter->module); at; at = LLVMGetNextFunction(at)) {
        const char *name = foreign_name(at);
        find_all_arithmetic(emitter, at);
        if (!name)
            continue;
        sites->has_locale |= depends_on_locale(name);
        sites->prints |= is_one_of(printing, sizeof printing / sizeof *printing, name);
        sites->exits |= !strcmp(name, "exit") || !strcmp(name, "quick_exit");
        sites->stops |= !strcmp(name, "_exit") || !strcmp(name, "_Exit");
        if (!strcmp(name, "__errno_location") && takes_errno_as_it_is(at))
            words_add(&sites->assumed, "errno");
    }
}

/* A number that the program takes for an address, also by way of a constant: a device's, as nothing else is there. */
static LLVMValueRef fixed_address(LLVMValueRef address)
{
    while (LLVMIsAGetElementPtrInst(address) ||
           (LLVMIsAConstantExpr(address) && LLVMGetConstOpcode(address) == LLVMGetElementPtr))
        address = LLVMGetOperand(address, 0);
    LLVMValueRef from = LLVMIsALoadInst(address) ? LLVMGetOperand(address, 0) : NULL;
    if (from && LLVMIsAGlobalVariable(from) && LLVMIsGlobalConstant(from) && LLVMGetInitializer(from))
        address = LLVMGetInitializer(from);
    bool is_number = LLVMIsAConstantExpr(address) && LLVMGetConstOpcode(address) == LLVMIntToPtr;
    return is_number ? address : NULL;
}

static const char fixed_memory[] = "memory at a fixed address";

static void find_devices(struct emitter *emitter, LLVMValueRef function)
{
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at)) {
            bool is_store = LLVMIsAStoreInst(at);
            bool is_volatile = (is_store || LLVMIsALoadInst(at)) && LLVMGetVolatile(at);
            if (is_volatile && fixed_address(LLVMGetOperand(at, is_store)) &&
                !words_have(&emitter->sites->outside, fixed_memory))
                words_add(&emitter->sites->outside, fixed_memory);
        }
}

void find_outside(struct emitter *emitter)
{
    struct site_table *sites = emitter->sites;
    size_t length;
    for (LLVMValueRef at = LLVMGetFirstFunction(emitter->module); at; at = LLVMGetNextFunction(at)) {
        const char *name = foreign_name(at);
        find_devices(emitter, at);
        if (!name)
            continue;
        sites->allocates |= is_allocating(name);
        if (!is_self_contained(name) && !is_allocating(name))
            words_add(&sites->outside, arena_format(sites->arena, "%s()", name));
    }
    for (LLVMValueRef at = LLVMGetFirstGlobal(emitter->module); at; at = LLVMGetNextGlobal(at)) {
        const char *name = LLVMGetValueName2(at, &length);
        bool is_known = is_standard_output(name) ? !is_told_from_others(at) : !strncmp(name, "__pn_", 5);
        if (LLVMIsDeclaration(at) && LLVMGetFirstUse(at) && !is_known)
            words_add(&sites->outside, arena_copy_string(sites->arena, name));
    }
}
