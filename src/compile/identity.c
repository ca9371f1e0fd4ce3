#include "compile/identity.h"

#include "base/arena.h"
#include "base/text.h"
#include "compile/inputs.h"

#include <dlfcn.h>
#include <limits.h>
#include <llvm-c/Core.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- the tool ---- */

/* What a file is, without reading it: LLVM's library has a hundred megabytes. */
static bool add_file(struct digester *digester, const char *path)
{
    char real[PATH_MAX];
    struct stat status;
    if (!realpath(path, real) || stat(real, &status))
        return false;
    digester_add_string(digester, real);
    const uint64_t numbers[] = {status.st_dev,          status.st_ino,          (uint64_t)status.st_size,
                                status.st_mtim.tv_sec,  status.st_mtim.tv_nsec, status.st_ctim.tv_sec,
                                status.st_ctim.tv_nsec, status.st_mode};
    digester_add(digester, numbers, sizeof numbers);
    return true;
}

/* LLVM, and clang as a library, which lies beside it and is what the compiler mostly consists of. */
static bool add_llvm(struct digester *digester)
{
    static const char own[] = "libLLVM", other[] = "libclang-cpp";
    char path[PATH_MAX];
    Dl_info library;
    if (!dladdr((void *)(uintptr_t)LLVMContextCreate, &library) || !add_file(digester, library.dli_fname))
        return false;
    const char *name = strstr(library.dli_fname, own);
    int length = name ? snprintf(path, sizeof path, "%.*s%s%s", (int)(name - library.dli_fname), library.dli_fname,
                                 other, name + strlen(own))
                      : 0;
    digester_add_number(digester, length > 0 && length < (int)sizeof path && add_file(digester, path));
    return true;
}

bool identity_of_tool(struct digest *identity)
{
    static struct digest found;
    static bool is_known;
    struct digester digester;
    const struct compile_input *own = is_known ? NULL : compile_input_get("/proc/self/exe");
    if (!is_known && own) {
        digester_open(&digester, "tool " PENUMBRA_VERSION_STRING);
        digester_add_digest(&digester, &own->digest);
        is_known = add_llvm(&digester);
        found = digester_close(&digester);
    }
    *identity = found;
    return is_known;
}

/* ---- the compiler ---- */

static bool add_program(struct digester *digester, const char *name)
{
    char path[PATH_MAX];
    if (strchr(name, '/'))
        return add_file(digester, name);
    const char *list = getenv("PATH");
    for (const char *at = list ? list : "/usr/bin:/bin"; at; at = strchr(at, ':') ? strchr(at, ':') + 1 : NULL) {
        int length = (int)strcspn(at, ":");
        int written = snprintf(path, sizeof path, "%.*s/%s", length ? length : 1, length ? at : ".", name);
        if (written < (int)sizeof path && !access(path, X_OK))
            return add_file(digester, path);
    }
    return false;
}

/* Where headers are looked for, and what the clock says. */
static const char *const VARIABLES[] = {
    "CPATH",           "C_INCLUDE_PATH",    "COMPILER_PATH", "GCC_EXEC_PREFIX", "CCC_OVERRIDE_OPTIONS",
    "CLANG_SPAWN_CC1", "SOURCE_DATE_EPOCH", "SYSROOT"};

bool identity_of_compiler(const char *name, struct digest *identity)
{
    char directory[PATH_MAX];
    struct digester digester;
    digester_open(&digester, "compiler");
    if (!getcwd(directory, sizeof directory) || !add_program(&digester, name))
        return false;
    digester_add_string(&digester, directory);
    for (size_t i = 0; i < sizeof VARIABLES / sizeof *VARIABLES; i++) {
        const char *value = getenv(VARIABLES[i]);
        digester_add_string(&digester, value ? value : "\n"); /* that is no value */
    }
    *identity = digester_close(&digester);
    return true;
}

/* ---- flags ---- */

/* Flags that stand alone. */
static const char *const WHOLE[] = {
    "-c",         "-w",  "-pthread",  "-ansi",  "-pedantic",           "-pedantic-errors",
    "-emit-llvm", "-xc", "-nostdinc", "-undef", "--no-default-config", "-g",
    "-g0",        "-g1", "-g2",       "-g3",    "-gline-tables-only",  "-gcolumn-info",
};

/* Flags that take the next word; of what is given to the compiler proper, our own. */
static const char *const WITH_NEXT[] = {"-D",         "-U",       "-I",       "-isystem", "-iquote",
                                        "-idirafter", "-include", "-imacros", "-x",       "-Xclang"};
static const char *const PROPER[] = {"-disable-llvm-passes", "-disable-lifetime-markers", "-disable-O0-optnone"};

