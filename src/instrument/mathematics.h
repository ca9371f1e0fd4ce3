/* The functions of <math.h> by name, also as LLVM's intrinsics: which of them labels describe with operations of their
 * own, and which as calls (trace/mathematics.h). */
#ifndef PENUMBRA_INSTRUMENT_MATHEMATICS_H
#define PENUMBRA_INSTRUMENT_MATHEMATICS_H

#include "trace/mathematics.h"
#include "trace/operation.h"

#include <stdbool.h>

enum mathematical_kind {
    MATHEMATICAL_NONE, /* no such function */
    MATHEMATICAL_ABSOLUTE,
    MATHEMATICAL_COPY_SIGN,
    MATHEMATICAL_SQUARE_ROOT,
    MATHEMATICAL_FUSED,
    MATHEMATICAL_PRODUCT_AND_SUM, /* fused or not as the compiler likes: not, here */
    MATHEMATICAL_MINIMUM,
    MATHEMATICAL_MAXIMUM,
    MATHEMATICAL_CLASS,
    MATHEMATICAL_ROUND,
    MATHEMATICAL_ROUND_TO_INTEGER,
    MATHEMATICAL_CALL,
};

struct mathematical {
    const char *name; /* without the `f` that float's variant ends with */
    enum mathematical_kind kind;
    unsigned detail; /* enum pn_rounding of those that round, enum pn_function of calls */
};

/* `floor`, `floorf`, `llvm.floor.f64`; NULL for every other name, long double's variants among them. */
const struct mathematical *find_mathematical(const char *name);

#endif
