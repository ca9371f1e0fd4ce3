#include "instrument/models.h"
#include "instrument/bitcode.h"

#include <llvm-c/BitReader.h>
#include <llvm-c/Linker.h>
#include <stdio.h>
#include <string.h>

#define MODEL "pn_model_"
#define REAL "__pn_real_"

bool is_model(LLVMValueRef function)
{
    return LLVMIsAFunction(function) && text_begins_with(name_of(function), MODEL);
}

void model_name(LLVMValueRef function, char *name, size_t size)
{
    const char *behind = name_of(function) + strlen(MODEL);
    snprintf(name, size, "%.*s", (int)strcspn(behind, "."), behind);
}

/* ---- which models are used ---- */

/* Models that hold in the "C" locale only, in which every program starts. A name that ends in `*` stands for all that
 * begin so. */
static const char *const in_c_locale[] = {"is*",        "to*",         "_to*",       "__ctype_*",  "strcoll", "strxfrm",
                                          "strcasecmp", "strncasecmp", "strcasestr", "ato*",       "strto*",  "__isoc*",
                                          "*printf",    "*scanf",      "wcscoll",    "wcscasecmp", "mb*",     "btowc",
                                          "wcrtomb",    "wctomb",      "wctob",      "wcwidth",    "wcswidth"};
static const char *const change_locale[] = {"setlocale", "uselocale", "newlocale"};
/* Models with a state that code without instrumentation would share. */
static const char *const with_state[] = {"rand", "srand", "random", "srandom", "strtok", "strsignal"};

/* How they go on depends on what the rest of the program has asked for, and shows there. */
static const char *const go_on[] = {"rand", "srand", "random", "srandom", "strtok"};

/* Where files or streams are inputs. */
// clang-format off
static const char *const of_streams[] = {
    "fgetc", "getc", "_IO_getc", "fgetc_unlocked", "getc_unlocked", "getchar", "getchar_unlocked", "__uflow", "ungetc",
    "fgets", "fgets_unlocked", "getdelim", "__getdelim", "getline", "fread", "fread_unlocked", "read", "pread",
    "pread64", "readv", "lseek", "lseek64", "fseek", "fseeko", "fseeko64", "rewind", "ftell", "ftello", "ftello64",
    "feof", "feof_unlocked", "ferror", "ferror_unlocked", "clearerr", "clearerr_unlocked", "close", "fclose", "freopen",
    "dup2", "fstat", "stat", "lstat", "fstatat", "mmap", "vfscanf", "fscanf", "scanf", "__isoc99_vfscanf",
    "__isoc99_fscanf", "__isoc99_scanf", "__isoc23_vfscanf", "__isoc23_fscanf", "__isoc23_scanf",
};

/* Of whole programs only: their arguments are inputs, and their locale is "C". */
static const char *const of_programs[] = {
    "getopt*", "write", "error", "error_at_line", "warn", "warnx", "vwarn", "vwarnx", "err", "errx", "verr", "verrx", "perror", "gettext",
    "dgettext", "dcgettext", "ngettext", "dngettext", "dcngettext", "setlocale", "exit",
};
// clang-format on

bool is_whole_program(LLVMModuleRef module)
{
    return LLVMGetNamedFunction(module, "__pn_give");
}

static bool has_streams(LLVMModuleRef module)
{
    return is_whole_program(module) || LLVMGetNamedFunction(module, "__pn_open_stream");
}

static bool fits(const char *pattern, const char *name)
{
    size_t length = strlen(pattern), name_length = strlen(name);
    if (*pattern == '*')
        return name_length >= length - 1 && !strcmp(name + name_length - (length - 1), pattern + 1);
    return pattern[length - 1] == '*' ? !strncmp(name, pattern, length - 1) : !strcmp(name, pattern);
}

static bool fits_any(const char *const patterns[], size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (fits(patterns[i], name))
            return true;
    return false;
}

static bool changes_locale(LLVMModuleRef module)
{
    if (is_whole_program(module))
        return false;
    for (size_t i = 0; i < sizeof change_locale / sizeof *change_locale; i++)
        if (LLVMGetNamedFunction(module, change_locale[i]))
            return true;
    return false;
}

/* NULL where there is no model, or it cannot stand in for what this program means by the name. */
static LLVMValueRef find_model(const struct emitter *emitter, LLVMModuleRef models, LLVMValueRef function,
                               bool other_locales)
{
    const char *name = name_of(function);
    LLVMValueRef model = LLVMGetNamedFunction(models, name);
    if (!model || LLVMIsDeclaration(model) || LLVMGlobalGetValueType(model) != LLVMGlobalGetValueType(function))
        return NULL;
    if (other_locales && depends_on_locale(name))
        return NULL;
    if (!is_whole_program(emitter->module) && fits_any(of_programs, sizeof of_programs / sizeof *of_programs, name))
        return NULL;
    if (!has_streams(emitter->module) && fits_any(of_streams, sizeof of_streams / sizeof *of_streams, name))
        return NULL;
    if (emitter->options->is_linked && fits_any(with_state, sizeof with_state / sizeof *with_state, name))
        return NULL;
    return model;
}

bool depends_on_locale(const char *name)
{
    return fits_any(in_c_locale, sizeof in_c_locale / sizeof *in_c_locale, name);
}

/* ---- linking ---- */

