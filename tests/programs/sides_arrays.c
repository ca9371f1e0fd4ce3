/* Arrays whose size differs between the versions. See tests/e2e/sides.py for the comments. */
#include "penumbra.h"

int g, h;

/* Arrays of another size. */
/*@ x=0..5 from x=0
 *  fix old-fails at 'name[x]': x == 2 or x == 3
 *  both-fail new-fails x0: x > 3 */
int array_made_larger(int x)
{
    char name[pn_size(2, 4)];
    pn_bounds(name, 2, 4);
    name[0] = 1;
    name[x] = 2;
    return name[0];
}

char table[pn_size(4, 2)];
pn_global_bounds(table, 4, 2);

/*@ x=0..5 from x=0
 *  regression new-fails at 'table[x]': x == 2 or x == 3
 *  both-fail new-fails x0: x > 3 */
int global_array_made_smaller(int x)
{
    table[x] = 1;
    return x;
}
