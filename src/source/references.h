/* Which functions and variables with external linkage the files of a program define, and which they use. */
#ifndef PENUMBRA_SOURCE_REFERENCES_H
#define PENUMBRA_SOURCE_REFERENCES_H

#include "base/arena.h"
#include "source/source.h"

#include <stdbool.h>
#include <stddef.h>

/* A function or variable in a file. */
struct reference {
    const char *name;
    size_t file;
    CXCursor cursor; /* its declaration there, or its definition */
};

struct reference_list {
    struct reference *list;
    size_t count, capacity;
};

struct references {
    struct arena *arena;
    struct reference_list defined; /* with external linkage */
    struct reference_list used;    /* that the file which uses them does not define; each once */
    struct reference_list inlines; /* inline functions with external linkage, also those of headers of the system */
    /* What is used is followed to where one of these defines it; NULL: uses end with the file. */
    const struct reference_list *elsewhere;
    bool is_unclear;     /* something was met that may use whatever it likes */
    size_t file;         /* being visited */
    CXCursorSet visited; /* definitions that were looked at or wait for it */
    struct reference_list waiting;
};

void references_open(struct references *references, struct arena *arena);
void references_close(struct references *references);

/* What every compilation of the file emits: static and inline functions only count when something uses them. */
void references_add_emitted(struct references *references, size_t file, CXTranslationUnit unit);
/* The same, and all functions whose text stands in the file itself. */
void references_add_all(struct references *references, size_t file, CXTranslationUnit unit);
/* What is used although nothing mentions it: functions and variables with attributes, which may have them called at
 * start, or found by their section. */
void references_add_start(struct references *references, size_t file, CXTranslationUnit unit);
/* What a function or a variable's initial value uses, static or not; of a variable that it mentions, also what that
 * one's initial value does. */
void references_add_definition(struct references *references, size_t file, CXTranslationUnit unit, const char *name);

/* Whether a definition has any attribute: libclang does not tell which. */
bool references_have_attribute(CXCursor definition);

/* NULL when the list has none of that name. */
const struct reference *references_find(const struct reference_list *list, const char *name);

#endif
