/* The files that compilations read, as this process knows them: what is in them, and whether there is one by a name.
 * Each is read once, as long as it stays what it was. */
#ifndef PENUMBRA_COMPILE_INPUTS_H
#define PENUMBRA_COMPILE_INPUTS_H

#include "base/digest.h"
#include "base/set.h"
#include "base/words.h"

#include <stdbool.h>
#include <sys/stat.h>

struct compile_input {
    struct stat status;
    struct digest digest;
    struct words asked; /* names that __has_include() asks for */
    bool is_unclear;    /* it may ask for others, too */
};

/* Whether the file was last changed before that moment. */
bool compile_is_older(const struct stat *status, const struct timespec *moment);

/* By its real path; NULL when it cannot be read. Valid until the next call with the same path. */
const struct compile_input *compile_input_get(const char *path);

struct compile_directory {
    const char *path;
    struct stat status;
    struct set *names; /* of what is in it */
};

/* NULL when it cannot be read. Valid until the next call with the same path. */
const struct compile_directory *compile_directory_get(const char *path);
/* Whether there is a file of that name, which may lead further down. */
bool compile_directory_has(const struct compile_directory *directory, const char *name);

#endif
