/* Two inputs whose names begin alike. */
#include <penumbra.h>
int f(int x)
{
    int a = 0, b = 0;
    pn_symbolic(&a, 4, "configuration_of_the_measuring_device_number_one_of_the_first_laboratory_a");
    pn_symbolic(&b, 4, "configuration_of_the_measuring_device_number_one_of_the_first_laboratory_b");
    return (a == 7) & (b == change(8, 9));
}
