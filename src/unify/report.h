/* What unification did, for people and for programs. */
#ifndef PENUMBRA_UNIFY_REPORT_H
#define PENUMBRA_UNIFY_REPORT_H

#include "unify/unify.h"

#include <jansson.h>

/* Lines of text; `name` is the file's. */
/* Only what somebody needs to know who compares the versions. */
void unified_describe_briefly(const struct unified *unified, const char *name, struct text *out);
void unified_describe(const struct unified *unified, const char *name, struct text *out);
void statistics_describe(const struct unify_statistics *statistics, struct text *out);
/* A new reference. */
json_t *unified_json(const struct unified *unified, const char *name);
json_t *statistics_json(const struct unify_statistics *statistics);

#endif
