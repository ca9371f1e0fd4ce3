/* Removes files: -r directories too, -f says nothing of what is not there, -d empty directories, -v says what it does. */
#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool recursive, force, directories, verbose;
static int status;

static void complain(const char *name, const char *why)
{
    fprintf(stderr, "rm: cannot remove '%s': %s\n", name, why);
    status = 1;
}

static bool is_dot(const char *name)
{
    return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

static const char *last_part(const char *name)
{
    const char *slash = strrchr(name, '/');
    return slash ? slash + 1 : name;
}

static void remove_one(const char *name);

static void remove_content(const char *name)
{
    DIR *directory = opendir(name);
    if (!directory) {
        complain(name, strerror(errno));
        return;
    }
    for (struct dirent *entry; (entry = readdir(directory));) {
        if (is_dot(entry->d_name))
            continue;
        char *path = malloc(strlen(name) + strlen(entry->d_name) + 2);
        sprintf(path, "%s/%s", name, entry->d_name);
        remove_one(path);
        free(path);
    }
    closedir(directory);
}

static void remove_one(const char *name)
{
    struct stat file;
    if (is_dot(last_part(name))) {
        complain(name, "refusing to remove '.' or '..'");
        return;
    }
    if (lstat(name, &file)) {
        if (!force)
            complain(name, strerror(errno));
        return;
    }
    if (S_ISDIR(file.st_mode)) {
        if (!recursive && !directories) {
            complain(name, "Is a directory");
            return;
        }
        if (recursive)
            remove_content(name);
        if (rmdir(name)) {
            complain(name, strerror(errno));
            return;
        }
    } else if (unlink(name)) {
        complain(name, strerror(errno));
        return;
    }
    if (verbose)
        printf("removed '%s'\n", name);
}

int main(int argc, char **argv)
{
    int option;
    while ((option = getopt(argc, argv, "rRfdv")) != -1) {
        switch (option) {
        case 'r':
        case 'R': recursive = true; break;
        case 'f': force = true; break;
        case 'd': directories = true; break;
        case 'v': verbose = true; break;
        default: return 1;
        }
    }
    if (optind == argc && !force) {
        fprintf(stderr, "rm: missing operand\n");
        return 1;
    }
    for (int i = optind; i < argc; i++)
        remove_one(argv[i]);
    return status;
}
