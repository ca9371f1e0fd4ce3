/* Why a process could not become what it was started for, as its parent gets to know it through a pipe. */
#ifndef PENUMBRA_EXECUTE_FAILURE_H
#define PENUMBRA_EXECUTE_FAILURE_H

#include <stdbool.h>

struct failure {
    int reason; /* errno; 0: there was none */
    char step[92];
};

/* Notes errno and the step, which is a verb with its object: "mount /tmp". Returns false. */
bool failure_note(struct failure *failure, const char *step);

#endif
