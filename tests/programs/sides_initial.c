/* Globals whose initial value differs between the versions. What they are in the end is an output too, so that every
 * entry puts them back. See tests/e2e/sides.py for the comments. */
#include "penumbra.h"

int g, h;

int limit = 20;
pn_global(limit, 10);
static unsigned char weights[] = {1, 2, 3};
pn_global(weights[1], 5);
static struct {
    int low, high;
} bounds = {0, 9};
pn_global(bounds.high, 7);

static void put_back(void)
{
    limit = bounds.high = weights[1] = 0;
}

/*@ x=5..25 from x=5
 *  output diff-false at 'if (over': 10 < x <= 20 */
int initial_value(int x)
{
    int over = x > limit;
    put_back();
    if (over)
        return 1;
    return 0;
}

/*@ x=0..9 y=0..2 from x=0,y=0
 *  output diff-true at 'if (x' x2: 7 < x
 *  output output x0: x <= 7 and y == 1 */
int initial_element(int x, int y)
{
    int high = bounds.high, weight = weights[1];
    put_back();
    if (x <= high)
        return y == 1 ? weight : 0;
    return 100;
}

/*@ x=0..9 from x=0
 *  output output: x <= 7 */
int initial_value_seen_by_one_version(int x)
{
    int y = 0;
    if (execute(NEW))
        y = bounds.high;
    if (execute(OLD))
        y = x > 7 ? bounds.high + 2 : bounds.high;
    put_back();
    return y;
}

/* Nothing to be seen where the old version overwrites it. */
/*@ x=0..9 from x=0 */
int initial_value_overwritten(int x)
{
    if (execute(OLD))
        limit = 20;
    int y = limit + x;
    put_back();
    return y;
}
