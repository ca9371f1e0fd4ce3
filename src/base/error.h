/* Errors are values: a function that can fail returns false (or NULL) and leaves a sentence in the `struct error` it
 * was given. Nobody prints or exits on the way; main shows the sentence and chooses the exit status. */
#ifndef PENUMBRA_BASE_ERROR_H
#define PENUMBRA_BASE_ERROR_H

#include <stdbool.h>

struct error {
    char *message; /* owned by the error; NULL while nothing went wrong */
};

/* Sets the message (the first one wins: later ones are consequences) and returns false, so that callers can write
 * `return error_set(error, "...")`. */
bool error_set(struct error *error, const char *format, ...) __attribute__((format(printf, 2, 3)));

void error_clear(struct error *error);

#endif
