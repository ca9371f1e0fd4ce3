/* Failures that sanitizers miss (a pointer below a global, say), confirmed on a build of one version alone with
 * Penumbra's own object checks. */
#ifndef PENUMBRA_CHECK_OWN_H
#define PENUMBRA_CHECK_OWN_H

#include "check/check.h"
#include "explore/target.h"
#include "instrument/sites.h"
#include "source/program.h"

/* Runs the input, laid out as `layout` says, on the single-version program and notes the failure, if there is one, in
 * the verdict. */
bool own_check(struct target *target, const struct site_table *sites, const struct program *program,
               struct input_layout *layout, const uint8_t *input, size_t size, enum pn_side side,
               struct check_verdict *verdict, struct error *error);

#endif
