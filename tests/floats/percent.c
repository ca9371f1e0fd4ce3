/* conversion: a percentage of small integers, in integers and in doubles */
/*@ equivalent --range part=0..100 --range all=1..100 */
#include <penumbra.h>

int f(int part, int all)
{
    return change(part * 100 / all, (int)(part * 100.0 / all));
}
