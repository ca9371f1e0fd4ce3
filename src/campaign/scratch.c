#include "campaign/scratch.h"

#include "base/file.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define PREFIX "penumbra-"
#define LOCK ".lock"

/* The lock is held before the file has its name: nobody finds it unlocked while the owner lives. */
static void lock(const char *path)
{
    char unnamed[PATH_MAX], named[PATH_MAX];
    snprintf(unnamed, sizeof unnamed, "%s/" LOCK "-new", path);
    snprintf(named, sizeof named, "%s/" LOCK, path);
    int file = open(unnamed, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file >= 0 && flock(file, LOCK_EX | LOCK_NB) == 0)
        rename(unnamed, named); /* the descriptor stays open as long as the process */
}

static bool is_ours(int file, mode_t type)
{
    struct stat status;
    return fstat(file, &status) == 0 && status.st_uid == geteuid() && (status.st_mode & S_IFMT) == type;
}

/* Whether its owner is gone. Where that is not known, it is not. */
static bool is_left(int parent, const char *name)
{
    bool is_left = false;
    int directory = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (directory < 0)
        return false;
    int file = is_ours(directory, S_IFDIR) ? openat(directory, LOCK, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC) : -1;
    if (file >= 0) {
        is_left = is_ours(file, S_IFREG) && flock(file, LOCK_EX | LOCK_NB) == 0;
        close(file);
    }
    close(directory);
    return is_left;
}

static void remove_left(const char *parent)
{
    DIR *directory = opendir(parent);
    const struct dirent *entry;
    while (directory && (entry = readdir(directory))) {
        char path[PATH_MAX];
        if (strncmp(entry->d_name, PREFIX, strlen(PREFIX)) || !is_left(dirfd(directory), entry->d_name))
            continue;
        if (snprintf(path, sizeof path, "%s/%s", parent, entry->d_name) < (int)sizeof path)
            file_remove_tree(path);
    }
    if (directory)
        closedir(directory);
}

bool scratch_make(char path[static 256], struct error *error)
{
    char parent[256];
    if (!file_make_scratch(path, error))
        return false;
    lock(path);
    snprintf(parent, sizeof parent, "%s", path);
    *strrchr(parent, '/') = '\0';
    remove_left(*parent ? parent : "/");
    return true;
}
