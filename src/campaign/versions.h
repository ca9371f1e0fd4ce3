/* Where the two versions come from: two files, two directories, two revisions of a git repository, or a tree and a
 * patch. */
#ifndef PENUMBRA_CAMPAIGN_VERSIONS_H
#define PENUMBRA_CAMPAIGN_VERSIONS_H

#include "base/arena.h"
#include "base/error.h"
#include "base/words.h"

struct versions_request {
    const struct words *named; /* on the command line: two files or directories; with a patch, the tree or nothing */
    const char
        *revisions;    /* of the repository in the current directory: REV1..REV2, or REV and the work tree; or NULL */
    bool cached;       /* REV and the index */
    const char *patch; /* or NULL */
    const char *fixed; /* a third version, of the same kind as the others; or NULL */
};

struct versions {
    const char *old, *new;
    bool are_directories;
    const char *fixed;               /* NULL where none was asked for */
    const char *old_name, *new_name; /* for people */
    const char *old_label;           /* of files of the old version, where it is not the user's own; NULL otherwise */
    const char *original;            /* that both were taken from; NULL when they are the user's own */
    const char *note;                /* a sentence for the user, or NULL */
    char scratch[256];               /* "" when nothing was copied */
};

bool versions_get(const struct versions_request *request, struct arena *arena, struct versions *versions,
                  struct error *error);
void versions_drop(struct versions *versions);

#endif
