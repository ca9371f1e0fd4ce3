/* Parts of the harness that what is made like it needs, too. */
#ifndef PENUMBRA_SOURCE_HARNESS_H
#define PENUMBRA_SOURCE_HARNESS_H

#include "source/program.h"

/* Declares what code of the harness calls. */
void harness_declare_runtime(struct text *code);
/* The functions of this file that output structures to which pointers lead. */
void harness_add_followers(struct text *code, const struct program *program, size_t file);

#endif
