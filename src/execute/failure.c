#include "execute/failure.h"

#include <errno.h>
#include <stdio.h>

bool failure_note(struct failure *failure, const char *step)
{
    failure->reason = errno ? errno : EIO;
    snprintf(failure->step, sizeof failure->step, "%s", step);
    return false;
}