/* How others begin. */
static const char *const BEGINNINGS[] = {
    "-D", "-U", "-I", "-isystem", "-iquote", "-idirafter", "-std=", "-O", "-W", "-ggdb", "-gdwarf", "-f", "-m"};

/* Those of them that lead to further files, or to what another machine would not do. */
static const char *const REFUSED[] = {
    "-Wp,",
    "-Wa,",
    "-Wl,",
    "-mllvm",
    "-mrelax-all",
    "-fplugin",
    "-fpass",
    "-fmodule",
    "-fprofile",
    "-fcs-profile",
    "-fauto-profile",
    "-fimplicit-module",
    "-fprebuilt",
    "-fbuild-session",
    "-fsanitize-coverage",
    "-fxray",
    "-fsave-optimization",
    "-fproc-stat",
    "-ftime-",
    "-fembed",
    "-fthin",
    "-fcrash",
    "-fapinotes",
    "-findex",
    "-fcoverage",
    "-fpch",
    "-ftest-coverage",
    "-fsycl",
    "-fopenmp",
    "-fopenacc",
    "-fcuda",
    "-foffload",
    "-fno-integrated",
    "-flto",
    "-fsplit",
};

/* What may stand before the `=` of a flag that begins with -f or -m. Values of others may be files. */
static const char *const WITH_VALUE[] = {
    "-fmacro-prefix-map",
    "-ffile-prefix-map",
    "-fdebug-prefix-map",
    "-fdebug-compilation-dir",
    "-fsanitize",
    "-fno-sanitize",
    "-fsanitize-recover",
    "-fno-sanitize-recover",
    "-fvisibility",
    "-ftrivial-auto-var-init",
    "-ffp-contract",
    "-ffp-model",
    "-fstrict-flex-arrays",
    "-fpack-struct",
    "-fcf-protection",
    "-ftls-model",
    "-fexec-charset",
    "-finput-charset",
    "-fgnuc-version",
    "-fmessage-length",
    "-ftemplate-depth",
    "-fconstexpr-depth",
    "-fbracket-depth",
    "-ferror-limit",
    "-march",
    "-mtune",
    "-mcpu",
    "-mabi",
    "-mfpmath",
    "-mcmodel",
    "-mprefer-vector-width",
    "-mpreferred-stack-boundary",
    "-mstack-alignment",
};

#define COUNT(list) (sizeof(list) / sizeof *(list))

static bool is_among(const char *word, size_t length, const char *const list[], size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strlen(list[i]) == length && !strncmp(word, list[i], length))
            return true;
    return false;
}

static bool begins_like_one(const char *flag, const char *const list[], size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!strncmp(flag, list[i], strlen(list[i])))
            return true;
    return false;
}

static bool knows_alone(const char *flag)
{
    size_t length = strcspn(flag, "=");
    bool has_value = flag[length] && (flag[1] == 'f' || flag[1] == 'm');
    if (is_among(flag, strlen(flag), WHOLE, COUNT(WHOLE)))
        return true;
    if (!begins_like_one(flag, BEGINNINGS, COUNT(BEGINNINGS)) || begins_like_one(flag, REFUSED, COUNT(REFUSED)))
        return false;
    return !has_value || (is_among(flag, length, WITH_VALUE, COUNT(WITH_VALUE)) && strcmp(flag + length, "=native"));
}

/* A header that was compiled before stands for the header, where there is one. */
static bool has_compiled_header(const char *header)
{
    static const char *const suffixes[] = {".pch", ".gch"};
    char path[PATH_MAX];
    for (size_t i = 0; i < COUNT(suffixes); i++) {
        int length = snprintf(path, sizeof path, "%s%s", header, suffixes[i]);
        if (length >= (int)sizeof path || !access(path, F_OK))
            return true;
    }
    return false;
}

static bool knows_argument(const char *flag, const char *argument)
{
    if (!argument)
        return false;
    if (!strcmp(flag, "-Xclang"))
        return is_among(argument, strlen(argument), PROPER, COUNT(PROPER));
    if (!strcmp(flag, "-x"))
        return !strcmp(argument, "c");
    return strcmp(flag, "-include") || !has_compiled_header(argument);
}

bool identity_knows_flags(const char *const flags[], const char **why)
{
    for (size_t i = 0; flags[i]; i++) {
        bool takes_next = is_among(flags[i], strlen(flags[i]), WITH_NEXT, COUNT(WITH_NEXT));
        *why = flags[i];
        if (!(takes_next ? knows_argument(flags[i], flags[i + 1]) : knows_alone(flags[i])))
            return false;
        i += takes_next;
    }
    return true;
}
