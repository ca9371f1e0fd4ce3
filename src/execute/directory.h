/* The names in a directory that is open. */
#ifndef PENUMBRA_EXECUTE_DIRECTORY_H
#define PENUMBRA_EXECUTE_DIRECTORY_H

#include <stdbool.h>
#include <stddef.h>

struct directory_names {
    char **list; /* sorted, without `.` and `..` */
    size_t count, capacity;
};

/* A directory that cannot be read has none. */
struct directory_names directory_read(int directory);
bool directory_has(const struct directory_names *names, const char *name);
void directory_names_free(struct directory_names *names);

/* A directory in it, which is none of a link's; -1: there is none. */
int directory_open(int directory, const char *name);

/* Whether a path is that of the directory, or of something in it, by the names alone. Both are absolute. */
bool directory_holds(const char *directory, const char *path);

#endif
