/* What a compilation read, and what it would have read if it had been there: a result may be used again as long as all
 * of that is the same. A compiler that finds `util.h` in the third directory of its search has looked for it in the
 * first and the second: that there is none there is part of the result, too, and so is what __has_include() says. */
#ifndef PENUMBRA_COMPILE_MANIFEST_H
#define PENUMBRA_COMPILE_MANIFEST_H

#include "base/arena.h"
#include "base/digest.h"
#include "base/text.h"
#include "base/words.h"

#include <stdbool.h>
#include <time.h>

/* Reads the rule that clang -MD wrote: what its target depends on, but for one file that does not count. */
void manifest_read_rule(const char *rule, const char *except, struct arena *arena, struct words *files);

/* One result of a compilation. */
struct manifest {
    struct words files;       /* that were read, as the compiler names them */
    struct words directories; /* in which headers are looked for */
    struct digest state;      /* of all that, now */
};

/* Looks at the files, which are those of a compilation that began at `start`. False when that says too little: a file
 * is gone, was changed meanwhile, or asks for others in a way that is not understood. */
bool manifest_take(struct manifest *manifest, const struct timespec *start, struct arena *arena);
/* Whether everything is as it was then. */
bool manifest_holds(const struct manifest *manifest);

void manifest_print(const struct manifest *manifest, struct text *text);
/* Reads what was printed, and moves `at` behind it; false when it is nothing of the kind. */
bool manifest_parse(const char **at, struct arena *arena, struct manifest *manifest);
void manifest_free(struct manifest *manifest);

#endif
