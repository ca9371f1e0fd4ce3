/* What the checker and a native program say to each other, see replay_runtime.c. */
#ifndef PENUMBRA_CHECK_SERVE_H
#define PENUMBRA_CHECK_SERVE_H

#define SERVE_ARGUMENT "--serve"

/* What it writes to standard error before the sanitizer's report of a division whose quotient does not fit. */
#define DIVISION_OVERFLOW "penumbra: the quotient does not fit\n"

#endif
