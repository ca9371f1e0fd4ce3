/* A brake controller of three successive updates with three inputs each: more than 100,000 paths, on which the same
 * few questions come up again and again. The new version lets the automatic brake in one pedal position later. */
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
    return pedal > 3 ? 4 : 1;
}

static void update(int pedal, int automatic, int skid)
{
    int wanted = level(pedal);
    if (automatic && wanted < change(2, 3))
        wanted += 1;
    if (skid > 1) {
        normal = 0;
        alternate = wanted;
    } else if (skid == 1) {
        normal = wanted / 2;
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
    update(pedal1, automatic1, skid1);
    update(pedal2, automatic2, skid2);
    update(pedal3, automatic3, skid3);
    return meter;
}
