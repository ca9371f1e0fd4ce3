/* Which files of a tree a function needs: the one that defines it, and those that define what it may reach, function by
 * function and variable by variable. A name that nothing on the way uses is nobody's business, however many files
 * define it. What each file defines is read once, when it is first asked for. */
#ifndef PENUMBRA_SOURCE_NEEDED_H
#define PENUMBRA_SOURCE_NEEDED_H

#include "base/arena.h"
#include "base/words.h"
#include "source/unit.h"

struct needed_index;

/* The units must outlive the tree. The arena owns what is found. */
struct needed_index *needed_open(const struct unit *units, size_t count, struct arena *arena);
void needed_close(struct needed_index *index);

/* Adds the unit of `path` first, then the others that `function` needs, in the tree's order. `notes` receives a
 * sentence for each name of which one definition of several was taken. */
void needed_add(struct needed_index *index, const char *path, const char *function, struct units *needed,
                struct words *notes);
/* Adds, as `type.member`, the members that only one of two versions has, of what was needed last of each. Types
 * that only one of them has do not count. */
void needed_find_lone_members(struct needed_index *old, struct needed_index *new, struct words *members);
/* Adds the variables of the file that only this version has, as the request's `uncompared` names them: of what was
 * needed last, no file of the other version defines one of that name. */
void needed_find_lone_variables(struct needed_index *index, const char *path, struct needed_index *other,
                                struct words *variables);
/* Names of the variables that files define which were needed last. */
void needed_list_variables(struct needed_index *index, struct words *names);
/* Whether the unit of `path` defines a function of that name, static or not. */
bool needed_defines(struct needed_index *index, const char *path, const char *function);
/* Lines that name the files which could not be read, and why; NULL when there is none. */
const char *needed_unreadable(const struct needed_index *index);

#endif
