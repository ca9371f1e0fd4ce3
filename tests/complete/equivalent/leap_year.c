/*@ int f(int year) year=1590..2410 */
#include "penumbra.h"

static int is_leap(int year)
{
    if (year % 4)
        return 0;
#ifndef TWIN
    if (year % 400 == 0)
        return 1;
#endif
    return year % 100 != 0;
}

int f(int year)
{
    return change((year % 4 == 0 && year % 100 != 0) || year % 400 == 0, is_leap(year));
}
