#include "execute/directory.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int compare_names(const void *one, const void *other)
{
    return strcmp(*(char *const *)one, *(char *const *)other);
}

static bool add_name(struct directory_names *names, const char *name)
{
    if (names->count == names->capacity) {
        size_t capacity = names->capacity ? 2 * names->capacity : 16;
        char **list = realloc(names->list, capacity * sizeof *list);
        if (!list)
            return false;
        names->list = list;
        names->capacity = capacity;
    }
    return (names->list[names->count++] = strdup(name));
}

struct directory_names directory_read(int directory)
{
    struct directory_names names = {0};
    int again = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *stream = again >= 0 ? fdopendir(again) : NULL;
    if (!stream && again >= 0)
        close(again);
    for (struct dirent *entry; stream && (entry = readdir(stream));)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 && !add_name(&names, entry->d_name))
            break;
    if (stream)
        closedir(stream);
    if (names.count)
        qsort(names.list, names.count, sizeof *names.list, compare_names);
    return names;
}

void directory_names_free(struct directory_names *names)
{
    for (size_t i = 0; i < names->count; i++)
        free(names->list[i]);
    free(names->list);
}

bool directory_has(const struct directory_names *names, const char *name)
{
    return names->count && bsearch(&name, names->list, names->count, sizeof *names->list, compare_names);
}

int directory_open(int directory, const char *name)
{
    return openat(directory, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

bool directory_holds(const char *directory, const char *path)
{
    size_t length = strlen(directory);
    return strncmp(path, directory, length) == 0 && (path[length] == '/' || !path[length]);
}