/* Only what is called will be read. */
static LLVMModuleRef open_models(struct emitter *emitter)
{
    LLVMMemoryBufferRef buffer;
    LLVMModuleRef models = NULL;
    char *message = NULL;
    const char *path = emitter->options->models;
    if (LLVMCreateMemoryBufferWithContentsOfFile(path, &buffer, &message)) {
        error_set(emitter->error, "%s: %s", path, message);
        LLVMDisposeMessage(message);
        return NULL;
    }
    if (LLVMGetBitcodeModuleInContext2(emitter->context, buffer, &models)) { /* it takes the buffer over */
        error_set(emitter->error, "%s: not LLVM 19 bitcode", path);
        return NULL;
    }
    return models;
}

static void put_prefix(LLVMValueRef value)
{
    char name[256];
    snprintf(name, sizeof name, MODEL "%s", name_of(value));
    LLVMSetValueName2(value, name, strlen(name));
    if (LLVMGetLinkage(value) == LLVMExternalLinkage)
        LLVMSetLinkage(value, LLVMLinkOnceODRLinkage); /* is linked where it is needed, else left out */
}

static void rename_all(LLVMModuleRef models)
{
    for (LLVMValueRef at = LLVMGetFirstFunction(models); at; at = LLVMGetNextFunction(at))
        if (!LLVMIsDeclaration(at))
            put_prefix(at);
    for (LLVMValueRef at = LLVMGetFirstGlobal(models); at; at = LLVMGetNextGlobal(at))
        if (!LLVMIsDeclaration(at) && !text_begins_with(name_of(at), "llvm."))
            put_prefix(at);
}

/* The program's calls, and its pointers to the function, lead to the model from now on. */
static void stand_in(struct emitter *emitter, LLVMValueRef function)
{
    char name[256];
    snprintf(name, sizeof name, MODEL "%s", name_of(function));
    LLVMValueRef model = LLVMAddFunction(emitter->module, name, LLVMGlobalGetValueType(function));
    LLVMReplaceAllUsesWith(function, model);
    LLVMDeleteFunction(function);
}

static size_t replace_functions(struct emitter *emitter, LLVMModuleRef models)
{
    bool other_locales = changes_locale(emitter->module);
    size_t count = 0;
    for (LLVMValueRef at = LLVMGetFirstFunction(emitter->module), next; at; at = next) {
        next = LLVMGetNextFunction(at);
        if (!LLVMIsDeclaration(at) || !LLVMGetFirstUse(at) || !find_model(emitter, models, at, other_locales))
            continue;
        if (fits_any(go_on, sizeof go_on / sizeof *go_on, name_of(at)))
            words_add(&emitter->sites->outside, arena_format(emitter->sites->arena, "%s()", name_of(at)));
        stand_in(emitter, at);
        count++;
    }
    return count;
}

bool models_link(struct emitter *emitter)
{
    LLVMModuleRef models = open_models(emitter);
    if (!models)
        return false;
    if (!replace_functions(emitter, models)) {
        LLVMDisposeModule(models);
        return true;
    }
    rename_all(models);
    if (LLVMLinkModules2(emitter->module, models))
        return error_set(emitter->error, "%s cannot be linked into the program", emitter->options->models);
    for (LLVMValueRef at = LLVMGetFirstFunction(emitter->module); at; at = LLVMGetNextFunction(at)) {
        if (!is_model(at) || LLVMIsDeclaration(at))
            continue;
        LLVMSetLinkage(at, LLVMInternalLinkage);
        emitter->models_by_pointer |= is_address_taken(at);
    }
    for (LLVMValueRef at = LLVMGetFirstGlobal(emitter->module); at; at = LLVMGetNextGlobal(at))
        if (text_begins_with(name_of(at), MODEL) && !LLVMIsDeclaration(at))
            LLVMSetLinkage(at, LLVMInternalLinkage);
    return true;
}

static bool is_to_be_inlined(LLVMValueRef function)
{
    return LLVMGetEnumAttributeAtIndex(function, LLVMAttributeFunctionIndex,
                                       LLVMGetEnumAttributeKindForName("alwaysinline", 12)) != NULL;
}

void models_keep_apart(struct emitter *emitter, bool apart)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("noinline", 8);
    for (LLVMValueRef at = LLVMGetFirstFunction(emitter->module); at; at = LLVMGetNextFunction(at)) {
        if (LLVMIsDeclaration(at) || !is_model(at) || is_to_be_inlined(at))
            continue;
        if (apart)
            LLVMAddAttributeAtIndex(at, LLVMAttributeFunctionIndex, LLVMCreateEnumAttribute(emitter->context, kind, 0));
        else
            LLVMRemoveEnumAttributeAtIndex(at, LLVMAttributeFunctionIndex, kind);
    }
}

/* A function of the program with that name, which only the program sees, steps aside. */
static void name_real(struct emitter *emitter, LLVMValueRef function)
{
    const char *name = name_of(function) + strlen(REAL);
    LLVMValueRef same = LLVMGetNamedFunction(emitter->module, name);
    if (same && LLVMGetLinkage(same) == LLVMInternalLinkage) {
        char aside[300];
        snprintf(aside, sizeof aside, "%s.program", name);
        LLVMSetValueName2(same, aside, strlen(aside));
        same = NULL;
    }
    if (same) {
        LLVMReplaceAllUsesWith(function, same);
        LLVMDeleteFunction(function);
        return;
    }
    char true_name[256];
    snprintf(true_name, sizeof true_name, "%s", name);
    LLVMSetValueName2(function, true_name, strlen(true_name));
}

void models_name_real(struct emitter *emitter)
{
    for (LLVMValueRef at = LLVMGetFirstFunction(emitter->module), next; at; at = next) {
        next = LLVMGetNextFunction(at);
        if (LLVMIsDeclaration(at) && text_begins_with(name_of(at), REAL))
            name_real(emitter, at);
    }
}
