/* Names that options on the command line may mean: `p->next`, `v[2].x`; in an option `[]` stands for any index. */
#ifndef PENUMBRA_SOURCE_OPTION_NAMES_H
#define PENUMBRA_SOURCE_OPTION_NAMES_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

struct option_names {
    const char **list;
    size_t count, capacity;
};

void option_names_add(struct option_names *names, const char *name);
void option_names_free(struct option_names *names);
/* Whether one of the names is meant. */
bool option_names_have(const struct option_names *names, const char *wanted);
/* Whether one of `wanted` means the name. */
bool names_want(const char *const *wanted, size_t count, const char *name);
/* Each of `wanted` means one of the names, or the error says which does not: "--null=q: no pointer is called 'q'". */
bool option_names_check(const struct option_names *names, const char *option, const char *kind,
                        const char *const *wanted, size_t count, struct error *error);

#endif
