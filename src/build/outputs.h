/* The C statements by which a harness outputs a value: part by part, so that padding is never compared. */
#ifndef PENUMBRA_BUILD_OUTPUTS_H
#define PENUMBRA_BUILD_OUTPUTS_H

#include "base/arena.h"
#include "base/text.h"

#include <clang-c/Index.h>
#include <stdbool.h>

/* Appends calls of pn_output() for the parts of `expression`, an lvalue of the type, called `name`, `name.field`,
 * `name[3].field`. False, and nothing appended, when some part cannot be compared: pointers. */
bool outputs_write(struct text *code, struct arena *arena, CXType type, const char *expression, const char *name);

#endif
