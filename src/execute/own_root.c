/* Down both trees side by side, as long as there is nothing but directories that the system has as well. */
#include "execute/own_root.h"

#include "base/text.h"
#include "execute/directory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* They are each run's own already, or the kernel's. */
static const char *const reserved[] = {"/tmp", "/var/tmp", "/dev", "/proc", "/sys"};

static bool is_directory(int parent, const char *name)
{
    struct stat status;
    return !fstatat(parent, name, &status, AT_SYMLINK_NOFOLLOW) && S_ISDIR(status.st_mode);
}

static bool add_directory(struct own_root *root, const char *directory, const char *working_directory,
                          struct error *error)
{
    for (size_t i = 0; i < sizeof reserved / sizeof *reserved; i++)
        if (directory_holds(reserved[i], directory) || directory_holds(directory, reserved[i]))
            return error_set(error, "--root %s: it has files for %s, which each run has of its own", root->path,
                             directory);
    if (directory_holds(directory, working_directory))
        return error_set(error, "--root %s: the programs start in %s, which would lie below its %s (--cwd DIR)",
                         root->path, working_directory, directory);
    if (strpbrk(directory, ",:\\"))
        return error_set(error, "--root %s: a name with a comma, a colon or a backslash: %s", root->path, directory);
    if (root->count == OWN_ROOT_MOST || strlen(directory) >= OWN_ROOT_LONGEST)
        return error_set(error,
                         "--root %s: it has files for more than %d directories of the system, or in too deep ones",
                         root->path, OWN_ROOT_MOST);
    snprintf(root->directories[root->count++], OWN_ROOT_LONGEST, "%s", directory);
    return true;
}

/* The first name that the system has not as well, or not as a directory; NULL: there is none. */
static const char *find_other(const struct directory_names *names, int own, int system)
{
    for (size_t i = 0; i < names->count; i++)
        if (!is_directory(own, names->list[i]) || !is_directory(system, names->list[i]))
            return names->list[i];
    return NULL;
}

static bool visit(struct own_root *root, const struct text *path, int own, int system, const char *working_directory,
                  struct error *error);

static bool visit_inner(struct own_root *root, const struct text *path, int own, int system, const char *name,
                        const char *working_directory, struct error *error)
{
    struct text inner = {0};
    text_format(&inner, "%s/%s", text_string(path), name);
    int own_inner = directory_open(own, name), system_inner = directory_open(system, name);
    bool good =
        own_inner >= 0 && system_inner >= 0
            ? visit(root, &inner, own_inner, system_inner, working_directory, error)
            : error_set(error, "--root %s: cannot read %s: %s", root->path, text_string(&inner), strerror(errno));
    if (own_inner >= 0)
        close(own_inner);
    if (system_inner >= 0)
        close(system_inner);
    text_free(&inner);
    return good;
}

/* Of both trees, the directory of this path; "" for the root itself. */
static bool visit(struct own_root *root, const struct text *path, int own, int system, const char *working_directory,
                  struct error *error)
{
    bool good = true;
    struct directory_names names = directory_read(own);
    const char *other = find_other(&names, own, system);
    if (other && !path->length)
        good = error_set(error,
                         "--root %s: / has no directory '%s', and nothing can be added to it: put it below /opt, for "
                         "example",
                         root->path, other);
    else if (other)
        good = add_directory(root, text_string(path), working_directory, error);
    for (size_t i = 0; i < names.count && !other && good; i++)
        good = visit_inner(root, path, own, system, names.list[i], working_directory, error);
    directory_names_free(&names);
    return good;
}

bool own_root_find(const char *path, const char *working_directory, struct own_root *root, struct error *error)
{
    struct text none = {0};
    *root = (struct own_root){0};
    if (!realpath(path, root->path))
        return error_set(error, "--root %s: %s", path, strerror(errno));
    int own = directory_open(AT_FDCWD, root->path), system = directory_open(AT_FDCWD, "/");
    bool good = own >= 0 && system >= 0 ? visit(root, &none, own, system, working_directory, error)
                                        : error_set(error, "--root %s: %s", path, strerror(errno));
    if (own >= 0)
        close(own);
    if (system >= 0)
        close(system);
    return good;
}
