/* Which function uses which others, and which variables: by mentioning them, in code of both versions or of one. */
#ifndef PENUMBRA_SOURCE_USES_H
#define PENUMBRA_SOURCE_USES_H

#include "base/words.h"
#include "source/source.h"

enum use_side { USE_BOTH, USE_OLD, USE_NEW };

struct use {
    const char *key;  /* libclang's name for the function or variable */
    const char *name; /* the source's */
    enum use_side side;
    bool is_system;  /* a header of the system declares it */
    bool is_kept;    /* a variable that lives from call to call, and is not const */
    bool is_shared;  /* other files see it, too */
    bool is_changed; /* here: it is assigned to, or its address is taken */
};

/* A function, or a variable at file scope with what its initial value uses. */
struct definition {
    const char *key;
    struct use *uses;
    size_t count, capacity;
    bool is_changed; /* has code that only one version has */
    bool is_variable;
    bool is_reached; /* the entry uses it, or something that the entry uses does */
};

struct uses {
    struct arena *arena;
    struct definition *list;
    size_t count, capacity;
};

void uses_read(struct uses *uses, struct arena *arena, const struct sources *sources, const char *entry_key);
void uses_free(struct uses *uses);

/* NULL: the files do not define it. */
struct definition *uses_find(const struct uses *uses, const char *key);

/* Whether the entry uses a function of that name, or something that the entry uses does. */
bool uses_function(const struct uses *uses, const char *name);
/* Whether a call of the entry may leave something behind for the next one. */
bool uses_keep_state(const struct uses *uses);
/* Keys of the variables that the entry uses and that something may have changed before it is called. */
void uses_list_state(const struct uses *uses, struct words *keys);

#endif
