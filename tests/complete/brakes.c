/* A wheel brake controller in the spirit of the one that is used to evaluate shadow symbolic execution for Java: each
 * update reads the pedal, the automatic brake and the skid sensor, and moves the pressure on two lines. What mutate.py
 * makes versions of, in the dialect of tests/random/dialect.h. */
#include "dialect.h"

int pressure, reserve, held, skids;

static int demand(int pedal, int automatic)
{
    int wanted = 0;
    if (BR(pedal <= 0))
        wanted = 0;
    else if (BR(pedal == 1))
        wanted = 2;
    else if (BR(pedal == 2))
        wanted = 3;
    else
        wanted = 5;
    if (BR(automatic != 0) && BR(wanted < 3))
        wanted = wanted + 1;
    return wanted;
}

int update(int pedal, int automatic, int skid)
{
    int wanted = demand(pedal, automatic);
    if (BR(skid != 0)) {
        skids = skids + 1;
        if (BR(pressure > 1))
            pressure = pressure - 2;
        else
            pressure = 0;
    } else if (BR(wanted > pressure)) {
        pressure = pressure + 2;
    } else {
        pressure = wanted;
    }
    if (BR(skids > 1) || BR(pressure > 4)) {
        reserve = wanted - held;
        held = 1;
    }
    ASSERT(pressure >= 0);
    return pressure + reserve;
}

int launch(int pedal1, int automatic1, int skid1, int pedal2, int automatic2, int skid2, int pedal3, int automatic3,
           int skid3)
{
    int sum = update(pedal1, automatic1, skid1);
    sum = sum * 2 + update(pedal2, automatic2, skid2);
    return sum * 2 + update(pedal3, automatic3, skid3);
}
