/* A call of a C compiler as a build system makes it: what it is asked to do, with which files. Response files have been
 * put in. Only as much is understood as is needed to know which C files become which objects and what is linked: all
 * the rest is the compiler's business. */
#ifndef PENUMBRA_PROJECT_CALL_H
#define PENUMBRA_PROJECT_CALL_H

#include "base/error.h"
#include "base/words.h"

#include <stdbool.h>

enum call_action {
    CALL_OTHER,   /* neither makes objects of C files nor links: preprocessing, assembler text, questions */
    CALL_COMPILE, /* -c */
    CALL_LINK,    /* of objects, and perhaps of sources at the same time */
};

struct call_input {
    size_t place; /* among the arguments */
    bool is_c;    /* else it is C++, assembler, or for the linker */
};

struct call {
    struct arena *arena;
    struct words arguments; /* without the compiler's name */
    enum call_action action;
    struct call_input *inputs;
    size_t count, capacity;
    const char *output; /* -o; or NULL */
    bool is_question;   /* of configure: what comes of it is not kept */
    bool is_shared, is_relocatable;
    bool has_no_library; /* it is linked without the C library, or without its start */
};

/* False where a response file cannot be read. To be freed in any case. */
bool call_read(struct call *call, char *const *arguments, struct error *error);
void call_free(struct call *call);

/* How many arguments the one at `place` is together with its value: 1 or 2. */
size_t call_length(const struct words *arguments, size_t place);
/* Whether the argument only matters when something is linked. */
bool call_is_for_linker(const char *argument);
/* Whether a file is C by its name. */
bool call_is_c(const char *path);
/* Where the compiler puts the object of an input when nothing is said: NAME.o in the current directory. */
const char *call_object(struct arena *arena, const char *input);

#endif
