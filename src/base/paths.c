#include "base/paths.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

bool paths_support_directory(char path[static 4096], struct error *error)
{
    char executable[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", executable, sizeof executable - 1);
    if (length < 0)
        return error_set(error, "cannot read /proc/self/exe: %s", strerror(errno));
    executable[length] = '\0';
    char *slash = strrchr(executable, '/');
    if (slash)
        *slash = '\0';

    static const char *const places[] = {"lib/penumbra", "../lib/penumbra"};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        char header[PATH_MAX + 64];
        snprintf(header, sizeof header, "%s/%s/include/penumbra.h", executable, places[i]);
        int size = snprintf(path, 4096, "%s/%s", executable, places[i]);
        if (size > 0 && size < 4096 && access(header, R_OK) == 0)
            return true;
    }
    return error_set(error,
                     "cannot find Penumbra's own files: neither %s/lib/penumbra nor %s/../lib/penumbra has them; run "
                     "`make`, or install with `make install`",
                     executable, executable);
}
