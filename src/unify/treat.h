/* Between compare.c and the files that decide about one kind of declaration: variables.c and types.c. */
#ifndef PENUMBRA_UNIFY_TREAT_H
#define PENUMBRA_UNIFY_TREAT_H

#include "unify/compare.h"

/* Whether one of the names is mentioned among the old version's tokens. */
bool treat_mentions(const struct words *names, const struct version *version, size_t first, size_t end);
/* Two things from now on: the old version's gets another name, and whatever mentions it differs. */
void treat_split(struct comparison *comparison, struct piece *old, struct piece *new);
void treat_add_name(struct words *names, const char *name);
/* Adds the macros that mention what differs. */
void treat_spread_to_macros(struct comparison *comparison);
bool treat_refuse(struct comparison *comparison, const struct piece *old, const struct piece *new, const char *what);
bool treat_is_written_out(const struct version *version, const struct piece *piece);

/* The names by which something can have to do with a struct that has the members of both versions: the struct's, and
 * those of types, variables and functions that are declared with them. */
void treat_widened_names(const struct comparison *comparison, struct words *names);

bool treat_variable(struct comparison *comparison, struct piece *old, struct piece *new);
bool treat_type(struct comparison *comparison, struct piece *old, struct piece *new);

/* The struct, union or enumeration that a piece defines; a null cursor when it defines none. */
CXCursor piece_defined_type(const struct piece *piece);
/* `int a[4]`, from a type and a name; NULL for types that have no name that could be written. */
const char *declaration_text(struct arena *arena, CXType type, const char *name);

#endif
