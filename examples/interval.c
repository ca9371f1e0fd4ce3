/* The pause between two samples in milliseconds, from the samples per second that the user wants. A rate of 0 made the
 * program crash; the patch takes it for 1.
 *
 *     penumbra run interval.c --entry interval --seed rate=50
 *
 * shows that it is a fix, with the input on which the old version fails, and finds nothing else: no rate on which only
 * the new version fails, and none for which both give an interval but not the same one. */
#include "penumbra.h"

#define LONGEST 500

int interval(unsigned char rate)
{
    int milliseconds = 1000 / change(rate, rate + (rate == 0));
    if (milliseconds > LONGEST)
        return LONGEST;
    return milliseconds;
}
