/* Files and directories, with errors that name the path and the reason. */
#ifndef PENUMBRA_BASE_FILE_H
#define PENUMBRA_BASE_FILE_H

#include "base/error.h"
#include "base/text.h"

#include <stdbool.h>

/* Appends the file's bytes to `content`. */
bool file_read(const char *path, struct text *content, struct error *error);
/* Writes a temporary beside `path` and renames it: a reader sees the old content or the new, never a half. What
 * is no regular file (/dev/stdout, a link) is written in place. */
bool file_write(const char *path, const char *content, size_t length, struct error *error);
/* All of the bytes, to or from a descriptor; false where there is an end or an error before. */
bool file_write_to(int descriptor, const void *bytes, size_t length);
bool file_read_from(int descriptor, void *bytes, size_t length);
/* Makes the directory and those above it; one that exists already is fine. */
bool file_make_directory(const char *path, struct error *error);
/* Copies a directory with everything below it, as it is; one that exists is added to. */
bool file_copy_tree(const char *from, const char *to, struct error *error);
/* Removes a directory and everything below it; used for scratch directories only. */
void file_remove_tree(const char *path);
/* For messages about what could not be written by others: a sentence where the file system of the directory is as good
 * as full, else "". */
const char *file_room_hint(const char *directory, char hint[static 512]);
/* A fresh directory under $TMPDIR (or /tmp); `path` receives its name. */
bool file_make_scratch(char path[static 256], struct error *error);

#endif
