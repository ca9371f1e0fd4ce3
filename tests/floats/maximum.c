/* statistics: the greatest of some integers, found among doubles */
/*@ equivalent --size v=3 */
#include <penumbra.h>

int f(int *v)
{
    if (execute(OLD)) {
        int greatest = v[0];
        for (int i = 1; i < 3; i++)
            if (v[i] > greatest)
                greatest = v[i];
        return greatest;
    } else {
        double greatest = v[0];
        for (int i = 1; i < 3; i++)
            if (v[i] > greatest)
                greatest = v[i];
        return (int)greatest;
    }
}
