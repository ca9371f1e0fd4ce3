/* The starts of a program that its test suite makes: each is a folder, as the recorder leaves it (src/recorder) and
 * --seeds takes it. */
#ifndef PENUMBRA_PROJECT_STARTS_H
#define PENUMBRA_PROJECT_STARTS_H

#include "base/arena.h"
#include "base/error.h"
#include "base/words.h"
#include "project/command.h"

#include <stdbool.h>

struct starts_request {
    const char *command;   /* of the shell, that runs the tests */
    const char *root;      /* the tree, in which it runs */
    const char *program;   /* the last part of the program's name; "": every program of the build */
    const char *directory; /* where starts go; it is made, and also gets `log` */
    double seconds;        /* limit for the tests; 0: none */
};

bool starts_record(const struct starts_request *request, struct command_end *end, struct arena *arena,
                   struct error *error);

/* A start that was recorded. */
struct start_record {
    const char *folder, *name;
    const char *program; /* its path, as it was started; "" where that is not known */
    struct words arguments;
    const char *input; /* a file; NULL: none */
    const char *base;  /* the directory in which it was started, where that was not copied; or NULL */
    size_t size;       /* bytes of all that it brings along */
    bool touches;      /* a change, if somebody has found that out */
};

struct starts {
    struct arena *arena;
    struct start_record *list; /* in the order in which they were made */
    size_t count, capacity;
    size_t duplicates, oversized; /* that were left out */
};

/* Reads them; of those that are the same the first is kept. To be freed in any case. */
bool starts_read(struct starts *starts, const char *directory, struct error *error);
/* Chooses up to `most` of them to begin with: those that touch a change, where there are any; small ones, and of those
 * with the same options not two before there is one of each. Returns how many; `chosen` has their numbers. */
size_t starts_choose(const struct starts *starts, size_t most, size_t *chosen);
void starts_free(struct starts *starts);

#endif
