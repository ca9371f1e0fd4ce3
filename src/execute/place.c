#include "execute/place.h"
#include "execute/directory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

enum { MOST_COPIED_FILES = 2000, MOST_COPIED_BYTES = 16 << 20, DEEPEST = 128 };

void place_note(struct place *place)
{
    fstat(place->root, &place->before);
}

bool place_has_other_mode(const struct place *place)
{
    struct stat status;
    return fstat(place->root, &status) || status.st_mode != place->before.st_mode;
}

static bool has_content(const struct place *place)
{
    struct directory_names names = directory_read(place->root);
    bool has_more = names.count > (place->skeleton && *place->skeleton ? 1 : 0);
    directory_names_free(&names);
    return has_more;
}

/* ---- emptying ---- */

/* Directories can lie in each other deeper than we can follow with a descriptor for each: from some depth on they are
 * moved up to the root, where their turn comes later. */
static void empty(int root, int directory, int depth);

static void remove_entry(int root, int directory, const char *name, int depth)
{
    static unsigned moved;
    if (!unlinkat(directory, name, 0) || errno == ENOENT)
        return;
    fchmodat(directory, name, 0700, 0); /* nothing that was made there keeps us out */
    char other[32];
    snprintf(other, sizeof other, "moved-%u", moved++);
    if (depth >= DEEPEST && !renameat(directory, name, root, other))
        return;
    int below = directory_open(directory, name);
    if (below >= 0) {
        empty(root, below, depth + 1);
        close(below);
    }
    unlinkat(directory, name, AT_REMOVEDIR);
}

static void empty(int root, int directory, int depth)
{
    struct directory_names names = directory_read(directory);
    for (size_t i = 0; i < names.count; i++)
        remove_entry(root, directory, names.list[i], depth);
    directory_names_free(&names);
}

void place_empty(const struct place *place)
{
    enum { MOST_ROUNDS = 1000 };
    fchmod(place->root, 0700);
    for (int round = 0; round < MOST_ROUNDS; round++) {
        empty(place->root, place->root, 0);
        if (!has_content(place))
            break;
    }
    fchmod(place->root, place->before.st_mode & 07777);
}

bool place_undo(const struct place *place)
{
    struct stat status;
    struct directory_names names = directory_read(place->root);
    int directory = open(place->shown, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool good = directory >= 0 && !place_has_other_mode(place);
    for (size_t i = 0; i < names.count && good; i++)
        good = fstatat(place->original, names.list[i], &status, AT_SYMLINK_NOFOLLOW) && errno == ENOENT;
    for (size_t i = 0; i < names.count && good; i++)
        remove_entry(directory, directory, names.list[i], 0);
    directory_names_free(&names);
    if (directory >= 0)
        close(directory);
    return good && !has_content(place);
}

/* ---- copying ---- */

struct copying {
    size_t files, bytes;
    int depth;
};

static bool copy_file(struct copying *copying, int from, int to, const char *name, const struct stat *status)
{
    char buffer[16384];
    int source = openat(from, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
    int copy = openat(to, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    ssize_t count = 0;
    bool fits = true;
    while (source >= 0 && copy >= 0 && fits && (count = read(source, buffer, sizeof buffer)) > 0) {
        copying->bytes += (size_t)count;
        fits = copying->bytes <= MOST_COPIED_BYTES && write(copy, buffer, (size_t)count) == count;
    }
    if (copy >= 0) {
        fchmod(copy, source >= 0 ? status->st_mode & 07777 : 0);
        close(copy);
    }
    if (source >= 0)
        close(source);
    return fits;
}

static bool copy_directory(struct copying *copying, int from, int to);

static bool copy_below(struct copying *copying, int from, int to, const char *name, const struct stat *status)
{
    if (mkdirat(to, name, 0700))
        return false;
    int source = directory_open(from, name), copy = directory_open(to, name);
    bool good = copy >= 0 && (source < 0 || copy_directory(copying, source, copy));
    if (copy >= 0) {
        fchmod(copy, status->st_mode & 07777);
        close(copy);
    }
    if (source >= 0)
        close(source);
    return good;
}

static bool copy_entry(struct copying *copying, int from, int to, const char *name)
{
    struct stat status;
    char target[4096];
    if (++copying->files > MOST_COPIED_FILES)
        return false;
    if (fstatat(from, name, &status, AT_SYMLINK_NOFOLLOW))
        return true;
    if (S_ISREG(status.st_mode))
        return copy_file(copying, from, to, name, &status);
    if (S_ISDIR(status.st_mode))
        return copy_below(copying, from, to, name, &status);
    if (!S_ISLNK(status.st_mode))
        return true; /* pipes, sockets and devices lead out */
    ssize_t length = readlinkat(from, name, target, sizeof target - 1);
    if (length < 0)
        return true;
    target[length] = '\0';
    return !symlinkat(target, to, name);
}

static bool copy_directory(struct copying *copying, int from, int to)
{
    struct directory_names names = directory_read(from);
    bool good = ++copying->depth < DEEPEST;
    for (size_t i = 0; i < names.count && good; i++)
        good = copy_entry(copying, from, to, names.list[i]);
    directory_names_free(&names);
    copying->depth--;
    return good;
}

bool place_copy(const struct place *place)
{
    struct copying copying = {0};
    if (copy_directory(&copying, place->original, place->root))
        return true;
    empty(place->root, place->root, 0);
    return false;
}
