/* Two versions as the user has them: two files, or two directories with many. Every pair of files that differs is
 * unified; one that cannot be is named, and the rest goes on. */
#ifndef PENUMBRA_UNIFY_TREES_H
#define PENUMBRA_UNIFY_TREES_H

#include "unify/flags.h"
#include "unify/pairs.h"
#include "unify/unify.h"

struct trees_request {
    const char *old, *new;  /* two files or two directories */
    const char *original;   /* the directory that both were taken from: its compile_commands.json is theirs; or NULL */
    const char *old_label;  /* what comes before the names of old files, for people; NULL: the directories' own names */
    const json_t *built[2]; /* of directories that were built, what was compiled: nothing else counts; or NULL, both */
    const char *cflags;     /* for files that compile_commands.json does not name; may be NULL */
    const char *entry;      /* two files only: see struct unify_request */
    bool for_reading, verify;
    bool beside_new; /* the result lies where the new version's headers are found */
};

struct unified_file {
    const char *name; /* below the directories; of two files, the new one's */
    const char *old_path, *new_path;
    const char *old_cflags, *cflags; /* the old and the new version's; may be NULL */
    struct unified unified;
    const char *problem; /* why there is nothing (unified.obstacle, where it is that); NULL otherwise */
    const char *path;    /* where the text was written; NULL while it was not */
};

struct unified_trees {
    struct arena *arena;
    bool are_directories;
    struct pairs pairs; /* of directories */
    struct unified_file *files;
    size_t count;
    struct unify_statistics statistics; /* of all */
    const char *cflags;                 /* the request's */
    struct flags *flags[2];             /* the old and the new version's; NULL where there are none */
};

/* False only when nothing can be done at all. With two files, what is wrong with theirs is the error, unless it is that
 * they cannot be merged. */
bool trees_unify(const struct trees_request *request, struct unified_trees *trees, struct error *error);
/* Writes each text to `directory`/NAME, or to `directory` itself when there is one file only. */
bool trees_write(struct unified_trees *trees, const char *directory, struct error *error);
/* Whether there is no difference but comments and layout, nor a file that could not be unified. */
bool trees_are_identical(const struct unified_trees *trees);
void trees_free(struct unified_trees *trees);

/* The flags of a file of the old version (0) or the new one (1), in one string; NULL when it needs none. */
const char *trees_flags(const struct unified_trees *trees, size_t version, const char *path, struct arena *arena);

#endif
