/* What lives from call to call, and what no harness can name: static variables in functions, and errno. With --globals
 * they are inputs as variables at file scope are: `count in next()`, `errno`.
 *
 * A static variable has a symbol that the compiler makes of two names, `next.count`. The harness asks for its place by
 * that, __pn_find_static("next.count"): the instrumenter puts the variable there (instrument/state.c), native programs
 * look it up (check/replay_statics.h). Where the unified program keeps a function or a variable once for each version,
 * both get the value of the input. */
#ifndef PENUMBRA_SOURCE_STATICS_H
#define PENUMBRA_SOURCE_STATICS_H

#include "source/program.h"
#include "source/source.h"

/* Fills in program->statics and program->errno_is_input, and adds them to the layout; behind the globals. */
bool statics_read(struct program *program, const struct sources *sources, struct error *error);

/* Whether it has such a variable that is an input. */
bool program_has_static(const struct program *program, const char *name);

/* C statements that make an input of errno; in the end, since other statements may set it. */
void statics_add_errno(const struct program *program, struct text *code);

#endif
