#include "instrument/bitcode.h"

#include <llvm-c/BitReader.h>
#include <llvm-c/Linker.h>
#include <stdbool.h>

static void take_diagnostic(LLVMDiagnosticInfoRef information, void *diagnosed)
{
    if (LLVMGetDiagInfoSeverity(information) != LLVMDSError)
        return;
    char *description = LLVMGetDiagInfoDescription(information);
    error_set(diagnosed, "%s", description);
    LLVMDisposeMessage(description);
}

void bitcode_catch_errors(LLVMContextRef context, struct error *diagnosed)
{
    LLVMContextSetDiagnosticHandler(context, take_diagnostic, diagnosed);
}

LLVMModuleRef bitcode_read(LLVMContextRef context, const char *path, struct error *error)
{
    LLVMMemoryBufferRef buffer;
    LLVMModuleRef module = NULL;
    char *message = NULL;
    if (LLVMCreateMemoryBufferWithContentsOfFile(path, &buffer, &message)) {
        error_set(error, "%s: %s", path, message ? message : "unknown error");
        LLVMDisposeMessage(message);
        return NULL;
    }
    if (LLVMParseBitcodeInContext2(context, buffer, &module)) {
        error_set(error, "%s: not LLVM 19 bitcode", path);
        module = NULL;
    }
    LLVMDisposeMemoryBuffer(buffer);
    return module;
}

/* ---- files that do not fit ---- */

static bool is_the_definition(LLVMValueRef value)
{
    return value && !LLVMIsDeclaration(value) && LLVMGetLinkage(value) == LLVMExternalLinkage;
}

static LLVMValueRef find_definition(LLVMModuleRef module, const char *name)
{
    LLVMValueRef function = LLVMGetNamedFunction(module, name), variable = LLVMGetNamedGlobal(module, name);
    return is_the_definition(function) ? function : is_the_definition(variable) ? variable : NULL;
}

/* The first function or variable that both define; NULL when there is none. */
static const char *find_common(LLVMModuleRef one, LLVMModuleRef other)
{
    size_t length;
    for (LLVMValueRef at = LLVMGetFirstFunction(one); at; at = LLVMGetNextFunction(at))
        if (is_the_definition(at) && find_definition(other, LLVMGetValueName2(at, &length)))
            return LLVMGetValueName2(at, &length);
    for (LLVMValueRef at = LLVMGetFirstGlobal(one); at; at = LLVMGetNextGlobal(at))
        if (is_the_definition(at) && find_definition(other, LLVMGetValueName2(at, &length)))
            return LLVMGetValueName2(at, &length);
    return NULL;
}

/* Linking has used the modules up: they are read once more to see what stands where. */
static void explain_clash(LLVMContextRef context, const char *const paths[], const char *const names[], size_t last,
                          struct error *error)
{
    LLVMModuleRef module = bitcode_read(context, paths[last], error);
    for (size_t i = 0; module && i < last && !error->message; i++) {
        LLVMModuleRef earlier = bitcode_read(context, paths[i], error);
        const char *name = earlier ? find_common(earlier, module) : NULL;
        if (name)
            error_set(error,
                      "'%s' is defined in %s and in %s, and one program cannot have both: leave one of the files out "
                      "(two files can be compared as well as two directories), or make one of the definitions static",
                      name, names[i], names[last]);
        if (earlier)
            LLVMDisposeModule(earlier);
    }
    if (module)
        LLVMDisposeModule(module);
    error_set(error, "%s does not fit the files before it", names[last]);
}

LLVMModuleRef bitcode_link(LLVMContextRef context, const char *const paths[], const char *const names[], size_t count,
                           struct error *error)
{
    LLVMModuleRef all = NULL;
    for (size_t i = 0; i < count; i++) {
        LLVMModuleRef module = bitcode_read(context, paths[i], error);
        bool good = module != NULL;
        if (good && all && LLVMLinkModules2(all, module)) {
            explain_clash(context, paths, names, i, error);
            good = false;
        }
        if (!good) {
            if (all)
                LLVMDisposeModule(all);
            return NULL;
        }
        all = all ? all : module;
    }
    return all;
}
