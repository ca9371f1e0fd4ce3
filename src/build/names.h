/* Names that options on the command line may mean: `p->next`, `v[2].x`; in an option `[]` stands for any index. */
#ifndef PENUMBRA_BUILD_NAMES_H
#define PENUMBRA_BUILD_NAMES_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

struct names {
    const char **list;
    size_t count, capacity;
};

void names_add(struct names *names, const char *name);
void names_free(struct names *names);
/* Whether one of the names is meant. */
bool names_have(const struct names *names, const char *wanted);
/* Whether one of `wanted` means the name. */
bool names_want(const char *const *wanted, size_t count, const char *name);
/* Each of `wanted` means one of the names, or the error says which does not: "--null=q: no pointer is called 'q'". */
bool names_check(const struct names *names, const char *option, const char *kind, const char *const *wanted,
                 size_t count, struct error *error);

#endif
