/* A brake controller of three successive updates with three inputs each: more than 100,000 paths, on which the same
 * few questions come up again and again. In the new version a slight skid halves the pressure one pedal position
 * later, in the last update. */
#include "penumbra.h"

static int normal, alternate, meter;

static int level(int pedal)
{
    if (pedal == 0)
        return 0;
    if (pedal == 1)
        return 1;
    if (pedal == 2)
        return 2;
    if (pedal == 3)
        return 3;
    if (pedal == 4)
        return 4;
    return pedal > 4 ? 5 : 1;
}

static void update(int pedal, int automatic, int skid, int limit)
{
    int wanted = level(pedal);
    if (automatic && wanted < 2)
        wanted += 1;
    if (skid > 1) {
        normal = 0;
        alternate = wanted;
    } else if (skid == 1) {
        normal = wanted > limit ? wanted / 2 : wanted;
        alternate = 0;
    } else if (skid == 0) {
        normal = wanted;
        alternate = 0;
    } else {
        normal = alternate = 0;
    }
    meter = meter * 5 + normal + alternate;
}

int controller(int pedal1, int automatic1, int skid1, int pedal2, int automatic2, int skid2, int pedal3,
               int automatic3, int skid3)
{
    normal = alternate = meter = 0;
    update(pedal1, automatic1, skid1, 2);
    update(pedal2, automatic2, skid2, 2);
    update(pedal3, automatic3, skid3, change(2, 3));
    return meter;
}
