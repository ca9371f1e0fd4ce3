#include "check/link.h"
#include "compile/compile.h"

#include <stdbool.h>
#include <unistd.h>

#define SANITIZERS "/usr/lib/llvm-19/lib/clang/19/lib/linux"
#define ASAN_RUNTIME SANITIZERS "/libclang_rt.asan-x86_64.so" /* has what UBSan needs, too */
#define BUILTINS SANITIZERS "/libclang_rt.builtins-x86_64.a"
#define LIBC_DIRECTORY "/usr/lib/x86_64-linux-gnu"
#define LOADER "/lib64/ld-linux-x86-64.so.2"

static bool exists(const char *path)
{
    return access(path, R_OK) == 0;
}

static bool can_link_directly(void)
{
    return exists(ASAN_RUNTIME) && exists(BUILTINS) && exists(LIBC_DIRECTORY "/Scrt1.o") &&
           exists(LIBC_DIRECTORY "/crti.o") && exists(LIBC_DIRECTORY "/crtn.o") && exists(LOADER);
}

static void add_all(struct words *command, const char *const words[])
{
    for (size_t i = 0; words[i]; i++)
        words_add(command, words[i]);
}

/* gold takes half the time of the other linker. Neither need look at what the runtime itself is linked with. What the
 * program calls is looked up once when the server starts, not in each run. */
static void link_directly(struct words *command, const char *executable, const char *const objects[])
{
    static const char *const first[] = {
        "-pie", "--eh-frame-hdr",          "--allow-shlib-undefined", "-z", "now", "-dynamic-linker",
        LOADER, LIBC_DIRECTORY "/Scrt1.o", LIBC_DIRECTORY "/crti.o",  NULL};
    static const char *const last[] = {ASAN_RUNTIME, "-rpath", SANITIZERS, "-L" LIBC_DIRECTORY, "-lm", "-lc",
                                       BUILTINS,     "-o",     NULL};
    words_add(command, exists("/usr/bin/ld.gold") ? "/usr/bin/ld.gold" : "ld");
    add_all(command, first);
    add_all(command, objects);
    add_all(command, last);
    words_add(command, executable);
    words_add(command, LIBC_DIRECTORY "/crtn.o");
}

void link_command(struct words *command, const char *executable, const char *const objects[],
                  const char *const libraries[])
{
    if (!libraries[0] && can_link_directly()) {
        link_directly(command, executable, objects);
        return;
    }
    static const char *const driver[] = {COMPILE_PROGRAM, "-fsanitize=address", "-pie", "-Wl,-z,now", NULL};
    add_all(command, driver);
    add_all(command, objects);
    add_all(command, libraries);
    words_add(command, "-lm");
    words_add(command, "-o");
    words_add(command, executable);
}
