/* After the regression of Joda-Time in Complete Shadow Symbolic Execution with Java PathFinder: a local time becomes
 * universal time by subtracting the zone's offset. The new version checks for overflow, with returns of its own. Six
 * divergent behaviours: four were wanted, at the ends of the range; two are a mistake, near zero, where the sign changes
 * without overflow. See tests/e2e/sides.py for the comments. */
#include "penumbra.h"

#include <assert.h>
#include <stdint.h>

int g, h;

#define HOUR INT64_C(3600000)
#define TOO_LATE INT64_MAX
#define TOO_EARLY INT64_MIN

static int64_t offset_of_zone(int east)
{
    if (east)
        return HOUR;
    return -HOUR;
}

static int64_t to_universal(int64_t local, int east)
{
    if (execute(NEW)) {
        if (local == INT64_MAX)
            return INT64_MAX;
        if (local == INT64_MIN)
            return INT64_MIN;
    }
    int64_t universal = local - offset_of_zone(east);
    if (execute(NEW)) {
        if (local > 0 && universal < 0)
            return TOO_LATE;
        if (local < 0 && universal > 0)
            return TOO_EARLY;
    }
    return universal;
}

/*@ local=-9223372036854775808|-9223372036854775807|-9223372036851175809|-9223372036851175808|-9223372036851175807|-1000000000000|-3600001|-3600000|-3599999|-1|0|1|3599999|3600000|3600001|1000000000000|9223372036851175806|9223372036851175807|9223372036851175808|9223372036854775806|9223372036854775807 east=0..1 from local=1000000000,east=1 and local=1000000000,east=0
 *  output early-exit at 'return INT64_MAX': local == MAX
 *  output early-exit at 'return INT64_MIN': local == MIN
 *  output early-exit at 'return TOO_LATE': not east and MAX - HOUR < local < MAX
 *  output early-exit at 'return TOO_EARLY': east and MIN < local < MIN + HOUR
 *  output early-exit at 'return TOO_LATE': east and 0 < local < HOUR
 *  output early-exit at 'return TOO_EARLY': not east and -HOUR < local < 0 */
long local_to_universal(int64_t local, int east)
{
    return to_universal(local, east);
}

static uint64_t apart(int64_t a, int64_t b)
{
    if (a > b)
        return (uint64_t)a - (uint64_t)b;
    return (uint64_t)b - (uint64_t)a;
}

/* The two times are never more than a day apart: the four are fixes or harmless, the two are regressions. */
/*@ local=-9223372036854775808|-9223372036854775807|-9223372036851175809|-9223372036851175808|-9223372036851175807|-1000000000000|-3600001|-3600000|-3599999|-1|0|1|3599999|3600000|3600001|1000000000000|9223372036851175806|9223372036851175807|9223372036851175808|9223372036854775806|9223372036854775807 east=0..1 from local=1000000000,east=1 and local=1000000000,east=0
 *  silent early-exit at 'return INT64_MAX': local == MAX and east
 *  fix early-exit x0: local == MAX and not east
 *  fix early-exit at 'return INT64_MIN': local == MIN and east
 *  fix early-exit at 'return TOO_LATE': not east and MAX - HOUR < local < MAX
 *  fix early-exit at 'return TOO_EARLY': east and MIN < local < MIN + HOUR
 *  regression early-exit at 'return TOO_LATE': east and 0 < local < HOUR
 *  regression early-exit at 'return TOO_EARLY': not east and -HOUR < local < 0 */
void conversion_is_sane(int64_t local, int east)
{
    assert(apart(to_universal(local, east), local) <= 24 * HOUR);
}
