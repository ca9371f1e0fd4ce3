#include "execute/namespaces.h"
#include "base/file.h"
#include "execute/directory.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* As the kernel has it: older systems' headers have neither the call nor the structure. */
struct attributes {
    uint64_t set, clear, propagation, user_namespace;
};

enum { SYSTEM_MOUNT_SETATTR = 442, RECURSIVELY = 0x8000, READ_ONLY = 1, NO_SET_ID = 2, NO_DEVICES = 4 };

static const char *const devices[] = {"null", "zero", "full", "random", "urandom", "tty"};
enum { DEVICES = sizeof devices / sizeof *devices };

static bool change_mount(const char *path, unsigned flags, uint64_t set, uint64_t clear)
{
    struct attributes attributes = {.set = set, .clear = clear};
    return !syscall(SYSTEM_MOUNT_SETATTR, AT_FDCWD, path, flags, &attributes, sizeof attributes);
}

static bool write_to(const char *path, const char *text)
{
    int file = open(path, O_WRONLY | O_CLOEXEC);
    bool good = file >= 0 && write(file, text, strlen(text)) == (ssize_t)strlen(text);
    if (file >= 0)
        close(file);
    return good;
}

/* The user stays who he is, and nobody else is known. */
static bool map_user(unsigned user, unsigned group)
{
    char map[64];
    snprintf(map, sizeof map, "%u %u 1", user, user);
    if (!write_to("/proc/self/uid_map", map))
        return false;
    write_to("/proc/self/setgroups", "deny"); /* before a user may map a group */
    snprintf(map, sizeof map, "%u %u 1", group, group);
    return write_to("/proc/self/gid_map", map);
}

static bool separate(struct failure *failure)
{
    unsigned user = geteuid(), group = getegid();
    if (unshare(CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS))
        return failure_note(failure, "make user, mount and network namespaces");
    if (!map_user(user, group))
        return failure_note(failure, "map the user into a namespace");
    return !mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) || failure_note(failure, "separate the mounts");
}

/* Everything below is named relative to the root of our file system, in which the process stays. */
static bool mount_root(struct namespaces *namespaces, const char *scratch, struct failure *failure)
{
    static const char *const directories[] = {"tmp", "var-tmp", "shm", "dev", "dev/shm", "original", "own", "empty"};
    if (mount("penumbra", scratch, "tmpfs", MS_NOSUID | MS_NODEV, "size=64m,nr_inodes=16384,mode=0755") ||
        chdir(scratch))
        return failure_note(failure, "mount a file system in memory");
    namespaces->root = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    umask(0);
    for (size_t i = 0; i < sizeof directories / sizeof *directories; i++)
        if (mkdir(directories[i], i < 3 ? 01777 : 0755))
            return failure_note(failure, "make directories in memory");
    return namespaces->root >= 0 || failure_note(failure, "open a file system in memory");
}

static bool link_descriptors(void)
{
    return !symlink("/proc/self/fd", "dev/fd") && !symlink("/proc/self/fd/0", "dev/stdin") &&
           !symlink("/proc/self/fd/1", "dev/stdout") && !symlink("/proc/self/fd/2", "dev/stderr");
}

/* The few devices that anybody may use; a device that is not there, or not to be had, is left out. */
static bool take_devices(struct failure *failure)
{
    for (size_t i = 0; i < DEVICES; i++) {
        char from[32], to[32];
        snprintf(from, sizeof from, "/dev/%s", devices[i]);
        snprintf(to, sizeof to, "dev/%s", devices[i]);
        int file = open(to, O_CREAT | O_WRONLY | O_CLOEXEC, 0666);
        if (file < 0)
            return failure_note(failure, "make /dev");
        close(file);
        if (mount(from, to, NULL, MS_BIND, NULL))
            unlink(to);
    }
    return link_descriptors() || failure_note(failure, "make /dev");
}

/* All that is mounted so far; then our own file system and the devices are given back what they need. */
static bool protect(struct failure *failure)
{
    if (!change_mount("/", RECURSIVELY, READ_ONLY | NO_SET_ID | NO_DEVICES, 0))
        return failure_note(failure, "make everything read-only");
    if (!change_mount(".", 0, 0, READ_ONLY))
        return failure_note(failure, "make a file system in memory writable");
    for (size_t i = 0; i < DEVICES; i++) {
        char path[32];
        snprintf(path, sizeof path, "dev/%s", devices[i]);
        change_mount(path, 0, 0, NO_DEVICES);
    }
    return true;
}

/* Directories up to and with `path`, which is absolute; those that exist are fine. */
static void make_path(const char *path)
{
    char part[4096];
    for (size_t i = 1; path[i - 1] && i < sizeof part; i++)
        if (path[i] == '/' || !path[i]) {
            snprintf(part, sizeof part, "%.*s", (int)i, path);
            mkdir(part, 0755);
        }
}

static struct place *add_place(struct namespaces *namespaces, const char *name, int root)
{
    struct place *place = &namespaces->places[namespaces->place_count++];
    *place = (struct place){.name = name, .root = root, .original = -1};
    return place;
}

