/* How far a job is, in percent. A patch rounds to the nearest percent instead of down, and the output changes, which
 * was the intention. What nobody intended: a job with 199 of 200 parts done now counts as finished.
 *
 *     penumbra run progress.c --entry progress --seed 'done=3,total=7'
 *
 * finds both: inputs for which only the number differs, and one for which the versions part at `percent == 100`. */
#include "penumbra.h"

#define FINISHED 1000
#define NOT_A_JOB (-1)

int progress(unsigned char done, unsigned char total)
{
    if (total == 0 || done > total)
        return NOT_A_JOB;
    int percent = (done * 100 + change(0, total / 2)) / total;
    if (percent == 100)
        return FINISHED;
    return percent;
}
