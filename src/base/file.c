#include "base/file.h"

#include "base/process.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

bool file_read(const char *path, struct text *content, struct error *error)
{
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        return error_set(error, "cannot open %s: %s", path, strerror(errno));
    char buffer[64 * 1024];
    ssize_t count;
    while ((count = read(descriptor, buffer, sizeof buffer)) != 0) {
        if (count > 0) {
            text_append(content, buffer, (size_t)count);
        } else if (errno != EINTR) {
            int reason = errno;
            close(descriptor);
            return error_set(error, "cannot read %s: %s", path, strerror(reason));
        }
    }
    close(descriptor);
    return true;
}

bool file_write_to(int descriptor, const void *bytes, size_t length)
{
    for (const char *at = bytes; length > 0;) {
        ssize_t count = write(descriptor, at, length);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return false;
        at += count;
        length -= (size_t)count;
    }
    return true;
}

bool file_read_from(int descriptor, void *bytes, size_t length)
{
    for (char *at = bytes; length > 0;) {
        ssize_t count = read(descriptor, at, length);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return false;
        at += count;
        length -= (size_t)count;
    }
    return true;
}

/* Opens `path` with the flags, writes everything and closes; errno tells why not. */
static bool write_all(const char *path, int flags, const char *content, size_t length)
{
    int descriptor = open(path, flags | O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (descriptor < 0)
        return false;
    if (file_write_to(descriptor, content, length))
        return close(descriptor) == 0;
    int reason = errno;
    close(descriptor);
    errno = reason;
    return false;
}

bool file_write(const char *path, const char *content, size_t length, struct error *error)
{
    struct stat status;
    bool in_place = lstat(path, &status) == 0 && !S_ISREG(status.st_mode);
    if (in_place) { /* /dev/stdout, a pipe or a symbolic link must not be replaced by a file */
        if (!write_all(path, O_TRUNC, content, length))
            return error_set(error, "cannot write %s: %s", path, strerror(errno));
        return true;
    }
    static atomic_uint serial; /* two threads may write the same file */
    char temporary[PATH_MAX];
    int size = snprintf(temporary, sizeof temporary, "%s.%d.%u.tmp", path, (int)getpid(), atomic_fetch_add(&serial, 1));
    if (size < 0 || (size_t)size >= sizeof temporary)
        return error_set(error, "cannot write %s: %s", path, strerror(ENAMETOOLONG));
    if (!write_all(temporary, O_EXCL, content, length) || rename(temporary, path) != 0) {
        int reason = errno;
        unlink(temporary);
        return error_set(error, "cannot write %s: %s", path, strerror(reason));
    }
    return true;
}

bool file_make_directory(const char *path, struct error *error)
{
    char prefix[PATH_MAX];
    size_t length = strlen(path);
    if (length >= sizeof prefix)
        return error_set(error, "cannot create directory %s: %s", path, strerror(ENAMETOOLONG));
    for (size_t i = 1; i <= length; i++) {
        if (path[i] != '/' && path[i] != '\0')
            continue;
        memcpy(prefix, path, i);
        prefix[i] = '\0';
        if (mkdir(prefix, 0777) == 0)
            continue;
        int reason = errno;
        struct stat status;
        if (stat(prefix, &status) != 0 || !S_ISDIR(status.st_mode))
            return error_set(error, "cannot create directory %s: %s", prefix, strerror(reason));
    }
    return true;
}

static int remove_entry(const char *path, const struct stat *status, int type, struct FTW *position)
{
    (void)status, (void)type, (void)position;
    remove(path);
    return 0;
}

void file_remove_tree(const char *path)
{
    nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

bool file_make_scratch(char path[static 256], struct error *error)
{
    const char *parent = getenv("TMPDIR");
    if (!parent || !*parent)
        parent = "/tmp";
    int size = snprintf(path, 256, "%s/penumbra-XXXXXX", parent);
    if (size < 0 || size >= 256)
        return error_set(error, "cannot create a scratch directory: the name in TMPDIR is too long");
    if (!mkdtemp(path))
        return error_set(error, "cannot create a scratch directory in %s: %s", parent, strerror(errno));
    return true;
}

bool file_copy_tree(const char *from, const char *to, struct error *error)
{
    const char *const command[] = {"cp", "-a", "-H", "-T", from, to, NULL}; /* `from` itself may be a link */
    struct process_result result = {0};
    if (!process_run(command, NULL, &(struct process_limits){0}, &result, error))
        return false;
    const char *complaint = text_string(&result.errors);
    bool good = result.exit_status == 0 ||
                error_set(error, "cannot copy %s to %s: %.*s", from, to, (int)strcspn(complaint, "\n"), complaint);
    process_result_free(&result);
    return good;
}

const char *file_room_hint(const char *directory, char hint[static 512])
{
    enum { ENOUGH = 16 << 20 };
    struct statvfs status;
    hint[0] = '\0';
    if (statvfs(directory, &status) == 0 && status.f_bavail * status.f_frsize < ENOUGH)
        snprintf(hint, 512, "There are %llu kB left in %s: make room, or choose another place (TMPDIR, --out).\n",
                 (unsigned long long)(status.f_bavail * status.f_frsize / 1024), directory);
    return hint;
}