/* An empty directory of ours in place of the system's. Where it is the working directory, that has a layer. */
static bool cover(struct namespaces *namespaces, const char *ours, const char *path, struct failure *failure)
{
    struct stat status;
    if (strcmp(path, namespaces->directory) == 0 || lstat(path, &status) || !S_ISDIR(status.st_mode))
        return true;
    if (mount(ours, path, NULL, MS_BIND, NULL))
        return failure_note(failure, "mount an empty directory for temporary files");
    struct place *place =
        add_place(namespaces, path, openat(namespaces->root, ours, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (directory_holds(path, namespaces->directory)) {
        place->skeleton = namespaces->directory + strlen(path) + 1;
        make_path(namespaces->directory);
    }
    return place->root >= 0 || failure_note(failure, "open an empty directory for temporary files");
}

static bool mount_devices(struct failure *failure)
{
    if (mount("dev", "/dev", NULL, MS_BIND | MS_REC, NULL) || !change_mount("/dev", 0, READ_ONLY, 0))
        return failure_note(failure, "mount /dev");
    return true;
}

bool namespaces_renew_layer(struct namespaces *namespaces, struct place *place, struct failure *failure)
{
    char changes[32], work[32], options[2 * OWN_ROOT_LONGEST + 128];
    bool is_first = place->root < 0;
    place->layer = namespaces->layers++;
    snprintf(changes, sizeof changes, "changes-%u", place->layer);
    snprintf(work, sizeof work, "work-%u", place->layer);
    snprintf(options, sizeof options, "lowerdir=%s,upperdir=%s,workdir=%s,userxattr", place->lower, changes, work);
    if (!is_first && umount2(place->shown, MNT_DETACH))
        return failure_note(failure, "unmount a directory that programs may change");
    struct stat status;
    if (fstat(place->original, &status) || mkdir(changes, status.st_mode & 07777) || mkdir(work, 0700))
        return failure_note(failure, "make directories in memory");
    if (mount("overlay", place->shown, "overlay", MS_NOSUID | MS_NODEV, options))
        return failure_note(failure, "mount a layer over a directory that programs may change");
    if (place->root >= 0)
        close(place->root);
    place->root = open(changes, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    return place->root >= 0 || failure_note(failure, "open the layer over a directory that programs may change");
}

static bool add_layer(struct namespaces *namespaces, struct place layer, int original, struct failure *failure)
{
    struct place *place = add_place(namespaces, layer.name, -1);
    place->is_layer = true;
    place->shown = layer.shown;
    place->lower = layer.lower;
    place->original = original;
    if (original >= 0 && namespaces_renew_layer(namespaces, place, failure))
        return true;
    namespaces->place_count--;
    return false;
}

/* What cannot have a layer (the root itself, a directory with others mounted in it, an exotic file system) can only be
 * read. */
static void mount_layer(struct namespaces *namespaces)
{
    struct failure ignored;
    struct place place = {.name = ".", .shown = namespaces->directory, .lower = "original"};
    if (strcmp(namespaces->directory, "/") != 0)
        add_layer(namespaces, place, open("original", O_RDONLY | O_DIRECTORY | O_CLOEXEC), &ignored);
}

/* The user's own directories over the system's, and a layer over both. What both have together, without changes, is
 * what a run leaves is compared with. */
static bool mount_own_root(struct namespaces *namespaces, const struct own_root *root, struct failure *failure)
{
    for (size_t i = 0; i < root->count; i++) {
        char merged[32], options[2 * OWN_ROOT_LONGEST + 64];
        const char *directory = root->directories[i];
        struct place place = {.name = directory, .shown = directory, .lower = namespaces->own_lowers[i]};
        snprintf(merged, sizeof merged, "merged-%zu", i);
        snprintf(namespaces->own_lowers[i], sizeof namespaces->own_lowers[i], "own%s:%s", directory, directory);
        snprintf(options, sizeof options, "lowerdir=%s,userxattr", place.lower);
        if (mkdir(merged, 0755) || mount("overlay", merged, "overlay", MS_NOSUID | MS_NODEV | MS_RDONLY, options))
            return failure_note(failure, "mount a root directory of its own for");
        if (!add_layer(namespaces, place, open(merged, O_RDONLY | O_DIRECTORY | O_CLOEXEC), failure))
            return false;
    }
    return true;
}

/* Where our file system was mounted, the program finds an empty directory, if it finds anything. */
static bool hide(const char *scratch, struct failure *failure)
{
    if (!mount("empty", scratch, NULL, MS_BIND, NULL))
        return change_mount(scratch, 0, READ_ONLY, 0) || failure_note(failure, "hide our own files");
    return errno == ENOENT || failure_note(failure, "hide our own files");
}

bool namespaces_enter(struct namespaces *namespaces, const struct world *world, struct failure *failure)
{
    *namespaces = (struct namespaces){.root = -1, .directory = world->directory};
    if (!separate(failure) || !mount_root(namespaces, world->scratch, failure) || !take_devices(failure))
        return false;
    bool has_original = !mount(world->directory, "original", NULL, MS_BIND | MS_REC, NULL);
    if (world->root.count && mount(world->root.path, "own", NULL, MS_BIND | MS_REC, NULL))
        return failure_note(failure, "mount the root directory of its own");
    if (!protect(failure) || !mount_devices(failure) || !cover(namespaces, "tmp", "/tmp", failure) ||
        !cover(namespaces, "var-tmp", "/var/tmp", failure) || !cover(namespaces, "shm", "/dev/shm", failure) ||
        !mount_own_root(namespaces, &world->root, failure))
        return false;
    if (has_original)
        mount_layer(namespaces);
    return hide(world->scratch, failure);
}

/* From Linux 6.14 on, each namespace has a bound of its own, which holds for root as well. */
static void bound_processes(void)
{
    char number[16];
    snprintf(number, sizeof number, "%d", NAMESPACES_PROCESSES);
    write_to("/proc/sys/kernel/pid_max", number);
}

void namespaces_mount_processes(void)
{
    if (mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL))
        return;
    bound_processes();
    change_mount("/proc", 0, READ_ONLY, 0);
}
