/* The difference of two files as people read patches, in the form that the report has it (docs/json.md). */
#ifndef PENUMBRA_UNIFY_PATCH_H
#define PENUMBRA_UNIFY_PATCH_H

#include <jansson.h>

/* A new reference; files that cannot be read are empty. `names` are what people call the old and the new one. */
json_t *patch_json(const char *names[2], const char *old_path, const char *new_path);

#endif
