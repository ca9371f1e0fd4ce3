/* What a model may use beside C. A model is the C library's function as plain C; it is instrumented like the program
 * that calls it. docs/models.md says how to add one. */
#ifndef PENUMBRA_MODELS_MODEL_H
#define PENUMBRA_MODELS_MODEL_H

#define __NO_CTYPE /* functions, not a table */
#ifndef __NO_INLINE__
#define __NO_INLINE__ /* and no macros */
#endif

#include <stddef.h>
#include <stdint.h>

/* Whether the bytes are the same in both versions and do not depend on the input: then the C library's own function,
 * `__pn_real_NAME`, is asked, which is fast. A text goes up to its end, or up to `limit` bytes. */
int pn_plain_text(const void *text, size_t limit);
int pn_plain_bytes(const void *bytes, size_t count);

static inline __attribute__((always_inline)) int pn_plain_string(const void *string)
{
    return pn_plain_text(string, SIZE_MAX);
}

/* Whether nothing at all depends on the input or differs between the versions so far, and accesses need not be checked:
 * then the C library's own function may also write, and call back. */
int pn_no_labels(void);

/* The value, bound to what it is in this run: precision is lost, and the report says to which function. */
long pn_bound(long value, const char *function);

/* Before the C library's own function is given data that may depend on the input or differ between the versions, all of
 * it at once: precision is lost, and one version's own code is not followed any further. */
void pn_lost(const char *function);

/* The bytes are taken for numbers: what they tell, if they are a pointer's, holds only where the objects lie now. */
void pn_look_at(const void *bytes, size_t count);

/* Characters are others than in the "C" locale. */
extern int pn_other_locale;

/* For models that are a few operations: they are made part of what calls them. */
#define MODEL_INLINE __attribute__((always_inline))

typedef unsigned char byte;

#endif
